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
    if (!queue)
        return;
    struct layer_device *device = queue->mirror.device;
    pthread_mutex_lock(&queue->lock);
    const uint64_t before = queue->serial, behind = before + queue->has_waited;
    if (is_wait && !queue->begun)
        queue->begun = layer_fence_create(device);
    queue->has_waited |= is_wait;
    pthread_mutex_unlock(&queue->lock);
    crash_call_note(&device->crash.waits, &queue->waiter, is_wait, layer_bound_id((uintptr_t)fence),
                    value, before, behind, 0);
}

/* A Signal that isn't kept leaves values of the fence unknown. */
void layer_list_told(struct object *object, bool is_wait, struct object *fence, uint64_t value)
{
    struct layer_list *list = layer_list_of(object);
    if (list && list->type != D3D12_COMMAND_LIST_TYPE_BUNDLE && list->fence_count < CRASH_SIGNALS)
        list->fences[list->fence_count++] = (struct crash_wait){
            .fence = layer_bound_id((uintptr_t)fence), .value = value, .list = is_wait};
    else if (!is_wait)
        layer_fence_note(fence, CRASH_FENCE_LENT, 0);
}
