/*
 * A command buffer has two streams of labels. The outer one is tracked: the GPU marks each label in
 * it. Labels that can't be marked, because a render pass allows only the application's own commands
 * or because the level doesn't track them, go to the inner stream. It is a bundle of which only the
 * place in the outer stream is known: its labels are unknown if the GPU stopped at that place, and
 * otherwise finished or not started as the place is.
 *
 *     outer   Begin "frame"    . . . .  bundle  . . . .  End
 *     inner                  Begin "shadows" End
 */
#include "vulkan_layer.h"

#include <utlist.h>

/* ---- arenas ---- */

struct vkl_arena *vkl_arena_take(struct vkl_pool *pool)
{
    struct vkl_arena *arena = pool->arenas;
    while (arena && (arena->is_busy || (pool->is_resettable && arena->users > 0)))
        arena = arena->next;
    if (!arena) {
        arena = calloc(1, sizeof *arena);
        if (!arena || annot_arena_create(pool->device->annot, &arena->annot) != ANNOT_OK) {
            free(arena);
            return NULL;
        }
        LL_PREPEND(pool->arenas, arena);
    }
    arena->is_busy = true;
    arena->users++;
    return arena;
}

void vkl_arena_leave(struct vkl_arena *arena)
{
    if (arena && --arena->users == 0)
        annot_arena_reset(arena->annot);
}

/* ---- streams ---- */

/* The inner stream is no object of the application's, and has no kind of Vulkan's. */
bool vkl_stream_create(struct vkl_stream *stream, uint32_t list_type)
{
    const annot_object_desc desc = {
        .kind = stream->is_inner ? VK_OBJECT_TYPE_UNKNOWN : VK_OBJECT_TYPE_COMMAND_BUFFER,
        .list_type = list_type,
        .driver_handle = stream,
        .type = ANNOT_OBJECT_COMMAND_LIST,
        .kind_name = stream->is_inner ? "labels without marks" : "VkCommandBuffer",
    };
    if (annot_object_create(stream->cmd->device->annot, &desc, &stream->object) != ANNOT_OK)
        return false;
    if (annot_context_create(stream->object, &stream->context) == ANNOT_OK)
        return true;
    annot_object_destroy(stream->object);
    stream->object = NULL;
    return false;
}

void vkl_stream_finish(struct vkl_stream *stream)
{
    if (!stream->object)
        return;
    annot_tracker_forget(stream->cmd->device->tracker, stream->context);
    annot_context_destroy(stream->context);
    annot_object_destroy(stream->object);
}

/* ---- the inner stream ---- */

static bool inner_open(struct vkl_cmd *cmd)
{
    if (cmd->inner_is_open)
        return true;
    if (!cmd->inner.object && !vkl_stream_create(&cmd->inner, 1))
        return false;
    if (!cmd->inner.arena)
        cmd->inner.arena = vkl_arena_take(cmd->pool);
    if (!cmd->inner.arena || annot_context_open(cmd->inner.context, cmd->inner.arena->annot))
        return false;
    cmd->inner_is_open = true;
    return true;
}

annot_context *vkl_inner_context(struct vkl_cmd *cmd)
{
    return inner_open(cmd) ? cmd->inner.context : NULL;
}

void vkl_inner_close(struct vkl_cmd *cmd)
{
    annot_context_close(cmd->inner.context);
    cmd->inner_is_open = false;
}

void vkl_bundle_execute(struct vkl_cmd *cmd, annot_context *bundle)
{
    annot_tracker_execute_bundle(cmd->device->tracker, cmd->outer.context, bundle);
    cmd->bundle_count++;
    if (cmd->device->evidence == VKL_EVIDENCE_CHECKPOINTS)
        vkl_checkpoint_set(cmd, VKL_CHECKPOINT_BUNDLE, 0);
}

void vkl_inner_flush(struct vkl_cmd *cmd)
{
    if (!cmd->inner_is_open)
        return;
    vkl_operation_flush(cmd);
    vkl_inner_close(cmd);
    vkl_bundle_execute(cmd, cmd->inner.context);
}
