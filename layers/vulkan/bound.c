/* The objects of commands, at level "exact": descriptions of buffers and images, a pass's targets,
 * vertex buffers, and barriers. Passes name views, which lead to images; a framebuffer leads to
 * views by the numbers of its attachments. */
#include "calls.h"

enum {
    RESOURCE_BARRIER = 15, /* D3D12_AUTO_BREADCRUMB_OP */
    ATTACHMENTS = 64,      /* attachments of a framebuffer that are kept */
    PASS_WORDS = 640,      /* most words of a render pass; of larger passes nothing is known */
    COLORS = VKL_TARGETS - 1,
    TEXTURE_2D = 3 /* D3D12_RESOURCE_DIMENSION */
};

#define HANDLE(object) ((uint64_t)(object))

/* The subresources of a range as an ANNOT_PART; VK_REMAINING_... means up to the last one. */
static uint64_t part_of(const VkImageSubresourceRange *range)
{
    enum { MIPS = 255, SLICES = 65535 };
    const uint32_t mips = range->levelCount < MIPS ? range->levelCount : MIPS;
    const uint32_t slices = range->layerCount < SLICES ? range->layerCount : SLICES;
    if (range->baseMipLevel > MIPS || range->baseArrayLayer > SLICES)
        return ANNOT_PART_UNKNOWN;
    if (range->levelCount == 0 || range->layerCount == 0 || range->aspectMask == 0)
        return 0; /* Vulkan forbids this */
    return ANNOT_PART(range->aspectMask & 0xFFFFu, range->baseMipLevel, mips, range->baseArrayLayer,
                      slices);
}

/* ---- resources ---- */

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

/* Words of a render pass: the number of kept attachments, and whether it has several views; for
 * each attachment the layouts before and after the pass; then, for each subpass, the used
 * attachments: layout, number, and the target's bit. */
enum {
    SEVERAL_VIEWS = 32,
    NUMBER = 32,
    TARGET = 48,
    NO_TARGET = 0xFE,
    NEXT_SUBPASS = 0xFF,
    DEPTH = COLORS
};

static uint64_t pair(uint32_t high, VkImageLayout low)
{
    return (uint64_t)high << 32 | (uint32_t)low;
}

static void add_use(uint64_t *words, uint32_t *count, uint32_t attachment, VkImageLayout layout,
                    uint32_t target)
{
    if (attachment < ATTACHMENTS && *count < PASS_WORDS)
        words[(*count)++] = (uint64_t)target << TARGET | pair(attachment, layout);
}

static bool has_views(const VkRenderPassCreateInfo *info)
{
    const VkRenderPassMultiviewCreateInfo *views =
        vkl_in_chain(info->pNext, VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO);
    return views && views->subpassCount > 0;
}

static bool has_views2(const VkRenderPassCreateInfo2 *info)
{
    uint32_t views = 0;
    for (uint32_t i = 0; i < info->subpassCount; i++)
        views |= info->pSubpasses[i].viewMask;
    return views != 0;
}

/* Both versions of the structures have the same members. */
#define ADD_USES(words, count, refs, ref_count, is_colors)                                         \
    for (uint32_t j = 0; (refs) && j < (ref_count); j++)                                           \
    add_use(words, &(count), (refs)[j].attachment, (refs)[j].layout,                               \
            (is_colors) && j < COLORS ? j : NO_TARGET)
#define NOTE_PASS(device, info, pass)                                                                \
    do {                                                                                             \
        uint64_t of[PASS_WORDS];                                                                     \
        uint32_t count = 1;                                                                          \
        for (; count <= (info)->attachmentCount && count <= ATTACHMENTS; count++)                    \
            of[count] = pair((uint32_t)(info)->pAttachments[count - 1].initialLayout,                \
                             (info)->pAttachments[count - 1].finalLayout);                           \
        of[0] = count - 1;                                                                           \
        for (uint32_t i = 0; i < (info)->subpassCount; i++) {                                        \
            ADD_USES(of, count, (info)->pSubpasses[i].pInputAttachments,                             \
                     (info)->pSubpasses[i].inputAttachmentCount, false);                             \
            ADD_USES(of, count, (info)->pSubpasses[i].pResolveAttachments,                           \
                     (info)->pSubpasses[i].colorAttachmentCount, false);                             \
            ADD_USES(of, count, (info)->pSubpasses[i].pColorAttachments,                             \
                     (info)->pSubpasses[i].colorAttachmentCount, true);                              \
            if ((info)->pSubpasses[i].pDepthStencilAttachment)                                       \
                add_use(of, &count, (info)->pSubpasses[i].pDepthStencilAttachment->attachment,       \
                        (info)->pSubpasses[i].pDepthStencilAttachment->layout, DEPTH);               \
            add_use(of, &count, 0, VK_IMAGE_LAYOUT_UNDEFINED, NEXT_SUBPASS);                         \
        }                                                                                            \
        if (count == PASS_WORDS)                                                                     \
            of[0] = 0, count = 1;                                                                    \
        of[0] |= (uint64_t)_Generic((info), const VkRenderPassCreateInfo *                         \
                                    : has_views, const VkRenderPassCreateInfo2 *                   \
                                    : has_views2)(info)                                            \
                 << SEVERAL_VIEWS; \
        vkl_note_set(device, VK_OBJECT_TYPE_RENDER_PASS, HANDLE(pass), of, count);                   \
    } while (0)

VKL_CREATE(CreateRenderPass, VkRenderPassCreateInfo, VkRenderPass, NOTE_PASS)
VKL_CREATE(CreateRenderPass2, VkRenderPassCreateInfo2, VkRenderPass, NOTE_PASS)

/* ---- passes ---- */

static void add_target(struct vkl_cmd *cmd, uint32_t target, uint64_t view, uint32_t layout)
{
    uint64_t of[2];
    struct vkl_bound *to = &cmd->targets[target];
    for (; cmd->target_count <= target; cmd->target_count++)
        cmd->targets[cmd->target_count].handle = 0;
    if (view != 0 && vkl_note_get(cmd->device, VK_OBJECT_TYPE_IMAGE_VIEW, view, of, 2) == 2)
        *to = (struct vkl_bound){target == DEPTH ? ANNOT_BOUND_DEPTH : ANNOT_BOUND_TARGET,
                                 layout + 1, VK_OBJECT_TYPE_IMAGE, of[0], of[1]};
}

static bool is_exact(const struct vkl_cmd *cmd)
{
    return cmd && cmd->stream.is_recording && cmd->device->settings.level == CRASH_LEVEL_EXACT;
}

/* The known facts about the command buffer's render pass. */
struct known_pass {
    uint64_t views[ATTACHMENTS], of[PASS_WORDS];
    uint32_t view_count, word_count, attachments;
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
    out->attachments = out->word_count > 0 ? (uint32_t)out->of[0] : 0;
}

/* Returns an attachment's present layout, before the pass's next transition. */
static uint32_t layout_now(const struct vkl_cmd *cmd, const struct known_pass *pass,
                           uint32_t attachment)
{
    const uint32_t layout = cmd->pass.layouts[attachment];
    return layout ? layout - 1 : (uint32_t)(pass->of[1 + attachment] >> 32);
}

/* Adds a transition that the pass makes for all parts in the attachment's view. */
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

/* Notes the targets of the subpass, and the transitions of all attachments that it uses. */
static void begin_subpass(struct vkl_cmd *cmd)
{
    struct crash_barriers barriers = {.kind = RESOURCE_BARRIER, .stream = &cmd->stream};
    struct known_pass pass;
    uint32_t subpass = 0;
    vkl_inner_rest(cmd);
    know_pass(cmd, &pass);
    cmd->target_count = 0;
    for (uint32_t i = 1 + pass.attachments; i < pass.word_count && subpass <= cmd->pass.subpass;
         i++) {
        const uint32_t layout = (uint32_t)pass.of[i], target = (uint32_t)(pass.of[i] >> TARGET);
        const uint32_t attachment = pass.of[i] >> NUMBER & 0xFFFF;
        subpass += target == NEXT_SUBPASS;
        if (target == NEXT_SUBPASS || subpass != cmd->pass.subpass ||
            attachment >= pass.attachments)
            continue;
        if (target <= DEPTH && attachment < pass.view_count)
            add_target(cmd, target, pass.views[attachment], layout);
        add_transition(&barriers, cmd, &pass, attachment, layout_now(cmd, &pass, attachment),
                       layout);
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
    for (uint32_t i = 0; i < pass.attachments; i++)
        add_transition(&barriers, cmd, &pass, i, layout_now(cmd, &pass, i),
                       (uint32_t)pass.of[1 + i]);
    crash_barriers_note(&barriers);
    vkl_bound_forget(cmd, VKL_PASS);
}

static void note_views(struct vkl_cmd *cmd, VkRenderPass pass, bool has_mask)
{
    uint64_t of[PASS_WORDS];
    cmd->has_views = has_mask;
    if (vkl_note_get(cmd->device, VK_OBJECT_TYPE_RENDER_PASS, HANDLE(pass), of, PASS_WORDS) > 0)
        cmd->has_views |= of[0] >> SEVERAL_VIEWS & 1;
}

void vkl_bound_inherit(struct vkl_cmd *cmd, const VkCommandBufferInheritanceInfo *info)
{
    const VkCommandBufferInheritanceRenderingInfo *rendering =
        vkl_in_chain(info->pNext, VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO);
    note_views(cmd, info->renderPass, rendering && rendering->viewMask);
}

void vkl_bound_pass(struct vkl_cmd *cmd, const VkRenderPassBeginInfo *info)
{
    if (!is_exact(cmd))
        return;
    note_views(cmd, info->renderPass, false);
    cmd->pass = (struct vkl_pass){.of = info->renderPass, .framebuffer = info->framebuffer};
    const VkRenderPassAttachmentBeginInfo *views =
        vkl_in_chain(info->pNext, VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO);
    for (uint32_t i = 0;
         views && i < views->attachmentCount && i < sizeof cmd->pass.views / sizeof(uint64_t); i++)
        cmd->pass.views[cmd->pass.view_count++] = HANDLE(views->pAttachments[i]);
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

VKL_NOTED(NextSubpass, (VkCommandBuffer handle, VkSubpassContents contents), (handle, contents),
          next_subpass(handle))
VKL_NOTED(NextSubpass2,
          (VkCommandBuffer handle, const VkSubpassBeginInfo *begin, const VkSubpassEndInfo *end),
          (handle, begin, end), next_subpass(handle))

static void add_attachment(struct vkl_cmd *cmd, uint32_t target,
                           const VkRenderingAttachmentInfo *attachment)
{
    if (attachment)
        add_target(cmd, target, HANDLE(attachment->imageView), (uint32_t)attachment->imageLayout);
}

void vkl_bound_rendering(struct vkl_cmd *cmd, const VkRenderingInfo *info)
{
    if (!is_exact(cmd))
        return;
    cmd->has_views = info->viewMask != 0;
    vkl_bound_forget(cmd, VKL_PASS);
    for (uint32_t i = 0; i < info->colorAttachmentCount && i < COLORS; i++)
        add_attachment(cmd, i, &info->pColorAttachments[i]);
    add_attachment(cmd, DEPTH,
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

VKL_NOTED(BindVertexBuffers,
          (VkCommandBuffer handle, uint32_t first, uint32_t count, const VkBuffer *buffers,
           const VkDeviceSize *offsets),
          (handle, first, count, buffers, offsets), set_vertices(handle, first, count, buffers))
VKL_NOTED(BindVertexBuffers2,
          (VkCommandBuffer handle, uint32_t first, uint32_t count, const VkBuffer *buffers,
           const VkDeviceSize *offsets, const VkDeviceSize *sizes, const VkDeviceSize *strides),
          (handle, first, count, buffers, offsets, sizes, strides),
          set_vertices(handle, first, count, buffers))

uint32_t vkl_bound_add(const struct vkl_cmd *cmd, struct vkl_bound *to, uint32_t count)
{
    const struct vkl_operation *of = &cmd->operation;
    for (uint32_t i = 0; i < cmd->target_count; i++)
        if (of->targets >> i & 1 && cmd->targets[i].handle)
            to[count++] = cmd->targets[i];
    for (uint32_t i = 0; of->reads_vertices && i < VKL_VERTEX_BUFFERS; i++)
        if (cmd->vertices[i])
            to[count++] = (struct vkl_bound){ANNOT_BOUND_VERTICES, 0, VK_OBJECT_TYPE_BUFFER,
                                             HANDLE(cmd->vertices[i]), 0};
    return count;
}

/* ---- barriers ---- */

/* Begins barriers. False: the command buffer's barriers are not noted. */
static bool barriers_begin(struct crash_barriers *barriers, VkCommandBuffer handle,
                           struct vkl_device **device)
{
    struct vkl_cmd *cmd = vkl_cmd_of(handle);
    *device = cmd ? cmd->device : vkl_device_of(vkl_key(handle));
    barriers->kind = RESOURCE_BARRIER;
    barriers->stream = cmd ? &cmd->stream : NULL;
    if (is_exact(cmd))
        vkl_inner_rest(cmd);
    return is_exact(cmd);
}

/* Returns VkAccessFlags2 in 32 bits, as in ANNOT_BOUND_ACCESS. */
static uint32_t accesses_of(uint64_t of)
{
    enum { SHADERS = 28, SHADERS_ALL = 7, OTHERS = 31 };
    const uint32_t above = (uint32_t)(of >> 32);
    return (uint32_t)of | (above & SHADERS_ALL) << SHADERS |
           (uint32_t)(above > SHADERS_ALL) << OTHERS;
}

static void add_barrier(struct crash_barriers *barriers, struct vkl_device *device,
                        struct vkl_bound bound, uint32_t before, uint32_t after)
{
    annot_bound_object found = {0, bound.role, 0};
    if (bound.handle == 0 && bound.type != VK_OBJECT_TYPE_UNKNOWN)
        return; /* Vulkan forbids this */
    if (bound.handle != 0)
        vkl_objects_find(device, &bound, 1, &found);
    crash_barriers_add(barriers, found, bound.part, before, after);
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

/* A global barrier has no object. An image that keeps its layout is noted with its accesses. Both
 * versions of the structures have the same members. */
#define ADD_MEMORY(barriers, device, of)                                                           \
    add_barrier(barriers, device, (struct vkl_bound){.role = ANNOT_BOUND_ACCESS},                  \
                accesses_of((of)->srcAccessMask), accesses_of((of)->dstAccessMask))
#define ADD_IMAGE(barriers, device, of)                                                            \
    do {                                                                                           \
        const bool is_same = (of)->oldLayout == (of)->newLayout;                                   \
        add_barrier(barriers, device,                                                              \
                    (struct vkl_bound){is_same ? ANNOT_BOUND_ACCESS : ANNOT_BOUND_BARRIER, 0,      \
                                       VK_OBJECT_TYPE_IMAGE, HANDLE((of)->image),                  \
                                       part_of(&(of)->subresourceRange)},                          \
                    is_same ? accesses_of((of)->srcAccessMask) : (uint32_t)(of)->oldLayout,        \
                    is_same ? accesses_of((of)->dstAccessMask) : (uint32_t)(of)->newLayout);       \
    } while (0)
#define ADD_BUFFER(barriers, device, of)                                                           \
    add_barrier(barriers, device,                                                                  \
                (struct vkl_bound){ANNOT_BOUND_ACCESS, 0, VK_OBJECT_TYPE_BUFFER,                   \
                                   HANDLE((of)->buffer),                                           \
                                   part_of_buffer((of)->offset, (of)->size)},                      \
                accesses_of((of)->srcAccessMask), accesses_of((of)->dstAccessMask))
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

VKL_NOTED(PipelineBarrier,
          (VkCommandBuffer handle, VkPipelineStageFlags from, VkPipelineStageFlags to,
           VkDependencyFlags flags, uint32_t m, const VkMemoryBarrier *memory, uint32_t n,
           const VkBufferMemoryBarrier *buffers, uint32_t q, const VkImageMemoryBarrier *images),
          (handle, from, to, flags, m, memory, n, buffers, q, images), struct vkl_device *device;
          NOTE_BARRIERS(handle, &device, m, memory, n, buffers, q, images))
VKL_NOTED(PipelineBarrier2, (VkCommandBuffer handle, const VkDependencyInfo *info), (handle, info),
          struct vkl_device *device;
          NOTE_DEPENDENCY(handle, &device, info))

const struct vkl_call vkl_bound_calls[] = {VKL_BOUND_CALLS(VKL_CALL){.name = NULL}};
