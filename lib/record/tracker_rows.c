/* Reads the words of the executions in flight, and makes the rows of a crash report.
 *
 * Executions of one recording share its words. Each execution except the first has a prologue,
 * whose words say whether the recording's words now belong to the execution:
 *
 *     prologue's word      started                            completed
 *     0                    an earlier one's                   an earlier one's
 *     ANNOT_WORD_ENTERED   being cleared: nobody's,           being cleared: all work before
 *                          no marker of this one is reached   is done, none of this one is
 *     ANNOT_WORD_LEFT      this one's                         this one's
 */
#include "record/tracker.h"

#include <string.h>

static uint64_t word_at(const annot_tracker *tracker, uint64_t offset)
{
    const char *at = (const char *)tracker->desc.memory + offset;
    if (tracker->desc.word_size == 8)
        return __atomic_load_n((const uint64_t *)(const void *)at, __ATOMIC_RELAXED);
    return __atomic_load_n((const uint32_t *)(const void *)at, __ATOMIC_RELAXED);
}

/* Which words of the recording belong to the flight: a line of the table for each word. */
struct passed {
    uint64_t started, completed;
};

static struct passed passed_to(const annot_tracker *tracker, const struct annot__flight *flight)
{
    const annot_words own = annot__words_of(tracker, flight->own);
    if (flight->own == ANNOT__NO_SLOT)
        return (struct passed){ANNOT_WORD_LEFT, ANNOT_WORD_LEFT};
    return (struct passed){word_at(tracker, own.started), word_at(tracker, own.completed)};
}

/* Finds the flights to which the words of each slot belong. Hold the lock. */
static void find_owners(annot_tracker *tracker)
{
    for (uint32_t i = 0; i < tracker->flight_count; i++)
        if (tracker->flights[i].slot != ANNOT__NO_SLOT) {
            struct annot__words_slot *slot = &tracker->slots[tracker->flights[i].slot];
            slot->claimed_by = slot->entered_by = ANNOT__NO_FLIGHT;
            slot->is_garbled = false;
        }
    for (uint32_t i = 0; i < tracker->flight_count; i++) {
        const struct annot__flight *flight = &tracker->flights[i];
        if (flight->slot == ANNOT__NO_SLOT)
            continue;
        struct annot__words_slot *slot = &tracker->slots[flight->slot];
        const struct passed passed = passed_to(tracker, flight);
        if (passed.completed != 0)
            slot->claimed_by = i;
        if (passed.started != 0)
            slot->entered_by = i;
        slot->is_garbled |= passed.started > ANNOT_WORD_LEFT || passed.completed > ANNOT_WORD_LEFT;
    }
}

/* Returns the EventID in a word. *is_lost becomes true if no marker has the word's value. */
static uint64_t event_of(const annot_tracker *tracker, uint64_t word, bool *is_lost)
{
    if (word <= ANNOT_WORD_LEFT)
        return 0;
    const uint64_t newest = annot_device_event_from_word(tracker->device, (uint32_t)word);
    uint64_t event = newest;
    if (tracker->desc.word_size == 8) /* perhaps an earlier marker of the same memory */
        event = word > UINT32_MAX && word <= newest ? word : 0;
    *is_lost |= event == 0;
    return event;
}

/* The values of an execution's words, if it has words. */
struct reading {
    bool has_started, has_completed;
    uint64_t started, completed;
};

/* Fills in the row of an execution that the GPU has reached and not left. */
static void row_fill_inside(const annot_tracker *tracker, const struct reading *words,
                            annot_progress *row)
{
    bool is_lost = false;
    const uint64_t started = event_of(tracker, words->started, &is_lost);
    const uint64_t completed = event_of(tracker, words->completed, &is_lost);
    if (is_lost) {
        row->inside = ANNOT_INSIDE_LOST;
        return;
    }
    row->state = ANNOT_PROGRESS_STARTED;
    if (!annot_device_is_supported(tracker->device))
        return; /* no EventIDs are written, so a missing EventID proves nothing */
    row->inside = (words->has_started ? ANNOT_INSIDE_STARTED : 0u) |
                  (words->has_completed ? ANNOT_INSIDE_COMPLETED : 0u);
    row->started = started;
    row->completed = completed;
}

/* Fills in a row of an execution whose `completed` is not written: `started` says that markers were
 * reached. */
static void row_fill_started(const annot_tracker *tracker, const struct reading *words,
                             annot_progress *row)
{
    bool is_lost = false;
    const uint64_t event = event_of(tracker, words->started, &is_lost);
    if (event == 0)
        return;
    row->inside = ANNOT_INSIDE_STARTED;
    row->started = event;
}

static struct reading read_words(const annot_tracker *tracker, uint32_t index, struct passed passed)
{
    const struct annot__flight *flight = &tracker->flights[index];
    const struct annot__words_slot *slot = &tracker->slots[flight->slot];
    const annot_words words = annot__words_of(tracker, flight->slot);
    struct reading reading = {
        .has_started = slot->entered_by == index,
        .has_completed = slot->claimed_by == index,
    };
    /* the GPU may have left the execution since find_owners */
    if (reading.has_completed && passed.completed == ANNOT_WORD_LEFT)
        reading.completed = word_at(tracker, words.completed);
    if (reading.has_started && passed.started == ANNOT_WORD_LEFT)
        reading.started = word_at(tracker, words.started);
    return reading;
}

/* Leaves the row UNKNOWN if there are no words, or several executions share them. */
static void row_fill(const annot_tracker *tracker, uint32_t index, annot_progress *row)
{
    const struct annot__flight *flight = &tracker->flights[index];
    if (flight->slot == ANNOT__NO_SLOT)
        return;
    const struct annot__words_slot *slot = &tracker->slots[flight->slot];
    if (slot->is_shared || slot->is_stray || slot->is_garbled)
        return;
    const struct passed passed = passed_to(tracker, flight);
    const struct reading words = read_words(tracker, index, passed);
    const bool is_left_behind = slot->entered_by != ANNOT__NO_FLIGHT && index < slot->entered_by;
    const bool is_empty = words.started == 0 && words.completed == 0;
    if (!tracker->desc.writes_completed)
        row_fill_started(tracker, &words, row);
    else if (slot->claimed_by != ANNOT__NO_FLIGHT && index < slot->claimed_by)
        row->state = ANNOT_PROGRESS_FINISHED; /* a later execution found all earlier work done */
    else if (words.completed == ANNOT_WORD_LEFT)
        row->state = ANNOT_PROGRESS_FINISHED;
    else if (passed.started == 0 || (flight->own == ANNOT__NO_SLOT && is_empty && !is_left_behind))
        row->state = tracker->desc.writes_entered && !is_left_behind ? ANNOT_PROGRESS_NOT_STARTED
                                                                     : ANNOT_PROGRESS_UNKNOWN;
    else
        row_fill_inside(tracker, &words, row);
}

/* The numbers of rows that each queue may have if not all fit. Queues past the last share one
 * number. The hanging queue may have the newest rows, and the list that hangs may be its newest. */
enum { SHARES = 64 };

struct shares {
    uint64_t queues[SHARES];
    uint32_t rows[SHARES], over[SHARES]; /* `over`: how many rows don't fit */
    uint32_t count, most, left;
};

static uint32_t share_of(const struct shares *shares, uint64_t queue)
{
    uint32_t i = 0;
    while (i < shares->count && shares->queues[i] != queue)
        i++;
    return i < SHARES ? i : SHARES - 1;
}

static uint32_t count_in_flight(const annot_tracker *tracker, struct shares *shares)
{
    uint32_t count = 0;
    shares->count = 0;
    for (uint32_t i = 0; i < tracker->flight_count; i++) {
        const struct annot__flight *flight = &tracker->flights[i];
        if (!flight->object)
            continue;
        const uint32_t share = share_of(shares, flight->queue);
        if (share == shares->count) {
            shares->queues[shares->count++] = flight->queue;
            shares->rows[share] = 0;
        }
        shares->rows[share]++;
        count++;
    }
    return count;
}

/* Gives rows that queues don't need to other queues. The rest `left`, less than one row a queue,
 * goes to the first queues. */
static void divide(struct shares *shares, uint32_t capacity)
{
    uint32_t fitting = 0;
    shares->most = 0;
    shares->left = capacity;
    for (bool is_more = true; is_more && fitting < shares->count;) {
        const uint32_t most = shares->most + shares->left / (shares->count - fitting);
        is_more = most > shares->most;
        shares->most = most;
        fitting = 0;
        shares->left = capacity;
        for (uint32_t i = 0; i < shares->count; i++) {
            fitting += shares->rows[i] <= most;
            shares->left -= shares->rows[i] < most ? shares->rows[i] : most;
        }
    }
    for (uint32_t i = 0; i < shares->count; i++)
        shares->over[i] = shares->rows[i] > shares->most ? shares->rows[i] - shares->most : 0;
    memset(shares->rows, 0, sizeof shares->rows);
}

static bool take_row(struct shares *shares, uint64_t queue, bool is_finished)
{
    const uint32_t share = share_of(shares, queue);
    uint32_t *taken = &shares->rows[share];
    if (is_finished && shares->over[share] > 0) {
        shares->over[share]--;
        return false;
    }
    const bool is_own = *taken < shares->most, is_left = !is_own && shares->left > 0;
    *taken += is_own;
    shares->left -= is_left;
    return is_own || is_left;
}

/* Fills in rows; if there is no room for all, the rows of each queue's oldest executions that are
 * not finished. Returns the number of rows; *in_flight is the number of executions. Hold the lock.
 */
static uint32_t rows_fill(annot_tracker *tracker, annot_progress *rows, uint32_t capacity,
                          uint32_t *in_flight)
{
    uint32_t count = 0;
    struct shares shares;
    *in_flight = count_in_flight(tracker, &shares);
    if (*in_flight > capacity)
        divide(&shares, capacity);
    find_owners(tracker);
    for (uint32_t i = 0; i < tracker->flight_count; i++) {
        const struct annot__flight *flight = &tracker->flights[i];
        annot_progress row = {
            .queue = flight->queue,
            .object = flight->object,
            .submission = flight->serial,
            .list = flight->list,
            .bundle = flight->bundle,
        };
        if (!flight->object)
            continue;
        row_fill(tracker, i, &row);
        if (*in_flight <= capacity ||
            take_row(&shares, flight->queue, row.state == ANNOT_PROGRESS_FINISHED))
            rows[count++] = row;
    }
    return count;
}

bool annot_tracker_report(annot_tracker *tracker, annot_crash_report *report)
{
    uint64_t wait_left = ANNOT__CRASH_WAIT_NS;
    uint32_t in_flight;
    if (!annot__tracker_is_usable(tracker) || !report ||
        !annot__mutex_try_for(&tracker->lock, &wait_left))
        return false;
    report->order_window = tracker->desc.order_window;
    report->promises = tracker->desc.promises;
    report->progress = tracker->rows;
    report->progress_count = rows_fill(tracker, tracker->rows, tracker->flight_count, &in_flight);
    annot__mutex_unlock(&tracker->lock);
    return true;
}

bool annot_tracker_copy_rows(annot_tracker *tracker, annot_progress *rows, uint32_t capacity,
                             uint32_t *count, uint32_t *in_flight)
{
    uint64_t wait_left = ANNOT__CRASH_WAIT_NS;
    if (!count || !in_flight)
        return false;
    *count = *in_flight = 0;
    if (!annot__tracker_is_usable(tracker) || (!rows && capacity > 0) ||
        !annot__mutex_try_for(&tracker->lock, &wait_left))
        return false;
    *count = rows_fill(tracker, rows, capacity, in_flight);
    annot__mutex_unlock(&tracker->lock);
    return true;
}
