/* Writes the report for programs: one JSON object. Trees are flat arrays in order, with the depth
 * of each entry, so that no parser's recursion limit matters. 64-bit identities are strings of
 * hexadecimal digits, because some parsers lose digits of numbers. docs/DUMP_FORMAT.md lists the
 * members. */
#include "json/json_identity.h"
#include "report/json_page.h"
#include "base/sized.h"

static void walk_markers(struct annot__json_page *json, struct annot__walk *walk)
{
    struct annot__node node;
    annot__json_say(json, "markers:[");
    while (annot__walk_next(walk, &node) && annot__json_take_node(json)) {
        annot__json_say(json, "\n{depth:" JSON_U64, node.depth);
        annot__json_entry(json, node.entry);
        if (walk->execution)
            annot__json_say(json, "state:%s", annot_state_text(node.state));
        if (walk->execution && node.state == ANNOT_STATE_UNKNOWN)
            annot__json_say(json, "evidence:%s", annot_evidence_text(json->reader, node.evidence));
        if (node.bundle != ANNOT__NONE)
            annot__json_say(json, "in_bundle:%u",
                            annot__entry_bundle(json->reader, node.bundle).ordinal);
        if (node.closes_earlier)
            annot__json_say(json, "closes_earlier_list:%d", true);
        annot__json_say(json, "}");
        annot__walk_enter(walk, &node);
    }
    annot__json_say(json, "]");
}

static void enclosing(struct annot__json_page *json)
{
    const annot_reader *reader = json->reader;
    if (json->outer.count == 0)
        return;
    annot__json_say(json, "enclosing:[");
    for (uint32_t i = 0; i < json->outer.count; i++) {
        const struct annot__crossing *crossing = &reader->crossings[json->outer.crossings[i]];
        const struct annot__execution *opener = &reader->executions[crossing->opener];
        uint32_t first = reader->streams[opener->stream].unclosed.first + crossing->first;
        for (uint32_t k = 0; k < crossing->count && annot__json_take_node(json); k++) {
            annot__json_element(&json->to);
            annot__json_entry(json, reader->unclosed[first + k]);
            annot__json_say(json,
                            "state:%s opened_in_submission:" JSON_DIGITS " opened_in_list:%u}",
                            annot_state_text(annot__outer_scope_state(reader, crossing, k)),
                            reader->submissions[opener->submission].serial, opener->list);
        }
    }
    annot__json_say(json, "]");
}

static void answer(struct annot__json_page *json)
{
    char words[4096];
    annot_reader_answer(json->reader, words, sizeof words);
    annot__json_say(json, "answer:%s advice:[", words);
    for (size_t i = 0; annot_reader_advice(json->reader, i, words, sizeof words) > 0; i++)
        annot__json_say(json, "%s", words);
    annot__json_say(json, "]");
}

static void signature(struct annot__json_page *json)
{
    annot__json_say(json, "signature:{");
    annot__json_identity(&json->to, &json->identity);
    if (json->identity.is_redacted)
        annot__json_say(json, "redacted:%d", true);
    annot__json_say(json, "}");
}

/* Writes the operations of a list, or of a bundle that this BUNDLE entry executes. */
static void operations_of(struct annot__json_page *json, uint32_t execution, uint32_t bundle,
                          uint32_t stream)
{
    annot_reader_operation operation;
    for (size_t i = 0; annot_reader_operation_at(json->reader, stream, i, &operation) &&
                       annot__json_take_node(json);
         i++) {
        annot__json_say(json, "\n{number:%u state:%s", operation.number,
                        annot_operation_state_text(annot_reader_operation_state(
                            json->reader, execution, bundle, &operation)));
        if (operation.scope != 0)
            annot__json_say(json, "scope:" JSON_HEX, operation.scope);
        if (bundle != ANNOT__NONE)
            annot__json_say(json, "in_bundle:%u",
                            annot__entry_bundle(json->reader, bundle).ordinal);
        annot__json_call(json, &operation);
        annot__json_say(json, "}");
    }
}

static void operations(struct annot__json_page *json, uint32_t index)
{
    const annot_reader *reader = json->reader;
    const uint32_t list = reader->executions[index].stream;
    const struct annot__range *bundles = &reader->streams[list].bundles;
    annot__json_say(json, "operations:[");
    operations_of(json, index, ANNOT__NONE, list);
    for (uint32_t i = 0; i < bundles->count; i++) {
        const uint32_t bundle = reader->bundles[bundles->first + i];
        if (reader->entries[bundle].leaf.link != ANNOT__NONE)
            operations_of(json, index, bundle, reader->entries[bundle].leaf.link);
    }
    annot__json_say(json, "]");
}

static void execution(struct annot__json_page *json, uint32_t index)
{
    const annot_reader *reader = json->reader;
    const struct annot__execution *of = &reader->executions[index];
    annot_reader_execution view;
    annot_reader_execution_at(reader, index, &view);
    annot__json_say(json, "\n{list:%u", of->list);
    annot__json_list_of(json, index);
    if (of->stream == ANNOT__NONE)
        annot__json_string(&json->to, "recording", NULL);
    else
        annot__json_say(json, "recording:" JSON_DIGITS, reader->streams[of->stream].recording);
    annot__json_say(json, "state:%s evidence:%s", annot_state_text(view.state),
                    annot_evidence_text(reader, view.evidence));
    if (of->bounds.is_uniform && view.state == ANNOT_STATE_IN_PROGRESS)
        annot__json_say(json, "inside:%s",
                        annot_evidence_text(reader, (annot_evidence)of->bounds.evidence));
    annot__json_say(json, "started:" JSON_HEX " completed:" JSON_HEX, view.started, view.completed);
    bool is_written = json->options->all || view.state != ANNOT_STATE_FINISHED;
    if (of->stream != ANNOT__NONE)
        annot__json_say(json, "marker_count:%u", reader->streams[of->stream].markers);
    if (of->stream != ANNOT__NONE && is_written) {
        struct annot__walk walk;
        annot__walk_init(&walk, reader, of->stream, index, &json->outer);
        enclosing(json);
        walk_markers(json, &walk);
        if (json->options->operations)
            operations(json, index);
    }
    annot__json_say(json, "}");
    annot__outer_scopes_leave(&json->outer, index);
}

static void queue(struct annot__json_page *json, uint32_t index)
{
    static const char *const verdicts[] = {"idle", "waiting", "stopped", "unknown"};
    const annot_reader *reader = json->reader;
    const struct annot__stream *of = &reader->streams[index];
    annot__json_element(&json->to);
    annot__json_object(json, "object", of->object);
    annot__json_say(json,
                    "verdict:%s submitted:" JSON_DIGITS " completed:" JSON_DIGITS
                    " dropped:" JSON_DIGITS " surplus_ends:%u unclosed:%u entries:[",
                    verdicts[annot_reader_queue_verdict(reader, index)], of->submitted,
                    of->completed, of->dropped, of->surplus_ends, of->unclosed.count);
    for (uint32_t i = 0; i < of->entries.count; i++) {
        uint32_t at = of->entries.first + i;
        if (!annot__json_take_node(json))
            break;
        annot__json_say(json, "\n{depth:%u", reader->entries[at].depth);
        annot__json_entry(json, at);
        annot__json_say(json, "state:%s",
                        annot_state_text(annot_reader_queue_state(reader, at, NULL)));
        if (reader->entries[at].kind == ANNOT_ENTRY_SUBMISSION) {
            const struct annot__submitted *submission =
                &reader->submissions[reader->entries[at].leaf.link];
            annot__json_say(json, "serial:" JSON_DIGITS " lists:[", submission->serial);
            for (uint32_t k = 0; k < submission->executions.count && annot__json_take_node(json);
                 k++)
                execution(json, submission->executions.first + k);
            annot__json_say(json, "]");
        }
        annot__json_say(json, "}");
    }
    annot__json_say(json, "]}");
}

static void recordings(struct annot__json_page *json)
{
    const annot_reader *reader = json->reader;
    annot__json_say(json, "recordings:[");
    for (uint32_t i = 0; i < reader->stream_count; i++) {
        const struct annot__stream *of = &reader->streams[i];
        if (of->is_queue)
            continue;
        annot__json_say(json, "\n{id:" JSON_DIGITS, of->recording);
        annot__json_called(json, "object", annot__called_in_recording(reader, i, of->object));
        annot__json_say(json,
                        "marker_count:%u dropped:" JSON_DIGITS
                        " surplus_ends:%u unclosed:%u executions:%u open:%d",
                        of->markers, of->dropped, of->surplus_ends, of->unclosed.count,
                        of->executions, of->is_open);
        if (of->thread != 0)
            annot__json_say(json, "thread:%u", of->thread);
        if (of->call != 0)
            annot__json_say(json, "call:" JSON_DIGITS, of->call);
        annot__json_say(json, "damaged:%d", of->is_damaged);
        if (of->executions == 0) {
            struct annot__walk walk;
            annot__walk_init(&walk, reader, i, ANNOT__NONE, NULL);
            walk_markers(json, &walk);
        }
        annot__json_say(json, "}");
    }
    annot__json_say(json, "]");
}

/* Writes the whole names that are too long to be repeated. */
static void names(struct annot__json_page *json)
{
    struct annot__name name;
    annot__json_say(json, "names:[");
    for (uint32_t i = 0; i < json->reader->entry_count; i++) {
        if (!annot__entry_is_marker(&json->reader->entries[i]))
            continue;
        annot__names_of_entry(&json->names, i, &name);
        if (!name.is_short)
            continue;
        if (!annot__json_take_node(json))
            break;
        annot__name_of_entry(json->reader, i, json->name, sizeof json->name, &name);
        annot__json_say(json, "\n{event_id:" JSON_HEX " name:%.*s name_cut:%d}",
                        annot__entry_event_id(json->reader, i), (int)name.size, name.text,
                        name.is_cut || name.is_short);
    }
    annot__json_say(json, "]");
}

static void report(struct annot__json_page *json)
{
    const annot_reader *reader = json->reader;
    annot__json_say(json, "{version:%u", 3u);
    answer(json);
    annot__json_say(json, "damaged:%d", annot_reader_is_damaged(reader));
    annot__json_device(json);
    annot__json_suspects(json);
    annot__json_stops(json);
    signature(json);
    annot__json_say(json, "queues:[");
    for (uint32_t i = 0; i < reader->stream_count; i++)
        if (reader->streams[i].is_queue)
            queue(json, i);
    annot__json_say(json, "]");
    recordings(json);
    annot__json_objects(json);
    names(json);
    annot__json_facts(json);
    annot__json_all_crumbs(json);
    annot__json_kernel_driver(json);
    annot__json_ranges(json);
    annot__json_blobs(json);
    annot__json_losses(json);
    annot__json_findings(json);
    annot__json_say(json, "cut:%d}\n", json->is_cut);
}

annot_result annot_report_json_sized(const annot_reader *reader,
                                     const annot_report_options *options, size_t options_size,
                                     const annot_report_sink *sink)
{
    annot_report_options known = {0};
    if (!reader || !sink || !sink->write || !ANNOT__TAKE(known, options, options_size))
        return ANNOT_ERROR_INVALID_ARGUMENT;
    struct annot__json_page *json = annot__report_allocate(reader, sizeof *json);
    if (!json)
        return ANNOT_ERROR_OUT_OF_MEMORY;
    memset(json, 0, offsetof(struct annot__json_page, name));
    json->out.sink = sink;
    json->to = (struct annot__json){annot__out_json, &json->out, false};
    json->reader = reader;
    json->options = &known;
    json->size_limit = annot__report_size_limit(reader, json->options);
    json->nodes_left =
        json->options->node_limit ? json->options->node_limit : ANNOT_REPORT_NODE_LIMIT;
    annot_result result = ANNOT_ERROR_OUT_OF_MEMORY;
    if (annot__names_init(&json->names, reader) && annot__outer_scopes_init(&json->outer, reader) &&
        annot_reader_identity(reader, &json->identity) == ANNOT_OK) {
        report(json);
        result = annot__out_flush(&json->out) ? ANNOT_OK : ANNOT_ERROR_IO;
    }
    annot__outer_scopes_finish(&json->outer);
    annot__names_finish(&json->names);
    annot__report_release(reader, json, sizeof *json);
    return result;
}
