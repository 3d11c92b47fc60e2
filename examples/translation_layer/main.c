/*
 * A program that is shaped as D3D12 programs are, on Vulkan: two queues, a bundle, a render pass, a
 * list that is two command buffers, names. Its second frame waits for an event that nobody sets,
 * and the dump says in which scope.
 *
 *     translation_layer DUMP
 *
 * The event is set in the end, so that it also ends on a driver without a timeout. Exit 0; 77
 * without a Vulkan device.
 */
#include "glue.h"

#include <stdio.h>
#include <stdlib.h>

static struct {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    VkCommandPool pool;
    VkEvent never;
    VkRenderPass pass;
    VkFramebuffer framebuffer;
} vk;

static void check(VkResult result, const char *what)
{
    if (result == VK_SUCCESS)
        return;
    fprintf(stderr, "translation_layer: %s: %d\n", what, (int)result);
    exit(result == VK_ERROR_INCOMPATIBLE_DRIVER ? 77 : 1);
}

/* ---- Vulkan, as any program has it ---- */

static void open_device(void)
{
    const VkApplicationInfo about = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                     .apiVersion = VK_API_VERSION_1_1};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &about};
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo device = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                       .queueCreateInfoCount = 1,
                                       .pQueueCreateInfos = &queue};
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    const VkEventCreateInfo event = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    uint32_t count = 1;
    check(vkCreateInstance(&info, NULL, &vk.instance), "vkCreateInstance");
    if (vkEnumeratePhysicalDevices(vk.instance, &count, &vk.physical) < 0 || count == 0)
        exit(77);
    check(vkCreateDevice(vk.physical, &device, NULL, &vk.device), "vkCreateDevice");
    vkGetDeviceQueue(vk.device, 0, 0, &vk.queue);
    check(vkCreateCommandPool(vk.device, &pool, NULL, &vk.pool), "vkCreateCommandPool");
    check(vkCreateEvent(vk.device, &event, NULL, &vk.never), "vkCreateEvent");
}

/* A pass without attachments: what matters is that nothing can be written inside. */
static void make_pass(void)
{
    const VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS};
    const VkRenderPassCreateInfo pass = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                         .subpassCount = 1,
                                         .pSubpasses = &subpass};
    check(vkCreateRenderPass(vk.device, &pass, NULL, &vk.pass), "vkCreateRenderPass");
    const VkFramebufferCreateInfo frame = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                           .renderPass = vk.pass,
                                           .width = 16,
                                           .height = 16,
                                           .layers = 1};
    check(vkCreateFramebuffer(vk.device, &frame, NULL, &vk.framebuffer), "vkCreateFramebuffer");
}

static VkCommandBuffer new_commands(VkCommandBufferLevel level)
{
    const VkCommandBufferAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                              .commandPool = vk.pool,
                                              .level = level,
                                              .commandBufferCount = 1};
    const VkCommandBufferInheritanceInfo from = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
                                            .pInheritanceInfo = &from};
    VkCommandBuffer commands;
    check(vkAllocateCommandBuffers(vk.device, &info, &commands), "vkAllocateCommandBuffers");
    check(vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
    return commands;
}

static VkFence new_fence(void)
{
    const VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkFence fence;
    check(vkCreateFence(vk.device, &info, NULL, &fence), "vkCreateFence");
    return fence;
}

static void close_device(void)
{
    vkDestroyFramebuffer(vk.device, vk.framebuffer, NULL);
    vkDestroyRenderPass(vk.device, vk.pass, NULL);
    vkDestroyEvent(vk.device, vk.never, NULL);
    vkDestroyCommandPool(vk.device, vk.pool, NULL);
    vkDestroyDevice(vk.device, NULL);
    vkDestroyInstance(vk.instance, NULL);
}

/* ---- the program ---- */

static void begin(struct glue_list *list, const char *text)
{
    annot_context_begin_event(list->context, 1, text, (uint32_t)strlen(text) + 1);
}

static void end(struct glue_list *list)
{
    annot_context_end_event(list->context);
}

static void mark(struct glue_list *list, const char *text)
{
    annot_context_set_marker(list->context, 1, text, (uint32_t)strlen(text) + 1);
}

/* As applications name: SetPrivateData(WKPDID_D3DDebugObjectName). */
static void name(annot_object *object, const char *text)
{
    static const unsigned char guid[16] = {0x22, 0x8c, 0x9b, 0x42, 0x88, 0x91, 0x0c, 0x4b,
                                           0x87, 0x42, 0xac, 0xb0, 0xbf, 0x85, 0xc2, 0x00};
    glue_set_name(object, guid, text, (uint32_t)strlen(text));
}

static void record_bundle(struct glue_list *bundle)
{
    glue_list_open(bundle, new_commands(VK_COMMAND_BUFFER_LEVEL_SECONDARY));
    mark(bundle, "Trees");
    glue_list_close(bundle);
    check(vkEndCommandBuffer(bundle->recording.commands), "vkEndCommandBuffer");
}

static void record_pass(struct glue_list *list)
{
    const VkRenderPassBeginInfo pass = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                        .renderPass = vk.pass,
                                        .framebuffer = vk.framebuffer,
                                        .renderArea = {.extent = {16, 16}}};
    annot_vk_recording_begin_pass(&list->recording);
    vkCmdBeginRenderPass(list->recording.commands, &pass, VK_SUBPASS_CONTENTS_INLINE);
    mark(list, "Sky"); /* can't be written here; is known behind the pass */
    vkCmdEndRenderPass(list->recording.commands);
    annot_vk_recording_end_pass(&list->recording);
}

/* Two command buffers; the second waits where it is asked to. */
static void record_frame(struct glue_list *list, struct glue_list *bundle, bool hangs)
{
    glue_list_open(list, new_commands(VK_COMMAND_BUFFER_LEVEL_PRIMARY));
    begin(list, hangs ? "Frame 2" : "Frame 1");
    begin(list, "Opaque");
    record_pass(list);
    glue_list_execute_bundle(list, bundle);
    end(list);
    check(vkEndCommandBuffer(list->recording.commands), "vkEndCommandBuffer");
    glue_list_split(list, new_commands(VK_COMMAND_BUFFER_LEVEL_PRIMARY));
    begin(list, "Shadow pass");
    begin(list, "Cascade 0");
    end(list);
    begin(list, "Cascade 1");
    if (hangs)
        vkCmdWaitEvents(list->recording.commands, 1, &vk.never, VK_PIPELINE_STAGE_HOST_BIT,
                        VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, NULL, 0, NULL, 0, NULL);
    end(list);
    begin(list, "Cascade 2");
    end(list);
    end(list);
    end(list);
    glue_list_close(list);
    check(vkEndCommandBuffer(list->recording.commands), "vkEndCommandBuffer");
}

/* The work of a layer's fence worker: it completes, or finds out that nothing comes. */
static VkResult wait_for(struct glue_queue *queue, uint64_t serial, VkFence fence)
{
    const VkResult result = vkWaitForFences(vk.device, 1, &fence, VK_TRUE, 1000000000);
    if (result == VK_SUCCESS)
        annot_tracker_completed(queue->device->tracker, queue->context, serial);
    return result;
}

int main(int argc, char **argv)
{
    struct glue_device device;
    struct glue_queue queues[2];
    struct glue_list lists[3], bundle;
    VkFence fences[3];
    VkResult result = VK_SUCCESS;
    if (argc != 2 || strcmp(argv[1], "--help") == 0) {
        fprintf(argc == 2 ? stdout : stderr, "usage: translation_layer DUMP\n");
        return argc == 2 ? 0 : 2;
    }
    open_device();
    make_pass();
    if (!glue_device_create(&device, vk.device, vk.physical, argv[1]))
        return 1;
    for (int i = 0; i < 2; i++) /* two of D3D12's on one of Vulkan's, where there is one only */
        if (!glue_queue_create(&device, vk.queue, &queues[i]))
            return 1;
    name(queues[0].object, "Graphics queue");
    name(queues[1].object, "Copy queue");
    if (!glue_list_create(&device, true, &bundle))
        return 1;
    record_bundle(&bundle);
    for (int i = 0; i < 3; i++) {
        fences[i] = new_fence();
        if (!glue_list_create(&device, false, &lists[i]))
            return 1;
        name(lists[i].object, i == 2 ? "Upload list" : "Frame list");
        record_frame(&lists[i], &bundle, i == 1);
    }
    struct glue_queue *const on[] = {&queues[0], &queues[0], &queues[1]};
    uint64_t serials[3];
    for (int i = 0; i < 3; i++) {
        struct glue_list *const list = &lists[i];
        serials[i] = glue_queue_execute(on[i], &list, 1, fences[i]);
    }
    for (int i = 0; i < 3 && result == VK_SUCCESS; i++)
        result = wait_for(on[i], serials[i], fences[i]);
    if (result != VK_SUCCESS && glue_device_lost(&device, result) == ANNOT_OK)
        printf("hung; wrote %s\n", annot_dump_writer_path(device.writer));

    vkSetEvent(vk.device, vk.never);
    vkDeviceWaitIdle(vk.device);
    for (int i = 0; i < 3; i++) {
        annot_tracker_completed(device.tracker, on[i]->context, serials[i]);
        glue_list_destroy(&lists[i]);
        vkDestroyFence(vk.device, fences[i], NULL);
    }
    glue_list_destroy(&bundle);
    glue_queue_destroy(&queues[0]);
    glue_queue_destroy(&queues[1]);
    glue_device_destroy(&device);
    close_device();
    return result == VK_TIMEOUT || result == VK_ERROR_DEVICE_LOST ? 0 : 1;
}
