/* The world of most suites: a device with one command list that records into one arena. */
#pragma once

#include <annot/annot.h>

struct bench_world {
    annot_device *device;
    annot_object *object;
    annot_arena *arena;
    annot_context *list;
};

/* Makes a world without a memory budget. Aborts if memory runs out. */
void bench_world_init(struct bench_world *world, annot_mode mode, const annot_driver *driver,
                      const annot_allocator *allocator);
void bench_world_finish(struct bench_world *world);

/* Closes the list, resets the arena and opens the list: the start of a frame. */
void bench_world_rewind(struct bench_world *world);

/* Makes another list and arena on the same device, for another thread. */
void bench_world_join(struct bench_world *world, annot_device *device);
void bench_world_leave(struct bench_world *world);
