/* ID3D12CommandQueue: gives recorded lists, queue markers and fence operations to the driver and
 * the kernel. */
#pragma once

#include "base/newest.h"
#include "device/child.h"

#include "kmd/kmd.h"

struct d3d12_command_queue {
    queue_iface iface;
    struct d3d12_child child;
    D3D12_COMMAND_QUEUE_DESC desc;
    void *driver;
    annot_context *context;
    struct emu_kmd_queue *kmd;
    atomic_bool has_markers; /* whether the queue got a marker after its last submission */
    atomic_uint process_priority, global_priority;
};

HRESULT d3d12_command_queue_create(struct d3d12_device *device,
                                   const D3D12_COMMAND_QUEUE_DESC *desc,
                                   CONST_VTBL queue_vtbl *methods,
                                   struct d3d12_command_queue **out);

/* D3D12_COMMAND_QUEUE_FLAG_ALLOW_DYNAMIC_PRIORITY, which older headers lack. */
#define QUEUE_ALLOWS_PRIORITY 2u
/* Two D3D12 priorities that a queue can have: high within its process, and normal among all
 * programs (D3D12_COMMAND_QUEUE_GLOBAL_PRIORITY). */
enum { QUEUE_PROCESS_HIGH = 1, QUEUE_GLOBAL_DEFAULT = 1 };

/* Returns the queue with this interface, or NULL if the emulator didn't make `iface`. */
struct d3d12_command_queue *d3d12_command_queue_from(queue_iface *iface);

/* Implements emu_kmd_desc.completed. */
void d3d12_command_queue_completed(void *device, void *queue, uint64_t tag);
/* emu_kmd_desc.history. */
void d3d12_command_queue_history(void *device, void *queue, uint64_t tag,
                                 const struct emu_kmd_history *history);

static inline struct d3d12_command_queue *command_queue_of(queue_iface *iface)
{
    return container_of(iface, struct d3d12_command_queue, iface);
}

/* Lists ID3D12CommandQueue's methods, typed by the table, for table/command_queue_table.c. */
/* clang-format off */
#define QUEUE_METHODS(M)                                                                           \
    /* command_queue.c */ M(ExecuteCommandLists) M(SetMarker) M(BeginEvent) M(EndEvent) M(Signal)  \
        M(Wait) M(GetTimestampFrequency) M(GetClockCalibration) M(GetDesc)                         \
    /* command_queue_tiles.c */ M(UpdateTileMappings) M(CopyTileMappings)
#define QUEUE_NEWER_METHODS(M)                                                                     \
    /* priority.c */ M(SetProcessPriority) M(GetProcessPriority) M(SetGlobalPriority)              \
        M(GetGlobalPriority)
/* clang-format on */
#define QUEUE_METHOD(method)                                                                       \
    __typeof__(*((queue_vtbl *)NULL)->older.method) d3d12_command_queue_##method;
QUEUE_METHODS(QUEUE_METHOD)
#undef QUEUE_METHOD
#define QUEUE_METHOD(method) __typeof__(*((queue_vtbl *)NULL)->method) d3d12_command_queue_##method;
QUEUE_NEWER_METHODS(QUEUE_METHOD)
#undef QUEUE_METHOD
