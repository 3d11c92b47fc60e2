/* The layer's requests of a device in addition to the application's: extensions that give evidence,
 * timeline semaphores, fault reports. If the driver then refuses, the device is created as the
 * application requested it. */
#include "calls.h"

#include <stddef.h>

/* VkPhysicalDeviceTimelineSemaphoreFeatures and others with one flag. */
struct flag {
    VkStructureType type;
    void *next;
    VkBool32 has;
};

struct wish {
    VkDeviceCreateInfo info;
    const char **names;
    uint32_t count;
    struct flag timeline, reset, addresses;
    VkPhysicalDeviceFaultFeaturesEXT fault;
    VkPhysicalDeviceFaultFeaturesKHR fault_khr;
    VkExtensionProperties *there; /* the extensions of the layer below */
    uint32_t there_count;
};

static bool is_there(const struct wish *wish, const char *name)
{
    for (uint32_t i = 0; i < wish->there_count; i++)
        if (strcmp(wish->there[i].extensionName, name) == 0)
            return true;
    return false;
}

static void look(const struct vkl_device *device, struct wish *wish)
{
    PFN_vkEnumerateDeviceExtensionProperties enumerate =
        device->instance->next.EnumerateDeviceExtensionProperties;
    uint32_t count = 0;
    if (enumerate(device->physical, NULL, &count, NULL) != VK_SUCCESS || count == 0)
        return;
    wish->there = calloc(count, sizeof *wish->there);
    const uint32_t room = count;
    if (wish->there && enumerate(device->physical, NULL, &count, wish->there) >= 0)
        wish->there_count = count < room ? count : room;
}

static void add(struct wish *wish, const char *name)
{
    for (uint32_t i = 0; i < wish->count; i++)
        if (strcmp(wish->names[i], name) == 0)
            return;
    wish->names[wish->count++] = name;
}

/* Asks the driver for features. False: no function can ask. */
static bool ask(const struct vkl_device *device, void *features)
{
    VkPhysicalDeviceFeatures2 all = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
        .pNext = features,
    };
    if (!device->instance->next.GetPhysicalDeviceFeatures2 ||
        (device->instance->api_version >= VK_API_VERSION_1_1 &&
         device->properties.apiVersion < VK_API_VERSION_1_1))
        return false;
    device->instance->next.GetPhysicalDeviceFeatures2(device->physical, &all);
    return true;
}

/* Requests features, if their extension (NULL: the core) and the driver have these features; `has`
 * is the flag for this. */
static bool wish_features(const struct vkl_device *device, struct wish *wish, const char *extension,
                          void *features, const VkBool32 *has)
{
    VkBaseOutStructure *chained = features;
    if ((extension && !is_there(wish, extension)) || !ask(device, features) || !*has)
        return false;
    if (extension)
        add(wish, extension);
    chained->pNext = (void *)(uintptr_t)wish->info.pNext;
    wish->info.pNext = features;
    return true;
}

/* Wishes for one flag of a feature. If the feature is in the core since 1.2, `offset` is its place
 * in VkPhysicalDeviceVulkan12Features; else 0. True: the device has it. */
static bool wish_flag(struct vkl_device *device, struct wish *wish, struct flag *flag,
                      VkStructureType type, size_t offset, const char *extension)
{
    const char *core =
        vkl_in_chain(wish->info.pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
    const struct flag *own = vkl_in_chain(wish->info.pNext, type);
    if (core && offset) /* the application's structure isn't ours to change */
        return *(const VkBool32 *)(const void *)(core + offset);
    if (own)
        return own->has;
    *flag = (struct flag){.type = type};
    const bool is_core = offset && device->instance->api_version >= VK_API_VERSION_1_2 &&
                         device->properties.apiVersion >= VK_API_VERSION_1_2;
    return wish_features(device, wish, is_core ? NULL : extension, flag, &flag->has);
}

/* Requests the KHR's fault reports, or else the EXT's. If the application requests either, it
 * decides. */
static void wish_fault(struct vkl_device *device, struct wish *wish)
{
    const VkPhysicalDeviceFaultFeaturesEXT *ext =
        vkl_in_chain(wish->info.pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_EXT);
    const VkPhysicalDeviceFaultFeaturesKHR *khr =
        vkl_in_chain(wish->info.pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_KHR);
    const struct flag *abort =
        vkl_in_chain(wish->info.pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ABORT_FEATURES_KHR);
    VkPhysicalDeviceFaultFeaturesKHR *const mine = &wish->fault_khr;
    device->has_abort = abort && abort->has;
    mine->sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_KHR;
    wish->fault.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_EXT;
    device->is_fault_read = !ext && khr && khr->deviceFault;
    if (!ext && !khr &&
        wish_features(device, wish, VK_KHR_DEVICE_FAULT_EXTENSION_NAME, mine, &mine->deviceFault)) {
        /* These features change which faults the application meets. */
        mine->deviceFaultReportMasked = mine->deviceFaultDeviceLostOnMasked = VK_FALSE;
        khr = mine;
    } else if (!ext && !khr &&
               wish_features(device, wish, VK_EXT_DEVICE_FAULT_EXTENSION_NAME, &wish->fault,
                             &wish->fault.deviceFault)) {
        ext = &wish->fault;
    }
    device->is_fault_khr = !ext && khr && khr->deviceFault;
    device->has_fault = device->is_fault_khr || (ext && ext->deviceFault);
    device->has_vendor_binary = ext   ? ext->deviceFaultVendorBinary
                                : khr ? khr->deviceFaultVendorBinary
                                      : VK_FALSE;
}

static void wish_for(struct vkl_device *device, struct wish *wish)
{
    static const char checkpoints[] = VK_NV_DEVICE_DIAGNOSTIC_CHECKPOINTS_EXTENSION_NAME;
    static const char markers[] = VK_AMD_BUFFER_MARKER_EXTENSION_NAME;
    const int limit = device->settings.evidence;
    device->has_checkpoints = limit <= VKL_EVIDENCE_CHECKPOINTS && is_there(wish, checkpoints);
    device->has_markers =
        limit <= VKL_EVIDENCE_MARKERS && !device->has_checkpoints && is_there(wish, markers);
    if (device->has_checkpoints)
        add(wish, checkpoints);
    if (device->has_markers)
        add(wish, markers);
    device->has_timeline = wish_flag(device, wish, &wish->timeline,
                                     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES,
                                     offsetof(VkPhysicalDeviceVulkan12Features, timelineSemaphore),
                                     VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME);
    if (device->settings.level != CRASH_LEVEL_LOW) /* for time stamps in render passes */
        device->has_query_reset =
            wish_flag(device, wish, &wish->reset,
                      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES,
                      offsetof(VkPhysicalDeviceVulkan12Features, hostQueryReset),
                      VK_EXT_HOST_QUERY_RESET_EXTENSION_NAME);
    wish_fault(device, wish);
    if (device->instance->next.CreateDebugUtilsMessengerEXT) /* addresses come as messages */
        device->tells_addresses =
            wish_flag(device, wish, &wish->addresses,
                      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ADDRESS_BINDING_REPORT_FEATURES_EXT, 0,
                      VK_EXT_DEVICE_ADDRESS_BINDING_REPORT_EXTENSION_NAME);
    wish->info.enabledExtensionCount = wish->count;
    wish->info.ppEnabledExtensionNames = wish->names;
}

/* The application's extensions, without the extension that this layer offers, because the driver
 * may lack it. */
static bool copy_names(struct wish *wish, const VkDeviceCreateInfo *info)
{
    enum { OURS = 6 };
    wish->names = calloc((size_t)info->enabledExtensionCount + OURS, sizeof *wish->names);
    if (!wish->names)
        return false;
    for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
        const char *name = info->ppEnabledExtensionNames[i];
        if (strcmp(name, VK_EXT_DEBUG_MARKER_EXTENSION_NAME) != 0 || is_there(wish, name))
            wish->names[wish->count++] = name;
    }
    return true;
}

VkResult vkl_features_create(struct vkl_device *device, const VkDeviceCreateInfo *info,
                             PFN_vkCreateDevice create, const VkAllocationCallbacks *allocator,
                             VkDevice *out, VkLayerDeviceCreateInfo *link, VkLayerDeviceLink *chain)
{
    struct wish wish = {.info = *info};
    look(device, &wish);
    if (!copy_names(&wish, info)) {
        free(wish.there);
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    VkDeviceCreateInfo asked = *info;
    const uint32_t asked_count = wish.count;
    wish_for(device, &wish);
    VkResult result = create(device->physical, &wish.info, allocator, out);
    if (result == VK_ERROR_EXTENSION_NOT_PRESENT || result == VK_ERROR_FEATURE_NOT_PRESENT ||
        result == VK_ERROR_INITIALIZATION_FAILED) {
        asked.enabledExtensionCount = asked_count;
        asked.ppEnabledExtensionNames = wish.names;
        device->has_checkpoints = device->has_markers = device->has_fault = false;
        device->has_timeline = device->has_query_reset = device->tells_addresses = false;
        link->u.pLayerInfo = chain; /* the layers below have changed the link */
        result = create(device->physical, &asked, allocator, out);
    }
    free(wish.names);
    free(wish.there);
    return result;
}
