#include "diff_rows.h"

#include "cli.h"

#include <annot/fleet.h>

#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 1024, STOPS_MAX = 256 };

struct gather {
    struct diff_row **rows;
    const annot_reader *reader;
    struct diff_row **by_entry; /* the known rows of markers */
    int side;
    bool is_failed, is_cut;
};

/* ---- rows ---- */

static struct diff_row *row_of(struct gather *gather, enum diff_part part, const char *text,
                               size_t size)
{
    char key[TEXT_MAX + 1];
    struct diff_row *row;
    size = size < TEXT_MAX ? size : TEXT_MAX;
    key[0] = (char)(1 + part);
    memcpy(key + 1, text, size);
    TABLE_FIND_OR_ADD_BYTES(*gather->rows, key, size + 1, row);
    gather->is_failed |= !row;
    if (row) {
        row->part = part;
        row->is_present[gather->side] = 1;
    }
    return row;
}

/* Adds a value to the row of this key, each value once. */
static void add(struct gather *gather, enum diff_part part, const char *key, annot_text value)
{
    char text[TEXT_MAX];
    struct diff_row *row = row_of(gather, part, key, strlen(key));
    const size_t size = cli_printable(value, text, sizeof text);
    if (!row)
        return;
    char **old = &row->values[gather->side];
    if (*old && strstr(*old, text))
        return;
    const size_t old_size = *old ? strlen(*old) + 2 : 0;
    char *joined = old_size + size < TEXT_MAX ? malloc(old_size + size + 1) : NULL;
    if (!joined) {
        gather->is_failed |= old_size + size < TEXT_MAX;
        return;
    }
    if (*old) {
        memcpy(joined, *old, old_size - 2);
        memcpy(joined + old_size - 2, ", ", 2);
    }
    memcpy(joined + old_size, text, size + 1);
    free(*old);
    *old = joined;
}

static void add_word(struct gather *gather, enum diff_part part, const char *key, const char *value)
{
    add(gather, part, key, (annot_text){value, strlen(value)});
}

static void add_number(struct gather *gather, enum diff_part part, const char *key, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    add_word(gather, part, key, text);
}

/* Folds and escapes a text. */
static const char *folded(annot_text text, char *buffer, size_t capacity)
{
    char name[TEXT_MAX];
    const size_t size =
        text.size > 0 ? annot_fold_name(text.data, text.size < TEXT_MAX ? text.size : TEXT_MAX,
                                        name, sizeof name)
                      : 0;
    cli_printable((annot_text){name, size}, buffer, capacity);
    return buffer[0] ? buffer : "(no name)";
}

/* ---- parts ---- */

static void gather_device(struct gather *gather)
{
    annot_reader_device device;
    annot_identity signature;
    annot_reader_get_device(gather->reader, &device);
    gather->is_failed |= annot_reader_identity(gather->reader, &signature) != ANNOT_OK;
    add_word(gather, DIFF_ERROR, "",
             device.is_known ? annot_device_error_headline((int32_t)device.error)
                             : "unknown: the device record is lost");
    add_word(gather, DIFF_SIGNATURE, "",
             signature.id[0] ? signature.id : annot_signature_quality_word(signature.quality));
    add(gather, DIFF_DEVICE, "application", device.application);
    add(gather, DIFF_DEVICE, "adapter", device.adapter);
    add(gather, DIFF_DEVICE, "driver", device.driver);
    add(gather, DIFF_DEVICE, "reason", device.reason);
    add(gather, DIFF_DEVICE, "writer", device.writer);
    add_word(gather, DIFF_DEVICE, "driver returned a report", device.has_report ? "yes" : "no");
    add_word(gather, DIFF_DEVICE, "driver takes annotations",
             device.driver_supported ? "yes" : "no");
    add_number(gather, DIFF_DEVICE, "order window", device.order_window);
    add_number(gather, DIFF_DEVICE, "promises", device.promises);
    add_number(gather, DIFF_DEVICE, "page faults", device.fault_count);
}

/* Describes a suspect: "Graphics, operation 5 of 7, Dispatch". */
static void describe_suspect(const annot_reader *reader, const annot_reader_suspect *suspect,
                             char *text, size_t capacity)
{
    annot_reader_submission submission;
    annot_reader_object object;
    annot_reader_crumbs crumbs;
    annot_text owner = {NULL, 0};
    char name[256];
    if (annot_reader_submission_at(reader, suspect->submission, &submission))
        owner = submission.queue_name;
    else if (annot_reader_object_find(reader, suspect->queue_object, &object))
        owner = object.name;
    int size = snprintf(text, capacity, "%s%s", folded(owner, name, sizeof name),
                        suspect->role == ANNOT_SUSPECT_GUILTY ? ", held guilty" : "");
    if (annot_reader_crumbs_at(reader, suspect->crumbs, &crumbs) && crumbs.done < crumbs.count)
        size += snprintf(text + size, capacity - (size_t)size, ", operation %u of %u",
                         crumbs.done + 1, crumbs.count);
    if (suspect->certainty != ANNOT_OPERATION_NONE)
        snprintf(text + size, capacity - (size_t)size, ", %s%s",
                 suspect->certainty == ANNOT_OPERATION_AMONG ? "perhaps " : "",
                 annot_op_text(suspect->op));
}

static void gather_suspects(struct gather *gather)
{
    annot_reader_suspect suspect;
    char path[TEXT_MAX], key[TEXT_MAX], text[512];
    gather->is_cut |= annot_reader_suspect_count(gather->reader) > STOPS_MAX;
    for (size_t i = 0; i < STOPS_MAX && annot_reader_suspect_at(gather->reader, i, &suspect); i++) {
        const size_t size = annot_reader_suspect_path(gather->reader, i, path, sizeof path);
        if (suspect.role == ANNOT_SUSPECT_WAITING)
            continue;
        describe_suspect(gather->reader, &suspect, text, sizeof text);
        add_word(gather, DIFF_STOP,
                 size > 0 ? folded((annot_text){path, size}, key, sizeof key) : "(no marker)",
                 text);
    }
}

/* Queues, and recordings by their names, because programs rename a list for each use. */
static void gather_streams(struct gather *gather)
{
    static const char *const verdicts[] = {"idle", "waiting", "stopped", "unknown"};
    annot_reader_stream stream;
    char name[256];
    for (uint32_t i = 0; annot_reader_stream_at(gather->reader, i, &stream); i++) {
        annot_reader_object object = {0};
        annot_reader_object_find(gather->reader, stream.object, &object);
        if (stream.has_name)
            object.name = stream.name;
        add_word(gather, stream.is_queue ? DIFF_QUEUE : DIFF_RECORDING,
                 folded(object.name, name, sizeof name),
                 stream.is_queue  ? verdicts[annot_reader_queue_verdict(gather->reader, i)]
                 : stream.is_open ? "being recorded"
                                  : "closed");
    }
}

static void add_marker(struct gather *gather, uint32_t entry, annot_state state)
{
    char name[TEXT_MAX], key[TEXT_MAX];
    struct diff_row **row = &gather->by_entry[entry];
    if (!*row) {
        const size_t size = annot_reader_entry_name(gather->reader, entry, name, sizeof name);
        const size_t key_size = annot_fold_name(name, size, key, sizeof key);
        *row = row_of(gather, DIFF_MARKER, key, key_size);
    }
    if (*row)
        (*row)->states[gather->side] |= 1u << state;
}

/* Adds entries of all streams; markers get their state in the execution, or in the queue (execution
 * NONE). */
static void add_markers(struct gather *gather, uint32_t execution,
                        const annot_reader_stream *stream)
{
    annot_reader_entry entry;
    for (uint32_t i = stream->first_entry; i < stream->first_entry + stream->entry_count; i++)
        if (gather->by_entry[i] ||
            (annot_reader_entry_at(gather->reader, i, &entry) && entry.kind <= ANNOT_ENTRY_SET))
            add_marker(gather, i,
                       execution == ANNOT_READER_NONE
                           ? annot_reader_queue_state(gather->reader, i, NULL)
                           : annot_reader_state(gather->reader, execution, ANNOT_READER_NONE, i,
                                                NULL));
}

/* Collects the states of all markers with one name, in all executions. */
static void gather_markers(struct gather *gather)
{
    annot_reader_execution execution;
    annot_reader_stream stream;
    uint64_t left = cli_marker_limit(gather->reader);
    size_t entries = 0;
    for (uint32_t i = 0; annot_reader_stream_at(gather->reader, i, &stream); i++)
        entries += stream.entry_count;
    gather->by_entry = calloc(entries + 1, sizeof *gather->by_entry);
    if (!gather->by_entry) {
        gather->is_failed = true;
        return;
    }
    for (uint32_t i = 0; annot_reader_execution_at(gather->reader, i, &execution); i++) {
        if (!annot_reader_stream_at(gather->reader, execution.stream, &stream))
            continue;
        gather->is_cut |= stream.entry_count > left;
        left = stream.entry_count > left ? 0 : left - stream.entry_count;
        if (left > 0)
            add_markers(gather, i, &stream);
    }
    for (uint32_t i = 0; annot_reader_stream_at(gather->reader, i, &stream); i++)
        if (stream.is_queue)
            add_markers(gather, ANNOT_READER_NONE, &stream);
    free(gather->by_entry);
}

static void gather_objects(struct gather *gather)
{
    annot_reader_object object;
    char name[256], key[512];
    for (size_t i = 0; annot_reader_object_at(gather->reader, i, &object); i++) {
        snprintf(key, sizeof key, "%s %s", annot_object_type_text(object.type),
                 folded(object.name, name, sizeof name));
        add_word(gather, DIFF_OBJECT, key, object.is_destroyed ? "destroyed" : "alive");
    }
}

static void gather_facts(struct gather *gather)
{
    annot_reader_fact fact;
    char key[512];
    for (size_t i = 0; annot_reader_fact_at(gather->reader, i, &fact); i++) {
        cli_printable(fact.key, key, sizeof key);
        if (fact.source == ANNOT_FACT_LIBRARY && strcmp(key, "process") == 0)
            continue; /* the number differs in each run */
        add(gather, DIFF_FACT, key, fact.value);
    }
}

static void gather_odd(struct gather *gather)
{
#define LOSS_ROW(name, number, member, one, many) {number, many},
    static const struct {
        uint32_t number;
        const char *text;
    } losses[] = {ANNOT_LOSSES(LOSS_ROW, ANNOT_IN_D3D12)};
    annot_finding finding;
    for (size_t i = 0; i < sizeof losses / sizeof losses[0]; i++)
        if (annot_reader_loss(gather->reader, losses[i].number) > 0)
            add_number(gather, DIFF_LOSS, losses[i].text,
                       annot_reader_loss(gather->reader, losses[i].number));
    for (size_t i = 0; annot_reader_finding(gather->reader, i, &finding); i++)
        add_number(gather, DIFF_FINDING, finding.text, finding.count);
}

bool diff_gather(struct diff_row **rows, const annot_reader *reader, int side, bool *is_cut)
{
    struct gather gather = {.rows = rows, .reader = reader, .side = side};
    gather_device(&gather);
    gather_suspects(&gather);
    gather_streams(&gather);
    gather_markers(&gather);
    gather_objects(&gather);
    gather_facts(&gather);
    gather_odd(&gather);
    *is_cut |= gather.is_cut;
    return !gather.is_failed;
}

/* ---- comparison and output ---- */

static bool is_same(const struct diff_row *row)
{
    if (row->is_present[0] != row->is_present[1])
        return false;
    if (row->part == DIFF_MARKER)
        return row->states[0] == row->states[1];
    const char *first = row->values[0] ? row->values[0] : "";
    return strcmp(first, row->values[1] ? row->values[1] : "") == 0;
}

void diff_drop(struct diff_row **rows, bool only_same)
{
    struct diff_row *row, *next;
    HASH_ITER(hh, *rows, row, next)
    {
        if (only_same && !is_same(row))
            continue;
        HASH_DELETE(hh, *rows, row);
        free(row->values[0]);
        free(row->values[1]);
        free(row);
    }
}

const char *diff_value(const struct diff_row *row, int side, char *buffer, size_t capacity)
{
    size_t size = 0;
    if (row->part != DIFF_MARKER)
        return row->values[side] ? row->values[side] : "";
    buffer[0] = 0;
    for (int state = ANNOT_STATE_UNKNOWN; state <= ANNOT_STATE_NOT_EXECUTED; state++)
        if (row->states[side] & 1u << state)
            size += (size_t)snprintf(buffer + size, capacity - size, "%s%s", size > 0 ? ", " : "",
                                     annot_state_text((annot_state)state));
    return buffer;
}
