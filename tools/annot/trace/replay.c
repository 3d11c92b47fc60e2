/* annot replay: makes the calls of a trace again. */
#include "cli.h"
#include "commands.h"
#include "options.h"
#include "trace_marker.h"
#include "trace_open.h"
#include "environment.h"
#include "json_writer.h"
#include "os_memory.h"

#include <errno.h>
#include <stdlib.h>

#ifndef ANNOT_HAVE_REPLAY

ABSENT_COMMAND(replay, "make recorded calls again", "TRACE",
               "annot was built without D3D12; build annot with DirectX-Headers to replay traces")

#else

#include "start/front.h"

#include <capture/replay/replay.h>
#include <capture/replay/surroundings.h>

#ifdef _WIN32
#define RECORDER "d3d12.dll"
#else
#define RECORDER "libd3d12.so"
#endif

struct arguments {
    const char *path, *output, *loop, *until, *marker; /* the text of --until */
    struct replay_options options;
    uint64_t memory, expansion; /* 0: no limits */
    struct replay_outcome outcome;
};

#define AT(member) offsetof(struct arguments, member)
static const struct option table[] = {
    OPTION("--until", "CALL", until,
           "the last call to make: a call's number, or a pattern for a marker's name (* is any "
           "text, ? is any byte)"),
    OPTION("--loop", "A..B", loop,
           "repeats calls A to B after they were made; objects that they create and never release "
           "accumulate"),
    OPTION_NUMBER("--times", "N", options.loop_times, UINT64_MAX,
                  "number of repetitions (default: until you stop the program)"),
    OPTION("--runtime", "PATH", options.runtime, "the D3D12 library (default: the emulator)"),
    OPTION("--trust", NULL, options.trust,
           "loads the trace's libraries and drivers, and writes the trace's files; one line on "
           "stderr lists all these names first"),
    OPTION("--dump", "DUMP", options.dump,
           "the file for the emulator's dump when the device is removed"),
    OPTION_NUMBER("--call-limit", "S", options.call_limit, UINT32_MAX,
                  "seconds that a call may take (default: 60)"),
    OPTION_NUMBER("--time-limit", "S", options.time_limit, UINT32_MAX,
                  "seconds that all calls together may take, without time in a debugger (default: "
                  "3600; loops need --times for this default)"),
    OPTION_NUMBER("--memory-limit", "MIB", memory, UINT32_MAX,
                  "MiB of memory that the process may use (default: 8192)"),
    OPTION_NUMBER("--max-expansion", "N", expansion, UINT32_MAX,
                  "refuses records of more than 256 MiB that are more than N times as large as the "
                  "file (default: N = 100). 0 also switches off each limit above"),
    OPTION_OUTPUT,
};

const struct command command_replay = {
    .name = "replay",
    .about = "make recorded calls again",
    .operands = "TRACE",
    .text = "Makes the calls of a trace again, on one thread. Compares their results and the "
            "mapped memory with the trace, and lists differences on stderr. Refuses and counts "
            "each call that would choose a library, a driver that is not built in, a file to write "
            "or the environment.",
    OPTIONS(table),
    .end = "exit code: 0 = no difference; 1 = a call, memory or a buffer's GPU address differed, "
           "or a call was not replayed; 2 = the replay did not reach its end, or the trace is "
           "damaged or has no call",
    ONE_OPERAND("trace can be given", "a trace is missing; usage: annot replay TRACE"),
    .run = cmd_replay,
};

/* Reads a call's number, which ends at `end`. */
static bool parse_call(const char *text, const char *end, uint64_t *number)
{
    char *behind;
    errno = 0;
    *number = strtoull(text, &behind, 10);
    return *text >= '0' && *text <= '9' && behind == end && !errno && *number;
}

static bool parse_range(const char *text, uint64_t *first, uint64_t *last)
{
    const char *dots = strstr(text, "..");
    return dots && parse_call(text, dots, first) &&
           parse_call(dots + 2, text + strlen(text), last) && *first <= *last;
}

static void show_progress(void *user, uint64_t call)
{
    (void)user;
    fprintf(stderr, "\rcall %" PRIu64, call);
}

static const char *verdict_of(const struct replay_outcome *o)
{
    const uint64_t others =
        o->skipped + o->refused + o->different + o->moved + (o->unequal - o->kinds[READ_GARBAGE]);
    return o->is_incomplete         ? "incomplete"
           : others                 ? "different"
           : o->kinds[READ_GARBAGE] ? "garbage"
                                    : "same";
}

static void print_outcome(const struct replay_outcome *o, bool is_json)
{
    struct annot__json out = {cli_write, stdout, false};
    const bool is_known = o->repeat == REPLAYED_AGAIN;
    if (o->repeat == REPEAT_UNFINISHED)
        fputs("annot replay: the second replay was not finished; unequal read-backs may depend on "
              "memory that nothing wrote\n",
              stderr);
    if (!is_json) {
        printf("%" PRIu64 " calls made, %" PRIu64 " not made, %" PRIu64 " refused\n%" PRIu64
               " results, %" PRIu64 " different\n%" PRIu64 " read-backs, %" PRIu64
               " unequal; %" PRIu64 " writes to memory that the GPU also writes\n"
               "%" PRIu64 " buffers with a different GPU address\n",
               o->calls, o->skipped, o->refused, o->results, o->different, o->reads, o->unequal,
               o->shared, o->moved);
        if (is_known)
            printf("unequal read-backs: %" PRIu64 " garbage (only memory that nothing wrote), "
                   "%" PRIu64 " unwritten (also such memory), %" PRIu64 " unstable (not the same "
                   "in two replays)\n",
                   o->kinds[READ_GARBAGE], o->kinds[READ_UNWRITTEN], o->kinds[READ_UNSTABLE]);
        printf("verdict: %s\n", verdict_of(o));
        return;
    }
    annot__json_format(&out,
                       "{calls:%" PRIu64 " skipped:%" PRIu64 " refused:%" PRIu64 " results:%" PRIu64
                       " different:%" PRIu64 " reads:%" PRIu64 " unequal:%" PRIu64
                       " shared_writes:%" PRIu64 " moved:%" PRIu64,
                       o->calls, o->skipped, o->refused, o->results, o->different, o->reads,
                       o->unequal, o->shared, o->moved);
    for (size_t i = READ_GARBAGE; i < READ_KINDS; i++)
        is_known ? annot__json_number(&out, replay_kinds[i], o->kinds[i])
                 : annot__json_string(&out, replay_kinds[i], NULL);
    annot__json_format(&out, " verdict:%s}\n", verdict_of(o));
}

/* Runs on another thread, because the replaying thread waits for something that may never come. */
static void stop_late(void *user, uint64_t call, bool is_call)
{
    const struct arguments *a = user;
    const bool has_outcome = a->outcome.repeat != REPLAYED_ONCE; /* of the first replay */
    if (has_outcome)
        print_outcome(&a->outcome, cli_wants_json(a->output));
    else
        fprintf(stderr,
                is_call ? "annot replay: call %" PRIu64
                          " takes longer than --call-limit allows; the call may wait for something "
                          "that never happens\n"
                        : "annot replay: stopped at call %" PRIu64
                          ": the replay takes longer than --time-limit allows\n",
                call);
    fflush(stdout);
    surroundings_remove_files();
    _Exit(has_outcome && !a->outcome.is_incomplete ? EXIT_DAMAGED : EXIT_UNUSABLE);
}

static int replay(struct trace *trace, struct arguments *a, bool is_json)
{
    const char *why;
    const bool ok = replay_run(trace, &a->options, &a->outcome, &why);
    if (a->options.progress && a->outcome.calls > 65535)
        fputc('\n', stderr);
    trace_print_findings("replay", trace);
    if (!ok) {
        fprintf(stderr, "annot replay: %.200s: %s\n", a->path, why);
        return EXIT_UNUSABLE;
    }
    print_outcome(&a->outcome, is_json);
    if (a->outcome.is_incomplete) {
        fprintf(stderr, "annot replay: %.200s: the trace is damaged or has no call\n", a->path);
        return EXIT_UNUSABLE;
    }
    return strcmp(verdict_of(&a->outcome), "same") == 0 ? EXIT_FINE : EXIT_DAMAGED;
}

int cmd_replay(int argc, char **argv)
{
    struct arguments a = {
        .options = {.log = stderr, .call_limit = 60, .time_limit = 3600, .late = stop_late},
        .memory = 8192,
        .expansion = TRACE_EXPANSION};
    int count, code;
    if (!options_read(&command_replay, argc, argv, &a, &count, &code))
        return code;
    a.path = argv[1];
    if (a.loop && !parse_range(a.loop, &a.options.loop_first, &a.options.loop_last))
        return cli_complain("replay", "--loop needs two numbers of calls, A..B; unusable:", a.loop);
    if (a.until && !parse_call(a.until, a.until + strlen(a.until), &a.options.until))
        a.marker = a.until;
    if (a.options.loop_times && !a.loop)
        return cli_complain("replay", "--times needs", "--loop");
    if (a.options.dump && !cli_can_create(a.options.dump))
        return cli_fail("replay", a.options.dump, ANNOT_ERROR_IO);
    a.options.name = a.path;
    a.options.user = &a;
    struct trace *trace = trace_open_limited("replay", a.path, a.expansion);
    if (!trace)
        return EXIT_UNUSABLE;
    const uint64_t last = trace_get_totals(trace).last_call;
    const char *absent = a.options.loop_last > last                                       ? a.loop
                         : a.options.until > last                                         ? a.until
                         : a.marker && !(a.options.until = markers_find(trace, a.marker)) ? a.marker
                                                                                          : NULL;
    if (absent) {
        trace_print_findings("replay", trace);
        trace_close(trace);
        return cli_complain("replay", "the trace has no such call or marker:", absent);
    }
    if (a.memory && !os_limit_memory(a.memory << 20))
        fputs("annot replay: this system has no limit for a process's memory, so --memory-limit "
              "has no effect\n",
              stderr);
    if (a.options.loop_last && !a.options.loop_times)
        a.options.time_limit = 0;
    char emulator[FRONT_PATH];
    if (!a.options.runtime && os_environment_borrow("ANNOT_CAPTURE_RUNTIME"))
        a.options.runtime = RECORDER; /* under annot capture: in front of other libraries */
    else if (!a.options.runtime && !a.options.trust && front_find_emulator(emulator))
        a.options.runtime = emulator;
    if (cli_is_terminal(stderr))
        a.options.progress = show_progress;
    const int status = replay(trace, &a, cli_wants_json(a.output));
    trace_close(trace);
    return status;
}

#endif
