/* The count and the first arguments of an ExecuteIndirect, as they are in memory when a dump is
 * written. The buffers are mapped at the call, because the dump's writer calls no runtime. */
#include "layer.h"
#include "os_memory.h"

#include <stdio.h>

#include <utlist.h>

static struct layer_indirect *entry_of(struct layer_device *device, uint64_t event)
{
    return &device->indirects[(event ^ event >> 12) % LAYER_INDIRECTS];
}

/* Maps the buffer if the CPU can read it. Returns its annot_object_id; 0: no buffer. */
static uint64_t map(uint64_t pointer)
{
    const uint64_t id = layer_bound_id(pointer);
    const struct object *object = object_at((void *)(uintptr_t)pointer);
    struct layer_resource *resource = object ? (void *)layer_mirror_of(object) : NULL;
    D3D12_HEAP_PROPERTIES heap = {0};
    D3D12_HEAP_FLAGS flags;
    void *memory = NULL;
    if (!resource || resource->mirror.kind != LAYER_RESOURCE || resource->memory)
        return id;
    ID3D12Resource *real = object->real;
    if (real->lpVtbl->GetHeapProperties(real, &heap, &flags) >= 0 &&
        (heap.Type == D3D12_HEAP_TYPE_UPLOAD || heap.Type == D3D12_HEAP_TYPE_READBACK ||
         heap.CPUPageProperty > D3D12_CPU_PAGE_PROPERTY_NOT_AVAILABLE) &&
        real->lpVtbl->Map(real, 0, NULL, &memory) >= 0) {
        resource->size = resource_desc_of(real).Width;
        resource->memory = memory;
    }
    return id;
}

void layer_indirect_note(struct layer_list *list, const uint64_t *args,
                         const struct list_indirect *sets)
{
    struct layer_device *device = list->mirror.device;
    const struct layer_indirect note = {list->newest, (uint32_t)args[1], *sets,  map(args[2]),
                                        args[3],      map(args[4]),      args[5]};
    pthread_mutex_lock(&device->lock);
    *entry_of(device, note.event) = note;
    pthread_mutex_unlock(&device->lock);
}

/* False: the CPU can't read the buffer, or the buffer is gone, perhaps at this moment. */
static bool read_at(const struct layer_device *device, uint64_t buffer, uint64_t offset, void *to,
                    size_t size)
{
    const struct layer_mirror *mirror;
    DL_FOREACH(device->mirrors, mirror)
    if (annot_object_id(mirror->object) == buffer && mirror->kind == LAYER_RESOURCE)
        break;
    const struct layer_resource *resource = (const void *)mirror;
    const char *memory = resource ? resource->memory : NULL;
    return memory && offset <= resource->size && size <= resource->size - offset &&
           os_memory_read(to, memory + offset, size);
}

static void say(const struct layer_device *device, const struct layer_indirect *of, char *text,
                size_t size)
{
    /* by enum list_work: the call, and how many numbers it has */
    static const char *const names[] = {
        "", "Dispatch", "", "DrawInstanced", "DrawIndexedInstanced", "DispatchMesh"};
    static const uint8_t counts[] = {0, 3, 0, 4, 5, 3};
    const uint32_t arguments = counts[of->sets.work];
    const uint64_t at = of->commands_offset + of->sets.offset;
    const bool is_one = of->max == 1;
    uint32_t count = 0, numbers[5];
    const bool is_read = read_at(device, of->counts, of->counts_offset, &count, sizeof count);
    if (is_read && count == 0) {
        snprintf(text, size, "no command, as memory is now");
        return;
    }
    int used = snprintf(text, size, "%s%s%u%s", is_one ? "command 1 of " : "one of ",
                        is_one || of->counts == 0 ? "" : "at most ", of->max,
                        is_one ? "" : " commands, not known which");
    if (is_read)
        used += snprintf(text + used, size - (size_t)used, " (count %u is in memory now)", count);
    if (arguments == 0 || at < of->commands_offset ||
        !read_at(device, of->commands, at, numbers, arguments * sizeof *numbers)) {
        snprintf(text + used, size - (size_t)used, ": the layer can't read the arguments");
        return;
    }
    used += snprintf(text + used, size - (size_t)used, "; %sin memory now: %s",
                     is_one ? "" : "the first, ", names[of->sets.work]);
    for (uint32_t i = 0; i < arguments; i++) /* DrawIndexedInstanced's base vertex has a sign */
        used += snprintf(text + used, size - (size_t)used, "%s%lld%s", i == 0 ? "(" : ", ",
                         i == 3 && arguments == 5 ? (long long)(int32_t)numbers[i]
                                                  : (long long)numbers[i],
                         i + 1 < arguments ? "" : ")");
}

void layer_indirect_tell(struct layer_device *device, struct crash_dump *dump,
                         const annot_progress *rows, uint32_t count)
{
    for (uint32_t i = 0; device->indirects && i < count; i++) {
        const struct layer_indirect *of = entry_of(device, rows[i].started);
        if (rows[i].started == rows[i].completed || rows[i].started != of->event)
            continue;
        say(device, of, device->crumbs->indirect, sizeof device->crumbs->indirect);
        crash_dump_add_fact(dump, "indirect", device->crumbs->indirect);
        return;
    }
}
