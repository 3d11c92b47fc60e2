/* ID3D12Device on sizes of resources: allocations and footprints. */
#include "base/abi.h"
#include "device/device_methods.h"
#include "resource/resource.h"

/* Descriptions in one of two forms, which are read one after the other. */
struct descs {
    UINT count;
    const D3D12_RESOURCE_DESC *plain;
    const D3D12_RESOURCE_DESC1 *extended; /* the form without `plain` */
    const UINT32 *castable_counts;        /* NULL: none */
    castable_formats const *castable;
};

static D3D12_RESOURCE_ALLOCATION_INFO allocation(const struct descs *descs, UINT index)
{
    struct resource_request request = {0};
    if (descs->plain)
        resource_request_describe(&request, &descs->plain[index]);
    else
        resource_request_describe1(&request, &descs->extended[index]);
    if (descs->castable_counts) {
        request.castable_count = descs->castable_counts[index];
        request.castable = descs->castable ? descs->castable[index] : NULL;
    }
    /* a state that every resource may have */
    if (!resource_request_check(&request, RESOURCE_PLACED).text)
        return resource_desc_allocation(&request.desc);
    return (D3D12_RESOURCE_ALLOCATION_INFO){UINT64_MAX, D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT};
}

/* Adds up all sizes in the given order; each resource begins where its alignment allows. */
static D3D12_RESOURCE_ALLOCATION_INFO sum(UINT visible_mask, const struct descs *descs,
                                          D3D12_RESOURCE_ALLOCATION_INFO1 *each)
{
    D3D12_RESOURCE_ALLOCATION_INFO sum = {0, D3D12_SMALL_RESOURCE_PLACEMENT_ALIGNMENT};
    const bool given = visible_mask <= 1 && (descs->plain || descs->extended);
    if (descs->count == 0 || !given)
        return (D3D12_RESOURCE_ALLOCATION_INFO){descs->count == 0 ? 0 : UINT64_MAX,
                                                D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT};
    for (UINT i = 0; i < descs->count; i++) {
        const D3D12_RESOURCE_ALLOCATION_INFO one = allocation(descs, i);
        const UINT64 gap = (0 - sum.SizeInBytes) & (one.Alignment - 1);
        sum.SizeInBytes = gap <= UINT64_MAX - sum.SizeInBytes ? sum.SizeInBytes + gap : UINT64_MAX;
        if (each)
            each[i] =
                (D3D12_RESOURCE_ALLOCATION_INFO1){sum.SizeInBytes, one.Alignment, one.SizeInBytes};
        if (one.Alignment > sum.Alignment)
            sum.Alignment = one.Alignment;
        if (one.SizeInBytes > UINT64_MAX - sum.SizeInBytes)
            sum.SizeInBytes = UINT64_MAX;
        else
            sum.SizeInBytes += one.SizeInBytes;
    }
    return sum;
}

#define ALLOCATION_INFO(method, each, plain, extended, counts, castable, ...)                      \
    ABI_STRUCT_PROTOTYPE_ARGS(D3D12_RESOURCE_ALLOCATION_INFO, d3d12_device_##method,               \
                              device_iface *iface, UINT visible_mask, UINT count, __VA_ARGS__)     \
    {                                                                                              \
        (void)iface;                                                                               \
        const struct descs all = {count, plain, extended, counts, castable};                       \
        ABI_RETURN_STRUCT(sum(visible_mask, &all, each));                                          \
    }
ALLOCATION_INFO(GetResourceAllocationInfo, NULL, descs, NULL, NULL, NULL,
                const D3D12_RESOURCE_DESC *descs)
ALLOCATION_INFO(GetResourceAllocationInfo1, each, descs, NULL, NULL, NULL,
                const D3D12_RESOURCE_DESC *descs, D3D12_RESOURCE_ALLOCATION_INFO1 *each)
ALLOCATION_INFO(GetResourceAllocationInfo2, each, NULL, descs, NULL, NULL,
                const D3D12_RESOURCE_DESC1 *descs, D3D12_RESOURCE_ALLOCATION_INFO1 *each)
ALLOCATION_INFO(GetResourceAllocationInfo3, each, NULL, descs, castable_counts, castable,
                const D3D12_RESOURCE_DESC1 *descs, const UINT32 *castable_counts,
                castable_formats const *castable, D3D12_RESOURCE_ALLOCATION_INFO1 *each)

void STDMETHODCALLTYPE d3d12_device_GetCopyableFootprints(
    device_iface *iface, const D3D12_RESOURCE_DESC *desc, UINT first, UINT count, UINT64 base,
    D3D12_PLACED_SUBRESOURCE_FOOTPRINT *layouts, UINT *rows, UINT64 *row_sizes, UINT64 *total)
{
    (void)iface;
    resource_desc_footprints(desc, first, count, base, layouts, rows, row_sizes, total);
}

void STDMETHODCALLTYPE d3d12_device_GetCopyableFootprints1(
    device_iface *iface, const D3D12_RESOURCE_DESC1 *desc, UINT first, UINT count, UINT64 base,
    D3D12_PLACED_SUBRESOURCE_FOOTPRINT *layouts, UINT *rows, UINT64 *row_sizes, UINT64 *total)
{
    struct resource_request request = {0};
    resource_request_describe1(&request, desc);
    const bool valid = !resource_request_check(&request, RESOURCE_COMMITTED).text;
    d3d12_device_GetCopyableFootprints(iface, valid ? &request.desc : NULL, first, count, base,
                                       layouts, rows, row_sizes, total);
}
