#include "memory.h"
#include "../../intercept/held.h"
#include "../../intercept/resource.h"
#include "../../intercept/runtime.h"

#include "idle.h"
#include "mapping.h"
#include "os_memory.h"
#include "reach.h"
#include "recorder.h"
#include "shared.h"
#include "surroundings.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <utlist.h>

/* An event that a fence will set. Replay must wait at the same place, with its own event. */
struct pending {
    struct pending *next;
    struct object *fence;
    uint64_t value;
    bool is_reached;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
HELD_AT_FORK(lock)
static struct pending *pendings;
static atomic_uint waiting;

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

/* Records which values of an event's waits have been reached, because later calls may rely on these
 * values. The caller holds the lock. */
static bool record_fences(uint64_t call)
{
    struct pending *p, *next;
    bool has_reached = false;
    LL_FOREACH_SAFE(pendings, p, next)
    {
        if (!p->is_reached)
            continue;
        const uint64_t words[2] = {p->fence->more->number, p->value};
        idle_reached(p->fence, p->value);
        recorder_add(RECORD_FENCES, call, 0, 2, words, sizeof words, NULL, 0);
        LL_DELETE(pendings, p);
        atomic_fetch_sub(&waiting, 1);
        free(p);
        has_reached = true;
    }
    return has_reached;
}

/* Reads the fences first. A thread that reads later takes a higher number, so the thread need not
 * record the same values again. */
void memory_number(struct recorded *call)
{
    const struct schema_method_row *m = &schema_methods[call->method];
    struct pending *p;
    call->has_reached = false;
    if (!atomic_load(&waiting) || (m->flat && !m->has_result)) { /* recorded on a list */
        call->number = recorder_next_call();
        return;
    }
    pthread_mutex_lock(&lock);
    LL_FOREACH(pendings, p)
    p->is_reached = resource_fence_value(p->fence->real) >= p->value;
    call->number = recorder_next_call();
    call->has_reached = record_fences(call->number);
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
    pthread_mutex_unlock(&lock);
}

/* ---- heaps over the program's memory ---- */

/* Records the memory's size, which the call itself does not tell: replay gives as much memory. */
static void record_given_memory(struct recorded *call, const uint64_t *args)
{
    size_t size;
    const bool is_given = os_allocation_at((const void *)(uintptr_t)args[0], &size);
    const bool is_part = call->method == METHOD_ID3D12Device13_OpenExistingHeapFromAddress1;
    call->given = !is_given ? 0 : is_part && args[1] < size ? args[1] : size;
    recorder_add(RECORD_GIVEN, call->number, 0, 1, &call->given, sizeof call->given, NULL, 0);
}

/* ---- calls ---- */

static void forget_last_reference(const struct object *object)
{
    if (!object || object_references(object) > 1)
        return;
    forget_fence(object);
    idle_forget(object);
    mapping_forget(object);
    reach_forget(object);
}

void memory_before(struct recorded *call, const uint64_t *args)
{
    const struct object *object;
    call->heap_call = call->given = 0;
    if (call->has_reached && idle_is()) /* the program may have read GPU results now */
        mapping_record(NULL, call->number, true, RESOURCE_READBACK);
    switch (call->method) {
    case METHOD_ID3D12Resource_Unmap:
        call->number = mapping_unmap(call->self, call->number);
        break;
    case METHOD_ID3D12CommandQueue_ExecuteCommandLists: /* GPU results are recorded by now */
        call->number =
            mapping_record(NULL, call->number, false,
                           RESOURCE_UPLOAD | RESOURCE_SHARED | (idle_is() ? RESOURCE_READBACK : 0));
        idle_submitted(call->self);
        if (reach_is_written(args[0], (void *const *)(uintptr_t)args[1]))
            mapping_submitted();
        break;
    case METHOD_ID3D12CommandQueue_Signal:
        if ((object = object_at((void *)(uintptr_t)args[0])))
            idle_signals(call->self, object, args[1]);
        call->number = mapping_record(NULL, call->number, false, RESOURCE_UPLOAD);
        break;
    case METHOD_ID3D12Fence_SetEventOnCompletion:
    case METHOD_ID3D12Resource_Map:
    case METHOD_ID3D12Resource_ReadFromSubresource:
    case METHOD_ID3D12Resource_WriteToSubresource: /* the GPU may be writing: not read yet */
        call->number =
            mapping_record(call->method == METHOD_ID3D12Resource_Map ? call->self : NULL,
                           call->number, false,
                           RESOURCE_UPLOAD | (idle_is() ? RESOURCE_SHARED | RESOURCE_READBACK : 0));
        break;
    case METHOD_ID3D12Fence_Signal:
    case METHOD_NONE_emu_run_until_idle:
    case METHOD_NONE_emu_run_steps:
    case METHOD_NONE_emu_advance_clock:
        call->number = mapping_record(NULL, call->number, false, RESOURCE_UPLOAD | RESOURCE_SHARED);
        break;
    case METHOD_IUnknown_Release:
        forget_last_reference(call->self);
        break;
    case METHOD_ID3D12Device_CreatePlacedResource:
    case METHOD_ID3D12Device8_CreatePlacedResource1:
    case METHOD_ID3D12Device10_CreatePlacedResource2:
        if ((object = object_at((void *)(uintptr_t)args[0]))) /* once for each heap where it is */
            call->heap_call = object_take_note(object, OBJECT_NOTE_RECORDER);
        break;
    case METHOD_ID3D12Device3_OpenExistingHeapFromAddress:
    case METHOD_ID3D12Device13_OpenExistingHeapFromAddress1:
        record_given_memory(call, args);
        break;
    case METHOD_NONE_D3D12CreateDevice:
    case METHOD_ID3D12DeviceFactory_CreateDevice:
        surroundings_record(call->number, (void *)(uintptr_t)args[0]);
        break;
    case METHOD_NONE_D3D12GetDebugInterface:
    case METHOD_NONE_emu_configure:
    case METHOD_NONE_emu_adapter_create:
        surroundings_record(call->number, NULL);
        break;
    default:
        break;
    }
}

/* Records the address of the memory that the call `creator` allocated. */
static void record_address(const struct recorded *call, const uint64_t *args, uint64_t creator,
                           uint64_t offset)
{
    const struct object *object = object_written(call->method, args);
    const uint64_t address =
        object && object->more->type == TYPE_ID3D12Resource2 ? resource_address(object->real) : 0;
    if (address && creator) {
        const uint64_t base = address - offset;
        recorder_add(RECORD_ADDRESS, creator, 0, 1, &base, sizeof base, NULL, 0);
    }
}

static void note_written(const struct recorded *call, const uint64_t *args, uint64_t note)
{
    const struct object *object = object_written(call->method, args);
    if (object)
        object_set_note(object, OBJECT_NOTE_RECORDER, (uintptr_t)note);
}

/* Records reads; the GPU's writes to shared memory are recorded with the program's. */
static void record_reads(const struct recorded *call)
{
    if (idle_is())
        mapping_record(NULL, call->number, true, RESOURCE_READBACK);
}

/* SetEventOnCompletion: without an event, the fence has reached the value when the call returns. */
static void event_set(const struct recorded *call, const uint64_t *args)
{
    if (args[1]) {
        note_pending(call->self, args[0]);
    } else {
        idle_reached(call->self, args[0]);
        record_reads(call);
    }
}

void memory_after(const struct recorded *call, const uint64_t *args, uint64_t result)
{
    const struct object *object;
    const uint8_t *memory = NULL;
    if (schema_has_failed(&schema_methods[call->method], result))
        return;
    switch (call->method) {
    case METHOD_ID3D12Resource_Map:
        if (args[2])
            memcpy(&memory, (void *)(uintptr_t)args[2], sizeof memory);
        mapping_map(call->self, memory, call->number);
        break;
    case METHOD_ID3D12Device_CreateCommittedResource:
    case METHOD_ID3D12Device4_CreateCommittedResource1:
    case METHOD_ID3D12Device8_CreateCommittedResource2:
    case METHOD_ID3D12Device10_CreateCommittedResource3:
    case METHOD_ID3D12Device_CreateReservedResource:
    case METHOD_ID3D12Device4_CreateReservedResource1:
    case METHOD_ID3D12Device10_CreateReservedResource2:
        record_address(call, args, call->number, 0);
        break;
    case METHOD_ID3D12Device_CreatePlacedResource:
    case METHOD_ID3D12Device8_CreatePlacedResource1:
    case METHOD_ID3D12Device10_CreatePlacedResource2:
        record_address(call, args, call->heap_call, args[1]);
        note_written(call, args, MAPPING_PLACED);
        break;
    case METHOD_NONE_D3D12CreateDevice:
    case METHOD_ID3D12DeviceFactory_CreateDevice:
        if ((object = object_written(call->method, args)))
            resource_set_fact(object->real, runtime_function("emu_annot_device"),
                              runtime_function("annot_device_set_fact"), "trace", recorder_path());
        break;
    case METHOD_ID3D12Device_CreateHeap:
    case METHOD_ID3D12Device4_CreateHeap1:
        note_written(call, args, call->number);
        break;
    case METHOD_ID3D12Device3_OpenExistingHeapFromAddress:
    case METHOD_ID3D12Device13_OpenExistingHeapFromAddress1:
        note_written(call, args, call->number);
        if (call->given && (object = object_written(call->method, args)))
            mapping_add_heap(object, (const uint8_t *)(uintptr_t)args[0], call->given);
        break;
    case METHOD_ID3D12GraphicsCommandList_Reset:
        object_take_note(call->self, OBJECT_NOTE_RECORDER);
        break;
    case METHOD_ID3D12Device_CreateSharedHandle:
        shared_note(args[4]);
        break;
    case METHOD_ID3D12Device_OpenSharedHandleByName:
        shared_note(args[2]);
        break;
    case METHOD_ID3D12Fence_SetEventOnCompletion:
        event_set(call, args);
        break;
    case METHOD_ID3D12Fence_GetCompletedValue:
        idle_reached(call->self, result);
        record_reads(call);
        break;
    case METHOD_NONE_emu_run_until_idle:
        idle_reached_all();
        record_reads(call);
        break;
    case METHOD_NONE_emu_run_steps:
    case METHOD_NONE_emu_advance_clock: /* no thread of the runtime acts meanwhile */
        mapping_record(NULL, call->number, true, RESOURCE_READBACK | RESOURCE_SHARED);
        break;
    default:
        break;
    }
}
