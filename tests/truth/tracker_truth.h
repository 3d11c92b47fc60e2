/* The work of a GPU, for the checker to compare a dump with: executions as flat lists of
 * operations, with bundles spelled out, in the order of each queue. The tracker's model GPU fills
 * this in, and so does what runs the Vulkan layer. */
#pragma once

#include <annot/annot.h>
#include <annot/reader.h>

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- operations of an execution ---- */

enum flat_kind {
    FLAT_WRITE,    /* of a word, in front of all else or behind it */
    FLAT_PROLOGUE, /* a write in front that waits for all work of the queue before it */
    FLAT_WORK,
    FLAT_BEGIN,
    FLAT_END,
    FLAT_SET,
    FLAT_BUNDLE,
    FLAT_BUNDLE_END
};

#define NO_WORD UINT64_MAX

struct flat {
    enum flat_kind kind;
    uint32_t name;          /* of a marker; 0: it is in no dump */
    uint32_t bundle;        /* the bundle of the list that it belongs to, by its ordinal; 0: none */
    bool is_hung;           /* work that is never done */
    bool is_reached;        /* by the front end */
    bool is_begun, is_done; /* of work */
    bool is_shown, is_passed;    /* its writes of `started` and `completed` are in memory */
    uint64_t started, completed; /* offsets of words; NO_WORD: it writes none */
    uint64_t started_value, completed_value;
    int partner;   /* of BEGIN and BUNDLE: the end; of END: the BEGIN; -1: none in this execution */
    int closed_by; /* of a BEGIN without partner: the execution whose surplus END closes it; -1 */
    int closing_op; /* ... and which operation that is */
};

struct execution {
    int queue, index; /* in the truth's array */
    uint64_t serial, object;
    uint32_t list;
    struct flat *ops;
    int count, capacity;
    int reached; /* operations that the front end has passed */
    /* on the queue, in the order of submission */
    int previous;
};

/* ---- queues ---- */

enum item_kind { ITEM_BEGIN, ITEM_END, ITEM_SET, ITEM_SUBMISSION };

struct item {
    enum item_kind kind;
    uint32_t name; /* of a marker */
    int partner;   /* of BEGIN: its END; of END: its BEGIN; -1: none */
    uint64_t serial;
    int first, count; /* of a submission: executions */
};

struct queue_truth {
    uint64_t object;
    struct item *items;
    int count, capacity;
    int last_execution; /* -1: none */
};

enum { TRUTH_QUEUES = 4 };

struct truth {
    struct queue_truth queues[TRUTH_QUEUES];
    int queue_count;
    struct execution *executions;
    int count, capacity;
    bool starts_in_order, retires_in_order; /* what the GPU promises */
    bool may_be_accused; /* words were overwritten or markers expired: findings are allowed */
};

struct item *truth_item(struct truth *truth, int queue, enum item_kind kind);
struct execution *truth_execution(struct truth *truth, int queue);
struct flat *truth_op(struct execution *execution, enum flat_kind kind);
/* Sets `partner` and `closed_by`; before a check. */
void truth_pair(struct truth *truth);
void truth_finish(struct truth *truth);

/* Whether all operations of an execution, or those from one to another, have taken effect. */
bool truth_is_complete(const struct execution *execution, int from, int to);
/* Whether all work there is done. */
bool truth_is_done(const struct execution *execution, int from, int to);
/* Whether some work there has begun, or is seen to have. */
bool truth_is_begun(const struct execution *execution, int from, int to);

/* ---- what is false ---- */

enum { COMPLAINT_MAX = 512 };

struct complaint {
    uint64_t statements[4];       /* by annot_state: of executions and what is inside of them */
    char text[COMPLAINT_MAX];     /* the first false statement; "": none */
    char expected[COMPLAINT_MAX]; /* for a test: what is true of `reader` when it isn't made */
};

/* Compares every statement of the dump with the truth; adds to the complaint's numbers. */
void truth_check(const struct truth *truth, const annot_reader *reader,
                 struct complaint *complaint);

/* ---- random numbers ---- */

struct dice {
    uint64_t state;
};

static inline uint64_t roll(struct dice *dice)
{
    uint64_t z = dice->state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

/* 0 to count - 1 */
static inline uint32_t pick(struct dice *dice, uint32_t count)
{
    return (uint32_t)(roll(dice) % count);
}

static inline bool one_in(struct dice *dice, uint32_t count)
{
    return pick(dice, count) == 0;
}

/* The seed that an option names; "clock" is the clock's. */
static inline bool take_seed(const char *text, uint64_t *seed)
{
    char *end = NULL;
    if (text && strcmp(text, "clock") == 0) {
        *seed = (uint64_t)time(NULL) * 1000000;
        return true;
    }
    *seed = text ? strtoull(text, &end, 0) : 0;
    return text && end != text && *end == 0;
}

/* realloc without failure. */
static inline void *grow(void *memory, size_t size)
{
    void *more = realloc(memory, size);
    if (!more)
        abort();
    return more;
}
