/*
 * The objects that commands work on, at level "exact": what buffers and images are, which of them a
 * pass renders to, vertex buffers, and barriers. Passes name views, which lead to images; a pass of
 * a framebuffer leads to views by the numbers of its attachments.
 */
#include "calls.h"

enum {
    RESOURCE_BARRIER = 15, /* D3D12_AUTO_BREADCRUMB_OP */
    ATTACHMENTS = 64,      /* of a framebuffer, that are kept */
    SUBPASSES = 64,
    PASS_WORDS = 1 + SUBPASSES * VKL_TARGETS + ATTACHMENTS,
    COLORS = VKL_TARGETS - 1,
    BUFFER = 1, /* D3D12_RESOURCE_DIMENSION */
    TEXTURE_1D = 2,
    TEXTURE_2D = 3
};

#define HANDLE(object) ((uint64_t)(uintptr_t)(object))

/* Of all subresources of a range those that ANNOT_PART can say; VK_REMAINING_... are the last ones.
 */
static uint64_t part_of(const VkImageSubresourceRange *range)
{
    enum { MIPS = 255, SLICES = 65535 };
    const uint32_t mips = range->levelCount < MIPS ? range->levelCount : MIPS;
    const uint32_t slices = range->layerCount < SLICES ? range->layerCount : SLICES;
    if (range->baseMipLevel > MIPS || range->baseArrayLayer > SLICES)
        return ANNOT_PART_UNKNOWN;
    if (range->levelCount == 0 || range->layerCount == 0 || range->aspectMask == 0)
        return 0; /* which Vulkan forbids */
    return ANNOT_PART(range->aspectMask & 0xFFFFu, range->baseMipLevel, mips, range->baseArrayLayer,
                      slices);
}

/* ---- resources ---- */

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
    vkl_resource_note(device, VK_OBJECT_TYPE_IMAGE, HANDLE(image), &of);
}
VKL_CREATE(CreateImage, VkImageCreateInfo, VkImage, image_made)

static void swapchain_made(struct vkl_device *device, const VkSwapchainCreateInfoKHR *info,
                           VkSwapchainKHR swapchain)
{
    const uint64_t of[] = {info->imageExtent.width, info->imageExtent.height,
                           (uint64_t)info->imageFormat, info->imageArrayLayers};
    vkl_note_set(device, VK_OBJECT_TYPE_SWAPCHAIN_KHR, HANDLE(swapchain), of, 4);
}
VKL_CREATE(CreateSwapchainKHR, VkSwapchainCreateInfoKHR, VkSwapchainKHR, swapchain_made)

static VKAPI_ATTR VkResult VKAPI_CALL vkl_GetSwapchainImagesKHR(VkDevice handle,
                                                                VkSwapchainKHR swapchain,
                                                                uint32_t *count, VkImage *images)
{
    struct vkl_device *device = vkl_device_of(vkl_key(handle));
    VkResult result = device->next.GetSwapchainImagesKHR(handle, swapchain, count, images);
    uint64_t of[4];
    if (result >= 0 && images &&
        vkl_note_get(device, VK_OBJECT_TYPE_SWAPCHAIN_KHR, HANDLE(swapchain), of, 4) == 4)
        for (uint32_t i = 0; i < *count; i++)
            vkl_resource_note(device, VK_OBJECT_TYPE_IMAGE, HANDLE(images[i]),
                              &(const annot_resource){.width = of[0],
                                                      .dimension = TEXTURE_2D,
                                                      .format = (uint32_t)of[2],
                                                      .height = (uint32_t)of[1],
                                                      .depth = (uint32_t)of[3],
                                                      .mips = 1,
                                                      .samples = 1});
    return vkl_check(device, result, "vkGetSwapchainImagesKHR");
}

/* ---- views, framebuffers, render passes ---- */

static void view_made(struct vkl_device *device, const VkImageViewCreateInfo *info,
                      VkImageView view)
{
    const uint64_t of[] = {HANDLE(info->image), part_of(&info->subresourceRange)};
    vkl_note_set(device, VK_OBJECT_TYPE_IMAGE_VIEW, HANDLE(view), of, 2);
}
VKL_CREATE(CreateImageView, VkImageViewCreateInfo, VkImageView, view_made)

static void framebuffer_made(struct vkl_device *device, const VkFramebufferCreateInfo *info,
                             VkFramebuffer framebuffer)
{
    uint64_t views[ATTACHMENTS];
    uint32_t kept = 0;
    if (info->flags & VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT)
        return;
    for (; info->pAttachments && kept < info->attachmentCount && kept < ATTACHMENTS; kept++)
        views[kept] = HANDLE(info->pAttachments[kept]);
    vkl_note_set(device, VK_OBJECT_TYPE_FRAMEBUFFER, HANDLE(framebuffer), views, kept);
}
VKL_CREATE(CreateFramebuffer, VkFramebufferCreateInfo, VkFramebuffer, framebuffer_made)

/* Of a render pass how many subpasses are kept; of each of them the attachments that are written
 * to, the last one depth: number and layout in one word; of each attachment the layouts that the
 * pass finds it in and leaves it in. */
static uint64_t reference(uint32_t attachment, VkImageLayout layout)
{
    return (uint64_t)attachment << 32 | (uint32_t)layout;
}

#define UNUSED reference(VK_ATTACHMENT_UNUSED, VK_IMAGE_LAYOUT_UNDEFINED)

/* Both versions of the structures have the same members. */
#define NOTE_PASS(device, info, pass)                                                              \
    do {                                                                                           \
        uint64_t of[PASS_WORDS];                                                                   \
        uint32_t count = 1;                                                                        \
        of[0] = (info)->subpassCount < SUBPASSES ? (info)->subpassCount : SUBPASSES;               \
        for (uint32_t i = 0; i < (info)->subpassCount && i < SUBPASSES; i++) {                     \
            for (uint32_t j = 0; j < COLORS; j++)                                                  \
                of[count++] =                                                                      \
                    j < (info)->pSubpasses[i].colorAttachmentCount                                 \
                        ? reference((info)->pSubpasses[i].pColorAttachments[j].attachment,         \
                                    (info)->pSubpasses[i].pColorAttachments[j].layout)             \
                        : UNUSED;                                                                  \
            of[count++] =                                                                          \
                (info)->pSubpasses[i].pDepthStencilAttachment                                      \
                    ? reference((info)->pSubpasses[i].pDepthStencilAttachment->attachment,         \
                                (info)->pSubpasses[i].pDepthStencilAttachment->layout)             \
                    : UNUSED;                                                                      \
        }                                                                                          \
        for (uint32_t i = 0; i < (info)->attachmentCount && i < ATTACHMENTS; i++)                  \
            of[count++] = reference((uint32_t)(info)->pAttachments[i].initialLayout,               \
                                    (info)->pAttachments[i].finalLayout);                          \
        vkl_note_set(device, VK_OBJECT_TYPE_RENDER_PASS, HANDLE(pass), of, count);                 \
    } while (0)

VKL_CREATE(CreateRenderPass, VkRenderPassCreateInfo, VkRenderPass, NOTE_PASS)
VKL_CREATE(CreateRenderPass2, VkRenderPassCreateInfo2, VkRenderPass, NOTE_PASS)

/* ---- passes ---- */

static void add_target(struct vkl_cmd *cmd, uint32_t role, uint64_t view, uint32_t layout)
{
    uint64_t of[2];
    if (view != 0 && cmd->target_count < VKL_TARGETS &&
        vkl_note_get(cmd->device, VK_OBJECT_TYPE_IMAGE_VIEW, view, of, 2) == 2)
        cmd->targets[cmd->target_count++] =
            (struct vkl_bound){role, layout + 1, VK_OBJECT_TYPE_IMAGE, of[0], of[1]};
}

static bool is_exact(const struct vkl_cmd *cmd)
{
    return cmd && cmd->stream.is_recording && cmd->device->settings.level == CRASH_LEVEL_EXACT;
}

/* What is known of the render pass that the command buffer is in. */
struct known_pass {
    uint64_t views[ATTACHMENTS], of[PASS_WORDS];
    uint32_t view_count, word_count, subpasses;
};

static void know_pass(const struct vkl_cmd *cmd, struct known_pass *out)
{
    out->view_count = cmd->pass.view_count;
    if (out->view_count > 0)
        memcpy(out->views, cmd->pass.views, out->view_count * sizeof *out->views);
    else
        out->view_count = vkl_note_get(cmd->device, VK_OBJECT_TYPE_FRAMEBUFFER,
                                       HANDLE(cmd->pass.framebuffer), out->views, ATTACHMENTS);
    out->word_count = vkl_note_get(cmd->device, VK_OBJECT_TYPE_RENDER_PASS, HANDLE(cmd->pass.of),
                                   out->of, PASS_WORDS);
    out->subpasses = out->word_count > 0 ? (uint32_t)out->of[0] : 0;
}

/* The layouts of an attachment before and behind the pass; UNUSED: it has no such attachment. */
static uint64_t layouts_of(const struct known_pass *pass, uint32_t attachment)
{
    const uint32_t at = 1 + pass->subpasses * VKL_TARGETS + attachment;
    return at < pass->word_count ? pass->of[at] : UNUSED;
}

/* A transition that the pass makes, of all that the attachment's view shows. */
static void add_transition(struct crash_barriers *barriers, const struct vkl_cmd *cmd,
                           const struct known_pass *pass, uint32_t attachment, uint32_t before,
                           uint32_t after)
{
    uint64_t of[2];
    annot_bound_object found;
    if (before == after || attachment >= pass->view_count ||
        vkl_note_get(cmd->device, VK_OBJECT_TYPE_IMAGE_VIEW, pass->views[attachment], of, 2) != 2)
        return;
    const struct vkl_bound image = {ANNOT_BOUND_BARRIER, 0, VK_OBJECT_TYPE_IMAGE, of[0], of[1]};
    vkl_objects_find(cmd->device, &image, 1, &found);
    crash_barriers_add(barriers, found, of[1], before, after);
}

/* The targets of the subpass, and the transitions to their layouts. */
static void begin_subpass(struct vkl_cmd *cmd)
{
    struct crash_barriers barriers = {.kind = RESOURCE_BARRIER, .stream = &cmd->stream};
    struct known_pass pass;
    know_pass(cmd, &pass);
    cmd->target_count = 0;
    for (uint32_t i = 0; cmd->pass.subpass < pass.subpasses && i < VKL_TARGETS; i++) {
        const uint64_t at = pass.of[1 + cmd->pass.subpass * VKL_TARGETS + i];
        const uint32_t attachment = (uint32_t)(at >> 32), layout = (uint32_t)at;
        if (attachment >= pass.view_count || attachment >= ATTACHMENTS)
            continue;
        add_target(cmd, i < COLORS ? ANNOT_BOUND_TARGET : ANNOT_BOUND_DEPTH, pass.views[attachment],
                   layout);
        const uint64_t outside = layouts_of(&pass, attachment);
        const uint32_t before = cmd->pass.layouts[attachment] ? cmd->pass.layouts[attachment] - 1
                                : outside != UNUSED           ? (uint32_t)(outside >> 32)
                                                              : layout;
        add_transition(&barriers, cmd, &pass, attachment, before, layout);
        cmd->pass.layouts[attachment] = layout + 1;
    }
    crash_barriers_note(&barriers);
}

void vkl_bound_pass_end(struct vkl_cmd *cmd)
{
    struct crash_barriers barriers = {.kind = RESOURCE_BARRIER};
    struct known_pass pass;
    if (!is_exact(cmd) || !cmd->pass.of)
        return;
    barriers.stream = &cmd->stream;
    know_pass(cmd, &pass);
    for (uint32_t i = 0; i < ATTACHMENTS && layouts_of(&pass, i) != UNUSED; i++) {
        const uint64_t at = layouts_of(&pass, i);
        const uint32_t before =
            cmd->pass.layouts[i] ? cmd->pass.layouts[i] - 1 : (uint32_t)(at >> 32);
        add_transition(&barriers, cmd, &pass, i, before, (uint32_t)at);
    }
    crash_barriers_note(&barriers);
    cmd->pass.of = VK_NULL_HANDLE;
}

void vkl_bound_pass(struct vkl_cmd *cmd, const VkRenderPassBeginInfo *info)
{
    if (!is_exact(cmd))
        return;
    cmd->pass = (struct vkl_pass){.of = info->renderPass, .framebuffer = info->framebuffer};
    for (const VkBaseInStructure *at = info->pNext; at; at = at->pNext)
        if (at->sType == VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO) {
            const VkRenderPassAttachmentBeginInfo *views = (const void *)at;
            for (uint32_t i = 0;
                 i < views->attachmentCount && i < sizeof cmd->pass.views / sizeof(uint64_t); i++)
                cmd->pass.views[cmd->pass.view_count++] = HANDLE(views->pAttachments[i]);
        }
    begin_subpass(cmd);
}

static void next_subpass(VkCommandBuffer handle)
{
    struct vkl_cmd *cmd = vkl_cmd_of(handle);
    if (!is_exact(cmd))
        return;
    cmd->pass.subpass++;
    begin_subpass(cmd);
}

static VKAPI_ATTR void VKAPI_CALL vkl_CmdNextSubpass(VkCommandBuffer handle,
                                                     VkSubpassContents contents)
{
    next_subpass(handle);
    vkl_device_of(vkl_key(handle))->next.CmdNextSubpass(handle, contents);
}

static VKAPI_ATTR void VKAPI_CALL vkl_CmdNextSubpass2(VkCommandBuffer handle,
                                                      const VkSubpassBeginInfo *begin,
                                                      const VkSubpassEndInfo *end)
{
    next_subpass(handle);
    vkl_device_of(vkl_key(handle))->next.CmdNextSubpass2(handle, begin, end);
}

static void add_attachment(struct vkl_cmd *cmd, uint32_t role,
                           const VkRenderingAttachmentInfo *attachment)
{
    if (attachment)
        add_target(cmd, role, HANDLE(attachment->imageView), (uint32_t)attachment->imageLayout);
}

void vkl_bound_rendering(struct vkl_cmd *cmd, const VkRenderingInfo *info)
{
    if (!is_exact(cmd))
        return;
    cmd->target_count = 0;
    for (uint32_t i = 0; i < info->colorAttachmentCount && i < COLORS; i++)
        add_attachment(cmd, ANNOT_BOUND_TARGET, &info->pColorAttachments[i]);
    add_attachment(cmd, ANNOT_BOUND_DEPTH,
                   info->pDepthAttachment && info->pDepthAttachment->imageView
                       ? info->pDepthAttachment
                       : info->pStencilAttachment);
}

/* ---- vertex buffers ---- */

static void set_vertices(VkCommandBuffer handle, uint32_t first, uint32_t count,
                         const VkBuffer *buffers)
{
    struct vkl_cmd *cmd = vkl_cmd_of(handle);
    for (uint32_t i = first; cmd && i < VKL_VERTEX_BUFFERS && i - first < count; i++)
        cmd->vertices[i] = buffers[i - first];
}

static VKAPI_ATTR void VKAPI_CALL vkl_CmdBindVertexBuffers(VkCommandBuffer handle, uint32_t first,
                                                           uint32_t count, const VkBuffer *buffers,
                                                           const VkDeviceSize *offsets)
{
    set_vertices(handle, first, count, buffers);
    vkl_device_of(vkl_key(handle))
        ->next.CmdBindVertexBuffers(handle, first, count, buffers, offsets);
}

static VKAPI_ATTR void VKAPI_CALL vkl_CmdBindVertexBuffers2(VkCommandBuffer handle, uint32_t first,
                                                            uint32_t count, const VkBuffer *buffers,
                                                            const VkDeviceSize *offsets,
                                                            const VkDeviceSize *sizes,
                                                            const VkDeviceSize *strides)
{
    set_vertices(handle, first, count, buffers);
    vkl_device_of(vkl_key(handle))
        ->next.CmdBindVertexBuffers2(handle, first, count, buffers, offsets, sizes, strides);
}

uint32_t vkl_bound_find(const struct vkl_cmd *cmd, annot_bound_object *out)
{
    struct vkl_bound vertices[VKL_VERTEX_BUFFERS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < VKL_VERTEX_BUFFERS; i++)
        if (cmd->vertices[i])
            vertices[count++] = (struct vkl_bound){ANNOT_BOUND_VERTICES, 0, VK_OBJECT_TYPE_BUFFER,
                                                   HANDLE(cmd->vertices[i]), 0};
    vkl_objects_find(cmd->device, cmd->targets, cmd->target_count, out);
    vkl_objects_find(cmd->device, vertices, count, out + cmd->target_count);
    return cmd->target_count + count;
}

/* ---- barriers ---- */

/* False: the command buffer's are not noted. */
static bool barriers_begin(struct crash_barriers *barriers, VkCommandBuffer handle,
                           struct vkl_device **device)
{
    struct vkl_cmd *cmd = vkl_cmd_of(handle);
    *device = cmd ? cmd->device : vkl_device_of(vkl_key(handle));
    barriers->kind = RESOURCE_BARRIER;
    barriers->stream = cmd ? &cmd->stream : NULL;
    return is_exact(cmd);
}

static void add_barrier(struct crash_barriers *barriers, struct vkl_device *device,
                        struct vkl_bound bound, uint64_t before, uint64_t after)
{
    annot_bound_object found = {0, bound.role, 0};
    if (bound.handle == 0 && bound.type != VK_OBJECT_TYPE_UNKNOWN)
        return; /* which Vulkan forbids */
    if (bound.handle != 0)
        vkl_objects_find(device, &bound, 1, &found);
    crash_barriers_add(barriers, found, bound.part, (uint32_t)before, (uint32_t)after);
}

static uint64_t part_of_buffer(VkDeviceSize offset, VkDeviceSize size)
{
    const VkDeviceSize most = (VkDeviceSize)UINT32_MAX * 4;
    const bool is_to_end = size == VK_WHOLE_SIZE;
    if (offset == 0 && (is_to_end || size == 0))
        return 0;
    if (offset % 4 != 0 || offset >= most || (!is_to_end && (size % 4 != 0 || size >= most)))
        return ANNOT_PART_UNKNOWN;
    return ANNOT_PART_OF_BUFFER(offset, is_to_end ? most : size);
}

/* One of everything has no object. An image whose layout stays is noted with its accesses. Both
 * versions of the structures have the same members. */
#define ADD_MEMORY(barriers, device, of)                                                           \
    add_barrier(barriers, device, (struct vkl_bound){.role = ANNOT_BOUND_ACCESS},                  \
                (of)->srcAccessMask, (of)->dstAccessMask)
#define ADD_IMAGE(barriers, device, of)                                                            \
    do {                                                                                           \
        const bool is_same = (of)->oldLayout == (of)->newLayout;                                   \
        add_barrier(barriers, device,                                                              \
                    (struct vkl_bound){is_same ? ANNOT_BOUND_ACCESS : ANNOT_BOUND_BARRIER, 0,      \
                                       VK_OBJECT_TYPE_IMAGE, HANDLE((of)->image),                  \
                                       part_of(&(of)->subresourceRange)},                          \
                    is_same ? (of)->srcAccessMask : (uint32_t)(of)->oldLayout,                     \
                    is_same ? (of)->dstAccessMask : (uint32_t)(of)->newLayout);                    \
    } while (0)
#define ADD_BUFFER(barriers, device, of)                                                           \
    add_barrier(barriers, device,                                                                  \
                (struct vkl_bound){ANNOT_BOUND_ACCESS, 0, VK_OBJECT_TYPE_BUFFER,                   \
                                   HANDLE((of)->buffer),                                           \
                                   part_of_buffer((of)->offset, (of)->size)},                      \
                (of)->srcAccessMask, (of)->dstAccessMask)
#define NOTE_BARRIERS(handle, device, memory_count, memory, buffer_count, buffers, image_count,    \
                      images)                                                                      \
    do {                                                                                           \
        struct crash_barriers barriers = {.count = 0};                                             \
        if (!barriers_begin(&barriers, handle, device))                                            \
            break;                                                                                 \
        for (uint32_t i = 0; i < (memory_count); i++)                                              \
            ADD_MEMORY(&barriers, *(device), &(memory)[i]);                                        \
        for (uint32_t i = 0; i < (buffer_count); i++)                                              \
            ADD_BUFFER(&barriers, *(device), &(buffers)[i]);                                       \
        for (uint32_t i = 0; i < (image_count); i++)                                               \
            ADD_IMAGE(&barriers, *(device), &(images)[i]);                                         \
        crash_barriers_note(&barriers);                                                            \
    } while (0)
#define NOTE_DEPENDENCY(handle, device, info)                                                      \
    NOTE_BARRIERS(handle, device, (info)->memoryBarrierCount, (info)->pMemoryBarriers,             \
                  (info)->bufferMemoryBarrierCount, (info)->pBufferMemoryBarriers,                 \
                  (info)->imageMemoryBarrierCount, (info)->pImageMemoryBarriers)

void vkl_bound_WaitEvents(VkCommandBuffer b, uint32_t n, const VkEvent *e, VkPipelineStageFlags s,
                          VkPipelineStageFlags d, uint32_t m, const VkMemoryBarrier *k, uint32_t o,
                          const VkBufferMemoryBarrier *p, uint32_t q, const VkImageMemoryBarrier *r)
{
    struct vkl_device *device;
    (void)n, (void)e, (void)s, (void)d;
    NOTE_BARRIERS(b, &device, m, k, o, p, q, r);
}

void vkl_bound_WaitEvents2(VkCommandBuffer b, uint32_t n, const VkEvent *e,
                           const VkDependencyInfo *infos)
{
    struct vkl_device *device;
    (void)e;
    for (uint32_t at = 0; infos && at < n; at++)
        NOTE_DEPENDENCY(b, &device, &infos[at]);
}

static VKAPI_ATTR void VKAPI_CALL vkl_CmdPipelineBarrier(
    VkCommandBuffer handle, VkPipelineStageFlags from, VkPipelineStageFlags to,
    VkDependencyFlags flags, uint32_t memory_count, const VkMemoryBarrier *memory,
    uint32_t buffer_count, const VkBufferMemoryBarrier *buffers, uint32_t image_count,
    const VkImageMemoryBarrier *images)
{
    struct vkl_device *device;
    NOTE_BARRIERS(handle, &device, memory_count, memory, buffer_count, buffers, image_count,
                  images);
    device->next.CmdPipelineBarrier(handle, from, to, flags, memory_count, memory, buffer_count,
                                    buffers, image_count, images);
}

static VKAPI_ATTR void VKAPI_CALL vkl_CmdPipelineBarrier2(VkCommandBuffer handle,
                                                          const VkDependencyInfo *info)
{
    struct vkl_device *device;
    NOTE_DEPENDENCY(handle, &device, info);
    device->next.CmdPipelineBarrier2(handle, info);
}

const struct vkl_call vkl_bound_calls[] = {
    VKL_CALL(CreateBuffer),
    VKL_CALL(CreateImage),
    VKL_CALL(CreateSwapchainKHR),
    VKL_CALL(GetSwapchainImagesKHR),
    VKL_CALL(CreateImageView),
    VKL_CALL(CreateFramebuffer),
    VKL_CALL(CreateRenderPass),
    VKL_CALL(CreateRenderPass2),
    VKL_CALL_AS(CreateRenderPass2, CreateRenderPass2KHR),
    VKL_CALL(CmdNextSubpass),
    VKL_CALL(CmdNextSubpass2),
    VKL_CALL_AS(CmdNextSubpass2, CmdNextSubpass2KHR),
    VKL_CALL(CmdBindVertexBuffers),
    VKL_CALL(CmdBindVertexBuffers2),
    VKL_CALL_AS(CmdBindVertexBuffers2, CmdBindVertexBuffers2EXT),
    VKL_CALL(CmdPipelineBarrier),
    VKL_CALL(CmdPipelineBarrier2),
    VKL_CALL_AS(CmdPipelineBarrier2, CmdPipelineBarrier2KHR),
    {NULL, NULL, false},
};
