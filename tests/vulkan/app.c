#include "kit.h"

#include <stdio.h>
#include <unistd.h>

/* Without Criterion, for programs that have none. */
#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                        \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* ---- the application ---- */

static VkResult VKAPI_CALL no_loader_data(VkDevice device, void *object)
{
    memcpy(object, (const void *)device, sizeof(void *));
    return VK_SUCCESS;
}

static void open_instance(struct app *app, const struct app_desc *desc)
{
    VkLayerInstanceLink next = {.pfnNextGetInstanceProcAddr = mock_GetInstanceProcAddr};
    VkLayerInstanceCreateInfo link = {
        .sType = VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO,
        .pNext = desc->instance_next,
        .function = VK_LAYER_LINK_INFO,
        .u.pLayerInfo = &next,
    };
    const VkApplicationInfo about = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                     .apiVersion = desc->api_version ? desc->api_version
                                                                     : VK_API_VERSION_1_3};
    static const char *const names[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pNext = &link,
                                       .pApplicationInfo = &about,
                                       .enabledExtensionCount = 1,
                                       .ppEnabledExtensionNames = names};
    uint32_t count = 1;
    MUST(vkl_CreateInstance(&info, NULL, &app->instance) == VK_SUCCESS);
    PFN_vkEnumeratePhysicalDevices enumerate =
        (PFN_vkEnumeratePhysicalDevices)vkl_GetInstanceProcAddr(app->instance,
                                                                "vkEnumeratePhysicalDevices");
    MUST(enumerate(app->instance, &count, &app->physical) == VK_SUCCESS);
}

static void find_functions(struct app *app)
{
#define FILL(name, ...)         app->vk.name = (PFN_vk##name)vkl_GetDeviceProcAddr(app->device, "vk" #name);
#define FILL_COMMAND(name, ...) FILL(Cmd##name, )
    VKL_DEVICE_FUNCTIONS(FILL, FILL)
    VKL_COMMANDS(FILL_COMMAND)
    app->create_fence = (PFN_vkCreateFence)vkl_GetDeviceProcAddr(app->device, "vkCreateFence");
    app->dispatch = app->vk.CmdDispatch;
}

void app_open_device(struct app *app, const struct app_desc *desc)
{
    VkLayerDeviceLink next = {NULL, mock_GetInstanceProcAddr, mock_GetDeviceProcAddr};
    VkLayerDeviceCreateInfo data = {
        .sType = VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO,
        .pNext = desc->device_next,
        .function = VK_LOADER_DATA_CALLBACK,
        .u.pfnSetDeviceLoaderData = no_loader_data,
    };
    VkLayerDeviceCreateInfo link = {
        .sType = VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO,
        .pNext = &data,
        .function = VK_LAYER_LINK_INFO,
        .u.pLayerInfo = &next,
    };
    const float priority = 1;
    const uint32_t families = mock.families ? mock.families : 1;
    VkDeviceQueueCreateInfo queues[4];
    for (uint32_t i = 0; i < families; i++)
        queues[i] = (VkDeviceQueueCreateInfo){.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                              .queueFamilyIndex = i,
                                              .queueCount = 1,
                                              .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &link,
                                     .queueCreateInfoCount = families,
                                     .pQueueCreateInfos = queues,
                                     .enabledExtensionCount =
                                         desc->extensions[0] ? desc->extensions[1] ? 2 : 1 : 0,
                                     .ppEnabledExtensionNames = desc->extensions};
    MUST(vkl_CreateDevice(app->physical, &info, NULL, &app->device) == VK_SUCCESS);
    app->layer = vkl_device_of(vkl_key(app->device));
    find_functions(app);
    for (uint32_t i = 0; i < families; i++)
        app->vk.GetDeviceQueue(app->device, i, 0, &app->queues[i]);
    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = desc->is_pool_resettable ? VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT : 0};
    MUST(app->vk.CreateCommandPool(app->device, &pool, NULL, &app->pool) == VK_SUCCESS);
}

static uint64_t no_time(void *user)
{
    (void)user;
    return 0;
}

void app_open(struct app *app, const struct app_desc *desc)
{
    static const struct crash_clock clock = {no_time, NULL};
    *app = (struct app){0};
    snprintf(app->dump, sizeof app->dump, "vulkan-%ld.annotdmp", (long)getpid());
    if (desc->dump)
        snprintf(app->dump, sizeof app->dump, "%s", desc->dump);
    unlink(app->dump);
    crash_clock_set(desc->has_clock ? NULL : &clock);
    setenv("ANNOT_VK_DUMP", app->dump, 1);
    setenv("ANNOT_VK_QUIET", "1", 1);
    setenv("ANNOT_VK_LEVEL", desc->level ? desc->level : "labels", 1);
    setenv("ANNOT_VK_EVIDENCE", desc->evidence ? desc->evidence : "auto", 1);
    open_instance(app, desc);
    app_open_device(app, desc);
}

void app_close_device(struct app *app)
{
    mock_release();
    app->vk.DestroyCommandPool(app->device, app->pool, NULL);
    app->vk.DestroyDevice(app->device, NULL);
}

void app_close(struct app *app)
{
    app_close_device(app);
    PFN_vkDestroyInstance destroy =
        (PFN_vkDestroyInstance)vkl_GetInstanceProcAddr(app->instance, "vkDestroyInstance");
    destroy(app->instance, NULL);
    unlink(app->dump);
    MUST(mock.live == 0); /* objects of the driver */
}

/* ---- recording ---- */

VkCommandBuffer app_allocate(struct app *app, VkCommandBufferLevel level)
{
    const VkCommandBufferAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                              .commandPool = app->pool,
                                              .level = level,
                                              .commandBufferCount = 1};
    VkCommandBuffer buffer;
    MUST(app->vk.AllocateCommandBuffers(app->device, &info, &buffer) == VK_SUCCESS);
    return buffer;
}

static void write_word(struct app *app, VkCommandBuffer buffer, const char *word,
                       VkCommandBuffer secondary)
{
    static const VkRenderPassBeginInfo pass = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
    VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO};
    const VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                        .pLabelName = word + 1};
    switch (*word) {
    case '{':
        app->vk.CmdBeginDebugUtilsLabelEXT(buffer, &label);
        break;
    case '}':
        app->vk.CmdEndDebugUtilsLabelEXT(buffer);
        break;
    case '.':
        app->vk.CmdInsertDebugUtilsLabelEXT(buffer, &label);
        break;
    case 'w':
        app->dispatch(buffer, (uint32_t)atoi(word + 1), 0, 0);
        break;
    case '[':
        app->vk.CmdBeginRenderPass(buffer, &pass, VK_SUBPASS_CONTENTS_INLINE);
        break;
    case ']':
        app->vk.CmdEndRenderPass(buffer);
        break;
    case '<':
    case '^':
    case '!':
    case '&':
        rendering.flags = *word == '!'   ? VK_RENDERING_SUSPENDING_BIT
                          : *word == '&' ? VK_RENDERING_RESUMING_BIT
                                         : 0;
        rendering.viewMask = *word == '^' ? 3 : 0;
        app->vk.CmdBeginRendering(buffer, &rendering);
        break;
    case '>':
        app->vk.CmdEndRendering(buffer);
        break;
    case 'S':
        app->vk.CmdExecuteCommands(buffer, 1, &secondary);
        break;
    default:
        MUST(false && "a word of a script");
    }
}

void app_write(struct app *app, VkCommandBuffer buffer, const char *script,
               VkCommandBuffer secondary)
{
    char copy[4096], *rest = copy, *word;
    MUST(strlen(script) < sizeof copy);
    strcpy(copy, script);
    while ((word = strtok_r(rest, " ", &rest)))
        write_word(app, buffer, word, secondary);
}

void app_record(struct app *app, VkCommandBuffer buffer, VkCommandBufferUsageFlags flags,
                const char *script, VkCommandBuffer secondary)
{
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                           .flags = flags};
    MUST(app->vk.BeginCommandBuffer(buffer, &info) == VK_SUCCESS);
    app_write(app, buffer, script, secondary);
    MUST(app->vk.EndCommandBuffer(buffer) == VK_SUCCESS);
}

VkCommandBuffer app_command(struct app *app, const char *script)
{
    VkCommandBuffer buffer = app_allocate(app, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    app_record(app, buffer, 0, script, VK_NULL_HANDLE);
    return buffer;
}

VkCommandBuffer app_begin(struct app *app)
{
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    VkCommandBuffer buffer = app_allocate(app, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    MUST(app->vk.BeginCommandBuffer(buffer, &info) == VK_SUCCESS);
    return buffer;
}

static VkResult submit(struct app *app, const VkCommandBuffer *buffers, uint32_t count,
                       VkFence fence)
{
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = count,
                               .pCommandBuffers = buffers};
    return app->vk.QueueSubmit(app->queues[0], 1, &info, fence);
}

VkResult app_submit(struct app *app, VkCommandBuffer buffer, VkFence fence)
{
    return submit(app, &buffer, 1, fence);
}

VkResult app_submit_all(struct app *app, const VkCommandBuffer *buffers, uint32_t count)
{
    return submit(app, buffers, count, VK_NULL_HANDLE);
}

void app_lose(struct app *app)
{
    mock.lost_by = "vkDeviceWaitIdle";
    app->vk.DeviceWaitIdle(app->device);
    mock.lost_by = NULL;
}

VkResult app_name(struct app *app, VkObjectType type, uint64_t handle, const char *name)
{
    const VkDebugUtilsObjectNameInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
        .objectType = type,
        .objectHandle = handle,
        .pObjectName = name};
    return app->vk.SetDebugUtilsObjectNameEXT(app->device, &info);
}

VkSemaphore app_timeline(struct app *app)
{
    const VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                            .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                        .pNext = &type};
    VkSemaphore semaphore;
    MUST(app->vk.CreateSemaphore(app->device, &info, NULL, &semaphore) == VK_SUCCESS);
    return semaphore;
}

bool app_watch(struct app *app)
{
    const uint64_t minute = (uint64_t)60 * 1000000000u;
    vkl_watchdog_look(app->layer, 0);
    return vkl_watchdog_look(app->layer, minute);
}
