/* ID3D12Device on command allocators and command signatures. */
#include "device/device_methods.h"
#include "list/command_allocator.h"
#include "list/command_signature.h"

DEVICE_CREATE(CreateCommandAllocator,
              (device_iface * iface, D3D12_COMMAND_LIST_TYPE type, REFIID riid, void **out),
              d3d12_command_allocator, d3d12_command_allocator_create(device, type, &made))

DEVICE_CREATE(CreateCommandSignature,
              (device_iface * iface, const D3D12_COMMAND_SIGNATURE_DESC *desc,
               ID3D12RootSignature *signature, REFIID riid, void **out),
              d3d12_command_signature,
              d3d12_command_signature_create(device, desc, signature, &made))
