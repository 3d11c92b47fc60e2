/* A layer that translates D3D12 to Vulkan calls these functions of the glue; each stands in the
 * method whose name it has. Methods that are one call of libannot's make it themselves: markers on
 * list->context, render passes on list->recording, fences on the device's tracker. */
#ifndef GLUE_H
#define GLUE_H

#include <annot/vulkan.h>

enum { GLUE_BUFFERS = 4 };

struct glue_device {
    annot_vk_words words;
    annot_device *annot;
    annot_tracker *tracker;
    annot_dump_writer *writer;
    char dump[1024];
};

struct glue_queue {
    struct glue_device *device;
    annot_object *object;
    annot_context *context;
    VkQueue vk;
};

/* A list or a bundle: several command buffers, where the layer has to split. */
struct glue_list {
    struct glue_device *device;
    annot_object *object;
    annot_context *context;
    annot_arena *arena;
    annot_vk_recording recording;
    VkCommandBuffer buffers[GLUE_BUFFERS];
    uint32_t buffer_count;
};

bool glue_device_create(struct glue_device *device, VkDevice vk, VkPhysicalDevice physical,
                        const char *dump);
void glue_device_destroy(struct glue_device *device);

bool glue_queue_create(struct glue_device *device, VkQueue vk, struct glue_queue *queue);
void glue_queue_destroy(struct glue_queue *queue);
/* One ExecuteCommandLists: its serial, or 0. */
uint64_t glue_queue_execute(struct glue_queue *queue, struct glue_list *const *lists,
                            uint32_t count, VkFence fence);

bool glue_list_create(struct glue_device *device, bool is_bundle, struct glue_list *list);
void glue_list_destroy(struct glue_list *list);
void glue_list_open(struct glue_list *list, VkCommandBuffer first); /* CreateCommandList, Reset */
/* It goes on in another command buffer. */
void glue_list_split(struct glue_list *list, VkCommandBuffer next);
void glue_list_execute_bundle(struct glue_list *list, struct glue_list *bundle);
void glue_list_close(struct glue_list *list);

/* ID3D12Object::SetName and SetPrivateData; true: it was a name. */
bool glue_set_name(annot_object *object, const void *guid, const void *data, uint32_t size);

/* A wait said VK_ERROR_DEVICE_LOST, or a watchdog gave up: VK_TIMEOUT. Before the application is
 * told. */
annot_result glue_device_lost(struct glue_device *device, VkResult result);

#endif
