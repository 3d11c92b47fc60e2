/* Objects: names, which end with the objects; shaders; and the memory of buffers and images, so
 * that a page fault names the living or destroyed object at its address. Addresses come from
 * VK_EXT_device_address_binding_report, and from the application's vkGetBufferDeviceAddress. */
#include "calls.h"

#include <stddef.h>

#include <utlist.h>

#define FIRST_EXTENSION 1000000000
#define HANDLE(object)  ((uint64_t)(object))

enum { BUFFER = 1, TEXTURE_1D = 2 }; /* D3D12_RESOURCE_DIMENSION */

static const struct kind {
    VkObjectType type;
    annot_object_type means;
    const char *name;
} kinds[] = {
    {VK_OBJECT_TYPE_INSTANCE, ANNOT_OBJECT_INSTANCE, "VkInstance"},
    {VK_OBJECT_TYPE_PHYSICAL_DEVICE, ANNOT_OBJECT_ADAPTER, "VkPhysicalDevice"},
    {VK_OBJECT_TYPE_DEVICE, ANNOT_OBJECT_DEVICE, "VkDevice"},
    {VK_OBJECT_TYPE_SEMAPHORE, ANNOT_OBJECT_SEMAPHORE, "VkSemaphore"},
    {VK_OBJECT_TYPE_FENCE, ANNOT_OBJECT_FENCE, "VkFence"},
    {VK_OBJECT_TYPE_DEVICE_MEMORY, ANNOT_OBJECT_MEMORY, "VkDeviceMemory"},
    {VK_OBJECT_TYPE_BUFFER, ANNOT_OBJECT_BUFFER, "VkBuffer"},
    {VK_OBJECT_TYPE_IMAGE, ANNOT_OBJECT_IMAGE, "VkImage"},
    {VK_OBJECT_TYPE_EVENT, ANNOT_OBJECT_EVENT, "VkEvent"},
    {VK_OBJECT_TYPE_QUERY_POOL, ANNOT_OBJECT_QUERY_POOL, "VkQueryPool"},
    {VK_OBJECT_TYPE_BUFFER_VIEW, ANNOT_OBJECT_VIEW, "VkBufferView"},
    {VK_OBJECT_TYPE_IMAGE_VIEW, ANNOT_OBJECT_VIEW, "VkImageView"},
    {VK_OBJECT_TYPE_SHADER_MODULE, ANNOT_OBJECT_SHADER, "VkShaderModule"},
    {VK_OBJECT_TYPE_PIPELINE_CACHE, ANNOT_OBJECT_PIPELINE_CACHE, "VkPipelineCache"},
    {VK_OBJECT_TYPE_PIPELINE_LAYOUT, ANNOT_OBJECT_PIPELINE_LAYOUT, "VkPipelineLayout"},
    {VK_OBJECT_TYPE_RENDER_PASS, ANNOT_OBJECT_RENDER_PASS, "VkRenderPass"},
    {VK_OBJECT_TYPE_PIPELINE, ANNOT_OBJECT_PIPELINE, "VkPipeline"},
    {VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT, ANNOT_OBJECT_DESCRIPTOR_LAYOUT, "VkDescriptorSetLayout"},
    {VK_OBJECT_TYPE_SAMPLER, ANNOT_OBJECT_SAMPLER, "VkSampler"},
    {VK_OBJECT_TYPE_DESCRIPTOR_POOL, ANNOT_OBJECT_DESCRIPTOR_POOL, "VkDescriptorPool"},
    {VK_OBJECT_TYPE_DESCRIPTOR_SET, ANNOT_OBJECT_DESCRIPTOR_SET, "VkDescriptorSet"},
    {VK_OBJECT_TYPE_FRAMEBUFFER, ANNOT_OBJECT_FRAMEBUFFER, "VkFramebuffer"},
    {VK_OBJECT_TYPE_COMMAND_POOL, ANNOT_OBJECT_COMMAND_ALLOCATOR, "VkCommandPool"},
    {VK_OBJECT_TYPE_SURFACE_KHR, ANNOT_OBJECT_SURFACE, "VkSurfaceKHR"},
    {VK_OBJECT_TYPE_SWAPCHAIN_KHR, ANNOT_OBJECT_SWAPCHAIN, "VkSwapchainKHR"},
    {VK_OBJECT_TYPE_ACCELERATION_STRUCTURE_KHR, ANNOT_OBJECT_ACCELERATION_STRUCTURE,
     "VkAccelerationStructureKHR"},
};

static struct kind kind_of(VkObjectType type)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].type == type)
            return kinds[i];
    return (struct kind){type, ANNOT_OBJECT_OTHER, NULL};
}

/* ---- the table ---- */

static void named_free(struct vkl_named *named)
{
    if (!named)
        return;
    annot_object_destroy(named->object);
    free(named->shaders);
    free(named->words);
    free(named);
}

static struct vkl_named *named_create(struct vkl_device *device, struct vkl_named_key key)
{
    const struct kind kind = kind_of((VkObjectType)key.type);
    const annot_object_desc desc = {
        .kind = (uint32_t)key.type, .type = kind.means, .kind_name = kind.name};
    struct vkl_named *named = calloc(1, sizeof *named);
    if (!named)
        return NULL;
    named->key = key;
    if (annot_object_create(device->crash.annot, &desc, &named->object) == ANNOT_OK)
        HASH_ADD(hh, device->named, key, sizeof named->key, named);
    if (VKL_IS_ADDED(named))
        return named;
    named_free(named);
    return NULL;
}

/* Finds an object's entry; NULL: nothing is known of the object. device->objects is locked. */
static struct vkl_named *named_find(const struct vkl_device *device, VkObjectType type,
                                    uint64_t handle)
{
    const struct vkl_named_key key = {handle, (uint64_t)type};
    struct vkl_named *named = NULL;
    if (device->named)
        HASH_FIND(hh, device->named, &key, sizeof key, named);
    return named;
}

/* Returns the object's entry, which is made if there is none. device->objects is locked. */
static struct vkl_named *named_need(struct vkl_device *device, VkObjectType type, uint64_t handle)
{
    struct vkl_named *named = named_find(device, type, handle);
    return named ? named : named_create(device, (struct vkl_named_key){handle, (uint64_t)type});
}

/* Names the object under the lock, so that no other thread destroys the object meanwhile. */
static void name_other(struct vkl_device *device, VkObjectType type, uint64_t handle,
                       const char *name)
{
    if (!device->crash.annot)
        return;
    pthread_rwlock_wrlock(&device->objects);
    struct vkl_named *named =
        name ? named_need(device, type, handle) : named_find(device, type, handle);
    if (named)
        annot_object_set_name(named->object, name, ANNOT_TEXT_UTF8);
    pthread_rwlock_unlock(&device->objects);
}

void vkl_name_set(struct vkl_device *device, VkObjectType type, uint64_t handle, const char *name)
{
    atomic_fetch_add_explicit(&device->crash.counts.names, 1, memory_order_relaxed);
    if (name && !*name)
        name = NULL; /* a NULL name removes the object's name in Vulkan */
    if (type == VK_OBJECT_TYPE_COMMAND_BUFFER) {
        struct vkl_cmd *cmd = vkl_cmd_of((VkCommandBuffer)(uintptr_t)handle);
        if (cmd)
            annot_object_set_name(cmd->object, name, ANNOT_TEXT_UTF8);
    } else if (type == VK_OBJECT_TYPE_QUEUE) {
        struct vkl_device *same;
        struct vkl_queue *queue = vkl_queue_of((VkQueue)(uintptr_t)handle, &same);
        if (queue)
            annot_object_set_name(queue->object, name, ANNOT_TEXT_UTF8);
    } else {
        name_other(device, type, handle, name);
    }
}

/* Notes that a living buffer or image has no memory any more. device->objects is locked. */
static void lose_memory(struct vkl_device *device, struct vkl_named *named)
{
    if (named->address != 0)
        crash_memory_log(&device->memory, named->object, named->address, named->size);
    named->address = 0;
    named->resource.memory = ANNOT_MEMORY_FREED;
    annot_object_set_resource(named->object, &named->resource);
}

void vkl_name_forget(struct vkl_device *device, VkObjectType type, uint64_t handle)
{
    pthread_rwlock_wrlock(&device->objects);
    struct vkl_named *named = named_find(device, type, handle);
    if (named)
        HASH_DEL(device->named, named);
    if (named && named->memory)
        DL_DELETE(named->memory->bound, named);
    for (struct vkl_named *at = named ? named->bound : NULL; at; at = at->next) {
        lose_memory(device, at);
        at->memory = NULL;
    }
    if (named && (type == VK_OBJECT_TYPE_BUFFER || type == VK_OBJECT_TYPE_IMAGE))
        crash_memory_log(&device->memory, named->object, named->address, named->size);
    if (named && type == VK_OBJECT_TYPE_SEMAPHORE && named->words) /* a wait may have timed out */
        crash_fence_note(&device->crash.waits, *named->words, CRASH_FENCE_AWAITED, 0);
    pthread_rwlock_unlock(&device->objects);
    named_free(named);
}

void vkl_names_finish(struct vkl_device *device)
{
    struct vkl_named *named, *next;
    HASH_ITER(hh, device->named, named, next)
    {
        HASH_DEL(device->named, named);
        named_free(named);
    }
}

/* ---- shaders of pipelines ---- */

static struct vkl_shaders *shaders_copy(const struct vkl_shaders *shaders)
{
    const size_t size =
        offsetof(struct vkl_shaders, shaders) + shaders->count * sizeof shaders->shaders[0];
    struct vkl_shaders *copy = malloc(size);
    if (copy)
        memcpy(copy, shaders, size);
    return copy;
}

/* Notes shaders. Drivers may return the same handle for several equal pipelines. */
void vkl_shaders_note(struct vkl_device *device, VkObjectType type, uint64_t handle,
                      const struct vkl_shaders *shaders)
{
    if (!device->crash.annot || shaders->count == 0)
        return;
    pthread_rwlock_wrlock(&device->objects);
    struct vkl_named *named = named_need(device, type, handle);
    if (named && !named->shaders) {
        named->shaders = shaders_copy(shaders);
        for (uint32_t i = 0; type == VK_OBJECT_TYPE_PIPELINE && i < shaders->count; i++) {
            const struct vkl_shader *of = &shaders->shaders[i];
            const annot_shader shader = {.form = of->form,
                                         .stage = of->stage,
                                         .xxh3 = of->xxh3,
                                         .debug_name = *of->name ? of->name : NULL,
                                         .debug_name_size = strlen(of->name)};
            annot_object_add_shader(named->object, &shader);
        }
    }
    pthread_rwlock_unlock(&device->objects);
}

void vkl_shaders_add(struct vkl_device *device, VkObjectType type, uint64_t handle,
                     struct vkl_shaders *to)
{
    pthread_rwlock_rdlock(&device->objects);
    const struct vkl_named *named = named_find(device, type, handle);
    for (uint32_t i = 0; named && named->shaders && i < named->shaders->count; i++) {
        if (to->count == ANNOT_SHADERS_MAX)
            break;
        struct vkl_shader *shader = &to->shaders[to->count++];
        *shader = named->shaders->shaders[i];
        if (type == VK_OBJECT_TYPE_SHADER_MODULE)
            annot_object_get_name(named->object, shader->name, sizeof shader->name);
    }
    pthread_rwlock_unlock(&device->objects);
}

void vkl_objects_find(struct vkl_device *device, const struct vkl_bound *bound, uint32_t count,
                      annot_bound_object *out)
{
    pthread_rwlock_rdlock(&device->objects);
    for (uint32_t i = 0; i < count; i++) {
        const struct vkl_named *named = named_find(device, bound[i].type, bound[i].handle);
        out[i] = (annot_bound_object){named ? annot_object_id(named->object) : 0, bound[i].role,
                                      bound[i].layout};
    }
    pthread_rwlock_unlock(&device->objects);
}

/* ---- resources, and objects that lead to them ---- */

void vkl_resource_note(struct vkl_device *device, VkObjectType type, uint64_t handle,
                       const annot_resource *resource)
{
    if (!device->crash.annot)
        return;
    pthread_rwlock_wrlock(&device->objects);
    struct vkl_named *named = named_need(device, type, handle);
    if (named) {
        named->resource = *resource;
        annot_object_set_resource(named->object, resource);
        named->size = type == VK_OBJECT_TYPE_IMAGE ? 0 : resource->width;
    }
    pthread_rwlock_unlock(&device->objects);
}

static void buffer_made(struct vkl_device *device, const VkBufferCreateInfo *info, VkBuffer buffer)
{
    const annot_resource of = {
        .width = info->size, .dimension = BUFFER, .height = 1, .depth = 1, .mips = 1, .samples = 1};
    vkl_resource_note(device, VK_OBJECT_TYPE_BUFFER, HANDLE(buffer), &of);
}
VKL_CREATE(CreateBuffer, VkBufferCreateInfo, VkBuffer, buffer_made)

static void image_made(struct vkl_device *device, const VkImageCreateInfo *info, VkImage image)
{
    const bool is_3d = info->imageType == VK_IMAGE_TYPE_3D;
    const annot_resource of = {.width = info->extent.width,
                               .dimension = TEXTURE_1D + (uint32_t)info->imageType,
                               .format = (uint32_t)info->format,
                               .height = info->extent.height,
                               .depth = is_3d ? info->extent.depth : info->arrayLayers,
                               .mips = info->mipLevels,
                               .samples = (uint32_t)info->samples};
    /* nothing tells that a swapchain's image with this handle is gone */
    vkl_name_forget(device, VK_OBJECT_TYPE_IMAGE, HANDLE(image));
    vkl_resource_note(device, VK_OBJECT_TYPE_IMAGE, HANDLE(image), &of);
}
VKL_CREATE(CreateImage, VkImageCreateInfo, VkImage, image_made)

uint64_t vkl_note_set(struct vkl_device *device, VkObjectType type, uint64_t handle,
                      const uint64_t *words, uint32_t count)
{
    uint64_t id = 0, *copy = count > 0 ? malloc(count * sizeof *copy) : NULL;
    if (!device->crash.annot || !copy) {
        free(copy);
        return 0;
    }
    memcpy(copy, words, count * sizeof *copy);
    pthread_rwlock_wrlock(&device->objects);
    struct vkl_named *named = named_need(device, type, handle);
    if (named) {
        uint64_t *before = named->words;
        named->words = copy;
        named->word_count = count;
        copy = before;
        id = annot_object_id(named->object);
    }
    pthread_rwlock_unlock(&device->objects);
    free(copy);
    return id;
}

uint32_t vkl_note_get(struct vkl_device *device, VkObjectType type, uint64_t handle,
                      uint64_t *words, uint32_t capacity)
{
    pthread_rwlock_rdlock(&device->objects);
    const struct vkl_named *named = named_find(device, type, handle);
    const uint32_t count = !named ? 0 : named->word_count < capacity ? named->word_count : capacity;
    if (count > 0)
        memcpy(words, named->words, count * sizeof *words);
    pthread_rwlock_unlock(&device->objects);
    return count;
}

static void bound(struct vkl_device *device, VkObjectType type, uint64_t handle, uint64_t memory)
{
    pthread_rwlock_wrlock(&device->objects);
    struct vkl_named *named = memory ? named_find(device, type, handle) : NULL;
    if (named && !named->memory &&
        (named->memory = named_need(device, VK_OBJECT_TYPE_DEVICE_MEMORY, memory)))
        DL_APPEND(named->memory->bound, named);
    pthread_rwlock_unlock(&device->objects);
}

#define BIND(kind, member, type)                                                                   \
    VKL_IF_DONE(Bind##kind##Memory,                                                                \
                (VkDevice handle, Vk##kind object, VkDeviceMemory memory, VkDeviceSize offset),    \
                (handle, object, memory, offset),                                                  \
                bound(device, type, HANDLE(object), HANDLE(memory)))                               \
    VKL_IF_DONE(Bind##kind##Memory2,                                                               \
                (VkDevice handle, uint32_t count, const VkBind##kind##MemoryInfo *infos),          \
                (handle, count, infos),                                                            \
                for (uint32_t i = 0; i < count; i++)                                               \
                    bound(device, type, HANDLE(infos[i].member), HANDLE(infos[i].memory)))
BIND(Buffer, buffer, VK_OBJECT_TYPE_BUFFER)
BIND(Image, image, VK_OBJECT_TYPE_IMAGE)

/* ---- addresses ---- */

/* Notes where an object is, or no longer is. `size` 0: the size is that of its creation. */
static void note_address(struct vkl_device *device, VkObjectType type, uint64_t handle,
                         uint64_t address, uint64_t size, bool is_there)
{
    pthread_rwlock_wrlock(&device->objects);
    struct vkl_named *named = named_find(device, type, handle);
    if (named && !is_there && named->address - address < size)
        lose_memory(device, named);
    if (named && is_there && address != 0 &&
        (size != 0 || named->resource.memory != ANNOT_MEMORY_FREED)) {
        named->address = address;
        named->size = size ? size : named->size;
    }
    pthread_rwlock_unlock(&device->objects);
}

static VKAPI_ATTR VkBool32 VKAPI_CALL hear(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                           VkDebugUtilsMessageTypeFlagsEXT types,
                                           const VkDebugUtilsMessengerCallbackDataEXT *data,
                                           void *device)
{
    const VkDeviceAddressBindingCallbackDataEXT *said =
        vkl_in_chain(data->pNext, VK_STRUCTURE_TYPE_DEVICE_ADDRESS_BINDING_CALLBACK_DATA_EXT);
    const VkDebugUtilsObjectNameInfoEXT *object = data->objectCount ? data->pObjects : NULL;
    (void)severity, (void)types;
    /* The layer may hold device->objects while it makes its semaphores. */
    if (said && object &&
        (object->objectType == VK_OBJECT_TYPE_BUFFER || object->objectType == VK_OBJECT_TYPE_IMAGE))
        note_address(device, object->objectType, object->objectHandle, said->baseAddress,
                     said->size, said->bindingType == VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT);
    return VK_FALSE;
}

void vkl_addresses_listen(struct vkl_device *device)
{
    const VkDebugUtilsMessengerCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_DEVICE_ADDRESS_BINDING_BIT_EXT,
        .pfnUserCallback = hear,
        .pUserData = device};
    const struct vkl_instance *instance = device->instance;
    if (instance->next.CreateDebugUtilsMessengerEXT(instance->handle, &info, NULL,
                                                    &device->messenger) != VK_SUCCESS)
        device->messenger = VK_NULL_HANDLE;
}

static VKAPI_ATTR VkDeviceAddress VKAPI_CALL
vkl_GetBufferDeviceAddress(VkDevice handle, const VkBufferDeviceAddressInfo *info)
{
    struct vkl_device *device = vkl_device_of(vkl_key(handle));
    const VkDeviceAddress address = device->next.GetBufferDeviceAddress(handle, info);
    note_address(device, VK_OBJECT_TYPE_BUFFER, HANDLE(info->buffer), address, 0, true);
    return address;
}

/* ---- the calls ---- */

/* Returns the VkObjectType; both enumerations have the same numbers up to the first extensions. */
static VkObjectType type_of_report(VkDebugReportObjectTypeEXT type)
{
    switch (type) {
    case VK_DEBUG_REPORT_OBJECT_TYPE_SURFACE_KHR_EXT:
        return VK_OBJECT_TYPE_SURFACE_KHR;
    case VK_DEBUG_REPORT_OBJECT_TYPE_SWAPCHAIN_KHR_EXT:
        return VK_OBJECT_TYPE_SWAPCHAIN_KHR;
    default:
        return type <= VK_DEBUG_REPORT_OBJECT_TYPE_COMMAND_POOL_EXT || (int)type >= FIRST_EXTENSION
                   ? (VkObjectType)type
                   : VK_OBJECT_TYPE_UNKNOWN;
    }
}

/* Defines a call that works in this layer, even if the layer below lacks the call. */
#define OFFERED(name, type, does)                                                                  \
    static VKAPI_ATTR VkResult VKAPI_CALL vkl_##name(VkDevice handle, const type *info)            \
    {                                                                                              \
        struct vkl_device *device = vkl_device_of(vkl_key(handle));                                \
        does;                                                                                      \
        return device->next.name ? device->next.name(handle, info) : VK_SUCCESS;                   \
    }
OFFERED(SetDebugUtilsObjectNameEXT, VkDebugUtilsObjectNameInfoEXT,
        vkl_name_set(device, info->objectType, info->objectHandle, info->pObjectName))
OFFERED(SetDebugUtilsObjectTagEXT, VkDebugUtilsObjectTagInfoEXT, (void)0)
OFFERED(DebugMarkerSetObjectNameEXT, VkDebugMarkerObjectNameInfoEXT,
        vkl_name_set(device, type_of_report(info->objectType), info->object, info->pObjectName))
OFFERED(DebugMarkerSetObjectTagEXT, VkDebugMarkerObjectTagInfoEXT, (void)0)

#define DESTROY(name, other, type, kind)                                                           \
    static VKAPI_ATTR void VKAPI_CALL vkl_##name(VkDevice handle, Vk##type object,                 \
                                                 const VkAllocationCallbacks *allocator)           \
    {                                                                                              \
        struct vkl_device *device = vkl_device_of(vkl_key(handle));                                \
        vkl_name_forget(device, VK_OBJECT_TYPE_##kind, (uint64_t)object);                          \
        device->next.name(handle, object, allocator);                                              \
    }
VKL_DESTROY_CALLS(DESTROY)

const struct vkl_call vkl_object_calls[] = {VKL_NAME_CALLS(VKL_CALL_OFFERED) VKL_MEMORY_CALLS(
    VKL_CALL) VKL_DESTROY_CALLS(VKL_CALL_OF){.name = NULL}};
