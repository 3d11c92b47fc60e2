/* Writes a report's first line: what happened, in which scope, in which operation, with which
 * shader. The line claims only facts that other parts of the report prove. */
#include "report/answer.h"
#include "report/wait.h"

#include "hang/identity.h"
#include "hang/hang.h"
#include "hang/unfinished.h"

#include <annot/dump.h>

enum { HASH_SHOWN = 8 /* digits */, STAGES_SHOWN = 3 };

/* ---- the operation ---- */

static void say_shaders(struct annot__line *line, uint64_t pipeline)
{
    annot_reader_shader shader;
    char hash[2 * ANNOT_SHADER_DIGEST_SIZE + 1];
    uint32_t count = 0;
    for (; annot_reader_shader_of(line->reader, pipeline, count, &shader) && count < STAGES_SHOWN;
         count++) {
        annot_reader_shader_hash(&shader, hash, sizeof hash);
        annot__line_format(line, "%s%s %.*s", count == 0 ? " (" : ", ",
                           annot_shader_stage_text(shader.stage), HASH_SHOWN, hash);
    }
    annot__line_say(line, count > 0 ? ")" : "");
}

static void say_pipeline(struct annot__line *line, const annot_reader_operation *operation)
{
    for (uint32_t i = 0; i < operation->object_count; i++) {
        if (operation->objects[i].role != ANNOT_BOUND_PIPELINE || operation->objects[i].object == 0)
            continue;
        annot__line_say(line, " with ");
        annot__line_called(line, annot__called_bound(line->reader, operation->stream,
                                                     operation->objects[i].object));
        say_shaders(line, operation->objects[i].object);
        return;
    }
}

void annot__line_operation(struct annot__line *line, const annot_reader_operation *operation)
{
    char text[256];
    annot_reader_operation_text(operation, text, sizeof text);
    annot__line_say(line, text);
    say_pipeline(line, operation);
}

/* " (up to Light / Dispatch(7, 1, 1))": the last of those behind this operation. */
static void say_last(struct annot__line *line, const annot_reader_suspect *suspect,
                     const annot_reader_operation *operation)
{
    annot_reader_operation last;
    char name[256];
    if (!annot__suspect_last(line->reader, suspect, &last))
        return;
    const uint32_t scope = annot__event_find(line->reader, last.scope);
    annot__line_say(line, suspect->candidates > 2 ? " (up to " : " (");
    if (last.scope != operation->scope && scope != ANNOT__NONE) {
        annot__line_quoted_entry(line, scope);
        annot__line_say(line, " / ");
    }
    annot_reader_operation_text(&last, name, sizeof name);
    annot__line_format(line, "%s)", name);
}

/* Writes the operations that may have been in flight behind the oldest operation that is not done.
 * `operation` is NULL if only that operation's kind is known. */
static void say_behind(struct annot__line *line, const annot_reader_suspect *suspect,
                       const annot_reader_operation *operation)
{
    const uint32_t behind = suspect->candidates > 0 ? suspect->candidates - 1 : 0;
    const bool is_oldest = !operation || annot__is_oldest(line->reader, operation);
    if (suspect->crumbs == ANNOT__NONE || (behind == 0 && !suspect->runs_on))
        return;
    if (behind == 1)
        annot__line_say(line, is_oldest ? ", or in a later operation" : ", or in another");
    else if (behind > 1)
        annot__line_format(line, ", or in one of %u %s", behind,
                           is_oldest ? "later operations" : "others");
    if (operation && is_oldest)
        say_last(line, suspect, operation);
    if (suspect->runs_on)
        annot__line_format(line, ", or in a later %s,", line->words->list);
    annot__line_say(line, " that may have been in flight");
}

static void say_operation(struct annot__line *line, const annot_reader_suspect *suspect)
{
    annot_reader_operation operation;
    /* a number without a name, or of no call, is not shown */
    enum { NO_CALL = 255 };
    const char *counted = suspect->op == NO_CALL ? NULL : annot_breadcrumb_op_text(suspect->op);
    if (suspect->certainty == ANNOT_OPERATION_COUNTED && counted) {
        annot__line_say(line, ": ");
        annot__line_say(line, counted);
    }
    if (!annot__suspect_operation(line->reader, suspect, &operation)) {
        say_behind(line, suspect, NULL);
        return;
    }
    const bool is_known =
        suspect->certainty == ANNOT_OPERATION_CERTAIN || operation.crumbs != ANNOT__NONE;
    annot__line_say(line, is_known               ? ": "
                          : suspect->is_at_fault ? ": one of several operations, perhaps "
                                                 : ": one of several operations, for example ");
    annot__line_operation(line, &operation);
    const uint32_t scope = annot__event_find(line->reader, operation.scope);
    if (scope != ANNOT__NONE && !annot__is_oldest(line->reader, &operation)) {
        annot__line_say(line, " in ");
        annot__line_quoted_entry(line, scope);
    }
    if (suspect->is_at_fault)
        annot__line_say(line, ", which uses the memory at the address");
    say_behind(line, suspect, &operation);
}

/* ---- the place ---- */

static void say_queue(struct annot__line *line, const annot_reader_suspect *suspect)
{
    annot__line_say(line, " on queue ");
    annot__line_called(line, suspect->submission != ANNOT__NONE
                                 ? annot__called_in_submission(line->reader, suspect->submission)
                                 : annot__called_last(line->reader, suspect->queue_object));
}

static void say_list(struct annot__line *line, uint32_t execution)
{
    annot__line_format(line, "%s ", line->words->list);
    annot__line_called(line, annot__called_in_execution(line->reader, execution));
}

static void say_between(struct annot__line *line, const annot_reader_suspect *suspect)
{
    const struct annot__submitted *submission = &line->reader->submissions[suspect->submission];
    const bool is_first = suspect->execution == submission->executions.first;
    struct annot__path path;
    annot__suspect_path(line->reader, suspect, false, &path);
    if (path.count > 0) {
        annot__line_say(line, " in ");
        annot__line_path(line, suspect, false);
        annot__line_say(line, ",");
    }
    if (is_first)
        annot__line_say(line, " in");
    else
        annot__line_format(line, " between two %ss of", line->words->list);
    annot__line_format(line, " submission %llu", (unsigned long long)suspect->serial);
    say_queue(line, suspect);
    annot__line_say(line, ", before ");
    say_list(line, suspect->execution);
}

static void say_scopes(struct annot__line *line, const annot_reader_suspect *suspect)
{
    annot__line_say(line, " in ");
    /* breadcrumbs count what may have been in flight: that is said behind the operation */
    const bool is_counted =
        suspect->crumbs != ANNOT__NONE && suspect->certainty != ANNOT_OPERATION_NONE;
    if (annot__line_path(line, suspect, !suspect->is_call && !is_counted)) {
        annot__line_say(line, suspect->mixes_threads ? " (scopes of several threads)" : "");
        return;
    }
    say_list(line, suspect->execution);
    say_queue(line, suspect);
}

static void say_stop(struct annot__line *line, const annot_reader_suspect *suspect)
{
    const annot_reader_stop *stop = annot__stop_of(line->reader, suspect);
    if (stop->is_between)
        say_between(line, suspect);
    else
        say_scopes(line, suspect);
    say_operation(line, suspect);
    if (annot__is_before_begin(stop, suspect)) {
        annot__line_format(line, ", at the %s of ", line->words->begin);
        annot__line_quoted_entry(line, suspect->begin);
    }
    if (stop->suspect != stop->execution)
        annot__line_format(line, ", or in an earlier %s", line->words->list);
}

/* ---- without a stop ---- */

/* Writes how sure the place is. */
static void say_how_far(struct annot__line *line, uint32_t others)
{
    if (others > 0)
        annot__line_format(line, ", or on %u other queue%s", others, others == 1 ? "" : "s");
    if (!annot__evidence_is_whole(line->reader))
        annot__line_say(line, ", or in work that the damaged dump lacks");
    annot__line_say(line, ": nothing says how far the work got");
}

static uint32_t count_of(const annot_reader *reader, annot_suspect_role role)
{
    uint32_t count = 0;
    for (uint32_t i = 1; i < reader->suspect_count; i++)
        count += reader->suspects[i].role == role;
    return count;
}

static void say_unsure(struct annot__line *line, const annot_reader_suspect *suspect)
{
    if (suspect->serial != 0)
        annot__line_format(line, " in or after submission %llu",
                           (unsigned long long)suspect->serial);
    say_queue(line, suspect);
    say_how_far(line, suspect->role == ANNOT_SUSPECT_GUILTY
                          ? 0
                          : count_of(line->reader, ANNOT_SUSPECT_MAY_BE));
}

/* Writes the first suspect: a guilty one, or one of several possible causes. */
static void say_suspect(struct annot__line *line, const annot_reader_suspect *suspect)
{
    switch (suspect->place) {
    case ANNOT_SUSPECT_IN_LIST:
    case ANNOT_SUSPECT_BETWEEN_LISTS:
        say_stop(line, suspect);
        break;
    case ANNOT_SUSPECT_COUNTED:
    case ANNOT_SUSPECT_STARTED:
        annot__line_format(line, " in submission %llu", (unsigned long long)suspect->serial);
        say_queue(line, suspect);
        say_operation(line, suspect);
        break;
    case ANNOT_SUSPECT_SUBMISSION:
    case ANNOT_SUSPECT_NOT_KEPT:
    case ANNOT_SUSPECT_QUEUE:
        say_unsure(line, suspect);
        break;
    }
    const uint32_t more = count_of(line->reader, ANNOT_SUSPECT_IN_PROGRESS);
    if (more > 0 && suspect->role == ANNOT_SUSPECT_IN_PROGRESS)
        annot__line_format(line, "; %u more in progress", more);
}

/* Writes that the kernel names a queue whose work was done. */
static void say_cleared(struct annot__line *line)
{
    const annot_reader *reader = line->reader;
    for (uint32_t i = 0; i < reader->suspect_count; i++) {
        if (reader->suspects[i].role != ANNOT_SUSPECT_CLEARED)
            continue;
        annot__line_say(line, "; or on queue ");
        annot__line_called(line, annot__called_last(reader, reader->suspects[i].queue_object));
        annot__line_say(line,
                        ", which the kernel holds guilty, although all work of the queue is done");
    }
}

/* ---- the application's own failure ---- */

static void say_recording(struct annot__line *line)
{
    const annot_reader *reader = line->reader;
    const annot_reader_hang *hang = &reader->hang;
    if (hang->failed == ANNOT__NONE) {
        if (hang->recording == 0 || reader->device.thread != 0)
            annot__line_format(line,
                               hang->recording == 0
                                   ? ": no %s was being recorded"
                                   : ": the thread that failed was recording no %s",
                               line->words->command_list);
        else
            annot__line_format(line, " while %u %ss were being recorded", hang->recording,
                               line->words->list);
        return;
    }
    const struct annot__stream *stream = &reader->streams[hang->failed];
    annot__line_format(line, " while %s ", line->words->list);
    annot__line_called(line, annot__called_in_recording(reader, hang->failed, stream->object));
    annot__line_say(line, " was being recorded");
    if (stream->unclosed.count > 0) {
        annot__line_say(line, ", in ");
        annot__line_entry(line,
                          reader->unclosed[stream->unclosed.first + stream->unclosed.count - 1]);
    }
}

/* ---- all of it ---- */

static void say_fault(struct annot__line *line)
{
    const annot_reader *reader = line->reader;
    const struct annot__dump_RANGE *range = annot__fault_range(reader);
    if (reader->fault_count == 0)
        return;
    annot__line_format(line, " at 0x%llx", (unsigned long long)reader->fault_address);
    if (annot__is_null_fault(reader))
        annot__line_say(line, " (a null address)");
    if (!range)
        return;
    annot__line_say(line, range->flags & ANNOT_RANGE_FREED ? " (freed " : " (");
    annot__line_called(line, annot__called_last(reader, range->object));
    annot__line_say(line, ")");
}

/* Writes why the device failed, if neither the error nor a place says it. */
static void say_reason(struct annot__line *line, bool is_place_known)
{
    const annot_reader *reader = line->reader;
    const annot_text reason = reader->texts[ANNOT__DUMP_TEXT_REASON];
    const uint32_t error = reader->device.error;
    const bool is_told = error == ANNOT_DEVICE_ERROR_PAGE_FAULT ||
                         (is_place_known && error == ANNOT_DEVICE_ERROR_HUNG);
    if (reason.size == 0 || !annot__is_crash(reader) || is_told)
        return;
    annot__line_say(line, "; ");
    annot__line_text(line, reason);
}

/* Writes which processes the kernel names, unless the line says whose work the kernel reset. */
static void say_named(struct annot__line *line)
{
    annot_text named = {NULL, 0};
    for (uint32_t i = 0; i < line->reader->fact_count; i++) /* what was added last knows more */
        if (annot__text_is(line->reader->facts[i].key, ANNOT_FACT_NAMED))
            named = line->reader->facts[i].value;
    if (line->reader->hang.is_anothers || (!annot__text_begins(named, "this process") &&
                                           !annot__text_begins(named, "another process")))
        return;
    annot__line_say(line, "; the kernel's log names ");
    annot__line_text(line, named);
}

void annot__line_answer(struct annot__line *line)
{
    const annot_reader *reader = line->reader;
    const int32_t error = (int32_t)reader->device.error;
    const annot_text slow = reader->hang.slow;
    const annot_reader_suspect *suspect = annot__known_suspect(reader);
    const bool is_application = error == ANNOT_DEVICE_ERROR_APPLICATION;
    if (slow.size > 0) {
        annot__line_say(line, "slow: ");
        annot__line_text(line, slow);
    } else if (!reader->has_device)
        annot__line_say(line, "GPU DUMP (the device record is lost)");
    else if (reader->hang.is_anothers)
        annot__line_say(line, "GPU reset by another process; state of this program:");
    else
        annot__line_say(line, annot_device_error_headline(error));
    if (!reader->hang.is_anothers)
        say_fault(line);
    if (is_application)
        say_recording(line);
    else if (suspect)
        say_suspect(line, suspect);
    else if (reader->hang.is_anothers || !annot__line_first_wait(line))
        annot__line_say(line, reader->hang.is_anothers ? " idle"
                              : reader->losses[ANNOT__LOSS_SLOT_UNTOLD] > 0
                                  ? ": where is unknown"
                                  : ": nothing is known to be in progress");
    say_cleared(line);
    if (slow.size > 0)
        annot__line_say(line, ", finished");
    else
        say_reason(line, suspect || is_application);
    say_named(line);
}

size_t annot_reader_answer(const annot_reader *reader, char *buffer, size_t capacity)
{
    struct annot__line line;
    if (capacity == 0)
        return 0;
    annot__line_init(&line, reader, buffer, capacity);
    annot__line_answer(&line);
    return line.size;
}

size_t annot_reader_operation_line(const annot_reader *reader,
                                   const annot_reader_operation *operation, char *buffer,
                                   size_t capacity)
{
    struct annot__line line;
    if (capacity == 0)
        return 0;
    annot__line_init(&line, reader, buffer, capacity);
    annot__line_operation(&line, operation);
    return line.size;
}
