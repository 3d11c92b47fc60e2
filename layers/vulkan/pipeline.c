/* The shaders that pipelines run. The SPIR-V of a module is read when the module is created, and
 * its hash is noted with each pipeline of the module. A pipeline of
 * VK_KHR_graphics_pipeline_library has the shaders of its libraries. */
#include "calls.h"

/* VkShaderStageFlagBits counts from VERTEX to CALLABLE without a gap. */
static uint32_t stage_of(VkShaderStageFlagBits stage)
{
    static const uint8_t stages[] = {
        ANNOT_SHADER_STAGE_VERTEX,         ANNOT_SHADER_STAGE_HULL,
        ANNOT_SHADER_STAGE_DOMAIN,         ANNOT_SHADER_STAGE_GEOMETRY,
        ANNOT_SHADER_STAGE_PIXEL,          ANNOT_SHADER_STAGE_COMPUTE,
        ANNOT_SHADER_STAGE_AMPLIFICATION,  ANNOT_SHADER_STAGE_MESH,
        ANNOT_SHADER_STAGE_RAY_GENERATION, ANNOT_SHADER_STAGE_ANY_HIT,
        ANNOT_SHADER_STAGE_CLOSEST_HIT,    ANNOT_SHADER_STAGE_MISS,
        ANNOT_SHADER_STAGE_INTERSECTION,   ANNOT_SHADER_STAGE_CALLABLE};
    for (uint32_t i = 0; i < sizeof stages; i++)
        if ((uint32_t)stage == 1u << i)
            return stages[i];
    return ANNOT_SHADER_STAGE_UNKNOWN;
}

static void collect_stage(struct vkl_device *device, struct vkl_shaders *to,
                          const VkPipelineShaderStageCreateInfo *stage)
{
    const VkShaderModuleCreateInfo *code =
        vkl_in_chain(stage->pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
    /* For a stage without code, the identifier of its module, from the same driver, names it. */
    const VkPipelineShaderStageModuleIdentifierCreateInfoEXT *named = vkl_in_chain(
        stage->pNext, VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT);
    const uint32_t before = to->count;
    annot_shader read;
    if (before == ANNOT_SHADERS_MAX)
        return;
    if (stage->module)
        vkl_shaders_add(device, VK_OBJECT_TYPE_SHADER_MODULE, (uint64_t)stage->module, to);
    else if (code && annot_shader_read(code->pCode, code->codeSize, &read))
        to->shaders[to->count++] = (struct vkl_shader){.xxh3 = read.xxh3, .form = read.form};
    else if (named && annot_shader_read(named->pIdentifier, named->identifierSize, &read))
        to->shaders[to->count++] =
            (struct vkl_shader){.xxh3 = read.xxh3, .form = ANNOT_SHADER_FORM_OTHER};
    if (to->count > before)
        to->shaders[before].stage = stage_of(stage->stage);
}

static void collect(struct vkl_device *device, struct vkl_shaders *to,
                    const VkPipelineShaderStageCreateInfo *stages, uint32_t count,
                    const void *chain)
{
    const VkPipelineLibraryCreateInfoKHR *libraries =
        vkl_in_chain(chain, VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
    to->count = 0;
    for (uint32_t i = 0; i < count; i++)
        collect_stage(device, to, &stages[i]);
    for (uint32_t i = 0; libraries && i < libraries->libraryCount; i++)
        vkl_shaders_add(device, VK_OBJECT_TYPE_PIPELINE, (uint64_t)libraries->pLibraries[i], to);
}

/* ---- the calls ---- */

static void module_made(struct vkl_device *device, const VkShaderModuleCreateInfo *info,
                        VkShaderModule module)
{
    struct vkl_shaders shaders = {.count = 1};
    annot_shader read;
    if (!annot_shader_read(info->pCode, info->codeSize, &read))
        return;
    shaders.shaders[0] = (struct vkl_shader){.xxh3 = read.xxh3, .form = read.form};
    vkl_shaders_note(device, VK_OBJECT_TYPE_SHADER_MODULE, (uint64_t)module, &shaders);
}
VKL_CREATE(CreateShaderModule, VkShaderModuleCreateInfo, VkShaderModule, module_made)

static void note(struct vkl_device *device, VkPipeline pipeline,
                 const VkPipelineShaderStageCreateInfo *stages, uint32_t count, const void *chain)
{
    struct vkl_shaders shaders;
    if (!pipeline)
        return; /* one of several pipelines, which failed */
    collect(device, &shaders, stages, count, chain);
    vkl_shaders_note(device, VK_OBJECT_TYPE_PIPELINE, (uint64_t)pipeline, &shaders);
}

/* A call that makes pipelines. If it failed, it may have made some; the others are null. Those of a
 * deferred operation are made later, so they are not noted. */
#define PIPELINES(name, of, stages, stage_count, deferred, passed)                                 \
    static VKAPI_ATTR VkResult VKAPI_CALL vkl_##name(                                              \
        VkDevice handle, deferred VkPipelineCache cache, uint32_t count, const of *infos,          \
        const VkAllocationCallbacks *allocator, VkPipeline *out)                                   \
    {                                                                                              \
        struct vkl_device *device = vkl_device_of(vkl_key(handle));                                \
        VkResult result = device->next.name(handle, passed cache, count, infos, allocator, out);   \
        const bool are_told = result >= 0 && result != VK_OPERATION_DEFERRED_KHR;                  \
        for (uint32_t i = 0; are_told && i < count; i++)                                           \
            note(device, out[i], stages, stage_count, infos[i].pNext);                             \
        return vkl_check(device, result, "vk" #name);                                              \
    }
#define NOTHING
#define DEFERRED VkDeferredOperationKHR deferred,
#define PASSED   deferred,
PIPELINES(CreateComputePipelines, VkComputePipelineCreateInfo, &infos[i].stage, 1, NOTHING, NOTHING)
PIPELINES(CreateGraphicsPipelines, VkGraphicsPipelineCreateInfo, infos[i].pStages,
          infos[i].stageCount, NOTHING, NOTHING)
PIPELINES(CreateRayTracingPipelinesKHR, VkRayTracingPipelineCreateInfoKHR, infos[i].pStages,
          infos[i].stageCount, DEFERRED, PASSED)

const struct vkl_call vkl_pipeline_calls[] = {VKL_PIPELINE_CALLS(VKL_CALL){.name = NULL}};
