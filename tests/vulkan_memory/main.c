/* The layer when an allocation fails, its own, libannot's or libc's, each one in turn, and then
 * every one from there on: an application meets VK_ERROR_OUT_OF_HOST_MEMORY where it creates an
 * instance or a device, and nothing else; nothing crashes, hangs or is left of the driver's
 * [ANN-HOST-01]. The driver has an allocator of its own, tests/CMakeLists.txt. */
#include "../stress/failing_malloc.h"
#include "calls.h"
#include "mock.h"

#include <stdio.h>
#include <unistd.h>

#ifdef UNSUITED

int main(void)
{
    return 77;
}

#else

enum { LIMIT = 600 /* seconds */, BUFFERS = 40, FENCES = 40, SIGNALS = 30 };

/* ---- an application ---- */

struct app {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
};

VkResult VKAPI_CALL vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *interface);

static VkResult VKAPI_CALL no_loader_data(VkDevice device, void *object)
{
    memcpy(object, (const void *)device, sizeof(void *));
    return VK_SUCCESS;
}

#define FIND(app, variable, name)                                                                  \
    PFN_vk##name variable = (PFN_vk##name)vkl_GetDeviceProcAddr((app)->device, "vk" #name)

static VkResult open_instance(struct app *app)
{
    VkNegotiateLayerInterface interface = {.sType = LAYER_NEGOTIATE_INTERFACE_STRUCT,
                                           .loaderLayerInterfaceVersion = 2};
    VkLayerInstanceLink next = {.pfnNextGetInstanceProcAddr = mock_GetInstanceProcAddr};
    VkLayerInstanceCreateInfo link = {.sType = VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO,
                                      .function = VK_LAYER_LINK_INFO,
                                      .u.pLayerInfo = &next};
    const VkApplicationInfo about = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                     .apiVersion = VK_API_VERSION_1_3};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pNext = &link,
                                       .pApplicationInfo = &about};
    uint32_t count = 1;
    if (vkNegotiateLoaderLayerInterfaceVersion(&interface) != VK_SUCCESS)
        return VK_ERROR_INITIALIZATION_FAILED;
    const VkResult result = vkl_CreateInstance(&info, NULL, &app->instance);
    if (result != VK_SUCCESS)
        return result;
    PFN_vkEnumeratePhysicalDevices enumerate =
        (PFN_vkEnumeratePhysicalDevices)vkl_GetInstanceProcAddr(app->instance,
                                                                "vkEnumeratePhysicalDevices");
    return enumerate(app->instance, &count, &app->physical);
}

static VkResult open_device(struct app *app)
{
    VkLayerDeviceLink next = {NULL, mock_GetInstanceProcAddr, mock_GetDeviceProcAddr};
    VkLayerDeviceCreateInfo data = {.sType = VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO,
                                    .function = VK_LOADER_DATA_CALLBACK,
                                    .u.pfnSetDeviceLoaderData = no_loader_data};
    VkLayerDeviceCreateInfo link = {.sType = VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO,
                                    .pNext = &data,
                                    .function = VK_LAYER_LINK_INFO,
                                    .u.pLayerInfo = &next};
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &link,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue};
    return vkl_CreateDevice(app->physical, &info, NULL, &app->device);
}

static void record(struct app *app, VkCommandBuffer buffer)
{
    FIND(app, begin, BeginCommandBuffer);
    FIND(app, end, EndCommandBuffer);
    FIND(app, begin_label, CmdBeginDebugUtilsLabelEXT);
    FIND(app, end_label, CmdEndDebugUtilsLabelEXT);
    FIND(app, dispatch, CmdDispatch);
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    const VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                        .pLabelName = "label"};
    begin(buffer, &info);
    for (int i = 0; i < 3; i++)
        begin_label(buffer, &label);
    dispatch(buffer, 1, 0, 0);
    for (int i = 0; i < 3; i++)
        end_label(buffer);
    end(buffer);
}

/* Inside of the pass labels are the inner stream's, which may not be there: more barriers than one
 * operation has room for, and a draw that has a target. */
static void draw_in_pass(struct app *app, VkCommandBuffer buffer, const VkRenderPassBeginInfo *pass)
{
    enum { BARRIERS = 11 };
    FIND(app, begin, BeginCommandBuffer);
    FIND(app, end, EndCommandBuffer);
    FIND(app, begin_label, CmdBeginDebugUtilsLabelEXT);
    FIND(app, end_label, CmdEndDebugUtilsLabelEXT);
    FIND(app, begin_pass, CmdBeginRenderPass);
    FIND(app, end_pass, CmdEndRenderPass);
    FIND(app, barrier, CmdPipelineBarrier);
    FIND(app, draw, CmdDrawIndexed);
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    const VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                        .pLabelName = "in a pass"};
    const VkBufferMemoryBarrier barriers[BARRIERS] = {
        {.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER}};
    begin(buffer, &info);
    begin_pass(buffer, pass, VK_SUBPASS_CONTENTS_INLINE);
    begin_label(buffer, &label);
    barrier(buffer, 0, 0, 0, 0, NULL, BARRIERS, barriers, 0, NULL);
    draw(buffer, 3, 1, 0, 0, 0);
    end_label(buffer);
    end_pass(buffer);
    end(buffer);
}

static void record_pass(struct app *app, VkCommandBuffer buffer)
{
    FIND(app, create_view, CreateImageView);
    FIND(app, destroy_view, DestroyImageView);
    FIND(app, create_pass, CreateRenderPass);
    FIND(app, destroy_pass, DestroyRenderPass);
    FIND(app, create_framebuffer, CreateFramebuffer);
    FIND(app, destroy_framebuffer, DestroyFramebuffer);
    const VkImageViewCreateInfo view_info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
    const VkAttachmentReference target = {0, VK_IMAGE_LAYOUT_GENERAL};
    const VkSubpassDescription subpass = {.colorAttachmentCount = 1, .pColorAttachments = &target};
    const VkRenderPassCreateInfo pass_info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                              .subpassCount = 1,
                                              .pSubpasses = &subpass};
    VkImageView view;
    VkRenderPass pass;
    VkFramebuffer framebuffer;
    create_view(app->device, &view_info, NULL, &view);
    create_pass(app->device, &pass_info, NULL, &pass);
    const VkFramebufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                          .renderPass = pass,
                                          .attachmentCount = 1,
                                          .pAttachments = &view};
    create_framebuffer(app->device, &info, NULL, &framebuffer);
    draw_in_pass(app, buffer,
                 &(const VkRenderPassBeginInfo){.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                                .renderPass = pass,
                                                .framebuffer = framebuffer});
    destroy_framebuffer(app->device, framebuffer, NULL);
    destroy_pass(app->device, pass, NULL);
    destroy_view(app->device, view, NULL);
}

static void name(struct app *app, VkObjectType type, uint64_t handle)
{
    FIND(app, set_name, SetDebugUtilsObjectNameEXT);
    const VkDebugUtilsObjectNameInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
        .objectType = type,
        .objectHandle = handle,
        .pObjectName = "name"};
    set_name(app->device, &info);
}

static void work(struct app *app, VkQueue queue, VkCommandPool pool, VkCommandBuffer *buffers)
{
    FIND(app, create_fence, CreateFence);
    FIND(app, destroy_fence, DestroyFence);
    FIND(app, create_semaphore, CreateSemaphore);
    FIND(app, destroy_semaphore, DestroySemaphore);
    FIND(app, submit, QueueSubmit);
    FIND(app, wait, WaitForFences);
    FIND(app, reset, ResetCommandPool);
    const VkFenceCreateInfo fence_info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    const VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                            .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    const VkSemaphoreCreateInfo semaphore_info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                                  .pNext = &type};
    VkFence fences[FENCES];
    VkSemaphore semaphore;
    create_semaphore(app->device, &semaphore_info, NULL, &semaphore);
    name(app, VK_OBJECT_TYPE_SEMAPHORE, (uint64_t)(uintptr_t)semaphore);
    for (uint64_t i = 0; i < FENCES; i++) {
        const uint64_t value = i + 1;
        const VkTimelineSemaphoreSubmitInfo values = {
            .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
            .signalSemaphoreValueCount = 1,
            .pSignalSemaphoreValues = &value};
        const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                   .pNext = i < SIGNALS ? &values : NULL,
                                   .commandBufferCount = i % 8 ? 1 : BUFFERS,
                                   .pCommandBuffers = i % 8 ? &buffers[i % BUFFERS] : buffers,
                                   .signalSemaphoreCount = i < SIGNALS ? 1 : 0,
                                   .pSignalSemaphores = &semaphore};
        create_fence(app->device, &fence_info, NULL, &fences[i]);
        name(app, VK_OBJECT_TYPE_FENCE, (uint64_t)(uintptr_t)fences[i]);
        submit(queue, 1, &info, fences[i]);
    }
    wait(app->device, FENCES, fences, VK_TRUE, UINT64_MAX);
    for (int i = 0; i < FENCES; i++)
        destroy_fence(app->device, fences[i], NULL);
    destroy_semaphore(app->device, semaphore, NULL);
    reset(app->device, pool, 0);
}

static void use_device(struct app *app)
{
    FIND(app, get_queue, GetDeviceQueue);
    FIND(app, create_pool, CreateCommandPool);
    FIND(app, destroy_pool, DestroyCommandPool);
    FIND(app, allocate, AllocateCommandBuffers);
    FIND(app, free_buffers, FreeCommandBuffers);
    const VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    VkCommandPool pools[3];
    VkCommandBuffer buffers[BUFFERS];
    VkQueue queue;
    get_queue(app->device, 0, 0, &queue);
    for (int i = 0; i < 3; i++)
        create_pool(app->device, &info, NULL, &pools[i]);
    const VkCommandBufferAllocateInfo wanted = {.sType =
                                                    VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                .commandPool = pools[0],
                                                .commandBufferCount = BUFFERS};
    allocate(app->device, &wanted, buffers);
    record_pass(app, buffers[0]);
    for (int i = 1; i < BUFFERS; i++)
        record(app, buffers[i]);
    work(app, queue, pools[0], buffers);
    free_buffers(app->device, pools[0], BUFFERS / 2, buffers);
    for (int i = 0; i < 3; i++)
        destroy_pool(app->device, pools[i], NULL);
}

/* False: something else than documented happened. */
static bool run(void)
{
    struct app app = {0};
    VkResult result = open_instance(&app);
    if (result != VK_SUCCESS)
        return result == VK_ERROR_OUT_OF_HOST_MEMORY;
    result = open_device(&app);
    if (result == VK_SUCCESS) {
        FIND(&app, destroy_device, DestroyDevice);
        if (!destroy_device)
            return false;
        use_device(&app);
        destroy_device(app.device, NULL);
    }
    PFN_vkDestroyInstance destroy =
        (PFN_vkDestroyInstance)vkl_GetInstanceProcAddr(app.instance, "vkDestroyInstance");
    destroy(app.instance, NULL);
    return result == VK_SUCCESS || result == VK_ERROR_OUT_OF_HOST_MEMORY;
}

/* The n-th allocation fails, and with `keep` all behind it. False: there are not as many. */
static bool run_without(long n, bool keep, unsigned *wrong)
{
    mock_reset();
    atomic_store(&keep_failing, keep);
    atomic_store(&countdown, n);
    const bool ok = run();
    const long left = atomic_exchange(&countdown, 0);
    if (!ok || mock.live != 0) {
        ++*wrong;
        printf("allocation %ld%s: %s, %u objects of the driver are left\n", n,
               keep ? " and all behind it" : "", ok ? "no error" : "another error", mock.live);
    }
    return left < (keep ? 2 : 1);
}

int main(int argc, char **argv)
{
    static const char settings[] = "annot_crash.level = exact\nannot_crash.timeout = 0\n";
    unsigned runs = 0, wrong = 0;
    char path[] = "/tmp/vulkan-memory-XXXXXX";
    const int file = mkstemp(path);
    if (file < 0 || write(file, settings, sizeof settings - 1) < 0 || close(file) != 0) {
        perror(path);
        return 2;
    }
    setenv("VK_LAYER_SETTINGS_PATH", path, 1);
    setenv("ANNOT_VK_LEVEL", "exact", 1);
    setenv("ANNOT_VK_TIMEOUT", "0", 1);
    setenv("ANNOT_VK_QUIET", "1", 1);
    alarm(LIMIT);
    const long only = argc > 1 ? atol(argv[1]) : 0;
    for (int keep = 0; keep < 2; keep++)
        for (long n = only ? only : 1; run_without(n, keep, &wrong) && !only; n++)
            runs++;
    unlink(path);
    printf("%u runs, %u wrong\n", runs, wrong);
    return wrong != 0;
}

#endif
