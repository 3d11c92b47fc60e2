/* Vulkan's: below the layer is the driver of tests/vulkan, or with --evidence driver the system's,
 * which "annot vulkan" puts the layer on. Without --level every fourth program is at "labels". */
#include "bindings.h"
#include "bindings_vulkan.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define VK(name, ...) s->app.vk.name(__VA_ARGS__)
#define HANDLE(of)    ((uint64_t)(uintptr_t)(of))

enum { COLORS = 3, DEPTH = 3, SUBPASSES = 2, PASSES = 2, INPUT = 1 }; /* textures; attachments */

static const VkImageLayout layouts[] = {VK_IMAGE_LAYOUT_GENERAL,
                                        VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                                        VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                                        VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                        VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};

/* Attachments 0 and 1 are colors, 2 is depth. Subpass 1 draws to 1 and reads 0. */
struct pass {
    VkRenderPass of;
    VkFramebuffer framebuffer;
    int views[3];
    unsigned subpasses;
    bool has_depth;
    VkImageLayout before[3], behind[3], used[SUBPASSES][3]; /* used UNDEFINED: it is not */
};

struct scene {
    struct bind_scene is;
    struct app app;
    bool is_driver;
    VkPipeline pipelines[BIND_PIPELINES]; /* the last two compute */
    VkImage textures[BIND_TEXTURES];
    VkBuffer buffers[BIND_BUFFERS];
    VkImageView views[BIND_VIEWS];
    struct pass passes[PASSES];
    VkCommandBuffer list, bundles[BIND_BUNDLES];      /* 0: outside of passes, 1: in passes[0] */
    VkImageLayout view_layouts[COLORS], depth_layout; /* that the pass names */
    int open_labels;                                  /* drivers don't bear ends of none */
    VkEvent never;
    int direct[BIND_SHOTS], direct_count; /* work that can hang by its number */
};

/* ---- objects ---- */

static void name(struct scene *s, VkObjectType type, uint64_t handle, char kind, int number)
{
    const char text[] = {kind, (char)('0' + number), 0};
    const VkDebugUtilsObjectNameInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
        .objectType = type,
        .objectHandle = handle,
        .pObjectName = text};
    VK(SetDebugUtilsObjectNameEXT, s->app.device, &info);
}

static void make_textures(struct scene *s)
{
    for (int i = 0; i < BIND_TEXTURES; i++) {
        const VkImageCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
            .imageType = VK_IMAGE_TYPE_2D,
            .format = i == DEPTH ? VK_FORMAT_D32_SFLOAT : VK_FORMAT_R8G8B8A8_UNORM,
            .extent = {16, 16, 1},
            .mipLevels = BIND_MIPS,
            .arrayLayers = BIND_SLICES,
            .samples = VK_SAMPLE_COUNT_1_BIT,
            .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                     VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT |
                     (i == DEPTH ? VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT
                                 : VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT)};
        BIND_MUST(VK(CreateImage, s->app.device, &info, NULL, &s->textures[i]) == VK_SUCCESS);
        bind_vulkan_back_image(&s->app, s->textures[i]);
        name(s, VK_OBJECT_TYPE_IMAGE, HANDLE(s->textures[i]), 'T', i);
    }
}

static VkImageSubresourceRange range_of(const struct bind_view *part)
{
    return (VkImageSubresourceRange){
        part->texture == DEPTH ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT,
        (uint32_t)part->mip, (uint32_t)part->mips, (uint32_t)part->slice, (uint32_t)part->slices};
}

static struct bind_view part_of(struct scene *s, int texture, bool is_one_mip)
{
    struct dice *dice = &s->is.dice;
    struct bind_view part = {.texture = texture,
                             .mip = (int)below(dice, BIND_MIPS),
                             .slice = (int)below(dice, BIND_SLICES),
                             .mips = 1};
    part.slices = 1 + (int)below(dice, (unsigned)(BIND_SLICES - part.slice));
    if (!is_one_mip)
        part.mips = 1 + (int)below(dice, (unsigned)(BIND_MIPS - part.mip));
    return part;
}

/* Three of each texture. */
static void make_views(struct scene *s)
{
    for (int i = 0; i < BIND_VIEWS; i++) {
        s->is.views[i] = part_of(s, i % BIND_TEXTURES, true);
        const VkImageViewCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
            .image = s->textures[i % BIND_TEXTURES],
            .viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY,
            .format = i % BIND_TEXTURES == DEPTH ? VK_FORMAT_D32_SFLOAT : VK_FORMAT_R8G8B8A8_UNORM,
            .subresourceRange = range_of(&s->is.views[i])};
        BIND_MUST(VK(CreateImageView, s->app.device, &info, NULL, &s->views[i]) == VK_SUCCESS);
    }
}

static int view_of(struct scene *s, int texture)
{
    return texture + BIND_TEXTURES * (int)below(&s->is.dice, BIND_VIEWS / BIND_TEXTURES);
}

static VkImageLayout layout(struct scene *s)
{
    return layouts[below(&s->is.dice, sizeof layouts / sizeof *layouts)];
}

static void choose_pass(struct scene *s, struct pass *pass)
{
    const int first = (int)below(&s->is.dice, COLORS);
    pass->subpasses = 1 + below(&s->is.dice, SUBPASSES);
    pass->has_depth = chance(&s->is.dice, 50);
    for (int i = 0; i < 3; i++) {
        pass->views[i] = view_of(s, i == 2 ? DEPTH : (first + i) % COLORS);
        pass->before[i] = layout(s);
        pass->behind[i] = layout(s);
    }
    for (unsigned i = 0; i < pass->subpasses; i++) {
        pass->used[i][i] = layout(s);
        if (pass->has_depth)
            pass->used[i][2] = layout(s);
    }
    if (pass->subpasses > 1)
        pass->used[1][0] = layout(s);
}

static void make_pass(struct scene *s, struct pass *pass)
{
    VkAttachmentDescription attachments[3];
    VkAttachmentReference uses[SUBPASSES][3];
    VkSubpassDescription subpasses[SUBPASSES];
    VkImageView views[3];
    choose_pass(s, pass);
    for (uint32_t i = 0; i < 3; i++) {
        attachments[i] = (VkAttachmentDescription){.format = i == 2 ? VK_FORMAT_D32_SFLOAT
                                                                    : VK_FORMAT_R8G8B8A8_UNORM,
                                                   .samples = VK_SAMPLE_COUNT_1_BIT,
                                                   .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                                   .storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
                                                   .initialLayout = pass->before[i],
                                                   .finalLayout = pass->behind[i]};
        views[i] = s->views[pass->views[i]];
    }
    for (uint32_t i = 0; i < pass->subpasses; i++) {
        for (uint32_t j = 0; j < 3; j++)
            uses[i][j] = (VkAttachmentReference){j, pass->used[i][j]};
        subpasses[i] =
            (VkSubpassDescription){.inputAttachmentCount = i,
                                   .pInputAttachments = &uses[i][0],
                                   .colorAttachmentCount = 1,
                                   .pColorAttachments = &uses[i][i],
                                   .pDepthStencilAttachment = pass->has_depth ? &uses[i][2] : NULL};
    }
    const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                         .attachmentCount = 3,
                                         .pAttachments = attachments,
                                         .subpassCount = pass->subpasses,
                                         .pSubpasses = subpasses};
    BIND_MUST(VK(CreateRenderPass, s->app.device, &info, NULL, &pass->of) == VK_SUCCESS);
    const VkFramebufferCreateInfo framebuffer = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                                 .renderPass = pass->of,
                                                 .attachmentCount = 3,
                                                 .pAttachments = views,
                                                 .width = 4,
                                                 .height = 4,
                                                 .layers = 1};
    BIND_MUST(VK(CreateFramebuffer, s->app.device, &framebuffer, NULL, &pass->framebuffer) ==
              VK_SUCCESS);
}

static void make_objects(struct scene *s)
{
    const VkBufferCreateInfo buffer = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = 4096,
        .usage = VK_BUFFER_USAGE_INDEX_BUFFER_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT |
                 VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    make_textures(s);
    make_views(s);
    for (int i = 0; i < PASSES; i++)
        make_pass(s, &s->passes[i]);
    for (int i = 0; i < BIND_BUFFERS; i++) {
        BIND_MUST(VK(CreateBuffer, s->app.device, &buffer, NULL, &s->buffers[i]) == VK_SUCCESS);
        bind_vulkan_back_buffer(&s->app, s->buffers[i]);
        name(s, VK_OBJECT_TYPE_BUFFER, HANDLE(s->buffers[i]), 'B', i);
    }
    for (int i = 0; i < BIND_PIPELINES; i++) {
        s->pipelines[i] = bind_vulkan_pipeline(&s->app, i >= 2);
        name(s, VK_OBJECT_TYPE_PIPELINE, HANDLE(s->pipelines[i]), 'P', i);
    }
}

/* ---- state ---- */

static void set_pipeline(struct scene *s, VkCommandBuffer list, struct bind_recording *to,
                         bool is_compute)
{
    const int which = (int)below(&s->is.dice, 2) + (is_compute ? 2 : 0);
    *(is_compute ? &to->now.compute : &to->now.pipeline) = which;
    VK(CmdBindPipeline, list,
       is_compute ? VK_PIPELINE_BIND_POINT_COMPUTE : VK_PIPELINE_BIND_POINT_GRAPHICS,
       s->pipelines[which]);
}

static void set_vertices(struct scene *s, VkCommandBuffer list, struct bind_recording *to)
{
    const uint32_t first = below(&s->is.dice, 4), count = 1 + below(&s->is.dice, 2);
    const VkDeviceSize offsets[2] = {0, 0};
    VkBuffer buffers[2];
    for (uint32_t i = 0; i < count; i++) {
        to->now.slots[first + i] = (int)below(&s->is.dice, BIND_BUFFERS);
        buffers[i] = s->buffers[to->now.slots[first + i]];
    }
    VK(CmdBindVertexBuffers, list, first, count, buffers, offsets);
}

static void set_indices(struct scene *s, VkCommandBuffer list, struct bind_recording *to)
{
    to->now.indices = (int)below(&s->is.dice, BIND_BUFFERS);
    VK(CmdBindIndexBuffer, list, s->buffers[to->now.indices], 0, VK_INDEX_TYPE_UINT16);
}

static void label(struct scene *s, VkCommandBuffer list)
{
    const VkDebugUtilsLabelEXT info = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                       .pLabelName = "scope"};
    if (chance(&s->is.dice, 55) || (s->is_driver && s->open_labels == 0)) {
        VK(CmdBeginDebugUtilsLabelEXT, list, &info);
        s->open_labels++;
    } else {
        VK(CmdEndDebugUtilsLabelEXT, list);
        s->open_labels--;
    }
}

/* ---- work ---- */

/* A command says in which layouts it uses what. */
static void use(struct bind_shot *shot, const struct bind_view *part, VkImageLayout in)
{
    bind_enter(&shot->at, part, part->mips, (int)in);
}

static void use_targets(const struct scene *s, struct bind_shot *shot)
{
    for (int i = 0; i < shot->at.view_count; i++)
        if (shot->at.views[i] >= 0)
            use(shot, &s->is.views[shot->at.views[i]], s->view_layouts[i]);
    if (shot->at.depth >= 0)
        use(shot, &s->is.views[shot->at.depth], s->depth_layout);
}

static void can_hang(struct scene *s, const struct bind_recording *to, int by)
{
    if (to == &s->is.of)
        s->direct[s->direct_count++] = by;
}

static void dispatch(struct scene *s, VkCommandBuffer list, struct bind_recording *to)
{
    const int number = bind_number(&s->is, to);
    if (to->now.compute < 0)
        set_pipeline(s, list, to, true);
    struct bind_shot *shot = bind_shoot(to, BIND_DISPATCH);
    shot->runs = true;
    shot->at.pipeline = shot->at.compute;
    can_hang(s, to, number + 1);
    VK(CmdDispatch, list, (uint32_t)number + 1, 1, 1);
}

static void draw(struct scene *s, VkCommandBuffer list, struct bind_recording *to)
{
    const unsigned kind = below(&s->is.dice, 3);
    const int number = bind_number(&s->is, to);
    if (to->now.pipeline < 0)
        set_pipeline(s, list, to, false);
    if (to->now.indices < 0)
        set_indices(s, list, to);
    struct bind_shot *shot = bind_shoot(to, kind == 0   ? BIND_DRAW
                                            : kind == 1 ? BIND_DRAW_INDEXED
                                                        : BIND_INDIRECT);
    shot->draws = shot->runs = shot->uses_vertices = true;
    shot->uses_indices = kind == 1;
    use_targets(s, shot);
    if (kind < 2)
        can_hang(s, to, number + 3);
    if (kind == 0)
        VK(CmdDraw, list, 3, 1, (uint32_t)number, 0);
    else if (kind == 1)
        VK(CmdDrawIndexed, list, 3, 1, 0, number, 0);
    else
        VK(CmdDrawIndirect, list, s->buffers[0], (VkDeviceSize)number * 4, 1, 16);
}

static void copy(struct scene *s)
{
    const int from = (int)below(&s->is.dice, COLORS), to = (from + 1) % COLORS;
    const VkImageCopy region = {.srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                .dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                .extent = {1, 1, 1}};
    struct bind_shot *shot = bind_shoot(&s->is.of, BIND_COPY);
    shot->from = (struct bind_view){from, 0, 0, BIND_SLICES, BIND_MIPS};
    shot->to = (struct bind_view){to, 0, 0, BIND_SLICES, BIND_MIPS};
    use(shot, &shot->from, VK_IMAGE_LAYOUT_GENERAL);
    use(shot, &shot->to, VK_IMAGE_LAYOUT_GENERAL);
    VK(CmdCopyImage, s->list, s->textures[from], VK_IMAGE_LAYOUT_GENERAL, s->textures[to],
       VK_IMAGE_LAYOUT_GENERAL, 1, &region);
}

static void clear_image(struct scene *s)
{
    const int to = (int)below(&s->is.dice, COLORS);
    const VkClearColorValue black = {{0}};
    const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    struct bind_shot *shot = bind_shoot(&s->is.of, BIND_CLEAR);
    shot->to = (struct bind_view){to, 0, 0, BIND_SLICES, BIND_MIPS};
    use(shot, &shot->to, VK_IMAGE_LAYOUT_GENERAL);
    VK(CmdClearColorImage, s->list, s->textures[to], VK_IMAGE_LAYOUT_GENERAL, &black, 1, &range);
}

/* Of one of the pass's colors. */
static void clear_target(struct scene *s)
{
    const uint32_t which = below(&s->is.dice, (unsigned)s->is.of.now.view_count);
    const VkClearAttachment clear = {VK_IMAGE_ASPECT_COLOR_BIT, which, {{{0}}}};
    const VkClearRect rect = {{{0, 0}, {1, 1}}, 0, 1};
    const int view = s->is.of.now.views[which];
    struct bind_shot *shot = bind_shoot(&s->is.of, BIND_CLEAR);
    shot->target = (struct bind_view){.texture = BIND_NONE};
    if (view >= 0)
        shot->target = s->is.views[view];
    use_targets(s, shot);
    VK(CmdClearAttachments, s->list, 1, &clear, 1, &rect);
}

/* ---- barriers ---- */

static void barriers(struct scene *s, VkEvent wait)
{
    VkImageMemoryBarrier2 images[9];
    const uint32_t count = below(&s->is.dice, chance(&s->is.dice, 30) ? 10 : 3);
    const VkMemoryBarrier2 memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                     .srcAccessMask = VK_ACCESS_2_SHADER_WRITE_BIT};
    const VkBufferMemoryBarrier2 buffer = {.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2,
                                           .dstAccessMask = VK_ACCESS_2_INDEX_READ_BIT,
                                           .buffer = s->buffers[below(&s->is.dice, BIND_BUFFERS)],
                                           .offset = 4 * below(&s->is.dice, 9),
                                           .size = VK_WHOLE_SIZE};
    struct bind_model *now = &s->is.of.now;
    const bool is_wait = wait || (!s->is_driver && chance(&s->is.dice, 20));
    if (is_wait)
        bind_shoot(&s->is.of, (enum bind_kind)ANNOT_KIND_WAIT);
    for (uint32_t i = 0; i < count; i++) {
        const struct bind_view part = part_of(s, (int)below(&s->is.dice, BIND_TEXTURES), false);
        images[i] = (VkImageMemoryBarrier2){.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
                                            .oldLayout = layout(s),
                                            .newLayout = layout(s),
                                            .image = s->textures[part.texture],
                                            .subresourceRange = range_of(&part)};
        if (images[i].oldLayout != images[i].newLayout)
            bind_enter(now, &part, part.mips, (int)images[i].newLayout);
    }
    const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .memoryBarrierCount = 1,
                                   .pMemoryBarriers = &memory,
                                   .bufferMemoryBarrierCount = 1,
                                   .pBufferMemoryBarriers = &buffer,
                                   .imageMemoryBarrierCount = count,
                                   .pImageMemoryBarriers = images};
    now->barriers += 2 + (int)count;
    if (is_wait)
        VK(CmdWaitEvents2, s->list, 1, &wait, &info);
    else
        VK(CmdPipelineBarrier2, s->list, &info);
}

/* ---- passes ---- */

static void draws(struct scene *s)
{
    for (unsigned left = below(&s->is.dice, 4); left > 0; left--)
        if (chance(&s->is.dice, 25))
            label(s, s->list);
        else if (chance(&s->is.dice, 25))
            clear_target(s);
        else if (chance(&s->is.dice, 25))
            set_vertices(s, s->list, &s->is.of);
        else
            draw(s, s->list, &s->is.of);
}

static void change(struct scene *s, const struct pass *pass, int attachment, VkImageLayout *now,
                   VkImageLayout to)
{
    if (to == VK_IMAGE_LAYOUT_UNDEFINED || *now == to)
        return;
    bind_enter(&s->is.of.now, &s->is.views[pass->views[attachment]], 1, (int)to);
    s->is.of.now.barriers++;
    *now = to;
}

static void subpass(struct scene *s, const struct pass *pass, unsigned at, VkImageLayout *now)
{
    struct bind_model *model = &s->is.of.now;
    for (int i = 0; i < 3; i++)
        change(s, pass, i, &now[i], pass->used[at][i]);
    model->view_count = 1;
    model->views[0] = pass->views[at];
    s->view_layouts[0] = pass->used[at][at];
    s->depth_layout = pass->used[at][2];
    model->depth = pass->has_depth ? pass->views[2] : BIND_NONE;
}

static void execute(struct scene *s, int bundle)
{
    struct bind_model *now = &s->is.of.now;
    VK(CmdExecuteCommands, s->list, 1, &s->bundles[bundle]);
    now->pipeline = now->compute = now->indices = BIND_UNKNOWN;
    for (int i = 0; i < BIND_SLOTS; i++)
        now->slots[i] = BIND_UNKNOWN;
    now->barriers = 0;
}

/* `is_left`: the recording is given up in it. */
static void render_pass(struct scene *s, bool is_left)
{
    const unsigned which = below(&s->is.dice, PASSES);
    const struct pass *pass = &s->passes[which];
    const bool is_bundle = which == 0 && chance(&s->is.dice, 40);
    const VkRenderPassBeginInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                        .renderPass = pass->of,
                                        .framebuffer = pass->framebuffer,
                                        .renderArea = {{0, 0}, {4, 4}}};
    VkImageLayout now[3] = {pass->before[0], pass->before[1], pass->before[2]};
    VK(CmdBeginRenderPass, s->list, &info,
       is_bundle ? VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS : VK_SUBPASS_CONTENTS_INLINE);
    for (unsigned i = 0; i < pass->subpasses; i++) {
        if (i > 0)
            VK(CmdNextSubpass, s->list, VK_SUBPASS_CONTENTS_INLINE);
        subpass(s, pass, i, now);
        if (is_bundle && i == 0)
            execute(s, 1);
        else
            draws(s);
        if (is_left)
            return;
    }
    VK(CmdEndRenderPass, s->list);
    for (int i = 0; i < 3; i++)
        change(s, pass, i, &now[i], pass->behind[i]);
    s->is.of.now.view_count = 0;
    s->is.of.now.depth = BIND_NONE;
}

static void rendering(struct scene *s)
{
    struct bind_model *now = &s->is.of.now;
    VkRenderingAttachmentInfo colors[COLORS],
        depth = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
    now->view_count = 1 + (int)below(&s->is.dice, COLORS);
    for (int i = 0; i < now->view_count; i++) {
        now->views[i] = chance(&s->is.dice, 20) ? BIND_NONE : view_of(s, i);
        colors[i] = (VkRenderingAttachmentInfo){
            .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
            .imageView = now->views[i] < 0 ? VK_NULL_HANDLE : s->views[now->views[i]],
            .imageLayout = s->view_layouts[i] = layout(s)};
    }
    now->depth = chance(&s->is.dice, 50) ? view_of(s, DEPTH) : BIND_NONE;
    if (now->depth >= 0)
        depth.imageView = s->views[now->depth];
    depth.imageLayout = s->depth_layout = layout(s);
    const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                  .renderArea = {{0, 0}, {4, 4}},
                                  .layerCount = 1,
                                  .colorAttachmentCount = (uint32_t)now->view_count,
                                  .pColorAttachments = colors,
                                  .pDepthAttachment = now->depth < 0 ? NULL : &depth};
    VK(CmdBeginRendering, s->list, &info);
    draws(s);
    VK(CmdEndRendering, s->list);
    now->view_count = 0;
    now->depth = BIND_NONE;
}

/* ---- the command buffers ---- */

static void make_bundle(struct scene *s, int index)
{
    const VkCommandBufferInheritanceInfo inherited = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .renderPass = index ? s->passes[0].of : VK_NULL_HANDLE};
    const VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT |
                 (index ? VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT : 0),
        .pInheritanceInfo = &inherited};
    struct bind_recording *to = &s->is.bundles[index];
    VkCommandBuffer list = app_allocate(&s->app, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    s->bundles[index] = list;
    name(s, VK_OBJECT_TYPE_COMMAND_BUFFER, HANDLE(list), 'L', 1 + index);
    bind_begin(&to->now, BIND_NONE, BIND_NONE);
    s->open_labels = 0;
    BIND_MUST(VK(BeginCommandBuffer, list, &info) == VK_SUCCESS);
    for (unsigned left = 1 + below(&s->is.dice, 5); left > 0; left--)
        if (chance(&s->is.dice, 25))
            label(s, list);
        else if (index && chance(&s->is.dice, 30))
            set_vertices(s, list, to);
        else if (index)
            draw(s, list, to);
        else
            dispatch(s, list, to);
    BIND_MUST(VK(EndCommandBuffer, list) == VK_SUCCESS);
}

static void start(struct scene *s)
{
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    s->is.of = (struct bind_recording){.count = 0};
    s->direct_count = s->open_labels = 0;
    bind_begin(&s->is.of.now, BIND_NONE, BIND_NONE);
    for (int i = 0; i < BIND_TEXTURES; i++)
        for (int k = 0; k < BIND_PARTS; k++)
            s->is.of.now.states[i][k] = BIND_NONE;
    BIND_MUST(VK(BeginCommandBuffer, s->list, &info) == VK_SUCCESS);
}

static void step(struct scene *s)
{
    switch (below(&s->is.dice, 14)) {
    case 0:
        set_pipeline(s, s->list, &s->is.of, chance(&s->is.dice, 50));
        break;
    case 1:
        set_vertices(s, s->list, &s->is.of);
        break;
    case 2:
        set_indices(s, s->list, &s->is.of);
        break;
    case 3:
    case 4:
        label(s, s->list);
        break;
    case 5:
        execute(s, 0);
        break;
    case 6:
    case 7:
        render_pass(s, false);
        break;
    case 8:
    case 9:
        rendering(s);
        break;
    case 10:
        barriers(s, VK_NULL_HANDLE);
        break;
    case 11:
        copy(s);
        break;
    case 12:
        clear_image(s);
        break;
    default:
        dispatch(s, s->list, &s->is.of);
    }
}

static void record(struct scene *s)
{
    for (int i = 0; i < BIND_BUNDLES; i++)
        make_bundle(s, i);
    s->list = app_allocate(&s->app, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    name(s, VK_OBJECT_TYPE_COMMAND_BUFFER, HANDLE(s->list), 'L', 0);
    start(s);
    if (chance(&s->is.dice, 30)) {
        step(s);
        if (chance(&s->is.dice, 50))
            render_pass(s, true);
        BIND_MUST(VK(ResetCommandBuffer, s->list, 0) == VK_SUCCESS);
        start(s);
    }
    const unsigned steps = 10 + below(&s->is.dice, 20), hang = below(&s->is.dice, steps);
    for (unsigned i = 0; i < steps; i++) {
        step(s);
        if (i == hang && s->is_driver)
            barriers(s, s->never);
    }
    dispatch(s, s->list, &s->is.of);
    BIND_MUST(VK(EndCommandBuffer, s->list) == VK_SUCCESS);
}

/* ---- the program ---- */

void bind_play(const struct bind_options *options, uint64_t seed, const char *dump,
               struct bind_counts *counts)
{
    static const char *const kinds[] = {"markers", "checkpoints", "barrier", "fill", "timeline"};
    struct scene *s = calloc(1, sizeof *s);
    BIND_MUST(s);
    s->is.dice.state = seed * 2654435761u;
    s->is_driver = options->evidence && strcmp(options->evidence, "driver") == 0;
    const struct app_desc desc = {.level = options->level  ? options->level
                                           : seed % 4 == 3 ? "labels"
                                                           : "exact",
                                  .evidence = s->is_driver        ? "auto"
                                              : options->evidence ? options->evidence
                                                                  : kinds[seed / 4 % 5],
                                  .dump = dump,
                                  .is_pool_resettable = true};
    bind_vulkan_open(&s->app, &desc, s->is_driver);
    s->never = s->is_driver ? bind_vulkan_event(&s->app) : VK_NULL_HANDLE;
    make_objects(s);
    record(s);
    if (!s->is_driver)
        mock.hang = (uint32_t)s->direct[below(&s->is.dice, (unsigned)s->direct_count)];
    BIND_MUST(app_submit(&s->app, s->list, VK_NULL_HANDLE) == VK_SUCCESS);
    bind_vulkan_wait(&s->app, s->is_driver, dump);
    bind_check(&s->is, dump, strcmp(desc.level, "exact") == 0, counts);
    if (!options->keep)
        unlink(dump);
}
