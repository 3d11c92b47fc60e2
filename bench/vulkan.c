/*
 * The cost of a label under the Vulkan layer: a pair on a driver that does nothing, relative to
 * libannot's own begin and end and to the least that a layer can do. The layer is loaded as a
 * loader would load it.
 */
#include "bench.h"

#ifndef BENCH_VULKAN

void bench_suite_vulkan(void)
{
    bench_note("no vulkan rows: built without Vulkan's headers (Debian: libvulkan-dev)");
}

#else

#include "driver.h"
#include "module.h"
#include "world.h"

#include <vulkan/vulkan.h>
#include <vulkan/vk_layer.h>

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRS = 2000, ROUNDS = 400 };

/* ---- a driver that does nothing ---- */

struct object {
    void *key;
};

static struct object instance, physical = {&instance}, device = {&device}, command = {&device};
static uint64_t words[1 << 16];

static VkResult VKAPI_CALL nothing(void)
{
    return VK_SUCCESS;
}

static void VKAPI_CALL ignore_label(VkCommandBuffer buffer, const VkDebugUtilsLabelEXT *info)
{
    (void)buffer, (void)info;
}

static VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo *info,
                                           const VkAllocationCallbacks *allocator, VkInstance *out)
{
    (void)info, (void)allocator;
    instance.key = &instance;
    *out = (VkInstance)&instance;
    return VK_SUCCESS;
}

static VkResult VKAPI_CALL create_device(VkPhysicalDevice from, const VkDeviceCreateInfo *info,
                                         const VkAllocationCallbacks *allocator, VkDevice *out)
{
    (void)from, (void)info, (void)allocator;
    *out = (VkDevice)&device;
    return VK_SUCCESS;
}

static void VKAPI_CALL get_properties(VkPhysicalDevice from, VkPhysicalDeviceProperties *out)
{
    (void)from;
    memset(out, 0, sizeof *out);
    out->apiVersion = VK_API_VERSION_1_0;
}

static void VKAPI_CALL get_memory(VkPhysicalDevice from, VkPhysicalDeviceMemoryProperties *out)
{
    (void)from;
    memset(out, 0, sizeof *out);
    out->memoryTypeCount = 1;
    out->memoryTypes[0].propertyFlags =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
}

static void VKAPI_CALL get_families(VkPhysicalDevice from, uint32_t *count,
                                    VkQueueFamilyProperties *out)
{
    (void)from;
    *count = 1;
    if (out)
        *out = (VkQueueFamilyProperties){.queueFlags = VK_QUEUE_GRAPHICS_BIT, .queueCount = 1};
}

static VkResult VKAPI_CALL get_extensions(VkPhysicalDevice from, const char *layer, uint32_t *count,
                                          VkExtensionProperties *out)
{
    (void)from, (void)layer, (void)out;
    *count = 0;
    return VK_SUCCESS;
}

static void VKAPI_CALL get_requirements(VkDevice of, VkBuffer buffer, VkMemoryRequirements *out)
{
    (void)of, (void)buffer;
    *out = (VkMemoryRequirements){sizeof words, 16, 1};
}

static VkResult VKAPI_CALL map_memory(VkDevice of, VkDeviceMemory memory, VkDeviceSize offset,
                                      VkDeviceSize size, VkMemoryMapFlags flags, void **out)
{
    (void)of, (void)memory, (void)offset, (void)size, (void)flags;
    *out = words;
    return VK_SUCCESS;
}

static VkResult VKAPI_CALL allocate_commands(VkDevice of, const VkCommandBufferAllocateInfo *info,
                                             VkCommandBuffer *out)
{
    (void)of, (void)info;
    *out = (VkCommandBuffer)&command;
    return VK_SUCCESS;
}

static PFN_vkVoidFunction VKAPI_CALL get_proc(VkInstance of, const char *name)
{
    static const struct {
        const char *name;
        PFN_vkVoidFunction function;
    } calls[] = {
        {"vkCreateInstance", (PFN_vkVoidFunction)create_instance},
        {"vkCreateDevice", (PFN_vkVoidFunction)create_device},
        {"vkGetPhysicalDeviceProperties", (PFN_vkVoidFunction)get_properties},
        {"vkGetPhysicalDeviceMemoryProperties", (PFN_vkVoidFunction)get_memory},
        {"vkGetPhysicalDeviceQueueFamilyProperties", (PFN_vkVoidFunction)get_families},
        {"vkEnumerateDeviceExtensionProperties", (PFN_vkVoidFunction)get_extensions},
        {"vkGetBufferMemoryRequirements", (PFN_vkVoidFunction)get_requirements},
        {"vkMapMemory", (PFN_vkVoidFunction)map_memory},
        {"vkAllocateCommandBuffers", (PFN_vkVoidFunction)allocate_commands},
    };
    (void)of;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strcmp(calls[i].name, name) == 0)
            return calls[i].function;
    return (PFN_vkVoidFunction)nothing;
}

static PFN_vkVoidFunction VKAPI_CALL get_device_proc(VkDevice of, const char *name)
{
    (void)of;
    return get_proc(VK_NULL_HANDLE, name);
}

/* ---- the layer above it ---- */

static struct layer {
    PFN_vkGetInstanceProcAddr get;
    PFN_vkCmdBeginDebugUtilsLabelEXT begin;
    PFN_vkCmdEndDebugUtilsLabelEXT end;
    PFN_vkBeginCommandBuffer begin_commands;
    PFN_vkEndCommandBuffer end_commands;
    PFN_vkResetCommandPool reset;
    VkInstance instance;
    VkDevice device;
    bool is_inside; /* of a label: then none is marked at level "low" */
} layer;

static PFN_vkVoidFunction find(const char *name)
{
    return layer.get(layer.instance, name);
}

static bool open_instance(void)
{
    VkLayerInstanceLink next = {.pfnNextGetInstanceProcAddr = get_proc};
    VkLayerInstanceCreateInfo link = {.sType = VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO,
                                      .function = VK_LAYER_LINK_INFO,
                                      .u.pLayerInfo = &next};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pNext = &link};
    PFN_vkCreateInstance create =
        (PFN_vkCreateInstance)layer.get(VK_NULL_HANDLE, "vkCreateInstance");
    return create && create(&info, NULL, &layer.instance) == VK_SUCCESS;
}

static bool open_device(void)
{
    VkLayerDeviceLink next = {NULL, get_proc, get_device_proc};
    VkLayerDeviceCreateInfo link = {.sType = VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO,
                                    .function = VK_LAYER_LINK_INFO,
                                    .u.pLayerInfo = &next};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .pNext = &link};
    PFN_vkCreateDevice create = (PFN_vkCreateDevice)find("vkCreateDevice");
    return create && create((VkPhysicalDevice)&physical, &info, NULL, &layer.device) == VK_SUCCESS;
}

static void open_commands(void)
{
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    const VkCommandBufferAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandBufferCount = 1};
    VkCommandPool made = VK_NULL_HANDLE;
    VkCommandBuffer buffer;
    ((PFN_vkCreateCommandPool)find("vkCreateCommandPool"))(layer.device, &pool, NULL, &made);
    ((PFN_vkAllocateCommandBuffers)find("vkAllocateCommandBuffers"))(layer.device, &allocate,
                                                                     &buffer);
}

static bool layer_open(void)
{
    void *handle = bench_module_open("vulkan/libVkLayer_annot_crash.so");
    if (!handle)
        return false;
    *(void **)&layer.get = dlsym(handle, "vkGetInstanceProcAddr");
    setenv("ANNOT_VK_TIMEOUT", "0", 1);
    setenv("ANNOT_VK_LEVEL", "low", 1);
    if (!layer.get || !open_instance() || !open_device())
        return false;
    layer.begin = (PFN_vkCmdBeginDebugUtilsLabelEXT)find("vkCmdBeginDebugUtilsLabelEXT");
    layer.end = (PFN_vkCmdEndDebugUtilsLabelEXT)find("vkCmdEndDebugUtilsLabelEXT");
    layer.begin_commands = (PFN_vkBeginCommandBuffer)find("vkBeginCommandBuffer");
    layer.end_commands = (PFN_vkEndCommandBuffer)find("vkEndCommandBuffer");
    layer.reset = (PFN_vkResetCommandPool)find("vkResetCommandPool");
    open_commands();
    return layer.begin && layer.end && layer.begin_commands && layer.end_commands;
}

/* ---- contestants ---- */

static const VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                           .pLabelName = "shadow cascade"};
static const uint32_t label_bytes = sizeof "shadow cascade";

static void record_anew(bool is_inside)
{
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    layer.end_commands((VkCommandBuffer)&command);
    layer.begin_commands((VkCommandBuffer)&command, &info);
    if (is_inside)
        layer.begin((VkCommandBuffer)&command, &label);
}

static void prepare_inside(void *state)
{
    (void)state;
    record_anew(true);
}

static void prepare_outermost(void *state)
{
    (void)state;
    record_anew(false);
}

static void run_layer(void *state)
{
    (void)state;
    for (uint32_t i = PAIRS; i != 0; i--) {
        layer.begin((VkCommandBuffer)&command, &label);
        layer.end((VkCommandBuffer)&command);
    }
}

/* The least that a layer can do: it finds what it has of the device, notes 48 bytes and forwards.
 */
static struct least {
    void *key;
    PFN_vkCmdBeginDebugUtilsLabelEXT volatile next;
    struct least_note {
        uint64_t parent, size;
        char name[32];
    } notes[PAIRS];
    uint32_t count, open;
} least;

_Static_assert(sizeof(struct least_note) == 48, "a header and a name");

static void VKAPI_CALL least_begin(VkCommandBuffer buffer, const VkDebugUtilsLabelEXT *info)
{
    struct least_note *note = &least.notes[least.count % PAIRS];
    const size_t size = strlen(info->pLabelName) + 1;
    if (*(void **)buffer != least.key)
        return;
    note->parent = least.open;
    note->size = size;
    memcpy(note->name, info->pLabelName, size < sizeof note->name ? size : sizeof note->name);
    least.open = ++least.count;
    least.next(buffer, info);
}

static void VKAPI_CALL least_end(VkCommandBuffer buffer, const VkDebugUtilsLabelEXT *info)
{
    struct least_note *note = &least.notes[(least.open - 1) % PAIRS];
    if (*(void **)buffer != least.key)
        return;
    least.open = (uint32_t)note->parent;
    note->parent |= UINT64_C(1) << 63;
    least.next(buffer, info);
}

static void run_least(void *state)
{
    static PFN_vkCmdBeginDebugUtilsLabelEXT volatile begin = least_begin, end = least_end;
    least.key = command.key;
    least.next = *(PFN_vkCmdBeginDebugUtilsLabelEXT *)state;
    for (uint32_t i = PAIRS; i != 0; i--) {
        begin((VkCommandBuffer)&command, &label);
        end((VkCommandBuffer)&command, &label);
    }
}

static void prepare_core(void *state)
{
    bench_world_rewind(state);
}

static void run_core(void *state)
{
    const struct bench_world *world = state;
    for (uint32_t i = PAIRS; i != 0; i--) {
        annot_context_begin_event(world->list, 1, label.pLabelName, label_bytes);
        annot_context_end_event(world->list);
    }
}

void bench_suite_vulkan(void)
{
    if (!layer_open()) {
        bench_note(
            "no vulkan rows: libVkLayer_annot_crash.so is not beside this program's libraries");
        return;
    }
    PFN_vkCmdBeginDebugUtilsLabelEXT driver = ignore_label;
    struct bench_world world;
    bench_world_init(&world, ANNOT_MODE_DRIVER_RETAIL, &bench_driver_empty, NULL);
    struct bench_contestant by_core[] = {{prepare_core, run_core, &world, PAIRS},
                                         {prepare_inside, run_layer, NULL, PAIRS}};
    struct bench_contestant by_least[] = {{NULL, run_least, &driver, PAIRS},
                                          {prepare_inside, run_layer, NULL, PAIRS}};
    struct bench_contestant by_unmarked[] = {{prepare_inside, run_layer, NULL, PAIRS},
                                             {prepare_outermost, run_layer, NULL, PAIRS}};
    struct bench_figure figures[2];
    bench_measure(by_core, 2, ROUNDS, figures);
    bench_file_figure("vulkan.pair.unmarked", label_bytes, 1, 0, &figures[1], &figures[0]);
    bench_measure(by_least, 2, ROUNDS, figures);
    bench_file_figure("vulkan.pair.by-least", label_bytes, 1, 0, &figures[1], &figures[0]);
    bench_measure(by_unmarked, 2, ROUNDS, figures);
    bench_file_figure("vulkan.pair.marked", label_bytes, 1, 0, &figures[1], &figures[0]);
    bench_world_finish(&world);
}

#endif
