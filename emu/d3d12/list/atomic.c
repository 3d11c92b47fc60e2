/* AtomicCopyBuffer: copies 4 or 8 bytes that become visible at once. The engine executes packets
 * one after the other, so the dependencies are always complete. */
#include "list/command_list_record.h"

#include "device/device.h"
#include "resource/resource.h"

struct end {
    ID3D12Resource *buffer;
    UINT64 offset;
};

static bool is_dependency(const struct d3d12_command_list *list, ID3D12Resource *iface,
                          const D3D12_SUBRESOURCE_RANGE_UINT64 *range)
{
    const struct d3d12_resource *resource = d3d12_resource_from(iface);
    return resource && resource->child.device == list->child.device &&
           range->Subresource < d3d12_resource_parts(resource) &&
           range->Range.Begin <= range->Range.End && range->Range.End <= resource->size;
}

static struct validation_error check_dependencies(const struct d3d12_command_list *list, UINT count,
                                                  ID3D12Resource *const *resources,
                                                  const D3D12_SUBRESOURCE_RANGE_UINT64 *ranges)
{
    if (count != 0 && (!resources || !ranges))
        return VALIDATION_ERROR(ATOMICCOPYBUFFER_NULL_DEPENDENT_RESOURCES,
                                "ppDependentResources or pDependentSubresourceRanges is NULL");
    for (UINT i = 0; i < count; i++)
        if (!is_dependency(list, resources[i], &ranges[i]))
            return VALIDATION_ERROR(
                ATOMICCOPYBUFFER_INVALID_DEPENDENT_RESOURCE,
                "a dependent subresource range must lie in a resource of this device");
    return no_validation_error;
}

/* NULL: not so many bytes of a buffer of this device. */
static const struct d3d12_resource *find_end(const struct d3d12_command_list *list, struct end end,
                                             UINT size)
{
    const struct d3d12_resource *buffer = d3d12_resource_from(end.buffer);
    return buffer && buffer->child.device == list->child.device &&
                   resource_desc_is_buffer(&buffer->desc) &&
                   command_list_buffer(list, end.buffer, end.offset, size)
               ? buffer
               : NULL;
}

static void copy(list_iface *iface, UINT size, struct end to, struct end from, UINT count,
                 ID3D12Resource *const *resources, const D3D12_SUBRESOURCE_RANGE_UINT64 *ranges,
                 const char *method)
{
    struct d3d12_command_list *list =
        command_list_recorder(iface, ON_COPYING | OUTSIDE_PASS, method);
    if (!list)
        return;
    const struct d3d12_resource *dst = find_end(list, to, size), *src = find_end(list, from, size);
    struct validation_error error = check_dependencies(list, count, resources, ranges);
    if (!dst)
        error = VALIDATION_ERROR(ATOMICCOPYBUFFER_INVALID_DST_RESOURCE,
                                 "the destination must lie in a buffer of this device");
    else if (!src)
        error = VALIDATION_ERROR(ATOMICCOPYBUFFER_INVALID_SRC_RESOURCE,
                                 "the source must lie in a buffer of this device");
    else if ((dst->address + to.offset) % size != 0 || (src->address + from.offset) % size != 0)
        error = VALIDATION_ERROR(ATOMICCOPYBUFFER_INVALID_OFFSET_ALIGNMENT,
                                 "offsets must be multiples of the size that is copied");
    if (error.text)
        command_list_report_error(list, error.id, method, "%s", validation_words(error).text);
    else
        list->child.device->driver->cmd_copy(list->driver, dst->address + to.offset,
                                             src->address + from.offset, size);
}

#define ATOMIC_COPY(Method, type)                                                                  \
    void STDMETHODCALLTYPE d3d12_command_list_##Method(                                            \
        list_iface *iface, ID3D12Resource *to, UINT64 to_offset, ID3D12Resource *from,             \
        UINT64 from_offset, UINT count, ID3D12Resource *const *resources,                          \
        const D3D12_SUBRESOURCE_RANGE_UINT64 *ranges)                                              \
    {                                                                                              \
        copy(iface, sizeof(type), (struct end){to, to_offset}, (struct end){from, from_offset},    \
             count, resources, ranges, #Method);                                                   \
    }
ATOMIC_COPY(AtomicCopyBufferUINT, UINT)
ATOMIC_COPY(AtomicCopyBufferUINT64, UINT64)
