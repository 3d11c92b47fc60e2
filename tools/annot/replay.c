/* annot replay: makes the calls of a trace again. */
#include "commands.h"

#include <capture/trace/read.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_FINE = 0, EXIT_DIFFERENT = 1, EXIT_UNUSABLE = 2 };

#ifndef ANNOT_HAVE_REPLAY

int cmd_replay(int argc, char **argv)
{
    (void)argc, (void)argv;
    fputs("annot replay: this program was built without D3D12; traces are replayed where it was "
          "built with DirectX-Headers\n",
          stderr);
    return EXIT_UNUSABLE;
}

#else

#include <capture/replay/replay.h>

#ifdef _WIN32
#include <io.h>
#define is_terminal(file) _isatty(_fileno(file))
#define RECORDER          "d3d12.dll"
#else
#include <unistd.h>
#define is_terminal(file) isatty(fileno(file))
#define RECORDER          "libd3d12.so"
#endif

static const char usage[] =
    "usage: annot replay TRACE [--until CALL | --loop CALL..CALL [--times N]] [--runtime PATH] "
    "[--dump DUMP]\n"
    "                    [--placed-as-committed] [--output text|json]\n"
    "\n"
    "Makes the calls of a trace again, on one thread, and compares what they return and what can "
    "be "
    "read in mapped\n"
    "memory with the trace. Differences are listed on stderr.\n"
    "\n"
    "  --until CALL         the last call that is made\n"
    "  --loop A..B          calls A to B again and again once they were made; objects that they "
    "create and do not "
    "release pile up\n"
    "  --times N            how often in all; without it until the program is stopped\n"
    "  --placed-as-committed  placed resources get memory of their own: for limits that differ; "
    "errors of "
    "aliasing are not replayed\n"
    "  --runtime PATH       the D3D12 library; without it the one that was recorded\n"
    "  --dump DUMP          where the emulator leaves the dump when the device is removed\n"
    "  --output text|json   for people or for programs; without it text on a terminal, JSON "
    "otherwise\n"
    "\n"
    "exit code: 0 all as it was, 1 something differed or was not replayed, 2 not replayed\n";

struct arguments {
    const char *path, *output;
    struct replay_options options;
    bool help;
};

static int complain(const char *what, const char *which)
{
    fprintf(stderr, "annot replay: %s '%.200s'; try: annot replay --help\n", what, which);
    return EXIT_UNUSABLE;
}

static bool parse_number(const char *text, uint64_t *number)
{
    char *end;
    errno = 0;
    *number = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && !errno && *number;
}

static bool parse_range(const char *text, uint64_t *first, uint64_t *last)
{
    char number[32];
    const char *dots = strstr(text, "..");
    if (!dots || (size_t)(dots - text) >= sizeof number)
        return false;
    memcpy(number, text, (size_t)(dots - text));
    number[dots - text] = '\0';
    return parse_number(number, first) && parse_number(dots + 2, last) && *first <= *last;
}

static int parse(int argc, char **argv, struct arguments *a)
{
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            a->help = true;
            return EXIT_FINE;
        }
        if (word[0] != '-') {
            if (a->path)
                return complain("one trace at a time; unexpected", word);
            a->path = word;
            continue;
        }
        if (strcmp(word, "--placed-as-committed") == 0) {
            a->options.placed_as_committed = true;
            continue;
        }
        if (!value)
            return complain("unknown option, or its value is missing:", word);
        i++;
        if (strcmp(word, "--until") == 0) {
            if (!parse_number(value, &a->options.until))
                return complain("the number of a call is expected, not", value);
        } else if (strcmp(word, "--loop") == 0) {
            if (!parse_range(value, &a->options.loop_first, &a->options.loop_last))
                return complain("two numbers of calls are expected, A..B, not", value);
        } else if (strcmp(word, "--times") == 0) {
            if (!parse_number(value, &a->options.loop_times))
                return complain("a number is expected, not", value);
        } else if (strcmp(word, "--runtime") == 0) {
            a->options.runtime = value;
        } else if (strcmp(word, "--dump") == 0) {
            a->options.dump = value;
        } else if (strcmp(word, "--output") == 0) {
            a->output = value;
        } else {
            return complain("unknown option", word);
        }
    }
    if (!a->path)
        return complain("a trace is missing", "");
    if (a->output && strcmp(a->output, "text") != 0 && strcmp(a->output, "json") != 0)
        return complain("--output is text or json, not", a->output);
    return EXIT_FINE;
}

static void show_progress(void *user, uint64_t call)
{
    (void)user;
    fprintf(stderr, "\rcall %" PRIu64, call);
}

static void print_outcome(const struct replay_outcome *o, bool is_json)
{
    printf(is_json ? "{\"calls\": %" PRIu64 ", \"skipped\": %" PRIu64 ", \"results\": %" PRIu64
                     ", \"different\": %" PRIu64 ", \"reads\": %" PRIu64 ", \"unequal\": %" PRIu64
                     ", \"shared_writes\": %" PRIu64 "}\n"
                   : "%" PRIu64 " calls made, %" PRIu64 " not\n%" PRIu64 " results, %" PRIu64
                     " different\n%" PRIu64 " read-backs, %" PRIu64 " unequal; %" PRIu64
                     " writes to memory that the GPU writes to as well\n",
           o->calls, o->skipped, o->results, o->different, o->reads, o->unequal, o->shared);
}

static int replay(struct trace *trace, const struct arguments *a, bool is_json)
{
    struct replay_outcome outcome;
    const char *why, *finding;
    const bool ok = replay_run(trace, &a->options, &outcome, &why);
    if (a->options.progress && outcome.calls > 65535)
        fputc('\n', stderr);
    for (size_t i = 0; (finding = trace_get_finding(trace, i)); i++)
        fprintf(stderr, "annot replay: %s\n", finding);
    if (!ok) {
        fprintf(stderr, "annot replay: %.200s: %s\n", a->path, why);
        return EXIT_UNUSABLE;
    }
    print_outcome(&outcome, is_json);
    if (fflush(stdout))
        return EXIT_UNUSABLE;
    return outcome.skipped || outcome.different || outcome.unequal ? EXIT_DIFFERENT : EXIT_FINE;
}

int cmd_replay(int argc, char **argv)
{
    struct arguments a = {.options.log = stderr};
    const char *why;
    if (parse(argc, argv, &a) != EXIT_FINE)
        return EXIT_UNUSABLE;
    if (a.help)
        return fputs(usage, stdout) < 0 || fflush(stdout) ? EXIT_UNUSABLE : EXIT_FINE;
    struct trace *trace = trace_open_file(a.path, &why);
    if (!trace) {
        fprintf(stderr, "annot replay: %.200s: %s\n", a.path, why);
        return EXIT_UNUSABLE;
    }
    if (!a.options.runtime && getenv("ANNOT_CAPTURE_RUNTIME"))
        a.options.runtime = RECORDER; /* under annot capture: in front of the others */
    if (is_terminal(stderr))
        a.options.progress = show_progress;
    const int status =
        replay(trace, &a, a.output ? strcmp(a.output, "json") == 0 : !is_terminal(stdout));
    trace_close(trace);
    return status;
}

#endif
