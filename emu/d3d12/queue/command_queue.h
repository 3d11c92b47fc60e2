/* ID3D12CommandQueue: where recorded lists, queue markers and fence operations meet the driver and the kernel. */
#ifndef D3D12_COMMAND_QUEUE_H
#define D3D12_COMMAND_QUEUE_H

#include "device/child.h"

#include "kmd/kmd.h"

#include <pthread.h>

struct d3d12_command_queue {
    ID3D12CommandQueue iface;
    struct d3d12_child child;
    D3D12_COMMAND_QUEUE_DESC desc;
    void *driver;
    annot_context *context;
    emu_kmd_queue *kmd;
    /* Held from the library's serial to the kernel's queue, so that all three know one order; and around queue markers,
     * which the driver puts between submissions. The GPU's callbacks don't take it. */
    pthread_mutex_t lock;
    uint64_t last_serial;
};

HRESULT d3d12_command_queue_create(struct d3d12_device *device,
                                   const D3D12_COMMAND_QUEUE_DESC *desc,
                                   struct d3d12_command_queue **out);

/* NULL for NULL and for an interface that isn't an emulator's queue. */
struct d3d12_command_queue *d3d12_command_queue_from(ID3D12CommandQueue *iface);

/* emu_kmd_desc.completed. */
void d3d12_command_queue_completed(void *device, void *queue, uint64_t tag);

/* command_queue_tiles.c: methods for the table. */
__typeof__(*((ID3D12CommandQueueVtbl *)NULL)
                ->UpdateTileMappings) d3d12_command_queue_UpdateTileMappings;
__typeof__(*((ID3D12CommandQueueVtbl *)NULL)
                ->CopyTileMappings) d3d12_command_queue_CopyTileMappings;

#endif
