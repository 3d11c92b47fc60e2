/* ID3D12Device on raytracing. */
#include "state_object/acceleration_structure.h"
#include "device/device.h"
#include "device/device_methods.h"
#include "state_object/creation.h"

DEVICE_CREATE(CreateStateObject,
              (device_iface * iface, const D3D12_STATE_OBJECT_DESC *desc, REFIID riid, void **out),
              d3d12_state_object, d3d12_state_object_create(device, desc, &made))

DEVICE_CREATE(AddToStateObject,
              (device_iface * iface, const D3D12_STATE_OBJECT_DESC *addition,
               ID3D12StateObject *from, REFIID riid, void **out),
              d3d12_state_object, d3d12_state_object_grow(device, addition, from, &made))

void STDMETHODCALLTYPE d3d12_device_GetRaytracingAccelerationStructurePrebuildInfo(
    device_iface *iface, const D3D12_BUILD_RAYTRACING_ACCELERATION_STRUCTURE_INPUTS *inputs,
    D3D12_RAYTRACING_ACCELERATION_STRUCTURE_PREBUILD_INFO *info)
{
    const char *error = "no inputs, or no room for the answer";
    if (info)
        *info = (D3D12_RAYTRACING_ACCELERATION_STRUCTURE_PREBUILD_INFO){0};
    if (info && inputs)
        error = acceleration_structure_size(inputs, info);
    if (error)
        d3d12_device_error(
            impl_from_device_iface(iface),
            D3D12_MESSAGE_ID_GET_RAYTRACING_ACCELERATION_STRUCTURE_PREBUILD_INFO_INVALID,
            "ID3D12Device5::GetRaytracingAccelerationStructurePrebuildInfo: %s", error);
}

D3D12_DRIVER_MATCHING_IDENTIFIER_STATUS STDMETHODCALLTYPE
d3d12_device_CheckDriverMatchingIdentifier(
    device_iface *iface, D3D12_SERIALIZED_DATA_TYPE type,
    const D3D12_SERIALIZED_DATA_DRIVER_MATCHING_IDENTIFIER *identifier)
{
    struct d3d12_device *device = impl_from_device_iface(iface);
    if (type != D3D12_SERIALIZED_DATA_RAYTRACING_ACCELERATION_STRUCTURE)
        return D3D12_DRIVER_MATCHING_IDENTIFIER_UNSUPPORTED_TYPE;
    if (!identifier) {
        d3d12_device_error(device, D3D12_MESSAGE_ID_CHECK_DRIVER_MATCHING_IDENTIFIER_INVALID,
                           "ID3D12Device5::CheckDriverMatchingIdentifier: no identifier");
        return D3D12_DRIVER_MATCHING_IDENTIFIER_UNRECOGNIZED;
    }
    const D3D12_SERIALIZED_DATA_DRIVER_MATCHING_IDENTIFIER own =
        acceleration_structure_identifier(device);
    if (!com_same(&own.DriverOpaqueGUID, &identifier->DriverOpaqueGUID))
        return D3D12_DRIVER_MATCHING_IDENTIFIER_UNRECOGNIZED;
    return memcmp(own.DriverOpaqueVersioningData, identifier->DriverOpaqueVersioningData,
                  sizeof own.DriverOpaqueVersioningData) == 0
               ? D3D12_DRIVER_MATCHING_IDENTIFIER_COMPATIBLE_WITH_DEVICE
               : D3D12_DRIVER_MATCHING_IDENTIFIER_INCOMPATIBLE_VERSION;
}
