/* Dumps of a queue whose calls have times, for tests of timelines: one list, which the submissions
 * execute, of the calls
 *
 *     copy, Frame { copy, Shadow { dispatch }, dispatch }
 */
#pragma once

#include "dump_builder.h"
#include "unit_kit.h"

#include <annot/timeline.h>

enum { SET = 0, BEGIN = 1, END = 2, DISPATCH = 6, COPY = 7 };
enum { STAMPED = 1, COMPLETED = 2, NULL_RENDERING = 4, CALLED = 8 };

/* The list's operations; those that are no copy and no dispatch are markers. */
enum { TIMED_OPS = 8 };
extern const uint8_t timed_ops[TIMED_OPS];

/* Two pairs of clocks: the GPU ticks once in 1000 ns. */
extern const uint64_t timed_even[2][2];

void timed_put(uint8_t *to, uint64_t value);
void timed_clocks(struct dump *dump, size_t count, const uint64_t (*pairs)[2]);

/* The times of the four calls; 0: not done. */
void timed_history(struct dump *dump, uint64_t serial, uint32_t list, const uint64_t *times);
/* With another number of markers than the list has. */
void timed_history_of(struct dump *dump, uint64_t serial, uint32_t list, uint32_t markers,
                      const uint64_t *times);
void timed_submitted(struct dump *dump, uint64_t serial, uint64_t begin, uint64_t end,
                     uint32_t flags, uint32_t problem);

/* Up to the queue's two submissions of the list, without times. */
void timed_record(struct dump *dump, uint64_t completed);

/* The whole dump: the first submission is done; the second stopped at its third call. */
struct dump timed_frame(void);

struct timed {
    struct dump dump;
    annot_reader *reader;
    annot_timeline *timeline;
};

/* The dump goes with it. */
struct timed timed_open(struct dump dump);
void timed_close(struct timed *o);
