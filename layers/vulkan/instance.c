/* Instances: the functions of the layer below, and the user's settings. */
#include "calls.h"
#include "environment.h"

#include <stdio.h>

static bool has_extension(const VkInstanceCreateInfo *info, const char *name)
{
    for (uint32_t i = 0; i < info->enabledExtensionCount; i++)
        if (strcmp(info->ppEnabledExtensionNames[i], name) == 0)
            return true;
    return false;
}

static void fill(struct vkl_instance *instance, const VkInstanceCreateInfo *info)
{
    const bool is_1_0 = instance->api_version < VK_API_VERSION_1_1;
#define VKL_FILL(name)                                                                             \
    instance->next.name =                                                                          \
        (PFN_vk##name)instance->next.GetInstanceProcAddr(instance->handle, "vk" #name);
    VKL_INSTANCE_FUNCTIONS(VKL_FILL)
#undef VKL_FILL
    if (!has_extension(info, VK_EXT_DEBUG_UTILS_EXTENSION_NAME))
        instance->next.CreateDebugUtilsMessengerEXT = NULL;
    /* On an instance of Vulkan 1.0 only the extension's function may be called, if the application
     * has the extension, although the loader may give 1.1's. */
    if (is_1_0 && !has_extension(info, VK_KHR_GET_PHYSICAL_DEVICE_PROPERTIES_2_EXTENSION_NAME))
        instance->next.GetPhysicalDeviceFeatures2 = NULL;
    else if (is_1_0 || !instance->next.GetPhysicalDeviceFeatures2)
        instance->next.GetPhysicalDeviceFeatures2 = instance->next.GetPhysicalDeviceFeatures2KHR;
}

/* Undoes a creation: if memory runs out for the layer's data, no call can be passed on. */
static VkResult undo(PFN_vkGetInstanceProcAddr next, VkInstance instance,
                     const VkAllocationCallbacks *allocator)
{
    PFN_vkDestroyInstance destroy =
        (PFN_vkDestroyInstance)(uintptr_t)next(instance, "vkDestroyInstance");
    destroy(instance, allocator);
    return VK_ERROR_OUT_OF_HOST_MEMORY;
}

/* Tells `annot vulkan` that the program uses the layer. */
static void tell_witness(void)
{
    const char *path = os_environment_borrow("ANNOT_FRONT_WITNESS");
    FILE *witness = path && *path ? fopen(path, "r+b") : NULL;
    if (!witness)
        return;
    fputs("seen\n", witness);
    fclose(witness);
}

VkResult vkl_instance_create(const VkInstanceCreateInfo *info,
                             const VkAllocationCallbacks *allocator, VkInstance *out,
                             vkl_is_ours is_ours)
{
    VkLayerInstanceCreateInfo *link =
        vkl_link_of(info->pNext, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO, VK_LAYER_LINK_INFO);
    if (!link || !link->u.pLayerInfo)
        return VK_ERROR_INITIALIZATION_FAILED;
    PFN_vkGetInstanceProcAddr next = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    PFN_vkCreateInstance create =
        (PFN_vkCreateInstance)(uintptr_t)next(VK_NULL_HANDLE, "vkCreateInstance");
    if (!create)
        return VK_ERROR_INITIALIZATION_FAILED;
    tell_witness();
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    VkResult result = create(info, allocator, out);
    /* If this library is loaded twice in a row, the lower copy works, and gets the calls of the
     * upper copy. */
    if (result != VK_SUCCESS || is_ours(next))
        return result;

    struct vkl_instance *instance = calloc(1, sizeof *instance);
    if (!instance)
        return undo(next, *out, allocator);
    instance->key = vkl_key(*out);
    instance->handle = *out;
    instance->next.GetInstanceProcAddr = next;
    instance->api_version = info->pApplicationInfo && info->pApplicationInfo->apiVersion
                                ? info->pApplicationInfo->apiVersion
                                : VK_API_VERSION_1_0;
    if (info->pApplicationInfo && info->pApplicationInfo->pEngineName)
        snprintf(instance->engine, sizeof instance->engine, "%s",
                 info->pApplicationInfo->pEngineName);
    fill(instance, info);
    vkl_settings_read(&instance->settings, info->pNext);
    vkl_registry_follow_forks();
    if (!vkl_registry_add_instance(instance)) {
        free(instance);
        return undo(next, *out, allocator);
    }
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL vkl_DestroyInstance(VkInstance handle,
                                               const VkAllocationCallbacks *allocator)
{
    if (!handle)
        return;
    struct vkl_instance *instance = vkl_instance_of(vkl_key(handle));
    if (!instance)
        return;
    vkl_registry_remove_instance(instance);
    instance->next.DestroyInstance(handle, allocator);
    free(instance);
}
