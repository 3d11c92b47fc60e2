/* ID3D12CommandQueue's methods, for table/command_queue_table.c. */
#ifndef D3D12_COMMAND_QUEUE_METHODS_H
#define D3D12_COMMAND_QUEUE_METHODS_H

#include "queue/command_queue.h"

static inline struct d3d12_command_queue *command_queue_of(queue_iface *iface)
{
    return container_of(iface, struct d3d12_command_queue, iface);
}

/* Of the type that the table has. */
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

#endif
