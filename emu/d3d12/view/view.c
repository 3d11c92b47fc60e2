/* Views: the TryCreate…View methods, and the methods without a result, write them into descriptor
 * heaps. If D3D12 doesn't permit a view, a message says so, and the descriptor does not change. */
#include "view/descriptor_heap.h"

#include "device/device_methods.h"
#include "format/format.h"
#include "view/view_texture.h"

/* The only function that writes descriptors into heaps. `parts` NULL: the view has no clears. */
static HRESULT write(struct d3d12_device *device, D3D12_CPU_DESCRIPTOR_HANDLE handle,
                     D3D12_DESCRIPTOR_HEAP_TYPE type, const struct emu_descriptor *descriptor,
                     const struct view_parts *parts, const char *method)
{
    UINT index;
    struct d3d12_descriptor_heap *heap = d3d12_descriptor_heap_find(device, handle, 1, &index);
    if (!heap || heap->desc.Type != type)
        return d3d12_device_invalid(
            device, D3D12_MESSAGE_ID_INVALID_DESCRIPTOR_HANDLE,
            "%s: DestDescriptor must lie in a descriptor heap of the view's type", method);
    static const struct view_parts none;
    *d3d12_descriptor_heap_at(heap, index) = *descriptor;
    if (heap->parts)
        heap->parts[index] = parts != NULL ? *parts : none;
    return S_OK;
}

/* ---- views of resources ---- */

struct view_kind {
    const char *method;
    enum emu_descriptor_kind descriptor;
    D3D12_DESCRIPTOR_HEAP_TYPE heap;
    D3D12_RESOURCE_FLAGS needed, denied;
    struct view_mistakes ids;
    int resource_id, flags_id;
};

#define VIEW_ID(KIND, mistake) D3D12_MESSAGE_ID_CREATE##KIND##VIEW_##mistake
#define VIEW_KIND(noun, Name, KIND, descriptor, heap, needed, denied, plane, flags)                \
    static const struct view_kind noun = {                                                         \
        "ID3D12Device::Create" #Name "View",                                                       \
        EMU_DESCRIPTOR_##descriptor,                                                               \
        D3D12_DESCRIPTOR_HEAP_TYPE_##heap,                                                         \
        D3D12_RESOURCE_FLAG_##needed,                                                              \
        D3D12_RESOURCE_FLAG_##denied,                                                              \
        {VIEW_ID(KIND, INVALIDDESC), VIEW_ID(KIND, INVALIDFORMAT),                                 \
         VIEW_ID(KIND, INVALIDDIMENSIONS), VIEW_ID(KIND, plane)},                                  \
        VIEW_ID(KIND, INVALIDRESOURCE),                                                            \
        VIEW_ID(KIND, flags)};
VIEW_KIND(shader_resource, ShaderResource, SHADERRESOURCE, READ, CBV_SRV_UAV, NONE,
          DENY_SHADER_RESOURCE, INVALIDPLANESLICE, INVALIDRESOURCE)
VIEW_KIND(unordered_access, UnorderedAccess, UNORDEREDACCESS, READ_WRITE, CBV_SRV_UAV,
          ALLOW_UNORDERED_ACCESS, NONE, INVALIDPLANESLICE, INVALIDRESOURCE)
VIEW_KIND(render_target, RenderTarget, RENDERTARGET, TARGET, RTV, ALLOW_RENDER_TARGET, NONE,
          INVALIDPLANESLICE, INVALIDDESC)
VIEW_KIND(depth_stencil, DepthStencil, DEPTHSTENCIL, DEPTH, DSV, ALLOW_DEPTH_STENCIL, NONE,
          INVALIDDESC /* has all planes */, INVALIDDESC)

/* The content of a description. */
struct view {
    bool is_of_elements; /* whether a buffer's view counts elements */
    struct view_window window;
    struct elements {
        DXGI_FORMAT format;
        UINT64 first, count;
        UINT stride;
        bool raw;
    } elements;
    D3D12_DSV_FLAGS read_only;
};

/* Gets the application's resource, which may be NULL. Emits a message and returns false if `iface`
 * is no resource of this device. */
static bool find_resource(struct d3d12_device *device, ID3D12Resource *iface,
                          const struct d3d12_resource **out, int id, const char *method)
{
    *out = d3d12_resource_from(iface);
    return !iface || (*out && (*out)->child.device == device) ||
           d3d12_device_refused(device, id, "%s: pResource must be a resource of this device",
                                method);
}

/* Returns the size of an element; 0: the three members contradict each other. */
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

/* Fills in a buffer's elements. `resource` NULL: a null descriptor of these elements. */
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
    if (!resource_desc_is_buffer(&resource->desc))
        return validation_error(ids->dimensions,
                                "ViewDimension must suit the resource's Dimension");
    if (elements->first > resource->size / size ||
        elements->count > resource->size / size - elements->first)
        return validation_error(ids->desc, "FirstElement + NumElements must lie in the buffer");
    out->address = resource->address + elements->first * size;
    out->size = elements->count * size;
    return no_validation_error;
}

/* Fills in a texture's view. The emulator's kernels read memory, so they see the whole texture; the
 * view's window is only checked. Without a description the view has the resource's own format;
 * buffers and typeless textures need a description. */
static struct validation_error fill(const struct d3d12_resource *resource,
                                    const struct view_kind *kind, const struct view *view,
                                    struct emu_descriptor *out)
{
    struct format format;
    const D3D12_RESOURCE_FLAGS flags = resource ? resource->desc.Flags : kind->needed;
    if ((flags & kind->needed) != kind->needed || (flags & kind->denied) != 0)
        return validation_error(kind->flags_id,
                                "the resource's Flags don't permit this kind of view");
    if (view && view->is_of_elements)
        return fill_elements(resource, &view->elements, &kind->ids, out);
    if (!view && (!resource || resource_desc_is_buffer(&resource->desc) ||
                  !format_find(resource->desc.Format, &format) || format.typeless))
        return validation_error(kind->ids.desc,
                                "pDesc must not be NULL unless the resource is a typed texture");
    const struct validation_error error =
        view ? view_window_check(&view->window, resource, &kind->ids) : no_validation_error;
    if (error.text)
        return error;
    const DXGI_FORMAT asked = view ? view->window.format : DXGI_FORMAT_UNKNOWN;
    out->format = (uint32_t)asked;
    if (resource) {
        out->address = resource->address;
        out->size = resource->size;
        if (asked == DXGI_FORMAT_UNKNOWN)
            out->format = (uint32_t)resource->desc.Format;
    }
    return no_validation_error;
}

/* Creates a view. `view` NULL: there is no description. `mistake`: the mistake found so far. */
static HRESULT create(device_iface *iface, ID3D12Resource *resource_iface,
                      const struct view_kind *kind, const struct view *view,
                      struct validation_error mistake, D3D12_CPU_DESCRIPTOR_HANDLE handle)
{
    struct d3d12_device *device = impl_from_device_iface(iface);
    const struct d3d12_resource *resource;
    struct emu_descriptor descriptor = {.kind = (uint32_t)kind->descriptor};
    if (!find_resource(device, resource_iface, &resource, kind->resource_id, kind->method))
        return E_INVALIDARG;
    UNLESS_REFUSED(mistake, fill(resource, kind, view, &descriptor));
    if (mistake.text)
        return d3d12_device_refuse(device, kind->method, mistake);
    struct view_parts parts = view_parts_of(resource, view ? &view->window : NULL);
    if (view)
        parts.read_only = view->read_only;
    return write(device, handle, kind->heap, &descriptor, &parts, kind->method);
}

HRESULT STDMETHODCALLTYPE d3d12_device_TryCreateShaderResourceView(
    device_iface *iface, ID3D12Resource *resource, const D3D12_SHADER_RESOURCE_VIEW_DESC *desc,
    D3D12_CPU_DESCRIPTOR_HANDLE handle)
{
    struct view view = {.is_of_elements = false};
    struct validation_error mistake = no_validation_error;
    if (!desc)
        return create(iface, resource, &shader_resource, NULL, mistake, handle);
    if ((desc->Shader4ComponentMapping &
         D3D12_SHADER_COMPONENT_MAPPING_ALWAYS_SET_BIT_AVOIDING_ZEROMEM_MISTAKES) == 0)
        mistake = VALIDATION_ERROR(CREATESHADERRESOURCEVIEW_INVALIDDESC,
                                   "Shader4ComponentMapping must not be 0; use "
                                   "D3D12_DEFAULT_SHADER_4_COMPONENT_MAPPING");
    view.is_of_elements = desc->ViewDimension == D3D12_SRV_DIMENSION_BUFFER;
    view.window = view_window_shader_resource(desc);
    view.elements = (struct elements){desc->Format, desc->Buffer.FirstElement,
                                      desc->Buffer.NumElements, desc->Buffer.StructureByteStride,
                                      (desc->Buffer.Flags & D3D12_BUFFER_SRV_FLAG_RAW) != 0};
    return create(iface, resource, &shader_resource, &view, mistake, handle);
}

static struct validation_error check_counter(const struct d3d12_resource *counter,
                                             const D3D12_UNORDERED_ACCESS_VIEW_DESC *desc)
{
    const UINT64 offset = desc->Buffer.CounterOffsetInBytes;
    if (desc->ViewDimension != D3D12_UAV_DIMENSION_BUFFER) {
        REFUSE(counter, CREATEUNORDEREDACCESSVIEW_INVALIDDESC,
               "a texture's view must not have a counter");
        return no_validation_error;
    }
    REFUSE(!counter ? offset != 0
                    : desc->Buffer.StructureByteStride == 0 ||
                          offset % D3D12_UAV_COUNTER_PLACEMENT_ALIGNMENT != 0 ||
                          counter->size < 4 || offset > counter->size - 4,
           CREATEUNORDEREDACCESSVIEW_INVALIDDESC,
           "a counter needs a structured view, and CounterOffsetInBytes must be a multiple of 4096 "
           "in the counter's buffer");
    return no_validation_error;
}

HRESULT STDMETHODCALLTYPE d3d12_device_TryCreateUnorderedAccessView(
    device_iface *iface, ID3D12Resource *resource, ID3D12Resource *counter_iface,
    const D3D12_UNORDERED_ACCESS_VIEW_DESC *desc, D3D12_CPU_DESCRIPTOR_HANDLE handle)
{
    const int id = D3D12_MESSAGE_ID_CREATE_UNORDEREDACCESS_VIEW_INVALID_COUNTER_USAGE;
    struct d3d12_device *device = impl_from_device_iface(iface);
    const struct d3d12_resource *counter;
    struct view view = {.is_of_elements = false};
    if (!find_resource(device, counter_iface, &counter, id, unordered_access.method))
        return E_INVALIDARG;
    if (counter && (!resource || !resource_desc_is_buffer(&counter->desc)))
        return d3d12_device_invalid(device, id,
                                    "%s: pResource and pCounterResource must be buffers",
                                    unordered_access.method);
    if (!desc)
        return create(iface, resource, &unordered_access, NULL, no_validation_error, handle);
    view.is_of_elements = desc->ViewDimension == D3D12_UAV_DIMENSION_BUFFER;
    view.window = view_window_unordered_access(desc);
    view.elements = (struct elements){desc->Format, desc->Buffer.FirstElement,
                                      desc->Buffer.NumElements, desc->Buffer.StructureByteStride,
                                      (desc->Buffer.Flags & D3D12_BUFFER_UAV_FLAG_RAW) != 0};
    return create(iface, resource, &unordered_access, &view, check_counter(counter, desc), handle);
}

HRESULT STDMETHODCALLTYPE d3d12_device_TryCreateRenderTargetView(
    device_iface *iface, ID3D12Resource *resource, const D3D12_RENDER_TARGET_VIEW_DESC *desc,
    D3D12_CPU_DESCRIPTOR_HANDLE handle)
{
    struct view view = {.is_of_elements = false};
    if (desc)
        view.window = view_window_render_target(desc);
    return create(iface, resource, &render_target, desc ? &view : NULL, no_validation_error,
                  handle);
}

#define DEPTH_FLAGS (D3D12_DSV_FLAG_READ_ONLY_DEPTH | D3D12_DSV_FLAG_READ_ONLY_STENCIL)

/* Checks the members that only a description of depth has. */
static struct validation_error check_depth(const D3D12_DEPTH_STENCIL_VIEW_DESC *desc)
{
    REFUSE(((UINT)desc->Flags & ~(UINT)DEPTH_FLAGS) != 0, CREATEDEPTHSTENCILVIEW_INVALIDFLAGS,
           "Flags is out of range");
    REFUSE(desc->Format != DXGI_FORMAT_UNKNOWN && !format_is_depth(desc->Format),
           CREATEDEPTHSTENCILVIEW_INVALIDDESC, "Format must be a depth-stencil format");
    return no_validation_error;
}

HRESULT STDMETHODCALLTYPE d3d12_device_TryCreateDepthStencilView(
    device_iface *iface, ID3D12Resource *resource, const D3D12_DEPTH_STENCIL_VIEW_DESC *desc,
    D3D12_CPU_DESCRIPTOR_HANDLE handle)
{
    struct view view = {.is_of_elements = false};
    if (!desc)
        return create(iface, resource, &depth_stencil, NULL, no_validation_error, handle);
    view.window = view_window_depth_stencil(desc);
    view.read_only = desc->Flags;
    return create(iface, resource, &depth_stencil, &view, check_depth(desc), handle);
}

/* ---- constants, samplers ---- */

HRESULT STDMETHODCALLTYPE d3d12_device_TryCreateConstantBufferView(
    device_iface *iface, const D3D12_CONSTANT_BUFFER_VIEW_DESC *desc,
    D3D12_CPU_DESCRIPTOR_HANDLE handle)
{
    static const char method[] = "ID3D12Device::CreateConstantBufferView";
    struct d3d12_device *device = impl_from_device_iface(iface);
    struct emu_descriptor descriptor = {.kind = EMU_DESCRIPTOR_CONSTANTS};
    if (desc && desc->BufferLocation != 0) {
        const UINT unit = D3D12_CONSTANT_BUFFER_DATA_PLACEMENT_ALIGNMENT;
        if (desc->SizeInBytes % unit != 0 || desc->BufferLocation % unit != 0 ||
            desc->SizeInBytes > D3D12_REQ_CONSTANT_BUFFER_ELEMENT_COUNT * 16 ||
            desc->SizeInBytes > UINT64_MAX - desc->BufferLocation)
            return d3d12_device_invalid(device,
                                        D3D12_MESSAGE_ID_CREATE_CONSTANT_BUFFER_VIEW_INVALID_DESC,
                                        "%s: BufferLocation and SizeInBytes must be multiples of "
                                        "%u, and SizeInBytes must be at most 65536",
                                        method, unit);
        descriptor.address = desc->BufferLocation;
        descriptor.size = desc->SizeInBytes;
    }
    return write(device, handle, D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, &descriptor, NULL, method);
}

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
    static const char method[] = "ID3D12Device::CreateSampler";
    struct d3d12_device *device = impl_from_device_iface(iface);
    struct emu_descriptor descriptor = {.kind = EMU_DESCRIPTOR_SAMPLER};
    if (!desc || !is_sampler(desc))
        return d3d12_device_invalid(device, D3D12_MESSAGE_ID_CREATE_SAMPLER_INVALID,
                                    "%s: pDesc is NULL, or has a value out of range", method);
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
    UINT range, done; /* the current range, and how much of it was walked */
    struct d3d12_descriptor_heap *heap;
    UINT first; /* index in the heap at which the current range begins */
};

static UINT range_size(const struct walk *walk, UINT range)
{
    return walk->sizes ? walk->sizes[range] : 1;
}

/* Returns the next descriptor's index in walk->heap. False: there is none. */
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

/* Copies a view and its parts. The source has parts, because no shader sees the source's heap. */
static void copy_view(const struct walk *to, UINT target, const struct walk *from, UINT source)
{
    *d3d12_descriptor_heap_at(to->heap, target) = *d3d12_descriptor_heap_at(from->heap, source);
    if (to->heap->parts)
        to->heap->parts[target] = from->heap->parts[source];
}

/* Adds up the descriptors of one side, after a check that all are in heaps of the type. */
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
            /* memory that shaders see is write-only for the CPU */
            (source && heap->memory.address != 0))
            return false;
        *total += size;
    }
    return true;
}

/* Copies all descriptors or none. If sizes are NULL, every range is one descriptor. */
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
        d3d12_device_error(device, D3D12_MESSAGE_ID_COPY_DESCRIPTORS_INVALID_RANGES,
                           "ID3D12Device::CopyDescriptors: source and destination must have the "
                           "same number of descriptors, in heaps of DescriptorHeapsType; the "
                           "source heap must not be shader visible");
        return;
    }
    while (walk_next(&target, &at) && walk_next(&source, &of))
        copy_view(&target, at, &source, of);
}
