/* A program that can be given more rights than its user (set-user-ID), and does with one component
 * what programs do. It takes paths from its arguments and nothing from its environment.
 *     privileged-host library DUMP            a marker, and a dump of it
 *     privileged-host d3d12 LIBRARY           a device of the emulator's, or of the recorder's
 *     privileged-host pix LIBRARY             markers on nothing, a capture that is refused
 *     privileged-host vulkan LIBRARY          an instance under the layer, on a driver of its own
 *     privileged-host start LIBRARY           the library is loaded, and gone again
 */
#include <annot/annot.h>
#include <annot/dump.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_VULKAN
#include <vulkan/vk_layer.h>
#endif

static void *library;

static void *function(const char *name)
{
    void *found = dlsym(library, name);
    if (!found) {
        fprintf(stderr, "privileged-host: no %s\n", name);
        exit(3);
    }
    return found;
}

#define FUNCTION(variable, name)                                                                   \
    do {                                                                                           \
        void *found_ = function(name);                                                             \
        memcpy(&(variable), &found_, sizeof(variable));                                            \
    } while (0)

static int use_library(const char *path)
{
    const annot_device_desc desc = {
        .memory_budget = ANNOT_BUDGET_DEFAULT, .freed_name_count = 16, .force_driver_retail = true};
    const annot_object_desc queue_desc = {.type = ANNOT_OBJECT_QUEUE};
    annot_device *device;
    annot_object *object;
    annot_context *queue;
    annot_dump_writer *writer;
    if (annot_device_create(&desc, &device) || annot_object_create(device, &queue_desc, &object) ||
        annot_context_create(object, &queue))
        return 3;
    annot_context_set_marker(queue, 1, "here", 5);
    const bool ok = annot_dump_writer_create(device, &writer) == ANNOT_OK &&
                    annot_dump_write_file(writer, NULL, path) == ANNOT_OK;
    printf("dump %s\n", ok ? annot_dump_writer_path(writer) : "none");
    return !ok;
}

static int use_d3d12(void)
{
    static const unsigned char device_iid[16] = {0xf1, 0x19, 0x98, 0x18, 0xb6, 0x1d, 0x57, 0x4b,
                                                 0xbe, 0x54, 0x18, 0x21, 0x33, 0x9b, 0x85, 0xf7};
    int (*create)(void *adapter, int level, const void *iid, void **device);
    void *device = NULL;
    FUNCTION(create, "D3D12CreateDevice");
    printf("device %s\n", create(NULL, 0xb000, device_iid, &device) >= 0 ? "made" : "refused");
    return 0;
}

static int use_pix(void)
{
    void (*begin)(void *queue, uint64_t color, const char *text);
    int (*capture)(unsigned flags, const void *parameters);
    FUNCTION(begin, "PIXBeginEventOnCommandQueue");
    FUNCTION(capture, "PIXBeginCapture2");
    begin(NULL, 0, "name");
    printf("capture %s\n", capture(1, NULL) < 0 ? "refused" : "begun");
    return 0;
}

#ifdef HAVE_VULKAN
static void *instance_key = &instance_key;

static VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo *info,
                                           const VkAllocationCallbacks *allocator, VkInstance *out)
{
    (void)info, (void)allocator;
    *out = (VkInstance)(void *)&instance_key;
    return VK_SUCCESS;
}

static PFN_vkVoidFunction VKAPI_CALL below(VkInstance instance, const char *name)
{
    (void)instance;
    return strcmp(name, "vkCreateInstance") == 0 ? (PFN_vkVoidFunction)create_instance : NULL;
}

static int use_vulkan(void)
{
    VkResult(VKAPI_CALL * negotiate)(VkNegotiateLayerInterface *);
    VkNegotiateLayerInterface interface = {.sType = LAYER_NEGOTIATE_INTERFACE_STRUCT,
                                           .loaderLayerInterfaceVersion = 2};
    VkLayerInstanceLink link = {.pfnNextGetInstanceProcAddr = below};
    const VkLayerInstanceCreateInfo chain = {.sType = VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO,
                                             .function = VK_LAYER_LINK_INFO,
                                             .u.pLayerInfo = &link};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pNext = &chain};
    VkInstance instance;
    FUNCTION(negotiate, "vkNegotiateLoaderLayerInterfaceVersion");
    if (negotiate(&interface) != VK_SUCCESS)
        return 3;
    PFN_vkCreateInstance create =
        (PFN_vkCreateInstance)interface.pfnGetInstanceProcAddr(VK_NULL_HANDLE, "vkCreateInstance");
    printf("instance %s\n", create(&info, NULL, &instance) == VK_SUCCESS ? "made" : "refused");
    return 0;
}
#endif

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    if (strcmp(argv[1], "library") == 0)
        return use_library(argv[2]);
    library = dlopen(argv[2], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "privileged-host: %s\n", dlerror());
        return 3;
    }
    if (strcmp(argv[1], "d3d12") == 0)
        return use_d3d12();
    if (strcmp(argv[1], "pix") == 0)
        return use_pix();
#ifdef HAVE_VULKAN
    if (strcmp(argv[1], "vulkan") == 0)
        return use_vulkan();
#endif
    return strcmp(argv[1], "start") != 0;
}
