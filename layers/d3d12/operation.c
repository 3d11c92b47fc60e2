/*
 * The calls of level "exact" as operations: numbers, pipeline and resources, which reports show
 * with what the pipeline runs. Each is noted in the marker that stands for the call.
 *
 * Breadcrumbs count more calls than these: the two are not joined.
 */
#include "layer.h"

#include <string.h>

enum { OBJECTS = 3 };

/* enum list_work, or what a command signature says. */
enum { OTHER = LIST_WORK_UNKNOWN, INDIRECT = LIST_WORK_MESH + 1 };

/* Calls that do work: D3D12_AUTO_BREADCRUMB_OP, 0: no operation is noted; and what the call's
 * objects are, in their order, 0: left out. */
static const struct known {
    uint16_t method;
    uint8_t kind;
    uint8_t work;
    uint8_t roles[OBJECTS];
} known[] = {
#define METHOD(list, name) METHOD_ID3D12GraphicsCommandList##list##_##name
#define OP(name)           D3D12_AUTO_BREADCRUMB_OP_##name
#define COPIED             ANNOT_BOUND_DESTINATION, ANNOT_BOUND_SOURCE
    {METHOD(, DrawInstanced), OP(DRAWINSTANCED), LIST_WORK_DRAW, {0}},
    {METHOD(, DrawIndexedInstanced), OP(DRAWINDEXEDINSTANCED), LIST_WORK_DRAW_INDEXED, {0}},
    {METHOD(, Dispatch), OP(DISPATCH), LIST_WORK_DISPATCH, {0}},
    {METHOD(6, DispatchMesh), OP(DISPATCHMESH), LIST_WORK_MESH, {0}},
    {METHOD(, ExecuteIndirect),
     OP(EXECUTEINDIRECT),
     INDIRECT,
     {0, ANNOT_BOUND_ARGUMENTS, ANNOT_BOUND_COUNTS}},
    {METHOD(, CopyBufferRegion), OP(COPYBUFFERREGION), OTHER, {COPIED}},
    {METHOD(, CopyTextureRegion), OP(COPYTEXTUREREGION), OTHER, {0}},
    {METHOD(, CopyResource), OP(COPYRESOURCE), OTHER, {COPIED}},
    {METHOD(, ResolveSubresource), OP(RESOLVESUBRESOURCE), OTHER, {COPIED}},
    {METHOD(1, ResolveSubresourceRegion), OP(RESOLVESUBRESOURCEREGION), OTHER, {COPIED}},
    {METHOD(, ResolveQueryData), OP(RESOLVEQUERYDATA), OTHER, {0, ANNOT_BOUND_DESTINATION}},
    {METHOD(, ClearRenderTargetView), OP(CLEARRENDERTARGETVIEW), OTHER, {0}},
    {METHOD(, ClearDepthStencilView), OP(CLEARDEPTHSTENCILVIEW), OTHER, {0}},
    {METHOD(, ClearUnorderedAccessViewUint),
     OP(CLEARUNORDEREDACCESSVIEW),
     OTHER,
     {ANNOT_BOUND_DESTINATION}},
    {METHOD(, ClearUnorderedAccessViewFloat),
     OP(CLEARUNORDEREDACCESSVIEW),
     OTHER,
     {ANNOT_BOUND_DESTINATION}},
    {METHOD(, CopyTiles), 0, OTHER, {0}},
    {METHOD(1, AtomicCopyBufferUINT), 0, OTHER, {0}},
    {METHOD(1, AtomicCopyBufferUINT64), 0, OTHER, {0}},
    {METHOD(4, InitializeMetaCommand), 0, OTHER, {0}},
    {METHOD(4, ExecuteMetaCommand), 0, OTHER, {0}},
    {METHOD(4, BuildRaytracingAccelerationStructure), 0, OTHER, {0}},
    {METHOD(4, EmitRaytracingAccelerationStructurePostbuildInfo), 0, OTHER, {0}},
    {METHOD(4, CopyRaytracingAccelerationStructure), 0, OTHER, {0}},
    {METHOD(4, DispatchRays), OP(DISPATCHRAYS), LIST_WORK_RAYS, {0}},
    /* newer than the headers that this may be compiled with: the numbers are published */
    {METHOD(10, DispatchGraph), 47, OTHER, {0}},
    {METHOD(Preview, ConvertLinearAlgebraMatrix), 56, OTHER, {0}},
#define ASYNC(name) METHOD_ID3D12CommandListAsyncCommands_##name
    {ASYNC(CopyBufferRegions), 57, OTHER, {0}},
    {ASYNC(CopyTextureRegions), 58, OTHER, {0}},
    {ASYNC(CopyResources), 59, OTHER, {0}},
    {ASYNC(CopyTilesAsync), 60, OTHER, {0}},
    {ASYNC(ResolveSubresourceRegionAsync), 61, OTHER, {COPIED}},
    {ASYNC(ResolveQueryDataAsync), 62, OTHER, {0, ANNOT_BOUND_DESTINATION}},
    {ASYNC(ClearBoundDepthStencilView), 63, OTHER, {0}},
    {ASYNC(ClearBoundRenderTargetViews), 64, OTHER, {0}},
    {ASYNC(ClearTextureSubresources), 65, OTHER, {0}},
    {ASYNC(FillBuffers), 66, OTHER, {0}},
};

static const struct known *find(uint16_t method)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].method == method)
            return &known[i];
    return NULL;
}

bool layer_is_work(uint16_t method)
{
    return find(method) != NULL;
}

bool layer_runs_pipeline(uint16_t method)
{
    const struct known *of = find(method);
    return of && of->work != OTHER;
}

static void add_object(struct list_objects *to, uint32_t role, uint64_t pointer)
{
    if (role && pointer)
        list_objects_add(to, layer_bound_id(pointer), (annot_bound_role)role);
}

/* Adds what arguments describe that are no objects themselves. */
static void add_described(const struct layer_list *list, uint16_t method, const uint64_t *args,
                          struct list_objects *to)
{
    const D3D12_TEXTURE_COPY_LOCATION *destination, *source;
    switch (method) {
    case METHOD(, CopyTextureRegion):
        destination = (const void *)(uintptr_t)args[0];
        source = (const void *)(uintptr_t)args[4];
        if (destination)
            add_object(to, ANNOT_BOUND_DESTINATION, (uintptr_t)destination->pResource);
        if (source)
            add_object(to, ANNOT_BOUND_SOURCE, (uintptr_t)source->pResource);
        break;
    case METHOD(, ClearRenderTargetView):
        layer_bound_add_view(list, args[0], ANNOT_BOUND_TARGET, to);
        break;
    case METHOD(, ClearDepthStencilView):
        layer_bound_add_view(list, args[0], ANNOT_BOUND_DEPTH, to);
        break;
    default:
        break;
    }
}

static void add_rays(annot_operation *to, int64_t *numbers, const D3D12_DISPATCH_RAYS_DESC *desc)
{
    if (!desc)
        return;
    numbers[to->argument_count++] = desc->Width;
    numbers[to->argument_count++] = desc->Height;
    numbers[to->argument_count++] = desc->Depth;
}

void layer_operation_note(struct layer_list *list, uint16_t method, const uint64_t *args,
                          enum list_work indirect)
{
    const struct schema_method_row *m = &schema_methods[method];
    const struct known *of = find(method);
    int64_t numbers[ANNOT_OPERATION_ARGUMENTS];
    struct list_objects objects = {.count = 0};
    uint32_t seen = 0;
    if (!of || !of->kind)
        return;
    list->stream.unnoted++;
    annot_operation operation = {.kind = of->kind,
                                 .number = ANNOT_OPERATION_APART,
                                 .arguments = numbers,
                                 .objects = objects.of};
    if (of->work != OTHER)
        layer_bound_use(list, of->work == INDIRECT ? indirect : (enum list_work)of->work, &objects);
    for (uint32_t i = 0; i < m->count; i++) {
        const struct schema_value *p = &schema_params[m->first + i];
        if (p->kind == KIND_O && seen < OBJECTS)
            add_object(&objects, of->roles[seen++], args[i]);
        else if ((p->kind == KIND_I || p->kind == KIND_U) &&
                 operation.argument_count < ANNOT_OPERATION_ARGUMENTS)
            numbers[operation.argument_count++] =
                p->kind == KIND_I && p->size == 4 ? (int32_t)args[i] : (int64_t)args[i];
    }
    if (of->work == LIST_WORK_RAYS)
        add_rays(&operation, numbers, (const void *)(uintptr_t)args[0]);
    add_described(list, method, args, &objects);
    operation.object_count = objects.count;
    crash_stream_note(&list->stream, &operation);
}

/* ---- what pipelines run ---- */

static void add_shader(const struct layer_mirror *pipeline, const D3D12_SHADER_BYTECODE *code,
                       annot_shader_stage stage)
{
    annot_shader read;
    if (!annot_shader_read(code->pShaderBytecode, code->BytecodeLength, &read))
        return;
    read.stage = (uint32_t)stage;
    annot_object_add_shader(pipeline->object, &read);
}

static void add_graphics(const struct layer_mirror *pipeline,
                         const D3D12_GRAPHICS_PIPELINE_STATE_DESC *desc)
{
    add_shader(pipeline, &desc->VS, ANNOT_SHADER_STAGE_VERTEX);
    add_shader(pipeline, &desc->HS, ANNOT_SHADER_STAGE_HULL);
    add_shader(pipeline, &desc->DS, ANNOT_SHADER_STAGE_DOMAIN);
    add_shader(pipeline, &desc->GS, ANNOT_SHADER_STAGE_GEOMETRY);
    add_shader(pipeline, &desc->PS, ANNOT_SHADER_STAGE_PIXEL);
}

static annot_shader_stage stage_of(uint32_t subobject)
{
    switch (subobject) {
    case D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_VS:
        return ANNOT_SHADER_STAGE_VERTEX;
    case D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_PS:
        return ANNOT_SHADER_STAGE_PIXEL;
    case D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_DS:
        return ANNOT_SHADER_STAGE_DOMAIN;
    case D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_HS:
        return ANNOT_SHADER_STAGE_HULL;
    case D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_GS:
        return ANNOT_SHADER_STAGE_GEOMETRY;
    case D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_AS:
        return ANNOT_SHADER_STAGE_AMPLIFICATION;
    case D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_MS:
        return ANNOT_SHADER_STAGE_MESH;
    default:
        return ANNOT_SHADER_STAGE_COMPUTE;
    }
}

static void add_stream(const struct layer_mirror *pipeline,
                       const D3D12_PIPELINE_STATE_STREAM_DESC *desc)
{
    const uint8_t *stream = desc->pPipelineStateSubobjectStream;
    struct schema_subobject subobject;
    D3D12_SHADER_BYTECODE code;
    uint64_t at = 0, value;
    uint32_t type;
    while (stream && codec_stream_next(stream, desc->SizeInBytes, &at, &value, &subobject)) {
        if (subobject.kind != KIND_S || subobject.type != TYPE_D3D12_SHADER_BYTECODE)
            continue;
        memcpy(&type, stream + value - 8, sizeof type); /* a pointer follows it, aligned */
        memcpy(&code, stream + value, sizeof code);
        add_shader(pipeline, &code, stage_of(type));
    }
}

void layer_pipeline_made(struct object *object, uint16_t method, const uint64_t *args)
{
    const struct layer_mirror *pipeline = layer_mirror_for(object);
    if (!pipeline || !pipeline->object)
        return;
    const void *first = (const void *)(uintptr_t)args[0];
    const void *named = (const void *)(uintptr_t)args[1]; /* behind a name in a library */
    switch (method) {
    case METHOD_ID3D12Device_CreateGraphicsPipelineState:
        add_graphics(pipeline, first);
        break;
    case METHOD_ID3D12PipelineLibrary_LoadGraphicsPipeline:
        add_graphics(pipeline, named);
        break;
    case METHOD_ID3D12Device_CreateComputePipelineState:
        add_shader(pipeline, &((const D3D12_COMPUTE_PIPELINE_STATE_DESC *)first)->CS,
                   ANNOT_SHADER_STAGE_COMPUTE);
        break;
    case METHOD_ID3D12PipelineLibrary_LoadComputePipeline:
        add_shader(pipeline, &((const D3D12_COMPUTE_PIPELINE_STATE_DESC *)named)->CS,
                   ANNOT_SHADER_STAGE_COMPUTE);
        break;
    case METHOD_ID3D12Device2_CreatePipelineState:
        add_stream(pipeline, first);
        break;
    default:
        add_stream(pipeline, named);
    }
}
