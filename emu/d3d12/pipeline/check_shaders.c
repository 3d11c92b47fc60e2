/* Checks whether a pipeline's shaders match their stages, each other, the input layout and the root
 * signature. Shaders are not executed; the emulator's kernels match any stage. */
#include "device/device.h"
#include "pipeline/bytecode.h"
#include "pipeline/pipeline_desc.h"

#include "gpu/kernel.h"

#include <annot/shader.h>

/* The stages, with the numbers of D3D12's messages. */
static const struct stage {
    uint32_t stage;
    D3D12_SHADER_VISIBILITY visibility;
    D3D12_ROOT_SIGNATURE_FLAGS denial;
    int bytecode, type, root;
} stages[PIPELINE_STAGES] = {
#define STAGE(name, noun, number, root)                                                            \
    [PIPELINE_##                                                                                   \
        name] = {ANNOT_SHADER_STAGE_##noun,                                                        \
                 D3D12_SHADER_VISIBILITY_##noun,                                                   \
                 D3D12_ROOT_SIGNATURE_FLAG_DENY_##noun##_SHADER_ROOT_ACCESS,                       \
                 D3D12_MESSAGE_ID_CREATE##noun##SHADER_INVALIDSHADERBYTECODE,                      \
                 D3D12_MESSAGE_ID_CREATE##noun##SHADER_##number,                                   \
                 D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_##root##_ROOT_SIGNATURE_MISMATCH}
    STAGE(VS, VERTEX, INVALIDSHADERTYPE, VS),
    STAGE(HS, HULL, INVALIDSHADERTYPE, HS),
    STAGE(DS, DOMAIN, INVALIDSHADERTYPE, DS),
    STAGE(GS, GEOMETRY, INVALIDSHADERTYPE, GS),
    STAGE(AS, AMPLIFICATION, INVALIDSHADERBYTECODE, AS),
    STAGE(MS, MESH, INVALIDSHADERBYTECODE, MS),
    STAGE(PS, PIXEL, INVALIDSHADERTYPE, PS),
    [PIPELINE_CS] = {ANNOT_SHADER_STAGE_COMPUTE, D3D12_SHADER_VISIBILITY_ALL,
                     D3D12_ROOT_SIGNATURE_FLAG_NONE,
                     D3D12_MESSAGE_ID_CREATECOMPUTEPIPELINESTATE_INVALID_SHADER,
                     D3D12_MESSAGE_ID_CREATECOMPUTEPIPELINESTATE_INVALID_SHADER,
                     D3D12_MESSAGE_ID_CREATECOMPUTEPIPELINESTATE_CS_ROOT_SIGNATURE_MISMATCH},
};

/* Bytecode is a pointer and a length, or neither. */
struct validation_error pipeline_check_bytecode(const struct pipeline_desc *desc)
{
    for (int i = 0; i < PIPELINE_STAGES; i++)
        if ((!desc->stages[i].pShaderBytecode) != (desc->stages[i].BytecodeLength == 0))
            return validation_error(
                stages[i].bytecode,
                "if a shader's pShaderBytecode or BytecodeLength is set, both must be set");
    return no_validation_error;
}

/* The declarations of the pipeline's shaders; `is_there` is set if a stage has a shader with
 * declarations. */
struct shaders {
    bool is_there[PIPELINE_STAGES];
    struct shader_code code[PIPELINE_STAGES];
};

/* ---- one shader ---- */

static bool is_bound(const struct stage *stage, const struct shader_code *code,
                     const struct pipeline_root *root)
{
    for (uint32_t i = 0; i < code->bindings.count; i++) {
        const struct shader_binding binding = shader_binding_at(code, i);
        if ((root->flags & stage->denial) != 0 ||
            !root_registers_cover(&root->registers, binding.kind, stage->visibility, binding.space,
                                  binding.first, binding.last))
            return false;
    }
    return true;
}

/* "WaveSize": whether the device has this number of lanes. */
static bool has_waves(struct d3d12_device *device, const struct shader_code *code)
{
    D3D12_FEATURE_DATA_D3D12_OPTIONS1 options = {0};
    d3d12_device_check_feature(device, D3D12_FEATURE_D3D12_OPTIONS1, &options, sizeof options);
    return code->least_lanes == 0 || (code->least_lanes <= options.WaveLaneCountMax &&
                                      code->most_lanes >= options.WaveLaneCountMin);
}

static struct validation_error check_shader(struct d3d12_device *device, const struct stage *stage,
                                            const D3D12_SHADER_BYTECODE *bytecode,
                                            const struct pipeline_root *root,
                                            struct shader_code *code)
{
    if (!shader_code_read(bytecode->pShaderBytecode, bytecode->BytecodeLength, code))
        return validation_error(
            stage->bytecode,
            "a shader's bytecode must be an undamaged DXBC or DXIL container with code");
    if (code->stage != stage->stage)
        return validation_error(
            stage->type, "a shader is set for one stage, but its bytecode is for another stage");
    if (!is_bound(stage, code, root))
        return validation_error(
            stage->root,
            "a shader uses a register that the root signature doesn't bind for the shader's stage");
    if (!has_waves(device, code))
        return validation_error(EMU_MESSAGE_INVALID_ARGUMENT,
                                "a shader needs a wave size that the device doesn't have");
    return no_validation_error;
}

/* ---- a stage and the stage behind it ---- */

static bool find_element(const struct shader_table *signature, const struct shader_element *like,
                         struct shader_element *out)
{
    for (uint32_t i = 0; i < signature->count; i++) {
        *out = shader_element_at(signature, i);
        if (out->index == like->index && pipeline_same_semantic(out->name, like->name))
            return true;
    }
    return false;
}

/* Whether the stage before must write the element: hardware makes some, and some are unread. */
static bool is_linked(const struct shader_element *element)
{
    return element->system_value == 0 && element->used != 0;
}

static struct validation_error link(const struct shader_table *from,
                                    const struct shader_table *also, const struct shader_table *to)
{
    struct shader_element made;
    for (uint32_t i = 0; i < to->count; i++) {
        const struct shader_element read = shader_element_at(to, i);
        if (!is_linked(&read))
            continue;
        REFUSE(!find_element(from, &read, &made) && !find_element(also, &read, &made),
               CREATEGRAPHICSPIPELINESTATE_SHADER_LINKAGE_SEMANTICNAME_NOT_FOUND,
               "a shader reads a semantic that the previous shader doesn't write");
        REFUSE(made.place != read.place, CREATEGRAPHICSPIPELINESTATE_SHADER_LINKAGE_REGISTERINDEX,
               "two shaders have the same semantic in different registers");
        REFUSE(made.type != read.type, CREATEGRAPHICSPIPELINESTATE_SHADER_LINKAGE_COMPONENTTYPE,
               "two shaders have the same semantic with different types");
        REFUSE((read.used & ~made.mask) != 0,
               CREATEGRAPHICSPIPELINESTATE_SHADER_LINKAGE_REGISTERMASK,
               "a shader reads more components of a semantic than the previous shader writes");
    }
    return no_validation_error;
}

static struct validation_error link_stages(const struct shaders *shaders)
{
    static const enum pipeline_stage order[] = {PIPELINE_VS, PIPELINE_HS, PIPELINE_DS,
                                                PIPELINE_GS, PIPELINE_MS, PIPELINE_PS};
    const struct shader_code *before = NULL;
    struct validation_error error = no_validation_error;
    for (size_t i = 0; i < sizeof order / sizeof order[0] && !error.text; i++) {
        const struct shader_code *code = &shaders->code[order[i]];
        if (!shaders->is_there[order[i]])
            continue;
        if (before)
            error = link(&before->outputs, &before->patch, &code->inputs);
        if (!error.text && before && order[i] == PIPELINE_DS)
            error = link(&before->patch, &before->patch, &code->patch);
        before = code;
    }
    return error;
}

static struct validation_error check_inputs(const D3D12_INPUT_LAYOUT_DESC *layout,
                                            const struct shader_table *inputs)
{
    for (uint32_t i = 0; i < inputs->count; i++) {
        const struct shader_element read = shader_element_at(inputs, i);
        bool found = !is_linked(&read);
        for (UINT k = 0; k < layout->NumElements && !found; k++) {
            const D3D12_INPUT_ELEMENT_DESC *element = &layout->pInputElementDescs[k];
            found = element->SemanticIndex == read.index &&
                    pipeline_same_semantic(element->SemanticName, read.name);
        }
        REFUSE(!found, CREATEINPUTLAYOUT_MISSINGELEMENT,
               "the vertex shader reads a semantic that InputLayout doesn't have");
    }
    return no_validation_error;
}

/* Behind a tessellator the geometry shader gets the tessellator's output. */
static bool fits_topology(const struct pipeline_desc *desc, uint32_t primitive)
{
    static const unsigned char topologies[] = {
        [D3D_PRIMITIVE_POINT] = D3D12_PRIMITIVE_TOPOLOGY_TYPE_POINT,
        [D3D_PRIMITIVE_LINE] = D3D12_PRIMITIVE_TOPOLOGY_TYPE_LINE,
        [D3D_PRIMITIVE_TRIANGLE] = D3D12_PRIMITIVE_TOPOLOGY_TYPE_TRIANGLE,
        [D3D_PRIMITIVE_LINE_ADJ] = D3D12_PRIMITIVE_TOPOLOGY_TYPE_LINE,
        [D3D_PRIMITIVE_TRIANGLE_ADJ] = D3D12_PRIMITIVE_TOPOLOGY_TYPE_TRIANGLE};
    if (primitive == 0 || desc->stages[PIPELINE_DS].BytecodeLength != 0)
        return true;
    return (UINT)desc->topology == (primitive < sizeof topologies
                                        ? topologies[primitive]
                                        : (UINT)D3D12_PRIMITIVE_TOPOLOGY_TYPE_PATCH);
}

struct validation_error pipeline_check_shaders(struct d3d12_device *device,
                                               const struct pipeline_desc *desc,
                                               const struct pipeline_root *root)
{
    struct shaders shaders = {0};
    bool all = true; /* kernels don't count, because they have no declarations */
    for (int i = 0; i < PIPELINE_STAGES; i++) {
        const D3D12_SHADER_BYTECODE *code = &desc->stages[i];
        if (code->BytecodeLength == 0)
            continue;
        shaders.is_there[i] =
            emu_kernel_from_bytecode(code->pShaderBytecode, code->BytecodeLength) == 0;
        all &= shaders.is_there[i];
        const struct validation_error error =
            shaders.is_there[i] ? check_shader(device, &stages[i], code, root, &shaders.code[i])
                                : no_validation_error;
        if (error.text)
            return error;
    }
    if (shaders.is_there[PIPELINE_VS]) {
        const struct validation_error error =
            check_inputs(&desc->input_layout, &shaders.code[PIPELINE_VS].inputs);
        if (error.text)
            return error;
    }
    REFUSE(!fits_topology(desc, shaders.code[PIPELINE_GS].primitive),
           CREATEGRAPHICSPIPELINESTATE_GS_INPUT_PRIMITIVE_MISMATCH,
           "the geometry shader's input primitives must match PrimitiveTopologyType");
    return all ? link_stages(&shaders) : no_validation_error;
}
