#include "passes.h"

static const uint32_t code[] =
#include "spin_vert.inc"
    ;

enum { SIDE = 16 }; /* pixels of an area without attachments */

static struct {
    VkDevice device;
    VkShaderModule module;
    VkRenderPass pass;
    VkFramebuffer framebuffer;
    VkPipeline in_pass, in_rendering;
    bool is_open, is_dynamic;
} passes;

static void make_pass(void)
{
    const VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS};
    const VkRenderPassCreateInfo pass = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                         .subpassCount = 1,
                                         .pSubpasses = &subpass};
    check(vkCreateRenderPass(passes.device, &pass, NULL, &passes.pass), "vkCreateRenderPass");
    const VkFramebufferCreateInfo frame = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                           .renderPass = passes.pass,
                                           .width = SIDE,
                                           .height = SIDE,
                                           .layers = 1};
    check(vkCreateFramebuffer(passes.device, &frame, NULL, &passes.framebuffer),
          "vkCreateFramebuffer");
}

static VkPipeline make_pipeline(VkPipelineLayout layout, VkRenderPass pass)
{
    const VkPipelineShaderStageCreateInfo stage = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = VK_SHADER_STAGE_VERTEX_BIT,
        .module = passes.module,
        .pName = "main"};
    const VkPipelineVertexInputStateCreateInfo input = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
    const VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
        .rasterizerDiscardEnable = VK_TRUE,
        .lineWidth = 1};
    const VkPipelineRenderingCreateInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
    const VkGraphicsPipelineCreateInfo info = {.sType =
                                                   VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                               .pNext = pass ? NULL : &rendering,
                                               .stageCount = 1,
                                               .pStages = &stage,
                                               .pVertexInputState = &input,
                                               .pInputAssemblyState = &assembly,
                                               .pRasterizationState = &raster,
                                               .layout = layout,
                                               .renderPass = pass};
    VkPipeline pipeline;
    check(vkCreateGraphicsPipelines(passes.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline),
          "vkCreateGraphicsPipelines");
    return pipeline;
}

void passes_open(VkDevice device, VkPipelineLayout layout)
{
    const VkShaderModuleCreateInfo module = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                             .codeSize = sizeof code,
                                             .pCode = code};
    passes.device = device;
    check(vkCreateShaderModule(device, &module, NULL, &passes.module), "vkCreateShaderModule");
    make_pass();
    passes.in_pass = make_pipeline(layout, passes.pass);
    passes.in_rendering = make_pipeline(layout, VK_NULL_HANDLE);
}

void passes_close(void)
{
    vkDestroyPipeline(passes.device, passes.in_pass, NULL);
    vkDestroyPipeline(passes.device, passes.in_rendering, NULL);
    vkDestroyFramebuffer(passes.device, passes.framebuffer, NULL);
    vkDestroyRenderPass(passes.device, passes.pass, NULL);
    vkDestroyShaderModule(passes.device, passes.module, NULL);
}

void passes_begin(VkCommandBuffer commands, bool is_dynamic)
{
    const VkRect2D area = {.extent = {SIDE, SIDE}};
    const VkRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO, .renderArea = area, .layerCount = 1};
    const VkRenderPassBeginInfo pass = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                        .renderPass = passes.pass,
                                        .framebuffer = passes.framebuffer,
                                        .renderArea = area};
    if (is_dynamic)
        vkCmdBeginRendering(commands, &rendering);
    else
        vkCmdBeginRenderPass(commands, &pass, VK_SUBPASS_CONTENTS_INLINE);
    passes.is_open = true;
    passes.is_dynamic = is_dynamic;
}

void passes_end(VkCommandBuffer commands)
{
    if (passes.is_dynamic)
        vkCmdEndRendering(commands);
    else
        vkCmdEndRenderPass(commands);
    passes.is_open = false;
}

bool passes_are_open(void)
{
    return passes.is_open;
}

void passes_draw(VkCommandBuffer commands, bool is_long)
{
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS,
                      passes.is_dynamic ? passes.in_rendering : passes.in_pass);
    vkCmdDraw(commands, is_long ? 65535 : 3, is_long ? 40 : 1, 0, 0);
}
