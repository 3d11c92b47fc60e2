/* A GPU that does what its promises allow and no more order than that. A front end passes the
 * operations of an execution one after the other. Work begins behind it and finishes at any time.
 * Words are written late. But `started` is written before the work that follows it, and `completed`
 * after the work that precedes it. */
#pragma once

#include "tracker_truth.h"

struct gpu {
    struct truth *truth;
    bool starts_in_order, retires_in_order; /* of the executions of a queue */
    bool waits;  /* the front end waits for each write behind work, as barriers have it */
    bool drains; /* and each write for all work in front of it [ANNOT_PROMISE_DRAINS] */
    uint32_t word_size;
    unsigned char *memory;
    void (*wrote)(uint64_t offset, uint64_t value); /* NULL, or tells of each write */
};

/* Does something that may happen next; false: it found nothing in a few attempts. */
bool gpu_step(struct gpu *gpu, struct dice *dice);
/* The last serial up to which all of the queue is complete. */
uint64_t gpu_fence(const struct gpu *gpu, int queue);
