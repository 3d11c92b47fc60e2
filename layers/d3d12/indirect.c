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

static struct layer_place place_of(uint64_t pointer, uint64_t offset)
{
    struct layer_place place = {.buffer = layer_bound_id(pointer)};
    D3D12_HEAP_PROPERTIES heap = {0};
    D3D12_HEAP_FLAGS flags;
    const struct object *object = object_at((void *)(uintptr_t)pointer);
    struct layer_resource *resource = object ? (void *)layer_mirror_of(object) : NULL;
    if (!resource || resource->mirror.kind != LAYER_RESOURCE)
        return place;
    ID3D12Resource *real = object->real;
    void *memory = resource->memory;
    if (!memory && real->lpVtbl->GetHeapProperties(real, &heap, &flags) >= 0 &&
        (heap.Type == D3D12_HEAP_TYPE_UPLOAD || heap.Type == D3D12_HEAP_TYPE_READBACK ||
         heap.CPUPageProperty > D3D12_CPU_PAGE_PROPERTY_NOT_AVAILABLE) &&
        real->lpVtbl->Map(real, 0, NULL, &memory) >= 0)
        resource->memory = memory;
    place.size = resource_desc_of(real).Width;
    place.size = memory && offset < place.size ? place.size - offset : 0;
    place.at = place.size ? (const char *)memory + offset : NULL;
    return place;
}

void layer_indirect_note(struct layer_list *list, const uint64_t *args,
                         const struct list_indirect *sets)
{
    struct layer_device *device = list->mirror.device;
    const struct layer_indirect note = {list->newest, (uint32_t)args[1], *sets,
                                        place_of(args[2], args[3]), place_of(args[4], args[5])};
    pthread_mutex_lock(&device->lock);
    *entry_of(device, note.event) = note;
    pthread_mutex_unlock(&device->lock);
}

/* False: the CPU can't read the buffer, or the buffer is gone, perhaps at this moment. */
static bool read_at(const struct layer_device *device, const struct layer_place *place,
                    uint64_t offset, void *to, size_t size)
{
    const struct layer_mirror *mirror;
    DL_FOREACH(device->mirrors, mirror)
    if (annot_object_id(mirror->object) == place->buffer)
        break;
    return mirror && offset <= place->size && size <= place->size - offset &&
           os_memory_read(to, place->at + offset, size);
}

static void say(const struct layer_device *device, const struct layer_indirect *of, char *text,
                size_t size)
{
    static const struct {
        const char *name;
        uint32_t count;
    } works[LIST_WORK_MESH + 1] = {[LIST_WORK_DISPATCH] = {"Dispatch", 3},
                                   [LIST_WORK_DRAW] = {"DrawInstanced", 4},
                                   [LIST_WORK_DRAW_INDEXED] = {"DrawIndexedInstanced", 5},
                                   [LIST_WORK_MESH] = {"DispatchMesh", 3}};
    const uint32_t arguments = works[of->sets.work].count;
    uint32_t read = of->max, numbers[5];
    const bool is_read = read_at(device, &of->counts, 0, &read, sizeof read);
    const bool is_known = is_read || of->counts.buffer == 0;
    const uint32_t count = read < of->max ? read : of->max;
    int used = snprintf(text, size, "%s %u%s",
                        !is_known    ? "one of at most"
                        : count == 1 ? "command 1 of"
                                     : "one of",
                        count, is_known && count == 1 ? "" : " commands, not known which");
    if (is_read)
        used += snprintf(text + used, size - (size_t)used,
                         " (count %u is in memory now, at most %u)", read, of->max);
    if (arguments == 0 ||
        !read_at(device, &of->commands, of->sets.offset, numbers, arguments * sizeof *numbers)) {
        snprintf(text + used, size - (size_t)used, ": the layer can't read the arguments");
        return;
    }
    used += snprintf(text + used, size - (size_t)used, "%s %s", count == 1 ? ":" : "; the first is",
                     works[of->sets.work].name);
    for (uint32_t i = 0; i < arguments; i++) /* a base vertex has a sign */
        used += snprintf(text + used, size - (size_t)used, "%s%lld%s", i == 0 ? "(" : ", ",
                         i == 3 ? (long long)(int32_t)numbers[i] : (long long)numbers[i],
                         i + 1 < arguments ? "" : ")");
}

void layer_indirect_tell(struct layer_device *device, struct crash_dump *dump,
                         const annot_progress *rows, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct layer_indirect *of = entry_of(device, rows[i].started);
        if (rows[i].started != rows[i].completed && rows[i].started == of->event) {
            say(device, of, device->crumbs->indirect, sizeof device->crumbs->indirect);
            crash_dump_add_fact(dump, "indirect", device->crumbs->indirect);
            return;
        }
    }
}
