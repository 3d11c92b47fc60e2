/* The truth: all that was recorded and submitted, in order, and the counters in GPU memory that the
 * work itself has changed.
 *
 * All that a queue was given is one row of events. At one place everything before is done and
 * something behind is not; at another one, perhaps further, is the front end. Counters tell of
 * both: the first is in front of the first work that was not counted up, and behind all that was
 * counted in front of that. The front end is behind the last that was counted, and no further than
 * as much work as can be in flight, a barrier, or the end of the submission. A statement is false
 * if it fits no such two places. */
#pragma once

#include "program.h"

#include <annot/reader.h>

enum {
    ITEMS_MAX = 64,      /* of a recording */
    BUNDLE_WORDS = 16,   /* counters of one execution of a bundle */
    WORDS = 4 * 1024,    /* counters of a program */
    NO_COUNTER = -1,     /* a word of no item */
    NOWHERE = 0x7FFFFFFF /* a place that nothing comes to */
};

enum item_kind { ITEM_BEGIN, ITEM_END, ITEM_SET, ITEM_WORK, ITEM_CALL, ITEM_PREDICATE };

struct item {
    uint8_t kind;    /* enum item_kind */
    uint8_t work;    /* enum work; ITEM_PREDICATE: 1 skips what follows */
    uint8_t times;   /* the counter goes up by */
    uint32_t name;   /* of a marker: "m7" is 7 */
    int32_t word;    /* the counter, or NO_COUNTER; in a bundle: from its execution's first one */
    uint32_t bundle; /* ITEM_CALL: the recording; `word` is its first counter */
};

/* The work that was recorded between a reset and a close. */
struct recording {
    bool is_bundle, is_retained;
    bool is_known; /* a dump knows of its executions: it retains markers, or calls what does */
    uint32_t actor;
    uint32_t words;              /* a bundle's counters so far */
    uint32_t executions[QUEUES]; /* that were executed, by queue */
    uint32_t count;
    struct item items[ITEMS_MAX];
};

enum entry_kind { ENTRY_BEGIN, ENTRY_END, ENTRY_SET, ENTRY_SUBMISSION };

/* One thing that a queue was given. */
struct queue_entry {
    uint8_t kind;
    uint32_t name;         /* of a marker; of the queue when a submission was made, 0: none */
    bool is_null;          /* the driver had the submission not executed */
    bool is_known;         /* a dump knows of this submission */
    uint32_t first, count; /* of a submission: its executions */
    int begin, end;        /* of a submission */
};

struct execution {
    uint32_t recording;
    uint32_t
        nth; /* execution of its recording on this queue, from 1; without those that are null */
    uint32_t first_nth, last_nth; /* of those in the same submission, which overlap */
    uint32_t name;                /* of the list when it was submitted; 0: none */
    bool is_null;                 /* the driver had it not executed */
    int begin, end;
    uint32_t first_mark, mark_count;
    uint32_t first_place; /* of its items, one each */
};

/* Where an item of an execution begins and ends. */
struct place {
    int begin, end;
    int state; /* work: 1 done, 0 not done, -1 not known */
};

enum mark_kind { MARK_BEGIN, MARK_SET, MARK_CALL };

/* A marker, or an execution of a bundle, where it was executed. It began at `begin`; it ends at
 * `end`, or, where a bundle's surplus End may have closed it, anywhere from there to `last_end`. */
struct mark {
    uint8_t kind;
    uint32_t name;   /* MARK_CALL: its ordinal */
    uint32_t bundle; /* ordinal of the execution of a bundle that it is in, or 0 */
    int begin, end, last_end;
    int execution; /* of the queue; -1: the queue's own */
    bool is_null;  /* it was not executed */
};

struct queue_truth {
    bool is_made, is_retained;
    uint8_t type;
    uint32_t entry_count, entry_capacity;
    struct queue_entry *entries;
    uint32_t execution_count, execution_capacity;
    struct execution *executions;
    uint32_t mark_count, mark_capacity;
    struct mark *marks;
    uint32_t place_count, place_capacity;
    struct place *places;
    int events;
    int done;           /* all before this one are done */
    int limit;          /* this one is not done */
    int reached, front; /* the front end has come to the first, and not beyond the second */
    uint32_t fatal_count;
    int fatal[8]; /* work that never ends or faults */
};

struct truth {
    struct queue_truth queues[QUEUES];
    uint32_t queue_order[QUEUES], queue_count; /* as they were made */
    struct recording **recordings;
    uint32_t recording_count, recording_capacity;
    uint32_t words[WORDS]; /* the counters when the device had stopped */
    uint32_t next_word;
    unsigned in_flight; /* operations of a queue at most */
    bool has_barriers;  /* the driver leaves none out */
    uint32_t hang;      /* the marker behind which work that nothing counts may fail; 0: none */
};

void truth_finish(struct truth *truth);

/* A new recording's number. */
uint32_t truth_recording(struct truth *truth, uint32_t actor, bool is_bundle, bool is_retained);
/* NULL: there is no room for another one. */
struct item *truth_item(struct truth *truth, uint32_t recording, enum item_kind kind);
void truth_entry(struct queue_truth *queue, enum entry_kind kind, uint32_t name);
/* The submitted recordings, and the names of their lists. */
struct submitted {
    uint32_t recordings[LISTS_AT_ONCE], names[LISTS_AT_ONCE];
    uint32_t count;
    uint32_t queue_name;
    bool is_null;
};

void truth_submission(struct truth *truth, struct queue_truth *queue,
                      const struct submitted *submitted);

/* When the device has stopped: lays everything out and reads the counters. False: they contradict
 * each other, which is an error of this suite or of the emulator. */
bool truth_find_places(struct truth *truth);

/* Whether a state that is claimed of what begins and ends there can be true. */
bool truth_allows(const struct queue_truth *queue, annot_state claim, int begin, int end,
                  int last_end);
bool truth_allows_mark(const struct queue_truth *queue, annot_state claim, const struct mark *mark);

/* Whether breadcrumbs and time stamps count this item as an operation. */
bool truth_is_operation(const struct item *item);
/* The place of an execution's n-th operation, from 1; NULL: it has fewer. `item` may be NULL. */
const struct place *truth_operation(const struct truth *truth, const struct queue_truth *queue,
                                    uint32_t execution, uint32_t number, const struct item **item);

/* NULL: there is none. */
const struct mark *truth_mark(const struct queue_truth *queue, int execution, enum mark_kind kind,
                              uint32_t name, uint32_t bundle);
