/* The loader's interface, version 2, and the functions for each name. */
#include "calls.h"

static const VkLayerProperties layer_properties = {VKL_NAME, VK_MAKE_API_VERSION(0, 1, 3, 0), 1,
                                                   "GPU crash dumps with the application's labels"};

static const VkExtensionProperties instance_extensions[] = {
    {VK_EXT_DEBUG_UTILS_EXTENSION_NAME, VK_EXT_DEBUG_UTILS_SPEC_VERSION}};
static const VkExtensionProperties device_extensions[] = {
    {VK_EXT_DEBUG_MARKER_EXTENSION_NAME, VK_EXT_DEBUG_MARKER_SPEC_VERSION}};

static VkResult give(const void *from, size_t size, uint32_t available, uint32_t *count, void *to)
{
    if (!to) {
        *count = available;
        return VK_SUCCESS;
    }
    if (*count > available)
        *count = available;
    memcpy(to, from, *count * size);
    return *count < available ? VK_INCOMPLETE : VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL
vkl_EnumerateInstanceLayerProperties(uint32_t *count, VkLayerProperties *properties)
{
    return give(&layer_properties, sizeof layer_properties, 1, count, properties);
}

static VKAPI_ATTR VkResult VKAPI_CALL vkl_EnumerateDeviceLayerProperties(
    VkPhysicalDevice physical, uint32_t *count, VkLayerProperties *properties)
{
    (void)physical;
    return vkl_EnumerateInstanceLayerProperties(count, properties);
}

static VKAPI_ATTR VkResult VKAPI_CALL vkl_EnumerateInstanceExtensionProperties(
    const char *layer, uint32_t *count, VkExtensionProperties *properties)
{
    if (!layer || strcmp(layer, VKL_NAME) != 0)
        return VK_ERROR_LAYER_NOT_PRESENT;
    return give(instance_extensions, sizeof *instance_extensions, 1, count, properties);
}

static bool has_ours(const VkExtensionProperties *properties, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(properties[i].extensionName, device_extensions->extensionName) == 0)
            return true;
    return false;
}

/* Gives the properties of the layers and the driver below, and this layer's. */
static VkResult give_all(const struct vkl_instance *instance, VkPhysicalDevice physical,
                         uint32_t *count, VkExtensionProperties *properties)
{
    PFN_vkEnumerateDeviceExtensionProperties next =
        instance->next.EnumerateDeviceExtensionProperties;
    VkExtensionProperties *all = NULL;
    VkResult result;
    uint32_t found = 0;
    do { /* there may be more the second time */
        result = next(physical, NULL, &found, NULL);
        free(all);
        all = malloc((found + (size_t)1) * sizeof *all);
        if (result == VK_SUCCESS)
            result = all ? next(physical, NULL, &found, all) : VK_ERROR_OUT_OF_HOST_MEMORY;
    } while (result == VK_INCOMPLETE);
    if (result == VK_SUCCESS && !has_ours(all, found))
        all[found++] = *device_extensions;
    if (result == VK_SUCCESS)
        result = give(all, sizeof *all, found, count, properties);
    free(all);
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL
vkl_EnumerateDeviceExtensionProperties(VkPhysicalDevice physical, const char *layer,
                                       uint32_t *count, VkExtensionProperties *properties)
{
    if (layer && strcmp(layer, VKL_NAME) == 0)
        return give(device_extensions, sizeof *device_extensions, 1, count, properties);
    struct vkl_instance *instance = physical ? vkl_instance_of(vkl_key(physical)) : NULL;
    if (!instance)
        return VK_ERROR_LAYER_NOT_PRESENT;
    if (!layer)
        return give_all(instance, physical, count, properties);
    return instance->next.EnumerateDeviceExtensionProperties(physical, layer, count, properties);
}

static VKAPI_ATTR VkResult VKAPI_CALL vkl_EnumerateInstanceVersion(uint32_t *version)
{
    *version = layer_properties.specVersion;
    return VK_SUCCESS;
}

static bool is_ours(PFN_vkGetInstanceProcAddr next)
{
    return next == vkl_GetInstanceProcAddr || next == vkGetInstanceProcAddr;
}

VKAPI_ATTR VkResult VKAPI_CALL vkl_CreateInstance(const VkInstanceCreateInfo *info,
                                                  const VkAllocationCallbacks *allocator,
                                                  VkInstance *out)
{
    return vkl_instance_create(info, allocator, out, is_ours);
}

VKAPI_ATTR VkResult VKAPI_CALL vkl_CreateDevice(VkPhysicalDevice physical,
                                                const VkDeviceCreateInfo *info,
                                                const VkAllocationCallbacks *allocator,
                                                VkDevice *out)
{
    return vkl_device_create(physical, info, allocator, out, is_ours);
}

/* A loader and the layers above ask for these without an instance: MangoHud and vkBasalt do so for
 * vkCreateDevice. */
#define GLOBAL_CALLS(F)                                                                            \
    F(CreateInstance, )                                                                            \
    F(EnumerateInstanceLayerProperties, )                                                          \
    F(EnumerateInstanceExtensionProperties, )                                                      \
    F(EnumerateInstanceVersion, )                                                                  \
    F(GetInstanceProcAddr, )                                                                       \
    F(GetDeviceProcAddr, )                                                                         \
    F(DestroyInstance, )                                                                           \
    F(CreateDevice, )                                                                              \
    F(EnumerateDeviceLayerProperties, )                                                            \
    F(EnumerateDeviceExtensionProperties, )
static const struct vkl_call global_calls[] = {GLOBAL_CALLS(VKL_CALL){.name = NULL}};

static const struct vkl_call *find(const struct vkl_call *calls, const char *name)
{
    for (; calls->name; calls++) {
        const size_t size = strlen(calls->name);
        if (strncmp(calls->name, name, size) == 0 &&
            (!name[size] || strcmp(name + size, calls->other) == 0))
            return calls;
    }
    return NULL;
}

static const struct vkl_call *find_device_call(const struct crash_settings *settings,
                                               const char *name)
{
    static const struct vkl_call *const tables[] = {
        vkl_device_calls,    vkl_pool_calls,    vkl_recording_calls, vkl_label_calls,
        vkl_submit_calls,    vkl_sync_calls,    vkl_object_calls,    vkl_pipeline_calls,
        vkl_operation_calls, vkl_command_calls, vkl_bound_calls};
    const size_t all = sizeof tables / sizeof *tables;
    const size_t count = settings->level == CRASH_LEVEL_LOW      ? all - 4
                         : settings->level == CRASH_LEVEL_LABELS ? all - 1
                                                                 : all;
    for (size_t i = 0; i < count; i++) {
        const struct vkl_call *call = find(tables[i], name);
        if (call)
            return call;
    }
    return NULL;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vkl_GetInstanceProcAddr(VkInstance handle,
                                                                 const char *name)
{
    const struct vkl_call *call = name ? find(global_calls, name) : NULL;
    if (call || !name)
        return call ? call->function : NULL;
    struct vkl_instance *instance = handle ? vkl_instance_of(vkl_key(handle)) : NULL;
    if (!instance)
        return NULL;
    call = find_device_call(&instance->settings, name);
    PFN_vkVoidFunction below = call && call->is_offered
                                   ? NULL
                                   : instance->next.GetInstanceProcAddr(instance->handle, name);
    if (!call)
        return instance->settings.level != CRASH_LEVEL_LOW ? vkl_unknown_stub(name, below) : below;
    return call->is_offered || below ? call->function : NULL;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vkl_GetDeviceProcAddr(VkDevice handle, const char *name)
{
    struct vkl_device *device = handle ? vkl_device_of(vkl_key(handle)) : NULL;
    if (!device || !name)
        return NULL;
    if (strcmp(name, "vkGetDeviceProcAddr") == 0)
        return (PFN_vkVoidFunction)vkl_GetDeviceProcAddr;
    const struct vkl_call *call = find_device_call(&device->settings, name);
    if (call && call->is_offered)
        return call->function;
    PFN_vkVoidFunction below = device->next.GetDeviceProcAddr(device->handle, name);
    if (!call)
        return device->settings.level != CRASH_LEVEL_LOW ? vkl_unknown_stub(name, below) : below;
    return below ? call->function : NULL;
}

/* Newer Vulkan headers have no VK_LAYER_EXPORT. */
#define EXPORT __attribute__((visibility("default")))

/* The names for a loader that doesn't negotiate. */
EXPORT VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vkGetInstanceProcAddr(VkInstance instance,
                                                                      const char *name)
{
    return vkl_GetInstanceProcAddr(instance, name);
}

EXPORT VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vkGetDeviceProcAddr(VkDevice device,
                                                                    const char *name)
{
    return vkl_GetDeviceProcAddr(device, name);
}

EXPORT VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *interface);

EXPORT VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *interface)
{
    if (!interface || interface->sType != LAYER_NEGOTIATE_INTERFACE_STRUCT ||
        interface->loaderLayerInterfaceVersion < 2)
        return VK_ERROR_INITIALIZATION_FAILED;
    interface->loaderLayerInterfaceVersion = 2;
    interface->pfnGetInstanceProcAddr = vkl_GetInstanceProcAddr;
    interface->pfnGetDeviceProcAddr = vkl_GetDeviceProcAddr;
    interface->pfnGetPhysicalDeviceProcAddr = NULL;
    return VK_SUCCESS;
}
