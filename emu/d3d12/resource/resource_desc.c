#include "resource/resource_desc.h"

#include "base/abi.h"
#include "resource/texture.h"

#include "gpu/gpu.h"

#define RT           D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET
#define DS           D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL
#define UA           D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS
#define NO_SHADER    D3D12_RESOURCE_FLAG_DENY_SHADER_RESOURCE
#define ADAPTERS     D3D12_RESOURCE_FLAG_ALLOW_CROSS_ADAPTER
#define SIMULTANEOUS D3D12_RESOURCE_FLAG_ALLOW_SIMULTANEOUS_ACCESS
#define VIDEO                                                                                      \
    (D3D12_RESOURCE_FLAG_VIDEO_DECODE_REFERENCE_ONLY |                                             \
     D3D12_RESOURCE_FLAG_VIDEO_ENCODE_REFERENCE_ONLY)
#define FORMAT_LAST 191u /* A4B4G4R4_UNORM, which only newer headers name */
#define KNOWN_FLAGS (RT | DS | UA | NO_SHADER | ADAPTERS | SIMULTANEOUS | VIDEO)

void resource_request_describe(struct resource_request *request, const D3D12_RESOURCE_DESC *desc)
{
    request->has_desc = desc != NULL;
    if (desc)
        request->desc = *desc;
}

void resource_request_describe1(struct resource_request *request, const D3D12_RESOURCE_DESC1 *desc)
{
    request->has_desc = desc != NULL;
    if (!desc)
        return;
    memcpy(&request->desc, desc, RESOURCE_DESC_SHARED);
    request->feedback = desc->SamplerFeedbackMipRegion;
}

/* ---- buffers ---- */

static struct validation_error check_buffer(const D3D12_RESOURCE_DESC *desc)
{
    REFUSE(desc->Width == 0 || desc->Height != 1 || desc->DepthOrArraySize != 1,
           CREATERESOURCE_INVALIDDIMENSIONS,
           "a buffer must have Width > 0, Height = 1 and DepthOrArraySize = 1");
    REFUSE_VALUE(desc->MipLevels != 1, CREATERESOURCE_INVALIDMIPLEVELS,
                 "a buffer must have MipLevels = 1", desc, MipLevels);
    REFUSE_VALUE(desc->Format != DXGI_FORMAT_UNKNOWN, CREATERESOURCE_INVALIDFORMAT,
                 "a buffer must have Format = DXGI_FORMAT_UNKNOWN", desc, Format);
    REFUSE(desc->SampleDesc.Count != 1 || desc->SampleDesc.Quality != 0,
           CREATERESOURCE_INVALIDSAMPLEDESC,
           "a buffer must have SampleDesc.Count = 1 and SampleDesc.Quality = 0");
    REFUSE_VALUE(desc->Layout != D3D12_TEXTURE_LAYOUT_ROW_MAJOR, CREATERESOURCE_INVALIDLAYOUT,
                 "a buffer must have Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR", desc, Layout);
    REFUSE_VALUE(((UINT)desc->Flags & ~(UINT)(RT | UA | NO_SHADER | ADAPTERS)) != 0,
                 CREATERESOURCE_INVALIDMISCFLAGS,
                 "a buffer's Flags must not have flags of textures", desc, Flags);
    REFUSE_VALUE(desc->Alignment != 0 &&
                     desc->Alignment != D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT,
                 CREATERESOURCE_INVALIDALIGNMENT, "a buffer must have Alignment = 0 or 65536", desc,
                 Alignment);
    return no_validation_error;
}

/* ---- textures ---- */

static struct validation_error check_format(const D3D12_RESOURCE_DESC *desc, struct format *format)
{
    REFUSE_VALUE((unsigned)desc->Format > FORMAT_LAST, CREATERESOURCE_UNRECOGNIZEDFORMAT,
                 "Format must be a DXGI_FORMAT", desc, Format);
    REFUSE(desc->Format == DXGI_FORMAT_SAMPLER_FEEDBACK_MIN_MIP_OPAQUE ||
               desc->Format == DXGI_FORMAT_SAMPLER_FEEDBACK_MIP_REGION_USED_OPAQUE,
           RESOURCE_FORMAT_REQUIRES_SAMPLER_FEEDBACK_CAPABILITY,
           "the device has no sampler feedback");
    REFUSE_VALUE(!format_find(desc->Format, format), CREATERESOURCE_INVALIDFORMAT,
                 "Format must be a format for textures", desc, Format);
    return no_validation_error;
}

static bool size_is_valid(const D3D12_RESOURCE_DESC *desc, const struct format *format)
{
    const UINT64 side = texture_is_3d(desc) ? D3D12_REQ_TEXTURE3D_U_V_OR_W_DIMENSION
                                            : D3D12_REQ_TEXTURE2D_U_OR_V_DIMENSION;
    const UINT depth = texture_is_3d(desc) ? D3D12_REQ_TEXTURE3D_U_V_OR_W_DIMENSION
                                           : D3D12_REQ_TEXTURE2D_ARRAY_AXIS_DIMENSION;
    /* whole blocks, in every plane */
    const UINT x = (UINT)format->plane[0].width << format->plane[format->planes - 1].x_shift;
    const UINT y = (UINT)format->plane[0].height << format->plane[format->planes - 1].y_shift;
    return desc->Width != 0 && desc->Height != 0 && desc->DepthOrArraySize != 0 &&
           desc->Width <= side && desc->Height <= side && desc->DepthOrArraySize <= depth &&
           (desc->Dimension != D3D12_RESOURCE_DIMENSION_TEXTURE1D || desc->Height == 1) &&
           desc->Width % x == 0 && desc->Height % y == 0;
}

/* One quality level of 2, 4 and 8 samples, as D3D12_FEATURE_MULTISAMPLE_QUALITY_LEVELS says. */
static bool samples_are_valid(const D3D12_RESOURCE_DESC *desc, const struct format *format)
{
    const UINT count = desc->SampleDesc.Count;
    if (desc->SampleDesc.Quality != 0)
        return false;
    if (count == 1)
        return true;
    return (count == 2 || count == 4 || count == 8) &&
           desc->Dimension == D3D12_RESOURCE_DIMENSION_TEXTURE2D && desc->MipLevels == 1 &&
           (desc->Flags & (RT | DS)) != 0 && (desc->Flags & (UA | SIMULTANEOUS)) == 0 &&
           (format->planes == 1 || format->depth);
}

static bool flags_are_valid(const D3D12_RESOURCE_DESC *desc, const struct format *format)
{
    const bool blocks = format->plane[0].width > 1;
    const D3D12_RESOURCE_FLAGS flags = desc->Flags;
    if ((flags & ADAPTERS) != 0) /* needs row-major textures, which the emulator lacks */
        return false;
    if ((flags & VIDEO) != 0)
        return (flags & NO_SHADER) != 0 && (flags & (RT | DS | UA | SIMULTANEOUS)) == 0;
    if ((flags & DS) != 0)
        return format->depth && !texture_is_3d(desc) && (flags & (RT | UA | SIMULTANEOUS)) == 0;
    return (flags & NO_SHADER) == 0 && (!blocks || (flags & RT) == 0);
}

static struct validation_error check_layout(const D3D12_RESOURCE_DESC *desc)
{
    switch (desc->Layout) {
    case D3D12_TEXTURE_LAYOUT_UNKNOWN:
        return no_validation_error;
    case D3D12_TEXTURE_LAYOUT_64KB_UNDEFINED_SWIZZLE:
        if (texture_has_tiles(desc))
            return no_validation_error;
        return VALIDATION_ERROR(
            CREATERESOURCE_INVALIDLAYOUT,
            "64KB_UNDEFINED_SWIZZLE is only for 2D textures with one plane and one sample");
    case D3D12_TEXTURE_LAYOUT_ROW_MAJOR:
    case D3D12_TEXTURE_LAYOUT_64KB_STANDARD_SWIZZLE:
        return WITH_VALUE(VALIDATION_ERROR(CREATERESOURCE_INVALIDLAYOUT,
                                           "the device supports neither row-major textures nor the "
                                           "standard swizzle; use D3D12_TEXTURE_LAYOUT_UNKNOWN"),
                          desc, Layout);
    }
    return WITH_VALUE(VALIDATION_ERROR(CREATERESOURCE_UNRECOGNIZEDLAYOUT,
                                       "Layout must be a D3D12_TEXTURE_LAYOUT"),
                      desc, Layout);
}

/* 64 KiB for textures with several samples (their default is 4 MiB); 4 KiB for small textures that
 * are no targets. */
static bool alignment_is_valid(const D3D12_RESOURCE_DESC *desc)
{
    if (desc->Alignment == 0 || desc->Alignment == texture_default_alignment(desc))
        return true;
    if (desc->SampleDesc.Count > 1)
        return desc->Alignment == D3D12_SMALL_MSAA_RESOURCE_PLACEMENT_ALIGNMENT;
    return desc->Alignment == D3D12_SMALL_RESOURCE_PLACEMENT_ALIGNMENT &&
           desc->Layout == D3D12_TEXTURE_LAYOUT_UNKNOWN && (desc->Flags & (RT | DS)) == 0 &&
           texture_is_small(desc);
}

static struct validation_error check_texture(const D3D12_RESOURCE_DESC *desc)
{
    struct format format;
    struct validation_error error = check_format(desc, &format);
    if (error.text)
        return error;
    REFUSE(!size_is_valid(desc, &format), CREATERESOURCE_INVALIDDIMENSIONS,
           "Width, Height and DepthOrArraySize must be above 0 and within the API's limits, and "
           "must be whole blocks of the format");
    if (desc->MipLevels > D3D12_REQ_MIP_LEVELS) /* mips above the size's number have one texel */
        return WITH_VALUE(VALIDATION_ERROR(CREATERESOURCE_INVALIDMIPLEVELS,
                                           "MipLevels must be at most 15"),
                          desc, MipLevels);
    REFUSE(!samples_are_valid(desc, &format), CREATERESOURCE_INVALIDSAMPLEDESC,
           "SampleDesc.Count must be 1 (2D targets with one mip level: 1, 2, 4 or 8), and "
           "SampleDesc.Quality must be 0");
    REFUSE_VALUE(!flags_are_valid(desc, &format), CREATERESOURCE_INVALIDMISCFLAGS,
                 "Flags must suit Format, and must not exclude each other", desc, Flags);
    error = check_layout(desc);
    if (!error.text && !alignment_is_valid(desc))
        error = WITH_VALUE(
            VALIDATION_ERROR(CREATERESOURCE_INVALIDALIGNMENT,
                             "Alignment must be 0 or an alignment that this texture may have"),
            desc, Alignment);
    return error;
}

struct validation_error resource_desc_check(const D3D12_RESOURCE_DESC *desc)
{
    REFUSE_VALUE(((UINT)desc->Flags & ~(UINT)KNOWN_FLAGS) != 0, CREATERESOURCE_INVALIDMISCFLAGS,
                 "Flags has flags that this device doesn't support", desc, Flags);
    switch (desc->Dimension) {
    case D3D12_RESOURCE_DIMENSION_BUFFER:
        return check_buffer(desc);
    case D3D12_RESOURCE_DIMENSION_TEXTURE1D:
    case D3D12_RESOURCE_DIMENSION_TEXTURE2D:
    case D3D12_RESOURCE_DIMENSION_TEXTURE3D:
        return check_texture(desc);
    case D3D12_RESOURCE_DIMENSION_UNKNOWN:
    default:
        return WITH_VALUE(
            VALIDATION_ERROR(CREATERESOURCE_UNRECOGNIZEDDIMENSIONALITY,
                             "Dimension must be BUFFER, TEXTURE1D, TEXTURE2D or TEXTURE3D"),
            desc, Dimension);
    }
}

/* ---- the initial state ---- */

enum resource_state_verdict resource_state_check(D3D12_RESOURCE_STATES state,
                                                 D3D12_RESOURCE_FLAGS flags)
{
    const D3D12_RESOURCE_STATES write = state & RESOURCE_STATES_WRITE;
    if (((UINT)state & ~(UINT)(RESOURCE_STATES_READ | RESOURCE_STATES_WRITE)) != 0)
        return RESOURCE_STATE_UNKNOWN;
    if ((write != 0 && write != state) || (write & (write - 1)) != 0)
        return RESOURCE_STATE_CONTRADICTORY;
    if ((write == D3D12_RESOURCE_STATE_RENDER_TARGET && (flags & RT) == 0) ||
        (write == D3D12_RESOURCE_STATE_UNORDERED_ACCESS && (flags & UA) == 0) ||
        (write == D3D12_RESOURCE_STATE_DEPTH_WRITE && (flags & DS) == 0))
        return RESOURCE_STATE_DENIED;
    return RESOURCE_STATE_VALID;
}

/* A reserved buffer's initial state is ignored, and needs no flag. */
static struct validation_error check_state(const struct resource_request *request,
                                           enum resource_kind kind)
{
    const bool is_ignored = kind == RESOURCE_RESERVED && resource_desc_is_buffer(&request->desc);
    switch (resource_state_check(request->state, request->desc.Flags)) {
    case RESOURCE_STATE_UNKNOWN:
    case RESOURCE_STATE_CONTRADICTORY:
        return VALIDATION_ERROR(
            CREATERESOURCEANDHEAP_INVALID_PARAMETERS,
            "InitialState must be a D3D12_RESOURCE_STATES, without states that exclude each other");
    case RESOURCE_STATE_DENIED:
        REFUSE(!is_ignored, CREATERESOURCEANDHEAP_INVALID_PARAMETERS,
               "the resource's Flags don't permit this InitialState");
        break;
    case RESOURCE_STATE_VALID:
        break;
    }
    return no_validation_error;
}

static bool layout_is_one_of(D3D12_BARRIER_LAYOUT layout, const D3D12_BARRIER_LAYOUT *layouts,
                             size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (layouts[i] == layout)
            return true;
    return false;
}

static struct validation_error check_initial_layout(const struct resource_request *request)
{
    static const D3D12_BARRIER_LAYOUT unordered[] = {
        D3D12_BARRIER_LAYOUT_UNORDERED_ACCESS, D3D12_BARRIER_LAYOUT_DIRECT_QUEUE_UNORDERED_ACCESS,
        D3D12_BARRIER_LAYOUT_COMPUTE_QUEUE_UNORDERED_ACCESS};
    static const D3D12_BARRIER_LAYOUT depth[] = {D3D12_BARRIER_LAYOUT_DEPTH_STENCIL_READ,
                                                 D3D12_BARRIER_LAYOUT_DEPTH_STENCIL_WRITE};
    const D3D12_BARRIER_LAYOUT layout = request->layout;
    const D3D12_RESOURCE_FLAGS flags = request->desc.Flags;
    if (resource_desc_is_buffer(&request->desc))
        return layout == D3D12_BARRIER_LAYOUT_UNDEFINED
                   ? no_validation_error
                   : VALIDATION_ERROR(
                         INCOMPATIBLE_BARRIER_LAYOUT,
                         "a buffer must have InitialLayout = D3D12_BARRIER_LAYOUT_UNDEFINED");
    if (layout == D3D12_BARRIER_LAYOUT_UNDEFINED || layout == D3D12_BARRIER_LAYOUT_COMMON)
        return no_validation_error;
    REFUSE((unsigned)layout > ABI_BARRIER_LAYOUT_VIDEO_QUEUE_COMMON, UNSUPPORTED_BARRIER_LAYOUT,
           "InitialLayout must be a D3D12_BARRIER_LAYOUT");
    REFUSE((flags & SIMULTANEOUS) != 0 ||
               (layout == D3D12_BARRIER_LAYOUT_RENDER_TARGET && (flags & RT) == 0) ||
               (layout_is_one_of(layout, unordered, sizeof unordered / sizeof unordered[0]) &&
                (flags & UA) == 0) ||
               (layout_is_one_of(layout, depth, sizeof depth / sizeof depth[0]) &&
                (flags & DS) == 0),
           INCOMPATIBLE_BARRIER_LAYOUT, "the resource's Flags don't permit this InitialLayout");
    return no_validation_error;
}

/* Checks a clear value. Only targets may have a clear value. */
static struct validation_error check_clear_value(const struct resource_request *request)
{
    const D3D12_CLEAR_VALUE *clear = request->clear;
    struct format format;
    if (!clear)
        return no_validation_error;
    REFUSE(resource_desc_is_buffer(&request->desc) || (request->desc.Flags & (RT | DS)) == 0,
           CREATERESOURCE_INVALIDCLEARVALUE,
           "pOptimizedClearValue must be NULL unless Flags allow a render "
           "target or depth stencil");
    REFUSE(!format_find(clear->Format, &format), CREATERESOURCE_UNRECOGNIZEDCLEARVALUEFORMAT,
           "the clear value's Format must be a DXGI_FORMAT");
    REFUSE(format.typeless || !format_may_view(request->desc.Format, clear->Format),
           CREATERESOURCE_INVALIDCLEARVALUEFORMAT,
           "the clear value's Format must be typed and of the resource's family");
    return no_validation_error;
}

static bool is_compressed(DXGI_FORMAT format)
{
    struct format found;
    return format_find(format, &found) && found.plane[0].width > 1;
}

/* Whether shaders may write the texture: they write blocks as integers, in a format for a cast. */
static bool may_be_written(const struct resource_request *request)
{
    bool may = (request->desc.Flags & UA) == 0 || !is_compressed(request->desc.Format);
    for (UINT i = 0; i < request->castable_count && !may; i++)
        may = !is_compressed(request->castable[i]);
    return may;
}

static struct validation_error check_castable(const struct resource_request *request)
{
    const char *const text = "castable formats must be typed and as large as the texture's format; "
                             "a buffer must have no castable formats";
    REFUSE(request->castable_count != 0 &&
               (!request->castable || resource_desc_is_buffer(&request->desc)),
           CREATERESOURCEANDHEAP_INVALID_PARAMETERS, text);
    for (UINT i = 0; i < request->castable_count; i++)
        REFUSE(!format_may_cast(request->desc.Format, request->castable[i]),
               CREATERESOURCEANDHEAP_INVALID_PARAMETERS, text);
    return may_be_written(request)
               ? no_validation_error
               : VALIDATION_ERROR(CREATERESOURCE_INVALIDMISCFLAGS,
                                  "a block-compressed texture with unordered access needs a "
                                  "castable format that is not compressed");
}

static struct validation_error check_reserved(const D3D12_RESOURCE_DESC *desc)
{
    if (!resource_desc_is_buffer(desc)) {
        REFUSE(desc->Layout != D3D12_TEXTURE_LAYOUT_64KB_UNDEFINED_SWIZZLE,
               CREATERESOURCE_INVALIDLAYOUT,
               "a reserved texture must have Layout = "
               "D3D12_TEXTURE_LAYOUT_64KB_UNDEFINED_SWIZZLE");
        REFUSE(desc->DepthOrArraySize > 1, CREATERESOURCE_INVALIDMIPLEVELS,
               "a reserved texture must not be an array, because the device packs all mips");
    }
    REFUSE(desc->Alignment != 0 && desc->Alignment != D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT,
           CREATERESOURCE_INVALIDALIGNMENT, "a reserved resource must have Alignment = 0 or 65536");
    REFUSE((desc->Flags & (ADAPTERS | VIDEO)) != 0, CREATERESOURCE_INVALIDMISCFLAGS,
           "Flags has a flag that reserved resources must not have");
    return no_validation_error;
}

struct validation_error resource_request_check(const struct resource_request *request,
                                               enum resource_kind kind)
{
    REFUSE(!request->has_desc, CREATERESOURCEANDHEAP_NULLRESOURCEPROPERTIES,
           "the description must not be NULL");
    struct validation_error error = resource_desc_check(&request->desc);
    if (!error.text &&
        (request->feedback.Width | request->feedback.Height | request->feedback.Depth) != 0)
        error = VALIDATION_ERROR(
            NONZERO_SAMPLER_FEEDBACK_MIP_REGION_WITH_INCOMPATIBLE_FORMAT,
            "SamplerFeedbackMipRegion must be 0: the device has no sampler feedback");
    if (!error.text && kind == RESOURCE_RESERVED)
        error = check_reserved(&request->desc);
    UNLESS_REFUSED(error, request->has_layout ? check_initial_layout(request)
                                              : check_state(request, kind));
    UNLESS_REFUSED(error, check_clear_value(request));
    return !error.text ? check_castable(request) : error;
}

/* ---- the place in a heap ---- */

bool resource_desc_is_denied(const D3D12_RESOURCE_DESC *desc, D3D12_HEAP_FLAGS flags)
{
    if (resource_desc_is_buffer(desc))
        return (flags & D3D12_HEAP_FLAG_DENY_BUFFERS) != 0;
    return (flags & ((desc->Flags & (RT | DS)) != 0 ? D3D12_HEAP_FLAG_DENY_RT_DS_TEXTURES
                                                    : D3D12_HEAP_FLAG_DENY_NON_RT_DS_TEXTURES)) !=
           0;
}

/* Upload heaps' buffers begin as GENERIC_READ, COMMON or COPY_SOURCE, readback heaps' as COPY_DEST
 * or COMMON [D3D12 Enhanced Barriers, "Upload and readback heaps"]. */
static bool is_first_state(bool is_upload, D3D12_RESOURCE_STATES state)
{
    return state == D3D12_RESOURCE_STATE_COMMON ||
           (is_upload ? state == D3D12_RESOURCE_STATE_GENERIC_READ ||
                            state == D3D12_RESOURCE_STATE_COPY_SOURCE
                      : state == D3D12_RESOURCE_STATE_COPY_DEST);
}

/* The heap types of uploads and readbacks are for buffers, whose state never changes. */
struct validation_error resource_request_check_heap(const struct resource_request *request,
                                                    const D3D12_HEAP_PROPERTIES *properties,
                                                    D3D12_HEAP_FLAGS flags)
{
    const bool upload = properties->Type == D3D12_HEAP_TYPE_UPLOAD;
    const bool readback = properties->Type == D3D12_HEAP_TYPE_READBACK;
    REFUSE(resource_desc_is_denied(&request->desc, flags),
           CREATERESOURCEANDHEAP_INVALIDHEAPMISCFLAGS,
           "the heap's Flags deny this kind of resource");
    REFUSE((request->desc.Flags & ADAPTERS) != 0 &&
               (flags & D3D12_HEAP_FLAG_SHARED_CROSS_ADAPTER) == 0,
           CREATERESOURCEANDHEAP_INVALIDHEAPMISCFLAGS,
           "a resource with ALLOW_CROSS_ADAPTER needs a heap with SHARED_CROSS_ADAPTER");
    if (!upload && !readback)
        return no_validation_error;
    REFUSE(!resource_desc_is_buffer(&request->desc) || (request->desc.Flags & (RT | UA)) != 0,
           CREATERESOURCEANDHEAP_INVALIDHEAPPROPERTIES,
           "an upload or readback heap can contain only buffers without unordered access");
    REFUSE(!request->has_layout && !is_first_state(upload, request->state),
           RESOURCE_BARRIER_INVALID_HEAP,
           "InitialState must be GENERIC_READ, COPY_SOURCE or COMMON in an upload heap; COPY_DEST "
           "or COMMON in a readback heap");
    return no_validation_error;
}

D3D12_RESOURCE_DESC resource_desc_complete(const D3D12_RESOURCE_DESC *desc)
{
    if (!resource_desc_is_buffer(desc))
        return texture_complete(desc);
    D3D12_RESOURCE_DESC complete = *desc;
    complete.Alignment = D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT;
    return complete;
}

UINT64 resource_desc_size(const D3D12_RESOURCE_DESC *desc)
{
    return resource_desc_is_buffer(desc) ? desc->Width : texture_allocation(desc).SizeInBytes;
}

D3D12_RESOURCE_ALLOCATION_INFO resource_desc_allocation(const D3D12_RESOURCE_DESC *desc)
{
    const UINT64 alignment = D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT;
    D3D12_RESOURCE_ALLOCATION_INFO info = {UINT64_MAX, alignment};
    if (!resource_desc_is_buffer(desc))
        return texture_allocation(desc);
    if (desc->Width <= EMU_GPU_ALLOCATION_LIMIT)
        info.SizeInBytes = texture_align(desc->Width, alignment);
    return info;
}
