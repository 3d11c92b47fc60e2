#include "bench.h"

#include <fnmatch.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BENCH_SUITE(name, about) {#name, about, bench_suite_##name},
static const struct bench_suite suites[] = {BENCH_SUITES(BENCH_SUITE)};
#define SUITE_COUNT (sizeof suites / sizeof *suites)

#define SITTINGS    6u

struct command {
    const char *filter;
    const char *compare;
    uint32_t sittings;
    bool is_sitting; /* of a run that started this process */
    bool json;
};

static void print_help(void)
{
    puts("annot-bench [--filter GLOB] [--quick] [--sittings N] [--output text|json]\n"
         "            [--compare OLD.json] [--directory DIR] [--list] [--help]\n"
         "annot-bench --runtime PATH [--driver NAME] [OPTION...]\n"
         "Measures what markers cost, beside LIMIT, the least that any library could do.\n"
         "  --filter GLOB       only suites whose name matches; see --list\n"
         "  --quick             few rounds, small worlds, one sitting: does everything run?\n"
         "  --sittings N        each suite in N processes; default 6. Fewer than 5: no verdicts\n"
         "  --output json       the figures for programs\n"
         "  --compare OLD.json  after measuring, compare with an earlier run; exit 1 when a row\n"
         "                      got slower beyond noise\n"
         "  --directory DIR     where the dump is written; default /tmp\n"
         "  --runtime PATH      what a marker costs in this D3D12 runtime, a library that exports\n"
         "                      D3D12CreateDevice, with the emulator beside it; no other suite\n"
         "  --driver NAME       the driver of a runtime that has the emulator's controls\n"
         "bench/BENCHMARKS.md defines each row.");
}

static void print_suites(void)
{
    for (size_t i = 0; i < SUITE_COUNT; i++)
        printf("%-14s %s\n", suites[i].name, suites[i].about);
}

static void refuse(const char *argument)
{
    bench_note("%s: unknown or incomplete; annot-bench --help lists the options", argument);
    exit(2);
}

static const char *value_of(char ***arguments)
{
    const char *option = **arguments;
    if (!*++*arguments)
        refuse(option);
    return **arguments;
}

static void parse_output(struct command *it, const char *value)
{
    it->json = !strcmp(value, "json");
    if (!it->json && strcmp(value, "text") != 0)
        refuse(value);
}

static void parse_sittings(struct command *it, const char *value)
{
    char *end;
    unsigned long number = strtoul(value, &end, 10);
    if (*end || number == 0 || number > BENCH_SITTINGS_MAX)
        refuse(value);
    it->sittings = (uint32_t)number;
}

static bool parse_switch(struct command *it, const char *option)
{
    if (!strcmp(option, "--quick"))
        bench_options_now.quick = true;
    else if (!strcmp(option, "--sitting"))
        it->is_sitting = true;
    else if (!strcmp(option, "--silent"))
        bench_options_now.silent = true;
    else
        return false;
    return true;
}

static bool parse_value(struct command *it, char ***arguments)
{
    const char *option = **arguments;
    if (!strcmp(option, "--filter"))
        it->filter = value_of(arguments);
    else if (!strcmp(option, "--compare"))
        it->compare = value_of(arguments);
    else if (!strcmp(option, "--directory"))
        bench_options_now.directory = value_of(arguments);
    else if (!strcmp(option, "--runtime"))
        bench_options_now.runtime = value_of(arguments);
    else if (!strcmp(option, "--driver"))
        bench_options_now.driver = value_of(arguments);
    else if (!strcmp(option, "--sittings"))
        parse_sittings(it, value_of(arguments));
    else if (!strcmp(option, "--output"))
        parse_output(it, value_of(arguments));
    else
        return false;
    return true;
}

static struct command parse(char **arguments)
{
    struct command it = {.filter = "*", .sittings = 0};
    for (; *arguments; arguments++) {
        if (!strcmp(*arguments, "--help") || !strcmp(*arguments, "-h")) {
            print_help();
            exit(0);
        } else if (!strcmp(*arguments, "--list")) {
            print_suites();
            exit(0);
        } else if (!parse_switch(&it, *arguments) && !parse_value(&it, &arguments)) {
            refuse(*arguments);
        }
    }
    if (it.sittings == 0)
        it.sittings = bench_options_now.quick ? 1 : SITTINGS;
    if (bench_options_now.driver && !bench_options_now.runtime)
        refuse("--driver without --runtime");
    if (bench_options_now.runtime && !it.is_sitting)
        it.filter = "runtime";
    return it;
}

/* One suite, named in full. */
static int sit_here(const char *suite)
{
    for (size_t i = 0; i < SUITE_COUNT; i++)
        if (!strcmp(suite, suites[i].name))
            suites[i].run();
    bench_sitting_print();
    return 0;
}

int main(int count, char **arguments)
{
    (void)count;
    struct command it = parse(arguments + 1);
    /* Big blocks come from the system and go back to it: "touched first" stays true after a
     * free. */
    mallopt(M_MMAP_THRESHOLD, 128 * 1024);
    bench_machine_look();
    if (it.is_sitting)
        return sit_here(it.filter);
    bench_machine_wait_quiet(bench_options_now.quick ? 0 : 10);
    if (!bench_machine_now.quiet)
        bench_note("the machine is not quiet: trust the ratios more than the times");
    if (!bench_sittings_run(arguments, suites, SUITE_COUNT, it.filter, it.sittings)) {
        bench_note("no suite matches %s; annot-bench --list names them", it.filter);
        return 2;
    }
    if (it.compare) {
        int slower = bench_compare(it.compare);
        return slower < 0 ? 2 : slower > 0;
    }
    if (it.json) {
        bench_report_json();
    } else {
        bench_report_table();
        bench_report_states();
        bench_report_goals();
    }
    return 0;
}
