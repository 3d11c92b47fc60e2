/* The mock driver's instances, devices and memory, and which function answers to which name.
 * Handles are addresses; a dispatchable one begins with the key of its instance or device, as a
 * loader would have it. */
#include "mock.h"

struct mock mock;

struct mock_instance {
    void *key;
    struct mock_physical {
        void *key;
    } physical;
};

static struct mock_device *devices;

void mock_reset(void)
{
    memset(&mock, 0, sizeof mock);
}

void mock_go_on(uint32_t work)
{
    mock.hang = work;
    for (struct mock_device *device = devices; device; device = device->next)
        for (int i = 0; i < 4; i++)
            mock_queue_release(&device->queues[i]);
}

void mock_release(void)
{
    mock.is_waiting = false;
    mock_go_on(MOCK_NO_HANG);
}

VkResult mock_result(const char *call)
{
    if (mock.lost_by && strcmp(mock.lost_by, call) == 0)
        return VK_ERROR_DEVICE_LOST;
    return mock.fails_by && strcmp(mock.fails_by, call) == 0 ? VK_ERROR_OUT_OF_HOST_MEMORY
                                                             : VK_SUCCESS;
}

/* ---- instances and devices ---- */

static VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo *info,
                                                      const VkAllocationCallbacks *allocator,
                                                      VkInstance *out)
{
    (void)info, (void)allocator;
    struct mock_instance *instance = calloc(1, sizeof *instance);
    instance->key = instance->physical.key = instance;
    *out = (VkInstance)instance;
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL destroy_instance(VkInstance instance,
                                                   const VkAllocationCallbacks *allocator)
{
    (void)allocator;
    free(instance);
}

static VKAPI_ATTR VkResult VKAPI_CALL enumerate_physical(VkInstance instance, uint32_t *count,
                                                         VkPhysicalDevice *out)
{
    *count = 1;
    if (out)
        *out = (VkPhysicalDevice) & ((struct mock_instance *)instance)->physical;
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL enumerate_extensions(VkPhysicalDevice physical,
                                                           const char *layer, uint32_t *count,
                                                           VkExtensionProperties *out)
{
    (void)physical, (void)layer;
    const struct {
        bool is_there;
        const char *name;
    } all[] = {{mock.has_markers, VK_AMD_BUFFER_MARKER_EXTENSION_NAME},
               {mock.has_checkpoints, VK_NV_DEVICE_DIAGNOSTIC_CHECKPOINTS_EXTENSION_NAME},
               {mock.has_fault, VK_EXT_DEVICE_FAULT_EXTENSION_NAME},
               {mock.has_fault_khr, VK_KHR_DEVICE_FAULT_EXTENSION_NAME},
               {mock.has_addresses, VK_EXT_DEVICE_ADDRESS_BINDING_REPORT_EXTENSION_NAME},
               {mock.has_debug_marker, VK_EXT_DEBUG_MARKER_EXTENSION_NAME},
               {true, VK_KHR_SWAPCHAIN_EXTENSION_NAME}};
    uint32_t found = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (!all[i].is_there)
            continue;
        if (out && found < *count) {
            out[found] = (VkExtensionProperties){.specVersion = 1};
            strcpy(out[found].extensionName, all[i].name);
        }
        found++;
    }
    *count = out && mock.counts_wrong ? 100000 : found;
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL get_properties(VkPhysicalDevice physical,
                                                 VkPhysicalDeviceProperties *out)
{
    (void)physical;
    *out = (VkPhysicalDeviceProperties){.apiVersion = VK_API_VERSION_1_3};
    strcpy(out->deviceName, "mock GPU");
    if (mock.counts_wrong)
        memset(out->deviceName, 'x', sizeof out->deviceName);
    for (uint8_t i = 0; i < VK_UUID_SIZE; i++)
        out->pipelineCacheUUID[i] = (uint8_t)(0xa0 + i);
}

static VKAPI_ATTR void VKAPI_CALL get_memory_properties(VkPhysicalDevice physical,
                                                        VkPhysicalDeviceMemoryProperties *out)
{
    (void)physical;
    *out = (VkPhysicalDeviceMemoryProperties){
        .memoryTypeCount = 3,
        .memoryTypes = {{VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0},
                        {VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
                         0},
                        {VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT, 0}},
        .memoryHeapCount = 1};
}

static VKAPI_ATTR void VKAPI_CALL get_families(VkPhysicalDevice physical, uint32_t *count,
                                               VkQueueFamilyProperties *out)
{
    (void)physical;
    const uint32_t families = mock.families ? mock.families : 1;
    if (out)
        for (uint32_t i = 0; i < families && i < *count; i++)
            out[i] =
                (VkQueueFamilyProperties){.queueFlags = mock.flags[i] ? mock.flags[i]
                                                                      : VK_QUEUE_GRAPHICS_BIT |
                                                                            VK_QUEUE_COMPUTE_BIT |
                                                                            VK_QUEUE_TRANSFER_BIT,
                                          .queueCount = 1,
                                          .timestampValidBits = mock.has_stamps ? 64 : 0};
    *count = mock.counts_wrong ? 10000 : families;
}

static VKAPI_ATTR void VKAPI_CALL get_features(VkPhysicalDevice physical,
                                               VkPhysicalDeviceFeatures2 *out)
{
    (void)physical;
    mock.feature_calls++;
    for (VkBaseOutStructure *at = out->pNext; at; at = at->pNext) {
        if (at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES)
            ((VkPhysicalDeviceTimelineSemaphoreFeatures *)(void *)at)->timelineSemaphore =
                !mock.has_no_timeline;
        if (at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_EXT) {
            ((VkPhysicalDeviceFaultFeaturesEXT *)(void *)at)->deviceFault = mock.has_fault;
            ((VkPhysicalDeviceFaultFeaturesEXT *)(void *)at)->deviceFaultVendorBinary =
                mock.has_fault;
        }
        if (at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ADDRESS_BINDING_REPORT_FEATURES_EXT)
            ((VkPhysicalDeviceAddressBindingReportFeaturesEXT *)(void *)at)->reportAddressBinding =
                mock.has_addresses;
        if (at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES)
            ((VkPhysicalDeviceHostQueryResetFeatures *)(void *)at)->hostQueryReset =
                mock.has_stamps;
        if (at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_KHR) {
            VkPhysicalDeviceFaultFeaturesKHR *fault = (void *)at;
            fault->deviceFault = fault->deviceFaultVendorBinary = fault->deviceFaultReportMasked =
                fault->deviceFaultDeviceLostOnMasked = mock.has_fault_khr;
        }
    }
}

static VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical,
                                                    const VkDeviceCreateInfo *info,
                                                    const VkAllocationCallbacks *allocator,
                                                    VkDevice *out)
{
    (void)physical, (void)allocator;
    static char names[16][VK_MAX_EXTENSION_NAME_SIZE];
    for (uint32_t i = 0; i < info->enabledExtensionCount; i++)
        if (mock.refuses_markers &&
            strcmp(info->ppEnabledExtensionNames[i], VK_AMD_BUFFER_MARKER_EXTENSION_NAME) == 0)
            return VK_ERROR_EXTENSION_NOT_PRESENT;
    mock.chain_count = 0;
    for (const VkBaseInStructure *at = info->pNext; at && mock.chain_count < 8; at = at->pNext) {
        mock.chain[mock.chain_count++] = at->sType;
        if (at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_KHR) {
            const VkPhysicalDeviceFaultFeaturesKHR *fault = (const void *)at;
            memcpy(mock.fault_features, &fault->deviceFault, sizeof mock.fault_features);
        }
    }
    mock.extension_count = info->enabledExtensionCount < 16 ? info->enabledExtensionCount : 16;
    for (uint32_t i = 0; i < mock.extension_count; i++) {
        strcpy(names[i], info->ppEnabledExtensionNames[i]);
        mock.extensions[i] = names[i];
    }
    struct mock_device *device = calloc(1, sizeof *device);
    device->key = device;
    for (int i = 0; i < 4; i++)
        device->queues[i].key = device;
    device->next = devices;
    devices = device;
    *out = (VkDevice)device;
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL destroy_device(VkDevice handle,
                                                 const VkAllocationCallbacks *allocator)
{
    (void)allocator;
    struct mock_device *device = (struct mock_device *)handle, **at = &devices;
    while (*at != device)
        at = &(*at)->next;
    *at = device->next;
    for (int i = 0; i < 4; i++) {
        while (device->queues[i].first) {
            struct mock_queued *item = device->queues[i].first;
            device->queues[i].first = item->next;
            mock_queued_free(item);
        }
    }
    free(device);
}

static VKAPI_ATTR void VKAPI_CALL get_queue(VkDevice handle, uint32_t family, uint32_t index,
                                            VkQueue *out)
{
    (void)index;
    *out = (VkQueue) & ((struct mock_device *)handle)->queues[family];
}

static VKAPI_ATTR void VKAPI_CALL get_queue2(VkDevice handle, const VkDeviceQueueInfo2 *info,
                                             VkQueue *out)
{
    get_queue(handle, info->queueFamilyIndex, info->queueIndex, out);
}

/* ---- memory ---- */

#define CREATE(type, name, extra)                                                                  \
    static VKAPI_ATTR VkResult VKAPI_CALL create_##name(VkDevice device,                           \
                                                        const Vk##type##CreateInfo *info,          \
                                                        const VkAllocationCallbacks *allocator,    \
                                                        Vk##type *out)                             \
    {                                                                                              \
        (void)device, (void)allocator, (void)info;                                                 \
        struct mock_##name *made = calloc(1, sizeof *made);                                        \
        extra;                                                                                     \
        mock.live++;                                                                               \
        *out = (Vk##type)made;                                                                     \
        return mock_result("vkCreate" #type);                                                      \
    }                                                                                              \
    static VKAPI_ATTR void VKAPI_CALL destroy_##name(VkDevice device, Vk##type object,             \
                                                     const VkAllocationCallbacks *allocator)       \
    {                                                                                              \
        (void)device, (void)allocator;                                                             \
        mock.live -= object != VK_NULL_HANDLE;                                                     \
        free((void *)object);                                                                      \
    }

void mock_tell_address(VkDeviceAddressBindingTypeEXT binding, VkObjectType type, uint64_t handle,
                       uint64_t address, uint64_t size)
{
    const VkDeviceAddressBindingCallbackDataEXT where = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_ADDRESS_BINDING_CALLBACK_DATA_EXT,
        .baseAddress = address,
        .size = size,
        .bindingType = binding};
    const VkDebugUtilsObjectNameInfoEXT object = {.objectType = type, .objectHandle = handle};
    const VkDebugUtilsMessengerCallbackDataEXT data = {
        .pNext = &where, .objectCount = 1, .pObjects = &object};
    if (mock.hear)
        mock.hear(VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT,
                  VK_DEBUG_UTILS_MESSAGE_TYPE_DEVICE_ADDRESS_BINDING_BIT_EXT, &data, mock.hearer);
}

CREATE(Buffer, buffer, (made->address = mock.address += 0x10000, made->size = info->size))
CREATE(Fence, fence, made->is_signaled = info->flags & VK_FENCE_CREATE_SIGNALED_BIT)
CREATE(Semaphore, semaphore,
       const VkSemaphoreTypeCreateInfo *type =
           vkl_in_chain(info->pNext, VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
       made->is_timeline = type && type->semaphoreType == VK_SEMAPHORE_TYPE_TIMELINE;
       made->value = type ? type->initialValue : 0;
       mock_tell_address(VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT, VK_OBJECT_TYPE_SEMAPHORE,
                         (uint64_t)made, 0x1000, 16))

/* Modules and pipelines are numbers that differ in their upper 32 bits, too. */
static uint64_t handles;

static VKAPI_ATTR VkResult VKAPI_CALL create_module(VkDevice device,
                                                    const VkShaderModuleCreateInfo *info,
                                                    const VkAllocationCallbacks *allocator,
                                                    VkShaderModule *out)
{
    (void)device, (void)info, (void)allocator;
    *out = (VkShaderModule)(handles += 0x100000001);
    return mock_result("vkCreateShaderModule");
}

static VKAPI_ATTR VkResult VKAPI_CALL create_pipelines(VkDevice device, VkPipelineCache cache,
                                                       uint32_t count,
                                                       const VkComputePipelineCreateInfo *infos,
                                                       const VkAllocationCallbacks *allocator,
                                                       VkPipeline *out)
{
    (void)device, (void)cache, (void)infos, (void)allocator;
    for (uint32_t i = 0; i < count; i++)
        out[i] = (VkPipeline)(handles += 0x100000000);
    return mock_result("vkCreateComputePipelines");
}

static VKAPI_ATTR VkResult VKAPI_CALL create_graphics(VkDevice device, VkPipelineCache cache,
                                                      uint32_t count,
                                                      const VkGraphicsPipelineCreateInfo *infos,
                                                      const VkAllocationCallbacks *allocator,
                                                      VkPipeline *out)
{
    (void)infos;
    return create_pipelines(device, cache, count, NULL, allocator, out);
}

#define DESTROY(name, type)                                                                        \
    static VKAPI_ATTR void VKAPI_CALL destroy_##name(VkDevice device, type object,                 \
                                                     const VkAllocationCallbacks *allocator)       \
    {                                                                                              \
        (void)device, (void)object, (void)allocator;                                               \
    }
DESTROY(module, VkShaderModule)
DESTROY(pipeline, VkPipeline)
DESTROY(structure, VkAccelerationStructureNV)

static VKAPI_ATTR void VKAPI_CALL get_requirements(VkDevice device, VkBuffer buffer,
                                                   VkMemoryRequirements *out)
{
    (void)device, (void)buffer;
    *out = (VkMemoryRequirements){1u << 20, 16, mock.has_no_memory ? 1u : 7u};
}

static VKAPI_ATTR VkResult VKAPI_CALL allocate_memory(VkDevice device,
                                                      const VkMemoryAllocateInfo *info,
                                                      const VkAllocationCallbacks *allocator,
                                                      VkDeviceMemory *out)
{
    (void)device, (void)allocator;
    *out = (VkDeviceMemory)(uintptr_t)1;
    if (mock_result("vkAllocateMemory") != VK_SUCCESS)
        return mock_result("vkAllocateMemory");
    struct mock_memory *memory = calloc(1, sizeof *memory);
    memory->bytes = calloc(1, (size_t)info->allocationSize);
    mock.live++;
    *out = (VkDeviceMemory)memory;
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL free_memory(VkDevice device, VkDeviceMemory handle,
                                              const VkAllocationCallbacks *allocator)
{
    (void)device, (void)allocator;
    struct mock_memory *memory = (struct mock_memory *)handle;
    mock.live--;
    free(memory->bytes);
    free(memory);
}

static VKAPI_ATTR VkResult VKAPI_CALL bind_memory(VkDevice device, VkBuffer buffer,
                                                  VkDeviceMemory memory, VkDeviceSize offset)
{
    (void)device, (void)offset;
    struct mock_buffer *bound = (struct mock_buffer *)buffer;
    bound->memory = (struct mock_memory *)memory;
    mock_tell_address(VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT, VK_OBJECT_TYPE_BUFFER,
                      (uint64_t)buffer, bound->address, bound->size);
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL bind_image(VkDevice device, VkImage image,
                                                 VkDeviceMemory memory, VkDeviceSize offset)
{
    (void)device, (void)memory, (void)offset;
    mock_tell_address(VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT, VK_OBJECT_TYPE_IMAGE,
                      (uint64_t)image, mock.address += 0x10000, 4096);
    return VK_SUCCESS;
}

#define BIND2(bind, kind, member)                                                                  \
    static VKAPI_ATTR VkResult VKAPI_CALL bind##2(VkDevice device, uint32_t count,                 \
                                                  const VkBind##kind##MemoryInfo *infos)           \
    {                                                                                              \
        for (uint32_t i = 0; i < count; i++)                                                       \
            bind(device, infos[i].member, infos[i].memory, infos[i].memoryOffset);                 \
        return VK_SUCCESS;                                                                         \
    }
BIND2(bind_memory, Buffer, buffer)
BIND2(bind_image, Image, image)

static VKAPI_ATTR VkDeviceAddress VKAPI_CALL get_address(VkDevice device,
                                                         const VkBufferDeviceAddressInfo *info)
{
    (void)device;
    return ((struct mock_buffer *)info->buffer)->address;
}

static VKAPI_ATTR VkResult VKAPI_CALL
create_messenger(VkInstance instance, const VkDebugUtilsMessengerCreateInfoEXT *info,
                 const VkAllocationCallbacks *allocator, VkDebugUtilsMessengerEXT *out)
{
    (void)instance, (void)allocator;
    mock.hear = info->pfnUserCallback;
    mock.hearer = info->pUserData;
    *out = (VkDebugUtilsMessengerEXT)(uintptr_t)1;
    mock.live += mock_result("vkCreateDebugUtilsMessengerEXT") == VK_SUCCESS;
    return mock_result("vkCreateDebugUtilsMessengerEXT");
}

static VKAPI_ATTR void VKAPI_CALL destroy_messenger(VkInstance instance,
                                                    VkDebugUtilsMessengerEXT messenger,
                                                    const VkAllocationCallbacks *allocator)
{
    (void)instance, (void)messenger, (void)allocator;
    mock.hear = NULL;
    mock.live--;
}

static VKAPI_ATTR VkResult VKAPI_CALL map_memory(VkDevice device, VkDeviceMemory memory,
                                                 VkDeviceSize offset, VkDeviceSize size,
                                                 VkMemoryMapFlags flags, void **out)
{
    (void)device, (void)offset, (void)size, (void)flags;
    *out = ((struct mock_memory *)memory)->bytes;
    return VK_SUCCESS;
}
static VKAPI_ATTR VkResult VKAPI_CALL fault_info(VkDevice device, VkDeviceFaultCountsEXT *counts,
                                                 VkDeviceFaultInfoEXT *info)
{
    (void)device;
    /* Tells ThreadSanitizer nothing of an order. */
    while (atomic_load_explicit(&mock.fault_blocks, memory_order_relaxed))
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    atomic_fetch_add_explicit(&mock.fault_calls, 1, memory_order_relaxed);
    const uint32_t there = mock.faults ? mock.faults : 1;
    if (!info) {
        *counts = (VkDeviceFaultCountsEXT){.sType = counts->sType,
                                           .addressInfoCount = there,
                                           .vendorInfoCount = there,
                                           .vendorBinarySize = 6};
        return VK_SUCCESS;
    }
    const uint32_t addresses = counts->addressInfoCount, words = counts->vendorInfoCount;
    mock.fault_room = addresses > words ? addresses : words;
    strcpy(info->description, "the mock GPU met a page that is not there");
    for (uint32_t i = 0; i < there && i < addresses && i < words && i < 8; i++) {
        info->pAddressInfos[i] = (VkDeviceFaultAddressInfoEXT){
            i ? VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_FAULT_EXT
              : VK_DEVICE_FAULT_ADDRESS_TYPE_WRITE_INVALID_EXT,
            0xabc123 + i * 0x10000, 0x1000};
        info->pVendorInfos[i] = (VkDeviceFaultVendorInfoEXT){"MMU", 7 + i, 9};
    }
    if (info->pVendorBinaryData)
        memcpy(info->pVendorBinaryData, "binary", 6);
    return there > addresses || there > words ? VK_INCOMPLETE : VK_SUCCESS;
}

/* "Each individual fault report is returned exactly once"; VK_TIMEOUT when there is none. */
static VKAPI_ATTR VkResult VKAPI_CALL fault_reports(VkDevice device, uint64_t timeout,
                                                    uint32_t *count, VkDeviceFaultInfoKHR *out)
{
    (void)device;
    atomic_fetch_add_explicit(&mock.fault_calls, 1, memory_order_relaxed);
    mock.fault_wait += timeout;
    const uint32_t left = mock.fault_report_count;
    *count = !out || *count > left ? left : *count;
    if (left == 0)
        return VK_TIMEOUT;
    if (!out)
        return VK_SUCCESS;
    memcpy(out, mock.fault_reports, *count * sizeof *out);
    mock.fault_reports += *count;
    mock.fault_report_count -= *count;
    return mock.fault_report_count ? VK_INCOMPLETE : VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL fault_binary(VkDevice device, VkDeviceFaultDebugInfoKHR *info)
{
    (void)device;
    VkDeviceFaultShaderAbortMessageInfoKHR *message = info->pNext;
    if (message && message->pMessageData)
        memcpy(message->pMessageData, mock.abort_message, (size_t)message->messageDataSize);
    else if (message)
        message->messageDataSize = mock.abort_message ? strlen(mock.abort_message) : 0;
    if (info->pVendorBinaryData && info->vendorBinarySize < mock.fault_binary)
        return (VkResult)-1000483000; /* VK_ERROR_NOT_ENOUGH_SPACE_KHR */
    info->vendorBinarySize = mock.fault_binary;
    if (info->pVendorBinaryData)
        memset(info->pVendorBinaryData, 0xab, mock.fault_binary);
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL set_name(VkDevice device,
                                               const VkDebugUtilsObjectNameInfoEXT *info)
{
    (void)device, (void)info;
    mock.names++;
    return VK_SUCCESS;
}

/* Only the handles of these matter. */
#define PLAIN(type)                                                                                \
    static VKAPI_ATTR VkResult VKAPI_CALL create_##type(VkDevice device,                           \
                                                        const Vk##type##CreateInfo *info,          \
                                                        const VkAllocationCallbacks *allocator,    \
                                                        Vk##type *out)                             \
    {                                                                                              \
        (void)device, (void)info, (void)allocator;                                                 \
        mock.live++;                                                                               \
        *out = (Vk##type)(mock.next_object ? mock.next_object : (uint64_t)(uintptr_t)malloc(1));   \
        mock.next_object = 0;                                                                      \
        return VK_SUCCESS;                                                                         \
    }                                                                                              \
    static VKAPI_ATTR void VKAPI_CALL destroy_##type(VkDevice device, Vk##type object,             \
                                                     const VkAllocationCallbacks *allocator)       \
    {                                                                                              \
        (void)device, (void)allocator;                                                             \
        mock.live--;                                                                               \
        free((void *)(uintptr_t)object);                                                           \
    }
PLAIN(Image)
PLAIN(ImageView)
PLAIN(Framebuffer)
PLAIN(RenderPass)

/* ---- which function answers to which name ---- */

static const struct mock_call mock_device_calls[] = {
    CALL(CreateInstance, create_instance),
    CALL(DestroyInstance, destroy_instance),
    CALL(EnumeratePhysicalDevices, enumerate_physical),
    CALL(EnumerateDeviceExtensionProperties, enumerate_extensions),
    CALL(GetPhysicalDeviceProperties, get_properties),
    CALL(GetPhysicalDeviceMemoryProperties, get_memory_properties),
    CALL(GetPhysicalDeviceQueueFamilyProperties, get_families),
    CALL(GetPhysicalDeviceFeatures2, get_features),
    CALL(CreateDevice, create_device),
    CALL(DestroyDevice, destroy_device),
    CALL(GetDeviceQueue, get_queue),
    CALL(GetDeviceQueue2, get_queue2),
    CALL(CreateBuffer, create_buffer),
    CALL(DestroyBuffer, destroy_buffer),
    CALL(CreateImage, create_Image),
    CALL(DestroyImage, destroy_Image),
    CALL(CreateImageView, create_ImageView),
    CALL(DestroyImageView, destroy_ImageView),
    CALL(CreateFramebuffer, create_Framebuffer),
    CALL(DestroyFramebuffer, destroy_Framebuffer),
    CALL(CreateRenderPass, create_RenderPass),
    CALL(DestroyRenderPass, destroy_RenderPass),
    CALL(CreateShaderModule, create_module),
    CALL(DestroyShaderModule, destroy_module),
    CALL(CreateComputePipelines, create_pipelines),
    CALL(CreateGraphicsPipelines, create_graphics),
    CALL(DestroyPipeline, destroy_pipeline),
    CALL(DestroyAccelerationStructureNV, destroy_structure),
    CALL(GetBufferMemoryRequirements, get_requirements),
    CALL(AllocateMemory, allocate_memory),
    CALL(FreeMemory, free_memory),
    CALL(BindBufferMemory, bind_memory),
    CALL(BindBufferMemory2, bind_memory2),
    CALL(BindImageMemory, bind_image),
    CALL(BindImageMemory2, bind_image2),
    CALL(GetBufferDeviceAddress, get_address),
    CALL_IF(CreateDebugUtilsMessengerEXT, create_messenger, has_addresses),
    CALL_IF(DestroyDebugUtilsMessengerEXT, destroy_messenger, has_addresses),
    CALL(MapMemory, map_memory),
    CALL(CreateFence, create_fence),
    CALL(DestroyFence, destroy_fence),
    CALL(CreateSemaphore, create_semaphore),
    CALL(DestroySemaphore, destroy_semaphore),
    CALL(SetDebugUtilsObjectNameEXT, set_name),
    CALL_IF(GetDeviceFaultInfoEXT, fault_info, has_fault),
    CALL_IF(GetDeviceFaultReportsKHR, fault_reports, has_fault_khr),
    CALL_IF(GetDeviceFaultDebugInfoKHR, fault_binary, has_fault_khr),
    {NULL, NULL, NULL},
};

PFN_vkVoidFunction VKAPI_CALL mock_GetInstanceProcAddr(VkInstance instance, const char *name)
{
    (void)instance;
    static const struct mock_call *const tables[] = {mock_device_calls, mock_command_calls,
                                                     mock_queue_calls};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (const struct mock_call *call = tables[i]; call->name; call++)
            if (strcmp(call->name, name) == 0)
                return !call->needs || *call->needs ? call->function : NULL;
    return NULL;
}

PFN_vkVoidFunction VKAPI_CALL mock_GetDeviceProcAddr(VkDevice device, const char *name)
{
    (void)device;
    return mock_GetInstanceProcAddr(VK_NULL_HANDLE, name);
}
