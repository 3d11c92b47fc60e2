/* A GPU small enough to be tried in every state that it can be in. It knows lists, markers and one
 * queue, and nothing of the library. It reorders where it may. Each list has a front end that may
 * run ahead of the work by any distance. Lists overlap in any order that the promises under test
 * allow.
 *
 * A list is  Begin a, work, Set b, work, End a, work, Set c, work.  Its front end enters it,
 * reaches the four operations one after the other and leaves; its work retires behind that, in the
 * same steps. So a list is in one of 28 states, `retired <= reached`, and what happened to a marker
 * follows from the two numbers.
 *
 * A queue is written as a string: `{` BeginEvent, `}` EndEvent, `s` SetMarker, `(01)` a submission
 * of lists 0 and 1.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { LISTS = 3, MARKERS = 3, STEPS = 6 }; /* enter, four operations, leave */
enum { QUEUE_ITEMS = 16, NO_MARKER = -1 };

enum truth { NOT_STARTED, IN_PROGRESS, FINISHED, TRUTHS };

struct list_state {
    int reached, retired; /* steps, 0 to STEPS */
};

enum truth list_truth(struct list_state list);
enum truth marker_truth(struct list_state list, int marker);
int last_started(struct list_state list); /* marker, or NO_MARKER */
int last_completed(struct list_state list);

/* How many ways lead through all states, from nothing reached to everything retired, when at most
 * `depth` steps are reached and not retired at a time. */
double interleavings(int depth);

/* ---- the queue ---- */

enum item_kind { BEGIN, END, SET, SUBMIT };

struct item {
    enum item_kind kind;
    int scope;                /* BEGIN, END: the item of the other one; NO_MARKER: never ended */
    int list_first, list_end; /* SUBMIT: the lists; else: those before it end here */
    int operation;            /* of a marker operation: how many are before it */
};

struct timeline {
    struct item items[QUEUE_ITEMS];
    int count, operations, submissions;
};

struct timeline timeline_of(const char *text);

/* Marker operations of the queue that the front end has reached; and those where all work before
 * them is done and the GPU has said so. */
struct queue_state {
    int reached, retired;
};

/* Promises of the GPU, in the order of the library's bits. */
enum { STARTS_IN_ORDER = 1, RETIRES_IN_ORDER = 2 };

/* Whether a GPU that keeps its promises can be in this state with the fence at `fence`
 * submissions. */
bool is_possible(const struct timeline *timeline, const enum truth lists[LISTS],
                 struct queue_state queue, unsigned promises, int fence);

/* Whether it is true, in this state, to say `claim` of a marker of the queue (a BEGIN or SET item).
 * A scope whose work is all done but whose End was not passed may be called either. */
bool is_true(const struct timeline *timeline, const enum truth lists[LISTS],
             struct queue_state queue, int item, enum truth claim);

/* The item of the last Begin or Set reached, and of the last Set passed or scope left;
 * NO_MARKER. */
int queue_started(const struct timeline *timeline, struct queue_state queue);
int queue_completed(const struct timeline *timeline, struct queue_state queue);
