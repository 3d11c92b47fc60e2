/* Copies between buffers and textures: each copies one row of bytes or several. */
#include "list/command_list_record.h"

#include "device/device.h"
#include "resource/resource.h"
#include "resource/texture.h"

const struct d3d12_resource *command_list_buffer(const struct d3d12_command_list *list,
                                                 ID3D12Resource *iface, UINT64 offset, UINT64 size)
{
    const struct d3d12_resource *resource = d3d12_resource_from(iface);
    const bool has_range = resource != NULL && resource->child.device == list->child.device &&
                           resource->desc.Dimension == D3D12_RESOURCE_DIMENSION_BUFFER &&
                           offset <= resource->desc.Width && size <= resource->desc.Width - offset;
    return has_range ? resource : NULL;
}

/* Does the same as command_list_buffer, and emits a message if there is no buffer. */
static const struct d3d12_resource *check_range(struct d3d12_command_list *list,
                                                ID3D12Resource *iface, UINT64 offset, UINT64 size,
                                                D3D12_MESSAGE_ID id, const char *what)
{
    const struct d3d12_resource *resource = command_list_buffer(list, iface, offset, size);
    if (resource)
        return resource;
    command_list_report_error(list, id, "CopyBufferRegion", "%s", what);
    return NULL;
}

void STDMETHODCALLTYPE d3d12_command_list_CopyBufferRegion(list_iface *iface,
                                                           ID3D12Resource *dst_iface,
                                                           UINT64 dst_offset,
                                                           ID3D12Resource *src_iface,
                                                           UINT64 src_offset, UINT64 size)
{
    LIST_OPERATION_OF(COPYBUFFERREGION, .count = 3,
                      .arguments = {(int64_t)dst_offset, (int64_t)src_offset, (int64_t)size},
                      LIST_COPIES(src_iface, LIST_WHOLE, dst_iface, LIST_WHOLE));
    LIST_METHOD(ON_COPYING | OUTSIDE_PASS);
    const struct d3d12_resource *dst =
        check_range(list, dst_iface, dst_offset, size,
                    D3D12_MESSAGE_ID_COPYBUFFERREGION_DSTRANGEOUTOFBOUNDS,
                    "the destination must be a buffer of this device, and must contain the range");
    const struct d3d12_resource *src =
        check_range(list, src_iface, src_offset, size,
                    D3D12_MESSAGE_ID_COPYBUFFERREGION_SRCRANGEOUTOFBOUNDS,
                    "the source must be a buffer of this device, and must contain the range");
    if (dst && src && size != 0)
        list->child.device->driver->cmd_copy(list->driver, dst->address + dst_offset,
                                             src->address + src_offset, size);
}

static bool is_same_size(const D3D12_RESOURCE_DESC *a, const D3D12_RESOURCE_DESC *b)
{
    return a->Width == b->Width && a->Height == b->Height && a->MipLevels == b->MipLevels &&
           format_family(a->Format) == format_family(b->Format);
}

/* Compares the numbers of blocks across and down; the further mips may differ. */
static bool is_same_size_in_blocks(const D3D12_RESOURCE_DESC *a, const D3D12_RESOURCE_DESC *b)
{
    struct format one, other;
    if (a->MipLevels != 1 || b->MipLevels != 1 || !format_is_block_pair(a->Format, b->Format) ||
        !format_find(a->Format, &one) || !format_find(b->Format, &other))
        return false;
    const struct format_plane *x = &one.plane[0], *y = &other.plane[0];
    return (a->Width + x->width - 1) / x->width == (b->Width + y->width - 1) / y->width &&
           (a->Height + x->height - 1u) / x->height == (b->Height + y->height - 1u) / y->height;
}

/* "The resources must have compatible DXGI formats, which means the formats need to be from the
 * same type group", or must be a pair of Format Conversion using Direct3D 10.1 [CopyResource]: the
 * bits are copied. */
static bool is_same_shape(const D3D12_RESOURCE_DESC *a, const D3D12_RESOURCE_DESC *b)
{
    return a->Dimension == b->Dimension && a->DepthOrArraySize == b->DepthOrArraySize &&
           a->SampleDesc.Count == b->SampleDesc.Count &&
           (is_same_size(a, b) || is_same_size_in_blocks(a, b));
}

/* One side of CopyTextureRegion. */
struct side {
    struct texture_part part;
    uint64_t address; /* address of the part's first byte */
    const struct d3d12_resource *resource;
    UINT index; /* index of a subresource */
};

/* Gets the buffer's texels at the footprint as a subresource. False: the footprint is invalid, or
 * not completely in the buffer. */
static bool find_placed(const struct d3d12_resource *buffer,
                        const D3D12_PLACED_SUBRESOURCE_FOOTPRINT *placed, struct side *out)
{
    const D3D12_SUBRESOURCE_FOOTPRINT *size = &placed->Footprint;
    struct format format;
    if (buffer->desc.Dimension != D3D12_RESOURCE_DIMENSION_BUFFER ||
        !format_find(size->Format, &format) || format.planes != 1 || size->Width == 0 ||
        size->Height == 0 || size->Depth == 0 || size->Width % format.plane[0].width != 0 ||
        size->Height % format.plane[0].height != 0 ||
        placed->Offset % D3D12_TEXTURE_DATA_PLACEMENT_ALIGNMENT != 0 ||
        size->RowPitch % D3D12_TEXTURE_DATA_PITCH_ALIGNMENT != 0)
        return false;
    struct texture_part *part = &out->part;
    part->footprint = *placed;
    part->plane = format.plane[0];
    part->width = size->Width;
    part->height = size->Height;
    part->depth = size->Depth;
    part->rows = size->Height / part->plane.height;
    part->row_size = (UINT64)(size->Width / part->plane.width) * part->plane.bytes;
    part->size = ((UINT64)part->rows * part->depth - 1) * size->RowPitch + part->row_size;
    out->address = buffer->address + placed->Offset;
    return part->row_size <= size->RowPitch && placed->Offset <= buffer->size &&
           part->size <= buffer->size - placed->Offset;
}

static bool find_side(const struct d3d12_command_list *list,
                      const D3D12_TEXTURE_COPY_LOCATION *location, struct side *out)
{
    out->resource = location != NULL ? d3d12_resource_from(location->pResource) : NULL;
    if (!out->resource || out->resource->child.device != list->child.device)
        return false;
    if (location->Type == D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT) {
        out->index = UINT32_MAX;
        return find_placed(out->resource, &location->PlacedFootprint, out);
    }
    out->index = location->SubresourceIndex;
    if (location->Type != D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX ||
        out->resource->desc.Dimension == D3D12_RESOURCE_DIMENSION_BUFFER ||
        out->index >= d3d12_resource_parts(out->resource))
        return false;
    texture_part_find(&out->resource->desc, out->index, &out->part);
    out->address = out->resource->address + out->part.footprint.Offset;
    return true;
}

/* Whether both sides have equally many samples, and blocks of equal size. The formats have the same
 * shape, or integer texels match compressed blocks. */
static bool is_same_blocks(const struct side *dst, const struct side *src)
{
    if (dst->resource->desc.SampleDesc.Count != src->resource->desc.SampleDesc.Count)
        return false;
    const struct format_plane *to = &dst->part.plane, *from = &src->part.plane;
    return to->bytes == from->bytes && ((to->width == from->width && to->height == from->height) ||
                                        format_is_block_pair(to->format, from->format));
}

/* Whether the place x, y, z begins a block of the destination, with room for a box of the source's
 * blocks. */
static bool find_target(const struct side *dst, const struct side *src, const D3D12_BOX *box,
                        UINT x, UINT y, UINT z)
{
    const D3D12_SUBRESOURCE_FOOTPRINT *room = &dst->part.footprint.Footprint;
    const struct format_plane *to = &dst->part.plane, *from = &src->part.plane;
    return x % to->width == 0 && y % to->height == 0 && x <= room->Width && y <= room->Height &&
           z <= room->Depth &&
           (box->right - box->left) / from->width * to->width <= room->Width - x &&
           (box->bottom - box->top) / from->height * to->height <= room->Height - y &&
           box->back - box->front <= room->Depth - z;
}

/* A copy inside a subresource is legal if it doesn't read the texels that it writes, in the layout
 * COMMON [D3D12 Enhanced Barriers, self-copies]. */
static bool is_onto_itself(const struct side *dst, const struct side *src, const D3D12_BOX *box,
                           UINT x, UINT y, UINT z)
{
    return dst->resource == src->resource && dst->index == src->index && dst->index != UINT32_MAX &&
           x < box->right && box->left < x + (box->right - box->left) && y < box->bottom &&
           box->top < y + (box->bottom - box->top) && z < box->back &&
           box->front < z + (box->back - box->front);
}

/* Copies each row of blocks of a box. */
static void copy_box(struct d3d12_command_list *list, const struct side *dst, UINT x, UINT y,
                     UINT z, const struct side *src, const D3D12_BOX *box)
{
    const struct format_plane *plane = &src->part.plane;
    const UINT columns = (box->right - box->left) / plane->width;
    const UINT rows = (box->bottom - box->top) / plane->height;
    for (UINT k = 0; k < box->back - box->front; k++)
        for (UINT j = 0; j < rows; j++)
            list->child.device->driver->cmd_copy(
                list->driver,
                dst->address +
                    texture_part_offset(&dst->part, x, y + j * dst->part.plane.height, z + k),
                src->address + texture_part_offset(&src->part, box->left,
                                                   box->top + j * plane->height, box->front + k),
                (uint64_t)columns * plane->bytes);
}

void command_list_copy_texels(struct d3d12_command_list *list, const struct d3d12_resource *to,
                              const struct texture_part *to_part, UINT x, UINT y,
                              const struct d3d12_resource *from,
                              const struct texture_part *from_part, const D3D12_BOX *box)
{
    const struct side dst = {*to_part, to->address + to_part->footprint.Offset, to, 0};
    const struct side src = {*from_part, from->address + from_part->footprint.Offset, from, 0};
    copy_box(list, &dst, x, y, 0, &src, box);
}

static struct list_side side_of(const D3D12_TEXTURE_COPY_LOCATION *at, annot_bound_role role)
{
    const bool is_part = at && at->Type == D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX;
    return (struct list_side){at ? at->pResource : NULL,
                              is_part ? at->SubresourceIndex : LIST_WHOLE, role};
}

void STDMETHODCALLTYPE d3d12_command_list_CopyTextureRegion(
    list_iface *iface, const D3D12_TEXTURE_COPY_LOCATION *dst_location, UINT x, UINT y, UINT z,
    const D3D12_TEXTURE_COPY_LOCATION *src_location, const D3D12_BOX *src_box)
{
    LIST_OPERATION_OF(COPYTEXTUREREGION, .count = 3, .arguments = {x, y, z},
                      .sides = {side_of(src_location, ANNOT_BOUND_SOURCE),
                                side_of(dst_location, ANNOT_BOUND_DESTINATION)});
    LIST_METHOD(ON_COPYING | OUTSIDE_PASS);
    struct side dst, src;
    D3D12_BOX box;
    int id = 0;
    if (!find_side(list, dst_location, &dst))
        id = D3D12_MESSAGE_ID_COPYTEXTUREREGION_INVALIDDSTRESOURCE;
    else if (!find_side(list, src_location, &src))
        id = D3D12_MESSAGE_ID_COPYTEXTUREREGION_INVALIDSRCRESOURCE;
    else if (!is_same_blocks(&dst, &src))
        id = D3D12_MESSAGE_ID_COPYTEXTUREREGION_FORMATMISMATCH;
    else if (!texture_part_box(&src.part, src_box, &box))
        id = D3D12_MESSAGE_ID_COPYTEXTUREREGION_INVALIDSRCBOX;
    else if (is_onto_itself(&dst, &src, &box, x, y, z))
        id = D3D12_MESSAGE_ID_COPY_ON_SAME_SUBRESOURCE;
    else if (box.left < box.right && box.top < box.bottom && box.front < box.back) {
        if (find_target(&dst, &src, &box, x, y, z))
            copy_box(list, &dst, x, y, z, &src, &box);
        else
            id = D3D12_MESSAGE_ID_COPYTEXTUREREGION_DSTREGIONOUTOFBOUNDS;
    }
    if (id != 0)
        command_list_report_error(list, id, method,
                                  "each location must be a texture's subresource or a footprint in "
                                  "a buffer; both locations must have the same format and size");
}

/* Copies between two layouts of the same texels. */
static void copy_parts(struct d3d12_command_list *list, const struct d3d12_resource *dst,
                       const struct d3d12_resource *src)
{
    for (UINT i = 0; i < d3d12_resource_parts(dst); i++) {
        struct side to = {.resource = dst}, from = {.resource = src};
        D3D12_BOX whole;
        texture_part_find(&dst->desc, i, &to.part);
        texture_part_find(&src->desc, i, &from.part);
        to.address = dst->address + to.part.footprint.Offset;
        from.address = src->address + from.part.footprint.Offset;
        texture_part_box(&from.part, NULL, &whole);
        copy_box(list, &to, 0, 0, 0, &from, &whole);
    }
}

void STDMETHODCALLTYPE d3d12_command_list_CopyResource(list_iface *iface, ID3D12Resource *dst_iface,
                                                       ID3D12Resource *src_iface)
{
    LIST_OPERATION_OF(COPYRESOURCE, LIST_COPIES(src_iface, LIST_WHOLE, dst_iface, LIST_WHOLE));
    LIST_METHOD(ON_COPYING | OUTSIDE_PASS);
    const struct d3d12_resource *dst = d3d12_resource_from(dst_iface);
    const struct d3d12_resource *src = d3d12_resource_from(src_iface);
    LIST_REFUSES(!dst || !src || dst == src || dst->child.device != list->child.device ||
                     src->child.device != list->child.device ||
                     !is_same_shape(&dst->desc, &src->desc),
                 report_error, D3D12_MESSAGE_ID_COPYRESOURCE_INVALIDDSTRESOURCE,
                 "both resources must have the same size, and formats of one type group");
    if (dst->desc.Layout != src->desc.Layout || !is_same_size(&dst->desc, &src->desc))
        copy_parts(list, dst, src);
    else
        list->child.device->driver->cmd_copy(list->driver, dst->address, src->address, dst->size);
}
