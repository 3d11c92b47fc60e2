/*
 * A random program: what an application does with lists, bundles and queues, and when its GPU goes
 * on. Every part of it can be left out: what then makes no sense has no effect.
 */
#pragma once

#include "tracker_truth.h"

enum { LISTS = 6, BUNDLES = 3 /* the last of the lists */, ARENAS = 6, WORDS_MAX = 512 };

enum op_kind {
    OP_CREATE, /* list `a`, with mode `b` in place of the one that there is */
    OP_OPEN,   /* list `a`, in arena `b`; `r`: the layer asks for no words */
    OP_BEGIN,
    OP_END,
    OP_SET,
    OP_WORK,   /* in list `a`; `b`: it hangs */
    OP_BUNDLE, /* list `a` executes bundle `b` */
    OP_CLOSE,
    OP_FORGET,
    OP_RESET, /* arena `a` */
    OP_QUEUE_BEGIN,
    OP_QUEUE_END,
    OP_QUEUE_SET, /* on queue `a` */
    OP_SUBMIT,    /* to queue `a` in the way `b`; `r`: which lists */
    OP_STEP,      /* the GPU does `a` things; `r`: which */
    OP_FENCE,     /* the application looks at queue `a`; `b`: too early */
    OP_FAIL,      /* the `a`-th allocation from here fails */
    OP_GARBAGE,   /* in word `r` */
    OP_CHECK,     /* a dump is written, and read */
    OP_KINDS
};

enum way { WAY_PLAIN, WAY_WORDS, WAY_APART, WAY_REFUSED, WAYS };

struct op {
    enum op_kind kind;
    uint32_t a, b;
    uint64_t r;
};

/* The promises of the layer and the GPU. */
struct setup {
    uint32_t word_size, slots, queues;
    bool writes_entered, writes_completed;
    uint32_t promises;
    bool starts_in_order, retires_in_order, waits;
};

struct program {
    uint64_t seed;
    struct setup setup;
    struct op *ops;
    int count;
};

void program_make(struct program *program, uint64_t seed);
void program_finish(struct program *program);

/* Plays it; the complaint is empty when all that its dumps say is so. `source` NULL, or where the
 * calls are printed, as the body of a test. */
void program_play(const struct program *program, struct complaint *complaint, FILE *source);

/* Leaves out what isn't needed for a false statement. */
void program_shrink(struct program *program);
