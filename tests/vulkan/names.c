/* Labels and names as they arrive in a dump [ANN-VK-01]. */
#include "asserts.h"
#include "kit.h"

#include <annot/pix.h>

#include <stdio.h>

static annot_reader *dump_of(struct app *app)
{
    annot_reader *reader;
    app_lose(app);
    cr_assert_eq(annot_reader_open_file(NULL, app->dump, &reader), ANNOT_OK);
    return reader;
}

static bool is_text(annot_text text, const char *expected)
{
    return text.size == strlen(expected) &&
           (text.size == 0 || memcmp(text.data, expected, text.size) == 0);
}

static bool has_object(const annot_reader *reader, const char *name, const char *kind,
                       annot_object_type type, bool is_destroyed)
{
    for (size_t i = 0; i < annot_reader_object_count(reader); i++) {
        annot_reader_object object;
        annot_reader_object_at(reader, i, &object);
        if (is_text(object.name, name))
            return is_text(object.kind_name, kind) && object.type == (uint32_t)type &&
                   object.is_destroyed == is_destroyed;
    }
    return false;
}

static void name_it(struct app *app, VkObjectType type, uint64_t handle, const char *name)
{
    cr_expect_eq(app_name(app, type, handle, name), VK_SUCCESS);
}

Test(vulkan_names, are_those_of_objects_of_every_kind)
{
    static const struct {
        VkObjectType type;
        const char *kind;
        annot_object_type means;
    } kinds[] = {
        {VK_OBJECT_TYPE_DEVICE, "VkDevice", ANNOT_OBJECT_DEVICE},
        {VK_OBJECT_TYPE_BUFFER, "VkBuffer", ANNOT_OBJECT_BUFFER},
        {VK_OBJECT_TYPE_IMAGE, "VkImage", ANNOT_OBJECT_IMAGE},
        {VK_OBJECT_TYPE_IMAGE_VIEW, "VkImageView", ANNOT_OBJECT_VIEW},
        {VK_OBJECT_TYPE_SHADER_MODULE, "VkShaderModule", ANNOT_OBJECT_SHADER},
        {VK_OBJECT_TYPE_PIPELINE, "VkPipeline", ANNOT_OBJECT_PIPELINE},
        {VK_OBJECT_TYPE_PIPELINE_LAYOUT, "VkPipelineLayout", ANNOT_OBJECT_PIPELINE_LAYOUT},
        {VK_OBJECT_TYPE_RENDER_PASS, "VkRenderPass", ANNOT_OBJECT_RENDER_PASS},
        {VK_OBJECT_TYPE_DESCRIPTOR_SET, "VkDescriptorSet", ANNOT_OBJECT_DESCRIPTOR_SET},
        {VK_OBJECT_TYPE_SEMAPHORE, "VkSemaphore", ANNOT_OBJECT_SEMAPHORE},
        {VK_OBJECT_TYPE_FENCE, "VkFence", ANNOT_OBJECT_FENCE},
        {VK_OBJECT_TYPE_DEVICE_MEMORY, "VkDeviceMemory", ANNOT_OBJECT_MEMORY},
        {VK_OBJECT_TYPE_SWAPCHAIN_KHR, "VkSwapchainKHR", ANNOT_OBJECT_SWAPCHAIN},
        {VK_OBJECT_TYPE_COMMAND_POOL, "VkCommandPool", ANNOT_OBJECT_COMMAND_ALLOCATOR},
        {VK_OBJECT_TYPE_VALIDATION_CACHE_EXT, "", ANNOT_OBJECT_OTHER},
    };
    APP();
    char names[16][32];
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        snprintf(names[i], sizeof names[i], "thing %zu", i);
        name_it(&app, kinds[i].type, 1000, names[i]); /* one handle, of different kinds */
    }
    AT_END(at_end_close) annot_reader *reader = dump_of(&app);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        cr_expect(has_object(reader, names[i], kinds[i].kind, kinds[i].means, false), "%s",
                  names[i]);
}

Test(vulkan_names, of_queues_and_command_buffers_are_on_their_labels)
{
    APP();
    VkCommandBuffer buffer = app_command(&app, "{a w1 }");
    name_it(&app, VK_OBJECT_TYPE_COMMAND_BUFFER, (uint64_t)buffer, "shadow list");
    name_it(&app, VK_OBJECT_TYPE_QUEUE, (uint64_t)(uintptr_t)app.queues[0], "main queue");
    mock.hang = 1;
    app_submit(&app, buffer, VK_NULL_HANDLE);
    annot_reader *reader = dump_of(&app);
    cr_expect(
        has_object(reader, "shadow list", "VkCommandBuffer", ANNOT_OBJECT_COMMAND_LIST, false));
    cr_expect(has_object(reader, "main queue", "VkQueue", ANNOT_OBJECT_QUEUE, false));
    annot_reader_close(reader);
    cr_expect_not_null(strstr(app_report(&app), "main queue"));
    cr_expect_not_null(strstr(app_report(&app), "shadow list"));
}

Test(vulkan_names, a_new_name_replaces_the_old_one_and_an_empty_one_removes_it)
{
    APP();
    name_it(&app, VK_OBJECT_TYPE_IMAGE, 1, "first");
    name_it(&app, VK_OBJECT_TYPE_IMAGE, 1, "second");
    name_it(&app, VK_OBJECT_TYPE_IMAGE, 2, "third");
    name_it(&app, VK_OBJECT_TYPE_IMAGE, 2, "");
    name_it(&app, VK_OBJECT_TYPE_IMAGE, 3, "fourth");
    name_it(&app, VK_OBJECT_TYPE_IMAGE, 3, NULL);
    name_it(&app, VK_OBJECT_TYPE_IMAGE, 4, NULL);
    AT_END(at_end_close) annot_reader *reader = dump_of(&app);
    cr_expect(has_object(reader, "second", "VkImage", ANNOT_OBJECT_IMAGE, false));
    cr_expect_not(has_object(reader, "first", "VkImage", ANNOT_OBJECT_IMAGE, false));
    cr_expect_not(has_object(reader, "third", "VkImage", ANNOT_OBJECT_IMAGE, false));
    cr_expect_not(has_object(reader, "fourth", "VkImage", ANNOT_OBJECT_IMAGE, false));
}

/* A handle comes again with another object, which has no name. */
Test(vulkan_names, end_with_their_objects)
{
    APP();
    name_it(&app, VK_OBJECT_TYPE_PIPELINE, 77, "gone");
    app.vk.DestroyPipeline(app.device, (VkPipeline)77, NULL);
    name_it(&app, VK_OBJECT_TYPE_PIPELINE, 77, "new");
    name_it(&app, VK_OBJECT_TYPE_ACCELERATION_STRUCTURE_NV, 78, "old structure");
    app.vk.DestroyAccelerationStructureNV(app.device, (VkAccelerationStructureNV)78, NULL);
    VkFence fence;
    VkSemaphore semaphore;
    const VkFenceCreateInfo make_fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    const VkSemaphoreCreateInfo make_semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    app.create_fence(app.device, &make_fence, NULL, &fence);
    app.vk.CreateSemaphore(app.device, &make_semaphore, NULL, &semaphore);
    name_it(&app, VK_OBJECT_TYPE_FENCE, (uint64_t)fence, "old fence");
    name_it(&app, VK_OBJECT_TYPE_SEMAPHORE, (uint64_t)semaphore, "old semaphore");
    app.vk.DestroyFence(app.device, fence, NULL);
    app.vk.DestroySemaphore(app.device, semaphore, NULL);
    /* a swapchain's images are gone with it; a new image may have the handle of one */
    const VkImageCreateInfo make_image = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
    VkImage image;
    mock.next_object = (uint64_t)(uintptr_t)malloc(1);
    name_it(&app, VK_OBJECT_TYPE_IMAGE, mock.next_object, "backbuffer");
    app.vk.CreateImage(app.device, &make_image, NULL, &image);
    AT_END(at_end_close) annot_reader *reader = dump_of(&app);
    app.vk.DestroyImage(app.device, image, NULL);
    cr_expect(has_object(reader, "backbuffer", "VkImage", ANNOT_OBJECT_IMAGE, true));
    cr_expect(has_object(reader, "gone", "VkPipeline", ANNOT_OBJECT_PIPELINE, true));
    cr_expect(has_object(reader, "new", "VkPipeline", ANNOT_OBJECT_PIPELINE, false));
    cr_expect(has_object(reader, "old structure", "", ANNOT_OBJECT_OTHER, true));
    cr_expect(has_object(reader, "old fence", "VkFence", ANNOT_OBJECT_FENCE, true));
    cr_expect(has_object(reader, "old semaphore", "VkSemaphore", ANNOT_OBJECT_SEMAPHORE, true));
}

Test(vulkan_names, debug_marker_is_debug_utils_predecessor)
{
    APP();
    VkCommandBuffer buffer = app_begin(&app);
    const VkDebugMarkerMarkerInfoEXT outer = {.sType =
                                                  VK_STRUCTURE_TYPE_DEBUG_MARKER_MARKER_INFO_EXT,
                                              .pMarkerName = "outer"},
                                     point = {.sType =
                                                  VK_STRUCTURE_TYPE_DEBUG_MARKER_MARKER_INFO_EXT,
                                              .pMarkerName = "point"};
    app.vk.CmdDebugMarkerBeginEXT(buffer, &outer);
    app.vk.CmdDebugMarkerInsertEXT(buffer, &point);
    app.dispatch(buffer, 1, 0, 0);
    app.vk.CmdDebugMarkerEndEXT(buffer);
    app.vk.EndCommandBuffer(buffer);
    const VkDebugMarkerObjectNameInfoEXT names[] = {
        {.sType = VK_STRUCTURE_TYPE_DEBUG_MARKER_OBJECT_NAME_INFO_EXT,
         .objectType = VK_DEBUG_REPORT_OBJECT_TYPE_COMMAND_BUFFER_EXT,
         .object = (uint64_t)buffer,
         .pObjectName = "by its predecessor"},
        {.sType = VK_STRUCTURE_TYPE_DEBUG_MARKER_OBJECT_NAME_INFO_EXT,
         .objectType = VK_DEBUG_REPORT_OBJECT_TYPE_SWAPCHAIN_KHR_EXT,
         .object = 5,
         .pObjectName = "swapchain"},
        {.sType = VK_STRUCTURE_TYPE_DEBUG_MARKER_OBJECT_NAME_INFO_EXT,
         .objectType = VK_DEBUG_REPORT_OBJECT_TYPE_SURFACE_KHR_EXT,
         .object = 6,
         .pObjectName = "surface"}};
    for (int i = 0; i < 3; i++)
        cr_expect_eq(app.vk.DebugMarkerSetObjectNameEXT(app.device, &names[i]), VK_SUCCESS);
    mock.hang = 1;
    app_submit(&app, buffer, VK_NULL_HANDLE);
    AT_END(at_end_close) annot_reader *reader = dump_of(&app);
    cr_expect_str_eq(app_states(&app), "> outer> point+");
    cr_expect(has_object(reader, "by its predecessor", "VkCommandBuffer", ANNOT_OBJECT_COMMAND_LIST,
                         false));
    cr_expect(has_object(reader, "swapchain", "VkSwapchainKHR", ANNOT_OBJECT_SWAPCHAIN, false));
    cr_expect(has_object(reader, "surface", "VkSurfaceKHR", ANNOT_OBJECT_SURFACE, false));
}

Test(vulkan_names, calls_are_counted)
{
    APP();
    app_command(&app, "{a {b } .c .d .e } }");
    name_it(&app, VK_OBJECT_TYPE_IMAGE, 1, "first");
    name_it(&app, VK_OBJECT_TYPE_IMAGE, 1, "second");
    const VkDebugUtilsLabelEXT info = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                       .pLabelName = "on the queue"};
    app.vk.QueueBeginDebugUtilsLabelEXT(app.queues[0], &info);
    app.vk.QueueInsertDebugUtilsLabelEXT(app.queues[0], &info);
    app.vk.QueueEndDebugUtilsLabelEXT(app.queues[0]);
    annot_reader_close(dump_of(&app));
    cr_expect_not_null(strstr(app_report(&app), "3 begun, 4 ended, 4 points, 2 names"), "%s",
                       app_report(&app));
}

/* ---- labels ---- */

static void label(struct app *app, VkCommandBuffer buffer, const char *name, float r, float g,
                  float b, float a)
{
    const VkDebugUtilsLabelEXT info = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                       .pLabelName = name,
                                       .color = {r, g, b, a}};
    app->vk.CmdInsertDebugUtilsLabelEXT(buffer, &info);
}

/* The n-th label of the only recording: its name, and its colour as PIX has it. */
static void expect_label(const annot_reader *reader, uint32_t n, const char *name, uint32_t argb)
{
    annot_reader_execution execution;
    annot_reader_stream stream;
    annot_reader_entry entry;
    annot_pix_event event;
    char is[1024];
    cr_assert(annot_reader_execution_at(reader, 0, &execution));
    cr_assert(annot_reader_stream_at(reader, execution.stream, &stream));
    cr_assert(annot_reader_entry_at(reader, stream.first_entry + n, &entry));
    annot_reader_entry_name(reader, stream.first_entry + n, is, sizeof is);
    cr_expect_str_eq(is, name);
    annot_pix_decode(entry.metadata, entry.data, entry.stored, NULL, 0, &event);
    cr_expect_eq(event.color, argb, "%s: %08x", name, event.color);
}

Test(vulkan_names, labels_keep_their_text_and_colour)
{
    static char endless[700], longest[401];
    memset(endless, 'x', sizeof endless - 1);
    memset(longest, 'y', sizeof longest - 1);
    APP();
    VkCommandBuffer buffer = app_begin(&app);
    label(&app, buffer, "plain", 0, 0, 0, 0);
    label(&app, buffer, "red", 1, 0, 0, 1);
    label(&app, buffer, "half green", 0, 0.5f, 0, 1);
    label(&app, buffer, "past both ends", 7, -3, 0.25f, 1);
    label(&app, buffer, "100 % of %s and %n", 0, 0, 1, 1);
    label(&app, buffer, "%d", 0, 0, 0, 0);
    label(&app, buffer, "\xc3\xbc\xe2\x82\xac", 0, 0, 1, 1);
    label(&app, buffer, endless, 0, 0, 1, 1);
    label(&app, buffer, NULL, 0, 0, 0, 0);
    label(&app, buffer, longest, 0, 0, 1, 1);
    app.vk.EndCommandBuffer(buffer);
    app_submit(&app, buffer, VK_NULL_HANDLE);
    AT_END(at_end_close) annot_reader *reader = dump_of(&app);
    expect_label(reader, 0, "plain", 0);
    expect_label(reader, 1, "red", 0xffff0000);
    expect_label(reader, 2, "half green", 0xff008000);
    expect_label(reader, 3, "past both ends", 0xffff0040);
    expect_label(reader, 4, "100 % of %s and %n", 0xff0000ff);
    expect_label(reader, 5, "%d", 0);
    expect_label(reader, 6, "\xc3\xbc\xe2\x82\xac", 0xff0000ff);
    expect_label(reader, 7, endless, 0);
    expect_label(reader, 8, "(no name)", 0);
    expect_label(reader, 9, longest, 0xff0000ff);
}

Test(vulkan_names, labels_of_queues_surround_submissions)
{
    APP();
    const VkDebugUtilsLabelEXT frame = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                        .pLabelName = "frame 7"},
                               tick = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                       .pLabelName = "tick"};
    app.vk.QueueBeginDebugUtilsLabelEXT(app.queues[0], &frame);
    app.vk.QueueInsertDebugUtilsLabelEXT(app.queues[0], &tick);
    mock.hang = 1;
    app_submit(&app, app_command(&app, "{a w1 }"), VK_NULL_HANDLE);
    app.vk.QueueEndDebugUtilsLabelEXT(app.queues[0]);
    AT_END(at_end_close) annot_reader *reader = dump_of(&app);
    char path[256];
    cr_assert_eq(annot_reader_stop_count(reader), 1);
    annot_reader_stop_path(reader, 0, path, sizeof path);
    cr_expect_str_eq(path, "frame 7 / a");
    cr_expect_not_null(strstr(app_report(&app), "tick"));
}
