/*
 * The report for people. The first screen answers what happened, where, and what to do next; then comes the tree, and
 * what is missing from it.
 *
 * Without `all` the tree is folded: what is alike is one line, so that a hang among a hundred thousand finished markers
 * is still found by eye. What is in progress is never folded away, except the middle of very deep chains.
 */
#include "dump_decode.h"
#include "report.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum {
    NAME_LIMIT = 400, /* bytes of a name in the folded tree */
    INDENT_MAX = 24,  /* levels; deeper ones say their depth */
    DEPTH_SHOWN = 18, /* levels of a deep chain shown at its top */
    DEPTH_TAIL = 10,  /* and around its leaf */
    STOPS_SHOWN = 8,
    STOPS_MAX = 256,  /* with `all` */
    AROUND_SHOWN = 6, /* scopes of earlier lists */
    RUN_SHOWN = 4,    /* alike siblings that are not folded */
    LINES_SHOWN = 120 /* of one execution; in progress is shown beyond */
};

struct text {
    struct annot__out out;
    const annot_reader *reader;
    const annot_report_options *options;
    struct annot__around around;
    uint64_t nodes_left;  /* lines of the tree */
    uint64_t visits_left; /* entries looked at, folded ones too */
    uint32_t lines;       /* of this execution */
    uint64_t lines_cut;   /* of this execution */
    uint32_t leaf_depth;
    char name[ANNOT__NAME_MAX];
};

/* ---- small pieces ---- */

#define BOLD    "1"
#define DIM     "2"
#define RED     "1;31"
#define YELLOW  "1;33"
#define MAGENTA "35"
#define GREEN   "32"

static void style(struct text *text, const char *code)
{
    if (text->options->color)
        annot__out_format(&text->out, "\x1b[%sm", code);
}

static void plain(struct text *text)
{
    if (text->options->color)
        annot__out_text(&text->out, "\x1b[0m");
}

static void styled(struct text *text, const char *code, const char *words)
{
    style(text, code);
    annot__out_text(&text->out, words);
    plain(text);
}

static void say(struct text *text, const char *words)
{
    annot__out_text(&text->out, words);
}

static size_t name_limit(const struct text *text)
{
    return text->options->all ? ANNOT__NAME_MAX : NAME_LIMIT;
}

static void say_foreign(struct text *text, annot_text words)
{
    struct annot__name name;
    annot__name_of_text(words, text->name, sizeof text->name, &name);
    annot__out_printable(&text->out, name.text, name.size, name_limit(text));
    if (name.is_cut)
        say(text, "...");
}

static void say_swatch(struct text *text, const struct annot__name *name)
{
    if (text->options->color && text->options->truecolor && name->has_color)
        annot__out_format(&text->out, "\x1b[38;2;%u;%u;%um\xe2\x96\xa0\x1b[0m ",
                          name->color >> 16 & 0xFF, name->color >> 8 & 0xFF, name->color & 0xFF);
}

static void say_entry_name(struct text *text, uint32_t entry, bool has_swatch)
{
    struct annot__name name;
    annot__name_of_entry(text->reader, entry, text->name, sizeof text->name, &name);
    if (has_swatch)
        say_swatch(text, &name);
    annot__out_printable(&text->out, name.text, name.size, name_limit(text));
    if (name.is_cut)
        say(text, " (name cut)");
    if (name.payload == ANNOT_PAYLOAD_CHANGED)
        say(text, " (changed since it was recorded)");
}

/* "Name" or #12, with what is odd about it. */
static void say_object(struct text *text, uint64_t id)
{
    annot_reader_object object;
    if (!annot_reader_object_find(text->reader, id, &object)) {
        annot__out_format(&text->out, "#%llu", (unsigned long long)id);
        return;
    }
    if (object.name.size > 0) {
        say(text, "\"");
        say_foreign(text, object.name);
        say(text, object.is_name_cut ? "...\"" : "\"");
    } else {
        annot__out_format(&text->out, "#%llu (unnamed)", (unsigned long long)id);
    }
    if (object.is_destroyed)
        say(text, " (destroyed)");
}

static const char *flavor_text(const annot_reader *reader, uint64_t id)
{
    static const char *const names[] = {"direct",       "bundle",        "compute",     "copy",
                                        "video decode", "video process", "video encode"};
    annot_reader_object object;
    bool is_known = annot_reader_object_find(reader, id, &object) &&
                    object.flavor < sizeof names / sizeof *names;
    return is_known ? names[object.flavor] : "unknown kind";
}

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static void mark(struct text *text, annot_state state)
{
    switch (state) {
    case ANNOT_STATE_FINISHED:
        styled(text, GREEN, "[X]");
        break;
    case ANNOT_STATE_IN_PROGRESS:
        styled(text, RED, "[>]");
        break;
    case ANNOT_STATE_NOT_STARTED:
        styled(text, DIM, "[ ]");
        break;
    case ANNOT_STATE_UNKNOWN:
        styled(text, MAGENTA, "[?]");
        break;
    }
    say(text, " ");
}

static void indent(struct text *text, uint32_t depth)
{
    uint32_t levels = depth < INDENT_MAX ? depth : INDENT_MAX;
    for (uint32_t i = 0; i < levels; i++)
        say(text, "  ");
    if (depth >= INDENT_MAX)
        annot__out_format(&text->out, "(depth %u) ", depth);
}

/* ---- the first screen ---- */

static bool is_crash(const annot_reader *reader)
{
    return reader->device.error != 0;
}

static void write_time(struct text *text, uint64_t nanoseconds)
{
    time_t seconds = (time_t)(nanoseconds / 1000000000u);
    struct tm moment;
    char line[64];
#ifdef _WIN32
    bool is_valid = gmtime_s(&moment, &seconds) == 0;
#else
    bool is_valid = gmtime_r(&seconds, &moment) != NULL;
#endif
    if (nanoseconds && is_valid && strftime(line, sizeof line, "%Y-%m-%d %H:%M:%S UTC", &moment))
        annot__out_format(&text->out, "  time         %s\n", line);
}

static void write_fact(struct text *text, const char *label, annot_text words)
{
    if (words.size == 0)
        return;
    annot__out_format(&text->out, "  %-12s ", label);
    say_foreign(text, words);
    say(text, "\n");
}

static void write_headline(struct text *text)
{
    const annot_reader *reader = text->reader;
    const struct annot__dump_DEVICE *device = &reader->device;
    style(text, is_crash(reader) ? RED : BOLD);
    if (!reader->has_device)
        say(text, "GPU DUMP (its device record is lost)");
    else if (device->error == 0)
        say(text, "LIVE DEVICE (no error when the dump was taken)");
    else if (device->error == 7)
        say(text, "GPU HANG (device error 7)");
    else if (device->error == 9)
        say(text, "GPU PAGE FAULT (device error 9)");
    else
        annot__out_format(&text->out, "GPU ERROR (device error 0x%x)", device->error);
    if (reader->fault_count > 0)
        annot__out_format(&text->out, " at GPU address 0x%016llx",
                          (unsigned long long)reader->fault_address);
    plain(text);
    say(text, "\n");
    write_fact(text, "reason", reader->texts[ANNOT__DUMP_TEXT_REASON]);
    write_fact(text, "application", reader->texts[ANNOT__DUMP_TEXT_APPLICATION]);
    write_fact(text, "adapter", reader->texts[ANNOT__DUMP_TEXT_ADAPTER]);
    write_fact(text, "driver", reader->texts[ANNOT__DUMP_TEXT_DRIVER]);
    write_time(text, device->time);
    annot_finding first;
    if (annot_reader_finding(reader, 0, &first) && first.kind == ANNOT_FINDING_INCOMPLETE)
        styled(text, YELLOW, "  The dump is incomplete: its writer was stopped before the end.\n");
    else if (annot_reader_is_damaged(reader))
        styled(text, YELLOW, "  The dump is damaged; see the end of this report.\n");
}

/* Whether the scopes around the last started marker are known to be finished: only then is it outside of all. */
static bool is_scope_known(const annot_reader *reader, const annot_reader_stop *stop)
{
    return reader->entries[stop->started].parent == ANNOT__NONE || reader->order_window == 0;
}

static void write_path(struct text *text, const annot_reader_stop *stop)
{
    struct annot__path path;
    annot__path_of_stop(text->reader, stop, &path);
    say(text, "  ");
    style(text, RED);
    for (uint32_t i = 0; i < path.count; i++) {
        if (i > 0)
            say(text, " / ");
        if (i == ANNOT__PATH_END && path.gap > 0)
            annot__out_format(&text->out, "... %u more ... / ", path.gap);
        say_entry_name(text, path.entries[i], false);
    }
    if (path.count == 0 && stop->started != ANNOT__NONE)
        say(text, is_scope_known(text->reader, stop) ? "(outside of any scope)"
                                                     : "(in a scope that is not known)");
    else if (path.count == 0)
        say(text, "(no marker is in progress)");
    plain(text);
    say(text, "\n");
}

static void write_named(struct text *text, const char *label, uint32_t entry)
{
    if (entry == ANNOT__NONE)
        return;
    annot__out_format(&text->out, "    %-15s", label);
    say_entry_name(text, entry, false);
    annot__out_format(&text->out, "  (EventID 0x%llx)\n",
                      (unsigned long long)text->reader->entries[entry].event_id);
}

static void say_list(struct text *text, uint32_t index)
{
    const struct annot__execution *execution = &text->reader->executions[index];
    const struct annot__submitted *submission = &text->reader->submissions[execution->submission];
    annot__out_format(&text->out, "list %u of %u ", execution->list + 1,
                      submission->executions.count);
    say_object(text, execution->object);
}

static void write_stop(struct text *text, const annot_reader_stop *stop)
{
    const annot_reader *reader = text->reader;
    const struct annot__submitted *submission = &reader->submissions[stop->submission];
    const struct annot__execution *execution = &reader->executions[stop->execution];
    write_path(text, stop);
    say(text, "    on queue ");
    say_object(text, reader->streams[stop->queue].object);
    annot__out_format(&text->out, ", submission %llu, ", (unsigned long long)submission->serial);
    if (stop->is_between)
        say(text, "between two lists: the next, ");
    say_list(text, stop->execution);
    if (stop->is_between)
        say(text, ", has not started");
    if (stop->bundle != ANNOT__NONE) {
        annot__out_format(&text->out, ", execution %u of a bundle in it",
                          reader->entries[stop->bundle].ordinal);
    }
    say(text, "\n");
    write_named(text, "last started", stop->started);
    write_named(text, "last completed", stop->completed);
    write_named(text, "also unfinished", stop->oldest);
    bool is_opaque = !stop->is_between && execution->cut.is_uniform;
    if (is_opaque)
        annot__out_format(&text->out, "    nothing is claimed inside this list: %s\n",
                          annot_evidence_text((annot_evidence)execution->cut.evidence));
    if (!stop->is_between && execution->stream == ANNOT__NONE)
        say(text, "    the list's markers are not in the dump\n");
}

/* A list that the driver found started, of a submission that the dump doesn't hold. */
static bool is_started_elsewhere(const annot_reader *reader, const struct annot__row *row)
{
    return !row->is_used && !row->is_damaged && row->queue != ANNOT__NONE && row->bundle == 0 &&
           row->list != ANNOT_PROGRESS_QUEUE && row->state == ANNOT_PROGRESS_STARTED &&
           annot__is_submitted(&reader->streams[row->queue], row->submission);
}

static bool any_started_elsewhere(const annot_reader *reader)
{
    for (uint32_t i = 0; i < reader->row_count; i++)
        if (is_started_elsewhere(reader, &reader->rows[i]))
            return true;
    return false;
}

static bool write_started_elsewhere(struct text *text)
{
    const annot_reader *reader = text->reader;
    uint32_t shown = 0;
    for (uint32_t i = 0; i < reader->row_count && shown < STOPS_SHOWN; i++) {
        const struct annot__row *row = &reader->rows[i];
        if (!is_started_elsewhere(reader, row))
            continue;
        say(text, "  (markers and lists were not kept)\n    on queue ");
        say_object(text, reader->streams[row->queue].object);
        annot__out_format(
            &text->out, ", submission %llu, list %llu: started and not finished, says the driver\n",
            (unsigned long long)row->submission, (unsigned long long)row->list + 1);
        shown++;
    }
    return shown > 0;
}

static void write_stops(struct text *text)
{
    const annot_reader *reader = text->reader;
    uint32_t count = reader->stop_count;
    style(text, BOLD);
    say(text, !is_crash(reader)           ? "\nWHAT WAS RUNNING\n"
              : reader->device.error == 9 ? "\nWHAT WAS RUNNING AT THE FAULT\n"
                                          : "\nWHAT HUNG\n");
    plain(text);
    if (count == 0 && !write_started_elsewhere(text))
        say(text, "  Nothing is known to be in progress.\n");
    uint32_t limit = text->options->all ? STOPS_MAX : STOPS_SHOWN;
    for (uint32_t i = 0; i < count && i < limit; i++)
        write_stop(text, &reader->stops[i]);
    if (count > limit)
        annot__out_format(&text->out, "  ... %u more in progress, [>] in the tree\n",
                          count - limit);
}

static void write_waiting(struct text *text)
{
    const annot_reader *reader = text->reader;
    bool has_heading = false;
    for (uint32_t i = 0; i < reader->stream_count; i++) {
        const struct annot__stream *queue = &reader->streams[i];
        if (!queue->is_queue || annot_reader_queue_verdict(reader, i) != ANNOT_QUEUE_WAITING)
            continue;
        if (!has_heading)
            styled(text, BOLD, "\nWAITING, not the cause\n");
        has_heading = true;
        uint64_t waiting = 0, next = 0;
        for (uint32_t k = queue->submissions.count; k-- > 0;) {
            const struct annot__submitted *submission =
                &reader->submissions[queue->submissions.first + k];
            if (submission->state == ANNOT_STATE_NOT_STARTED) {
                waiting++;
                next = submission->serial;
            }
        }
        say(text, "  queue ");
        say_object(text, queue->object);
        annot__out_format(&text->out,
                          ": submission %llu has not started (%llu waiting): for a fence, another "
                          "queue or its turn\n",
                          (unsigned long long)next, (unsigned long long)waiting);
    }
}

static bool has_markers(const annot_reader *reader)
{
    for (uint32_t i = 0; i < reader->stream_count; i++)
        if (reader->streams[i].markers > 0)
            return true;
    return false;
}

static void say_advice_for_stop(struct text *text, const annot_reader_stop *stop)
{
    uint32_t leaf = stop->bundle_entry != ANNOT__NONE ? stop->bundle_entry : stop->entry;
    say(text, "  Look at the work recorded in ");
    if (leaf != ANNOT__NONE) {
        say(text, "\"");
        say_entry_name(text, leaf, false);
        say(text, "\"");
    } else {
        say_list(text, stop->execution);
    }
    if (leaf != ANNOT__NONE && stop->completed != ANNOT__NONE && stop->completed != leaf) {
        say(text, " after \"");
        say_entry_name(text, stop->completed, false);
        say(text, "\"");
    }
    say(text, text->reader->device.error == 9
                  ? ":\n  which resource does it read or write at the fault address, and was that "
                    "released, or indexed out of bounds?\n"
                  : ":\n  an endless loop in a shader, a wait that nothing ends, or more work than "
                    "the timeout allows.\n");
    if (leaf == ANNOT__NONE && text->reader->order_window == 0)
        say(text, "  Scopes (BeginEvent / EndEvent) around parts of this list would narrow it "
                  "down.\n");
}

static void write_advice(struct text *text)
{
    const annot_reader *reader = text->reader;
    styled(text, BOLD, "\nWHAT TO DO NEXT\n");
    if (!is_crash(reader) && reader->has_device)
        say(text, "  Nothing: the device had not failed. The tree shows what it was doing.\n");
    else if (reader->stop_count > 0 && reader->stops[0].is_between)
        say(text, "  The GPU stopped between two command lists: look at barriers, resolves and "
                  "clears at their ends,\n  and at the end of the list before.\n");
    else if (reader->stop_count > 0)
        say_advice_for_stop(text, &reader->stops[0]);
    else if (reader->findings.of[ANNOT__FINDING_SLOT_END_MISSING].count > 0)
        say(text, "  The end of the dump is lost, and with it what says how far work got: look for "
                  "a whole "
                  "dump of the same crash,\n  and for a full disk or a killed process where it was "
                  "written.\n");
    else if (!reader->device.has_report)
        say(text, "  The driver returned no report, so nothing says how far unfinished work got. "
                  "Update the driver or\n  use one that supports user-defined annotations.\n");
    else if (reader->has_device && !reader->device.driver_supported)
        say(text,
            "  This driver takes no annotations, so nothing says how far unfinished work got: "
            "look at the unknown [?]\n  and waiting [ ] submissions below, or use a driver that "
            "supports "
            "user-defined annotations.\n");
    else if (any_started_elsewhere(reader))
        say(text, "  Look at that submission.\n");
    else
        say(text, "  The driver's report names no work in progress: look at the unknown [?] and "
                  "waiting [ ] submissions below,\n  and at fences that nobody signals.\n");
    if (reader->has_device && reader->device.mode == ANNOT_MODE_RUNTIME_ONLY &&
        !has_markers(reader))
        say(text, "  No markers were kept: run with annotation mode DRIVER_RETAIL\n"
                  "  (d3dconfig device force-driver-retail-annotations=on).\n");
    else if (!has_markers(reader))
        say(text, "  The dump holds no markers: record BeginEvent / EndEvent around passes to see "
                  "where work stops.\n");
    if (reader->has_device && reader->device.order_window != 0 && reader->device.driver_supported)
        say(text, "  This driver may reorder markers; what that makes ambiguous is marked [?].\n");
}

/* ---- the tree: one execution ---- */

/* False: the line is not wanted any more, only counted. */
static bool want_line(struct text *text, bool is_needed)
{
    if (text->nodes_left == 0)
        return false;
    if (!text->options->all && !is_needed && text->lines >= LINES_SHOWN) {
        text->lines_cut++;
        return false;
    }
    text->nodes_left--;
    text->lines++;
    return true;
}

static void say_entry_end(struct text *text, const struct annot__node *node)
{
    const struct annot__entry *entry = &text->reader->entries[node->entry];
    if (annot__entry_is_marker(entry)) {
        style(text, DIM);
        annot__out_format(&text->out, "  0x%llx", (unsigned long long)entry->event_id);
        plain(text);
    }
    if (entry->kind == ANNOT_ENTRY_BEGIN && entry->end == ANNOT__NEVER)
        styled(text, YELLOW,
               text->reader->streams[entry->stream].is_open ? "  (still open)"
                                                            : "  (no EndEvent in this list)");
    if (node->state == ANNOT_STATE_UNKNOWN && !node->closes_earlier) {
        style(text, DIM);
        annot__out_format(&text->out, "  -- %s", annot_evidence_text(node->evidence));
        plain(text);
    }
}

static void write_node(struct text *text, const struct annot__node *node, uint32_t base,
                       uint32_t inside)
{
    const annot_reader *reader = text->reader;
    const struct annot__entry *entry = &reader->entries[node->entry];
    bool is_end = entry->kind == ANNOT_ENTRY_SURPLUS_END;
    if (!want_line(text, node->state == ANNOT_STATE_IN_PROGRESS))
        return;
    indent(text, base + node->depth);
    if (!node->closes_earlier)
        mark(text, node->state);
    if (entry->kind == ANNOT_ENTRY_BUNDLE) {
        struct annot__dump_BUNDLE fields;
        annot__decode_BUNDLE(annot__record_at(reader->file, entry->offset).fixed, &fields);
        annot__out_format(&text->out, "ExecuteBundle %u: ", entry->ordinal);
        say_object(text, fields.object);
        if (entry->link == ANNOT__NONE)
            say(text, "  (its markers are not in the dump)");
    } else if (is_end) {
        styled(text, YELLOW,
               node->closes_earlier ? "... the scope of an earlier list ends here"
                                    : "surplus EndEvent: no open scope");
    } else {
        if (entry->kind == ANNOT_ENTRY_SET)
            say(text, "- ");
        say_entry_name(text, node->entry, true);
    }
    if (inside > 0)
        annot__out_format(&text->out, "  (%u inside)", inside);
    say_entry_end(text, node);
    say(text, "\n");
}

static uint32_t inside_of(const annot_reader *reader, const struct annot__node *node)
{
    const struct annot__entry *entry = &reader->entries[node->entry];
    if (entry->kind == ANNOT_ENTRY_BUNDLE)
        return entry->link == ANNOT__NONE ? 0 : reader->streams[entry->link].markers;
    return entry->last - node->entry;
}

/* Whether everything inside is like the node itself, so that one line can stand for it. */
static bool is_alike(const struct text *text, const struct annot__walk *walk,
                     const struct annot__node *node)
{
    const struct annot__cut *cut = &walk->frame[walk->frames - 1].cut;
    if (text->options->all || node->state == ANNOT_STATE_IN_PROGRESS || node->closes_earlier)
        return false;
    return node->state != ANNOT_STATE_UNKNOWN || cut->is_uniform;
}

/* Bounds the time that executions of one big recording can take together. */
static void visit(struct text *text, uint64_t entries)
{
    text->visits_left -= entries < text->visits_left ? entries : text->visits_left;
    if (text->visits_left == 0)
        text->nodes_left = 0;
}

/* Siblings of one state from `node` on: the first and the last as lines, the rest counted. */
static void write_run(struct text *text, struct annot__walk *walk, const struct annot__node *node,
                      uint32_t base)
{
    const annot_reader *reader = text->reader;
    uint32_t frame = walk->frames - 1, count = 1, last = node->entry;
    struct annot__node next = *node;
    for (uint32_t i = reader->entries[last].last + 1; i < walk->frame[frame].end;
         i = reader->entries[i].last + 1) {
        annot__walk_look(walk, i, &next);
        if (reader->entries[i].parent != reader->entries[node->entry].parent ||
            next.state != node->state || next.closes_earlier)
            break;
        last = i;
        count++;
    }
    visit(text, count);
    for (uint32_t i = node->entry, k = 0; k < count; i = reader->entries[i].last + 1, k++) {
        annot__walk_look(walk, i, &next);
        if (count <= RUN_SHOWN || k == 0 || k + 1 == count) {
            write_node(text, &next, base, inside_of(reader, &next));
        } else if (k == 1 && want_line(text, false)) {
            indent(text, base + node->depth);
            mark(text, node->state);
            style(text, DIM);
            annot__out_format(&text->out, "... %u more %s ...", count - 2,
                              annot_state_text(node->state));
            plain(text);
            say(text, "\n");
        }
    }
    annot__walk_skip(walk, last);
}

/* In the middle of a chain deeper than anyone reads. */
static bool is_too_deep(const struct text *text, uint32_t depth)
{
    return !text->options->all && depth > DEPTH_SHOWN && depth + DEPTH_TAIL < text->leaf_depth;
}

static void write_entries(struct text *text, struct annot__walk *walk, uint32_t base)
{
    struct annot__node node;
    uint64_t skipped = 0;
    text->lines = 0;
    text->lines_cut = 0;
    while (text->nodes_left > 0 && annot__walk_next(walk, &node)) {
        visit(text, 1);
        if (is_too_deep(text, node.depth)) {
            if (node.state != ANNOT_STATE_IN_PROGRESS)
                annot__walk_skip(walk, node.entry);
            if (skipped++ == 0) {
                indent(text, base + DEPTH_SHOWN + 1);
                annot__out_format(&text->out,
                                  "... scopes down to depth %u are left out; --all "
                                  "shows them ...\n",
                                  text->leaf_depth - DEPTH_TAIL);
            }
            continue;
        }
        if (is_alike(text, walk, &node)) {
            write_run(text, walk, &node, base);
            continue;
        }
        write_node(text, &node, base, 0);
        annot__walk_enter(walk, &node);
    }
    if (text->lines_cut > 0) {
        indent(text, base);
        annot__out_format(&text->out, "... %llu more lines; --all shows them\n",
                          (unsigned long long)text->lines_cut);
    }
}

/* Depth of what is in progress, which decides which part of a deep chain is shown. */
static uint32_t leaf_depth_of(const struct text *text, uint32_t index)
{
    const annot_reader *reader = text->reader;
    const struct annot__execution *execution = &reader->executions[index];
    uint32_t depth = text->around.depth;
    if (execution->started != ANNOT__NONE)
        depth += reader->entries[execution->started].depth;
    return depth;
}

static void write_around(struct text *text, uint32_t base)
{
    const annot_reader *reader = text->reader;
    uint32_t shown = 0;
    for (uint32_t i = 0; i < text->around.count && text->nodes_left > 0; i++) {
        const struct annot__crossing *crossing = &reader->crossings[text->around.crossings[i]];
        const struct annot__execution *opener = &reader->executions[crossing->opener];
        const struct annot__stream *stream = &reader->streams[opener->stream];
        for (uint32_t k = 0; k < crossing->count && text->nodes_left > 0; k++, shown++) {
            if (!text->options->all && shown >= AROUND_SHOWN &&
                shown + AROUND_SHOWN < text->around.depth) {
                /* runs can be long: jump to the part that is shown again */
                uint32_t jump = text->around.depth - AROUND_SHOWN - shown;
                jump = jump < crossing->count - k ? jump : crossing->count - k;
                if (shown == AROUND_SHOWN) {
                    indent(text, base + shown);
                    annot__out_format(&text->out, "... %u more scopes of earlier lists ...\n",
                                      text->around.depth - 2 * AROUND_SHOWN);
                }
                shown += jump - 1;
                k += jump - 1;
                continue;
            }
            text->nodes_left--;
            indent(text, base + shown);
            mark(text, annot__crossing_state(reader, crossing, k));
            say_entry_name(text, reader->unclosed[stream->unclosed.first + crossing->first + k],
                           true);
            style(text, YELLOW);
            annot__out_format(&text->out, "  (crosses lists: opened in submission %llu, list %u)",
                              (unsigned long long)reader->submissions[opener->submission].serial,
                              opener->list + 1);
            plain(text);
            say(text, "\n");
        }
    }
}

static void write_execution(struct text *text, uint32_t index, uint32_t base)
{
    const annot_reader *reader = text->reader;
    const struct annot__execution *execution = &reader->executions[index];
    bool is_open = text->options->all || execution->state == ANNOT_STATE_IN_PROGRESS ||
                   (execution->state == ANNOT_STATE_UNKNOWN && !execution->cut.is_uniform);
    const struct annot__stream *stream =
        execution->stream == ANNOT__NONE ? NULL : &reader->streams[execution->stream];
    indent(text, base);
    mark(text, (annot_state)execution->state);
    say_list(text, index);
    if (stream)
        annot__out_format(&text->out, "  %u marker%s", stream->markers, plural(stream->markers));
    else
        say(text, "  markers not in the dump");
    style(text, DIM);
    annot__out_format(&text->out, "  -- %s: %s", annot_state_text((annot_state)execution->state),
                      annot_evidence_text((annot_evidence)execution->evidence));
    plain(text);
    if (!is_open && text->around.depth > 0) {
        const struct annot__crossing *inner =
            &reader->crossings[text->around.crossings[text->around.count - 1]];
        const struct annot__stream *opener =
            &reader->streams[reader->executions[inner->opener].stream];
        say(text, "  (inside \"");
        say_entry_name(text,
                       reader->unclosed[opener->unclosed.first + inner->first + inner->count - 1],
                       false);
        say(text, "\", which crosses lists)");
    }
    say(text, "\n");
    if (!is_open || !stream)
        return;
    struct annot__walk walk;
    annot__walk_init(&walk, reader, execution->stream, index, &text->around);
    text->leaf_depth = leaf_depth_of(text, index);
    write_around(text, base + 1);
    write_entries(text, &walk, base + 1);
}

/* ---- the tree: a queue ---- */

static bool is_run_folded(const struct text *text, annot_state state, uint32_t count)
{
    return !text->options->all && state != ANNOT_STATE_IN_PROGRESS && count > RUN_SHOWN;
}

static void write_submission(struct text *text, uint32_t index, uint32_t base)
{
    const annot_reader *reader = text->reader;
    const struct annot__submitted *submission = &reader->submissions[index];
    struct annot__range range = submission->executions;
    indent(text, base);
    mark(text, (annot_state)submission->state);
    annot__out_format(&text->out, "submission %llu, %u list%s\n",
                      (unsigned long long)submission->serial, range.count, plural(range.count));
    for (uint32_t i = 0, next; i < range.count && text->nodes_left > 0; i = next) {
        const struct annot__execution *first = &reader->executions[range.first + i];
        for (next = i + 1; next < range.count &&
                           reader->executions[range.first + next].state == first->state &&
                           reader->executions[range.first + next].evidence == first->evidence;)
            next++;
        bool is_folded = is_run_folded(text, (annot_state)first->state, next - i);
        for (uint32_t k = i; k < next && text->nodes_left > 0; k++) {
            text->nodes_left--;
            if (!is_folded || k == i || k + 1 == next)
                write_execution(text, range.first + k, base + 1);
            else if (k == i + 1) {
                indent(text, base + 1);
                mark(text, (annot_state)first->state);
                annot__out_format(&text->out, "... %u more lists %s ...\n", next - i - 2,
                                  annot_state_text((annot_state)first->state));
            }
            annot__around_leave(&text->around, range.first + k);
        }
    }
}

/* Of the submissions inside entries [first, last] of a queue: all, and those finished or not started. */
struct tally {
    uint32_t all, finished, waiting, first;
};

static uint32_t submission_lower(const annot_reader *reader, const struct annot__stream *queue,
                                 uint32_t entry)
{
    uint32_t low = queue->submissions.first, high = low + queue->submissions.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (reader->submissions[middle].entry < entry)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct tally tally_of(const annot_reader *reader, const struct annot__stream *queue,
                             uint32_t first, uint32_t last)
{
    uint32_t from = submission_lower(reader, queue, first);
    uint32_t to = submission_lower(reader, queue, last + 1);
    if (from == to)
        return (struct tally){.first = from};
    const struct annot__submitted *a = &reader->submissions[from];
    const struct annot__submitted *b = &reader->submissions[to - 1];
    return (struct tally){
        to - from,
        b->finished_before + (b->state == ANNOT_STATE_FINISHED) - a->finished_before,
        b->waiting_before + (b->state == ANNOT_STATE_NOT_STARTED) - a->waiting_before,
        from,
    };
}

/* The state of a queue's entry if it and everything inside agree; IN_PROGRESS, which is never folded, otherwise. */
static annot_state whole_state(const annot_reader *reader, const struct annot__stream *queue,
                               uint32_t index)
{
    annot_state state = annot_reader_queue_state(reader, index, NULL);
    struct tally tally = tally_of(reader, queue, index, reader->entries[index].last);
    if (state == ANNOT_STATE_FINISHED && tally.finished == tally.all)
        return ANNOT_STATE_FINISHED;
    if (state == ANNOT_STATE_NOT_STARTED && tally.waiting == tally.all)
        return ANNOT_STATE_NOT_STARTED;
    return ANNOT_STATE_IN_PROGRESS;
}

static void write_queue_fold(struct text *text, const struct annot__stream *queue, uint32_t first,
                             uint32_t last, annot_state state, uint32_t base)
{
    const annot_reader *reader = text->reader;
    struct tally tally = tally_of(reader, queue, first, last);
    uint32_t markers = last - first + 1 - tally.all;
    indent(text, base);
    mark(text, state);
    if (tally.all == 1)
        annot__out_format(&text->out, "submission %llu",
                          (unsigned long long)reader->submissions[tally.first].serial);
    else if (tally.all > 1)
        annot__out_format(
            &text->out, "submissions %llu to %llu",
            (unsigned long long)reader->submissions[tally.first].serial,
            (unsigned long long)reader->submissions[tally.first + tally.all - 1].serial);
    if (markers > 0)
        annot__out_format(&text->out, "%s%u queue marker%s", tally.all ? ", " : "", markers,
                          plural(markers));
    annot__out_format(&text->out, " %s\n", annot_state_text(state));
    if (tally.all > 0) {
        const struct annot__range *end =
            &reader->submissions[tally.first + tally.all - 1].executions;
        if (end->first + end->count > 0)
            annot__around_leave(&text->around, end->first + end->count - 1);
    }
}

static void write_queue_entries(struct text *text, const struct annot__stream *queue)
{
    const annot_reader *reader = text->reader;
    uint32_t end = queue->entries.first + queue->entries.count, unknown = 0;
    text->lines = 0;
    for (uint32_t i = queue->entries.first, next; i < end && text->nodes_left > 0; i = next) {
        const struct annot__entry *entry = &reader->entries[i];
        annot_state state =
            text->options->all ? ANNOT_STATE_IN_PROGRESS : whole_state(reader, queue, i);
        next = i + 1;
        if (state != ANNOT_STATE_IN_PROGRESS) {
            uint32_t last = entry->last, count = 1;
            while (last + 1 < end && reader->entries[last + 1].parent == entry->parent &&
                   whole_state(reader, queue, last + 1) == state) {
                last = reader->entries[last + 1].last;
                count++;
            }
            next = last + 1;
            if (count > 1 || entry->last > i) {
                text->nodes_left--;
                write_queue_fold(text, queue, i, last, state, entry->depth + 1);
                continue;
            }
        }
        text->nodes_left--;
        if (entry->kind == ANNOT_ENTRY_SUBMISSION) {
            bool is_unknown = reader->submissions[entry->link].state == ANNOT_STATE_UNKNOWN;
            unknown += is_unknown;
            if (!text->options->all && is_unknown && unknown > 2 * RUN_SHOWN)
                continue;
            write_submission(text, entry->link, entry->depth + 1);
            continue;
        }
        struct annot__node node = {
            .entry = i,
            .bundle = ANNOT__NONE,
            .depth = entry->depth,
        };
        node.state = annot_reader_queue_state(reader, i, &node.evidence);
        text->lines = 0;
        write_node(text, &node, 1, 0);
    }
    if (!text->options->all && unknown > 2 * RUN_SHOWN)
        annot__out_format(&text->out,
                          "  ... %u more submissions of unknown state; --all shows them\n",
                          unknown - 2 * RUN_SHOWN);
}

static void write_queue(struct text *text, uint32_t index)
{
    static const char *const verdicts[] = {"idle, everything finished", "waiting",
                                           "work in progress", "unknown"};
    const annot_reader *reader = text->reader;
    const struct annot__stream *queue = &reader->streams[index];
    style(text, BOLD);
    say(text, "queue ");
    say_object(text, queue->object);
    plain(text);
    annot__out_format(&text->out, " (%s): %s; submitted %llu, completed %llu\n",
                      flavor_text(reader, queue->object),
                      verdicts[annot_reader_queue_verdict(reader, index)],
                      (unsigned long long)queue->submitted, (unsigned long long)queue->completed);
    write_queue_entries(text, queue);
}

static void write_recorded(struct text *text)
{
    const annot_reader *reader = text->reader;
    uint32_t count = 0;
    for (uint32_t i = 0; i < reader->stream_count && text->nodes_left > 0; i++) {
        const struct annot__stream *stream = &reader->streams[i];
        if (stream->is_queue || stream->executions > 0 || stream->is_bundle || stream->markers == 0)
            continue;
        if (count++ == 0)
            styled(text, BOLD, "recorded, without a submission in this dump\n");
        if (count > RUN_SHOWN && !text->options->all)
            continue;
        text->nodes_left--;
        say(text, "  list ");
        say_object(text, stream->object);
        annot__out_format(&text->out, "  %u marker%s%s\n", stream->markers, plural(stream->markers),
                          stream->is_open ? ", still recording" : "");
        if (!text->options->all)
            continue;
        struct annot__walk walk;
        annot__walk_init(&walk, reader, i, ANNOT__NONE, NULL);
        write_entries(text, &walk, 2);
    }
    if (count > RUN_SHOWN && !text->options->all)
        annot__out_format(&text->out, "  ... %u more lists; --all shows them\n", count - RUN_SHOWN);
}

static void write_tree(struct text *text)
{
    styled(text, BOLD, "\nMARKERS");
    say(text, "  [X] finished  [>] in progress  [ ] not started  [?] unknown\n");
    for (uint32_t i = 0; i < text->reader->stream_count; i++)
        if (text->reader->streams[i].is_queue)
            write_queue(text, i);
    write_recorded(text);
    if (text->nodes_left == 0)
        styled(text, YELLOW, "... the report's node limit is reached; the rest is not shown\n");
}

/* ---- what was lost ---- */

static bool write_count(struct text *text, uint64_t count, const char *one, const char *many)
{
    if (count == 0)
        return false;
    annot__out_format(&text->out, "  %llu %s\n", (unsigned long long)count,
                      count == 1 ? one : many);
    return true;
}

struct totals {
    uint64_t dropped, surplus, crossing, unclosed, cut_payloads, cut_names;
    uint64_t changed, unreadable; /* payloads by reference */
};

static struct totals totals_of(const annot_reader *reader)
{
    struct totals totals = {0};
    for (uint32_t i = 0; i < reader->stream_count; i++) {
        totals.dropped += reader->streams[i].dropped;
        totals.surplus += reader->streams[i].surplus_ends;
        if (!reader->streams[i].is_open || reader->streams[i].is_queue)
            totals.unclosed += reader->streams[i].unclosed.count;
    }
    for (uint32_t i = 0; i < reader->crossing_count; i++)
        totals.crossing += reader->crossings[i].count;
    for (uint32_t i = 0; i < reader->entry_count; i++) {
        struct annot__dump_BEGIN fields;
        struct annot__bytes payload;
        if (!annot__entry_is_marker(&reader->entries[i]))
            continue;
        annot__entry_marker(reader, &reader->entries[i], &fields, &payload);
        annot_payload origin = annot__payload_of(fields.flags);
        totals.changed += origin == ANNOT_PAYLOAD_CHANGED;
        totals.unreadable += origin == ANNOT_PAYLOAD_UNREADABLE;
        totals.cut_payloads += origin != ANNOT_PAYLOAD_UNREADABLE && fields.size > payload.size;
    }
    for (uint32_t i = 0; i < reader->object_count; i++)
        totals.cut_names += reader->objects[i].fields.name_size > reader->objects[i].name.size;
    return totals;
}

static bool write_losses(struct text *text)
{
    static const char *const losses[ANNOT__LOSSES][2] = {
        {"loss of a kind that this version does not know",
         "losses of kinds that this version does not know"},
        {"marker dropped: budget or memory was exhausted",
         "markers dropped: budget or memory was exhausted"},
        {"payload byte dropped with them", "payload bytes dropped with them"},
        {"completed queue marker evicted to make room",
         "completed queue markers evicted to make room"},
        {"submission not recorded for lack of memory",
         "submissions not recorded for lack of memory"},
        {"allocator left out because it was being changed",
         "allocators left out because they were being changed"},
        {"list of objects or queues left out because it was being changed",
         "lists of objects or queues left out because they were being changed"},
        {"driver row of no known queue", "driver rows of no known queue"},
        {"name of a destroyed object forgotten", "names of destroyed objects forgotten"},
        {"completed submission evicted to make room", "completed submissions evicted to make room"},
        {"part of the driver's report that could not be read",
         "parts of the driver's report that could not be read"},
    };
    const annot_reader *reader = text->reader;
    struct totals totals = totals_of(reader);
    bool is_any = false;
    if (totals.dropped > reader->losses[ANNOT__DUMP_LOSS_MARKERS])
        is_any |= write_count(text, totals.dropped, losses[1][0], losses[1][1]);
    for (uint32_t i = 0; i < ANNOT__LOSSES; i++)
        if (i != ANNOT__DUMP_LOSS_MARKERS ||
            totals.dropped <= reader->losses[ANNOT__DUMP_LOSS_MARKERS])
            is_any |= write_count(text, reader->losses[i], losses[i][0], losses[i][1]);
    is_any |= write_count(text, totals.cut_payloads, "payload cut at 32,768 bytes",
                          "payloads cut at 32,768 bytes");
    is_any |= write_count(text, totals.changed,
                          "payload that the application changed after it was recorded",
                          "payloads that the application changed after they were recorded");
    is_any |=
        write_count(text, totals.unreadable, "payload whose memory the application had given back",
                    "payloads whose memory the application had given back");
    is_any |= write_count(text, totals.cut_names, "object name cut", "object names cut");
    is_any |= write_count(text, totals.surplus, "surplus EndEvent in a recording",
                          "surplus EndEvents in recordings");
    is_any |= write_count(text, totals.unclosed, "BeginEvent without its EndEvent in the recording",
                          "BeginEvents without their EndEvent in the recording");
    is_any |=
        write_count(text, totals.crossing,
                    "scope opened by one list and closed by a later one (counted above too)",
                    "scopes opened by one list and closed by a later one (counted above too)");
    is_any |= write_count(text, reader->expired,
                          "finished list whose markers expired when its allocator was reset",
                          "finished lists whose markers expired when their allocators were reset");
    return is_any;
}

static void write_lost(struct text *text)
{
    styled(text, BOLD, "\nLOST OR ODD\n");
    bool is_any = write_losses(text);
    annot_finding finding;
    for (size_t i = 0; annot_reader_finding(text->reader, i, &finding); i++) {
        is_any = true;
        annot__out_format(&text->out, "  %s (%s%llu time%s", finding.text,
                          finding.finding_class == ANNOT_FINDING_DAMAGE ? "damage, " : "",
                          (unsigned long long)finding.count, plural(finding.count));
        if (finding.finding_class == ANNOT_FINDING_DAMAGE)
            annot__out_format(&text->out, ", first at byte %llu",
                              (unsigned long long)finding.offset);
        say(text, ")\n");
    }
    if (!is_any)
        say(text, "  Nothing was lost.\n");
}

annot_result annot_report_text(const annot_reader *reader, const annot_report_options *options,
                               const annot_report_sink *sink)
{
    static const annot_report_options defaults;
    struct text *text = annot__report_allocate(reader, sizeof *text);
    if (!text)
        return ANNOT_ERROR_OUT_OF_MEMORY;
    memset(text, 0, offsetof(struct text, name));
    text->out.sink = sink;
    text->reader = reader;
    text->options = options ? options : &defaults;
    text->nodes_left =
        text->options->node_limit ? text->options->node_limit : ANNOT_REPORT_NODE_LIMIT;
    text->visits_left = (uint64_t)64 << 20;
    annot_result result = ANNOT_ERROR_OUT_OF_MEMORY;
    if (annot__around_init(&text->around, reader)) {
        write_headline(text);
        write_stops(text);
        write_waiting(text);
        write_advice(text);
        write_tree(text);
        write_lost(text);
        result = annot__out_flush(&text->out) ? ANNOT_OK : ANNOT_ERROR_IO;
    }
    annot__around_finish(&text->around);
    annot__report_release(reader, text, sizeof *text);
    return result;
}
