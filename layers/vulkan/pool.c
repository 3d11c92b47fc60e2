/* Command pools and command buffers. Labels of a pool's recordings are in the pool's arenas:
 * libannot records one list into an arena at a time, but an application may record several command
 * buffers of a pool by turns. An arena is reset when no recording is left in it. If command buffers
 * can be reset one by one, each has its own arena.
 *
 * Vulkan requires the application to keep other threads away from a pool and its command buffers,
 * so only the tables need a lock. */
#include "calls.h"

#include <utlist.h>

/* ---- command buffers ---- */

/* Frees a command buffer, which may be incomplete. */
static void cmd_free(struct vkl_cmd *cmd)
{
    crash_stream_destroy(&cmd->stream);
    annot_object_destroy(cmd->object);
    free(cmd->checks);
    free(cmd->ranges);
    free(cmd->blocks);
    free(cmd->executed);
    free(cmd);
}

static bool stream_create(struct vkl_cmd *cmd)
{
    struct crash_device *device = &cmd->device->crash;
    const uint32_t family = cmd->pool->family;
    const annot_object_desc desc = {
        .kind = VK_OBJECT_TYPE_COMMAND_BUFFER,
        .list_type = cmd->is_secondary ? 1 : vkl_list_type(vkl_family_flags(cmd->device, family)),
        .driver_handle = &cmd->outer,
        .type = ANNOT_OBJECT_COMMAND_LIST,
        .kind_name = "VkCommandBuffer",
    };
    return annot_object_create(device->annot, &desc, &cmd->object) == ANNOT_OK &&
           crash_stream_create(&cmd->stream, device, cmd->object);
}

static void cmd_create(struct vkl_pool *pool, VkCommandBuffer handle, bool is_secondary)
{
    struct vkl_cmd *cmd = calloc(1, sizeof *cmd);
    if (!cmd)
        return;
    cmd->handle = handle;
    cmd->device = pool->device;
    cmd->pool = pool;
    cmd->is_secondary = is_secondary;
    cmd->outer.cmd = cmd->inner.cmd = cmd;
    cmd->inner.is_inner = true;
    if (stream_create(cmd)) {
        pthread_rwlock_wrlock(&pool->device->objects);
        HASH_ADD_PTR(pool->device->commands, handle, cmd);
        pthread_rwlock_unlock(&pool->device->objects);
    }
    if (VKL_IS_ADDED(cmd))
        DL_APPEND2(pool->commands, cmd, prev_in_pool, next_in_pool);
    else
        cmd_free(cmd);
}

static void cmd_destroy(struct vkl_cmd *cmd)
{
    struct vkl_device *device = cmd->device;
    pthread_rwlock_wrlock(&device->objects);
    HASH_DEL(device->commands, cmd);
    pthread_rwlock_unlock(&device->objects);
    vkl_cmd_forget_cached();
    DL_DELETE2(cmd->pool->commands, cmd, prev_in_pool, next_in_pool);
    vkl_recording_drop(cmd);
    cmd_free(cmd);
}

/* ---- pools ---- */

static struct vkl_pool *pool_of(struct vkl_device *device, VkCommandPool handle)
{
    struct vkl_pool *pool;
    pthread_rwlock_rdlock(&device->objects);
    HASH_FIND(hh, device->pools, &handle, sizeof handle, pool);
    pthread_rwlock_unlock(&device->objects);
    return pool;
}

static void pool_destroy(struct vkl_pool *pool)
{
    struct vkl_device *device = pool->device;
    while (pool->commands)
        cmd_destroy(pool->commands);
    pthread_rwlock_wrlock(&device->objects);
    HASH_DEL(device->pools, pool);
    pthread_rwlock_unlock(&device->objects);
    struct vkl_arena *arena, *next;
    LL_FOREACH_SAFE(pool->arenas, arena, next)
    {
        annot_arena_destroy(arena->annot);
        free(arena);
    }
    free(pool);
}

void vkl_pools_finish(struct vkl_device *device)
{
    while (device->pools)
        pool_destroy(device->pools);
}

static void pool_made(struct vkl_device *device, const VkCommandPoolCreateInfo *info,
                      VkCommandPool handle)
{
    struct vkl_pool *pool = calloc(1, sizeof *pool);
    if (!pool)
        return;
    pool->handle = handle;
    pool->device = device;
    pool->family = info->queueFamilyIndex;
    pool->is_resettable = info->flags & VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
    pool->is_protected = info->flags & VK_COMMAND_POOL_CREATE_PROTECTED_BIT;
    pthread_rwlock_wrlock(&device->objects);
    HASH_ADD(hh, device->pools, handle, sizeof pool->handle, pool);
    pthread_rwlock_unlock(&device->objects);
    if (!VKL_IS_ADDED(pool))
        free(pool);
}
VKL_CREATE(CreateCommandPool, VkCommandPoolCreateInfo, VkCommandPool, pool_made)

static VKAPI_ATTR void VKAPI_CALL vkl_DestroyCommandPool(VkDevice handle, VkCommandPool pool_handle,
                                                         const VkAllocationCallbacks *allocator)
{
    struct vkl_device *device = vkl_device_of(vkl_key(handle));
    struct vkl_pool *pool = pool_handle ? pool_of(device, pool_handle) : NULL;
    if (pool) {
        vkl_device_poll(device); /* what is complete may be forgotten */
        vkl_name_forget(device, VK_OBJECT_TYPE_COMMAND_POOL, (uint64_t)pool_handle);
        pool_destroy(pool);
    }
    device->next.DestroyCommandPool(handle, pool_handle, allocator);
}

static VKAPI_ATTR VkResult VKAPI_CALL vkl_ResetCommandPool(VkDevice handle,
                                                           VkCommandPool pool_handle,
                                                           VkCommandPoolResetFlags flags)
{
    struct vkl_device *device = vkl_device_of(vkl_key(handle));
    struct vkl_pool *pool = pool_of(device, pool_handle);
    if (pool) {
        struct vkl_cmd *cmd;
        vkl_device_poll(device);
        DL_FOREACH2(pool->commands, cmd, next_in_pool)
        vkl_recording_drop(cmd);
    }
    return vkl_check(device, device->next.ResetCommandPool(handle, pool_handle, flags),
                     "vkResetCommandPool");
}

static VKAPI_ATTR VkResult VKAPI_CALL vkl_AllocateCommandBuffers(
    VkDevice handle, const VkCommandBufferAllocateInfo *info, VkCommandBuffer *out)
{
    struct vkl_device *device = vkl_device_of(vkl_key(handle));
    VkResult result = device->next.AllocateCommandBuffers(handle, info, out);
    struct vkl_pool *pool = result == VK_SUCCESS ? pool_of(device, info->commandPool) : NULL;
    for (uint32_t i = 0; pool && i < info->commandBufferCount; i++)
        cmd_create(pool, out[i], info->level == VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    vkl_cmd_forget_cached(); /* a handle that was unknown may be known now */
    return vkl_check(device, result, "vkAllocateCommandBuffers");
}

static VKAPI_ATTR void VKAPI_CALL vkl_FreeCommandBuffers(VkDevice handle, VkCommandPool pool,
                                                         uint32_t count,
                                                         const VkCommandBuffer *buffers)
{
    struct vkl_device *device = vkl_device_of(vkl_key(handle));
    vkl_device_poll(device);
    for (uint32_t i = 0; i < count; i++) {
        struct vkl_cmd *cmd = buffers[i] ? vkl_cmd_of(buffers[i]) : NULL;
        if (cmd)
            cmd_destroy(cmd);
    }
    device->next.FreeCommandBuffers(handle, pool, count, buffers);
}

const struct vkl_call vkl_pool_calls[] = {VKL_POOL_CALLS(VKL_CALL){.name = NULL}};
