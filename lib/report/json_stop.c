/* Writes the places where work is in progress: the path, the markers around the place, and the
 * operation. */
#include "reader/bound.h"
#include "report/wait.h"
#include "report/json_page.h"
#include "hang/hang.h"

static void marker_named(struct annot__json_page *json, const char *name, uint32_t index)
{
    if (index == ANNOT__NONE)
        return;
    annot__json_open(&json->to, name, "{");
    annot__json_entry(json, index);
    annot__json_say(json, "}");
}

static void path(struct annot__json_page *json, const annot_reader_suspect *suspect)
{
    struct annot__path of;
    annot__suspect_path(json->reader, suspect, false, &of);
    annot__json_say(json, "path:[");
    for (uint32_t i = 0; i < of.count; i++) {
        struct annot__name name;
        annot__names_of_entry(&json->names, of.entries[i], &name);
        annot__json_say(json, "%.*s", (int)name.size, name.text);
    }
    annot__json_say(json, "]");
    if (of.gap > 0)
        annot__json_say(json, "path_left_out:" JSON_DIGITS " path_left_out_after:%u",
                        (uint64_t)of.gap, (unsigned)ANNOT__PATH_END);
}

void annot__json_crumbs(struct annot__json_page *json, uint32_t index)
{
    annot_reader_crumbs of;
    if (!annot_reader_crumbs_at(json->reader, index, &of))
        return;
    annot__json_say(json, "operations:%u", of.count);
    if (of.done == UINT32_MAX) {
        annot__json_say(json, "begun:%d", false);
        return;
    }
    annot__json_say(json, "operations_done:%u", of.done);
    if (of.done < of.count)
        annot__json_say(json, "operation:%s",
                        annot_op_text(annot_reader_op(json->reader, index, of.done)));
    if (of.done > 0 && of.done <= of.count)
        annot__json_say(json, "operation_before:%s",
                        annot_op_text(annot_reader_op(json->reader, index, of.done - 1)));
    if (of.is_markers_only)
        annot__json_say(json, "markers_only:%d", true);
}

enum { STOPS_MAX = 256, AROUND = 4, HASH_TEXT = 2 * ANNOT_SHADER_DIGEST_SIZE + 1 };

static void shaders(struct annot__json_page *json, uint64_t pipeline)
{
    static const char *const forms[] = {"other", "dxbc", "dxil", "spirv"};
    annot_reader_shader shader;
    char hash[HASH_TEXT];
    if (!annot_reader_shader_of(json->reader, pipeline, 0, &shader))
        return;
    annot__json_say(json, "shaders:[");
    for (uint32_t i = 0;
         i < ANNOT_SHADERS_MAX && annot_reader_shader_of(json->reader, pipeline, i, &shader); i++) {
        annot_reader_shader_hash(&shader, hash, sizeof hash);
        annot__json_say(json, "\n{stage:%s form:%s hash:%s", annot_shader_stage_text(shader.stage),
                        forms[shader.form <= ANNOT_SHADER_FORM_SPIRV ? shader.form : 0], hash);
        annot__json_hex16(&json->to, "xxh3", shader.xxh3);
        if (shader.debug_name.size > 0)
            annot__json_short_text(json, "debug_name", shader.debug_name);
        annot__json_say(json, "}");
    }
    annot__json_say(json, "]");
}

/* Writes a state as a number, and as a text whose member's name ends with _text. */
static void state_member(struct annot__json_page *json, const char *member,
                         struct annot__bound_state state)
{
    char text[256], key[32];
    annot__state_text(json->reader, state, text, sizeof text);
    snprintf(key, sizeof key, "%s_text", member);
    annot__json_number(&json->to, member, state.value);
    annot__json_string(&json->to, key, text);
}

static void part_member(struct annot__json_page *json, uint64_t object, struct annot__part part)
{
    char text[256];
    if (!annot__part_text(json->reader, object, part, text, sizeof text))
        return;
    annot__json_say(json, "subresources:{text:%s", text);
    if (!part.is_unknown) {
        annot__json_say(json, "first_mip:%u", part.mip);
        if (part.mip_end != UINT32_MAX)
            annot__json_say(json, "mips:%u", part.mip_end - part.mip);
        annot__json_say(json, "first_slice:%u", part.slice);
        if (part.slice_end != UINT32_MAX)
            annot__json_say(json, "slices:%u", part.slice_end - part.slice);
        annot__json_say(json, "planes:%u", part.planes);
    }
    annot__json_say(json, "}");
}

/* Writes the states of used resources after the recording's barriers. */
static void states(struct annot__json_page *json, const annot_reader_operation *operation,
                   uint32_t index)
{
    const uint64_t object = operation->objects[index].object;
    struct annot__states of;
    annot__states_at(json->reader, operation, index, &of);
    part_member(json, object, annot__part_of(json->reader, object, operation->parts[index]));
    if (annot__states_are_one(&of)) {
        state_member(json, "resource_state", of.of[0].state);
        return;
    }
    if (of.count == 0)
        return;
    annot__json_say(json, "resource_states:[");
    for (uint32_t i = 0; i < of.count; i++) {
        annot__json_element(&json->to);
        part_member(json, object, of.of[i].part);
        state_member(json, "state", of.of[i].state);
        annot__json_say(json, "is_reached:%d}", of.of[i].is_known);
    }
    annot__json_say(json, "] has_unknown_states:%d", !of.is_all);
}

void annot__json_resource(struct annot__json_page *json, uint64_t object)
{
    annot_resource of;
    struct annot__bound_state state;
    if (!annot_reader_resource_of(json->reader, object, &of))
        return;
    annot__json_say(json,
                    "resource:{dimension:%u width:" JSON_DIGITS
                    " height:%u depth:%u mips:%u samples:%u format:%u",
                    of.dimension, of.width, of.height, of.depth, of.mips, of.samples, of.format);
    if (of.memory != ANNOT_MEMORY_UNKNOWN)
        annot__json_say(json, "memory:%s", annot__memory_text(of.memory));
    if (annot__state_created(json->reader, object, &state))
        state_member(json, "created_state", state);
    annot__json_say(json, "}");
}

static void bound(struct annot__json_page *json, const annot_reader_operation *operation)
{
    annot__json_say(json, "objects:[");
    for (uint32_t i = 0; i < operation->object_count; i++) {
        const annot_bound_object *of = &operation->objects[i];
        if (of->object == 0)
            continue;
        annot__json_say(json, "\n{role:%s", annot_bound_role_text(of->role));
        annot__json_called(json, "object",
                           annot__called_bound(json->reader, operation->stream, of->object));
        states(json, operation, i);
        annot__json_resource(json, of->object);
        if (of->role == ANNOT_BOUND_PIPELINE)
            shaders(json, of->object);
        annot__json_say(json, "}");
    }
    annot__json_say(json, "]");
}

static void barriers_of(struct annot__json_page *json, const annot_reader_operation *barrier)
{
    for (uint32_t i = 0; i < barrier->object_count && 2 * i + 1 < barrier->argument_count; i++) {
        const uint64_t object = barrier->objects[i].object;
        const int64_t after = barrier->arguments[2 * i + 1];
        struct annot__bound_state state = {barrier->kind, barrier->objects[i].role,
                                           (uint32_t)barrier->arguments[2 * i]};
        annot__json_say(json, "\n{number:%u", barrier->number);
        annot__json_called(json, "object",
                           annot__called_bound(json->reader, barrier->stream, object));
        part_member(json, object, annot__part_of(json->reader, object, barrier->parts[i]));
        if (annot__barrier_kind(after))
            annot__json_say(json, "kind:%s", annot__barrier_kind(after));
        if (annot__barrier_half(after))
            annot__json_say(json, "half:%s", annot__barrier_half(after));
        state_member(json, "before", state);
        state.value = (uint32_t)after;
        state_member(json, "after", state);
        annot__json_say(json, "}");
    }
}

/* Writes the barriers since the last operation that does work. */
static void barriers_before(struct annot__json_page *json, const annot_reader_operation *operation)
{
    annot_reader_operation barrier;
    struct annot__barriers of;
    annot__barriers_before(json->reader, operation, &of);
    annot__json_say(json, "barriers:[");
    for (uint32_t i = 0; i < of.shown.count; i++)
        if (annot__operation_read(json->reader, of.shown.first + i, &barrier)) {
            barrier.stream = operation->stream;
            barriers_of(json, &barrier);
        }
    annot__json_say(json, "]");
    if (of.left_out > 0)
        annot__json_say(json, "barriers_left_out:%u", of.left_out);
    if (of.is_cut)
        annot__json_say(json, "has_more_barriers:%d", true);
}

/* Writes the names of operations from `first` up to `end`. */
static void around(struct annot__json_page *json, const char *member,
                   const annot_reader_operation *at, uint32_t first, uint32_t end)
{
    char name[256];
    annot__json_open(&json->to, member, "[");
    for (uint32_t i = first; i < end; i++) {
        const size_t size =
            annot__operation_name(json->reader, at->crumbs, at->stream, i, name, sizeof name);
        annot__json_bytes(&json->to, NULL, name, size);
    }
    annot__json_say(json, "]");
}

void annot__json_call(struct annot__json_page *json, const annot_reader_operation *operation)
{
    char name[256];
    annot_reader_operation_text(operation, name, sizeof name);
    annot__json_say(json, "operation:%s text:%s arguments:[", annot_op_text(operation->kind), name);
    for (uint32_t i = 0; i < operation->argument_count; i++) {
        annot__json_separate(&json->to);
        annot__out_format(&json->out, "\"%lld\"", (long long)operation->arguments[i]);
    }
    annot__json_say(json, "]");
    bound(json, operation);
}

static void last_in_scope(struct annot__json_page *json, const annot_reader_operation *operation)
{
    annot__json_say(json, "last_operation:{number:%u is_only:%d", operation->number,
                    operation->is_only);
    annot__json_call(json, operation);
    barriers_before(json, operation);
    annot__json_say(json, "}");
}

static void stopped_at(struct annot__json_page *json, const annot_reader_suspect *suspect)
{
    annot_reader_operation operation;
    if (!annot__suspect_counted(json->reader, suspect, &operation)) {
        if (annot__suspect_operation(json->reader, suspect, &operation))
            last_in_scope(json, &operation);
        return;
    }
    const uint32_t number = json->reader->crumbs[operation.crumbs].fields.done;
    const uint32_t count = json->reader->crumbs[operation.crumbs].fields.count;
    annot__json_say(json, "stopped_at:{number:%u operations:%u in_bundle:%d", operation.number,
                    count, operation.crumbs != json->reader->executions[suspect->execution].crumbs);
    annot__json_call(json, &operation);
    barriers_before(json, &operation);
    around(json, "done_before", &operation, number > AROUND ? number - AROUND : 0, number);
    around(json, "after", &operation, number + 1,
           count - number > AROUND ? number + 1 + AROUND : count);
    annot__json_say(json, "}");
}

/* Writes the oldest list that may hang, if it is not the list in progress. */
static void earlier(struct annot__json_page *json, const annot_reader_stop *stop)
{
    if (stop->suspect == stop->execution)
        return;
    const struct annot__execution *oldest = &json->reader->executions[stop->suspect];
    annot__json_say(json, "oldest_suspect:{submission:" JSON_DIGITS " list:%u",
                    json->reader->submissions[oldest->submission].serial, oldest->list);
    annot__json_list_of(json, stop->suspect);
    annot__json_say(json, "state:%s}", annot_state_text((annot_state)oldest->state));
}

void annot__json_stops(struct annot__json_page *json)
{
    const annot_reader *reader = json->reader;
    annot__json_say(json, "in_progress:[");
    for (uint32_t i = 0; i < reader->suspect_count && i < STOPS_MAX; i++) {
        const annot_reader_suspect *suspect = &reader->suspects[i];
        const annot_reader_stop *stop = annot__stop_of(reader, suspect);
        if (!stop)
            continue;
        const struct annot__execution *execution = &reader->executions[stop->execution];
        char line[2048];
        size_t size = annot_reader_suspect_path(reader, i, line, sizeof line);
        annot__json_say(json, "\n{text:%.*s", (int)size, line);
        path(json, suspect);
        annot__json_queue_of(json, stop->submission);
        annot__json_say(json, "submission:" JSON_DIGITS " list:%u",
                        reader->submissions[stop->submission].serial, execution->list);
        annot__json_list_of(json, stop->execution);
        const uint32_t stream = execution->stream;
        if (stream != ANNOT__NONE && reader->streams[stream].call != 0)
            annot__json_say(json, "recorded_from_call:" JSON_DIGITS, reader->streams[stream].call);
        annot__json_say(
            json, "bundle:%u",
            stop->bundle == ANNOT__NONE ? 0 : annot__entry_bundle(reader, stop->bundle).ordinal);
        if (stop->bundle != ANNOT__NONE)
            annot__json_called(json, "bundle_object",
                               annot__called_in_bundle(reader, stop->bundle));
        annot__json_say(json, "between_lists:%d", stop->is_between);
        if (reader->hang.guilty != 0)
            annot__json_say(json, "guilty:%d", stop->is_guilty);
        marker_named(json, "scope",
                     stop->bundle_entry != ANNOT__NONE ? stop->bundle_entry : stop->entry);
        marker_named(json, "started", stop->started);
        marker_named(json, "completed", stop->completed);
        marker_named(json, "also_unfinished", stop->oldest);
        if (!stop->is_between && execution->crumbs != ANNOT__NONE)
            annot__json_crumbs(json, execution->crumbs);
        stopped_at(json, suspect);
        earlier(json, stop);
        annot__json_say(json, "}");
    }
    annot__json_say(json, "] in_progress_count:%u", reader->stop_count);
}

/* ---- suspects, and what waits ---- */

static void witnesses(struct annot__json_page *json, const char *member, uint32_t bits)
{
    static const char *const words[] = {"fence", "driver", "breadcrumbs", "kernel",
                                        "kernel-mode driver"};
    annot__json_open(&json->to, member, "[");
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        if (bits & 1u << i)
            annot__json_say(json, "%s", words[i]);
    annot__json_say(json, "]");
}

static void called_queue(struct annot__json_page *json, uint32_t submission, uint64_t object)
{
    annot__json_called(json, "queue",
                       submission != ANNOT__NONE
                           ? annot__called_in_submission(json->reader, submission)
                           : annot__called_last(json->reader, object));
}

static void suspect_of(struct annot__json_page *json, uint32_t index)
{
    const annot_reader_suspect *suspect = &json->reader->suspects[index];
    char line[2048];
    static const char *const roles[] = {"",       "guilty",  "in progress",
                                        "may be", "waiting", "held guilty, done"};
    static const char *const places[] = {"",        "in list",    "between lists", "counted",
                                         "started", "submission", "not kept",      "queue"};
    static const char *const sure[] = {NULL, "kind", "one of several", "certain"};
    annot__json_say(json, "\n{role:%s place:%s", roles[suspect->role], places[suspect->place]);
    called_queue(json, suspect->submission, suspect->queue_object);
    if (suspect->serial != 0)
        annot__json_say(json, "submission:" JSON_DIGITS, suspect->serial);
    if (suspect->stop != ANNOT__NONE)
        annot__json_say(json, "in_progress:%u", suspect->stop);
    const size_t size = annot_reader_suspect_path(json->reader, index, line, sizeof line);
    if (size > 0 && suspect->stop == ANNOT__NONE)
        annot__json_say(json, "path:%.*s", (int)size, line);
    if (suspect->certainty != ANNOT_OPERATION_NONE) {
        annot__json_say(json, "operation:%s certainty:%s", annot_op_text(suspect->op),
                        sure[suspect->certainty]);
        if (suspect->candidates > 1)
            annot__json_say(json, "candidates:%u", suspect->candidates);
        if (suspect->runs_on)
            annot__json_say(json, "runs_on:%d", true);
    }
    if (suspect->mixes_threads)
        annot__json_say(json, "mixes_threads:%d", true);
    if (suspect->is_at_fault)
        annot__json_say(json, "at_fault:%d", true);
    witnesses(json, "says", suspect->witnesses);
    witnesses(json, "says_otherwise", suspect->against);
    annot__json_say(json, "}");
}

static void fault(struct annot__json_page *json)
{
    const annot_reader_hang *hang = &json->reader->hang;
    if ((hang->fault_witnesses | hang->fault_against) == 0)
        return;
    annot__json_say(json, "fault:{");
    if (hang->fault_witnesses != 0)
        annot__json_say(json, "address:" JSON_HEX, hang->fault_address);
    witnesses(json, "says", hang->fault_witnesses);
    if (hang->fault_against != 0)
        annot__json_say(json, "otherwise:" JSON_HEX, hang->fault_otherwise);
    witnesses(json, "says_otherwise", hang->fault_against);
    annot__json_say(json, "}");
}

static void failure(struct annot__json_page *json)
{
#define SOURCE_MEMBER(name, bit, word)                                                             \
    annot__json_string(&json->to, word,                                                            \
                       hang->available &(bit)     ? "available"                                    \
                       : hang->cut_sources &(bit) ? "cut"                                          \
                                                  : "absent");
    const annot_reader_hang *hang = &json->reader->hang;
    annot__json_say(json, "failure:{kind:%s sentence:%s certainty:%s evidence:{",
                    annot_failure_word(hang->failure), annot_failure_sentence(hang->failure),
                    annot_certainty_word(hang->certainty));
    ANNOT_SOURCES(SOURCE_MEMBER)
    annot__json_say(json, "}}");
}

static void wait_of(struct annot__json_page *json, const annot_reader_wait *wait)
{
    const annot_reader *reader = json->reader;
    struct annot__line line;
    char words[1024];
    annot__line_init(&line, reader, words, sizeof words);
    annot__line_wait(&line, wait);
    annot__json_say(json, "\n{text:%.*s", (int)line.size, words);
    if (wait->queue != ANNOT__NONE) {
        called_queue(json, wait->submission, reader->streams[wait->queue].object);
        annot__json_say(json, "submission:" JSON_DIGITS " count:" JSON_DIGITS, wait->serial,
                        wait->count);
    }
    if (wait->fence != 0) {
        annot__json_object(json, "fence", wait->fence);
        annot__json_say(json, "value:" JSON_DIGITS " reached:" JSON_DIGITS, wait->value,
                        wait->reached);
    }
    if (wait->list > 0)
        annot__json_say(json, "list:%u", wait->list - 1);
    if (wait->signaller != 0)
        annot__json_object(json, "signaller", wait->signaller);
    if (wait->suspect != ANNOT__NONE)
        annot__json_say(json, "suspect:%u", wait->suspect);
    if (wait->is_in_circle)
        annot__json_say(json, "circle:%d", true);
    annot__json_say(json, "}");
}

void annot__json_suspects(struct annot__json_page *json)
{
    const annot_reader *reader = json->reader;
    failure(json);
    fault(json);
    annot__json_say(json, "suspects:[");
    for (uint32_t i = 0; i < reader->suspect_count && i < STOPS_MAX; i++)
        suspect_of(json, i);
    annot__json_say(json, "] waits:[");
    for (uint32_t i = 0; i < reader->wait_count && i < STOPS_MAX; i++)
        wait_of(json, &reader->waits[i]);
    annot__json_say(json, "]");
}
