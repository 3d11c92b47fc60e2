/* Finds the queues whose next work waits, and the fences that they wait for. */
#include "hang/wait.h"

#include "base/little.h"

enum { SUSPECTS_SEARCHED = 256 };

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
    const uint32_t held = reader->streams[queue].held;
    return held == 0 ? NULL : &reader->held[held - 1];
}

bool annot__is_held(const annot_reader *reader, uint32_t queue, uint64_t serial)
{
    const struct annot__held *held = held_of(reader, queue);
    return held && held->fields.certain && held->fields.submission > 0 &&
           serial >= held->fields.submission;
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

/* Finds the queue that will signal the fence; of several queues, the first among the suspects. */
static void find_signaller(const annot_reader *reader, const struct annot__held *held,
                           annot_reader_wait *wait)
{
    for (size_t i = 0; i < ANNOT_SIGNALLERS_MAX && (i + 1) * 8 <= held->signallers.size; i++) {
        const uint64_t queue = annot__little_u64(held->signallers.data + i * 8);
        const uint32_t suspect = suspect_of(reader, queue);
        if (wait->signaller != 0 && suspect >= wait->suspect)
            continue;
        wait->signaller = queue;
        wait->suspect = suspect;
    }
}

/* ---- the waits ---- */

static void add_wait(annot_reader *reader, uint32_t queue)
{
    const struct annot__stream *stream = &reader->streams[queue];
    const struct annot__held *held = held_of(reader, queue);
    const bool is_waiting = annot_reader_queue_verdict(reader, queue) == ANNOT_QUEUE_WAITING;
    annot_reader_wait wait = {.queue = queue, .suspect = ANNOT__NONE};
    if (!stream->is_queue || stream->object == reader->hang.guilty)
        return;
    for (uint32_t k = stream->submissions.count; k-- > 0;) {
        const uint32_t index = stream->submissions.first + k;
        const struct annot__submitted *submission = &reader->submissions[index];
        if (submission->state == ANNOT_STATE_FINISHED ||
            (submission->state != ANNOT_STATE_NOT_STARTED &&
             !annot__is_held(reader, queue, submission->serial)))
            continue;
        wait.count++;
        wait.submission = index;
        wait.serial = submission->serial;
    }
    if (!is_waiting && !annot__is_held(reader, queue, stream->completed + 1))
        return;
    if (wait.count == 0) { /* the dump lacks all submissions */
        wait.submission = ANNOT__NONE;
        wait.serial = stream->completed + 1;
        wait.count = stream->submitted - stream->completed;
    }
    if (held && held->fields.submission > 0 && held->fields.submission <= wait.serial) {
        wait.fence = held->fields.fence;
        wait.value = held->fields.value;
        wait.reached = held->fields.reached;
        find_signaller(reader, held, &wait);
    }
    reader->waits[reader->wait_count++] = wait;
}

void annot__find_waits(annot_reader *reader)
{
    for (uint32_t i = 0; i < reader->stream_count; i++)
        add_wait(reader, i);
}
