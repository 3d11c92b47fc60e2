#include "trace_marker.h"

#include "table.h"
#include "cli.h"
#include "json_writer.h"

#include <annot/pix.h>
#include <capture/trace/schema.h>

#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define NAME_MAX_BYTES 512u
#define DEPTH_MAX      32u /* scopes of a list whose names are kept */

struct place { /* the place of a marker in a recording */
    uint64_t recording, ordinal;
};

struct event {
    struct place place;
    uint64_t id;
    UT_hash_handle hh;
};

struct list { /* a list that records */
    uint64_t object;
    struct place next;
    uint64_t depth;
    char *scopes[DEPTH_MAX];
    UT_hash_handle hh;
};

struct markers {
    struct event *events;
    struct list *lists;
    struct list *opening;    /* the list in which this marker begins a scope; NULL: none */
    const struct list *list; /* list of the last followed marker; NULL: none */
    uint64_t event;
    char name[NAME_MAX_BYTES];
};

/* ---- names ---- */

bool marker_is_set_by(int method)
{
    return method == METHOD_ID3D12GraphicsCommandList_BeginEvent ||
           method == METHOD_ID3D12GraphicsCommandList_SetMarker ||
           method == METHOD_ID3D12CommandQueue_BeginEvent ||
           method == METHOD_ID3D12CommandQueue_SetMarker;
}

bool marker_name(const struct trace_item *item, char *name, size_t size)
{
    uint64_t words[5];
    annot_pix_event event;
    if (item->record.kind != RECORD_ENTER || !marker_is_set_by(item->method) ||
        item->size < sizeof words)
        return false;
    memcpy(words, item->data, sizeof words); /* object, Metadata, pData, Size, elements */
    if (!words[2] || words[4] > item->size - sizeof words)
        return false;
    annot_pix_decode((uint32_t)words[1], item->data + sizeof words, words[4], name, size, &event);
    return true;
}

/* ---- the dump ---- */

static bool add_event(struct markers *markers, struct place place, uint64_t id)
{
    struct event *e;
    TABLE_FIND_OR_ADD(markers->events, place, place, e);
    if (e)
        e->id = id;
    return e != NULL;
}

/* Adds a stream, unless it lost markers: the stream does not tell which markers are lost. */
static bool add_stream(struct markers *markers, const annot_reader *reader,
                       const annot_reader_stream *stream)
{
    struct place place = {stream->call, 0};
    annot_reader_entry entry;
    bool ok = true;
    for (uint32_t i = 0; stream->call && !stream->dropped && i < stream->entry_count && ok; i++)
        if (annot_reader_entry_at(reader, stream->first_entry + i, &entry) &&
            (entry.kind == ANNOT_ENTRY_BEGIN || entry.kind == ANNOT_ENTRY_SET)) {
            ok = add_event(markers, place, entry.event_id);
            place.ordinal++;
        }
    return ok;
}

/* Whether the dump may be of the trace's run or of its replay. If it is not, or if that is not
 * known, prints why. A replay's dump has the name of the recorded program. */
static bool is_of_run(const annot_reader *reader, const struct trace_header *trace)
{
    annot_reader_device device;
    annot_reader_fact fact;
    char key[16], value[256], *end;
    uint64_t process = 0;
    bool is_replay = false;
    for (size_t i = 0; annot_reader_fact_at(reader, i, &fact); i++) {
        cli_printable(fact.key, key, sizeof key);
        cli_printable(fact.value, value, sizeof value);
        is_replay |= strcmp(key, "replayed by") == 0;
        if (fact.source == ANNOT_FACT_LIBRARY && strcmp(key, "process") == 0)
            process = strtoull(value, &end, 10) * !*end;
    }
    annot_reader_get_device(reader, &device);
    cli_printable(device.application, value, sizeof value);
    const size_t name = strlen(value), path = strlen(trace->program);
    const bool is_named = name && name <= path && !strcmp(trace->program + path - name, value) &&
                          (name == path || strchr("/\\", trace->program[path - name - 1]));
    const bool is_other = process && process != trace->process && !is_replay;
    const bool is_early = device.time && device.time < trace->started;
    if (is_other)
        fprintf(stderr,
                "annot trace: the dump is of process %" PRIu64
                ", and the trace is of process %" PRIu32
                "; give a dump of the recorded run or of its replay\n",
                process, trace->process);
    else if (is_early || !(is_replay ? is_named : process))
        fputs(is_early
                  ? "annot trace: the dump is older than the trace; give a dump of the recorded "
                    "run or of its replay\n"
                  : "annot trace: it is not known whether the dump is of the recorded run\n",
              stderr);
    return !is_other && !is_early;
}

annot_reader *markers_open_dump(const struct trace *trace, const char *path)
{
    annot_reader *reader = NULL;
    const annot_result result = annot_reader_open_file(&(annot_reader_desc){0}, path, &reader);
    if (!reader || result != ANNOT_OK)
        fprintf(stderr, "annot trace: %.200s: %s\n", path, annot_result_text(result));
    if (!reader || is_of_run(reader, trace_get_header(trace)))
        return reader;
    annot_reader_close(reader);
    return NULL;
}

static bool read_dump(struct markers *markers, const struct trace *trace, const char *path)
{
    annot_reader *reader = markers_open_dump(trace, path);
    annot_reader_stream stream;
    bool ok = true;
    if (!reader)
        return false;
    for (uint32_t i = 0; ok && annot_reader_stream_at(reader, i, &stream); i++)
        ok = add_stream(markers, reader, &stream);
    annot_reader_close(reader);
    if (!ok)
        fputs("annot trace: out of memory\n", stderr);
    return ok;
}

struct markers *markers_open(const struct trace *trace, const char *dump)
{
    struct markers *markers = calloc(1, sizeof *markers);
    if (!markers)
        fputs("annot trace: out of memory\n", stderr);
    if (!markers || !dump || read_dump(markers, trace, dump))
        return markers;
    markers_close(markers);
    return NULL;
}

static void close_scope(struct list *list)
{
    if (list->depth > 0 && --list->depth < DEPTH_MAX)
        free(list->scopes[list->depth]);
}

static void forget_scopes(struct list *list)
{
    while (list->depth > 0)
        close_scope(list);
}

void markers_close(struct markers *markers)
{
    struct list *l, *next_list;
    if (!markers)
        return;
    TABLE_FREE(struct event, markers->events)
    HASH_ITER(hh, markers->lists, l, next_list)
    {
        HASH_DEL(markers->lists, l);
        forget_scopes(l);
        free(l);
    }
    free(markers);
}

/* ---- the trace ---- */

static struct list *list_of(const struct markers *markers, uint64_t object)
{
    struct list *l;
    HASH_FIND(hh, markers->lists, &object, sizeof object, l);
    return l;
}

static bool begin_recording(struct markers *markers, uint64_t object, uint64_t call)
{
    struct list *l;
    TABLE_FIND_OR_ADD(markers->lists, object, object, l);
    if (!l)
        return false;
    forget_scopes(l);
    l->next = (struct place){call, 0};
    return true;
}

/* Opens the scope of the last marker. */
static void open_scope(struct markers *markers)
{
    struct list *list = markers->opening;
    if (list && list->depth < DEPTH_MAX)
        list->scopes[list->depth] = strdup(markers->name);
    if (list)
        list->depth++;
    markers->opening = NULL;
}

bool markers_follow(struct markers *markers, const struct trace_item *item)
{
    const int method = item->method;
    const uint64_t call = item->record.call, self = word_at(item, 0);
    open_scope(markers);
    markers->list = NULL;
    markers->event = 0;
    if (item->record.kind == RECORD_LEAVE && method == METHOD_ID3D12Device_CreateCommandList)
        return item->size < 16 || begin_recording(markers, word_at(item, item->size / 8 - 1), call);
    if (item->record.kind != RECORD_ENTER)
        return true;
    if (schema_is_named(method, "Reset") && strstr(schema_methods[method].iface, "CommandList"))
        return begin_recording(markers, self, call);
    struct list *list = list_of(markers, self);
    if (list && method == METHOD_ID3D12GraphicsCommandList_EndEvent)
        close_scope(list);
    if (!list || !marker_is_set_by(method))
        return true;
    struct event *e;
    HASH_FIND(hh, markers->events, &list->next, sizeof list->next, e);
    markers->event = e ? e->id : 0;
    markers->list = list;
    list->next.ordinal++;
    if (method == METHOD_ID3D12GraphicsCommandList_BeginEvent) {
        markers->opening = list;
        if (!marker_name(item, markers->name, sizeof markers->name))
            markers->name[0] = '\0';
    }
    return true;
}

uint64_t markers_recording(const struct markers *markers, const struct trace_item *item)
{
    const struct list *list = list_of(markers, word_at(item, 0));
    return list && item->record.kind == RECORD_ENTER ? list->next.recording : 0;
}

static uint64_t known_scopes(const struct list *list)
{
    return !list ? 0 : list->depth < DEPTH_MAX ? list->depth : DEPTH_MAX;
}

bool markers_are_around(struct markers *markers, const struct trace_item *item, const char *glob)
{
    char name[NAME_MAX_BYTES];
    const struct list *list = list_of(markers, word_at(item, 0));
    for (uint64_t i = 0; i < known_scopes(list); i++)
        if (list->scopes[i] && glob_fits(glob, list->scopes[i]))
            return true;
    return marker_name(item, name, sizeof name) && glob_fits(glob, name);
}

uint64_t markers_event(const struct markers *markers)
{
    return markers->event;
}

uint64_t markers_find(struct trace *trace, const char *glob)
{
    char name[NAME_MAX_BYTES];
    struct trace_item item;
    uint64_t found = 0;
    while (!found && trace_next(trace, &item))
        if (marker_name(&item, name, sizeof name) && glob_fits(glob, name))
            found = item.record.call;
    trace_rewind(trace);
    return found;
}

/* ---- the command ---- */

static const char *scope_at(const struct list *list, uint64_t i)
{
    return list->scopes[i] ? list->scopes[i] : "";
}

uint64_t markers_scope(const struct markers *markers, const struct trace_item *item)
{
    const struct list *list = list_of(markers, word_at(item, 0));
    uint64_t hash = 0;
    for (uint64_t i = 0; i < known_scopes(list); i++)
        hash = XXH3_64bits_withSeed(scope_at(list, i), strlen(scope_at(list, i)), hash) | 1;
    return hash;
}

static void json_path(struct annot__json *out, const struct list *list)
{
    annot__json_open(out, "path", "[");
    for (uint64_t i = 0; i < known_scopes(list); i++)
        annot__json_string(out, NULL, scope_at(list, i));
    annot__json_close(out, "]");
}

static bool write_text(void *text, const void *data, size_t size)
{
    trace_text_add(text, data, size);
    return true;
}

static void add_path(const struct list *list, struct trace_text *text)
{
    for (uint64_t i = 0; i < known_scopes(list); i++) {
        trace_text_add(text, i ? " / " : ", in ", i ? 3 : 5);
        trace_text_add_quoted(text, scope_at(list, i), strlen(scope_at(list, i)));
    }
}

void markers_add_path(const struct markers *markers, struct trace_text *text,
                      const struct trace_item *item, bool is_json)
{
    const struct list *list = list_of(markers, word_at(item, 0));
    if (is_json)
        json_path(&(struct annot__json){write_text, text, true}, list);
    else
        add_path(list, text);
}

static void print_text(const struct markers *markers, const struct trace_item *item,
                       const char *method, const char *name)
{
    printf("call %" PRIu64 ", thread %" PRIu32 ", #%" PRIu64 " %s ", item->record.call,
           item->thread, word_at(item, 0), method);
    trace_print_text(stdout, name, strlen(name));
    if (markers->event)
        printf(", EventID 0x%" PRIx64, markers->event);
    struct trace_text path = {0};
    add_path(markers->list, &path);
    puts(path.data ? path.data : "");
    if (path.has_failed)
        fputs("annot trace: out of memory\n", stderr);
    free(path.data);
}

static void print_json(const struct markers *markers, const struct trace_item *item,
                       const char *method, const char *name)
{
    struct annot__json out = {cli_write, stdout, false};
    annot__json_format(&out, "{call:%" PRIu64 " thread:%u object:%" PRIu64 " method:%s name:%s",
                       item->record.call, item->thread, word_at(item, 0), method, name);
    if (markers->event)
        annot__json_hex(&out, "event_id", markers->event);
    json_path(&out, markers->list);
    annot__json_close(&out, "}\n");
}

int trace_marker(struct trace *trace, const char *wanted, const char *dump, bool is_json)
{
    char name[NAME_MAX_BYTES], method[160], *end;
    struct trace_item item;
    struct markers *markers = markers_open(trace, dump);
    const uint64_t id = strtoull(wanted, &end, 0);
    const bool is_id = *wanted >= '0' && *wanted <= '9' && !*end;
    bool ok = markers != NULL;
    int status = 1;
    if (is_id && !dump)
        fputs("annot trace: an EventID needs --dump DUMP: a dump of the same run, recorded with "
              "DRIVER_RETAIL\n",
              stderr);
    while (ok && trace_next(trace, &item)) {
        ok = markers_follow(markers, &item);
        if (!ok || !marker_name(&item, name, sizeof name))
            continue;
        if (is_id ? markers->event == id && id : glob_fits(wanted, name)) {
            trace_method_name(item.method, method, sizeof method);
            (is_json ? print_json : print_text)(markers, &item, method, name);
            status = 0;
        }
    }
    if (markers && !ok)
        fputs("annot trace: out of memory\n", stderr);
    markers_close(markers);
    return ok ? status : 2;
}
