/* The values of the program's fences, for the waits of queues. */
#include "layer.h"

void layer_fence_note(struct object *fence, enum crash_fence_note note, uint64_t value)
{
    const struct layer_mirror *mirror = fence ? layer_mirror_for(fence) : NULL;
    if (mirror && mirror->device)
        crash_fence_note(&mirror->device->crash.waits, annot_object_id(mirror->object), note,
                         value);
}

void layer_queue_told(struct object *object, bool is_wait, struct object *fence, uint64_t value)
{
    struct layer_queue *queue = layer_queue_of(object);
    const struct layer_mirror *mirror = fence ? layer_mirror_for(fence) : NULL;
    if (!queue)
        return;
    struct layer_device *device = queue->mirror.device;
    const uint64_t id = mirror ? annot_object_id(mirror->object) : 0;
    pthread_mutex_lock(&queue->lock);
    const uint64_t before = queue->serial, behind = before + queue->has_waited;
    if (is_wait && !queue->begun)
        queue->begun = layer_fence_create(device);
    queue->has_waited |= is_wait;
    pthread_mutex_unlock(&queue->lock);
    if (is_wait)
        crash_wait_note(&device->crash.waits, &queue->waiter, id, value, before + 1);
    else
        crash_signal_note(&device->crash.waits, &queue->waiter, id, value, before, behind);
}
