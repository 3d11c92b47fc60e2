/* ID3D12CommandQueue's table, and ID3D12Device::CreateCommandQueue. */
#include "device/device.h"
#include "device/device_methods.h"
#include "queue/command_queue.h"

D3D12_CHILD_METHODS(d3d12_command_queue, queue_iface)

static CONST_VTBL queue_vtbl d3d12_command_queue_vtable = {
    D3D12_CHILD_ENTRIES(d3d12_command_queue),
    .UpdateTileMappings = d3d12_command_queue_UpdateTileMappings,
    .CopyTileMappings = d3d12_command_queue_CopyTileMappings,
    .ExecuteCommandLists = d3d12_command_queue_ExecuteCommandLists,
    .SetMarker = d3d12_command_queue_SetMarker,
    .BeginEvent = d3d12_command_queue_BeginEvent,
    .EndEvent = d3d12_command_queue_EndEvent,
    .Signal = d3d12_command_queue_Signal,
    .Wait = d3d12_command_queue_Wait,
    .GetTimestampFrequency = d3d12_command_queue_GetTimestampFrequency,
    .GetClockCalibration = d3d12_command_queue_GetClockCalibration,
    .GetDesc = d3d12_command_queue_GetDesc,
};

DEVICE_CREATE(CreateCommandQueue,
              (device_iface * iface, const D3D12_COMMAND_QUEUE_DESC *desc, REFIID riid, void **out),
              d3d12_command_queue,
              d3d12_command_queue_create(device, desc, &d3d12_command_queue_vtable, &made))

HRESULT STDMETHODCALLTYPE d3d12_device_CreateCommandQueue1(device_iface *iface,
                                                           const D3D12_COMMAND_QUEUE_DESC *desc,
                                                           REFIID creator, REFIID riid, void **out)
{
    (void)creator; /* groups queues for the Windows scheduler */
    return d3d12_device_CreateCommandQueue(iface, desc, riid, out);
}
