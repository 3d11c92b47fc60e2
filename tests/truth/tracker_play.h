/* A layer that acts as the driver, on the model GPU: what plays a program's operations. */
#pragma once

#include "tracker_gpu.h"
#include "tracker_program.h"

#include <annot/evidence.h>

enum { LISTS = 6, BUNDLES = 3 /* the last of the lists */, ARENAS = 6, WORDS_MAX = 512 };

enum op_kind {
    OP_CREATE = OP_STEP + 1, /* list `a`, with mode `b` in place of the one that there is */
    OP_OPEN,                 /* list `a`, in arena `b`; `r`: the layer asks for no words */
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
    OP_FENCE,     /* the application looks at queue `a`; `b`: too early */
    OP_FAIL,      /* the `a`-th allocation from here fails */
    OP_GARBAGE,   /* in word `r` */
    OP_CHECK      /* a dump is written, and read */
};

enum way { WAY_PLAIN, WAY_WORDS, WAY_APART, WAY_REFUSED, WAYS };

/* One recorded command; markers that are retained have EventIDs. */
struct command {
    enum flat_kind kind; /* no WRITE, PROLOGUE or BUNDLE_END */
    uint32_t name;
    bool is_hung;
    uint64_t event;
    const struct recording *bundle;
    uint32_t ordinal;
};

struct recording {
    struct command *commands;
    int count, capacity, depth; /* open scopes */
    uint32_t bundles;           /* executed */
    annot_words words;
    uint32_t arena, epoch;
    bool is_retained;
    struct recording *next;
};

struct list {
    annot_object *object;
    annot_context *context;
    struct recording *open, *last; /* NULL: none */
    uint64_t event;                /* of the driver's last call */
};

struct play {
    const struct program *program;
    annot_device *device;
    annot_tracker *tracker;
    annot_dump_writer *writer;
    struct list lists[LISTS];
    annot_arena *arenas[ARENAS];
    uint32_t epochs[ARENAS];
    annot_object *queue_objects[TRUTH_QUEUES];
    annot_context *queues[TRUTH_QUEUES];
    struct recording *recordings; /* all of them */
    uint32_t names;
    struct truth truth;
    struct gpu gpu;
    uint64_t memory[WORDS_MAX];
};

void play_record(struct play *play, const struct op *op);
void play_submit(struct play *play, const struct op *op);
