/*
 * One line that answers: what happened, in which scope, in which operation, with which shader. It
 * says no more than the parts of the report that prove it.
 */
#include "report/answer.h"
#include "hang/place.h"

#include "analysis/operation.h"
#include "analysis/ops.h"
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
        annot__line_called(line, annot__called_last(line->reader, operation->objects[i].object));
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

/* The kind of an operation that breadcrumbs count and nothing noted. */
static void say_counted(struct annot__line *line, uint32_t crumbs)
{
    const uint32_t op = annot__place_operation(line->reader, crumbs);
    if (annot__op_is_work(op)) {
        annot__line_say(line, ": ");
        annot__line_say(line, annot_op_text(op));
    }
}

static void say_operation(struct annot__line *line, const annot_reader_stop *stop)
{
    const struct annot__execution *execution = &line->reader->executions[stop->execution];
    annot_reader_operation operation;
    switch (annot__answer_operation(line->reader, stop, &operation)) {
    case ANNOT__CERTAIN:
        annot__line_say(line, ": ");
        annot__line_operation(line, &operation);
        break;
    case ANNOT__AMONG_OTHERS:
        annot__line_say(line, ": one of several operations, ");
        annot__line_operation(line, &operation);
        annot__line_say(line, " among them");
        break;
    case ANNOT__NOT_KNOWN:
        if (!stop->is_between && !execution->is_disputed && stop->bundle == ANNOT__NONE)
            say_counted(line, execution->crumbs);
        break;
    }
}

/* ---- the place ---- */

static void say_queue(struct annot__line *line, uint32_t submission)
{
    annot__line_say(line, " on queue ");
    annot__line_called(line, annot__called_in_submission(line->reader, submission));
}

static void say_list(struct annot__line *line, uint32_t execution)
{
    annot__line_say(line, "list ");
    annot__line_called(line, annot__called_in_execution(line->reader, execution));
}

static void say_between(struct annot__line *line, const annot_reader_stop *stop)
{
    const struct annot__submitted *submission = &line->reader->submissions[stop->submission];
    const bool is_first = stop->execution == submission->executions.first;
    annot__line_format(line,
                       is_first ? " in submission %llu" : " between two lists of submission %llu",
                       (unsigned long long)submission->serial);
    say_queue(line, stop->submission);
    annot__line_say(line, ", before ");
    say_list(line, stop->execution);
}

static void say_scopes(struct annot__line *line, const annot_reader_stop *stop)
{
    annot_reader_operation operation;
    const annot_reader_stop at = annot__place_stop(line->reader, stop);
    char said[256] = "";
    if (annot__answer_operation(line->reader, stop, &operation) == ANNOT__CERTAIN)
        annot_reader_operation_text(&operation, said, sizeof said);
    annot__line_say(line, " in ");
    if (at.oldest != ANNOT__NONE) {
        annot_reader_stop oldest = at;
        oldest.entry = at.oldest;
        oldest.bundle = oldest.bundle_entry = ANNOT__NONE;
        annot__line_path(line, &oldest, "");
        annot__line_say(line, " up to ");
    }
    if (annot__line_path(line, &at, said))
        return;
    say_list(line, stop->execution);
    say_queue(line, stop->submission);
}

/* Stops come with the guilty and the oldest first: without a guilty one, each may be the cause. */
static void say_stop(struct annot__line *line)
{
    const annot_reader *reader = line->reader;
    const annot_reader_stop *stop = &reader->stops[0];
    if (stop->is_between)
        say_between(line, stop);
    else
        say_scopes(line, stop);
    say_operation(line, stop);
    const uint32_t begin = annot__place_begin(reader, stop);
    if (begin != ANNOT__NONE) {
        annot__line_say(line, ", at the BeginEvent of ");
        annot__line_quoted_entry(line, begin);
    }
    if (stop->suspect != stop->execution)
        annot__line_say(line, ", or in an earlier list");
    if (reader->stop_count > 1 && !stop->is_guilty)
        annot__line_format(line, "; %u more in progress", reader->stop_count - 1);
}

/* ---- without a stop ---- */

/* Breadcrumbs of work whose markers were not kept. */
static bool say_crumbs_elsewhere(struct annot__line *line)
{
    const annot_reader *reader = line->reader;
    const uint32_t i = annot__operation_elsewhere(reader, 0);
    if (i == ANNOT__NONE)
        return false;
    annot__line_format(line, " in submission %llu on queue ",
                       (unsigned long long)reader->crumbs[i].fields.submission);
    annot__line_called(line,
                       annot__called_last(reader, reader->streams[reader->crumbs[i].queue].object));
    say_counted(line, i);
    return true;
}

static bool say_row_elsewhere(struct annot__line *line)
{
    const annot_reader *reader = line->reader;
    const uint32_t i = annot__started_elsewhere(reader, 0);
    if (i == ANNOT__NONE)
        return false;
    annot__line_format(line, " in submission %llu on queue ",
                       (unsigned long long)reader->rows[i].submission);
    annot__line_called(line,
                       annot__called_last(reader, reader->streams[reader->rows[i].queue].object));
    return true;
}

/* Behind the place: how sure it is. */
static void say_how_far(struct annot__line *line)
{
    if (!annot__evidence_is_whole(line->reader))
        annot__line_say(line, ", or in work that the damaged dump lacks");
    annot__line_say(line, ": nothing says how far it got");
}

static bool say_oldest(struct annot__line *line)
{
    uint32_t others;
    const uint32_t oldest = annot__likeliest_unknown(line->reader, &others);
    if (oldest == ANNOT__NONE || !annot__is_crash(line->reader))
        return false;
    annot__line_format(line, " in or behind submission %llu",
                       (unsigned long long)line->reader->submissions[oldest].serial);
    say_queue(line, oldest);
    if (others > 0)
        annot__line_format(line, ", or on %u other queue%s", others, others == 1 ? "" : "s");
    say_how_far(line);
    return true;
}

/* Nothing of the submission was kept. */
static bool say_pending(struct annot__line *line)
{
    const annot_reader *reader = line->reader;
    const uint32_t i = annot__pending_queue(reader);
    if (i == ANNOT__NONE || !annot__is_crash(reader))
        return false;
    annot__line_format(line, " in or behind submission %llu on queue ",
                       (unsigned long long)reader->streams[i].completed + 1);
    annot__line_called(line, annot__called_last(reader, reader->streams[i].object));
    say_how_far(line);
    return true;
}

/* ---- the application's own failure ---- */

const struct annot__stream *annot__first_recorded(const annot_reader *reader)
{
    for (uint32_t i = 0; i < reader->stream_count; i++)
        if (reader->streams[i].is_open && !reader->streams[i].is_queue)
            return &reader->streams[i];
    return NULL;
}

static void say_recording(struct annot__line *line)
{
    const annot_reader *reader = line->reader;
    const struct annot__stream *stream = annot__first_recorded(reader);
    if (!stream) {
        annot__line_say(line, ": no command list was being recorded");
        return;
    }
    annot__line_say(line, " while list ");
    annot__line_called(line, annot__called_in_recording(
                                 reader, (uint32_t)(stream - reader->streams), stream->object));
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
    if (!range)
        return;
    annot__line_say(line, range->flags & ANNOT_RANGE_FREED ? " (freed " : " (");
    annot__line_called(line, annot__called_last(reader, range->object));
    annot__line_say(line, ")");
}

/* Why the device failed, where neither its error nor a place says it. */
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

void annot__line_answer(struct annot__line *line)
{
    const annot_reader *reader = line->reader;
    const int32_t error = (int32_t)reader->device.error;
    const annot_text slow = annot__fact_of(reader, ANNOT_FACT_SLOW);
    bool is_place_known = true;
    if (slow.size > 0) {
        annot__line_say(line, "slow: ");
        annot__line_text(line, slow);
    } else if (!reader->has_device)
        annot__line_say(line, "GPU DUMP (its device record is lost)");
    else
        annot__line_say(line, annot_device_error_headline(error));
    say_fault(line);
    if (error == ANNOT_DEVICE_ERROR_APPLICATION)
        say_recording(line);
    else if (reader->stop_count > 0)
        say_stop(line);
    else
        is_place_known = say_crumbs_elsewhere(line) || say_row_elsewhere(line) ||
                         say_oldest(line) || say_pending(line);
    if (!is_place_known)
        annot__line_say(line, ": nothing is known to be in progress");
    if (slow.size > 0)
        annot__line_say(line, ", finished");
    else
        say_reason(line, is_place_known);
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
