/* ID3D12CommandQueue: where recorded lists, queue markers and fence operations meet the driver and
 * the kernel. */
#pragma once

#include "base/newest.h"
#include "device/child.h"

#include "kmd/kmd.h"

#include <stdatomic.h>

struct d3d12_command_queue {
    queue_iface iface;
    struct d3d12_child child;
    D3D12_COMMAND_QUEUE_DESC desc;
    void *driver;
    annot_context *context;
    struct emu_kmd_queue *kmd;
    atomic_bool has_markers; /* that no submission has followed yet */
};

HRESULT d3d12_command_queue_create(struct d3d12_device *device,
                                   const D3D12_COMMAND_QUEUE_DESC *desc,
                                   CONST_VTBL queue_vtbl *methods,
                                   struct d3d12_command_queue **out);

/* NULL if `iface` is NULL or not a queue of ours. */
struct d3d12_command_queue *d3d12_command_queue_from(queue_iface *iface);

/* emu_kmd_desc.completed. */
void d3d12_command_queue_completed(void *device, void *queue, uint64_t tag);
/* annot_object_id of a kernel's queue_user. */
uint64_t d3d12_command_queue_object(void *queue);
/* emu_kmd_desc.history. */
void d3d12_command_queue_history(void *device, void *queue, uint64_t tag,
                                 const struct emu_kmd_history *history);

static inline struct d3d12_command_queue *command_queue_of(queue_iface *iface)
{
    return container_of(iface, struct d3d12_command_queue, iface);
}

/* ID3D12CommandQueue's methods, for table/command_queue_table.c, of the types that the table
 * has. */
#define QUEUE_METHOD(method) __typeof__(*((queue_vtbl *)NULL)->method) d3d12_command_queue_##method

/* command_queue.c */
QUEUE_METHOD(ExecuteCommandLists);
QUEUE_METHOD(SetMarker);
QUEUE_METHOD(BeginEvent);
QUEUE_METHOD(EndEvent);
QUEUE_METHOD(Signal);
QUEUE_METHOD(Wait);
QUEUE_METHOD(GetTimestampFrequency);
QUEUE_METHOD(GetClockCalibration);
QUEUE_METHOD(GetDesc);

/* command_queue_tiles.c */
QUEUE_METHOD(UpdateTileMappings);
QUEUE_METHOD(CopyTileMappings);

#undef QUEUE_METHOD
