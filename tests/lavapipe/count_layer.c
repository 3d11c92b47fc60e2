/* A Vulkan layer that counts the labels and names that reach it, and can lose or hang the device:
 * what the crash layer above it says must be the same. One instance and one device.
 *
 *     COUNT_FILE=PATH      the counts "begun ended points names", written when the device is lost
 *                          or destroyed
 *     COUNT_LOSE=N         the N-th submission and all later ones return VK_ERROR_DEVICE_LOST
 *     COUNT_HANG=N         the N-th recorded draw or dispatch waits for an event that nobody sets;
 *                          its name goes into COUNT_FILE
 *     COUNT_CLAIM=1        claims features that Dawn asks of every driver and some lack: arrays
 *                          of resources with an index that is no constant
 */
#include <vulkan/vulkan.h>
#include <vulkan/vk_layer.h>

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static PFN_vkGetInstanceProcAddr next_instance;
static PFN_vkGetDeviceProcAddr next_device;
static PFN_vkGetPhysicalDeviceFeatures2 next_features; /* alike in all instances */
static VkInstance instance;
static VkDevice device;
static _Atomic unsigned begun, ended, points, names, submits;

static void tell(void)
{
    const char *path = getenv("COUNT_FILE");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file)
        return;
    fprintf(file, "%u begun, %u ended, %u points, %u names\n", begun, ended, points, names);
    fclose(file);
}

static PFN_vkVoidFunction below(const char *name)
{
    return next_device(device, name);
}

static VKAPI_ATTR void VKAPI_CALL begin(VkCommandBuffer buffer, const VkDebugUtilsLabelEXT *label)
{
    begun++;
    PFN_vkCmdBeginDebugUtilsLabelEXT next =
        (PFN_vkCmdBeginDebugUtilsLabelEXT)below("vkCmdBeginDebugUtilsLabelEXT");
    if (next)
        next(buffer, label);
}

static VKAPI_ATTR void VKAPI_CALL end(VkCommandBuffer buffer)
{
    ended++;
    PFN_vkCmdEndDebugUtilsLabelEXT next =
        (PFN_vkCmdEndDebugUtilsLabelEXT)below("vkCmdEndDebugUtilsLabelEXT");
    if (next)
        next(buffer);
}

static VKAPI_ATTR void VKAPI_CALL insert(VkCommandBuffer buffer, const VkDebugUtilsLabelEXT *label)
{
    points++;
    PFN_vkCmdInsertDebugUtilsLabelEXT next =
        (PFN_vkCmdInsertDebugUtilsLabelEXT)below("vkCmdInsertDebugUtilsLabelEXT");
    if (next)
        next(buffer, label);
}

static VKAPI_ATTR VkResult VKAPI_CALL set_name(VkDevice of,
                                               const VkDebugUtilsObjectNameInfoEXT *info)
{
    names++;
    PFN_vkSetDebugUtilsObjectNameEXT next =
        (PFN_vkSetDebugUtilsObjectNameEXT)below("vkSetDebugUtilsObjectNameEXT");
    return next ? next(of, info) : VK_SUCCESS;
}

static int is_lost(void)
{
    const char *limit = getenv("COUNT_LOSE");
    const unsigned now = ++submits;
    if (!limit || now < (unsigned)atoi(limit))
        return 0;
    if (now == (unsigned)atoi(limit))
        tell();
    return 1;
}

static VKAPI_ATTR VkResult VKAPI_CALL submit(VkQueue queue, uint32_t count,
                                             const VkSubmitInfo *infos, VkFence fence)
{
    return is_lost() ? VK_ERROR_DEVICE_LOST
                     : ((PFN_vkQueueSubmit)below("vkQueueSubmit"))(queue, count, infos, fence);
}

static VKAPI_ATTR VkResult VKAPI_CALL submit2(VkQueue queue, uint32_t count,
                                              const VkSubmitInfo2 *infos, VkFence fence)
{
    PFN_vkQueueSubmit2 next = (PFN_vkQueueSubmit2)below("vkQueueSubmit2");
    if (!next)
        next = (PFN_vkQueueSubmit2)below("vkQueueSubmit2KHR");
    return is_lost() ? VK_ERROR_DEVICE_LOST : next(queue, count, infos, fence);
}

static VKAPI_ATTR void VKAPI_CALL destroy(VkDevice of, const VkAllocationCallbacks *allocator)
{
    if (!getenv("COUNT_LOSE"))
        tell();
    ((PFN_vkDestroyDevice)below("vkDestroyDevice"))(of, allocator);
}

/* ---- a hang at a chosen operation ---- */

/* `name` and the numbers are a report's words. */
static void work(VkCommandBuffer buffer, const char *name, int count, const uint32_t *numbers)
{
    static _Atomic unsigned recorded;
    const char *limit = getenv("COUNT_HANG"), *path = getenv("COUNT_FILE");
    const VkEventCreateInfo info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    VkEvent never;
    FILE *file = NULL;
    if (!limit || ++recorded != (unsigned)atoi(limit) || !path || !(file = fopen(path, "w")) ||
        ((PFN_vkCreateEvent)below("vkCreateEvent"))(device, &info, NULL, &never) != VK_SUCCESS)
        return;
    ((PFN_vkCmdWaitEvents)below("vkCmdWaitEvents"))(buffer, 1, &never,
                                                    VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                                    VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, NULL, 0,
                                                    NULL, 0, NULL);
    for (int i = 0; i < count; i++)
        fprintf(file, "%s%d", i ? ", " : name, (int)numbers[i]);
    fputs(")\n", file);
    fclose(file);
}

#define WORK(name, words, count, numbers, arguments, ...)                                          \
    static VKAPI_ATTR void VKAPI_CALL work_##name(VkCommandBuffer b, __VA_ARGS__)                  \
    {                                                                                              \
        work(b, words "(", count, (const uint32_t[])numbers);                                      \
        ((PFN_vkCmd##name)below("vkCmd" #name)) arguments;                                         \
    }
#define LIST(...)                                                                                  \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
WORK(Draw, "DrawInstanced", 4, LIST(n, i, v, f), (b, n, i, v, f), uint32_t n, uint32_t i,
     uint32_t v, uint32_t f)
WORK(DrawIndexed, "DrawIndexedInstanced", 5, LIST(n, i, x, (uint32_t)v, f), (b, n, i, x, v, f),
     uint32_t n, uint32_t i, uint32_t x, int32_t v, uint32_t f)
WORK(DrawMultiEXT, "DrawInstanced", 4, LIST(d->vertexCount, i, d->firstVertex, f),
     (b, n, d, i, f, s), uint32_t n, const VkMultiDrawInfoEXT *d, uint32_t i, uint32_t f,
     uint32_t s)
WORK(Dispatch, "Dispatch", 3, LIST(x, y, z), (b, x, y, z), uint32_t x, uint32_t y, uint32_t z)

/* ---- claimed features: shown to the program, kept from the driver ---- */

static void set_claims(VkPhysicalDeviceFeatures *features, VkBool32 value)
{
    features->shaderUniformBufferArrayDynamicIndexing = value;
    features->shaderSampledImageArrayDynamicIndexing = value;
    features->shaderStorageBufferArrayDynamicIndexing = value;
    features->shaderStorageImageArrayDynamicIndexing = value;
}

static VKAPI_ATTR void VKAPI_CALL features2(VkPhysicalDevice physical,
                                            VkPhysicalDeviceFeatures2 *out)
{
    next_features(physical, out);
    if (getenv("COUNT_CLAIM"))
        set_claims(&out->features, VK_TRUE);
}

static VKAPI_ATTR void VKAPI_CALL features(VkPhysicalDevice physical, VkPhysicalDeviceFeatures *out)
{
    VkPhysicalDeviceFeatures2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    features2(physical, &all);
    *out = all.features;
}

/* Takes features back that the program asks for and the driver lacks. */
static void take_claims_back(VkPhysicalDevice physical, VkPhysicalDeviceFeatures *wanted)
{
    VkPhysicalDeviceFeatures2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    const VkPhysicalDeviceFeatures *has = &all.features;
    next_features(physical, &all);
    wanted->shaderUniformBufferArrayDynamicIndexing &= has->shaderUniformBufferArrayDynamicIndexing;
    wanted->shaderSampledImageArrayDynamicIndexing &= has->shaderSampledImageArrayDynamicIndexing;
    wanted->shaderStorageBufferArrayDynamicIndexing &= has->shaderStorageBufferArrayDynamicIndexing;
    wanted->shaderStorageImageArrayDynamicIndexing &= has->shaderStorageImageArrayDynamicIndexing;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical,
                                                    const VkDeviceCreateInfo *info,
                                                    const VkAllocationCallbacks *allocator,
                                                    VkDevice *out)
{
    VkLayerDeviceCreateInfo *link = (VkLayerDeviceCreateInfo *)(uintptr_t)info->pNext;
    while (link->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO ||
           link->function != VK_LAYER_LINK_INFO)
        link = (VkLayerDeviceCreateInfo *)(uintptr_t)link->pNext;
    PFN_vkCreateDevice create = (PFN_vkCreateDevice)link->u.pLayerInfo->pfnNextGetInstanceProcAddr(
        instance, "vkCreateDevice");
    next_device = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    VkBaseOutStructure *more = (VkBaseOutStructure *)(uintptr_t)info->pNext;
    for (; more; more = more->pNext)
        if (more->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2)
            take_claims_back(physical, &((VkPhysicalDeviceFeatures2 *)more)->features);
    VkDeviceCreateInfo own = *info;
    VkPhysicalDeviceFeatures wanted;
    if (info->pEnabledFeatures) {
        wanted = *info->pEnabledFeatures;
        take_claims_back(physical, &wanted);
        own.pEnabledFeatures = &wanted;
    }
    VkResult result = create(physical, &own, allocator, out);
    device = *out;
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo *info,
                                                      const VkAllocationCallbacks *allocator,
                                                      VkInstance *out)
{
    VkLayerInstanceCreateInfo *link = (VkLayerInstanceCreateInfo *)(uintptr_t)info->pNext;
    while (link->sType != VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO ||
           link->function != VK_LAYER_LINK_INFO)
        link = (VkLayerInstanceCreateInfo *)(uintptr_t)link->pNext;
    next_instance = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    PFN_vkCreateInstance create =
        (PFN_vkCreateInstance)next_instance(VK_NULL_HANDLE, "vkCreateInstance");
    VkResult result = create(info, allocator, out);
    instance = *out;
    if (result != VK_SUCCESS)
        return result;
    next_features =
        (PFN_vkGetPhysicalDeviceFeatures2)next_instance(instance, "vkGetPhysicalDeviceFeatures2");
    return result;
}

static const struct {
    const char *name;
    PFN_vkVoidFunction function;
} calls[] = {
    {"vkCreateInstance", (PFN_vkVoidFunction)create_instance},
    {"vkCreateDevice", (PFN_vkVoidFunction)create_device},
    {"vkGetPhysicalDeviceFeatures", (PFN_vkVoidFunction)features},
    {"vkGetPhysicalDeviceFeatures2", (PFN_vkVoidFunction)features2},
    {"vkGetPhysicalDeviceFeatures2KHR", (PFN_vkVoidFunction)features2},
    {"vkDestroyDevice", (PFN_vkVoidFunction)destroy},
    {"vkCmdBeginDebugUtilsLabelEXT", (PFN_vkVoidFunction)begin},
    {"vkCmdEndDebugUtilsLabelEXT", (PFN_vkVoidFunction)end},
    {"vkCmdInsertDebugUtilsLabelEXT", (PFN_vkVoidFunction)insert},
    {"vkSetDebugUtilsObjectNameEXT", (PFN_vkVoidFunction)set_name},
    {"vkCmdDraw", (PFN_vkVoidFunction)work_Draw},
    {"vkCmdDrawIndexed", (PFN_vkVoidFunction)work_DrawIndexed},
    {"vkCmdDrawMultiEXT", (PFN_vkVoidFunction)work_DrawMultiEXT},
    {"vkCmdDispatch", (PFN_vkVoidFunction)work_Dispatch},
    {"vkQueueSubmit", (PFN_vkVoidFunction)submit},
    {"vkQueueSubmit2", (PFN_vkVoidFunction)submit2},
    {"vkQueueSubmit2KHR", (PFN_vkVoidFunction)submit2},
};

static PFN_vkVoidFunction ours(const char *name)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strcmp(calls[i].name, name) == 0)
            return calls[i].function;
    return NULL;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vkGetDeviceProcAddr(VkDevice of, const char *name)
{
    PFN_vkVoidFunction found = ours(name);
    if (strcmp(name, "vkGetDeviceProcAddr") == 0)
        return (PFN_vkVoidFunction)vkGetDeviceProcAddr;
    return found ? found : next_device(of, name);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vkGetInstanceProcAddr(VkInstance of, const char *name)
{
    PFN_vkVoidFunction found = ours(name);
    if (strcmp(name, "vkGetInstanceProcAddr") == 0)
        return (PFN_vkVoidFunction)vkGetInstanceProcAddr;
    if (strcmp(name, "vkGetDeviceProcAddr") == 0)
        return (PFN_vkVoidFunction)vkGetDeviceProcAddr;
    return found ? found : next_instance ? next_instance(of, name) : NULL;
}
