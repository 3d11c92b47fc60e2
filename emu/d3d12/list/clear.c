/* Clears write texels of one value, row by row. Nothing is rasterised, so all samples of a texel
 * are equal, and share the first sample's memory. */
#include "list/command_list_record.h"

#include "resource/clear_value.h"
#include "view/descriptor_heap.h"
#include "device/device.h"
#include "resource/resource.h"
#include "resource/texture.h"

/* ---- texels ---- */

/* Fills a slice row by row; if all texels are filled, at once, with the padding behind the rows. */
static void fill_slice(struct d3d12_command_list *list, const struct texture_part *part,
                       uint64_t address, UINT z, const D3D12_RECT *rect,
                       const struct clear_value *value)
{
    const UINT pitch = part->footprint.Footprint.RowPitch;
    const UINT width = (UINT)(rect->right - rect->left), rows = (UINT)(rect->bottom - rect->top);
    const bool is_whole = width == part->width && pitch % value->size == 0;
    const uint64_t size =
        is_whole ? (uint64_t)(rows - 1) * pitch + part->row_size : (uint64_t)width * value->size;
    for (UINT y = 0; y < (is_whole ? 1 : rows); y++)
        list->child.device->driver->cmd_fill(list->driver,
                                             address + texture_part_offset(part, (UINT)rect->left,
                                                                           (UINT)rect->top + y, z),
                                             size, value->bytes, value->size);
}

/* Cuts the parts outside off; false when nothing is left. */
static bool clip(const D3D12_RECT *rect, const struct texture_part *part, D3D12_RECT *out)
{
    const LONG width = (LONG)part->width, height = (LONG)part->height;
    out->left = rect->left > 0 ? rect->left : 0;
    out->top = rect->top > 0 ? rect->top : 0;
    out->right = rect->right < width ? rect->right : width;
    out->bottom = rect->bottom < height ? rect->bottom : height;
    return out->left < out->right && out->top < out->bottom;
}

static void fill_part(struct d3d12_command_list *list, const struct texture_part *part,
                      uint64_t address, UINT z, const struct clear_value *value, UINT count,
                      const D3D12_RECT *rects)
{
    const D3D12_RECT whole = {0, 0, (LONG)part->width, (LONG)part->height};
    D3D12_RECT inside;
    if (count == 0)
        fill_slice(list, part, address, z, &whole, value);
    for (UINT i = 0; i < count; i++)
        if (clip(&rects[i], part, &inside))
            fill_slice(list, part, address, z, &inside, value);
}

/* Fills all parts of a plane that the view has. */
static void fill_view(struct d3d12_command_list *list, const struct view_parts *view, UINT plane,
                      const struct clear_value *value, UINT count, const D3D12_RECT *rects)
{
    const D3D12_RESOURCE_DESC *desc = &view->desc;
    const bool is_volume = texture_is_3d(desc);
    for (UINT i = view->first; i < view->first + view->count; i++) {
        const UINT slice = (is_volume ? 0 : i) + texture_array_size(desc) * plane;
        struct texture_part part;
        texture_part_find(desc, view->mip + desc->MipLevels * slice, &part);
        fill_part(list, &part, view->address + part.footprint.Offset, is_volume ? i : 0, value,
                  count, rects);
    }
}

/* Whether texels in this plane of the view have the value's size. */
static bool fits(const struct view_parts *view, UINT plane, const struct clear_value *value)
{
    struct format format;
    return value->size != 0 && format_find(view->desc.Format, &format) && plane < format.planes &&
           format.plane[plane].bytes == value->size;
}

/* ---- arguments ---- */

/* Checks the rectangles; false after a message. */
static bool check_rects(struct d3d12_command_list *list, UINT count, const D3D12_RECT *rects,
                        const char *method)
{
    if (count != 0 && !rects)
        return command_list_fail(list, EMU_MESSAGE_INVALID_ARGUMENT, method,
                                 "pRects must not be NULL");
    for (UINT i = 0; i < count; i++)
        if (rects[i].left > rects[i].right || rects[i].top > rects[i].bottom)
            return command_list_fail(list, D3D12_MESSAGE_ID_DEVICE_CLEARVIEW_INVALIDSOURCERECT,
                                     method,
                                     "rectangle %u must have left <= right and top <= bottom", i);
    return true;
}

const struct view_parts *command_list_view(const struct d3d12_command_list *list,
                                           D3D12_CPU_DESCRIPTOR_HANDLE handle,
                                           enum emu_descriptor_kind kind,
                                           struct emu_descriptor *descriptor)
{
    UINT index;
    struct d3d12_descriptor_heap *heap =
        d3d12_descriptor_heap_find(list->child.device, handle, 1, &index);
    if (!heap || !heap->parts)
        return NULL;
    *descriptor = *d3d12_descriptor_heap_at(heap, index);
    return descriptor->kind == (uint32_t)kind ? &heap->parts[index] : NULL;
}

/* Does the same as command_list_view, and emits a message if there is no view. */
static const struct view_parts *find_view(struct d3d12_command_list *list,
                                          D3D12_CPU_DESCRIPTOR_HANDLE handle,
                                          enum emu_descriptor_kind kind,
                                          struct emu_descriptor *descriptor, int id,
                                          const char *method)
{
    const struct view_parts *view = command_list_view(list, handle, kind, descriptor);
    if (!view)
        command_list_fail(list, id, method,
                          "the CPU handle must be of a view that this method can clear, in a heap "
                          "that is not shader visible");
    return view;
}

/* ---- targets ---- */

bool command_list_clear_target(struct d3d12_command_list *list, const struct view_parts *view,
                               const FLOAT color[4], UINT count, const D3D12_RECT *rects)
{
    const struct clear_value value = clear_value_color(view->format, color);
    if (view->address == 0)
        return true;
    if (!fits(view, view->plane, &value))
        return false;
    fill_view(list, view, view->plane, &value, count, rects);
    return true;
}

void STDMETHODCALLTYPE d3d12_command_list_ClearRenderTargetView(list_iface *iface,
                                                                D3D12_CPU_DESCRIPTOR_HANDLE handle,
                                                                const FLOAT color[4], UINT count,
                                                                const D3D12_RECT *rects)
{
    LIST_OPERATION_OF(CLEARRENDERTARGETVIEW, .view = handle, .view_role = ANNOT_BOUND_TARGET);
    LIST_METHOD(ON(DIRECT) | OUTSIDE_PASS);
    struct emu_descriptor descriptor;
    if (!check_rects(list, count, rects, method))
        return;
    const struct view_parts *view = find_view(list, handle, EMU_DESCRIPTOR_TARGET, &descriptor,
                                              D3D12_MESSAGE_ID_INVALID_DESCRIPTOR_HANDLE, method);
    if (!view)
        return;
    if (!color || !command_list_clear_target(list, view, color, count, rects))
        command_list_fail(list, EMU_MESSAGE_INVALID_ARGUMENT, method,
                          "the colour is NULL, or the view's format can't hold the colour");
}

static bool has_stencil(DXGI_FORMAT format)
{
    return format == DXGI_FORMAT_D24_UNORM_S8_UINT || format == DXGI_FORMAT_D32_FLOAT_S8X24_UINT;
}

bool command_list_clear_depth(struct d3d12_command_list *list, const struct view_parts *view,
                              D3D12_CLEAR_FLAGS flags, FLOAT depth, UINT8 stencil, UINT count,
                              const D3D12_RECT *rects)
{
    const struct clear_value depths = clear_value_depth(view->format, depth);
    const struct clear_value stencils = {.bytes = {stencil}, .size = 1};
    const bool writes_depth = (flags & D3D12_CLEAR_FLAG_DEPTH) != 0;
    /* if depth is cleared, too, the stencil flag is allowed for a view without stencil */
    const bool writes_stencil =
        (flags & D3D12_CLEAR_FLAG_STENCIL) != 0 && (!writes_depth || has_stencil(view->format));
    if ((writes_depth && (view->read_only & D3D12_DSV_FLAG_READ_ONLY_DEPTH) != 0) ||
        (writes_stencil && (view->read_only & D3D12_DSV_FLAG_READ_ONLY_STENCIL) != 0))
        d3d12_child_error(&list->child, D3D12_MESSAGE_ID_CLEARDEPTHSTENCILVIEW_INVALID,
                          "the depth-stencil view is read-only and can't be cleared");
    if (view->address == 0)
        return true;
    if ((writes_depth && !fits(view, 0, &depths)) || (writes_stencil && !fits(view, 1, &stencils)))
        return false;
    if (writes_depth)
        fill_view(list, view, 0, &depths, count, rects);
    if (writes_stencil)
        fill_view(list, view, 1, &stencils, count, rects);
    return true;
}

void STDMETHODCALLTYPE d3d12_command_list_ClearDepthStencilView(list_iface *iface,
                                                                D3D12_CPU_DESCRIPTOR_HANDLE handle,
                                                                D3D12_CLEAR_FLAGS flags,
                                                                FLOAT depth, UINT8 stencil,
                                                                UINT count, const D3D12_RECT *rects)
{
    LIST_OPERATION_OF(CLEARDEPTHSTENCILVIEW, .view = handle, .view_role = ANNOT_BOUND_DEPTH);
    LIST_METHOD(ON(DIRECT) | OUTSIDE_PASS);
    const unsigned known = D3D12_CLEAR_FLAG_DEPTH | D3D12_CLEAR_FLAG_STENCIL;
    struct emu_descriptor descriptor;
    if (!check_rects(list, count, rects, method))
        return;
    const struct view_parts *view = find_view(list, handle, EMU_DESCRIPTOR_DEPTH, &descriptor,
                                              D3D12_MESSAGE_ID_INVALID_DESCRIPTOR_HANDLE, method);
    if (!view)
        return;
    if (((unsigned)flags & known) == 0 || ((unsigned)flags & ~known) != 0 ||
        !command_list_clear_depth(list, view, flags, depth, stencil, count, rects))
        command_list_fail(
            list, D3D12_MESSAGE_ID_CLEARDEPTHSTENCILVIEW_INVALID, method,
            "ClearFlags must be DEPTH, STENCIL or both, and the view must have these planes");
}

/* ---- unordered access ---- */

/* A buffer is one row of elements; a rectangle that begins in this row has the elements from `left`
 * to `right`. */
static void fill_elements(struct d3d12_command_list *list, const struct emu_descriptor *descriptor,
                          const struct clear_value *value, UINT count, const D3D12_RECT *rects)
{
    const emu_driver *driver = list->child.device->driver;
    const UINT64 elements = descriptor->size / value->size;
    if (count == 0)
        driver->cmd_fill(list->driver, descriptor->address, elements * value->size, value->bytes,
                         value->size);
    for (UINT i = 0; i < count; i++) {
        const UINT64 left = rects[i].left > 0 ? (UINT64)rects[i].left : 0;
        UINT64 right = rects[i].right > 0 ? (UINT64)rects[i].right : 0;
        if (right > elements)
            right = elements;
        if (rects[i].top <= 0 && rects[i].bottom > 0 && left < right)
            driver->cmd_fill(list->driver, descriptor->address + left * value->size,
                             (right - left) * value->size, value->bytes, value->size);
    }
}

static void clear_access(struct d3d12_command_list *list, const struct view_parts *view,
                         const struct emu_descriptor *descriptor, const struct clear_value *value,
                         UINT count, const D3D12_RECT *rects, const char *method)
{
    const bool is_texture = view->address != 0;
    if (descriptor->address == 0 && !is_texture)
        return; /* a null descriptor */
    if (!is_texture && descriptor->stride != 0)
        command_list_fail(
            list, D3D12_MESSAGE_ID_CLEARUNORDEREDACCESSVIEW_INCOMPATIBLE_WITH_STRUCTURED_BUFFERS,
            method, "a view of a structured buffer has no format and can't be cleared");
    else if (value->size == 0 || (is_texture && !fits(view, view->plane, value)))
        command_list_fail(list, EMU_MESSAGE_INVALID_ARGUMENT, method,
                          "the view's format can't hold Values");
    else if (is_texture)
        fill_view(list, view, view->plane, value, count, rects);
    else
        fill_elements(list, descriptor, value, count, rects);
}

/* The view has two handles: in a set heap for shaders, and in a heap for the CPU. The second handle
 * is enough: if the heap is not set, a message reports it, and the view is cleared. */
static const struct view_parts *find_access(struct d3d12_command_list *list,
                                            D3D12_GPU_DESCRIPTOR_HANDLE gpu,
                                            D3D12_CPU_DESCRIPTOR_HANDLE cpu, ID3D12Resource *iface,
                                            struct emu_descriptor *descriptor, const char *method)
{
    const int id = D3D12_MESSAGE_ID_CLEAR_UNORDERED_ACCESS_VIEW_INVALID_DESCRIPTOR_HANDLE;
    const struct d3d12_resource *resource = d3d12_resource_from(iface);
    UINT index;
    const struct d3d12_descriptor_heap *heap =
        d3d12_descriptor_heap_find_gpu(list->child.device, gpu, &index);
    if (!heap || heap->desc.Type != D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV ||
        list->heaps[heap->desc.Type] != heap->start)
        command_list_report_error(
            list, id, method, "the GPU handle must lie in a heap that SetDescriptorHeaps has set");
    const struct view_parts *view =
        find_view(list, cpu, EMU_DESCRIPTOR_READ_WRITE, descriptor, id, method);
    if (!view)
        return NULL;
    if (!resource || resource->child.device != list->child.device ||
        (descriptor->address != 0 && (descriptor->address < resource->address ||
                                      descriptor->address - resource->address > resource->size))) {
        command_list_fail(list, D3D12_MESSAGE_ID_CLEARUNORDEREDACCESSVIEW_INVALID_RESOURCE_PTR,
                          method, "pResource must be the view's resource");
        return NULL;
    }
    return view;
}

static DXGI_FORMAT access_format(const struct view_parts *view,
                                 const struct emu_descriptor *descriptor)
{
    return view->address != 0 ? view->format : (DXGI_FORMAT)descriptor->format;
}

/* The values are either bits or numbers; the other pointer is NULL. Both are NULL if the
 * application gives no values. */
static void clear_unordered(list_iface *iface, D3D12_GPU_DESCRIPTOR_HANDLE gpu,
                            D3D12_CPU_DESCRIPTOR_HANDLE cpu, ID3D12Resource *resource,
                            const UINT *bits, const FLOAT *numbers, UINT count,
                            const D3D12_RECT *rects, const char *method)
{
    struct d3d12_command_list *list =
        command_list_recorder(iface, ON(DIRECT) | ON(COMPUTE) | OUTSIDE_PASS, method);
    struct emu_descriptor descriptor;
    if (!list || !check_rects(list, count, rects, method))
        return;
    const struct view_parts *view = find_access(list, gpu, cpu, resource, &descriptor, method);
    if (!view)
        return;
    struct clear_value value = {.size = 0};
    if (bits)
        value = clear_value_bits(access_format(view, &descriptor), bits);
    else if (numbers)
        value = clear_value_color(access_format(view, &descriptor), numbers);
    clear_access(list, view, &descriptor, &value, count, rects, method);
}

void STDMETHODCALLTYPE d3d12_command_list_ClearUnorderedAccessViewUint(
    list_iface *iface, D3D12_GPU_DESCRIPTOR_HANDLE gpu, D3D12_CPU_DESCRIPTOR_HANDLE cpu,
    ID3D12Resource *resource, const UINT values[4], UINT count, const D3D12_RECT *rects)
{
    LIST_OPERATION(CLEARUNORDEREDACCESSVIEW);
    clear_unordered(iface, gpu, cpu, resource, values, NULL, count, rects,
                    "ClearUnorderedAccessViewUint");
}

void STDMETHODCALLTYPE d3d12_command_list_ClearUnorderedAccessViewFloat(
    list_iface *iface, D3D12_GPU_DESCRIPTOR_HANDLE gpu, D3D12_CPU_DESCRIPTOR_HANDLE cpu,
    ID3D12Resource *resource, const FLOAT values[4], UINT count, const D3D12_RECT *rects)
{
    LIST_OPERATION(CLEARUNORDEREDACCESSVIEW);
    clear_unordered(iface, gpu, cpu, resource, NULL, values, count, rects,
                    "ClearUnorderedAccessViewFloat");
}
