/* ID3D12Device::GetCopyableFootprints: the layout of subresources in a buffer for copies. */
#include "resource/resource_desc.h"
#include "resource/texture.h"

static void footprint(const D3D12_RESOURCE_DESC *desc, UINT64 base,
                      D3D12_PLACED_SUBRESOURCE_FOOTPRINT *out)
{
    out->Offset = base;
    out->Footprint.Format = DXGI_FORMAT_UNKNOWN;
    out->Footprint.Width = (UINT)desc->Width;
    out->Footprint.Height = 1;
    out->Footprint.Depth = 1;
    out->Footprint.RowPitch = (UINT)texture_align(desc->Width, D3D12_TEXTURE_DATA_PITCH_ALIGNMENT);
}

/* One subresource, as the three arrays describe it. */
struct copyable {
    D3D12_PLACED_SUBRESOURCE_FOOTPRINT layout;
    UINT rows;
    UINT64 row_size, size;
};

/* Whether footprints exist. D3DX12GetCopyableFootprints counts a texel of several samples once,
 * too. */
static bool is_copyable(const D3D12_RESOURCE_DESC *desc, UINT first, UINT count)
{
    if (resource_desc_check(desc).text)
        return false;
    if (resource_desc_is_buffer(desc))
        return first == 0 && count <= 1 &&
               desc->Width <= UINT32_MAX - D3D12_TEXTURE_DATA_PITCH_ALIGNMENT;
    const D3D12_RESOURCE_DESC complete = texture_complete(desc);
    const UINT parts = texture_parts(&complete);
    return first <= parts && count <= parts - first;
}

static void measure(const D3D12_RESOURCE_DESC *desc, UINT index, UINT64 offset,
                    struct copyable *out)
{
    if (resource_desc_is_buffer(desc)) {
        footprint(desc, offset, &out->layout);
        out->rows = 1;
        out->row_size = out->size = desc->Width;
        return;
    }
    const D3D12_RESOURCE_DESC complete = texture_complete(desc);
    struct texture_part part;
    texture_part_measure(&complete, index, &part);
    out->layout = part.footprint;
    out->layout.Offset = offset;
    out->rows = part.rows;
    out->row_size = part.row_size;
    out->size = part.size;
}

void resource_desc_footprints(const D3D12_RESOURCE_DESC *desc, UINT first, UINT count, UINT64 base,
                              D3D12_PLACED_SUBRESOURCE_FOOTPRINT *layouts, UINT *rows,
                              UINT64 *row_sizes, UINT64 *total)
{
    const bool valid = desc != NULL && is_copyable(desc, first, count);
    UINT64 end = 0; /* from the base, which may be any number and aligns offsets */
    const bool has_answers = layouts || rows || row_sizes;
    for (UINT i = 0; i < count && (valid || has_answers); i++) {
        struct copyable copyable;
        memset(&copyable, 0xFF, sizeof copyable); /* D3D12's answer to impossible descriptions */
        if (valid) {
            const UINT64 offset = texture_align(end, D3D12_TEXTURE_DATA_PLACEMENT_ALIGNMENT);
            measure(desc, first + i, base + offset, &copyable);
            end = offset + copyable.size;
        }
        if (layouts)
            layouts[i] = copyable.layout;
        if (rows)
            rows[i] = copyable.rows;
        if (row_sizes)
            row_sizes[i] = copyable.row_size;
    }
    if (total)
        *total = valid ? end : UINT64_MAX;
}
