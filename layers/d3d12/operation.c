/* The calls of level "exact" as operations: numbers, pipeline and resources, which reports show
 * with the pipeline's shaders. Each operation is noted in the marker of its call.
 *
 * Breadcrumbs count more calls, so the two are not joined. */
#include "classes.h"
#include "layer.h"

#include "d3d12_rules/subresources.h"

#include <string.h>

enum { OBJECTS = 3 };

/* an enum list_work, or the work of a command signature */
enum { OTHER = LIST_WORK_UNKNOWN, INDIRECT = LIST_WORK_MESH + 1 };

#define PASTE(iface, name)     METHOD_##iface##_##name
#define METHOD_OF(iface, name) PASTE(iface, name)

static const struct known {
    uint32_t kind; /* 0: the call is no work */
    uint8_t work;
    uint8_t roles[OBJECTS];
} known[SCHEMA_METHODS] = {
#define ROW(iface, name, kind, work, ...) [METHOD_OF(iface, name)] = {kind, work, {__VA_ARGS__}},
    LIST_WORK(ROW)
#undef ROW
};

bool layer_is_work(uint16_t method)
{
    return known[method].kind != 0;
}

bool layer_runs_pipeline(uint16_t method)
{
    return known[method].kind != 0 && known[method].work != OTHER;
}

static void add_object(struct list_objects *to, uint32_t role, uint64_t pointer)
{
    if (role && pointer)
        list_objects_add(to, layer_bound_id(pointer), (annot_bound_role)role);
}

static void add_location(struct list_objects *to, annot_bound_role role, uint64_t pointer)
{
    const D3D12_TEXTURE_COPY_LOCATION *at = (const void *)(uintptr_t)pointer;
    if (!at)
        return;
    const bool is_whole = at->Type != D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX;
    list_objects_add_part(to,
                          layer_bound_view((uintptr_t)at->pResource,
                                           is_whole ? (uint32_t)LIST_ALL_SUBRESOURCES
                                                    : at->SubresourceIndex),
                          role);
}

/* Adds a resolve; each side is an object and the index of its subresource. */
static void add_resolve(struct list_objects *to, const uint64_t *destination,
                        const uint64_t *source)
{
    list_objects_add_part(to, layer_bound_view(destination[0], (uint32_t)destination[1]),
                          ANNOT_BOUND_DESTINATION);
    list_objects_add_part(to, layer_bound_view(source[0], (uint32_t)source[1]), ANNOT_BOUND_SOURCE);
}

/* Adds objects that are only described by arguments. */
static void add_described(const struct layer_list *list, uint16_t method, const uint64_t *args,
                          struct list_objects *to)
{
    switch (method) {
    case METHOD_OF(LIST(), CopyTextureRegion):
        add_location(to, ANNOT_BOUND_DESTINATION, args[0]);
        add_location(to, ANNOT_BOUND_SOURCE, args[4]);
        break;
    case METHOD_OF(LIST(), ResolveSubresource):
        add_resolve(to, args, args + 2);
        break;
    case METHOD_OF(LIST(1), ResolveSubresourceRegion):
    case METHOD_OF(ASYNC, ResolveSubresourceRegionAsync):
        add_resolve(to, args, args + 4);
        break;
    case METHOD_OF(LIST(), ClearRenderTargetView):
        layer_bound_add_view(list, args[0], ANNOT_BOUND_TARGET, to);
        break;
    case METHOD_OF(LIST(), ClearDepthStencilView):
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
    const struct known *of = &known[method];
    int64_t numbers[ANNOT_OPERATION_ARGUMENTS];
    struct list_objects objects;
    uint32_t seen = 0;
    if (of->kind == 0)
        return;
    objects.count = 0;
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
    operation.object_count = list_objects_end(&objects);
    crash_stream_note(&list->stream, &operation);
}

/* ---- shaders of pipelines ---- */

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
    static const uint8_t stages[] = {
        [D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_VS] = ANNOT_SHADER_STAGE_VERTEX,
        [D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_PS] = ANNOT_SHADER_STAGE_PIXEL,
        [D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_DS] = ANNOT_SHADER_STAGE_DOMAIN,
        [D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_HS] = ANNOT_SHADER_STAGE_HULL,
        [D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_GS] = ANNOT_SHADER_STAGE_GEOMETRY,
        [D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_CS] = ANNOT_SHADER_STAGE_COMPUTE,
        [D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_AS] = ANNOT_SHADER_STAGE_AMPLIFICATION,
        [D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_MS] = ANNOT_SHADER_STAGE_MESH};
    return subobject < sizeof stages ? (annot_shader_stage)stages[subobject]
                                     : ANNOT_SHADER_STAGE_UNKNOWN;
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
        memcpy(&type, stream + value - 8, sizeof type); /* an aligned pointer follows the type */
        memcpy(&code, stream + value, sizeof code);
        add_shader(pipeline, &code, stage_of(type));
    }
}

void layer_pipeline_made(struct object *object, uint16_t method, const uint64_t *args)
{
    const struct layer_mirror *pipeline = layer_mirror_for(object);
    if (!pipeline || !pipeline->object)
        return;
    const bool is_named = schema_params[schema_methods[method].first].kind == KIND_W;
    const void *desc = (const void *)(uintptr_t)args[is_named];
    switch (method) {
    case METHOD_ID3D12Device_CreateGraphicsPipelineState:
    case METHOD_ID3D12PipelineLibrary_LoadGraphicsPipeline:
        add_graphics(pipeline, desc);
        break;
    case METHOD_ID3D12Device_CreateComputePipelineState:
    case METHOD_ID3D12PipelineLibrary_LoadComputePipeline:
        add_shader(pipeline, &((const D3D12_COMPUTE_PIPELINE_STATE_DESC *)desc)->CS,
                   ANNOT_SHADER_STAGE_COMPUTE);
        break;
    default:
        add_stream(pipeline, desc);
    }
}
