/* Arenas, into which command buffers of a pool record their labels, and labels that can't be
 * followed, because a render pass allows only the application's commands or the level doesn't track
 * these labels. */
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
        if (!arena || annot_arena_create(pool->device->crash.annot, &arena->annot) != ANNOT_OK) {
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

/* ---- the inner stream ---- */

annot_context *vkl_inner_context(struct vkl_cmd *cmd)
{
    if (cmd->stream.inner_is_open)
        return cmd->stream.inner;
    if (!cmd->inner_arena)
        cmd->inner_arena = vkl_arena_take(cmd->pool);
    return crash_stream_open_inner(&cmd->stream, cmd->inner_arena ? cmd->inner_arena->annot : NULL,
                                   &cmd->inner)
               ? cmd->stream.inner
               : NULL;
}

static void bundle_executed(struct vkl_cmd *cmd)
{
    cmd->bundle_count++;
    vkl_stamp(cmd, VKL_CHECKPOINT_BUNDLE, 0);
    if (cmd->device->evidence == VKL_EVIDENCE_CHECKPOINTS)
        vkl_checkpoint_set(cmd, VKL_CHECKPOINT_BUNDLE, 0);
}

void vkl_bundle_execute(struct vkl_cmd *cmd, annot_context *bundle)
{
    crash_stream_execute(&cmd->stream, bundle);
    bundle_executed(cmd);
}

void vkl_inner_flush(struct vkl_cmd *cmd)
{
    if (!cmd->stream.inner_is_open)
        return;
    crash_stream_flush(&cmd->stream);
    bundle_executed(cmd);
}
