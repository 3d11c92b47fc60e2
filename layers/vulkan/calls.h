/* Functions of this layer that the loader gives to applications. Each function performs the Vulkan
 * function with this name, and calls the layer below. */
#pragma once

#include "vulkan_layer.h"

VKAPI_ATTR VkResult VKAPI_CALL vkl_CreateInstance(const VkInstanceCreateInfo *info,
                                                  const VkAllocationCallbacks *allocator,
                                                  VkInstance *instance);
VKAPI_ATTR VkResult VKAPI_CALL vkl_CreateDevice(VkPhysicalDevice physical,
                                                const VkDeviceCreateInfo *info,
                                                const VkAllocationCallbacks *allocator,
                                                VkDevice *device);
/* Whether `next` is this layer's own function. If so, the layer was loaded twice, and only its
 * lower copy works. */
typedef bool (*vkl_is_ours)(PFN_vkGetInstanceProcAddr next);
VkResult vkl_instance_create(const VkInstanceCreateInfo *info,
                             const VkAllocationCallbacks *allocator, VkInstance *instance,
                             vkl_is_ours is_ours);
VkResult vkl_device_create(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                           const VkAllocationCallbacks *allocator, VkDevice *device,
                           vkl_is_ours is_ours);
VKAPI_ATTR void VKAPI_CALL vkl_DestroyInstance(VkInstance instance,
                                               const VkAllocationCallbacks *allocator);
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vkl_GetInstanceProcAddr(VkInstance instance,
                                                                 const char *name);
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vkl_GetDeviceProcAddr(VkDevice device, const char *name);

/* A function of the layer. is_offered says that applications get the function even if the layer
 * below lacks it. */
struct vkl_call {
    /* The function's name, and a name with another ending that means the same. */
    const char *name, *other;
    PFN_vkVoidFunction function;
    bool is_offered;
};

/* The tables of the layer's functions, one for each file. A NULL name ends a table. */
extern const struct vkl_call vkl_device_calls[], vkl_pool_calls[], vkl_recording_calls[],
    vkl_label_calls[], vkl_submit_calls[], vkl_sync_calls[], vkl_object_calls[],
    vkl_pipeline_calls[], vkl_operation_calls[],
    vkl_command_calls[] /* vkl_pipeline_calls and later tables apply at level "labels" and above */,
    vkl_bound_calls[] /* functions that replace the program's calls at level "exact" */;

/* Notes the barriers of a wait. Called after the wait, at level "exact". */
void vkl_bound_WaitEvents(VkCommandBuffer b, uint32_t n, const VkEvent *e, VkPipelineStageFlags s,
                          VkPipelineStageFlags d, uint32_t m, const VkMemoryBarrier *k, uint32_t o,
                          const VkBufferMemoryBarrier *p, uint32_t q,
                          const VkImageMemoryBarrier *r);
void vkl_bound_WaitEvents2(VkCommandBuffer b, uint32_t n, const VkEvent *e,
                           const VkDependencyInfo *infos);

/* Returns a function for a command that the layer doesn't know; applications get this function.
 * Returns NULL if `next` is NULL. */
PFN_vkVoidFunction vkl_unknown_stub(const char *name, PFN_vkVoidFunction next);

/* Makes a row of a table (a struct vkl_call) from an entry of a list in next.h. */
#define VKL_CALL(name, other)         {"vk" #name, #other, (PFN_vkVoidFunction)vkl_##name, false},
#define VKL_CALL_OF(name, other, ...) VKL_CALL(name, other)
#define VKL_CALL_OFFERED(name, other) {"vk" #name, #other, (PFN_vkVoidFunction)vkl_##name, true},

/* Defines a command that is noted and passed on. Its first parameter must be `handle`. */
#define VKL_NOTED(name, parameters, arguments, ...)                                                \
    static VKAPI_ATTR void VKAPI_CALL vkl_Cmd##name parameters                                     \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
        vkl_device_of(vkl_key(handle))->next.Cmd##name arguments;                                  \
    }

/* Defines a call that is noted if it succeeds. */
#define VKL_IF_DONE(name, parameters, arguments, note_it)                                          \
    static VKAPI_ATTR VkResult VKAPI_CALL vkl_##name parameters                                    \
    {                                                                                              \
        struct vkl_device *device = vkl_device_of(vkl_key(handle));                                \
        const VkResult result = device->next.name arguments;                                       \
        if (result == VK_SUCCESS)                                                                  \
            note_it;                                                                               \
        return vkl_check(device, result, "vk" #name);                                              \
    }

/* Defines a function that creates an object. After success, `note` is called with the object. */
#define VKL_CREATE(name, of, type, note)                                                           \
    VKL_IF_DONE(name,                                                                              \
                (VkDevice handle, const of *info, const VkAllocationCallbacks *allocator,          \
                 type *out),                                                                       \
                (handle, info, allocator, out), if (device->crash.annot) note(device, info, *out))
