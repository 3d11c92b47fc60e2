/* ID3D12Device's methods for raytracing. CheckFeatureSupport says that the device has none. */
#include "device/device_methods.h"
#include "state_object/state_object.h"

DEVICE_CREATE(CreateStateObject,
              (device_iface * iface, const D3D12_STATE_OBJECT_DESC *desc, REFIID riid, void **out),
              d3d12_state_object, d3d12_state_object_create(device, desc, &made))

void STDMETHODCALLTYPE d3d12_device_GetRaytracingAccelerationStructurePrebuildInfo(
    device_iface *iface, const D3D12_BUILD_RAYTRACING_ACCELERATION_STRUCTURE_INPUTS *inputs,
    D3D12_RAYTRACING_ACCELERATION_STRUCTURE_PREBUILD_INFO *info)
{
    (void)inputs;
    if (info)
        *info = (D3D12_RAYTRACING_ACCELERATION_STRUCTURE_PREBUILD_INFO){0};
    d3d12_device_not_modelled(impl_from_device_iface(iface),
                              "ID3D12Device::GetRaytracingAccelerationStructurePrebuildInfo");
}

/* "The device does not support this type of serialized data." */
D3D12_DRIVER_MATCHING_IDENTIFIER_STATUS STDMETHODCALLTYPE
d3d12_device_CheckDriverMatchingIdentifier(
    device_iface *iface, D3D12_SERIALIZED_DATA_TYPE type,
    const D3D12_SERIALIZED_DATA_DRIVER_MATCHING_IDENTIFIER *identifier)
{
    (void)iface, (void)type, (void)identifier;
    return D3D12_DRIVER_MATCHING_IDENTIFIER_UNSUPPORTED_TYPE;
}
