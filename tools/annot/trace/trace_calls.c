/*
 * The trace is read twice: to find where in each recording the GPU stopped, then for the texts of
 * the calls around that place.
 */
#include "trace_calls.h"

#include "object_names.h"
#include "trace_marker.h"
#include "trace_where.h"

#include <capture/trace/print.h>
#include <capture/trace/schema.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LISTS_MAX    64u
#define CALLS_MAX    400u /* of a list */
#define BEFORE_MAX   200u /* of these, in front of the place where the GPU stopped */
#define TEXT_MAX     400u /* bytes of a call */
#define ELEMENTS_MAX 8u
#define NONE         ANNOT_READER_NONE

enum deed { NOTHING, LAST_MARKER, STOPPED, PERHAPS_STOPPED }; /* of the GPU, in a call */

struct line {
    uint64_t call;
    char *text;
    uint32_t entry; /* of the dump; NONE: the call sets no marker, or one that was lost */
    enum deed deed;
};

struct recording {
    struct trace_stop stop;
    uint64_t call;         /* that began it */
    uint64_t object;       /* its list; 0: not met yet */
    uint64_t count, told;  /* calls behind that one, in the first and the second reading */
    uint64_t place;        /* how many of them are in front of where the GPU stopped */
    uint32_t marker, last; /* entries of the dump: the next one of a marker, behind the last */
    struct line *lines;    /* of the second reading */
    size_t line_count;
    bool is_over, is_creation;
};

struct calls {
    struct recording recordings[LISTS_MAX];
    size_t count;
    const annot_reader *reader;
    struct trace *trace;
    struct object_names names;
    uint64_t self; /* the list whose call is printed: not named in each line */
    struct trace_printer printer;
    bool is_failed; /* out of memory, or no temporary file */
    bool is_odd;    /* a record could not be printed whole */
};

/* ---- which recordings ---- */

static void add_recording(struct calls *c, uint32_t index, const struct trace_stop *stop)
{
    annot_reader_stream stream;
    for (size_t i = 0; i < c->count; i++)
        if (c->recordings[i].stop.stream == index)
            return;
    if (c->count == LISTS_MAX || !annot_reader_stream_at(c->reader, index, &stream) || !stream.call)
        return;
    c->recordings[c->count++] =
        (struct recording){.stop = stop ? *stop : (struct trace_stop){.stream = index},
                           .call = stream.call,
                           .marker = stream.first_entry,
                           .last = stream.dropped ? 0 : stream.first_entry + stream.entry_count};
}

static void add_bundles(struct calls *c, uint32_t index)
{
    annot_reader_stream stream;
    annot_reader_entry entry;
    if (!annot_reader_stream_at(c->reader, index, &stream))
        return;
    for (uint32_t i = 0; i < stream.entry_count && c->count < LISTS_MAX; i++)
        if (annot_reader_entry_at(c->reader, stream.first_entry + i, &entry) &&
            entry.kind == ANNOT_ENTRY_BUNDLE)
            add_recording(c, entry.link, NULL);
}

/* The lists that are in progress, the others of their submissions, and the bundles of all. */
static void find_recordings(struct calls *c)
{
    struct trace_stop stops[LISTS_MAX];
    const size_t count = trace_stops(c->trace, c->reader, stops, LISTS_MAX);
    annot_reader_submission submission;
    annot_reader_execution execution;
    for (size_t i = 0; i < count; i++)
        add_recording(c, stops[i].stream, &stops[i]);
    for (size_t i = 0; i < count; i++) {
        if (!annot_reader_submission_at(c->reader, stops[i].submission, &submission))
            continue;
        for (uint32_t k = 0; k < submission.execution_count && c->count < LISTS_MAX; k++)
            if (annot_reader_execution_at(c->reader, submission.first_execution + k, &execution))
                add_recording(c, execution.stream, NULL);
    }
    for (size_t i = 0, lists = c->count; i < lists; i++)
        add_bundles(c, c->recordings[i].stop.stream);
}

/* ---- the trace ---- */

static bool is_named(const struct trace_item *item, const char *name)
{
    return item->method >= 0 && strcmp(schema_methods[item->method].name, name) == 0;
}

/* The record of the call that began the recording: Reset has the list for its object, a creation
 * writes it, in the last word of its record. */
static void begin(struct recording *r, const struct trace_item *item)
{
    if (item->record.kind == RECORD_ENTER && is_named(item, "Reset"))
        r->object = word_at(item, 0);
    else if (item->record.kind == RECORD_LEAVE && is_named(item, "CreateCommandList"))
        r->object = word_at(item, item->size / 8 ? item->size / 8 - 1 : 0);
}

typedef void visit_call(struct calls *c, struct recording *r, const struct trace_item *item);

static void visit(struct calls *c, const struct trace_item *item, visit_call *each)
{
    const bool is_enter = item->record.kind == RECORD_ENTER;
    const uint64_t self = word_at(item, 0);
    if (!is_enter && item->record.kind != RECORD_LEAVE)
        return;
    for (size_t i = 0; i < c->count; i++) {
        struct recording *r = &c->recordings[i];
        if (item->record.call == r->call)
            begin(r, item);
        else if (is_enter && r->object && r->object == self && !r->is_over) {
            r->is_over = is_named(item, "Close") || is_named(item, "Reset");
            each(c, r, item);
        }
    }
}

static void read_trace(struct calls *c, visit_call *each)
{
    struct trace_item item;
    for (size_t i = 0; i < c->count; i++) {
        c->recordings[i].object = 0;
        c->recordings[i].is_over = false;
    }
    trace_rewind(c->trace);
    while (!c->is_failed && trace_next(c->trace, &item)) {
        visit(c, &item, each);
        c->is_failed |= !object_names_follow(&c->names, &item);
    }
}

static void count_call(struct calls *c, struct recording *r, const struct trace_item *item)
{
    (void)c;
    if (item->record.call == (r->stop.first ? r->stop.first : r->stop.marker))
        r->place = r->count;
    r->count++;
}

/* ---- texts ---- */

static const char *name_but_its_own(void *user, uint64_t object)
{
    struct calls *c = user;
    return object == c->self ? NULL : object_names_of(&c->names, object);
}

/* The call's text from its method on. */
static void print_call(struct calls *c, const struct trace_item *item)
{
    char name[512];
    if (marker_name(item, name, sizeof name)) {
        fprintf(c->printer.file, "%s ", schema_methods[item->method].name);
        trace_print_text(c->printer.file, name, strlen(name));
        return;
    }
    c->self = word_at(item, 0);
    c->is_odd |= !trace_print(&c->printer, item);
}

/* The line of print_call, without the number, the thread and the interface; NULL: out of
 * memory, or the file can't be used. */
static char *take_text(struct calls *c, const struct trace_item *item)
{
    FILE *file = c->printer.file;
    char text[TEXT_MAX + 256], front[256];
    rewind(file);
    print_call(c, item);
    const long end = ftell(file);
    rewind(file);
    if (end < 0 || ferror(file))
        return NULL;
    size_t size = (size_t)end < sizeof text ? (size_t)end : sizeof text - 1;
    if (fread(text, 1, size, file) != size)
        return NULL;
    text[size] = '\0';
    const int length =
        snprintf(front, sizeof front,
                 "%" PRIu64 " t%" PRIu32 " #%" PRIu64 " %s::", item->record.call, item->thread,
                 word_at(item, 0), item->method < 0 ? "" : schema_methods[item->method].iface);
    char *from = strncmp(text, front, (size_t)length) == 0 ? text + length : text;
    const bool is_cut = size < (size_t)end || strlen(from) > TEXT_MAX;
    if (is_cut) {
        size = TEXT_MAX;
        while (size > 0 && ((unsigned char)from[size] & 0xc0) == 0x80)
            size--;
        memcpy(from + size, " ...", sizeof " ...");
    }
    return strdup(from);
}

static enum deed deed_in(const struct recording *r, const struct trace_item *item)
{
    const uint64_t call = item->record.call;
    if (call == r->stop.marker)
        return LAST_MARKER;
    if (!r->stop.first || call < r->stop.first || call > r->stop.last)
        return NOTHING;
    if (r->stop.first == r->stop.last)
        return STOPPED;
    return trace_is_work(item->method) ? PERHAPS_STOPPED : NOTHING;
}

/* The entry of the dump that a call with a marker made: the n-th for the n-th. */
static uint32_t entry_of(const struct calls *c, struct recording *r, const struct trace_item *item)
{
    annot_reader_entry entry;
    if (!is_named(item, "BeginEvent") && !is_named(item, "SetMarker"))
        return NONE;
    for (uint32_t i = r->marker; i < r->last; i++)
        if (annot_reader_entry_at(c->reader, i, &entry) &&
            (entry.kind == ANNOT_ENTRY_BEGIN || entry.kind == ANNOT_ENTRY_SET)) {
            r->marker = i + 1;
            return i;
        }
    return NONE;
}

static uint64_t first_told(const struct recording *r)
{
    return r->place > BEFORE_MAX ? r->place - BEFORE_MAX : 0;
}

static void tell_call(struct calls *c, struct recording *r, const struct trace_item *item)
{
    const uint64_t at = r->told++;
    const uint32_t entry = entry_of(c, r, item);
    if (at < first_told(r) || r->line_count == CALLS_MAX || !r->lines)
        return;
    char *text = take_text(c, item);
    c->is_failed |= !text;
    if (text)
        r->lines[r->line_count++] = (struct line){item->record.call, text, entry, deed_in(r, item)};
}

/* ---- all of it ---- */

static void say_recording(struct annot__json *out, const struct recording *r)
{
    annot__json_open(out, NULL, "{");
    annot__json_number(out, "stream", r->stop.stream);
    annot__json_decimal(out, "before", first_told(r));
    annot__json_decimal(out, "behind", r->count - first_told(r) - r->line_count);
    annot__json_open(out, "calls", "[");
    for (size_t i = 0; i < r->line_count; i++) {
        const struct line *line = &r->lines[i];
        annot__json_open(out, NULL, "[");
        annot__json_decimal(out, NULL, line->call);
        annot__json_string(out, NULL, line->text);
        annot__json_number(out, NULL, line->deed);
        if (line->entry == NONE)
            annot__json_string(out, NULL, NULL);
        else
            annot__json_number(out, NULL, line->entry);
        annot__json_close(out, "]");
    }
    annot__json_close(out, "]");
    annot__json_close(out, "}");
}

/* False: out of memory, or no temporary file. */
static bool tell_all(struct calls *c)
{
    FILE *file = tmpfile(); /* Windows has no memory streams */
    bool ok = file && trace_printer_init(&c->printer, file, false);
    c->printer.elements_max = ELEMENTS_MAX;
    c->printer.name_of = name_but_its_own;
    c->printer.user = c;
    for (size_t i = 0; ok && i < c->count; i++)
        ok = (c->recordings[i].lines = calloc(CALLS_MAX, sizeof(struct line)));
    object_names_free(&c->names);
    if (ok)
        read_trace(c, tell_call);
    if (c->printer.arena)
        trace_printer_finish(&c->printer);
    if (file)
        fclose(file);
    return ok && !c->is_failed;
}

static void forget_lines(struct calls *c)
{
    for (size_t i = 0; i < c->count; i++) {
        struct recording *r = &c->recordings[i];
        for (size_t k = 0; k < r->line_count; k++)
            free(r->lines[k].text);
        free(r->lines);
    }
}

enum trace_calls trace_calls_say(struct annot__json *out, const annot_reader *reader,
                                 struct trace *trace)
{
    struct calls c = {.reader = reader, .trace = trace};
    enum trace_calls outcome = TRACE_CALLS_INCOMPLETE;
    errno = 0;
    find_recordings(&c);
    if (c.count == 0) {
        trace_say_no_call("html", reader);
        return outcome;
    }
    read_trace(&c, count_call);
    if (c.is_failed || !tell_all(&c))
        outcome = TRACE_CALLS_FAILED;
    for (size_t i = 0; i < c.count && outcome != TRACE_CALLS_FAILED; i++)
        if (c.recordings[i].line_count) {
            say_recording(out, &c.recordings[i]);
            outcome = TRACE_CALLS_SAID;
        }
    if (outcome == TRACE_CALLS_INCOMPLETE)
        fputs("annot html: the trace has none of the calls that this dump names; give the trace of "
              "the same run\n",
              stderr);
    if (outcome == TRACE_CALLS_SAID && c.is_odd) {
        fputs("annot html: some calls are missing: they are damaged, or memory ran out\n", stderr);
        outcome = TRACE_CALLS_INCOMPLETE;
    }
    forget_lines(&c);
    object_names_free(&c.names);
    return outcome;
}
