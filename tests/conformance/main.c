/* annot-conformance: does a D3D12 runtime do what the PIX Markers specification says?
 * docs/CONFORMANCE.md */
#include "channel.h"
#include "os.h"
#include "report.h"
#include "report_author.h"
#include "run.h"
#include "runtime.h"
#include "waiver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "Usage: annot-conformance [options]\n"
    "Tests a D3D12 runtime against the PIX Markers specification; TAP on standard output.\n"
    "\n"
    "  --runtime PATH     a library that exports D3D12CreateDevice; else the emulator beside this "
    "program\n"
    "  --driver NAME      only the emulator's driver NAME: reference, warp, legacy, reorder, "
    "hostile\n"
    "  --driver PATH      a driver of yours (include/emu/driver.h), asked all that reference is\n"
    "  --filter GLOB      only the cases whose whole name matches, as in 'mode/*@reorder'\n"
    "  --fraction I,N     the I-th of N shares of the cases, I from 1\n"
    "  --waivers FILE     known failures, one a line: a glob, then the reason\n"
    "  --timeout SECONDS  for each step of a case: load, run, unload (60)\n"
    "  --jobs N           processes at once (the number of processors)\n"
    "  --together N       up to N cases that set nothing share a process (1); what fails there is "
    "run alone\n"
    "  --output FORM      tap, json, or junit: XML that CI servers show\n"
    "  --report FILE      also write a new FILE to send to the runtime's author\n"
    "  --list             the cases: requirements, what a failure means, needs; nothing is run\n"
    "  --version, --help\n"
    "\n"
    "Exit code: 0 nothing failed and something passed, 1 otherwise, 2 can't be run like this.\n";

struct options {
    const char *runtime, *driver, *filter, *waivers, *report;
    const char *driver_file; /* `driver`, when it is one */
    unsigned long fraction, fractions, timeout, jobs, together;
    bool json, junit, list, version, help;
    /* hidden */
    const char *run_cases[RUN_TOGETHER_MAX];
    unsigned run_count;
    char *channel, *token;
    bool probe;
};

/* The runtime may have said why it is refused. */
static _Noreturn void refuse(const char *what, const char *about)
{
    fputs("annot-conformance: ", stderr);
    report_print(stderr, ANNOT_ESCAPE_TEXT, what, strlen(what));
    report_print(stderr, ANNOT_ESCAPE_TEXT, about, strlen(about));
    fputc('\n', stderr);
    exit(2);
}

static unsigned long number(const char *option, const char *text, char **end)
{
    const unsigned long value = text[0] >= '0' && text[0] <= '9' ? strtoul(text, end, 10) : 0;
    if (value == 0 || value > 1000000)
        refuse("a number from 1 on must follow ", option);
    return value;
}

static unsigned long whole_number(const char *option, const char *text)
{
    char *end;
    const unsigned long value = number(option, text, &end);
    if (*end != '\0')
        refuse("a number from 1 on must follow ", option);
    return value;
}

static void read_fraction(struct options *o, const char *text)
{
    char *end;
    o->fraction = number("--fraction", text, &end);
    if (*end != ',')
        refuse("--fraction takes two numbers, such as 1,4; this is not: ", text);
    o->fractions = whole_number("--fraction", end + 1);
    if (o->fraction > o->fractions)
        refuse("the first number of --fraction must not exceed the second: ", text);
}

static void read_value(struct options *o, const char *option, char *value)
{
    if (strcmp(option, "--runtime") == 0)
        o->runtime = value;
    else if (strcmp(option, "--driver") == 0)
        o->driver = value;
    else if (strcmp(option, "--filter") == 0)
        o->filter = value;
    else if (strcmp(option, "--waivers") == 0)
        o->waivers = value;
    else if (strcmp(option, "--report") == 0)
        o->report = value;
    else if (strcmp(option, "--fraction") == 0)
        read_fraction(o, value);
    else if (strcmp(option, "--timeout") == 0)
        o->timeout = whole_number(option, value);
    else if (strcmp(option, "--jobs") == 0)
        o->jobs = whole_number(option, value);
    else if (strcmp(option, "--together") == 0)
        o->together = whole_number(option, value);
    else if (strcmp(option, RUN_CASE_OPTION) == 0 && o->run_count < RUN_TOGETHER_MAX)
        o->run_cases[o->run_count++] = value;
    else if (strcmp(option, RUN_CHANNEL_OPTION) == 0)
        o->channel = value;
    else if (strcmp(option, RUN_TOKEN_OPTION) == 0)
        o->token = value;
    else if (strcmp(option, "--output") == 0 && strcmp(value, "json") == 0)
        o->json = true;
    else if (strcmp(option, "--output") == 0 && strcmp(value, "junit") == 0)
        o->junit = true;
    else if (strcmp(option, "--output") != 0 || strcmp(value, "tap") != 0)
        refuse("--output must be tap, json or junit; this is ", value);
}

static bool takes_value(const char *option)
{
    static const char *const names[] = {"--runtime",     "--driver",      "--filter",
                                        "--waivers",     "--fraction",    "--timeout",
                                        "--jobs",        "--together",    "--output",
                                        "--report",      RUN_CASE_OPTION, RUN_CHANNEL_OPTION,
                                        RUN_TOKEN_OPTION};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(option, names[i]) == 0)
            return true;
    return false;
}

/* A file in the current folder says so: the runtime takes a name for a built-in driver's. */
static const char *with_folder(const char *path)
{
    static char in_folder[OS_PATH_MAX];
    if (strpbrk(path, "/\\"))
        return path;
    const int length = snprintf(in_folder, sizeof in_folder, "./%s", path);
    if (length < 0 || (size_t)length >= sizeof in_folder)
        refuse("the path is too long after ", "--driver");
    return in_folder;
}

static void read_options(struct options *o, int argc, char *argv[])
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--list") == 0)
            o->list = true;
        else if (strcmp(argv[i], "--help") == 0)
            o->help = true;
        else if (strcmp(argv[i], "--version") == 0)
            o->version = true;
        else if (strcmp(argv[i], RUN_PROBE_OPTION) == 0)
            o->probe = true;
        else if (!takes_value(argv[i]))
            refuse("unknown option; see --help: ", argv[i]);
        else if (i + 1 == argc)
            refuse("a value is missing after ", argv[i]);
        else {
            read_value(o, argv[i], argv[i + 1]);
            i++;
        }
    }
    if (o->driver && plan_is_driver_file(o->driver))
        o->driver = o->driver_file = with_folder(o->driver);
    else if (o->driver && !plan_knows_driver(o->driver))
        refuse("--driver must be a file, or reference, warp, legacy, reorder or hostile; this is ",
               o->driver);
}

/* ---- what is asked for ---- */

static void make_plan(const struct options *o, struct plan *plan, bool drivers)
{
    const struct plan_options options = {.filter = o->filter,
                                         .driver = o->driver,
                                         .drivers = drivers,
                                         .fraction = o->fraction,
                                         .fractions = o->fractions};
    if (!plan_make(&options, plan))
        refuse("out of memory", "");
    if (plan->count == 0)
        refuse("no case has such a name; see --list: ", o->filter ? o->filter : "");
}

static int list(const struct options *o)
{
    struct plan plan;
    make_plan(o, &plan, true);
    if (o->json)
        report_list_json(&plan);
    else
        report_list(&plan);
    plan_done(&plan);
    return 0;
}

static struct run_subject subject_of(const struct options *o)
{
    return (struct run_subject){.runtime = o->runtime, .driver = o->driver_file};
}

static _Noreturn void run_hidden(const struct options *o)
{
    if (o->channel && o->token)
        channel_open(o->channel, o->token);
    if (o->probe)
        run_the_probe(subject_of(o));
    run_cases(subject_of(o), o->run_cases, o->run_count);
}

struct telling {
    bool is_document, colour;
};

static void tell(void *user, const struct planned *planned, size_t number)
{
    const struct telling *telling = user;
    if (!telling->is_document)
        report_tap_case(planned, number, telling->colour);
}

/* A lack of the runtime is known before a process is started for each case that needs it. */
static void skip_what_is_lacking(struct plan *plan, unsigned lacks)
{
    for (size_t i = 0; i < plan->count; i++) {
        struct planned *planned = &plan->cases[i];
        const char *reason = planned->test ? runtime_reason(plan_needs(planned) & lacks) : NULL;
        const size_t size = reason ? strlen(reason) + 1 : 0;
        if (!reason || !(planned->reason = malloc(size)))
            continue;
        memcpy(planned->reason, reason, size);
        planned->verdict = SKIPPED;
    }
}

static int finish(const struct options *o, const struct plan *plan)
{
    const struct report_counts counts = report_count(plan);
    if (o->json)
        report_json(plan, o->runtime);
    else if (o->junit)
        report_junit(plan, o->runtime);
    else
        report_tap_end(plan);
    if (o->driver)
        fprintf(o->json || o->junit ? stderr : stdout,
                "# %zu cases asked the driver %s; %zu are about other drivers and were left out\n",
                counts.passed + counts.failed, o->driver, plan->left_out);
    /* documents have it inside */
    fprintf(o->json || o->junit ? stderr : stdout, "%zu passed, %zu failed, %zu skipped\n",
            counts.passed, counts.failed, counts.skipped);
    return counts.failed == 0 && counts.passed > 0 ? 0 : 1;
}

/* Before the cases run: a path that can't be written costs nobody's time. NULL: none is asked
 * for. */
static FILE *open_report(const struct options *o)
{
    FILE *file = NULL;
    if (!o->report)
        return NULL;
    if (os_file_exists(o->report))
        refuse("--report replaces no file; remove it, or name another: ", o->report);
    if (!(file = fopen(o->report, "wb")))
        refuse("the file of --report can't be written: ", o->report);
    return file;
}

static void write_report(FILE *file, const struct options *o, const struct plan *plan,
                         const struct run_probe *probe)
{
    const struct report_subject subject = {.runtime = o->runtime,
                                           .library = probe->library,
                                           .driver = o->driver,
                                           .filter = o->filter,
                                           .lacks = probe->lacks,
                                           .testable = probe->testable};
    if (!file)
        return;
    report_author(file, plan, &subject);
    const bool failed = ferror(file) != 0;
    if (fclose(file) != 0 || failed)
        refuse("the report could not be written whole: ", o->report);
}

static int run(const struct options *o, const char *program)
{
    const char *no_colour = getenv("NO_COLOR");
    struct telling telling = {.is_document = o->json || o->junit,
                              .colour = os_is_terminal() && !(no_colour && no_colour[0])};
    const struct run_options options = {.program = program,
                                        .subject = subject_of(o),
                                        .jobs = (unsigned)o->jobs,
                                        .together = (unsigned)o->together,
                                        .timeout_ms = (unsigned)o->timeout * 1000u,
                                        .done = tell,
                                        .user = &telling};
    char error[1024];
    struct run_probe probe;
    struct waivers waivers = {0};
    struct plan plan;
    if (o->waivers && !waivers_read(o->waivers, &waivers, error, sizeof error))
        refuse(error, "");
    run_probe(&options, &probe);
    if (probe.unusable)
        refuse(probe.reason, "");
    if (o->driver && probe.testable && !probe.drivers)
        refuse("this runtime has no choice of drivers; remove --driver ", o->driver);
    make_plan(o, &plan, probe.drivers);
    if (!probe.testable && !plan_fail_areas(&plan, probe.reason))
        refuse("out of memory", "");
    FILE *const report = open_report(o);
    skip_what_is_lacking(&plan, probe.lacks);
    waivers_apply(&waivers, &plan, probe.testable && !o->filter && o->fractions == 1);
    if (!telling.is_document)
        report_tap_start(&plan, o->runtime, probe.library,
                         probe.testable ? probe.lacks : REPORT_NO_DEVICE);
    run_plan(&options, &plan);
    const int code = finish(o, &plan);
    write_report(report, o, &plan, &probe);
    plan_done(&plan);
    waivers_done(&waivers);
    return code;
}

int main(int argc, char *argv[])
{
    struct options o = {
        .fraction = 1, .fractions = 1, .timeout = 60, .jobs = os_processors(), .together = 1};
    static char own[OS_PATH_MAX], runtime[OS_PATH_MAX];
    read_options(&o, argc, argv);
    if (o.version)
        return printf("annot-conformance %s\n", annot_version()) < 0 || fflush(stdout) ? 2 : 0;
    if (o.help) {
        fputs(usage, stdout);
        return 0;
    }
    if (o.list)
        return list(&o);
    if (!o.runtime) {
        if (!runtime_default_path(runtime, sizeof runtime))
            refuse("there is no emulator beside this program; give a runtime with --runtime PATH",
                   "");
        o.runtime = runtime;
    }
    if (o.run_count > 0 || o.probe)
        run_hidden(&o);
    if (!os_own_path(own))
        refuse("the system doesn't tell the path of this program", "");
    return run(&o, own);
}
