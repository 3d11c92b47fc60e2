/* The device's children that exist, in the order of their creation. Any thread. */
#pragma once

#include <pthread.h>
#include <stddef.h>

/* A part of each child. */
struct live_object {
    struct live_object *prev, *next;
};

struct live_objects {
    pthread_mutex_t lock;
    struct live_object *first;
    size_t count;
};

void live_objects_init(struct live_objects *objects);
void live_objects_finish(struct live_objects *objects);

void live_objects_add(struct live_objects *objects, struct live_object *object);
void live_objects_remove(struct live_objects *objects, struct live_object *object);
