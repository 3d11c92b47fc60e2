/* AtomicCopyBuffer: copies 4 or 8 bytes that become visible at once. The engine executes packets
 * one after the other, so the dependencies are always complete. */
#include "list/command_list_record.h"

#include "device/device.h"
#include "resource/resource.h"

static struct validation_error check_dependency(const struct d3d12_command_list *list,
                                                ID3D12Resource *iface,
                                                const D3D12_SUBRESOURCE_RANGE_UINT64 *range)
{
    const struct d3d12_resource *resource = d3d12_resource_from(iface);
    if (!resource || resource->child.device != list->child.device)
        return VALIDATION_ERROR(ATOMICCOPYBUFFER_INVALID_DEPENDENT_RESOURCE,
                                "a dependent resource is none of this device");
    if (range->Subresource >= d3d12_resource_parts(resource))
        return VALIDATION_ERROR(ATOMICCOPYBUFFER_DEPENDENT_SUBRESOURCE_OUT_OF_BOUNDS,
                                "a dependent resource has no such subresource");
    if (range->Range.Begin > range->Range.End)
        return VALIDATION_ERROR(ATOMICCOPYBUFFER_INVALID_DEPENDENT_SUBRESOURCE_RANGE,
                                "a dependent range ends before it begins");
    if (range->Range.End > resource->size)
        return VALIDATION_ERROR(ATOMICCOPYBUFFER_DEPENDENT_RANGE_OUT_OF_BOUNDS,
                                "a dependent range is not in its resource");
    return no_validation_error;
}

static struct validation_error check_dependencies(const struct d3d12_command_list *list, UINT count,
                                                  ID3D12Resource *const *resources,
                                                  const D3D12_SUBRESOURCE_RANGE_UINT64 *ranges)
{
    if (count != 0 && !resources)
        return VALIDATION_ERROR(ATOMICCOPYBUFFER_NULL_DEPENDENT_RESOURCES,
                                "no dependent resources");
    if (count != 0 && !ranges)
        return VALIDATION_ERROR(ATOMICCOPYBUFFER_NULL_DEPENDENT_SUBRESOURCE_RANGES,
                                "no dependent ranges");
    struct validation_error error = no_validation_error;
    for (UINT i = 0; i < count && !error.text; i++)
        error = check_dependency(list, resources[i], &ranges[i]);
    return error;
}

static struct validation_error check_end(const struct d3d12_command_list *list,
                                         ID3D12Resource *iface, UINT64 offset, UINT size,
                                         bool is_source)
{
    const struct d3d12_resource *buffer = d3d12_resource_from(iface);
    if (!iface)
        return is_source ? VALIDATION_ERROR(ATOMICCOPYBUFFER_NULL_SRC, "no source")
                         : VALIDATION_ERROR(ATOMICCOPYBUFFER_NULL_DST, "no destination");
    if (!buffer || buffer->child.device != list->child.device)
        return is_source ? VALIDATION_ERROR(ATOMICCOPYBUFFER_INVALID_SRC_RESOURCE,
                                            "the source is no resource of this device")
                         : VALIDATION_ERROR(ATOMICCOPYBUFFER_INVALID_DST_RESOURCE,
                                            "the destination is no resource of this device");
    if (!resource_desc_is_buffer(&buffer->desc))
        return is_source ? VALIDATION_ERROR(ATOMICCOPYBUFFER_INVALID_SRC_RESOURCE_DIMENSION,
                                            "from a texture")
                         : VALIDATION_ERROR(ATOMICCOPYBUFFER_INVALID_DST_RESOURCE_DIMENSION,
                                            "to a texture");
    if (!command_list_buffer(list, iface, offset, size))
        return is_source
                   ? VALIDATION_ERROR(ATOMICCOPYBUFFER_SRC_RANGE_OUT_OF_BOUNDS, "not in the source")
                   : VALIDATION_ERROR(ATOMICCOPYBUFFER_DST_RANGE_OUT_OF_BOUNDS,
                                      "not in the destination");
    if ((buffer->address + offset) % size != 0)
        return VALIDATION_ERROR(ATOMICCOPYBUFFER_INVALID_OFFSET_ALIGNMENT,
                                "an address is no multiple of the size");
    return no_validation_error;
}

struct end {
    ID3D12Resource *buffer;
    UINT64 offset;
};

static void copy(list_iface *iface, UINT size, struct end to, struct end from, UINT count,
                 ID3D12Resource *const *resources, const D3D12_SUBRESOURCE_RANGE_UINT64 *ranges,
                 const char *method)
{
    struct d3d12_command_list *list =
        command_list_recorder(iface, ON_COPYING | OUTSIDE_PASS, method);
    if (!list)
        return;
    struct validation_error error = check_end(list, to.buffer, to.offset, size, false);
    if (!error.text)
        error = check_end(list, from.buffer, from.offset, size, true);
    if (!error.text)
        error = check_dependencies(list, count, resources, ranges);
    if (error.text)
        command_list_report_error(list, error.id, method, "%s", error.text);
    else
        list->child.device->driver->cmd_copy(
            list->driver, d3d12_resource_from(to.buffer)->address + to.offset,
            d3d12_resource_from(from.buffer)->address + from.offset, size);
}

void STDMETHODCALLTYPE d3d12_command_list_AtomicCopyBufferUINT(
    list_iface *iface, ID3D12Resource *to, UINT64 to_offset, ID3D12Resource *from,
    UINT64 from_offset, UINT count, ID3D12Resource *const *resources,
    const D3D12_SUBRESOURCE_RANGE_UINT64 *ranges)
{
    copy(iface, sizeof(UINT), (struct end){to, to_offset}, (struct end){from, from_offset}, count,
         resources, ranges, "AtomicCopyBufferUINT");
}

void STDMETHODCALLTYPE d3d12_command_list_AtomicCopyBufferUINT64(
    list_iface *iface, ID3D12Resource *to, UINT64 to_offset, ID3D12Resource *from,
    UINT64 from_offset, UINT count, ID3D12Resource *const *resources,
    const D3D12_SUBRESOURCE_RANGE_UINT64 *ranges)
{
    copy(iface, sizeof(UINT64), (struct end){to, to_offset}, (struct end){from, from_offset}, count,
         resources, ranges, "AtomicCopyBufferUINT64");
}
