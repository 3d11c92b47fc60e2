/*
 * All that libannot asks of a layer that translates D3D12 to Vulkan. The layer is the driver:
 * markers come back with their EventIDs and are written by the GPU, as annot/vulkan.h writes words.
 */
#include "glue.h"

/* ---- device ---- */

bool glue_device_create(struct glue_device *device, VkDevice vk, VkPhysicalDevice physical,
                        const char *dump)
{
    annot_device_desc desc = ANNOT_DEVICE_DESC_INIT;
    VkPhysicalDeviceMemoryProperties memory;
    *device = (struct glue_device){.words = {.device = vk, .size = 64 * 1024}};
    device->words.functions = (annot_vk_functions){
        vkCreateBuffer,
        vkDestroyBuffer,
        vkGetBufferMemoryRequirements,
        vkAllocateMemory,
        vkFreeMemory,
        vkBindBufferMemory,
        vkMapMemory,
        vkCmdFillBuffer,
        vkCmdPipelineBarrier,
        (PFN_vkCmdWriteBufferMarkerAMD)vkGetDeviceProcAddr(vk, "vkCmdWriteBufferMarkerAMD"),
    };
    vkGetPhysicalDeviceMemoryProperties(physical, &memory);
    annot_vk_words_create(&device->words, &memory, NULL, 0); /* false: it goes on without words */
    annot_tracker_desc tracked = annot_vk_tracker_desc(&device->words);
    tracked.promises = ANNOT_PROMISE_STARTS_IN_ORDER;
    desc.driver = annot_vk_driver();
    desc.force_driver_retail = true;
    annot_dump_path(dump, device->dump, sizeof device->dump);
    return annot_device_create(&desc, &device->annot) == ANNOT_OK &&
           annot_tracker_create(device->annot, &tracked, &device->tracker) == ANNOT_OK &&
           annot_dump_writer_create(device->annot, &device->writer) == ANNOT_OK;
}

void glue_device_destroy(struct glue_device *device)
{
    annot_dump_writer_destroy(device->writer);
    annot_tracker_destroy(device->tracker);
    annot_device_destroy(device->annot);
    annot_vk_words_destroy(&device->words);
}

annot_result glue_device_lost(struct glue_device *device, VkResult result)
{
    annot_crash_report report = {.size = sizeof report};
    const bool has_report = annot_tracker_report(device->tracker, &report);
    const annot_dump_info info = {
        .error = annot_vk_error(result),
        .reason = result == VK_TIMEOUT ? "no fence in time" : "VK_ERROR_DEVICE_LOST",
        .report = has_report ? &report : NULL,
    };
    return annot_dump_write_file(device->writer, &info, device->dump);
}

/* ---- names ---- */

bool glue_set_name(annot_object *object, const void *guid, const void *data, uint32_t size)
{
    const uint32_t unit = annot_guid_name_unit(guid, ANNOT_TEXT_UTF16);
    if (unit)
        annot_object_set_name_counted(object, data, size / unit, (annot_text_unit)unit);
    return unit != 0;
}

/* ---- queues ---- */

bool glue_queue_create(struct glue_device *device, VkQueue vk, struct glue_queue *queue)
{
    const annot_object_desc desc = {.kind = D3D12DDI_HT_COMMAND_QUEUE};
    *queue = (struct glue_queue){.device = device, .vk = vk};
    return annot_object_create(device->annot, &desc, &queue->object) == ANNOT_OK &&
           annot_context_create(queue->object, &queue->context) == ANNOT_OK;
}

void glue_queue_destroy(struct glue_queue *queue)
{
    annot_context_destroy(queue->context);
    annot_object_destroy(queue->object);
}

struct execution {
    struct glue_queue *queue;
    struct glue_list *const *lists;
    uint32_t count;
    VkFence fence;
};

static annot_context *list_at(const void *lists, uint32_t index)
{
    return ((struct glue_list *const *)lists)[index]->context;
}

/* All lists in one batch, each with all of its command buffers. */
static bool submit(void *user, uint64_t serial)
{
    const struct execution *execution = user;
    VkSubmitInfo batches[GLUE_BUFFERS];
    (void)serial;
    for (uint32_t i = 0; i < execution->count; i++)
        batches[i] = (VkSubmitInfo){.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                    .commandBufferCount = execution->lists[i]->buffer_count,
                                    .pCommandBuffers = execution->lists[i]->buffers};
    return vkQueueSubmit(execution->queue->vk, execution->count, batches, execution->fence) ==
           VK_SUCCESS;
}

uint64_t glue_queue_execute(struct glue_queue *queue, struct glue_list *const *lists,
                            uint32_t count, VkFence fence)
{
    struct execution execution = {queue, lists, count, fence};
    if (count > GLUE_BUFFERS)
        return 0;
    return annot_tracker_submit_each(queue->device->tracker, queue->context, list_at, lists, count,
                                     NULL, NULL, submit, &execution);
}

/* ---- lists and bundles ---- */

bool glue_list_create(struct glue_device *device, bool is_bundle, struct glue_list *list)
{
    const annot_object_desc desc = {.kind = D3D12DDI_HT_COMMAND_LIST,
                                    .list_type = is_bundle,
                                    .driver_handle = &list->recording};
    *list = (struct glue_list){.device = device, .recording = {.words = &device->words}};
    return annot_object_create(device->annot, &desc, &list->object) == ANNOT_OK &&
           annot_context_create(list->object, &list->context) == ANNOT_OK &&
           annot_arena_create(device->annot, &list->arena) == ANNOT_OK;
}

void glue_list_destroy(struct glue_list *list)
{
    annot_tracker_forget(list->device->tracker, list->context);
    annot_context_destroy(list->context);
    annot_arena_destroy(list->arena);
    annot_object_destroy(list->object);
}

void glue_list_open(struct glue_list *list, VkCommandBuffer first)
{
    list->buffer_count = 0;
    glue_list_split(list, first);
    annot_context_open(list->context, list->arena);
    annot_vk_recording_begin(&list->recording,
                             annot_tracker_record(list->device->tracker, list->context));
}

void glue_list_split(struct glue_list *list, VkCommandBuffer next)
{
    list->recording.commands = list->buffers[list->buffer_count++] = next;
}

void glue_list_execute_bundle(struct glue_list *list, struct glue_list *bundle)
{
    annot_tracker_execute_bundle(list->device->tracker, list->context, bundle->context);
    vkCmdExecuteCommands(list->recording.commands, bundle->buffer_count, bundle->buffers);
}

void glue_list_close(struct glue_list *list)
{
    annot_vk_recording_end(&list->recording);
    annot_context_close(list->context);
}
