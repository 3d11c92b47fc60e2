/* A random program: what an application does with lists and queues, and when its GPU goes on. Every
 * part of it can be left out: what then makes no sense, or is not allowed, has no effect.
 *
 * Programs of the tracker and of the Vulkan layer have this form. Each suite has its own kinds of
 * operations, makes programs of them, and plays them. tracker_main.c does the rest for both. */
#pragma once

#include "tracker_truth.h"

enum { OP_STEP = 0 /* in every suite: the GPU does `a` things */ };

struct op {
    int kind;
    uint32_t a, b;
    uint64_t r;
};

struct setup {
    uint32_t queues;
    /* of the tracker: the promises of the layer and the GPU */
    uint32_t word_size, slots;
    bool writes_entered, writes_completed;
    uint32_t promises;
    bool starts_in_order, retires_in_order, waits;
    /* of the Vulkan layer */
    uint32_t evidence, level;
    bool has_no_timeline; /* it learns of completion from the application's waits only */
};

struct program {
    uint64_t seed;
    struct setup setup;
    struct op *ops;
    int count, capacity;
};

void program_add(struct program *program, struct op op);

/* A line of the test that is printed; nothing where none is. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
bool is_saying(void);

/* ---- of each suite ---- */

extern const char program_suite[];    /* of a test that is printed */
extern const char program_preamble[]; /* what such tests use */

/* `program` has its seed, and nothing else. */
void program_make(struct program *program);
/* Plays it. The complaint has no text yet, and none at the end if all that its dumps say is so. */
void program_play(const struct program *program, struct complaint *complaint);
