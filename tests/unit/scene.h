/* A device with a list that records, and a queue. */
#pragma once

#include "spy.h"

struct scene {
    annot_device *device;
    annot_arena *arena;
    struct spy_child list, queue;
};

/* The list is created in this mode, the queue under DRIVER_RETAIL. */
static inline struct scene scene_make_in(annot_mode list_mode, uint64_t budget)
{
    struct scene s = {.device = spy_device(list_mode, budget)};
    s.arena = spy_arena(s.device);
    s.list = spy_list(s.device, 0, spy_handle(1));
    annot_device_set_mode(s.device, ANNOT_MODE_DRIVER_RETAIL);
    s.queue = spy_queue(s.device, 0, spy_handle(2));
    cr_assert_eq(annot_context_open(s.list.context, s.arena), ANNOT_OK);
    return s;
}

static inline struct scene scene_make(uint64_t budget)
{
    return scene_make_in(ANNOT_MODE_DRIVER_RETAIL, budget);
}

/* The list has recorded one marker and is closed. */
static inline struct scene scene_recorded(annot_mode list_mode)
{
    struct scene s = scene_make_in(list_mode, 0);
    annot_context_set_marker(s.list.context, 1, "m", 1);
    annot_context_close(s.list.context);
    return s;
}

static inline void scene_done(struct scene *s)
{
    spy_child_done(s->list);
    spy_child_done(s->queue);
    annot_arena_destroy(s->arena);
    spy_device_done(s->device);
}
