/* The tables that find instances and devices, and a device's queues and command buffers. */
#include "vulkan_layer.h"

static pthread_rwlock_t registry = PTHREAD_RWLOCK_INITIALIZER;
static struct vkl_instance *instances;
static struct vkl_device *devices;

/* ---- instances and devices ---- */

#define REGISTRY(type, all)                                                                        \
    struct vkl_##type *vkl_##type##_of(void *key)                                                  \
    {                                                                                              \
        struct vkl_##type *found;                                                                  \
        pthread_rwlock_rdlock(&registry);                                                          \
        HASH_FIND_PTR(all, &key, found);                                                           \
        pthread_rwlock_unlock(&registry);                                                          \
        return found;                                                                              \
    }                                                                                              \
    bool vkl_registry_add_##type(struct vkl_##type *type)                                          \
    {                                                                                              \
        pthread_rwlock_wrlock(&registry);                                                          \
        HASH_ADD_PTR(all, key, type);                                                              \
        pthread_rwlock_unlock(&registry);                                                          \
        return VKL_IS_ADDED(type);                                                                 \
    }                                                                                              \
    void vkl_registry_remove_##type(struct vkl_##type *type)                                       \
    {                                                                                              \
        pthread_rwlock_wrlock(&registry);                                                          \
        HASH_DEL(all, type);                                                                       \
        pthread_rwlock_unlock(&registry);                                                          \
    }
REGISTRY(instance, instances)
REGISTRY(device, devices)

struct vkl_queue *vkl_queue_of(VkQueue handle, struct vkl_device **device)
{
    *device = handle ? vkl_device_of(vkl_key(handle)) : NULL;
    struct vkl_queue *queue =
        *device ? atomic_load_explicit(&(*device)->queues, memory_order_acquire) : NULL;
    while (queue && queue->handle != handle)
        queue = queue->next;
    return queue;
}

/* ---- command buffers ---- */

_Atomic uint64_t vkl_generation = 1;
VKL_THREAD_LOCAL struct vkl_cached vkl_cached;

void vkl_cmd_forget_cached(void)
{
    atomic_fetch_add_explicit(&vkl_generation, 1, memory_order_release);
}

struct vkl_cmd *vkl_cmd_find(struct vkl_device *device, VkCommandBuffer handle, uint64_t now)
{
    struct vkl_cmd *cmd = NULL;
    if (!device)
        return NULL;
    pthread_rwlock_rdlock(&device->objects);
    HASH_FIND_PTR(device->commands, &handle, cmd);
    pthread_rwlock_unlock(&device->objects);
    vkl_cached = (struct vkl_cached){handle, cmd, now};
    return cmd;
}

/* ---- fork ---- */

static void before_fork(void)
{
    pthread_rwlock_wrlock(&registry);
}

static void after_fork(void)
{
    pthread_rwlock_unlock(&registry);
}

/* Takes libannot's part from the device in a child. The notes stay, because their threads are not
 * in the child. */
static void inherit(struct vkl_device *device)
{
    pthread_rwlock_init(&device->objects, NULL);
    crash_device_inherit(&device->crash);
    pthread_mutex_init(&device->crash.waits.lock, NULL);
    device->words = (annot_vk_words){.evidence = ANNOT_VK_NONE};
    device->stamps = (struct vkl_stamps){.pool = VK_NULL_HANDLE};
    pthread_mutex_init(&device->stamps.lock, NULL);
    device->commands = NULL;
    device->pools = NULL;
    device->named = NULL;
    atomic_store_explicit(&device->queues, NULL, memory_order_relaxed);
}

/* Initializes the lock again in a child, where this thread has another number and can't unlock. */
static void enter_child(void)
{
    pthread_rwlock_init(&registry, NULL);
    for (struct vkl_device *device = devices; device; device = device->hh.next)
        inherit(device);
    vkl_cmd_forget_cached();
}

/* No lock, which a thread that is not in the child could hold there. Without memory a child that
 * uses what it inherited may hang. */
void vkl_registry_follow_forks(void)
{
    static atomic_bool are_followed;
    if (!atomic_exchange(&are_followed, true) &&
        pthread_atfork(before_fork, after_fork, enter_child) != 0)
        atomic_store(&are_followed, false);
}
