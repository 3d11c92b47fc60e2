#include "memory.h"

#include "recorder.h"
#include "resource.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>
#define HASH_NONFATAL_OOM 1
#include <utlist.h>

#define PAGE 4096u

/* A buffer that is mapped, or was: what is known of its contents outlives Unmap. */
struct mapping {
    struct mapping *next;
    const struct object *object;
    uint64_t number, size;
    const uint8_t *memory;
    unsigned maps;
    bool is_upload;
    uint64_t *hashes; /* XXH3 of each page as the trace knows it */
};

/* An event that a fence will set: replay has to wait where the program did, on its own event. */
struct pending {
    struct pending *next;
    struct object *fence;
    uint64_t value;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct mapping *mappings;
static struct pending *pendings;
static atomic_uint mapped, waiting;

/* ---- pages ---- */

static uint64_t page_count(const struct mapping *m)
{
    return (m->size + PAGE - 1) / PAGE;
}

static uint64_t page_hash(const struct mapping *m, uint64_t page)
{
    const uint64_t at = page * PAGE, left = m->size - at;
    return XXH3_64bits(m->memory + at, left < PAGE ? left : PAGE);
}

static void record_range(const struct mapping *m, uint64_t call, uint64_t first, uint64_t end,
                         bool is_check)
{
    const uint64_t offset = first * PAGE;
    const uint64_t size = (end * PAGE < m->size ? end * PAGE : m->size) - offset;
    struct trace_memory head = {m->number, offset, size, 0, 0, 0};
    if (is_check) {
        head.hash = XXH64(m->memory + offset, size, 0);
        recorder_add(RECORD_CHECK, call, 0, 0, &head, sizeof head, NULL, 0);
        return;
    }
    const size_t padded = (size + 7) & ~(size_t)7;
    uint8_t *copy =
        malloc(padded); /* the GPU may write while we read: one copy for hash and record */
    if (!copy) {
        recorder_say("out of memory: written memory is not recorded", NULL);
        return;
    }
    memcpy(copy, m->memory + offset, size);
    memset(copy + size, 0, padded - size);
    head.hash = XXH64(copy, size, 0);
    recorder_add(RECORD_MEMORY, call, 0, 0, &head, sizeof head, copy, padded);
    free(copy);
}

/* Records the pages that are not as the trace knows them, neighbours together. */
static void record_changes(struct mapping *m, uint64_t call, bool is_check)
{
    uint64_t first = UINT64_MAX;
    const uint64_t pages = page_count(m);
    for (uint64_t page = 0; page < pages; page++) {
        const uint64_t hash = page_hash(m, page);
        const bool changed = hash != m->hashes[page];
        m->hashes[page] = hash;
        if (changed && first == UINT64_MAX)
            first = page;
        if (!changed && first != UINT64_MAX) {
            record_range(m, call, first, page, is_check);
            first = UINT64_MAX;
        }
    }
    if (first != UINT64_MAX)
        record_range(m, call, first, pages, is_check);
}

static void record_all(uint64_t call, bool is_check)
{
    struct mapping *m;
    if (atomic_load(&mapped) == 0)
        return;
    pthread_mutex_lock(&lock);
    LL_FOREACH(mappings, m)
    if (m->maps)
        record_changes(m, call, is_check);
    pthread_mutex_unlock(&lock);
}

/* ---- map and unmap ---- */

static struct mapping *mapping_of(const struct object *object)
{
    struct mapping *m;
    LL_FOREACH(mappings, m)
    if (m->object == object && m->number == object->number)
        return m;
    return NULL;
}

static struct mapping *mapping_add(const struct object *object, const struct resource_facts *facts)
{
    struct mapping *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->object = object;
    m->number = object->number;
    m->size = facts->size;
    m->is_upload = facts->is_upload;
    m->hashes = calloc(page_count(m), sizeof *m->hashes);
    if (!m->hashes) {
        free(m);
        return NULL;
    }
    LL_PREPEND(mappings, m);
    return m;
}

static void mapping_forget(const struct object *object)
{
    struct mapping *m = mapping_of(object);
    if (!m)
        return;
    if (m->maps)
        atomic_fetch_sub(&mapped, 1);
    LL_DELETE(mappings, m);
    free(m->hashes);
    free(m);
}

static void after_map(const struct call *call, const uint64_t *args, uint64_t result)
{
    const uint8_t *memory = NULL;
    if ((int32_t)result < 0)
        return;
    if (args[2])
        memcpy(&memory, (void *)(uintptr_t)args[2], sizeof memory);
    const struct resource_facts facts = resource_describe(call->self->real);
    if (facts.size == 0) {
        if (memory)
            recorder_say("a mapped texture: what is written through the pointer is not recorded",
                         NULL);
        return;
    }
    pthread_mutex_lock(&lock);
    struct mapping *m = mapping_of(call->self);
    const bool is_new = m == NULL;
    if (is_new && memory)
        m = mapping_add(call->self, &facts);
    if (m && memory) {
        m->memory = memory;
        if (m->maps++ == 0)
            atomic_fetch_add(&mapped, 1);
        if (!is_new) {
            record_changes(m, call->number, true);
        } else {
            for (uint64_t page = 0; page < page_count(m); page++)
                m->hashes[page] = page_hash(m, page);
            if (!m->is_upload)
                record_range(m, call->number, 0, page_count(m), true);
        }
    } else if (memory) {
        recorder_say("out of memory: what is written through Map is not recorded", NULL);
    }
    pthread_mutex_unlock(&lock);
}

static void before_unmap(const struct call *call)
{
    pthread_mutex_lock(&lock);
    struct mapping *m = mapping_of(call->self);
    if (m && m->maps) {
        record_changes(m, call->number, false);
        if (--m->maps == 0)
            atomic_fetch_sub(&mapped, 1);
    }
    pthread_mutex_unlock(&lock);
}

/* ---- fences ---- */

static void note_pending(struct object *fence, uint64_t value)
{
    struct pending *p = calloc(1, sizeof *p);
    if (!p)
        return;
    p->fence = fence;
    p->value = value;
    pthread_mutex_lock(&lock);
    LL_PREPEND(pendings, p);
    pthread_mutex_unlock(&lock);
    atomic_fetch_add(&waiting, 1);
}

/* Records which of the values that an event waits for have been reached: what follows may rely on it. */
static void record_fences(uint64_t call)
{
    struct pending *p, *next;
    pthread_mutex_lock(&lock);
    LL_FOREACH_SAFE(pendings, p, next)
    {
        if (resource_fence_value(p->fence->real) < p->value)
            continue;
        const uint64_t words[2] = {p->fence->number, p->value};
        recorder_add(RECORD_FENCES, call, 0, 2, words, sizeof words, NULL, 0);
        LL_DELETE(pendings, p);
        atomic_fetch_sub(&waiting, 1);
        free(p);
    }
    pthread_mutex_unlock(&lock);
}

static void forget_fence(const struct object *fence)
{
    struct pending *p, *next;
    pthread_mutex_lock(&lock);
    LL_FOREACH_SAFE(pendings, p, next)
    {
        if (p->fence != fence)
            continue;
        LL_DELETE(pendings, p);
        atomic_fetch_sub(&waiting, 1);
        free(p);
    }
    mapping_forget(fence);
    pthread_mutex_unlock(&lock);
}

/* ---- calls ---- */

static bool is_recorded_on_list(const struct schema_method_row *m)
{
    return m->flat && !m->has_result;
}

/* Once for each heap: its first buffer says where it is. */
static void take_heap_call(struct call *call, void *pointer)
{
    struct object *heap = object_at(pointer);
    if (!heap)
        return;
    call->heap_call = heap->call;
    heap->call = 0;
}

void memory_before(struct call *call, const uint64_t *args)
{
    call->heap_call = 0;
    if (atomic_load(&waiting) && !is_recorded_on_list(&schema_methods[call->method]))
        record_fences(call->number);
    switch (call->method) {
    case METHOD_ID3D12Resource_Unmap:
        before_unmap(call);
        break;
    case METHOD_ID3D12CommandQueue_ExecuteCommandLists:
    case METHOD_ID3D12CommandQueue_Signal:
    case METHOD_ID3D12Fence_Signal:
    case METHOD_ID3D12Fence_SetEventOnCompletion:
    case METHOD_ID3D12Resource_Map:
    case METHOD_ID3D12Resource_ReadFromSubresource:
    case METHOD_ID3D12Resource_WriteToSubresource:
    case METHOD_NONE_emu_run_until_idle:
    case METHOD_NONE_emu_run_steps:
    case METHOD_NONE_emu_advance_clock:
        record_all(call->number, false);
        break;
    case METHOD_IUnknown_Release:
        if (call->self && object_references(call->self) <= 1)
            forget_fence(call->self);
        break;
    case METHOD_ID3D12Device_CreatePlacedResource:
    case METHOD_ID3D12Device8_CreatePlacedResource1:
    case METHOD_ID3D12Device10_CreatePlacedResource2:
        take_heap_call(call, (void *)(uintptr_t)args[0]);
        break;
    default:
        break;
    }
}

static struct object *written_object(const struct call *call, const uint64_t *args)
{
    const uint64_t written = args[schema_methods[call->method].count - 1];
    void *pointer = NULL;
    if (written)
        memcpy(&pointer, (void *)(uintptr_t)written, sizeof pointer);
    return object_at(pointer);
}

/* Where the memory is that the call `creator` allocated. */
static void record_address(const struct call *call, const uint64_t *args, uint64_t creator,
                           uint64_t offset)
{
    const struct object *object = written_object(call, args);
    const uint64_t address =
        object && object->type == TYPE_ID3D12Resource2 ? resource_address(object->real) : 0;
    if (address && creator) {
        const uint64_t base = address - offset;
        recorder_add(RECORD_ADDRESS, creator, 0, 1, &base, sizeof base, NULL, 0);
    }
}

static void note_heap(const struct call *call, const uint64_t *args)
{
    struct object *heap = written_object(call, args);
    if (heap)
        heap->call = call->number;
}

void memory_after(const struct call *call, const uint64_t *args, uint64_t result)
{
    switch (call->method) {
    case METHOD_ID3D12Resource_Map:
        after_map(call, args, result);
        break;
    case METHOD_ID3D12Device_CreateCommittedResource:
    case METHOD_ID3D12Device4_CreateCommittedResource1:
    case METHOD_ID3D12Device8_CreateCommittedResource2:
    case METHOD_ID3D12Device10_CreateCommittedResource3:
    case METHOD_ID3D12Device_CreateReservedResource:
    case METHOD_ID3D12Device4_CreateReservedResource1:
    case METHOD_ID3D12Device10_CreateReservedResource2:
        if ((int32_t)result >= 0)
            record_address(call, args, call->number, 0);
        break;
    case METHOD_ID3D12Device_CreatePlacedResource:
    case METHOD_ID3D12Device8_CreatePlacedResource1:
    case METHOD_ID3D12Device10_CreatePlacedResource2:
        if ((int32_t)result >= 0)
            record_address(call, args, call->heap_call, args[1]);
        break;
    case METHOD_ID3D12Device_CreateHeap:
    case METHOD_ID3D12Device4_CreateHeap1:
        if ((int32_t)result >= 0)
            note_heap(call, args);
        break;
    case METHOD_ID3D12Fence_SetEventOnCompletion:
        if ((int32_t)result >= 0 && args[1])
            note_pending(call->self, args[0]);
        else
            record_all(call->number, true);
        break;
    case METHOD_ID3D12Fence_GetCompletedValue:
    case METHOD_NONE_emu_run_until_idle:
    case METHOD_NONE_emu_run_steps:
    case METHOD_NONE_emu_advance_clock:
        record_all(call->number, true);
        break;
    default:
        break;
    }
}
