/* Replays calls in a loop: every fence and other synchronisation starts each round in its first
 * state. */
#include "state.h"

#include "array.h"

struct tracked {
    uint64_t number; /* object */
    uint64_t value;  /* a fence's value where the loop begins */
    bool is_fence;
};

static bool track(struct replay *r, struct tracked one)
{
    if (!ARRAY_ROOM(r->tracked, r->tracked_count, r->tracked_capacity))
        return false;
    r->tracked[r->tracked_count++] = one;
    return true;
}

void loop_note(struct replay *r, const struct pending *p, const struct trace_item *item)
{
    const bool is_fence = p->method == METHOD_ID3D12Device_CreateFence;
    const uint64_t number = item->size >= 8 ? word_at(item, item->size / 8 - 1) : 0;
    if (!r->options->loop_last || r->has_saved || (int32_t)p->result.word < 0 || !number)
        return;
    if (is_fence || p->method == METHOD_ID3D12Device_CreateCommandQueue ||
        p->method == METHOD_ID3D12Device9_CreateCommandQueue1)
        r->lacks_memory |= !track(r, (struct tracked){number, 0, is_fence});
}

/* Returns the object; NULL: the object is of the other kind, or gone. */
static void *tracked_as(struct replay *r, size_t i, bool is_fence)
{
    const uint16_t type = is_fence ? TYPE_ID3D12Fence : TYPE_ID3D12CommandQueue;
    void *object;
    return r->tracked[i].is_fence == is_fence &&
                   objects_find(r->objects, r->tracked[i].number, type, &object) == OBJECTS_FINE
               ? object
               : NULL;
}

static void finish_work(struct replay *r)
{
    for (size_t i = 0; i < r->tracked_count; i++) {
        void *queue = tracked_as(r, i, false);
        if (queue)
            call_queue_wait(queue);
    }
}

void loop_begin(struct replay *r, bool is_repeated)
{
    replay_pause(r, true);
    finish_work(r);
    for (size_t i = 0; i < r->tracked_count; i++) {
        void *fence = tracked_as(r, i, true);
        if (fence && is_repeated)
            call_fence_set(fence, r->tracked[i].value);
        else if (fence)
            r->tracked[i].value = resource_fence_value(fence);
    }
    r->has_saved |= !is_repeated;
    r->is_repeated = is_repeated;
    replay_pause(r, false);
}
