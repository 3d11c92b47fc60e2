/* ID3D12Device::CheckFeatureSupport: a row for each feature, with the size of its struct
 * [ANN-CAPS-03] and the function that fills it. A function only writes if the result is S_OK.
 *
 * An option is reported if the emulator's API accepts it, and at least as feature level 12_0
 * promises. Shaders are not executed, so options that only a shader could observe are absent. */
#include "base/abi.h"
#include "device/device.h"
#include "format/format_support.h"

static HRESULT feature_levels(void *answer)
{
    D3D12_FEATURE_DATA_FEATURE_LEVELS *data = answer;
    if (data->NumFeatureLevels == 0 || !data->pFeatureLevelsRequested)
        return E_INVALIDARG;
    D3D_FEATURE_LEVEL best = 0;
    for (UINT i = 0; i < data->NumFeatureLevels; i++) {
        const D3D_FEATURE_LEVEL level = data->pFeatureLevelsRequested[i];
        if (level <= D3D12_MAX_FEATURE_LEVEL && level > best)
            best = level;
    }
    if (best == 0)
        return DXGI_ERROR_UNSUPPORTED;
    data->MaxSupportedFeatureLevel = best;
    return S_OK;
}

#define HIGHEST_ROOT_SIGNATURE 3 /* 1.2, which headers have no name for */

/* Unknown versions are refused as documented. */
static HRESULT root_signature_version(void *answer)
{
    D3D12_FEATURE_DATA_ROOT_SIGNATURE *data = answer;
    const int highest = (int)data->HighestVersion;
    if (highest < D3D_ROOT_SIGNATURE_VERSION_1_0 || highest > HIGHEST_ROOT_SIGNATURE)
        return E_INVALIDARG;
    return S_OK;
}

/* Newer headers define these: D3D12_FEATURE_BARRIER_LAYOUT and D3D12_FEATURE_DATA_BARRIER_LAYOUT.
 */
#define FEATURE_BARRIER_LAYOUT 64

struct barrier_layout_support {
    D3D12_COMMAND_LIST_TYPE list_type;
    D3D12_BARRIER_LAYOUT layout;
    BOOL supported;
};

/* Bundles have no queue. */
static bool has_queue(D3D12_COMMAND_LIST_TYPE type)
{
    return (unsigned)type <= D3D12_COMMAND_LIST_TYPE_VIDEO_ENCODE &&
           type != D3D12_COMMAND_LIST_TYPE_BUNDLE;
}

/* A queue's layouts are for its lists; copy and video queues have COMMON, too [D3D12 Enhanced
 * Barriers, "Command Queue Layout Compatibility"]. */
static HRESULT barrier_layout(void *answer)
{
    struct barrier_layout_support *data = answer;
    const D3D12_BARRIER_LAYOUT layout = data->layout;
    const bool draws = data->list_type == D3D12_COMMAND_LIST_TYPE_DIRECT;
    const bool computes = data->list_type == D3D12_COMMAND_LIST_TYPE_COMPUTE;
    enum { DIRECT_QUEUE_GENERIC_READ_COMPUTE_QUEUE_ACCESSIBLE = 31 }; /* newer and optional */
    if (!has_queue(data->list_type) ||
        (layout != D3D12_BARRIER_LAYOUT_UNDEFINED &&
         (unsigned)layout > DIRECT_QUEUE_GENERIC_READ_COMPUTE_QUEUE_ACCESSIBLE))
        return E_INVALIDARG;
    if (layout == D3D12_BARRIER_LAYOUT_UNDEFINED || layout == D3D12_BARRIER_LAYOUT_COMMON)
        data->supported = TRUE;
    else if ((unsigned)layout == DIRECT_QUEUE_GENERIC_READ_COMPUTE_QUEUE_ACCESSIBLE)
        data->supported = FALSE;
    else if (layout == ABI_BARRIER_LAYOUT_VIDEO_QUEUE_COMMON)
        data->supported = data->list_type >= D3D12_COMMAND_LIST_TYPE_VIDEO_DECODE;
    else if (layout >= D3D12_BARRIER_LAYOUT_VIDEO_DECODE_READ &&
             layout <= D3D12_BARRIER_LAYOUT_VIDEO_ENCODE_WRITE) /* two of each kind */
        data->supported = (unsigned)(layout - D3D12_BARRIER_LAYOUT_VIDEO_DECODE_READ) / 2 ==
                          (unsigned)(data->list_type - D3D12_COMMAND_LIST_TYPE_VIDEO_DECODE);
    else if (layout >= D3D12_BARRIER_LAYOUT_COMPUTE_QUEUE_COMMON)
        data->supported = computes;
    else if (layout >= D3D12_BARRIER_LAYOUT_DIRECT_QUEUE_COMMON)
        data->supported = draws;
    else
        data->supported = draws || (computes && (layout == D3D12_BARRIER_LAYOUT_GENERIC_READ ||
                                                 layout == D3D12_BARRIER_LAYOUT_UNORDERED_ACCESS ||
                                                 layout == D3D12_BARRIER_LAYOUT_SHADER_RESOURCE ||
                                                 layout == D3D12_BARRIER_LAYOUT_COPY_SOURCE ||
                                                 layout == D3D12_BARRIER_LAYOUT_COPY_DEST));
    return S_OK;
}

#define HIGHEST_SHADER_MODEL 0x6A /* 6.10; each version of the headers ends at another one */

/* No shader is executed, so all models are supported: the answer is the highest model, but at most
 * the requested one. */
static HRESULT shader_model(void *answer)
{
    const D3D12_FEATURE_DATA_SHADER_MODEL *data = answer;
    const int model = (int)data->HighestShaderModel;
    const bool known = model == D3D_SHADER_MODEL_5_1 ||
                       (model >= D3D_SHADER_MODEL_6_0 && model <= HIGHEST_SHADER_MODEL);
    return known ? S_OK : E_INVALIDARG;
}

static HRESULT queue_priority(void *answer)
{
    D3D12_FEATURE_DATA_COMMAND_QUEUE_PRIORITY *data = answer;
    if (!has_queue(data->CommandListType))
        return E_INVALIDARG;
    data->PriorityForTypeIsSupported = data->Priority == D3D12_COMMAND_QUEUE_PRIORITY_NORMAL ||
                                       data->Priority == D3D12_COMMAND_QUEUE_PRIORITY_HIGH;
    return S_OK;
}

/* Refuses all questions, because there is no meta command. */
static HRESULT meta_command(void *answer)
{
    (void)answer;
    return DXGI_ERROR_UNSUPPORTED;
}

#define SESSION_TYPES 1

/* The program got Count from the query for the number of types. */
static HRESULT session_types(void *answer)
{
    D3D12_FEATURE_DATA_PROTECTED_RESOURCE_SESSION_TYPES *data = answer;
    if (data->NodeIndex != 0 || data->Count != SESSION_TYPES || !data->pTypes)
        return E_INVALIDARG;
    data->pTypes[0] = D3D12_PROTECTED_RESOURCES_SESSION_HARDWARE_PROTECTED;
    return S_OK;
}

static HRESULT user_defined_annotation(struct d3d12_device *device, void *answer)
{
    D3D12_FEATURE_DATA_USER_DEFINED_ANNOTATION *data = answer;
    data->Supported = annot_device_is_supported(device->annot) ? TRUE : FALSE;
    return S_OK;
}

static const D3D12_FEATURE_DATA_D3D12_OPTIONS options = {
    .OutputMergerLogicOp = TRUE,
    .TiledResourcesTier = D3D12_TILED_RESOURCES_TIER_2,
    .ResourceBindingTier = D3D12_RESOURCE_BINDING_TIER_2,
    .TypedUAVLoadAdditionalFormats = TRUE,
    .MaxGPUVirtualAddressBitsPerResource = 40,
    .ResourceHeapTier = D3D12_RESOURCE_HEAP_TIER_2,
};
static const D3D12_FEATURE_DATA_D3D12_OPTIONS1 options1 = {.ExpandedComputeResourceStates = TRUE};
static const D3D12_FEATURE_DATA_D3D12_OPTIONS3 options3 = {
    .CopyQueueTimestampQueriesSupported = TRUE,
    .CastingFullyTypedFormatSupported = TRUE,
    .WriteBufferImmediateSupportFlags =
        D3D12_COMMAND_LIST_SUPPORT_FLAG_DIRECT | D3D12_COMMAND_LIST_SUPPORT_FLAG_BUNDLE |
        D3D12_COMMAND_LIST_SUPPORT_FLAG_COMPUTE | D3D12_COMMAND_LIST_SUPPORT_FLAG_COPY |
        D3D12_COMMAND_LIST_SUPPORT_FLAG_VIDEO_DECODE |
        D3D12_COMMAND_LIST_SUPPORT_FLAG_VIDEO_PROCESS |
        D3D12_COMMAND_LIST_SUPPORT_FLAG_VIDEO_ENCODE,
};
static const D3D12_FEATURE_DATA_D3D12_OPTIONS12 options12 = {
    .MSPrimitivesPipelineStatisticIncludesCulledPrimitives = D3D12_TRI_STATE_UNKNOWN,
    .EnhancedBarriersSupported = TRUE};
static const D3D12_FEATURE_DATA_GPU_VIRTUAL_ADDRESS_SUPPORT addresses = {
    .MaxGPUVirtualAddressBitsPerResource = 40, .MaxGPUVirtualAddressBitsPerProcess = 47};
static const D3D12_FEATURE_DATA_SHADER_CACHE caches = {D3D12_SHADER_CACHE_SUPPORT_SINGLE_PSO |
                                                       D3D12_SHADER_CACHE_SUPPORT_LIBRARY};

/* A device error reaches the runtime in time, but no driver has options for the collected data. */
/* Tier 2: no overhead and a single option; tier 1: some overhead [DirectX dump files v0.02]. */
static HRESULT fill_dump_file(struct d3d12_device *device, void *answer)
{
    const uint32_t no_overhead = D3D12_DUMP_FILE_DRIVER_OPTION_NO_OVERHEAD;
    const uint32_t single = D3D12_DUMP_FILE_DRIVER_OPTION_SHADER_REGISTERS |
                            D3D12_DUMP_FILE_DRIVER_OPTION_RESOURCES |
                            D3D12_DUMP_FILE_DRIVER_OPTION_EVENT_MARKERS;
    const uint32_t some_overhead =
        D3D12_DUMP_FILE_DRIVER_OPTION_MEDIUM_OVERHEAD | D3D12_DUMP_FILE_DRIVER_OPTION_HIGH_OVERHEAD;
    const uint32_t supported = device->driver->dump_file ? device->driver->dump_file_options : 0;
    D3D12_FEATURE_DATA_DUMP_FILE *out = answer;
    *out = (D3D12_FEATURE_DATA_DUMP_FILE){.SupportedByOS = TRUE,
                                          .DumpFileDriverTier =
                                              D3D12_DUMP_FILE_DRIVER_TIER_NOT_SUPPORTED,
                                          .DumpFileDriverOptionsMask = supported};
    if (supported & no_overhead && supported & single)
        out->DumpFileDriverTier = D3D12_DUMP_FILE_DRIVER_TIER_2;
    else if (supported & some_overhead)
        out->DumpFileDriverTier = D3D12_DUMP_FILE_DRIVER_TIER_1;
    return S_OK;
}

/* A break halts the waves until the timeout, because no debugger can continue. */
static const D3D12_FEATURE_DATA_DEBUG_BREAK debug_break = {.HaltSupported = TRUE};
/* Newer headers define these structs; all of their members are of 4 bytes. */
static const UINT options15[] = {0, 1}; /* DynamicIndexBufferStripCutSupported */
static const UINT options16[] = {1, 0}; /* DynamicDepthBiasSupported */
static const UINT options19[] = {0, 1, 0, 0, 0, 0, 2048, 2048, 1000000, 0};
static const UINT options20[] = {0, 1}; /* RecreateAtTier: SetNextAllocationAddress */
static const UINT options22[] = {0, 0, D3D12_CS_DISPATCH_MAX_THREAD_GROUPS_PER_DIMENSION, 0};
static const UINT yes = TRUE;

static const D3D12_FEATURE_DATA_EXISTING_HEAPS existing_heaps = {.Supported = TRUE};

/* ---- answers for node 0, which is the first member of the question ---- */

static const D3D12_FEATURE_DATA_ARCHITECTURE architecture = {.UMA = TRUE, .CacheCoherentUMA = TRUE};
static const D3D12_FEATURE_DATA_ARCHITECTURE1 architecture1 = {.UMA = TRUE,
                                                               .CacheCoherentUMA = TRUE};
static const D3D12_FEATURE_DATA_PROTECTED_RESOURCE_SESSION_SUPPORT session_support = {
    .Support = D3D12_PROTECTED_RESOURCE_SESSION_SUPPORT_FLAG_SUPPORTED};
static const D3D12_FEATURE_DATA_PROTECTED_RESOURCE_SESSION_TYPE_COUNT session_type_count = {
    .Count = SESSION_TYPES};

struct feature {
    unsigned id;
    UINT size;
    HRESULT (*fill)(void *answer);
    HRESULT (*fill_of)(struct d3d12_device *device, void *answer);
    const void *constant; /* the answer without a function; NULL: all zeros, nothing is supported */
    bool is_of_node;
};

#define FEATURE(name) .id = D3D12_FEATURE_##name, .size = sizeof(D3D12_FEATURE_DATA_##name)

static const struct feature features[] = {
    {FEATURE(D3D12_OPTIONS), .constant = &options},
    {FEATURE(ARCHITECTURE), .constant = &architecture, .is_of_node = true},
    {FEATURE(FEATURE_LEVELS), .fill = feature_levels},
    {FEATURE(FORMAT_SUPPORT), .fill = format_support},
    {FEATURE(MULTISAMPLE_QUALITY_LEVELS), .fill = format_quality_levels},
    {FEATURE(FORMAT_INFO), .fill = format_info},
    {FEATURE(GPU_VIRTUAL_ADDRESS_SUPPORT), .constant = &addresses},
    {FEATURE(SHADER_MODEL), .fill = shader_model},
    {FEATURE(D3D12_OPTIONS1), .constant = &options1},
    {FEATURE(PROTECTED_RESOURCE_SESSION_SUPPORT), .constant = &session_support, .is_of_node = true},
    {FEATURE(ROOT_SIGNATURE), .fill = root_signature_version},
    {FEATURE(ARCHITECTURE1), .constant = &architecture1, .is_of_node = true},
    {FEATURE(D3D12_OPTIONS2)},
    {FEATURE(SHADER_CACHE), .constant = &caches},
    {FEATURE(COMMAND_QUEUE_PRIORITY), .fill = queue_priority},
    {FEATURE(D3D12_OPTIONS3), .constant = &options3},
    {FEATURE(EXISTING_HEAPS), .constant = &existing_heaps},
    {FEATURE(D3D12_OPTIONS4)},
    {FEATURE(SERIALIZATION), .is_of_node = true}, /* D3D12_HEAP_SERIALIZATION_TIER_0 */
    {FEATURE(CROSS_NODE)},
    {FEATURE(D3D12_OPTIONS5)},
    {FEATURE(DISPLAYABLE)},
    {FEATURE(D3D12_OPTIONS6)},
    {FEATURE(QUERY_META_COMMAND), .fill = meta_command},
    {FEATURE(D3D12_OPTIONS7)},
    {FEATURE(PROTECTED_RESOURCE_SESSION_TYPE_COUNT), .constant = &session_type_count,
     .is_of_node = true},
    {FEATURE(PROTECTED_RESOURCE_SESSION_TYPES), .fill = session_types},
    {FEATURE(D3D12_OPTIONS8)},
    {FEATURE(D3D12_OPTIONS9)},
    {FEATURE(D3D12_OPTIONS10)},
    {FEATURE(D3D12_OPTIONS11)},
    {FEATURE(D3D12_OPTIONS12), .constant = &options12},
    {FEATURE(D3D12_OPTIONS13)},
    {FEATURE(D3D12_OPTIONS14)},
    {FEATURE(D3D12_OPTIONS15), .constant = &options15},
    {.id = FEATURE_BARRIER_LAYOUT,
     .size = sizeof(struct barrier_layout_support),
     .fill = barrier_layout},
    {FEATURE(DUMP_FILE), .fill_of = fill_dump_file},
    {FEATURE(USER_DEFINED_ANNOTATION), .fill_of = user_defined_annotation},
    {FEATURE(DEBUG_BREAK), .constant = &debug_break},
    {.id = 45, .size = sizeof options16, .constant = options16},
    {.id = 46, .size = 2 * sizeof(UINT)}, /* OPTIONS17 */
    {.id = 47, .size = 1 * sizeof(UINT)}, /* OPTIONS18 */
    {.id = 48, .size = sizeof options19, .constant = options19},
    {.id = 49, .size = sizeof options20, .constant = options20},
    {.id = 50, .size = sizeof yes, .constant = &yes}, /* PREDICATION */
    {.id = 52, .size = 1 * sizeof(UINT)},             /* HARDWARE_COPY */
    {.id = 53, .size = 4 * sizeof(UINT)},             /* OPTIONS21 */
    {.id = 54, .size = 1 * sizeof(UINT)},             /* TIGHT_ALIGNMENT */
    {.id = 56, .size = 1 * sizeof(UINT)},             /* APPLICATION_SPECIFIC_DRIVER_STATE */
    {.id = 57, .size = 1 * sizeof(UINT)},             /* BYTECODE_BYPASS_HASH_SUPPORTED */
    {.id = 60, .size = 1 * sizeof(UINT)},             /* HARDWARE_SCHEDULING_QUEUE_GROUPINGS */
    {.id = 65, .size = sizeof options22, .constant = options22},
    {.id = ANNOT_D3D12_FEATURE_V006,
     .size = sizeof(D3D12_FEATURE_DATA_USER_DEFINED_ANNOTATION),
     .fill_of = user_defined_annotation},
};

static const struct feature *find_feature(unsigned id)
{
    for (size_t i = 0; i < sizeof features / sizeof features[0]; i++)
        if (features[i].id == id)
            return &features[i];
    return NULL;
}

HRESULT d3d12_device_check_feature(struct d3d12_device *device, D3D12_FEATURE feature, void *data,
                                   UINT size)
{
    const struct feature *found = find_feature((unsigned)feature);
    if (!found || !data || size != found->size)
        return E_INVALIDARG;
    if (found->fill)
        return found->fill(data);
    if (found->fill_of)
        return found->fill_of(device, data);
    UINT node = 0;
    if (found->is_of_node)
        memcpy(&node, data, sizeof node);
    if (node != 0)
        return E_INVALIDARG;
    if (found->constant)
        memcpy(data, found->constant, size);
    else
        memset(data, 0, size);
    return S_OK;
}
