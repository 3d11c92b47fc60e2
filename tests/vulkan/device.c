/* A device's creation, and which functions answer to which names. */
#include "asserts.h"
#include "kit.h"

VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *interface);

/* ---- names of functions ---- */

Test(vulkan_device, a_loader_of_version_2_or_later_gets_version_2)
{
    VkNegotiateLayerInterface interface = {.sType = LAYER_NEGOTIATE_INTERFACE_STRUCT,
                                           .loaderLayerInterfaceVersion = 1};
    cr_expect_eq(vkNegotiateLoaderLayerInterfaceVersion(&interface),
                 VK_ERROR_INITIALIZATION_FAILED);
    interface.loaderLayerInterfaceVersion = 3;
    cr_expect_eq(vkNegotiateLoaderLayerInterfaceVersion(&interface), VK_SUCCESS);
    cr_expect_eq(interface.loaderLayerInterfaceVersion, 2);
    cr_expect_eq(interface.pfnGetInstanceProcAddr, vkl_GetInstanceProcAddr);
    cr_expect_eq(interface.pfnGetDeviceProcAddr, vkl_GetDeviceProcAddr);
    cr_expect_null(interface.pfnGetPhysicalDeviceProcAddr);
}

/* An application may ask the instance for a device's functions: they are the layer's too. */
Test(vulkan_device, an_instance_gives_a_device_s_functions)
{
    static const char *const names[] = {"vkQueueSubmit", "vkBeginCommandBuffer", "vkCmdDispatch",
                                        "vkCmdDebugMarkerBeginEXT", "vkNoSuchFunction"};
    APP(.level = "exact");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        cr_expect_eq(vkl_GetInstanceProcAddr(app.instance, names[i]),
                     vkl_GetDeviceProcAddr(app.device, names[i]), "%s", names[i]);
    cr_expect_neq(vkl_GetInstanceProcAddr(app.instance, "vkQueueSubmit"),
                  mock_GetInstanceProcAddr(app.instance, "vkQueueSubmit"));
}

/* Layers above ask so for vkCreateDevice, before or behind the creation of an instance. */
Test(vulkan_device, without_an_instance_global_functions_and_the_layer_s_own_are_given)
{
    static const char *const names[] = {"vkCreateInstance",
                                        "vkDestroyInstance",
                                        "vkCreateDevice",
                                        "vkEnumerateInstanceVersion",
                                        "vkEnumerateInstanceLayerProperties",
                                        "vkEnumerateInstanceExtensionProperties",
                                        "vkEnumerateDeviceLayerProperties",
                                        "vkEnumerateDeviceExtensionProperties",
                                        "vkGetInstanceProcAddr",
                                        "vkGetDeviceProcAddr"};
    uint32_t version = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        cr_expect_not_null(vkl_GetInstanceProcAddr(VK_NULL_HANDLE, names[i]), "%s", names[i]);
    cr_expect_null(vkl_GetInstanceProcAddr(VK_NULL_HANDLE, "vkQueueSubmit"));
    cr_expect_null(vkl_GetInstanceProcAddr(VK_NULL_HANDLE, NULL));
    ((PFN_vkEnumerateInstanceVersion)vkl_GetInstanceProcAddr(
        VK_NULL_HANDLE, "vkEnumerateInstanceVersion"))(&version);
    cr_expect_geq(version, VK_API_VERSION_1_1);
    APP();
    cr_expect_eq(vkl_GetInstanceProcAddr(app.instance, "vkGetDeviceProcAddr"),
                 (PFN_vkVoidFunction)vkl_GetDeviceProcAddr);
    cr_expect_eq(vkl_GetDeviceProcAddr(app.device, "vkGetDeviceProcAddr"),
                 (PFN_vkVoidFunction)vkl_GetDeviceProcAddr);
    cr_expect_null(vkl_GetDeviceProcAddr(app.device, NULL));
}

/* ---- extensions and features ---- */

static unsigned count_named(const VkExtensionProperties *properties, uint32_t count,
                            const char *name)
{
    unsigned found = 0;
    for (uint32_t i = 0; i < count; i++)
        found += strcmp(properties[i].extensionName, name) == 0;
    return found;
}

/* Programs look for VK_EXT_debug_marker among the device's extensions, and name no layer. */
Test(vulkan_device, own_extensions_are_listed_with_the_driver_s)
{
    for (int has_own = 0; has_own < 2; has_own++) {
        mock_reset();
        VkExtensionProperties all[16];
        uint32_t count = 0, part = 1;
        mock.has_debug_marker = has_own;
        APP();
        PFN_vkEnumerateDeviceExtensionProperties enumerate =
            (PFN_vkEnumerateDeviceExtensionProperties)vkl_GetInstanceProcAddr(
                app.instance, "vkEnumerateDeviceExtensionProperties");
        cr_expect_eq(enumerate(app.physical, NULL, &count, NULL), VK_SUCCESS);
        cr_expect_eq(count, 2, "the driver's swap chains, and markers");
        count = 16;
        cr_expect_eq(enumerate(app.physical, NULL, &count, all), VK_SUCCESS);
        cr_expect_eq(count_named(all, count, VK_EXT_DEBUG_MARKER_EXTENSION_NAME), 1);
        cr_expect_eq(count_named(all, count, VK_KHR_SWAPCHAIN_EXTENSION_NAME), 1);
        cr_expect_eq(enumerate(app.physical, NULL, &part, all), VK_INCOMPLETE);
        cr_expect_eq(part, 1);
    }
}

Test(vulkan_device, an_extension_that_the_application_has_is_not_added_again)
{
    mock.has_markers = true;
    APP(.extensions = {VK_AMD_BUFFER_MARKER_EXTENSION_NAME});
    cr_expect_eq(mock.extension_count, 1);
}

static bool driver_saw(VkStructureType type)
{
    for (uint32_t i = 0; i < mock.chain_count; i++)
        if (mock.chain[i] == type)
            return true;
    return false;
}

Test(vulkan_device, features_of_the_layer_stand_in_front_of_the_application_s)
{
    VkPhysicalDeviceRobustness2FeaturesEXT own = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT};
    mock.has_fault = true;
    APP(.device_next = &own);
    cr_expect(driver_saw(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_EXT));
    cr_expect(driver_saw(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES));
    cr_expect(driver_saw(own.sType));
}

/* A name without an end, and counts beyond the room that the layer gave. */
Test(vulkan_device, what_a_driver_says_beyond_the_room_is_not_read)
{
    mock.counts_wrong = true;
    APP();
    cr_expect_leq(app.layer->family_count, 32);
    cr_expect_not_null(memchr(app.layer->properties.deviceName, 0, 256));
}

/* "vkGetPhysicalDeviceFeatures2 ... Provided by VK_VERSION_1_1": not for an instance of 1.0, though
 * drivers and loaders give its address. */
Test(vulkan_device, an_instance_of_1_0_is_asked_no_question_of_1_1)
{
    mock.has_fault = true;
    APP(.api_version = VK_API_VERSION_1_0);
    cr_expect_eq(mock.feature_calls, 0);
    app_close(&app);
    app_open(&app, &(struct app_desc){.api_version = VK_API_VERSION_1_1});
    cr_expect_gt(mock.feature_calls, 0);
}

/* ---- what the layer does not know ---- */

/* As without memory for them: the driver gets the calls, the dump says nothing of them. */
Test(vulkan_device, unknown_queues_and_command_buffers_work)
{
    APP();
    PFN_vkAllocateCommandBuffers allocate = (PFN_vkAllocateCommandBuffers)mock_GetDeviceProcAddr(
        app.device, "vkAllocateCommandBuffers");
    PFN_vkGetDeviceQueue get_queue =
        (PFN_vkGetDeviceQueue)mock_GetDeviceProcAddr(app.device, "vkGetDeviceQueue");
    const VkCommandBufferAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                              .commandPool = app.pool,
                                              .commandBufferCount = 1};
    const VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                        .pLabelName = "a"};
    VkCommandBuffer buffer;
    cr_assert_eq(allocate(app.device, &info, &buffer), VK_SUCCESS);
    app_record(&app, buffer, 0, "{a .b [ w1 ] < w2 > }", VK_NULL_HANDLE);
    cr_expect_eq(mock.labels, 2, "begin and end");
    get_queue(app.device, 1, 0, &app.queues[1]);
    app.vk.QueueBeginDebugUtilsLabelEXT(app.queues[1], &label);
    app.vk.QueueInsertDebugUtilsLabelEXT(app.queues[1], &label);
    app.vk.QueueEndDebugUtilsLabelEXT(app.queues[1]);
    for (int i = 0; i < 2; i++) {
        app.queues[0] = app.queues[i];
        cr_expect_eq(app_submit(&app, buffer, VK_NULL_HANDLE), VK_SUCCESS);
    }
    cr_expect_eq(mock.done_count, 4);

    /* One that another takes the place of is known from then on. */
    mock.next_command = buffer;
    app.vk.GetDeviceQueue(app.device, 0, 0, &app.queues[0]);
    VkCommandBuffer again = app_command(&app, "{a w3 }");
    cr_expect_eq(again, buffer);
    mock.hang = 3;
    app_submit(&app, again, VK_NULL_HANDLE);
    cr_assert(app_watch(&app));
    const char *states = app_states(&app);
    cr_expect_not_null(strstr(states, "> a>"), "%s", states);
}
