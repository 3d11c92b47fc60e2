#include "kit_object.h"

#include "kit_video_object.h"

typedef HRESULT make(ID3D12Device *device, struct kit_object *object);

static HRESULT make_queue(ID3D12Device *device, struct kit_object *o)
{
    o->object = (ID3D12Object *)kit_queue(device, DIRECT);
    return S_OK;
}

static HRESULT make_allocator(ID3D12Device *device, struct kit_object *o)
{
    o->object = (ID3D12Object *)kit_allocator(device, DIRECT);
    return S_OK;
}

static HRESULT make_any_list(ID3D12Device *device, struct kit_object *o,
                             D3D12_COMMAND_LIST_TYPE type)
{
    const struct kit_list list = kit_list(device, type);
    o->object = (ID3D12Object *)list.list;
    o->below[0] = (IUnknown *)list.allocator;
    return S_OK;
}

static HRESULT make_list(ID3D12Device *device, struct kit_object *o)
{
    return make_any_list(device, o, DIRECT);
}

static HRESULT make_bundle(ID3D12Device *device, struct kit_object *o)
{
    return make_any_list(device, o, BUNDLE);
}

static HRESULT make_decode_list(ID3D12Device *device, struct kit_object *o)
{
    return make_any_list(device, o, DECODE);
}

static HRESULT make_process_list(ID3D12Device *device, struct kit_object *o)
{
    return make_any_list(device, o, PROCESS);
}

static HRESULT make_encode_list(ID3D12Device *device, struct kit_object *o)
{
    return make_any_list(device, o, ENCODE);
}

static HRESULT make_fence(ID3D12Device *device, struct kit_object *o)
{
    o->object = (ID3D12Object *)kit_fence(device, 0);
    return S_OK;
}

static HRESULT make_heap(ID3D12Device *device, struct kit_object *o)
{
    const D3D12_HEAP_DESC desc = {.SizeInBytes = 65536,
                                  .Properties = {.Type = D3D12_HEAP_TYPE_DEFAULT},
                                  .Flags = D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS};
    return ID3D12Device_CreateHeap(device, &desc, &IID_ID3D12Heap, (void **)&o->object);
}

static HRESULT make_committed(ID3D12Device *device, struct kit_object *o)
{
    o->object = (ID3D12Object *)kit_buffer(device, D3D12_HEAP_TYPE_DEFAULT, 1024);
    return S_OK;
}

static HRESULT make_placed(ID3D12Device *device, struct kit_object *o)
{
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc(1024);
    struct kit_object heap = {0};
    const HRESULT hr = make_heap(device, &heap);
    if (FAILED(hr))
        return hr;
    o->below[0] = (IUnknown *)heap.object;
    return ID3D12Device_CreatePlacedResource(device, (ID3D12Heap *)heap.object, 0, &desc,
                                             D3D12_RESOURCE_STATE_COMMON, NULL, &IID_ID3D12Resource,
                                             (void **)&o->object);
}

static HRESULT make_reserved(ID3D12Device *device, struct kit_object *o)
{
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc(65536);
    return ID3D12Device_CreateReservedResource(device, &desc, D3D12_RESOURCE_STATE_COMMON, NULL,
                                               &IID_ID3D12Resource, (void **)&o->object);
}

static HRESULT make_descriptor_heap(ID3D12Device *device, struct kit_object *o)
{
    const D3D12_DESCRIPTOR_HEAP_DESC desc = {.Type = D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV,
                                             .NumDescriptors = 4};
    return ID3D12Device_CreateDescriptorHeap(device, &desc, &IID_ID3D12DescriptorHeap,
                                             (void **)&o->object);
}

static HRESULT make_query_heap(ID3D12Device *device, struct kit_object *o)
{
    const D3D12_QUERY_HEAP_DESC desc = {.Type = D3D12_QUERY_HEAP_TYPE_TIMESTAMP, .Count = 4};
    return ID3D12Device_CreateQueryHeap(device, &desc, &IID_ID3D12QueryHeap, (void **)&o->object);
}

static HRESULT make_root_signature(ID3D12Device *device, struct kit_object *o)
{
    o->object = (ID3D12Object *)kit_root_signature(device);
    return S_OK;
}

static HRESULT make_compute_pipeline(ID3D12Device *device, struct kit_object *o)
{
    if (!the_runtime.kernel_bytecode)
        return E_NOTIMPL;
    ID3D12RootSignature *signature = kit_root_signature(device);
    o->below[0] = (IUnknown *)signature;
    o->object = (ID3D12Object *)kit_pipeline(device, signature, EMU_KERNEL_FILL);
    return S_OK;
}

static HRESULT make_graphics_pipeline(ID3D12Device *device, struct kit_object *o)
{
    D3D12_GRAPHICS_PIPELINE_STATE_DESC desc = {
        .PrimitiveTopologyType = D3D12_PRIMITIVE_TOPOLOGY_TYPE_TRIANGLE,
        .SampleMask = 0xFFFFFFFF,
        .SampleDesc = {.Count = 1},
        .RasterizerState = {.FillMode = D3D12_FILL_MODE_SOLID, .CullMode = D3D12_CULL_MODE_NONE},
    };
    size_t size = 0;
    if (!the_runtime.kernel_bytecode)
        return E_NOTIMPL;
    desc.pRootSignature = kit_root_signature(device);
    o->below[0] = (IUnknown *)desc.pRootSignature;
    desc.VS.pShaderBytecode = the_runtime.kernel_bytecode(EMU_KERNEL_FILL, &size);
    desc.VS.BytecodeLength = size;
    return ID3D12Device_CreateGraphicsPipelineState(device, &desc, &IID_ID3D12PipelineState,
                                                    (void **)&o->object);
}

static HRESULT make_command_signature(ID3D12Device *device, struct kit_object *o)
{
    const D3D12_INDIRECT_ARGUMENT_DESC argument = {.Type = D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH};
    const D3D12_COMMAND_SIGNATURE_DESC desc = {
        .ByteStride = 12, .NumArgumentDescs = 1, .pArgumentDescs = &argument};
    return ID3D12Device_CreateCommandSignature(device, &desc, NULL, &IID_ID3D12CommandSignature,
                                               (void **)&o->object);
}

static HRESULT make_pipeline_library(ID3D12Device *device, struct kit_object *o)
{
    ID3D12Device1 *newer = NULL;
    if (FAILED(ID3D12Device_QueryInterface(device, &IID_ID3D12Device1, (void **)&newer)))
        return E_NOTIMPL;
    const HRESULT hr = ID3D12Device1_CreatePipelineLibrary(
        newer, NULL, 0, &IID_ID3D12PipelineLibrary, (void **)&o->object);
    ID3D12Device1_Release(newer);
    return hr;
}

/* A collection with a root signature and no shader: all that can be made without a compiler. */
static HRESULT make_state_object(ID3D12Device *device, struct kit_object *o)
{
    ID3D12Device5 *newer = NULL;
    if (FAILED(ID3D12Device_QueryInterface(device, &IID_ID3D12Device5, (void **)&newer)))
        return E_NOTIMPL;
    const D3D12_GLOBAL_ROOT_SIGNATURE global = {kit_root_signature(device)};
    const D3D12_STATE_SUBOBJECT part = {D3D12_STATE_SUBOBJECT_TYPE_GLOBAL_ROOT_SIGNATURE, &global};
    const D3D12_STATE_OBJECT_DESC desc = {D3D12_STATE_OBJECT_TYPE_COLLECTION, 1, &part};
    o->below[0] = (IUnknown *)global.pGlobalRootSignature;
    const HRESULT hr =
        ID3D12Device5_CreateStateObject(newer, &desc, &IID_ID3D12StateObject, (void **)&o->object);
    ID3D12Device5_Release(newer);
    return hr;
}

static HRESULT make_protected_session(ID3D12Device *device, struct kit_object *o)
{
    ID3D12Device4 *newer = NULL;
    const D3D12_PROTECTED_RESOURCE_SESSION_DESC desc = {0};
    if (FAILED(ID3D12Device_QueryInterface(device, &IID_ID3D12Device4, (void **)&newer)))
        return E_NOTIMPL;
    const HRESULT hr = ID3D12Device4_CreateProtectedResourceSession(
        newer, &desc, &IID_ID3D12ProtectedResourceSession, (void **)&o->object);
    ID3D12Device4_Release(newer);
    return hr;
}

/* make NULL: kit_video_object's. */
static const struct kind {
    D3D12DDI_HANDLETYPE type;
    make *make;
} kinds[OBJECT_KINDS] = {
    [OBJECT_QUEUE] = {D3D12DDI_HT_COMMAND_QUEUE, make_queue},
    [OBJECT_ALLOCATOR] = {D3D12DDI_HT_COMMAND_ALLOCATOR, make_allocator},
    [OBJECT_LIST] = {D3D12DDI_HT_COMMAND_LIST, make_list},
    [OBJECT_BUNDLE] = {D3D12DDI_HT_COMMAND_LIST, make_bundle},
    [OBJECT_DECODE_LIST] = {D3D12DDI_HT_COMMAND_LIST, make_decode_list},
    [OBJECT_PROCESS_LIST] = {D3D12DDI_HT_COMMAND_LIST, make_process_list},
    [OBJECT_ENCODE_LIST] = {D3D12DDI_HT_COMMAND_LIST, make_encode_list},
    [OBJECT_FENCE] = {D3D12DDI_HT_FENCE, make_fence},
    [OBJECT_HEAP] = {D3D12DDI_HT_HEAP, make_heap},
    [OBJECT_COMMITTED_RESOURCE] = {D3D12DDI_HT_RESOURCE, make_committed},
    [OBJECT_PLACED_RESOURCE] = {D3D12DDI_HT_RESOURCE, make_placed},
    [OBJECT_RESERVED_RESOURCE] = {D3D12DDI_HT_RESOURCE, make_reserved},
    [OBJECT_DESCRIPTOR_HEAP] = {D3D12DDI_HT_DESCRIPTOR_HEAP, make_descriptor_heap},
    [OBJECT_QUERY_HEAP] = {D3D12DDI_HT_QUERY_HEAP, make_query_heap},
    [OBJECT_ROOT_SIGNATURE] = {D3D12DDI_HT_ROOT_SIGNATURE, make_root_signature},
    [OBJECT_COMPUTE_PIPELINE] = {D3D12DDI_HT_PIPELINE_STATE, make_compute_pipeline},
    [OBJECT_GRAPHICS_PIPELINE] = {D3D12DDI_HT_PIPELINE_STATE, make_graphics_pipeline},
    [OBJECT_COMMAND_SIGNATURE] = {D3D12DDI_HT_COMMAND_SIGNATURE, make_command_signature},
    [OBJECT_PIPELINE_LIBRARY] = {D3D12DDI_HT_PIPELINE_LIBRARY, make_pipeline_library},
    [OBJECT_STATE_OBJECT] = {D3D12DDI_HT_STATE_OBJECT, make_state_object},
    [OBJECT_PROTECTED_SESSION] = {D3D12DDI_HT_PROTECTEDRESOURCESESSION, make_protected_session},
    [OBJECT_VIDEO_DECODER] = {D3D12DDI_HT_VIDEO_DECODER, NULL},
    [OBJECT_VIDEO_DECODER_HEAP] = {D3D12DDI_HT_VIDEO_DECODER_HEAP, NULL},
    [OBJECT_VIDEO_PROCESSOR] = {D3D12DDI_HT_VIDEO_PROCESSOR, NULL},
    [OBJECT_VIDEO_MOTION_ESTIMATOR] = {D3D12DDI_HT_VIDEO_MOTION_ESTIMATOR, NULL},
    [OBJECT_VIDEO_MOTION_VECTOR_HEAP] = {D3D12DDI_HT_VIDEO_MOTION_VECTOR_HEAP, NULL},
    [OBJECT_VIDEO_ENCODER] = {D3D12DDI_HT_VIDEO_ENCODER, NULL},
    [OBJECT_VIDEO_ENCODER_HEAP] = {D3D12DDI_HT_VIDEO_ENCODER_HEAP, NULL},
};

const char *const kit_object_rows[] = {
    [OBJECT_QUEUE] = "queue",
    [OBJECT_ALLOCATOR] = "allocator",
    [OBJECT_LIST] = "list",
    [OBJECT_BUNDLE] = "bundle",
    [OBJECT_DECODE_LIST] = "decode-list",
    [OBJECT_PROCESS_LIST] = "process-list",
    [OBJECT_ENCODE_LIST] = "encode-list",
    [OBJECT_FENCE] = "fence",
    [OBJECT_HEAP] = "heap",
    [OBJECT_COMMITTED_RESOURCE] = "committed-resource",
    [OBJECT_PLACED_RESOURCE] = "placed-resource",
    [OBJECT_RESERVED_RESOURCE] = "reserved-resource",
    [OBJECT_DESCRIPTOR_HEAP] = "descriptor-heap",
    [OBJECT_QUERY_HEAP] = "query-heap",
    [OBJECT_ROOT_SIGNATURE] = "root-signature",
    [OBJECT_COMPUTE_PIPELINE] = "compute-pipeline",
    [OBJECT_GRAPHICS_PIPELINE] = "graphics-pipeline",
    [OBJECT_COMMAND_SIGNATURE] = "command-signature",
    [OBJECT_PIPELINE_LIBRARY] = "pipeline-library",
    [OBJECT_STATE_OBJECT] = "state-object",
    [OBJECT_PROTECTED_SESSION] = "protected-session",
    [OBJECT_VIDEO_DECODER] = "video-decoder",
    [OBJECT_VIDEO_DECODER_HEAP] = "video-decoder-heap",
    [OBJECT_VIDEO_PROCESSOR] = "video-processor",
    [OBJECT_VIDEO_MOTION_ESTIMATOR] = "video-motion-estimator",
    [OBJECT_VIDEO_MOTION_VECTOR_HEAP] = "video-motion-vector-heap",
    [OBJECT_VIDEO_ENCODER] = "video-encoder",
    [OBJECT_VIDEO_ENCODER_HEAP] = "video-encoder-heap",
    [OBJECT_KINDS] = NULL,
};
_Static_assert(sizeof kit_object_rows / sizeof kit_object_rows[0] == OBJECT_KINDS + 1,
               "a row for every kind");

#define UNSUPPORTED 0x887A0004 /* DXGI_ERROR_UNSUPPORTED */

struct kit_object kit_object_if_any(ID3D12Device *device, enum kit_object_kind kind)
{
    struct kit_object object = {.type = kinds[kind].type};
    const HRESULT hr = kinds[kind].make ? kinds[kind].make(device, &object)
                                        : kit_video_object(device, kind, (void **)&object.object);
    /* a driver may have no pipeline libraries [ID3D12Device1::CreatePipelineLibrary] */
    const bool is_left_out = (uint32_t)hr == (uint32_t)E_NOTIMPL ||
                             (kind == OBJECT_PIPELINE_LIBRARY && (uint32_t)hr == UNSUPPORTED);
    if (!is_left_out)
        REQUIRE_OK(hr);
    REQUIRE((hr == S_OK) == !!object.object);
    return object;
}

struct kit_object kit_object(ID3D12Device *device, enum kit_object_kind kind)
{
    const struct kit_object object = kit_object_if_any(device, kind);
    const bool is_pipeline = kinds[kind].type == D3D12DDI_HT_PIPELINE_STATE;
    if (!object.object && is_pipeline && !the_runtime.kernel_bytecode)
        SKIP("the suite has no shader for pipelines: the runtime exports no emu_kernel_bytecode");
    if (!object.object)
        SKIP("the runtime doesn't make objects of this kind");
    return object;
}

void kit_object_done(struct kit_object *object)
{
    kit_release(object->object);
    kit_release(object->below[0]);
    kit_release(object->below[1]);
    *object = (struct kit_object){.type = object->type};
}
