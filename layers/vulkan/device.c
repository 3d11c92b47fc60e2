/* Devices: their creation, and the memory that the GPU writes into. */
#include "calls.h"
#include "environment.h"

#include <stdio.h>

/* ---- memory for words ---- */

enum { WORD_BYTES = 512 * 1024 };

static void words_create(struct vkl_device *device, const uint32_t *families, uint32_t count)
{
    const struct vkl_device_next *next = &device->next;
    device->words = (annot_vk_words){
        .device = device->handle,
        .functions = {next->CreateBuffer, next->DestroyBuffer, next->GetBufferMemoryRequirements,
                      next->AllocateMemory, next->FreeMemory, next->BindBufferMemory,
                      next->MapMemory, next->CmdFillBuffer, next->CmdPipelineBarrier,
                      next->CmdWriteBufferMarkerAMD},
        .size = WORD_BYTES,
    };
    annot_vk_words_create(&device->words, &device->memory_properties, families, count);
}

/* ---- libannot ---- */

static enum vkl_evidence best_evidence(const struct vkl_device *device)
{
    const int limit = device->settings.evidence;
    if (device->has_checkpoints && limit <= VKL_EVIDENCE_CHECKPOINTS)
        return VKL_EVIDENCE_CHECKPOINTS;
    if (device->words.mapped && device->has_markers && limit <= VKL_EVIDENCE_MARKERS)
        return VKL_EVIDENCE_MARKERS;
    if (device->words.mapped && limit <= VKL_EVIDENCE_BARRIER)
        return VKL_EVIDENCE_BARRIER;
    return device->words.mapped && limit <= VKL_EVIDENCE_FILL ? VKL_EVIDENCE_FILL
                                                              : VKL_EVIDENCE_TIMELINE;
}

static void tell_facts(struct vkl_device *device)
{
    char text[64];
    const uint32_t version = device->properties.apiVersion;
    snprintf(text, sizeof text, "%u.%u.%u", VK_API_VERSION_MAJOR(version),
             VK_API_VERSION_MINOR(version), VK_API_VERSION_PATCH(version));
    annot_device_set_fact(device->crash.annot, "Vulkan", text);
    snprintf(text, sizeof text, "vendor 0x%04x, device 0x%04x, driver 0x%08x",
             device->properties.vendorID, device->properties.deviceID,
             device->properties.driverVersion);
    annot_device_set_fact(device->crash.annot, "device", text);
    if (*device->instance->engine)
        annot_device_set_fact(device->crash.annot, "engine", device->instance->engine);
    /* With the same cache UUID, compiled shaders and identifiers of modules are the same. */
    for (size_t i = 0; i < VK_UUID_SIZE; i++)
        snprintf(text + 2 * i, 3, "%02x", device->properties.pipelineCacheUUID[i]);
    annot_device_set_fact(device->crash.annot, "cache UUID", text);
}

/* Answers `annot vulkan --probe`. */
static void tell_probe(const struct vkl_device *device)
{
    static const char *const words[] = {"no", "yes"};
    const char *probe = os_environment_borrow("ANNOT_VK_PROBE");
    if (probe && strcmp(probe, "tell") == 0)
        printf("%s\n"
               "  evidence               %s\n"
               "  timeline semaphores    %s\n"
               "  time stamps in passes  %s\n"
               "  fault reports          %s\n"
               "  addresses of objects   %s\n",
               device->properties.deviceName, vkl_evidence_text(device->evidence),
               words[device->has_timeline], words[device->stamps.pool != VK_NULL_HANDLE],
               words[device->has_fault], words[device->tells_addresses]);
}

static bool annot_begin(struct vkl_device *device)
{
    /* The kinds of words; checkpoints are the driver's own words. */
    static const annot_vk_evidence words[] = {ANNOT_VK_NONE, ANNOT_VK_MARKERS, ANNOT_VK_BARRIER,
                                              ANNOT_VK_FILL, ANNOT_VK_NONE};
    device->words.evidence = words[device->evidence];
    annot_tracker_desc tracked = annot_vk_tracker_desc(&device->words);
    tracked.writes_entered = tracked.writes_completed = device->evidence != VKL_EVIDENCE_FILL;
    if (!crash_device_open(&device->crash, &device->settings, &vkl_driver, &tracked,
                           vkl_evidence_text(device->evidence)))
        return false;
    tell_facts(device);
    tell_probe(device);
    return true;
}

/* ---- creation ---- */

static PFN_vkVoidFunction find(struct vkl_device *device, const char *name, const char *other)
{
    char both[64];
    PFN_vkVoidFunction found = device->next.GetDeviceProcAddr(device->handle, name);
    if (found || !*other)
        return found;
    snprintf(both, sizeof both, "%s%s", name, other);
    return device->next.GetDeviceProcAddr(device->handle, both);
}

static void fill(struct vkl_device *device)
{
#define VKL_FILL(name, other)              device->next.name = (PFN_vk##name)find(device, "vk" #name, #other);
#define VKL_FILL_OF(name, other, ...)      VKL_FILL(name, other)
#define VKL_FILL_COMMAND(name, other, ...) VKL_FILL(Cmd##name, other)
    VKL_DEVICE_FUNCTIONS(VKL_FILL, VKL_FILL_OF)
    VKL_COMMANDS(VKL_FILL_COMMAND)
}

static void families_of(const VkDeviceCreateInfo *info, uint32_t *families, uint32_t *count)
{
    *count = 0;
    for (uint32_t i = 0; i < info->queueCreateInfoCount && *count < 32; i++) {
        bool is_known = false;
        for (uint32_t j = 0; j < *count; j++)
            is_known |= families[j] == info->pQueueCreateInfos[i].queueFamilyIndex;
        if (!is_known)
            families[(*count)++] = info->pQueueCreateInfos[i].queueFamilyIndex;
    }
}

/* Adds the device, which also works without libannot's part. False: out of memory for its table
 * entry, so no call could be passed on. */
static bool device_add(struct vkl_device *device, const VkDeviceCreateInfo *info)
{
    uint32_t families[32], count;
    fill(device);
    families_of(info, families, &count);
    device->has_checkpoints &= device->next.CmdSetCheckpointNV != NULL;
    device->has_markers &= device->next.CmdWriteBufferMarkerAMD != NULL;
    if (device->settings.evidence != VKL_EVIDENCE_TIMELINE)
        words_create(device, families, count);
    device->evidence = best_evidence(device);
    vkl_stamps_create(device);
    pthread_rwlock_init(&device->objects, NULL);
    if (device->tells_addresses)
        vkl_addresses_listen(device);
    const bool is_told = annot_begin(device);
    if (!vkl_registry_add_device(device))
        return false;
    if (is_told)
        vkl_watchdog_start(device);
    return true;
}

static void device_free(struct vkl_device *device, const VkAllocationCallbacks *allocator)
{
    annot_vk_words_destroy(&device->words);
    vkl_stamps_destroy(device);
    if (device->messenger)
        device->instance->next.DestroyDebugUtilsMessengerEXT(device->instance->handle,
                                                             device->messenger, NULL);
    crash_device_close(&device->crash);
    device->next.DestroyDevice(device->handle, allocator);
    pthread_rwlock_destroy(&device->objects);
    free(device);
}

static void look_at_physical(struct vkl_device *device)
{
    const struct vkl_instance_next *next = &device->instance->next;
    next->GetPhysicalDeviceProperties(device->physical, &device->properties);
    next->GetPhysicalDeviceMemoryProperties(device->physical, &device->memory_properties);
    device->family_count = 32;
    next->GetPhysicalDeviceQueueFamilyProperties(device->physical, &device->family_count,
                                                 device->families);
    if (device->family_count > 32)
        device->family_count = 32;
    device->properties.deviceName[sizeof device->properties.deviceName - 1] = '\0';
}

VkResult vkl_device_create(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                           const VkAllocationCallbacks *allocator, VkDevice *out,
                           vkl_is_ours is_ours)
{
    struct vkl_instance *instance = vkl_instance_of(vkl_key(physical));
    const VkStructureType type = VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO;
    VkLayerDeviceCreateInfo *link = vkl_link_of(info->pNext, type, VK_LAYER_LINK_INFO);
    VkLayerDeviceCreateInfo *data = vkl_link_of(info->pNext, type, VK_LOADER_DATA_CALLBACK);
    if (!instance || !link || !link->u.pLayerInfo)
        return VK_ERROR_INITIALIZATION_FAILED;
    PFN_vkGetInstanceProcAddr next = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    PFN_vkGetDeviceProcAddr device_next = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    PFN_vkCreateDevice create =
        (PFN_vkCreateDevice)(uintptr_t)next(instance->handle, "vkCreateDevice");
    if (!create)
        return VK_ERROR_INITIALIZATION_FAILED;
    VkLayerDeviceLink *chain = link->u.pLayerInfo->pNext;
    link->u.pLayerInfo = chain;
    if (is_ours(next))
        return create(physical, info, allocator, out);
    struct vkl_device *device = calloc(1, sizeof *device);
    if (!device)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    device->instance = instance;
    device->physical = physical;
    device->settings = instance->settings;
    device->set_loader_data = data ? data->u.pfnSetDeviceLoaderData : NULL;
    look_at_physical(device);
    VkResult result = vkl_features_create(device, info, create, allocator, out, link, chain);
    if (result != VK_SUCCESS) {
        free(device);
        return result;
    }
    device->key = vkl_key(*out);
    device->handle = *out;
    device->next.GetDeviceProcAddr = device_next;
    if (device_add(device, info))
        return VK_SUCCESS;
    device_free(device, allocator);
    return VK_ERROR_OUT_OF_HOST_MEMORY;
}

static VKAPI_ATTR void VKAPI_CALL vkl_DestroyDevice(VkDevice handle,
                                                    const VkAllocationCallbacks *allocator)
{
    struct vkl_device *device = handle ? vkl_device_of(vkl_key(handle)) : NULL;
    if (!device)
        return;
    const bool is_quiet = crash_device_stop(&device->crash);
    if (is_quiet)
        vkl_device_poll(device);
    vkl_registry_remove_device(device);
    vkl_cmd_forget_cached();
    if (!is_quiet) {
        device->next.DestroyDevice(handle, allocator);
        return; /* the data for a dump stays */
    }
    vkl_pools_finish(device);
    vkl_queues_finish(device);
    vkl_names_finish(device);
    device_free(device, allocator);
}

#define GET_QUEUE(name, parameters, arguments, family)                                             \
    static VKAPI_ATTR void VKAPI_CALL vkl_##name parameters                                        \
    {                                                                                              \
        struct vkl_device *device = vkl_device_of(vkl_key(handle));                                \
        device->next.name arguments;                                                               \
        if (*queue && device->crash.annot)                                                         \
            vkl_queue_add(device, *queue, family);                                                 \
    }
GET_QUEUE(GetDeviceQueue, (VkDevice handle, uint32_t family, uint32_t index, VkQueue *queue),
          (handle, family, index, queue), family)
GET_QUEUE(GetDeviceQueue2, (VkDevice handle, const VkDeviceQueueInfo2 *info, VkQueue *queue),
          (handle, info, queue), info->queueFamilyIndex)

const struct vkl_call vkl_device_calls[] = {VKL_DEVICE_CALLS(VKL_CALL){.name = NULL}};
