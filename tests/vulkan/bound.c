/* A dump says what a draw that hung works on, by name, with size, format and layout, and the
 * barriers since the work before it [ANN-OP-01]. */
#include "asserts.h"
#include "kit.h"

#include <stdio.h>

struct scene {
    struct app app;
    VkImage images[3]; /* "Color", "Say "normals"", "Depth" */
    VkImageView views[3];
    VkBuffer vertices;
    VkRenderPass pass;
    VkFramebuffer framebuffer;
    VkCommandBuffer commands;
};

static void make_images(struct scene *s)
{
    static const char *const names[] = {"Color", "Say \"normals\"", "Depth"};
    for (int i = 0; i < 3; i++) {
        const VkImageCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
            .imageType = VK_IMAGE_TYPE_2D,
            .format = i == 2 ? VK_FORMAT_D32_SFLOAT : VK_FORMAT_R8G8B8A8_SRGB,
            .extent = {640, 360, 1},
            .mipLevels = 1,
            .arrayLayers = i == 1 ? 2 : 1,
            .samples = i == 2 ? VK_SAMPLE_COUNT_4_BIT : VK_SAMPLE_COUNT_1_BIT};
        cr_assert_eq(s->app.vk.CreateImage(s->app.device, &info, NULL, &s->images[i]), VK_SUCCESS);
        app_name(&s->app, VK_OBJECT_TYPE_IMAGE, (uint64_t)s->images[i], names[i]);
        const VkImageViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                            .image = s->images[i]};
        s->app.vk.CreateImageView(s->app.device, &view, NULL, &s->views[i]);
    }
}

/* Three `attachments`. Subpass 0 draws into attachment 1, subpass
 * 1 into attachment 0 with depth in 2. */
static void make_pass(struct scene *s, const VkAttachmentDescription *attachments)
{
    const VkAttachmentReference first[2] = {
        {VK_ATTACHMENT_UNUSED, VK_IMAGE_LAYOUT_UNDEFINED},
        {1, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL},
    };
    const VkAttachmentReference second = {0, VK_IMAGE_LAYOUT_GENERAL},
                                depth = {2, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
    const VkSubpassDescription subpasses[2] = {{.colorAttachmentCount = 2,
                                                .pColorAttachments = first},
                                               {.colorAttachmentCount = 1,
                                                .pColorAttachments = &second,
                                                .pDepthStencilAttachment = &depth}};
    const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                         .attachmentCount = 3,
                                         .pAttachments = attachments,
                                         .subpassCount = 2,
                                         .pSubpasses = subpasses};
    s->app.vk.CreateRenderPass(s->app.device, &info, NULL, &s->pass);
    const VkFramebufferCreateInfo framebuffer = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                                 .renderPass = s->pass,
                                                 .attachmentCount = 3,
                                                 .pAttachments = s->views};
    s->app.vk.CreateFramebuffer(s->app.device, &framebuffer, NULL, &s->framebuffer);
}

static void open_scene(struct scene *s, const char *level)
{
    static const VkAttachmentDescription in_use[3] = {
        {.initialLayout = VK_IMAGE_LAYOUT_GENERAL, .finalLayout = VK_IMAGE_LAYOUT_GENERAL},
        {.initialLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
         .finalLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL},
        {.initialLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL,
         .finalLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL}};
    const VkBufferCreateInfo buffer = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = 4096};
    app_open(&s->app, &(struct app_desc){.level = level});
    make_images(s);
    make_pass(s, in_use);
    s->app.vk.CreateBuffer(s->app.device, &buffer, NULL, &s->vertices);
    app_name(&s->app, VK_OBJECT_TYPE_BUFFER, (uint64_t)s->vertices, "Vertices");
    s->commands = app_begin(&s->app);
}

static void close_scene(struct scene *s)
{
    for (int i = 0; i < 3; i++) {
        s->app.vk.DestroyImageView(s->app.device, s->views[i], NULL);
        s->app.vk.DestroyImage(s->app.device, s->images[i], NULL);
    }
    s->app.vk.DestroyFramebuffer(s->app.device, s->framebuffer, NULL);
    s->app.vk.DestroyRenderPass(s->app.device, s->pass, NULL);
    s->app.vk.DestroyBuffer(s->app.device, s->vertices, NULL);
    app_close(&s->app);
    mock_reset();
}

static const char *report_of(struct scene *s, uint32_t hang)
{
    s->app.vk.EndCommandBuffer(s->commands);
    mock.hang = hang;
    app_submit(&s->app, s->commands, VK_NULL_HANDLE);
    cr_assert(app_watch(&s->app));
    return app_report(&s->app);
}

static void begin_pass(struct scene *s)
{
    const VkRenderPassBeginInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                        .renderPass = s->pass,
                                        .framebuffer = s->framebuffer};
    s->app.vk.CmdBeginRenderPass(s->commands, &info, VK_SUBPASS_CONTENTS_INLINE);
}

#define EXPECT_HAS(report, text)     cr_expect_not_null(strstr(report, text), "%s: %s", text, report)
#define EXPECT_HAS_NOT(report, text) cr_expect_null(strstr(report, text), "%s: %s", text, report)

Test(vulkan_bound, a_subpass_has_its_own_attachments)
{
    for (uint32_t hang = 3; hang <= 4; hang++) {
        AT_END(close_scene) struct scene s;
        mock.has_markers = true; /* also inside of passes */
        open_scene(&s, "exact");
        begin_pass(&s);
        if (hang == 4)
            s.app.vk.CmdNextSubpass(s.commands, VK_SUBPASS_CONTENTS_INLINE);
        s.app.vk.CmdDrawIndexed(s.commands, hang, 1, 0, 0, 0);
        s.app.vk.CmdEndRenderPass(s.commands);
        const char *report = report_of(&s, hang);
        if (hang == 3) {
            EXPECT_HAS(report, "normals");
            EXPECT_HAS(report, "(640 x 360, 2 slices, R8G8B8A8_SRGB), COLOR_ATTACHMENT_OPTIMAL\n");
            EXPECT_HAS_NOT(report, "\"Color\"");
            EXPECT_HAS_NOT(report, "\"Depth\"");
        } else {
            EXPECT_HAS(report, "target         \"Color\" (640 x 360, R8G8B8A8_SRGB), GENERAL\n");
            EXPECT_HAS(report, "depth          \"Depth\" (640 x 360, D32_SFLOAT, 4 samples), "
                               "DEPTH_STENCIL_ATTACHMENT_OPTIMAL\n");
            EXPECT_HAS_NOT(report, "normals");
        }
    }
}

Test(vulkan_bound, dynamic_rendering_names_its_views_and_layouts)
{
    AT_END(close_scene) struct scene s;
    mock.has_markers = true;
    open_scene(&s, "exact");
    const VkRenderingAttachmentInfo color = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                             .imageView = s.views[0],
                                             .imageLayout = VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL};
    const VkRenderingAttachmentInfo colors[2] = {{.imageView = VK_NULL_HANDLE}, color};
    const VkRenderingAttachmentInfo none = {.imageView = VK_NULL_HANDLE},
                                    stencil = {.imageView = s.views[2],
                                               .imageLayout = VK_IMAGE_LAYOUT_GENERAL};
    const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                  .colorAttachmentCount = 2,
                                  .pColorAttachments = colors,
                                  .pDepthAttachment = &none,
                                  .pStencilAttachment = &stencil};
    const VkDeviceSize offset = 0;
    s.app.vk.CmdBindVertexBuffers(s.commands, 1, 1, &s.vertices, &offset);
    s.app.vk.CmdBindVertexBuffers(s.commands, UINT32_MAX, 1, &s.vertices, &offset);
    s.app.vk.CmdBeginRendering(s.commands, &info);
    s.app.vk.CmdDrawIndexed(s.commands, 3, 1, 0, 0, 0);
    s.app.vk.CmdEndRendering(s.commands);
    const char *report = report_of(&s, 3);
    EXPECT_HAS(report, "target         \"Color\" (640 x 360, R8G8B8A8_SRGB), ATTACHMENT_OPTIMAL\n");
    EXPECT_HAS(report, "depth          \"Depth\" (640 x 360, D32_SFLOAT, 4 samples), GENERAL\n");
    EXPECT_HAS(report, "vertices       \"Vertices\" (buffer, 4096 bytes)\n");
}

static void transition(struct scene *s, int image, VkImageLayout from, VkImageLayout to)
{
    const VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                          .oldLayout = from,
                                          .newLayout = to,
                                          .image = s->images[image]};
    s->app.vk.CmdPipelineBarrier(s->commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                                 VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 0, NULL, 0, NULL, 1,
                                 &barrier);
}

/* Those in front of the work before it are none of them. */
Test(vulkan_bound, has_the_barriers_since_the_work_before)
{
    AT_END(close_scene) struct scene s;
    open_scene(&s, "exact");
    transition(&s, 2, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
    s.app.vk.CmdDispatch(s.commands, 1, 1, 1);
    transition(&s, 0, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    const VkBufferMemoryBarrier2 buffers[6] = {
        {.srcAccessMask = VK_ACCESS_2_SHADER_WRITE_BIT,
         .dstAccessMask = VK_ACCESS_2_INDEX_READ_BIT | VK_ACCESS_2_TRANSFER_READ_BIT,
         .buffer = s.vertices}};
    const VkImageMemoryBarrier2 same = {.srcAccessMask = 0,
                                        .dstAccessMask = VK_ACCESS_2_SHADER_READ_BIT,
                                        .oldLayout = VK_IMAGE_LAYOUT_GENERAL,
                                        .newLayout = VK_IMAGE_LAYOUT_GENERAL,
                                        .image = s.images[1]};
    const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .bufferMemoryBarrierCount = 6,
                                   .pBufferMemoryBarriers = buffers,
                                   .imageMemoryBarrierCount = 1,
                                   .pImageMemoryBarriers = &same};
    s.app.vk.CmdPipelineBarrier2(s.commands, &info);
    s.app.vk.CmdDispatch(s.commands, 2, 1, 1);
    const char *report = report_of(&s, 2);
    EXPECT_HAS(report, "operation      Dispatch(2, 1, 1)\n");
    EXPECT_HAS(report, "barrier        \"Color\": UNDEFINED -> TRANSFER_DST_OPTIMAL\n");
    EXPECT_HAS(report, "barrier        \"Vertices\": SHADER_WRITE -> INDEX_READ | TRANSFER_READ\n");
    EXPECT_HAS(report, ": NONE -> SHADER_READ\n");
    EXPECT_HAS_NOT(report, "barrier        \"Depth\"");
}

/* What a barrier is of: everything, some bytes, one layer; and a wait's barriers are behind it. */
Test(vulkan_bound, barriers_are_of_ranges_of_everything_and_of_waits)
{
    AT_END(close_scene) struct scene s;
    open_scene(&s, "exact");
    const VkMemoryBarrier2 all = {.srcAccessMask = VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
                                  .dstAccessMask = VK_ACCESS_2_SHADER_SAMPLED_READ_BIT |
                                                   VK_ACCESS_2_DESCRIPTOR_BUFFER_READ_BIT_EXT |
                                                   VK_ACCESS_2_HOST_READ_BIT};
    const VkBufferMemoryBarrier2 buffers[] = {{.dstAccessMask = VK_ACCESS_2_INDEX_READ_BIT,
                                               .buffer = s.vertices,
                                               .offset = 256,
                                               .size = 512},
                                              {.dstAccessMask = VK_ACCESS_2_UNIFORM_READ_BIT,
                                               .buffer = s.vertices,
                                               .offset = 1024,
                                               .size = VK_WHOLE_SIZE},
                                              {.dstAccessMask = VK_ACCESS_2_TRANSFER_READ_BIT,
                                               .buffer = s.vertices,
                                               .offset = 3,
                                               .size = 2}};
    const VkImageMemoryBarrier2 layer = {.oldLayout = VK_IMAGE_LAYOUT_UNDEFINED,
                                         .newLayout = VK_IMAGE_LAYOUT_GENERAL,
                                         .image = s.images[1],
                                         .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0,
                                                              VK_REMAINING_MIP_LEVELS, 1, 1}};
    const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .memoryBarrierCount = 1,
                                   .pMemoryBarriers = &all,
                                   .bufferMemoryBarrierCount = 3,
                                   .pBufferMemoryBarriers = buffers,
                                   .imageMemoryBarrierCount = 1,
                                   .pImageMemoryBarriers = &layer};
    s.app.vk.CmdWaitEvents2(s.commands, 1, NULL, &info);
    s.app.vk.CmdDispatch(s.commands, 2, 1, 1);
    const char *report = report_of(&s, 2);
    EXPECT_HAS(report, "barrier        everything: SHADER_STORAGE_WRITE -> "
                       "HOST_READ | SHADER_SAMPLED_READ | others\n");
    EXPECT_HAS(report, "barrier        \"Vertices\" bytes 256 to 767: NONE -> INDEX_READ\n");
    EXPECT_HAS(report, "barrier        \"Vertices\" bytes 1024 to 4095: NONE -> UNIFORM_READ\n");
    EXPECT_HAS(report, "\"Vertices\" some subresources: NONE -> TRANSFER_READ\n");
    EXPECT_HAS(report, " layer 1: UNDEFINED -> GENERAL\n");
}

/* All of a call's, or how many were left out. */
Test(vulkan_bound, barriers_that_are_not_shown_are_counted)
{
    for (uint32_t count = 20; count <= 100; count += 80) {
        AT_END(close_scene) struct scene s;
        VkImageMemoryBarrier images[100];
        open_scene(&s, "exact");
        for (uint32_t i = 0; i < count; i++)
            images[i] = (VkImageMemoryBarrier){.oldLayout = VK_IMAGE_LAYOUT_UNDEFINED,
                                               .newLayout = VK_IMAGE_LAYOUT_GENERAL,
                                               .image = s.images[1]};
        s.app.vk.CmdPipelineBarrier(s.commands, 0, 0, 0, 0, NULL, 0, NULL, count, images);
        s.app.vk.CmdDispatch(s.commands, 2, 1, 1);
        const char *report = report_of(&s, 2), *at = report;
        unsigned long left_out = 0;
        uint32_t shown = 0;
        while ((at = strstr(at, ": UNDEFINED -> GENERAL\n")) && at++)
            shown++;
        if ((at = strstr(report, "barriers ")))
            left_out = strtoul(at + strcspn(at, "0123456789"), NULL, 10);
        cr_expect_eq(shown + left_out, count, "%u shown: %s", shown, report);
    }
}

/* A pass brings its attachments into the layouts of its subpasses, and leaves them in others. */
Test(vulkan_bound, a_pass_makes_transitions)
{
    const VkImageLayout color = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    const VkAttachmentDescription attachments[3] = {
        {.initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
         .finalLayout = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR},
        {.initialLayout = color, .finalLayout = color},
        {.initialLayout = VK_IMAGE_LAYOUT_GENERAL,
         .finalLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL}};
    for (uint32_t hang = 3; hang <= 5; hang++) {
        AT_END(close_scene) struct scene s;
        mock.has_markers = true;
        open_scene(&s, "exact");
        s.app.vk.DestroyRenderPass(s.app.device, s.pass, NULL);
        s.app.vk.DestroyFramebuffer(s.app.device, s.framebuffer, NULL);
        make_pass(&s, attachments);
        begin_pass(&s);
        s.app.vk.CmdDrawIndexed(s.commands, 3, 1, 0, 0, 0);
        s.app.vk.CmdNextSubpass(s.commands, VK_SUBPASS_CONTENTS_INLINE);
        if (hang > 3)
            s.app.vk.CmdDrawIndexed(s.commands, 4, 1, 0, 0, 0);
        s.app.vk.CmdEndRenderPass(s.commands);
        if (hang > 4)
            s.app.vk.CmdDispatch(s.commands, 5, 1, 1);
        const char *report = report_of(&s, hang);
        if (hang == 3)
            EXPECT_HAS_NOT(report, "barrier ");
        if (hang == 4) {
            EXPECT_HAS(report, "barrier        \"Color\": UNDEFINED -> GENERAL\n");
            EXPECT_HAS(report, "\"Depth\": GENERAL -> DEPTH_STENCIL_ATTACHMENT_OPTIMAL\n");
        }
        if (hang == 5) {
            EXPECT_HAS(report, "barrier        \"Color\": GENERAL -> PRESENT_SRC_KHR\n");
            EXPECT_HAS_NOT(report, "normals");
            EXPECT_HAS_NOT(report, "\"Depth\"");
        }
    }
}

/* The levels below cost what they cost before. */
Test(vulkan_bound, other_levels_note_none_of_it)
{
    AT_END(close_scene) struct scene s;
    open_scene(&s, "labels");
    transition(&s, 0, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
    const VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                        .pLabelName = "frame"};
    s.app.vk.CmdBeginDebugUtilsLabelEXT(s.commands, &label);
    s.app.vk.CmdDispatch(s.commands, 2, 1, 1);
    s.app.vk.CmdEndDebugUtilsLabelEXT(s.commands);
    const char *report = report_of(&s, 2);
    EXPECT_HAS(report, "operation      Dispatch(2, 1, 1)\n");
    EXPECT_HAS_NOT(report, "barrier ");
}
