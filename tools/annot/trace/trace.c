/* annot trace: shows a trace of D3D12 calls. */
#include "array.h"
#include "cli.h"
#include "commands.h"
#include "options.h"
#include "object_names.h"
#include "trace_diff.h"
#include "trace_marker.h"
#include "trace_open.h"
#include "trace_trim.h"
#include "trace_where.h"
#include "json_writer.h"

#include <capture/trace/codec.h>

struct arguments {
    const char *verb, *output, *out, *dump, *method, *marker, *noise;
    char **paths;
    bool is_json;
    uint64_t expansion, from, to;
    bool is_plain;
};

static const struct option table[] = {
    OPTION_NUMBER("--from", "CALL", from, UINT64_MAX, "the first call that is printed or kept"),
    OPTION_NUMBER("--to", "CALL", to, UINT64_MAX, "the last call that is printed or kept"),
    OPTION("--method", "GLOB", method,
           "annot trace show prints only methods whose name matches; * is any text, ? is any byte"),
    OPTION("--marker", "GLOB", marker,
           "annot trace show prints only markers whose name matches, and a list's calls from such "
           "a marker's begin to its end"),
    OPTION("--dump", "DUMP", dump,
           "a dump of the recorded run or of a replay, for the markers' EventIDs"),
    OPTION(
        "--noise", "TRACE", noise,
        "another recording of the first trace's run: diff only counts what differs between these "
        "two recordings"),
    OPTION("-o", "OUT", out, "the trimmed trace's file, which must not exist yet"),
    OPTION("--plain", NULL, is_plain,
           "writes the trace uncompressed, for programs that were built without zstd"),
    OPTION_NUMBER("--max-expansion", "N", expansion, UINT64_MAX,
                  "refuses records of more than 256 MiB that are more than N times as large as the "
                  "file (default: N = 100; 0: no limit)"),
    OPTION("--output", "text|json", output,
           "text for people (default), or JSON for programs (one object a line)"),
};

const struct command command_trace = {
    .name = "trace",
    .about = "what was recorded",
    .operands = "show|dump|info|diff|where|marker|trim TRACE",
    .also = "diff TRACE TRACE\nwhere TRACE DUMP\nmarker TRACE EVENTID|GLOB\ntrim TRACE -o OUT",
    .text =
        "show: the calls and their results, with the names of markers; long arrays are cut\ndump: "
        "every record and every element\ninfo: where the trace is from, how many calls of each "
        "method, calls that never returned\ndiff: the calls with other arguments, results or "
        "memory, and the calls that only one run has\nwhere: the calls in which the GPU stopped, "
        "from a dump of the recorded program or of its replay\nmarker: the calls that set a "
        "marker, by its name (with * and ?) or by its EventID in a dump\ntrim: a trace of these "
        "calls and of the earlier calls that they need; the new trace can be replayed alone",
    OPTIONS(table),
    .end = "exit code: 0 = done, and diff found no difference; 1 = the trace is damaged or ended "
           "early, diff found a difference, or where found no call; 2 = nothing was done",
    .least = 1,
    .most = 3,
    .missing = "a subcommand is missing: show, dump, info, diff, where, marker or trim",
    .unexpected = "unexpected",
    .run = cmd_trace,
};

/* ---- show, dump ---- */

/* Prints a marker's name as a comment, and its EventID if a dump has the EventID. */
static void print_marker(FILE *file, const struct trace_item *item, uint64_t event)
{
    char name[512];
    if (!marker_name(item, name, sizeof name))
        return;
    fputs("  -- ", file);
    trace_print_text(file, name, strlen(name));
    if (event)
        fprintf(file, ", EventID 0x%" PRIx64, event);
}

/* ---- the shown records ---- */

struct showing {
    const struct arguments *arguments;
    struct markers *markers;
    struct object_names names;
    uint64_t *calls; /* for each thread the newest shown call */
    size_t threads;
    bool is_dump, is_failed; /* memory ran out */
};

/* Returns the thread's shown call, which has its records; 0: none. NULL: out of memory. */
static uint64_t *call_of(struct showing *s, uint32_t thread)
{
    if (thread >= s->threads) {
        const size_t before = s->threads;
        if (!ARRAY_RESERVE(s->calls, s->threads, (size_t)thread + 1)) {
            s->is_failed = true;
            return NULL;
        }
        memset(s->calls + before, 0, (s->threads - before) * sizeof *s->calls);
    }
    return &s->calls[thread];
}

static bool is_wanted(const struct showing *s, const struct trace_item *item)
{
    const struct arguments *a = s->arguments;
    char method[160];
    trace_method_name(item->method, method, sizeof method);
    return (!a->method || glob_fits(a->method, method) ||
            (item->method >= 0 && glob_fits(a->method, schema_methods[item->method].name))) &&
           (!a->marker || markers_are_around(s->markers, item, a->marker));
}

static bool is_shown(struct showing *s, const struct trace_item *item)
{
    const struct arguments *a = s->arguments;
    const bool is_in = item->record.call >= a->from && item->record.call <= a->to &&
                       (s->is_dump || item->record.kind != RECORD_ADDRESS);
    if (!a->method && !a->marker)
        return is_in;
    uint64_t *call = call_of(s, item->thread);
    if (call && item->record.kind == RECORD_ENTER)
        *call = is_in && is_wanted(s, item) ? item->record.call : 0;
    return call && is_in && *call && *call == item->record.call;
}

static int show(struct trace *trace, const struct arguments *a)
{
    struct trace_printer printer;
    struct trace_item item;
    const bool is_dump = strcmp(a->verb, "dump") == 0;
    bool ok = trace_printer_init(&printer, stdout, a->is_json);
    if (!ok)
        return cli_complain("trace", "out of memory:", a->paths[0]);
    printer.elements_max = is_dump ? 0 : 16;
    struct showing showing = {
        .arguments = a, .is_dump = is_dump, .markers = markers_open(trace, a->dump)};
    if (!showing.markers) {
        trace_printer_finish(&printer);
        return EXIT_UNUSABLE;
    }
    printer.name_of = is_dump ? NULL : object_names_of;
    printer.user = &showing.names;
    while (!showing.is_failed && trace_next(trace, &item)) {
        ok &= markers_follow(showing.markers, &item);
        showing.is_failed |= !object_names_follow(&showing.names, &item);
        if (!is_shown(&showing, &item))
            continue;
        ok &= trace_print(&printer, &item);
        if (!a->is_json)
            print_marker(stdout, &item, markers_event(showing.markers));
        if (putchar('\n') == EOF)
            break;
    }
    trace_printer_finish(&printer);
    ok &= !showing.is_failed;
    object_names_free(&showing.names);
    free(showing.calls);
    markers_close(showing.markers);
    if (!ok)
        fputs("annot trace: some records are damaged, or memory ran out\n", stderr);
    return ok ? EXIT_FINE : EXIT_DAMAGED;
}

/* ---- info ---- */

struct tally {
    int method;
    uint64_t count;
};

static int by_count(const void *a, const void *b)
{
    const struct tally *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return x->method - y->method;
}

static const char *watch_name(uint32_t watch)
{
    static const char *const names[] = {"hashing", "userfaultfd", "GetWriteWatch"};
    return watch < sizeof names / sizeof names[0] ? names[watch] : "an unknown method";
}

static void print_text(const struct trace *trace, const struct tally *tallies, uint64_t calls,
                       uint64_t written)
{
    const struct trace_header *h = trace_get_header(trace);
    const struct trace_totals t = trace_get_totals(trace);
    struct trace_flight flight;
    char name[160];
    fputs("program    ", stdout);
    trace_print_text(stdout, h->program, strlen(h->program));
    fputs("\nruntime    ", stdout);
    trace_print_text(stdout, h->runtime, strlen(h->runtime));
    printf("\nprocess    %" PRIu32 "\nfinished   %s\ncalls      %" PRIu64 "\nthreads    %" PRIu32
           "\nfile       %" PRIu64 " bytes\nrecords    %" PRIu64 " bytes\nmemory     %" PRIu64
           " bytes, found by %s\n",
           h->process, h->is_finished ? "yes" : "no", calls, t.threads, t.file_size, t.used,
           written, watch_name(h->memory_watch));
    if (h->looked_asked || h->looked_hashed)
        printf("checked    %" PRIu64 " bytes for writes by asking the OS, %" PRIu64 " by hashing\n",
               h->looked_asked, h->looked_hashed);
    if (h->trimmed_from)
        printf("trimmed    to calls %" PRIu64 " to %" PRIu64 "\n", h->trimmed_from, h->trimmed_to);
    puts("methods");
    for (size_t i = 0; i < SCHEMA_METHODS && tallies[i].count; i++) {
        trace_method_name(tallies[i].method, name, sizeof name);
        printf("%10" PRIu64 "  %s\n", tallies[i].count, name);
    }
    for (size_t i = 0; trace_get_flight(trace, i, &flight); i++) {
        trace_method_name(flight.method, name, sizeof name);
        printf("in flight  call %" PRIu64 " of thread %" PRIu32 ", %s: the call never returned\n",
               flight.call, flight.thread, name);
    }
}

static void print_json(const struct trace *trace, const struct tally *tallies, uint64_t calls,
                       uint64_t written)
{
    const struct trace_header *h = trace_get_header(trace);
    const struct trace_totals t = trace_get_totals(trace);
    struct annot__json out = {cli_write, stdout, false};
    struct trace_flight flight;
    char name[160];
    annot__json_format(&out,
                       "{program:%s runtime:%s process:%u finished:%d calls:%" PRIu64
                       " threads:%" PRIu64 " file_bytes:%" PRIu64 " record_bytes:%" PRIu64
                       " memory_bytes:%" PRIu64 " memory_watch:%s",
                       h->program, h->runtime, h->process, h->is_finished, calls,
                       (uint64_t)t.threads, t.file_size, t.used, written,
                       watch_name(h->memory_watch));
    if (h->looked_asked || h->looked_hashed)
        annot__json_format(&out, "memory_asked:%" PRIu64 " memory_hashed:%" PRIu64, h->looked_asked,
                           h->looked_hashed);
    if (h->trimmed_from)
        annot__json_format(&out, "trimmed:{from:%" PRIu64 " to:%" PRIu64 "}", h->trimmed_from,
                           h->trimmed_to);
    annot__json_format(&out, "methods:{");
    for (size_t i = 0; i < SCHEMA_METHODS && tallies[i].count; i++) {
        trace_method_name(tallies[i].method, name, sizeof name);
        annot__json_number(&out, name, tallies[i].count);
    }
    annot__json_format(&out, "} in_flight:[");
    for (size_t i = 0; trace_get_flight(trace, i, &flight); i++) {
        trace_method_name(flight.method, name, sizeof name);
        annot__json_format(&out, "{call:%" PRIu64 " thread:%u method:%s}", flight.call,
                           flight.thread, name);
    }
    annot__json_close(&out, "]}\n");
}

static int info(struct trace *trace, const struct arguments *a)
{
    struct tally *tallies = calloc(SCHEMA_METHODS + 1, sizeof *tallies);
    struct trace_item item;
    uint64_t calls = 0, written = 0;
    if (!tallies)
        return cli_complain("trace", "out of memory:", "info");
    for (int i = 0; i < SCHEMA_METHODS; i++)
        tallies[i].method = i;
    while (trace_next(trace, &item)) {
        calls += item.record.kind == RECORD_ENTER;
        if (item.record.kind == RECORD_ENTER && item.method >= 0)
            tallies[item.method].count++;
        if (item.record.kind == RECORD_MEMORY)
            written += item.size;
    }
    qsort(tallies, SCHEMA_METHODS, sizeof *tallies, by_count);
    (a->is_json ? print_json : print_text)(trace, tallies, calls, written);
    free(tallies);
    return EXIT_FINE;
}

/* ---- other verbs ---- */

static int diff(struct trace *trace, const struct arguments *a)
{
    struct trace *other = trace_open_limited("trace", a->paths[1], a->expansion);
    struct trace *noise = a->noise ? trace_open_limited("trace", a->noise, a->expansion) : NULL;
    if (!other || (a->noise && !noise)) {
        trace_close(other);
        return EXIT_UNUSABLE;
    }
    const int status = trace_diff(trace, other, noise, a->is_json);
    bool has_findings = trace_print_findings("trace", other);
    if (noise)
        has_findings |= trace_print_findings("trace", noise);
    trace_close(noise);
    trace_close(other);
    return has_findings && status == EXIT_FINE ? EXIT_DAMAGED : status;
}

static int where(struct trace *trace, const struct arguments *a)
{
    return trace_where(trace, a->paths[1], a->is_json);
}

static int marker(struct trace *trace, const struct arguments *a)
{
    return trace_marker(trace, a->paths[1], a->dump, a->is_json);
}

static int trim(struct trace *trace, const struct arguments *a)
{
    return trace_trim(trace, &(struct trim_order){a->out, a->from, a->to, a->is_plain, a->is_json});
}

/* ---- the command ---- */

static const struct verb {
    const char *name;
    int (*run)(struct trace *trace, const struct arguments *arguments);
    bool takes_two, makes_trace; /* a second operand, -o OUT */
} verbs[] = {
    {"show", show, false, false}, {"dump", show, false, false},  {"info", info, false, false},
    {"diff", diff, true, false},  {"where", where, true, false}, {"marker", marker, true, false},
    {"trim", trim, false, true},
};

static const struct verb *find_verb(const char *name)
{
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (strcmp(name, verbs[i].name) == 0)
            return &verbs[i];
    return NULL;
}

int cmd_trace(int argc, char **argv)
{
    struct arguments a = {.paths = argv + 2, .expansion = TRACE_EXPANSION, .to = UINT64_MAX};
    int count, code;
    if (!options_read(&command_trace, argc, argv, &a, &count, &code))
        return code;
    a.verb = argv[1];
    a.is_json = cli_wants_json(a.output);
    const struct verb *verb = find_verb(a.verb);
    if (!verb)
        return cli_complain("trace", "use show, dump, info, diff, where, marker or trim, not",
                            a.verb);
    if (count != (verb->takes_two ? 3 : 2))
        return cli_complain("trace",
                            verb->takes_two ? "give a trace, and a second file or a marker, after"
                                            : "give exactly one trace after the subcommand",
                            a.verb);
    if (verb->makes_trace != (a.out != NULL))
        return cli_complain("trace",
                            a.out ? "-o OUT is only for annot trace trim, and not for"
                                  : "-o OUT is missing; give the new file for",
                            a.verb);
    if (a.from > a.to)
        return cli_complain("trace", "--from is a later call than --to; exchange them for", a.verb);
    struct trace *trace = trace_open_limited("trace", a.paths[0], a.expansion);
    if (!trace)
        return EXIT_UNUSABLE;
    const int status = verb->run(trace, &a);
    const bool has_findings = trace_print_findings("trace", trace);
    trace_close(trace);
    return has_findings && status == EXIT_FINE ? EXIT_DAMAGED : status;
}
