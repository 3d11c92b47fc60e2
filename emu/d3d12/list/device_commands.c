/* ID3D12Device on command allocators and command signatures. */
#include "device/device_methods.h"
#include "list/command_allocator.h"
#include "list/command_signature.h"

HRESULT STDMETHODCALLTYPE d3d12_device_CreateCommandAllocator(device_iface *iface,
                                                              D3D12_COMMAND_LIST_TYPE type,
                                                              REFIID riid, void **out)
{
    struct d3d12_device *device = impl_from_device_iface(iface);
    struct d3d12_command_allocator *allocator;
    HRESULT hr = d3d12_device_begin_creation(device, out);
    if (FAILED(hr))
        return hr;
    if (!d3d12_command_allocator_has_type(type))
        return d3d12_device_invalid(
            device, EMU_MESSAGE_INVALID_ARGUMENT,
            "ID3D12Device::CreateCommandAllocator: type must be a D3D12_COMMAND_LIST_TYPE");
    hr = d3d12_command_allocator_create(device, type, &allocator);
    return SUCCEEDED(hr) ? d3d12_child_give(&allocator->child, riid, out) : hr;
}

HRESULT STDMETHODCALLTYPE
d3d12_device_CreateCommandSignature(device_iface *iface, const D3D12_COMMAND_SIGNATURE_DESC *desc,
                                    ID3D12RootSignature *root_signature, REFIID riid, void **out)
{
    struct d3d12_device *device = impl_from_device_iface(iface);
    struct d3d12_command_signature *signature;
    HRESULT hr = d3d12_device_begin_creation(device, out);
    if (SUCCEEDED(hr))
        hr = d3d12_command_signature_create(device, desc, root_signature, &signature);
    return SUCCEEDED(hr) ? d3d12_child_give(&signature->child, riid, out) : hr;
}
