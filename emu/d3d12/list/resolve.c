/* Resolves. Nothing is rasterised, so all samples of a texel are equal and share the first sample's
 * memory: their average, least and greatest are the first sample. */
#include "list/command_list_record.h"

#include "resource/resource.h"
#include "resource/texture.h"

static struct validation_error check_side(const struct d3d12_command_list *list,
                                          ID3D12Resource *iface, UINT part, bool is_source)
{
    const struct d3d12_resource *resource = d3d12_resource_from(iface);
    if (!iface)
        return is_source
                   ? VALIDATION_ERROR(RESOLVESUBRESOURCE_NULLSRC, "the source must not be NULL")
                   : VALIDATION_ERROR(RESOLVESUBRESOURCE_NULLDST,
                                      "the destination must not be NULL");
    if (!resource || resource->child.device != list->child.device ||
        resource_desc_is_buffer(&resource->desc))
        return is_source ? VALIDATION_ERROR(RESOLVESUBRESOURCE_INVALIDSRCRESOURCE,
                                            "the source must be a texture of this device")
                         : VALIDATION_ERROR(RESOLVESUBRESOURCE_INVALIDDSTRESOURCE,
                                            "the destination must be a texture of this device");
    REFUSE(part >= d3d12_resource_parts(resource), RESOLVESUBRESOURCE_INVALID_SUBRESOURCE_INDEX,
           "the subresource's index is out of range for the resource");
    return no_validation_error;
}

/* "Source and destination must have the same sample count" to be decompressed, "unlike the min,
 * max, and average operations that require the destination to have a sample count of 1"
 * [D3D12_RESOLVE_MODE]. */
static struct validation_error check_samples(const struct resolve *resolve)
{
    const UINT to = d3d12_resource_from(resolve->to)->desc.SampleDesc.Count;
    const UINT from = d3d12_resource_from(resolve->from)->desc.SampleDesc.Count;
    REFUSE(resolve->mode == D3D12_RESOLVE_MODE_DECOMPRESS ? to != from : to != 1 || from == 1,
           RESOLVESUBRESOURCE_INVALID_SAMPLE_COUNT,
           "the source must have several samples, and the destination one sample; with DECOMPRESS "
           "both must have the same number of samples");
    return no_validation_error;
}

static bool is_unorm_or_srgb(DXGI_FORMAT format)
{
    switch (format) {
    case DXGI_FORMAT_R8G8B8A8_UNORM:
    case DXGI_FORMAT_R8G8B8A8_UNORM_SRGB:
    case DXGI_FORMAT_B8G8R8A8_UNORM:
    case DXGI_FORMAT_B8G8R8A8_UNORM_SRGB:
    case DXGI_FORMAT_B8G8R8X8_UNORM:
    case DXGI_FORMAT_B8G8R8X8_UNORM_SRGB:
        return true;
    default:
        return false;
    }
}

/* Whether a format is allowed: the texture's, or for a typeless texture a format of its type group;
 * also the other format of UNORM and sRGB, and the readable format of depth. */
static bool is_format_of(const struct d3d12_resource *texture, DXGI_FORMAT format)
{
    const DXGI_FORMAT own = texture->desc.Format;
    struct format found, asked;
    if (!format_find(own, &found) || !format_find(format, &asked) || asked.typeless ||
        format_family(own) != format_family(format))
        return false;
    return own == format || found.typeless || found.depth ||
           (is_unorm_or_srgb(own) && is_unorm_or_srgb(format));
}

static struct validation_error check_resolve(const struct d3d12_command_list *list,
                                             const struct resolve *resolve)
{
    struct validation_error error = check_side(list, resolve->to, resolve->to_part, false);
    UNLESS_REFUSED(error, check_side(list, resolve->from, resolve->from_part, true));
    UNLESS_REFUSED(error, check_samples(resolve));
    if (error.text)
        return error;
    REFUSE(!is_format_of(d3d12_resource_from(resolve->to), resolve->format) ||
               !is_format_of(d3d12_resource_from(resolve->from), resolve->format),
           RESOLVESUBRESOURCE_INVALID_FORMAT,
           "Format must be a typed format that both textures can have");
    switch (resolve->mode) {
    case D3D12_RESOLVE_MODE_DECOMPRESS:
    case D3D12_RESOLVE_MODE_MIN:
    case D3D12_RESOLVE_MODE_MAX:
    case D3D12_RESOLVE_MODE_AVERAGE:
        return no_validation_error;
    default: /* a mode of sampler feedback, which the device lacks */
        return VALIDATION_ERROR(
            RESOLVESUBRESOURCE_RESOURCE_FLAGS_NOT_SUPPORTED,
            "the resolve mode must be a D3D12_RESOLVE_MODE that the format allows");
    }
}

/* Finds the source's texels, or a rectangle's. False: the texels are not in both subresources. */
static bool find_place(const struct resolve *resolve, const struct texture_part *to,
                       const struct texture_part *from, D3D12_BOX *box)
{
    *box = (D3D12_BOX){0, 0, 0, from->width, from->height, 1};
    if (resolve->rect) {
        const D3D12_RECT *rect = resolve->rect;
        if (rect->left < 0 || rect->top < 0 || rect->left > rect->right ||
            rect->top > rect->bottom || rect->right > (LONG)from->width ||
            rect->bottom > (LONG)from->height)
            return false;
        *box = (D3D12_BOX){(UINT)rect->left,  (UINT)rect->top,    0,
                           (UINT)rect->right, (UINT)rect->bottom, 1};
    }
    return resolve->x <= to->width && resolve->y <= to->height &&
           box->right - box->left <= to->width - resolve->x &&
           box->bottom - box->top <= to->height - resolve->y;
}

void command_list_resolve(struct d3d12_command_list *list, const struct resolve *resolve,
                          const char *method)
{
    struct validation_error error = check_resolve(list, resolve);
    struct texture_part to, from;
    D3D12_BOX box;
    if (!error.text) {
        const struct d3d12_resource *target = d3d12_resource_from(resolve->to);
        const struct d3d12_resource *source = d3d12_resource_from(resolve->from);
        texture_part_find(&target->desc, resolve->to_part, &to);
        texture_part_find(&source->desc, resolve->from_part, &from);
        if (!resolve->is_region && (to.width != from.width || to.height != from.height))
            error = VALIDATION_ERROR(RESOLVESUBRESOURCE_RESOURCE_MISMATCH,
                                     "both subresources must have the same size");
        else if (!find_place(resolve, &to, &from, &box))
            error = VALIDATION_ERROR(RESOLVESUBRESOURCEREGION_INVALID_RECT,
                                     "the rectangle must lie in both subresources");
        else
            command_list_copy_texels(list, target, &to, resolve->x, resolve->y, source, &from,
                                     &box);
    }
    if (error.text)
        command_list_report_error(list, error.id, method, "%s", validation_words(error).text);
}

void STDMETHODCALLTYPE d3d12_command_list_ResolveSubresource(list_iface *iface, ID3D12Resource *to,
                                                             UINT to_part, ID3D12Resource *from,
                                                             UINT from_part, DXGI_FORMAT format)
{
    LIST_OPERATION_OF(RESOLVESUBRESOURCE, .count = 2, .arguments = {to_part, from_part},
                      LIST_COPIES(from, from_part, to, to_part));
    LIST_METHOD(ON(DIRECT) | OUTSIDE_PASS);
    const struct resolve resolve = {.to = to,
                                    .to_part = to_part,
                                    .from = from,
                                    .from_part = from_part,
                                    .format = format,
                                    .mode = D3D12_RESOLVE_MODE_AVERAGE};
    command_list_resolve(list, &resolve, method);
}

void STDMETHODCALLTYPE d3d12_command_list_ResolveSubresourceRegion(
    list_iface *iface, ID3D12Resource *to, UINT to_part, UINT x, UINT y, ID3D12Resource *from,
    UINT from_part, D3D12_RECT *rect, DXGI_FORMAT format, D3D12_RESOLVE_MODE mode)
{
    LIST_OPERATION_OF(RESOLVESUBRESOURCEREGION, .count = 4, .arguments = {to_part, x, y, from_part},
                      LIST_COPIES(from, from_part, to, to_part));
    LIST_METHOD(ON(DIRECT) | OUTSIDE_PASS);
    const struct resolve resolve = {to, to_part, x, y, from, from_part, rect, true, format, mode};
    command_list_resolve(list, &resolve, method);
}
