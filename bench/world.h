/* A device with one command list that records into one arena: what most suites measure on. */
#pragma once

#include <annot/annot.h>

struct bench_world {
    annot_device *device;
    annot_object *object;
    annot_arena *arena;
    annot_context *list;
};

/* Without a memory budget; aborts when there is no memory. */
void bench_world_init(struct bench_world *world, annot_mode mode, const annot_driver *driver,
                      const annot_allocator *allocator);
void bench_world_finish(struct bench_world *world);

/* Close, reset the arena, open: the start of a frame. */
void bench_world_rewind(struct bench_world *world);

/* A list and arena of their own on another world's device, for another thread. */
void bench_world_join(struct bench_world *world, annot_device *device);
void bench_world_leave(struct bench_world *world);
