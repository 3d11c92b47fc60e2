#include "report/wait.h"

#include "hang/unfinished.h"

#include <annot/dump.h>

static void say_object(struct annot__line *line, uint64_t object)
{
    annot__line_called(line, annot__called_last(line->reader, object));
}

static void say_value(struct annot__line *line, const annot_reader_wait *wait)
{
    if (wait->signaller != 0) {
        say_object(line, wait->signaller);
        annot__line_say(line, "'s ");
    }
    annot__line_format(line, "%s ", line->words->fence);
    say_object(line, wait->fence);
    annot__line_format(line, " = %llu", (unsigned long long)wait->value);
}

/* The fence of a wait that no pending Signal ends. */
static void say_nobody(struct annot__line *line, const annot_reader_wait *wait)
{
    if (wait->flags & ANNOT_WAIT_SHARED)
        annot__line_format(line, "; the %s is shared: another device or process may signal it",
                           line->words->fence);
    else if (wait->flags & ANNOT_WAIT_CPU)
        annot__line_format(line, "; the program's CPU signals this %s", line->words->fence);
    else if (!(wait->flags & ANNOT_WAIT_KNOWN))
        annot__line_format(line, "; no queue has a pending Signal for this %s", line->words->fence);
    else if (wait->given >= wait->value && (wait->flags & ANNOT_WAIT_REWOUND))
        annot__line_format(line, "; the %s had this value, but was lowered later",
                           line->words->fence);
    else if (wait->given >= wait->value && wait->queue != ANNOT__NONE &&
             wait->giver == line->reader->streams[wait->queue].object)
        annot__line_format(line, "; the %s's only Signal comes later, on this waiting queue",
                           line->words->fence);
    else if (wait->giver == 0 && wait->given == 0)
        annot__line_format(line, "; no queue was ever told to signal the %s", line->words->fence);
    else {
        annot__line_format(line, "; the highest value that a queue was ever told to signal is %llu",
                           (unsigned long long)wait->given);
        if (wait->giver != 0) {
            annot__line_say(line, ", by ");
            say_object(line, wait->giver);
        }
    }
}

/* Where the work stands that ends the wait. */
static void say_signaller(struct annot__line *line, const annot_reader_wait *wait)
{
    const annot_reader *reader = line->reader;
    const bool is_crash = annot__is_crash(reader);
    const uint32_t queue = annot__index_find(&reader->queue_index, wait->signaller);
    if (wait->is_in_circle)
        annot__line_say(line, wait->signaller == reader->streams[wait->queue].object
                                  ? "; the Signal of this queue comes after this wait"
                                  : "; these queues wait for each other");
    else if (wait->next != ANNOT__NONE)
        annot__line_say(line, "; that queue waits for ever");
    else if (wait->suspect != ANNOT__NONE && is_crash)
        annot__line_say(line,
                        wait->suspect == 0 ? "; that queue hung" : "; that queue may have hung");
    else if (queue != ANNOT__NONE &&
             reader->streams[queue].completed < reader->streams[queue].submitted)
        annot__line_format(line, "; that queue is done with %llu of %llu submissions",
                           (unsigned long long)reader->streams[queue].completed,
                           (unsigned long long)reader->streams[queue].submitted);
}

void annot__line_wait(struct annot__line *line, const annot_reader_wait *wait)
{
    if (wait->fence == 0) {
        annot__line_format(line, "the queue waits for a %s, another queue or its turn",
                           line->words->fence);
        return;
    }
    annot__line_say(line, wait->list > 0 ? "waiting in list " : "waiting for ");
    if (wait->list > 0)
        annot__line_format(line, "%u for ", wait->list);
    say_value(line, wait);
    annot__line_format(line, ", reached %llu%s", (unsigned long long)wait->reached,
                       wait->flags & ANNOT_WAIT_LEAST ? " or more" : "");
    if (wait->waited >= 50000000)
        annot__line_format(line, ", asked %.1f s ago", (double)wait->waited / 1e9);
    if (wait->signaller != 0)
        say_signaller(line, wait);
    else
        say_nobody(line, wait);
}

/* The wait that the first line names: one of a circle; then one that no pending Signal ends, and
 * of a device that did not fail also any other. */
static const annot_reader_wait *first_wait(const annot_reader *reader)
{
    const annot_reader_wait *best = NULL;
    const bool is_crash = annot__is_crash(reader);
    for (uint32_t i = 0; i < reader->wait_count; i++) {
        const annot_reader_wait *wait = &reader->waits[i];
        if (wait->is_in_circle)
            return wait;
        if (wait->fence != 0 && !is_crash &&
            (!best || (best->signaller != 0 && wait->signaller == 0)))
            best = wait;
    }
    return best;
}

/* "Graphics" waits for "Compute"'s fence "A" = 7, "Compute" for "Graphics"'s fence "B" = 12. */
static void say_circle(struct annot__line *line, const annot_reader_wait *first)
{
    const annot_reader *reader = line->reader;
    const annot_reader_wait *wait = first;
    do {
        annot__line_say(line, wait == first ? "" : ", ");
        say_object(line, reader->streams[wait->queue].object);
        annot__line_say(line, wait == first ? " waits for " : " for ");
        say_value(line, wait);
        wait = &reader->waits[wait->next];
    } while (wait != first);
}

bool annot__line_first_wait(struct annot__line *line)
{
    const annot_reader_wait *wait = first_wait(line->reader);
    if (!wait)
        return false;
    annot__line_say(line, ": ");
    if (wait->is_in_circle) {
        say_circle(line, wait);
        return true;
    }
    annot__line_say(line, wait->queue == ANNOT__NONE ? "the program's CPU" : "queue ");
    if (wait->queue != ANNOT__NONE)
        say_object(line, line->reader->streams[wait->queue].object);
    annot__line_say(line, " is ");
    annot__line_wait(line, wait);
    return true;
}

bool annot__line_wait_advice(struct annot__line *line)
{
    const annot_reader_wait *wait = first_wait(line->reader);
    if (!wait && (annot__is_crash(line->reader) || line->reader->wait_count == 0))
        return false;
    if (!wait) {
        annot__line_say(line, "A queue has not begun its next work, and nothing says what the "
                              "queue waits for. Take another dump later: if the dump shows the "
                              "same place, the queue waits for ever.");
        return true;
    }
    if (wait->is_in_circle) {
        annot__line_format(line,
                           "In this circle, each Signal comes after a Wait. Let one queue "
                           "signal before its Wait, or signal a %s from the CPU.",
                           line->words->fence);
        return true;
    }
    annot__line_say(line, wait->signaller != 0
                              ? "Nothing says that a queue hangs. Look at the work "
                                "in front of the Signal of "
                              : "Look at the code that must signal ");
    annot__line_format(line, "%s ", line->words->fence);
    say_object(line, wait->fence);
    annot__line_format(line, " = %llu.", (unsigned long long)wait->value);
    return true;
}
