/* ID3D12CommandQueue's table, and ID3D12Device::CreateCommandQueue. */
#include "device/device_methods.h"
#include "queue/command_queue.h"

D3D12_CHILD_METHODS(d3d12_command_queue, queue_iface)

#define QUEUE_ENTRY(method) .method = d3d12_command_queue_##method,

static CONST_VTBL queue_vtbl d3d12_command_queue_vtable = {
    .older = {D3D12_CHILD_ENTRIES(d3d12_command_queue), QUEUE_METHODS(QUEUE_ENTRY)},
    QUEUE_NEWER_METHODS(QUEUE_ENTRY)};

DEVICE_CREATE(CreateCommandQueue,
              (device_iface * iface, const D3D12_COMMAND_QUEUE_DESC *desc, REFIID riid, void **out),
              d3d12_command_queue,
              d3d12_command_queue_create(device, desc, &d3d12_command_queue_vtable, &made))

HRESULT STDMETHODCALLTYPE d3d12_device_CreateCommandQueue1(device_iface *iface,
                                                           const D3D12_COMMAND_QUEUE_DESC *desc,
                                                           REFIID creator, REFIID riid, void **out)
{
    (void)creator; /* the Windows scheduler groups queues by the creator */
    return d3d12_device_CreateCommandQueue(iface, desc, riid, out);
}
