/* Below the layer: the driver of tests/vulkan, or the system's through its loader. */
#include "bindings_vulkan.h"

#include <dlfcn.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define DEVICE_CALL(name) ((PFN_vk##name)app->vk.GetDeviceProcAddr(app->device, "vk" #name))

/* Of the system: NULL is the driver of tests/vulkan. */
static PFN_vkGetInstanceProcAddr loader;

/* ---- the system's ---- */

static void find_functions(struct app *app)
{
#define FILL(name, ...)                                                                            \
    app->vk.name = (PFN_vk##name)app->vk.GetDeviceProcAddr(app->device, "vk" #name);
#define FILL_COMMAND(name, ...) FILL(Cmd##name, )
    VKL_DEVICE_FUNCTIONS(FILL, FILL)
    VKL_COMMANDS(FILL_COMMAND)
}

#define INSTANCE_CALL(name) ((PFN_vk##name)loader(app->instance, "vk" #name))

static void open_device(struct app *app)
{
    uint32_t count = 1;
    const float priority = 1;
    VkPhysicalDeviceVulkan13Features features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
        .synchronization2 = VK_TRUE,
        .dynamicRendering = VK_TRUE};
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &features,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue};
    INSTANCE_CALL(EnumeratePhysicalDevices)(app->instance, &count, &app->physical);
    BIND_MUST(count == 1);
    BIND_MUST(INSTANCE_CALL(CreateDevice)(app->physical, &info, NULL, &app->device) == VK_SUCCESS);
    app->vk.GetDeviceProcAddr = INSTANCE_CALL(GetDeviceProcAddr);
    find_functions(app);
    app->vk.GetDeviceQueue(app->device, 0, 0, &app->queues[0]);
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT};
    BIND_MUST(app->vk.CreateCommandPool(app->device, &pool, NULL, &app->pool) == VK_SUCCESS);
}

static void open_system(struct app *app, const struct app_desc *desc)
{
    const VkApplicationInfo about = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                     .apiVersion = VK_API_VERSION_1_3};
    const char *const extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &about,
                                       .enabledExtensionCount = 1,
                                       .ppEnabledExtensionNames = &extension};
    void *library = dlopen("libvulkan.so.1", RTLD_NOW);
    BIND_MUST(library);
    *(void **)&loader = dlsym(library, "vkGetInstanceProcAddr");
    BIND_MUST(loader);
    setenv("ANNOT_VK_DUMP", desc->dump, 1);
    setenv("ANNOT_VK_LEVEL", desc->level, 1);
    setenv("ANNOT_VK_TIMEOUT", "200", 1);
    setenv("ANNOT_VK_QUIET", "1", 1);
    BIND_MUST(((PFN_vkCreateInstance)loader(NULL, "vkCreateInstance"))(
                  &info, NULL, &app->instance) == VK_SUCCESS);
    open_device(app);
}

/* ---- both ---- */

void bind_vulkan_open(struct app *app, const struct app_desc *desc, bool is_driver)
{
    if (is_driver) {
        open_system(app, desc);
        return;
    }
    mock.has_markers = strcmp(desc->evidence, "markers") == 0;
    mock.has_checkpoints = strcmp(desc->evidence, "checkpoints") == 0;
    app_open(app, desc);
}

static VkDeviceMemory memory_of(struct app *app, const VkMemoryRequirements *needs)
{
    VkDeviceMemory memory;
    uint32_t type = 0;
    while (!(needs->memoryTypeBits >> type & 1))
        type++;
    const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                       .allocationSize = needs->size,
                                       .memoryTypeIndex = type};
    BIND_MUST(app->vk.AllocateMemory(app->device, &info, NULL, &memory) == VK_SUCCESS);
    return memory;
}

void bind_vulkan_back_buffer(struct app *app, VkBuffer buffer)
{
    VkMemoryRequirements needs;
    app->vk.GetBufferMemoryRequirements(app->device, buffer, &needs);
    BIND_MUST(app->vk.BindBufferMemory(app->device, buffer, memory_of(app, &needs), 0) ==
              VK_SUCCESS);
}

void bind_vulkan_back_image(struct app *app, VkImage image)
{
    VkMemoryRequirements needs;
    if (!loader)
        return;
    DEVICE_CALL(GetImageMemoryRequirements)(app->device, image, &needs);
    BIND_MUST(DEVICE_CALL(BindImageMemory)(app->device, image, memory_of(app, &needs), 0) ==
              VK_SUCCESS);
}

/* main() {}: of a vertex shader, and of a compute shader of one invocation. */
#define WORDS(model, mode)                                                                         \
    {                                                                                              \
        0x07230203, 0x00010000, 0, 5, 0, 0x00020011, 1, 0x0003000e, 0, 1, 0x0005000f, model, 1,    \
            0x6e69616d, 0, mode 0x00020013, 2, 0x00030021, 3, 2, 0x00050036, 2, 1, 0, 3,           \
            0x000200f8, 4, 0x000100fd, 0x00010038                                                  \
    }
#define LOCAL_SIZE 0x00060010, 1, 17, 1, 1, 1,
static const uint32_t vertex[] = WORDS(0, ), compute[] = WORDS(5, LOCAL_SIZE);

static VkShaderModule module_of(struct app *app, const uint32_t *words, size_t size)
{
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size, .pCode = words};
    VkShaderModule module;
    BIND_MUST(app->vk.CreateShaderModule(app->device, &info, NULL, &module) == VK_SUCCESS);
    return module;
}

static VkPipelineLayout layout_of(const struct app *app)
{
    const VkPipelineLayoutCreateInfo info = {.sType =
                                                 VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    VkPipelineLayout layout = VK_NULL_HANDLE;
    if (loader)
        BIND_MUST(DEVICE_CALL(CreatePipelineLayout)(app->device, &info, NULL, &layout) ==
                  VK_SUCCESS);
    return layout;
}

static VkPipeline graphics_of(struct app *app, const VkPipelineShaderStageCreateInfo *stage)
{
    const VkPipelineVertexInputStateCreateInfo input = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
    const VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
        .rasterizerDiscardEnable = VK_TRUE,
        .lineWidth = 1};
    const VkGraphicsPipelineCreateInfo info = {.sType =
                                                   VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                               .stageCount = 1,
                                               .pStages = stage,
                                               .pVertexInputState = &input,
                                               .pInputAssemblyState = &assembly,
                                               .pRasterizationState = &raster,
                                               .layout = layout_of(app)};
    VkPipeline pipeline;
    BIND_MUST(app->vk.CreateGraphicsPipelines(app->device, VK_NULL_HANDLE, 1, &info, NULL,
                                              &pipeline) == VK_SUCCESS);
    return pipeline;
}

VkPipeline bind_vulkan_pipeline(struct app *app, bool is_compute)
{
    const VkPipelineShaderStageCreateInfo stage = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = is_compute ? VK_SHADER_STAGE_COMPUTE_BIT : VK_SHADER_STAGE_VERTEX_BIT,
        .module = is_compute ? module_of(app, compute, sizeof compute)
                             : module_of(app, vertex, sizeof vertex),
        .pName = "main"};
    const VkComputePipelineCreateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                              .stage = stage,
                                              .layout = layout_of(app)};
    VkPipeline pipeline;
    if (!is_compute)
        return graphics_of(app, &stage);
    BIND_MUST(app->vk.CreateComputePipelines(app->device, VK_NULL_HANDLE, 1, &info, NULL,
                                             &pipeline) == VK_SUCCESS);
    return pipeline;
}

VkEvent bind_vulkan_event(struct app *app)
{
    const VkEventCreateInfo info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    VkEvent event;
    BIND_MUST(DEVICE_CALL(CreateEvent)(app->device, &info, NULL, &event) == VK_SUCCESS);
    return event;
}

void bind_vulkan_wait(struct app *app, bool is_driver, const char *dump)
{
    if (!is_driver) {
        BIND_MUST(app_watch(app));
        return;
    }
    for (int i = 0; access(dump, R_OK) != 0 && i < 1000; i++)
        nanosleep(&(struct timespec){0, 10000000}, NULL);
}
