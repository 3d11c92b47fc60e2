/* Finds the queues whose next work waits, and the fences that they wait for. */
#include "hang/wait.h"

#include "base/little.h"

#include <annot/dump.h>

enum { SUSPECTS_SEARCHED = 256, CIRCLE_WAITS = 256 };

/* ---- what the dump says ---- */

void annot__hold_queues(annot_reader *reader)
{
    for (uint32_t i = 0; i < reader->held_count; i++) {
        const struct annot__dump_WAIT *wait = &reader->held[i].fields;
        const uint32_t queue = annot__index_find(&reader->queue_index, wait->queue);
        if (queue != ANNOT__NONE && wait->reached < wait->value)
            reader->streams[queue].held = i + 1;
    }
}

static const struct annot__held *held_of(const annot_reader *reader, uint32_t queue)
{
    const uint32_t held = queue == ANNOT__NONE ? 0 : reader->streams[queue].held;
    return held == 0 ? NULL : &reader->held[held - 1];
}

bool annot__is_held(const annot_reader *reader, uint32_t queue, uint64_t serial)
{
    const struct annot__held *held = held_of(reader, queue);
    return held && held->fields.certain && held->fields.submission > 0 &&
           serial >= held->fields.submission &&
           (held->fields.list == 0 || serial > held->fields.submission);
}

bool annot__waits_inside(const annot_reader *reader, const annot_reader_suspect *suspect)
{
    const struct annot__held *held = held_of(reader, suspect->queue);
    return held && held->fields.certain && held->fields.list > 0 &&
           held->fields.submission == suspect->serial && suspect->role != ANNOT_SUSPECT_GUILTY &&
           (suspect->op == ANNOT__WAIT_BARRIER || held->fields.flags & ANNOT_WAIT_ENDLESS);
}

/* ---- who ends it ---- */

static uint32_t suspect_of(const annot_reader *reader, uint64_t queue)
{
    for (uint32_t i = 0; i < reader->suspect_count && i < SUSPECTS_SEARCHED; i++)
        if (reader->suspects[i].queue_object == queue &&
            reader->suspects[i].role < ANNOT_SUSPECT_WAITING)
            return i;
    return ANNOT__NONE;
}

/* Of several queues that will signal the fence the one that comes first among the suspects. The
 * queue's own Signal is behind the wait, so it ends no wait. */
static void find_signaller(const annot_reader *reader, const struct annot__held *held,
                           annot_reader_wait *wait)
{
    for (size_t i = 0; i < ANNOT_SIGNALLERS_MAX && (i + 1) * 8 <= held->signallers.size; i++) {
        const uint64_t queue = annot__little_u64(held->signallers.data + i * 8);
        const uint32_t suspect = suspect_of(reader, queue);
        const bool is_own = queue == held->fields.queue && (wait->flags & ANNOT_WAIT_ENDLESS) == 0;
        if (is_own || (wait->signaller != 0 && suspect >= wait->suspect))
            continue;
        wait->signaller = queue;
        wait->suspect = suspect;
    }
}

/* ---- the waits ---- */

static void take_held(const annot_reader *reader, const struct annot__held *held,
                      annot_reader_wait *wait)
{
    const struct annot__dump_WAIT *fields = &held->fields;
    wait->fence = fields->fence;
    wait->value = fields->value;
    wait->reached = fields->reached;
    wait->flags = fields->flags;
    wait->given = fields->given;
    wait->giver = fields->giver;
    wait->waited = fields->waited;
    wait->list = fields->list;
    find_signaller(reader, held, wait);
}

/* Whether the queue stands at this wait, because all before it is done. */
static bool is_stuck(const struct annot__stream *stream, const struct annot__held *held)
{
    return held && (held->fields.certain || held->fields.list > 0) &&
           (held->fields.submission == 0 ? stream->completed >= stream->submitted
                                         : stream->completed + 1 >= held->fields.submission);
}

static void add_wait(annot_reader *reader, uint32_t queue)
{
    const struct annot__stream *stream = &reader->streams[queue];
    const struct annot__held *held = held_of(reader, queue);
    const bool is_waiting = annot_reader_queue_verdict(reader, queue) == ANNOT_QUEUE_WAITING;
    annot_reader_wait wait = {.queue = queue, .suspect = ANNOT__NONE, .next = ANNOT__NONE};
    if (!stream->is_queue || stream->object == reader->hang.guilty)
        return;
    for (uint32_t k = stream->submissions.count; k-- > 0;) {
        const uint32_t index = stream->submissions.first + k;
        const struct annot__submitted *submission = &reader->submissions[index];
        if (submission->state == ANNOT_STATE_FINISHED ||
            (submission->state != ANNOT_STATE_NOT_STARTED &&
             !annot__is_held(reader, queue, submission->serial) &&
             !(held && held->fields.list > 0 && held->fields.submission == submission->serial)))
            continue;
        wait.count++;
        wait.submission = index;
        wait.serial = submission->serial;
    }
    if (!is_waiting && !is_stuck(stream, held))
        return;
    if (wait.count == 0) { /* the dump lacks all submissions */
        wait.submission = ANNOT__NONE;
        wait.serial = stream->completed + 1;
        wait.count = stream->submitted - stream->completed;
    }
    if (held && held->fields.submission <= wait.serial &&
        (held->fields.submission > 0 || is_stuck(stream, held)))
        take_held(reader, held, &wait);
    reader->waits[reader->wait_count++] = wait;
}

/* ---- circles ---- */

/* The signaller's own wait, if both wait for ever; a number below CIRCLE_WAITS. */
static uint32_t next_of(const annot_reader *reader, const annot_reader_wait *wait)
{
    const uint32_t queue = annot__index_find(&reader->queue_index, wait->signaller);
    if (queue == ANNOT__NONE || (wait->flags & ANNOT_WAIT_ENDLESS) == 0)
        return ANNOT__NONE;
    for (uint32_t i = 0; i < reader->wait_count && i < CIRCLE_WAITS; i++)
        if (reader->waits[i].queue == queue && reader->waits[i].flags & ANNOT_WAIT_ENDLESS)
            return i;
    return ANNOT__NONE;
}

static void find_circles(annot_reader *reader)
{
    for (uint32_t i = 0; i < reader->wait_count; i++)
        reader->waits[i].next = next_of(reader, &reader->waits[i]);
    for (uint32_t i = 0; i < reader->wait_count && i < CIRCLE_WAITS; i++) {
        uint32_t at = reader->waits[i].next;
        for (uint32_t k = 0; k < CIRCLE_WAITS && at != ANNOT__NONE && at != i; k++)
            at = reader->waits[at].next;
        reader->waits[i].is_in_circle = at == i;
    }
}

void annot__find_waits(annot_reader *reader)
{
    for (uint32_t i = 0; i < reader->stream_count; i++)
        add_wait(reader, i);
    for (uint32_t i = 0; i < reader->held_count; i++) {
        const struct annot__held *held = &reader->held[i];
        if (held->fields.queue != 0 || !held->fields.certain ||
            held->fields.reached >= held->fields.value)
            continue;
        annot_reader_wait *wait = &reader->waits[reader->wait_count++];
        *wait = (annot_reader_wait){
            .queue = ANNOT__NONE, .submission = ANNOT__NONE, .suspect = ANNOT__NONE};
        take_held(reader, held, wait);
    }
    find_circles(reader);
}
