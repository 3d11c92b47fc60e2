/* A Vulkan program through the system's loader, on whatever driver it finds: records a script, with
 * real work, and can hang it safely: a dispatch waits for a word that the host sets in the end.
 *
 *     scene SCRIPT [FILE]       words as below; with FILE, the hang ends when it appears,
 *                               or after 60 s
 *
 *     {name } .name             label begins, ends, is a point
 *     q h                       quick work, work that hangs
 *     f                         a fill
 *     ( )  < >                  a render pass, dynamic rendering; work in it is a draw
 *     [ ]                       a secondary command buffer
 *     |                         submits what there is and begins another command buffer
 *     T                         from here on each submission waits for the one before, by a
 *                               timeline semaphore
 *     S                         submits what there is ten times, and waits for each
 *
 * Prints how many pieces of work were done. Exit 0; 77 without a Vulkan device.
 */
#include "passes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const uint32_t code[] =
#include "spin.inc"
    ;

struct words {
    uint32_t go, done;
};

static struct {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    VkDeviceMemory memory;
    VkBuffer buffer, target;
    VkDeviceMemory target_memory;
    struct words volatile *words;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkDescriptorPool descriptors;
    VkDescriptorSet set;
    VkShaderModule module;
    VkCommandPool pool;
    VkCommandBuffer commands, primary;
    VkSemaphore timeline;
    uint64_t submitted;
    bool is_timed;
    PFN_vkCmdBeginDebugUtilsLabelEXT begin;
    PFN_vkCmdEndDebugUtilsLabelEXT end;
    PFN_vkCmdInsertDebugUtilsLabelEXT insert;
} vk;

void check(VkResult result, const char *what)
{
    if (result == VK_SUCCESS)
        return;
    fprintf(stderr, "scene: %s: %d\n", what, (int)result);
    exit(1);
}

/* ---- the device ---- */

static void open_device(void)
{
    const char *extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    const VkApplicationInfo about = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                     .apiVersion = VK_API_VERSION_1_3};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &about,
                                       .enabledExtensionCount = 1,
                                       .ppEnabledExtensionNames = &extension};
    uint32_t count = 1;
    const VkResult result = vkCreateInstance(&info, NULL, &vk.instance);
    if (result == VK_ERROR_INCOMPATIBLE_DRIVER)
        exit(77);
    check(result, "vkCreateInstance");
    if (vkEnumeratePhysicalDevices(vk.instance, &count, &vk.physical) < 0 || count == 0)
        exit(77);
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    VkPhysicalDeviceVulkan13Features newer = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
        .dynamicRendering = VK_TRUE};
    VkPhysicalDeviceVulkan12Features features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .pNext = &newer,
        .timelineSemaphore = VK_TRUE};
    const VkPhysicalDeviceFeatures stores = {.vertexPipelineStoresAndAtomics = VK_TRUE};
    const VkDeviceCreateInfo device = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                       .pNext = &features,
                                       .queueCreateInfoCount = 1,
                                       .pQueueCreateInfos = &queue,
                                       .pEnabledFeatures = &stores};
    check(vkCreateDevice(vk.physical, &device, NULL, &vk.device), "vkCreateDevice");
    vkGetDeviceQueue(vk.device, 0, 0, &vk.queue);
    vk.begin = (PFN_vkCmdBeginDebugUtilsLabelEXT)vkGetInstanceProcAddr(
        vk.instance, "vkCmdBeginDebugUtilsLabelEXT");
    vk.end = (PFN_vkCmdEndDebugUtilsLabelEXT)vkGetInstanceProcAddr(vk.instance,
                                                                   "vkCmdEndDebugUtilsLabelEXT");
    vk.insert = (PFN_vkCmdInsertDebugUtilsLabelEXT)vkGetInstanceProcAddr(
        vk.instance, "vkCmdInsertDebugUtilsLabelEXT");
}

static uint32_t memory_type(uint32_t allowed)
{
    const VkMemoryPropertyFlags needed =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(vk.physical, &memory);
    for (uint32_t i = 0; i < memory.memoryTypeCount; i++)
        if ((allowed & 1u << i) && (memory.memoryTypes[i].propertyFlags & needed) == needed)
            return i;
    exit(77);
}

static void make_buffer(VkBufferUsageFlags usage, VkBuffer *buffer, VkDeviceMemory *memory)
{
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = 4096, .usage = usage};
    VkMemoryRequirements needs;
    check(vkCreateBuffer(vk.device, &info, NULL, buffer), "vkCreateBuffer");
    vkGetBufferMemoryRequirements(vk.device, *buffer, &needs);
    const VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                           .allocationSize = needs.size,
                                           .memoryTypeIndex = memory_type(needs.memoryTypeBits)};
    check(vkAllocateMemory(vk.device, &allocate, NULL, memory), "vkAllocateMemory");
    check(vkBindBufferMemory(vk.device, *buffer, *memory, 0), "vkBindBufferMemory");
}

enum { STAGES = VK_SHADER_STAGE_COMPUTE_BIT | VK_SHADER_STAGE_VERTEX_BIT };

static void name(VkObjectType type, uint64_t handle, const char *text)
{
    const VkDebugUtilsObjectNameInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
        .objectType = type,
        .objectHandle = handle,
        .pObjectName = text};
    PFN_vkSetDebugUtilsObjectNameEXT set = (PFN_vkSetDebugUtilsObjectNameEXT)vkGetInstanceProcAddr(
        vk.instance, "vkSetDebugUtilsObjectNameEXT");
    if (set)
        set(vk.device, &info);
}

static void make_pipeline(void)
{
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, STAGES,
                                                  NULL};
    const VkDescriptorSetLayoutCreateInfo set_layout = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding};
    check(vkCreateDescriptorSetLayout(vk.device, &set_layout, NULL, &vk.set_layout),
          "vkCreateDescriptorSetLayout");
    const VkPushConstantRange push = {STAGES, 0, 4};
    const VkPipelineLayoutCreateInfo layout = {.sType =
                                                   VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .setLayoutCount = 1,
                                               .pSetLayouts = &vk.set_layout,
                                               .pushConstantRangeCount = 1,
                                               .pPushConstantRanges = &push};
    check(vkCreatePipelineLayout(vk.device, &layout, NULL, &vk.layout), "vkCreatePipelineLayout");
    const VkShaderModuleCreateInfo module = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                             .codeSize = sizeof code,
                                             .pCode = code};
    check(vkCreateShaderModule(vk.device, &module, NULL, &vk.module), "vkCreateShaderModule");
    name(VK_OBJECT_TYPE_SHADER_MODULE, (uint64_t)(uintptr_t)vk.module, "spin.comp");
    const VkComputePipelineCreateInfo pipeline = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = vk.module,
                  .pName = "main"},
        .layout = vk.layout};
    check(vkCreateComputePipelines(vk.device, VK_NULL_HANDLE, 1, &pipeline, NULL, &vk.pipeline),
          "vkCreateComputePipelines");
    name(VK_OBJECT_TYPE_PIPELINE, (uint64_t)(uintptr_t)vk.pipeline, "Spin");
}

static void make_set(void)
{
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
    const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = 1,
                                             .poolSizeCount = 1,
                                             .pPoolSizes = &size};
    check(vkCreateDescriptorPool(vk.device, &pool, NULL, &vk.descriptors),
          "vkCreateDescriptorPool");
    const VkDescriptorSetAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = vk.descriptors,
        .descriptorSetCount = 1,
        .pSetLayouts = &vk.set_layout};
    check(vkAllocateDescriptorSets(vk.device, &allocate, &vk.set), "vkAllocateDescriptorSets");
    const VkDescriptorBufferInfo buffer = {vk.buffer, 0, VK_WHOLE_SIZE};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = vk.set,
                                        .descriptorCount = 1,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                        .pBufferInfo = &buffer};
    vkUpdateDescriptorSets(vk.device, 1, &write, 0, NULL);
}

static void set_up(void)
{
    open_device();
    make_buffer(VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, &vk.buffer, &vk.memory);
    make_buffer(VK_BUFFER_USAGE_TRANSFER_DST_BIT, &vk.target, &vk.target_memory);
    void *mapped;
    check(vkMapMemory(vk.device, vk.memory, 0, VK_WHOLE_SIZE, 0, &mapped), "vkMapMemory");
    vk.words = mapped;
    vk.words->go = vk.words->done = 0;
    make_pipeline();
    make_set();
    passes_open(vk.device, vk.layout);
    const VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                            .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    const VkSemaphoreCreateInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                             .pNext = &type};
    check(vkCreateSemaphore(vk.device, &semaphore, NULL, &vk.timeline), "vkCreateSemaphore");
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    check(vkCreateCommandPool(vk.device, &pool, NULL, &vk.pool), "vkCreateCommandPool");
}

static void tear_down(void)
{
    vkDestroyCommandPool(vk.device, vk.pool, NULL);
    vkDestroySemaphore(vk.device, vk.timeline, NULL);
    passes_close();
    vkDestroyDescriptorPool(vk.device, vk.descriptors, NULL);
    vkDestroyPipeline(vk.device, vk.pipeline, NULL);
    vkDestroyShaderModule(vk.device, vk.module, NULL);
    vkDestroyPipelineLayout(vk.device, vk.layout, NULL);
    vkDestroyDescriptorSetLayout(vk.device, vk.set_layout, NULL);
    vkDestroyBuffer(vk.device, vk.buffer, NULL);
    vkDestroyBuffer(vk.device, vk.target, NULL);
    vkFreeMemory(vk.device, vk.memory, NULL);
    vkFreeMemory(vk.device, vk.target_memory, NULL);
    vkDestroyDevice(vk.device, NULL);
    vkDestroyInstance(vk.instance, NULL);
}

/* ---- the script ---- */

static VkCommandBuffer new_commands(VkCommandBufferLevel level)
{
    const VkCommandBufferAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                              .commandPool = vk.pool,
                                              .level = level,
                                              .commandBufferCount = 1};
    VkCommandBuffer commands;
    check(vkAllocateCommandBuffers(vk.device, &info, &commands), "vkAllocateCommandBuffers");
    return commands;
}

static void begin_commands(VkCommandBufferUsageFlags flags)
{
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .flags = flags};
    vk.commands = vk.primary = new_commands(VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    check(vkBeginCommandBuffer(vk.commands, &begin), "vkBeginCommandBuffer");
}

static void begin_secondary(void)
{
    const VkCommandBufferInheritanceInfo from = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .pInheritanceInfo = &from};
    vk.commands = new_commands(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    check(vkBeginCommandBuffer(vk.commands, &begin), "vkBeginCommandBuffer");
}

static void end_secondary(void)
{
    check(vkEndCommandBuffer(vk.commands), "vkEndCommandBuffer");
    vkCmdExecuteCommands(vk.primary, 1, &vk.commands);
    vk.commands = vk.primary;
}

static void submit(void)
{
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    const uint64_t before = vk.submitted, after = vk.submitted + 1;
    const VkTimelineSemaphoreSubmitInfo values = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = 1,
        .pWaitSemaphoreValues = &before,
        .signalSemaphoreValueCount = 1,
        .pSignalSemaphoreValues = &after};
    VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                         .commandBufferCount = 1,
                         .pCommandBuffers = &vk.commands};
    if (vk.is_timed) {
        info.pNext = &values;
        info.waitSemaphoreCount = info.signalSemaphoreCount = 1;
        info.pWaitSemaphores = info.pSignalSemaphores = &vk.timeline;
        info.pWaitDstStageMask = &stage;
        vk.submitted++;
    }
    check(vkQueueSubmit(vk.queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
}

static void work(uint32_t spin)
{
    const VkMemoryBarrier before = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                    .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                    .dstAccessMask =
                                        VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT};
    const VkPipelineStageFlags stages =
        VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_VERTEX_SHADER_BIT;
    const bool draws = passes_are_open();
    if (!draws)
        vkCmdPipelineBarrier(vk.commands, stages, stages, 0, 1, &before, 0, NULL, 0, NULL);
    vkCmdBindDescriptorSets(
        vk.commands, draws ? VK_PIPELINE_BIND_POINT_GRAPHICS : VK_PIPELINE_BIND_POINT_COMPUTE,
        vk.layout, 0, 1, &vk.set, 0, NULL);
    vkCmdPushConstants(vk.commands, vk.layout, STAGES, 0, 4, &spin);
    if (draws)
        passes_draw(vk.commands, spin);
    else {
        vkCmdBindPipeline(vk.commands, VK_PIPELINE_BIND_POINT_COMPUTE, vk.pipeline);
        vkCmdDispatch(vk.commands, spin ? 65535 : 4, 1, 1);
    }
}

static void run_word(const char *word)
{
    const VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                        .pLabelName = word + 1};
    switch (*word) {
    case '{':
        vk.begin(vk.commands, &label);
        break;
    case '}':
        vk.end(vk.commands);
        break;
    case '.':
        vk.insert(vk.commands, &label);
        break;
    case 'q':
    case 'h':
        work(*word == 'h');
        break;
    case 'f':
        vkCmdFillBuffer(vk.commands, vk.target, 0, 256, 7);
        break;
    case '(':
    case '<':
        passes_begin(vk.commands, *word == '<');
        break;
    case ')':
    case '>':
        passes_end(vk.commands);
        break;
    case '[':
        begin_secondary();
        break;
    case ']':
        end_secondary();
        break;
    case 'T':
        vk.is_timed = true;
        break;
    case '|':
        check(vkEndCommandBuffer(vk.commands), "vkEndCommandBuffer");
        submit();
        begin_commands(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
        break;
    case 'S':
        check(vkEndCommandBuffer(vk.commands), "vkEndCommandBuffer");
        for (int i = 0; i < 10; i++) {
            submit();
            check(vkQueueWaitIdle(vk.queue), "vkQueueWaitIdle");
        }
        begin_commands(0);
        break;
    default:
        fprintf(stderr, "scene: no such word: %s\n", word);
        exit(1);
    }
}

static void wait_for_file(const char *path)
{
    for (int i = 0; i < 1200 && access(path, F_OK) != 0; i++)
        nanosleep(&(struct timespec){0, 50000000}, NULL);
}

int main(int argc, char **argv)
{
    if (argc < 2 || strlen(argv[1]) > 4000)
        return 1;
    char script[4096], *rest = script, *word;
    strcpy(script, argv[1]);
    set_up();
    begin_commands(0);
    while ((word = strtok_r(rest, " ", &rest)))
        run_word(word);
    check(vkEndCommandBuffer(vk.commands), "vkEndCommandBuffer");
    submit();
    if (argc > 2)
        wait_for_file(argv[2]);
    vk.words->go = 1;
    check(vkDeviceWaitIdle(vk.device), "vkDeviceWaitIdle");
    printf("%u\n", vk.words->done);
    tear_down();
    return 0;
}
