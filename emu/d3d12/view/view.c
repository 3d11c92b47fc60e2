/*
 * Views: what the TryCreate…View methods, and those without a result, write into descriptor heaps.
 * A view that D3D12 doesn't permit causes a message, and the descriptor stays as it was.
 */
#include "view/descriptor_heap.h"

#include "device/device_methods.h"
#include "format/format.h"
#include "resource/resource.h"
#include "view/view_texture.h"

/* The one way into a heap. `parts` NULL: nothing that could be cleared. */
static HRESULT write(struct d3d12_device *device, D3D12_CPU_DESCRIPTOR_HANDLE handle,
                     D3D12_DESCRIPTOR_HEAP_TYPE type, const struct emu_descriptor *descriptor,
                     const struct view_parts *parts, const char *method)
{
    UINT index;
    struct d3d12_descriptor_heap *heap = d3d12_descriptor_heap_find(device, handle, 1, &index);
    if (!heap || heap->desc.Type != type)
        return d3d12_device_invalid(
            device, D3D12_MESSAGE_ID_INVALID_DESCRIPTOR_HANDLE,
            "ID3D12Device::%s: DestDescriptor must lie in a descriptor heap of this type", method);
    static const struct view_parts none;
    *d3d12_descriptor_heap_at(heap, index) = *descriptor;
    if (heap->parts)
        heap->parts[index] = parts != NULL ? *parts : none;
    return S_OK;
}

/* The application's resource, NULL for none; false after a message for what is none of this
 * device's. */
static bool find_resource(struct d3d12_device *device, ID3D12Resource *iface,
                          const struct d3d12_resource **out, int id, const char *method)
{
    *out = d3d12_resource_from(iface);
    if (!iface || (*out && (*out)->child.device == device))
        return true;
    return d3d12_device_refused(
        device, id, "ID3D12Device::%s: pResource must be a resource of this device", method);
}

static bool is_buffer(const struct d3d12_resource *resource)
{
    return resource->desc.Dimension == D3D12_RESOURCE_DIMENSION_BUFFER;
}

static struct emu_descriptor whole(const struct d3d12_resource *resource,
                                   enum emu_descriptor_kind kind, DXGI_FORMAT format)
{
    struct emu_descriptor descriptor = {.kind = (uint32_t)kind, .format = (uint32_t)format};
    if (resource) {
        descriptor.address = resource->address;
        descriptor.size = resource->size;
        if (format == DXGI_FORMAT_UNKNOWN)
            descriptor.format = (uint32_t)resource->desc.Format;
    }
    return descriptor;
}

/* The resource in its own format: what a view without a description is. Buffers have none, nor have
 * typeless textures. */
static struct validation_error fill_own(const struct d3d12_resource *resource,
                                        enum emu_descriptor_kind kind,
                                        const struct view_mistakes *ids, struct emu_descriptor *out)
{
    struct format format;
    if (!resource || is_buffer(resource) || !format_find(resource->desc.Format, &format) ||
        format.typeless)
        return validation_error(ids->desc,
                                "pDesc must not be NULL unless the resource is a typed texture");
    *out = whole(resource, kind, DXGI_FORMAT_UNKNOWN);
    return no_validation_error;
}

/* The emulator's kernels read memory, so of a texture's view the window is checked and the whole
 * texture seen. */
static struct validation_error fill_texture(const struct d3d12_resource *resource,
                                            const struct view_window *window,
                                            enum emu_descriptor_kind kind,
                                            const struct view_mistakes *ids,
                                            struct emu_descriptor *out)
{
    const struct validation_error error = view_window_check(window, resource, ids);
    if (!error.text)
        *out = whole(resource, kind, window->format);
    return error;
}

/* Tells a mistake; true, and nothing is told: there is none. */
static bool is_fine(struct d3d12_device *device, struct validation_error error, const char *method)
{
    if (error.text)
        d3d12_device_error(device, error.id, "ID3D12Device::%s: %s", method,
                           validation_words(error).text);
    return !error.text;
}

#define VIEW_MISTAKES(kind)                                                                        \
    {                                                                                              \
        D3D12_MESSAGE_ID_CREATE##kind##VIEW_INVALIDDESC,                                           \
            D3D12_MESSAGE_ID_CREATE##kind##VIEW_INVALIDFORMAT,                                     \
            D3D12_MESSAGE_ID_CREATE##kind##VIEW_INVALIDDIMENSIONS,                                 \
            D3D12_MESSAGE_ID_CREATE##kind##VIEW_INVALIDPLANESLICE                                  \
    }

static const struct view_mistakes shader_resource_mistakes = VIEW_MISTAKES(SHADERRESOURCE);
static const struct view_mistakes unordered_access_mistakes = VIEW_MISTAKES(UNORDEREDACCESS);
static const struct view_mistakes render_target_mistakes = VIEW_MISTAKES(RENDERTARGET);
static const struct view_mistakes depth_stencil_mistakes = {
    D3D12_MESSAGE_ID_CREATEDEPTHSTENCILVIEW_INVALIDDESC,
    D3D12_MESSAGE_ID_CREATEDEPTHSTENCILVIEW_INVALIDFORMAT,
    D3D12_MESSAGE_ID_CREATEDEPTHSTENCILVIEW_INVALIDDIMENSIONS,
    D3D12_MESSAGE_ID_CREATEDEPTHSTENCILVIEW_INVALIDDESC /* such a view has all planes */
};

/* ---- buffers ---- */

/* Shared by shader resource and unordered access views of buffers. */
struct elements {
    DXGI_FORMAT format;
    UINT64 first, count;
    UINT stride;
    bool raw;
};

/* 0: the three fields contradict each other. */
static UINT element_size(const struct elements *elements)
{
    if (elements->raw)
        return elements->format == DXGI_FORMAT_R32_TYPELESS && elements->stride == 0 ? 4 : 0;
    if (elements->format == DXGI_FORMAT_UNKNOWN)
        return elements->stride % 4 == 0 &&
                       elements->stride <= D3D12_REQ_MULTI_ELEMENT_STRUCTURE_SIZE_IN_BYTES
                   ? elements->stride
                   : 0;
    return elements->stride == 0 ? format_element_size(elements->format) : 0;
}

/* `resource` NULL: a null descriptor of these elements. */
static struct validation_error fill_elements(const struct d3d12_resource *resource,
                                             const struct elements *elements,
                                             const struct view_mistakes *ids,
                                             struct emu_descriptor *out)
{
    const UINT size = element_size(elements);
    if (size == 0)
        return validation_error(ids->desc, "a buffer's view must be typed (Format), raw (FLAG_RAW) "
                                           "or structured (StructureByteStride)");
    out->format = (uint32_t)elements->format;
    out->stride = elements->stride;
    if (!resource)
        return no_validation_error;
    if (!is_buffer(resource))
        return validation_error(ids->dimensions,
                                "ViewDimension must suit the resource's Dimension");
    if (elements->first > resource->size / size ||
        elements->count > resource->size / size - elements->first)
        return validation_error(ids->desc, "FirstElement + NumElements must lie in the buffer");
    out->address = resource->address + elements->first * size;
    out->size = elements->count * size;
    return no_validation_error;
}

HRESULT STDMETHODCALLTYPE d3d12_device_TryCreateConstantBufferView(
    device_iface *iface, const D3D12_CONSTANT_BUFFER_VIEW_DESC *desc,
    D3D12_CPU_DESCRIPTOR_HANDLE handle)
{
    static const char method[] = "CreateConstantBufferView";
    struct d3d12_device *device = impl_from_device_iface(iface);
    struct emu_descriptor descriptor = {.kind = EMU_DESCRIPTOR_CONSTANTS};
    if (desc && desc->BufferLocation != 0) {
        const UINT unit = D3D12_CONSTANT_BUFFER_DATA_PLACEMENT_ALIGNMENT;
        if (desc->SizeInBytes % unit != 0 || desc->BufferLocation % unit != 0 ||
            desc->SizeInBytes > D3D12_REQ_CONSTANT_BUFFER_ELEMENT_COUNT * 16 ||
            desc->SizeInBytes > UINT64_MAX - desc->BufferLocation)
            return d3d12_device_invalid(
                device, D3D12_MESSAGE_ID_CREATE_CONSTANT_BUFFER_VIEW_INVALID_DESC,
                "ID3D12Device::%s: BufferLocation and SizeInBytes must be multiples "
                "of %u, and SizeInBytes at most 65536",
                method, unit);
        descriptor.address = desc->BufferLocation;
        descriptor.size = desc->SizeInBytes;
    }
    return write(device, handle, D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, &descriptor, NULL, method);
}

/* ---- shader resources ---- */

static struct validation_error fill_shader_resource(const struct d3d12_resource *resource,
                                                    const D3D12_SHADER_RESOURCE_VIEW_DESC *desc,
                                                    struct emu_descriptor *out)
{
    const struct view_mistakes *ids = &shader_resource_mistakes;
    if (!desc)
        return fill_own(resource, EMU_DESCRIPTOR_READ, ids, out);
    if ((desc->Shader4ComponentMapping &
         D3D12_SHADER_COMPONENT_MAPPING_ALWAYS_SET_BIT_AVOIDING_ZEROMEM_MISTAKES) == 0)
        return validation_error(
            ids->desc,
            "Shader4ComponentMapping must not be 0; use D3D12_DEFAULT_SHADER_4_COMPONENT_MAPPING");
    if (desc->ViewDimension != D3D12_SRV_DIMENSION_BUFFER) {
        const struct view_window window = view_window_shader_resource(desc);
        return fill_texture(resource, &window, EMU_DESCRIPTOR_READ, ids, out);
    }
    const struct elements elements = {desc->Format, desc->Buffer.FirstElement,
                                      desc->Buffer.NumElements, desc->Buffer.StructureByteStride,
                                      (desc->Buffer.Flags & D3D12_BUFFER_SRV_FLAG_RAW) != 0};
    out->kind = EMU_DESCRIPTOR_READ;
    return fill_elements(resource, &elements, ids, out);
}

HRESULT STDMETHODCALLTYPE d3d12_device_TryCreateShaderResourceView(
    device_iface *iface, ID3D12Resource *resource_iface,
    const D3D12_SHADER_RESOURCE_VIEW_DESC *desc, D3D12_CPU_DESCRIPTOR_HANDLE handle)
{
    static const char method[] = "CreateShaderResourceView";
    struct d3d12_device *device = impl_from_device_iface(iface);
    const struct d3d12_resource *resource;
    struct emu_descriptor descriptor = {0};
    if (!find_resource(device, resource_iface, &resource,
                       D3D12_MESSAGE_ID_CREATESHADERRESOURCEVIEW_INVALIDRESOURCE, method))
        return E_INVALIDARG;
    if (resource && (resource->desc.Flags & D3D12_RESOURCE_FLAG_DENY_SHADER_RESOURCE) != 0)
        return d3d12_device_invalid(
            device, D3D12_MESSAGE_ID_CREATESHADERRESOURCEVIEW_INVALIDRESOURCE,
            "ID3D12Device::%s: the resource was created with DENY_SHADER_RESOURCE", method);
    if (!is_fine(device, fill_shader_resource(resource, desc, &descriptor), method))
        return E_INVALIDARG;
    return write(device, handle, D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, &descriptor, NULL, method);
}

/* ---- unordered access ---- */

static struct validation_error fill_unordered_buffer(const struct d3d12_resource *resource,
                                                     const struct d3d12_resource *counter,
                                                     const D3D12_UNORDERED_ACCESS_VIEW_DESC *desc,
                                                     struct emu_descriptor *out)
{
    const struct view_mistakes *ids = &unordered_access_mistakes;
    const D3D12_BUFFER_UAV *buffer = &desc->Buffer;
    const struct elements elements = {desc->Format, buffer->FirstElement, buffer->NumElements,
                                      buffer->StructureByteStride,
                                      (buffer->Flags & D3D12_BUFFER_UAV_FLAG_RAW) != 0};
    const UINT64 offset = buffer->CounterOffsetInBytes;
    if (!counter ? offset != 0
                 : buffer->StructureByteStride == 0 ||
                       offset % D3D12_UAV_COUNTER_PLACEMENT_ALIGNMENT != 0 || counter->size < 4 ||
                       offset > counter->size - 4)
        return validation_error(
            ids->desc, "a counter needs a structured view, and CounterOffsetInBytes must be a "
                       "multiple of 4096 within its buffer");
    out->kind = EMU_DESCRIPTOR_READ_WRITE;
    return fill_elements(resource, &elements, ids, out);
}

static struct validation_error fill_unordered_access(const struct d3d12_resource *resource,
                                                     const struct d3d12_resource *counter,
                                                     const D3D12_UNORDERED_ACCESS_VIEW_DESC *desc,
                                                     struct emu_descriptor *out)
{
    const struct view_mistakes *ids = &unordered_access_mistakes;
    if (!desc)
        return fill_own(resource, EMU_DESCRIPTOR_READ_WRITE, ids, out);
    if (desc->ViewDimension == D3D12_UAV_DIMENSION_BUFFER)
        return fill_unordered_buffer(resource, counter, desc, out);
    if (counter)
        return validation_error(ids->desc, "a texture's view must not have a counter");
    const struct view_window window = view_window_unordered_access(desc);
    return fill_texture(resource, &window, EMU_DESCRIPTOR_READ_WRITE, ids, out);
}

HRESULT STDMETHODCALLTYPE d3d12_device_TryCreateUnorderedAccessView(
    device_iface *iface, ID3D12Resource *resource_iface, ID3D12Resource *counter_iface,
    const D3D12_UNORDERED_ACCESS_VIEW_DESC *desc, D3D12_CPU_DESCRIPTOR_HANDLE handle)
{
    static const char method[] = "CreateUnorderedAccessView";
    struct d3d12_device *device = impl_from_device_iface(iface);
    const struct d3d12_resource *resource, *counter;
    struct view_window window = {0};
    struct emu_descriptor descriptor = {0};
    if (!find_resource(device, resource_iface, &resource,
                       D3D12_MESSAGE_ID_CREATEUNORDEREDACCESSVIEW_INVALIDRESOURCE, method) ||
        !find_resource(device, counter_iface, &counter,
                       D3D12_MESSAGE_ID_CREATE_UNORDEREDACCESS_VIEW_INVALID_COUNTER_USAGE, method))
        return E_INVALIDARG;
    if (resource && (resource->desc.Flags & D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS) == 0)
        return d3d12_device_invalid(
            device, D3D12_MESSAGE_ID_CREATEUNORDEREDACCESSVIEW_INVALIDRESOURCE,
            "ID3D12Device::%s: the resource was created without ALLOW_UNORDERED_ACCESS", method);
    if (counter && (!resource || !is_buffer(counter)))
        return d3d12_device_invalid(
            device, D3D12_MESSAGE_ID_CREATE_UNORDEREDACCESS_VIEW_INVALID_COUNTER_USAGE,
            "ID3D12Device::%s: pCounterResource must be a buffer, and pResource too", method);
    if (!is_fine(device, fill_unordered_access(resource, counter, desc, &descriptor), method))
        return E_INVALIDARG;
    if (desc)
        window = view_window_unordered_access(desc);
    const struct view_parts parts = view_parts_of(resource, desc != NULL ? &window : NULL);
    return write(device, handle, D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, &descriptor, &parts,
                 method);
}

/* ---- targets ---- */

static const struct target_kind {
    enum emu_descriptor_kind descriptor;
    D3D12_DESCRIPTOR_HEAP_TYPE heap;
    D3D12_RESOURCE_FLAGS needed;
    const struct view_mistakes *ids;
    int resource_id;
    const char *method;
} render_target = {EMU_DESCRIPTOR_TARGET,
                   D3D12_DESCRIPTOR_HEAP_TYPE_RTV,
                   D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET,
                   &render_target_mistakes,
                   D3D12_MESSAGE_ID_CREATERENDERTARGETVIEW_INVALIDRESOURCE,
                   "CreateRenderTargetView"},
  depth_stencil = {EMU_DESCRIPTOR_DEPTH,
                   D3D12_DESCRIPTOR_HEAP_TYPE_DSV,
                   D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL,
                   &depth_stencil_mistakes,
                   D3D12_MESSAGE_ID_CREATEDEPTHSTENCILVIEW_INVALIDRESOURCE,
                   "CreateDepthStencilView"};

/* `window` NULL: the texture as it is. */
static struct validation_error fill_target(const struct d3d12_resource *resource,
                                           const struct view_window *window,
                                           const struct target_kind *kind,
                                           struct emu_descriptor *out)
{
    if (resource && (resource->desc.Flags & kind->needed) == 0)
        return validation_error(kind->ids->desc,
                                "the resource was created without the flag for this kind of view");
    return !window ? fill_own(resource, kind->descriptor, kind->ids, out)
                   : fill_texture(resource, window, kind->descriptor, kind->ids, out);
}

static HRESULT create_target(device_iface *iface, ID3D12Resource *resource_iface,
                             const struct view_window *window, const struct target_kind *kind,
                             D3D12_DSV_FLAGS read_only, D3D12_CPU_DESCRIPTOR_HANDLE handle)
{
    struct d3d12_device *device = impl_from_device_iface(iface);
    const struct d3d12_resource *resource;
    struct emu_descriptor descriptor = {0};
    if (!find_resource(device, resource_iface, &resource, kind->resource_id, kind->method) ||
        !is_fine(device, fill_target(resource, window, kind, &descriptor), kind->method))
        return E_INVALIDARG;
    struct view_parts parts = view_parts_of(resource, window);
    parts.read_only = read_only;
    return write(device, handle, kind->heap, &descriptor, &parts, kind->method);
}

HRESULT STDMETHODCALLTYPE d3d12_device_TryCreateRenderTargetView(
    device_iface *iface, ID3D12Resource *resource, const D3D12_RENDER_TARGET_VIEW_DESC *desc,
    D3D12_CPU_DESCRIPTOR_HANDLE handle)
{
    struct view_window window;
    if (desc)
        window = view_window_render_target(desc);
    return create_target(iface, resource, desc ? &window : NULL, &render_target,
                         D3D12_DSV_FLAG_NONE, handle);
}

#define DEPTH_FLAGS (D3D12_DSV_FLAG_READ_ONLY_DEPTH | D3D12_DSV_FLAG_READ_ONLY_STENCIL)

/* Checks the members of a description that only depth has. */
static struct validation_error check_depth(const D3D12_DEPTH_STENCIL_VIEW_DESC *desc)
{
    REFUSE(((UINT)desc->Flags & ~(UINT)DEPTH_FLAGS) != 0, CREATEDEPTHSTENCILVIEW_INVALIDFLAGS,
           "Flags is out of range");
    REFUSE(desc->Format != DXGI_FORMAT_UNKNOWN && !format_is_depth(desc->Format),
           CREATEDEPTHSTENCILVIEW_INVALIDDESC, "Format must be one of depth");
    return no_validation_error;
}

HRESULT STDMETHODCALLTYPE d3d12_device_TryCreateDepthStencilView(
    device_iface *iface, ID3D12Resource *resource, const D3D12_DEPTH_STENCIL_VIEW_DESC *desc,
    D3D12_CPU_DESCRIPTOR_HANDLE handle)
{
    struct view_window window;
    if (desc && !is_fine(impl_from_device_iface(iface), check_depth(desc), depth_stencil.method))
        return E_INVALIDARG;
    if (desc)
        window = view_window_depth_stencil(desc);
    return create_target(iface, resource, desc ? &window : NULL, &depth_stencil,
                         desc ? desc->Flags : D3D12_DSV_FLAG_NONE, handle);
}

/* ---- samplers ---- */

static bool is_address_mode(D3D12_TEXTURE_ADDRESS_MODE mode)
{
    return mode >= D3D12_TEXTURE_ADDRESS_MODE_WRAP &&
           mode <= D3D12_TEXTURE_ADDRESS_MODE_MIRROR_ONCE;
}

/* Integer border colours come with advanced texture operations, which the device doesn't have. */
static bool is_sampler(const D3D12_SAMPLER_DESC2 *desc)
{
    const bool compares = D3D12_DECODE_IS_COMPARISON_FILTER(desc->Filter) != 0;
    return desc->Flags == D3D12_SAMPLER_FLAG_NONE && is_address_mode(desc->AddressU) &&
           is_address_mode(desc->AddressV) && is_address_mode(desc->AddressW) &&
           desc->MaxAnisotropy <= D3D12_REQ_MAXANISOTROPY &&
           (unsigned)desc->Filter <= D3D12_FILTER_MAXIMUM_ANISOTROPIC &&
           (!compares || (desc->ComparisonFunc >= D3D12_COMPARISON_FUNC_NEVER &&
                          desc->ComparisonFunc <= D3D12_COMPARISON_FUNC_ALWAYS));
}

HRESULT STDMETHODCALLTYPE d3d12_device_TryCreateSampler2(device_iface *iface,
                                                         const D3D12_SAMPLER_DESC2 *desc,
                                                         D3D12_CPU_DESCRIPTOR_HANDLE handle)
{
    static const char method[] = "CreateSampler";
    struct d3d12_device *device = impl_from_device_iface(iface);
    struct emu_descriptor descriptor = {.kind = EMU_DESCRIPTOR_SAMPLER};
    if (!desc || !is_sampler(desc))
        return d3d12_device_invalid(device, D3D12_MESSAGE_ID_CREATE_SAMPLER_INVALID,
                                    "ID3D12Device::%s: invalid description", method);
    descriptor.stride = (uint32_t)desc->Filter;
    return write(device, handle, D3D12_DESCRIPTOR_HEAP_TYPE_SAMPLER, &descriptor, NULL, method);
}

/* ---- copies ---- */

/* Walks over ranges that one side of a copy names. */
struct walk {
    struct d3d12_device *device;
    const D3D12_CPU_DESCRIPTOR_HANDLE *starts;
    const UINT *sizes;
    UINT count;
    UINT range, done; /* the current range, and how much of it is behind */
    struct d3d12_descriptor_heap *heap;
    UINT first; /* the current range's, in the heap */
};

static UINT range_size(const struct walk *walk, UINT range)
{
    return walk->sizes ? walk->sizes[range] : 1;
}

/* The next descriptor's index in walk->heap; false: there is none. */
static bool walk_next(struct walk *walk, UINT *index)
{
    while (walk->range < walk->count && walk->done == range_size(walk, walk->range)) {
        walk->range++;
        walk->done = 0;
    }
    if (walk->range == walk->count)
        return false;
    if (walk->done == 0)
        walk->heap =
            d3d12_descriptor_heap_find(walk->device, walk->starts[walk->range], 1, &walk->first);
    *index = walk->first + walk->done++;
    return true;
}

/* The source is not shader visible, and so knows of what its views see. */
static void copy_view(const struct walk *to, UINT target, const struct walk *from, UINT source)
{
    *d3d12_descriptor_heap_at(to->heap, target) = *d3d12_descriptor_heap_at(from->heap, source);
    if (to->heap->parts)
        to->heap->parts[target] = from->heap->parts[source];
}

/* Adds up one side's descriptors after checking that all of them are in heaps of the type. */
static bool check_ranges(const struct walk *walk, D3D12_DESCRIPTOR_HEAP_TYPE type, bool source,
                         UINT64 *total)
{
    *total = 0;
    for (UINT i = 0; i < walk->count; i++) {
        UINT index;
        const UINT size = range_size(walk, i);
        if (size == 0)
            continue;
        const struct d3d12_descriptor_heap *heap =
            d3d12_descriptor_heap_find(walk->device, walk->starts[i], size, &index);
        if (!heap || heap->desc.Type != type ||
            /* what shaders see is write-only memory to the CPU */
            (source && heap->memory.address != 0))
            return false;
        *total += size;
    }
    return true;
}

/* All or nothing. Sizes NULL: every range is one descriptor. */
void STDMETHODCALLTYPE d3d12_device_CopyDescriptors(device_iface *iface, UINT to_count,
                                                    const D3D12_CPU_DESCRIPTOR_HANDLE *to,
                                                    const UINT *to_sizes, UINT from_count,
                                                    const D3D12_CPU_DESCRIPTOR_HANDLE *from,
                                                    const UINT *from_sizes,
                                                    D3D12_DESCRIPTOR_HEAP_TYPE type)
{
    struct d3d12_device *device = impl_from_device_iface(iface);
    struct walk target = {device, to, to_sizes, to_count, 0, 0, NULL, 0};
    struct walk source = {device, from, from_sizes, from_count, 0, 0, NULL, 0};
    UINT64 targets = 0, sources = 0;
    UINT at, of;
    if ((!to && to_count != 0) || (!from && from_count != 0) ||
        !check_ranges(&target, type, false, &targets) ||
        !check_ranges(&source, type, true, &sources) || targets != sources) {
        d3d12_device_error(
            device, D3D12_MESSAGE_ID_COPY_DESCRIPTORS_INVALID_RANGES,
            "ID3D12Device::CopyDescriptors: both sides must have equally many descriptors, in "
            "heaps of this type; the source heap must not be shader visible");
        return;
    }
    while (walk_next(&target, &at) && walk_next(&source, &of))
        copy_view(&target, at, &source, of);
}
