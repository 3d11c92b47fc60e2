/* A layer that acts as the driver, on the model GPU: what plays a program's operations. */
#pragma once

#include "tracker_gpu.h"
#include "tracker_program.h"

#include <annot/evidence.h>

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

/* A line of the test that is printed; nothing where none is. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

void play_record(struct play *play, const struct op *op);
void play_submit(struct play *play, const struct op *op);
