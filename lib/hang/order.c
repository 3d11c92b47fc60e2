/* Sorts the suspects. A guilty queue is first, even if the dump lacks its work. After a page fault,
 * work that uses the address follows. Then the suspect with the most detail follows. Between equal
 * suspects names decide, not the order of queues and threads. */
#include "hang/order.h"

#include "hang/candidates.h"
#include "hang/hang.h"
#include "hang/identity.h"

enum { QUEUES = 64 /* that are compared */ };

/* How much a suspect tells; the last value tells the most. */
enum rank {
    RANK_WAITING,
    RANK_QUEUE,
    RANK_MAY_BE,
    RANK_BEGUN,
    RANK_LIST,
    RANK_SCOPE,
    RANK_CERTAIN_SCOPE, /* above names, which differ in redacted copies */
    RANK_WORK
};

/* Returns true if a scope of a list is open there, around a BeginEvent that is not done: at most
 * some of the queue are. */
static bool has_scope(const annot_reader *reader, const annot_reader_suspect *suspect)
{
    const annot_reader_stop *stop = annot__stop_of(reader, suspect);
    struct annot__path path;
    annot__suspect_path(reader, suspect, false, &path);
    uint32_t count = path.count;
    if (count > 0 && (suspect->is_call || path.entries[count - 1] == suspect->begin))
        count--;
    return stop && count > 0 &&
           !reader->streams[annot__entry_stream(reader, path.entries[count - 1])].is_queue;
}

static enum rank rank_of(const annot_reader *reader, const annot_reader_suspect *suspect)
{
    switch (suspect->place) {
    case ANNOT_SUSPECT_IN_LIST:
    case ANNOT_SUSPECT_BETWEEN_LISTS:
        if (annot__op_is_work(suspect->op) &&
            (suspect->crumbs != ANNOT__NONE ||
             (suspect->is_exact && suspect->certainty == ANNOT_OPERATION_CERTAIN)))
            return RANK_WORK;
        if (!has_scope(reader, suspect))
            return RANK_LIST;
        return suspect->is_exact ? RANK_CERTAIN_SCOPE : RANK_SCOPE;
    case ANNOT_SUSPECT_COUNTED:
        return suspect->certainty == ANNOT_OPERATION_COUNTED ? RANK_WORK : RANK_LIST;
    case ANNOT_SUSPECT_STARTED:
        return RANK_LIST;
    case ANNOT_SUSPECT_SUBMISSION:
        if (reader->submissions[suspect->submission].state == ANNOT_STATE_NOT_STARTED)
            return RANK_WAITING;
        return suspect->is_begun ? RANK_BEGUN : RANK_MAY_BE;
    case ANNOT_SUSPECT_NOT_KEPT:
    case ANNOT_SUSPECT_QUEUE:
        break;
    }
    return RANK_QUEUE;
}

/* Returns a suspect's key. The suspect with the greater key comes first. */
static unsigned key_of(const annot_reader *reader, const annot_reader_suspect *suspect)
{
    const bool is_guilty = suspect->role == ANNOT_SUSPECT_GUILTY;
    if (suspect->role == ANNOT_SUSPECT_CLEARED)
        return 0;
    const enum rank rank =
        suspect->role == ANNOT_SUSPECT_WAITING ? RANK_WAITING : rank_of(reader, suspect);
    return 1 + (unsigned)rank + 16u * suspect->is_at_fault + 32u * is_guilty;
}

/* Finds the first suspect by comparing the oldest suspect of each queue. */
static bool find_first(annot_reader *reader, uint32_t *first)
{
    struct annot__identity_room *room = NULL;
    unsigned best = 0;
    uint64_t value = 0;
    uint32_t queues = 0;
    bool has_value = false;
    *first = 0;
    for (uint32_t i = 0; i < reader->suspect_count && queues < QUEUES; i++) {
        const annot_reader_suspect *suspect = &reader->suspects[i];
        if (i > 0 && suspect->queue == reader->suspects[i - 1].queue)
            continue;
        const unsigned key = key_of(reader, suspect);
        queues++;
        if (queues > 1 && key < best)
            continue;
        if (queues > 1 && key == best) {
            if (!room && !(room = annot__identity_room_make(reader)))
                return false;
            if (!has_value)
                value = annot__identity_value(reader, *first, room);
            has_value = true;
            const uint64_t other = annot__identity_value(reader, i, room);
            if (other >= value)
                continue;
            value = other;
        } else {
            has_value = false;
        }
        *first = i;
        best = key;
    }
    annot__identity_room_free(reader, room);
    return true;
}

/* Returns a suspect's group: the first suspect, the guilty queue's, suspects at work, the
 * others. */
static unsigned turn_of(const annot_reader_suspect *suspect, bool is_first)
{
    return is_first ? 0 : (unsigned)suspect->role;
}

bool annot__order_suspects(annot_reader *reader)
{
    uint32_t first, at = 0, stops = 0;
    if (reader->suspect_count < 2)
        return true;
    if (!find_first(reader, &first)) {
        reader->allocation = ANNOT_ERROR_OUT_OF_MEMORY;
        return false;
    }
    annot_reader_suspect *suspects =
        annot__reader_allocate(reader, reader->suspects_capacity, sizeof *suspects);
    annot_reader_stop *ordered =
        annot__reader_allocate(reader, reader->stops_capacity, sizeof *ordered);
    for (unsigned turn = 0; turn <= ANNOT_SUSPECT_CLEARED && reader->allocation == ANNOT_OK; turn++)
        for (uint32_t i = 0; i < reader->suspect_count; i++) {
            if (turn_of(&reader->suspects[i], i == first) != turn)
                continue;
            suspects[at] = reader->suspects[i];
            if (suspects[at].stop != ANNOT__NONE) {
                ordered[stops] = reader->stops[suspects[at].stop];
                suspects[at].stop = stops++;
            }
            at++;
        }
    if (reader->allocation != ANNOT_OK) {
        annot__reader_release(reader, suspects, reader->suspects_capacity, sizeof *suspects);
        annot__reader_release(reader, ordered, reader->stops_capacity, sizeof *ordered);
        return false;
    }
    annot__reader_release(reader, reader->suspects, reader->suspects_capacity, sizeof *suspects);
    annot__reader_release(reader, reader->stops, reader->stops_capacity, sizeof *ordered);
    reader->suspects = suspects;
    reader->stops = ordered;
    return true;
}
