#include "bench.h"

#include <fnmatch.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const bench_suite bench_suites[] = {
    {"calls", "runtime-only calls, the inline test, what an indirect call costs",
     bench_suite_calls},
    {"markers", "begin, set, end and pairs at 16, 32, 64 and 256 bytes", bench_suite_markers},
    {"sources", "payloads written by 8-byte stores just before the call", bench_suite_sources},
    {"memory-kinds", "marker memory touched first, and streaming past the caches",
     bench_suite_memory_kinds},
    {"threads", "one, two and all CPUs, each with an allocator of its own", bench_suite_threads},
    {"rivals", "other designs, and models of them, beside LIMIT", bench_suite_rivals},
    {"reset", "reset of an allocator with 1 M markers", bench_suite_reset},
    {"lookup", "EventID to marker among 10 M live ones, from cold", bench_suite_lookup},
    {"memory", "bytes a marker, and over 10,000 frames", bench_suite_memory},
    {"growth", "10^3 to 10^7 markers, scope depth 1 to 100,000", bench_suite_growth},
    {"dump", "1 M markers to a file and back", bench_suite_dump},
    {"pix", "PIX events from macro to driver, and decoding", bench_suite_pix},
    {"emulator", "through the emulator's COM call", bench_suite_emulator},
};
const size_t bench_suite_count = sizeof bench_suites / sizeof bench_suites[0];

typedef struct command {
    const char *filter;
    const char *compare;
    bool json;
} command;

static void print_help(void)
{
    puts("annot-bench [--filter GLOB] [--quick] [--output text|json] [--compare OLD.json]\n"
         "            [--directory DIR] [--list] [--help]\n"
         "Measures what markers cost, beside LIMIT, the least that any library could do.\n"
         "  --filter GLOB       only suites whose name matches; see --list\n"
         "  --quick             few rounds, small worlds: does everything run?\n"
         "  --output json       the figures for programs\n"
         "  --compare OLD.json  after measuring, compare with an earlier run; exit 1 when a row\n"
         "                      got slower beyond noise\n"
         "  --directory DIR     where the dump is written; default /tmp\n"
         "bench/BENCHMARKS.md defines each row.");
}

static void print_suites(void)
{
    for (size_t i = 0; i < bench_suite_count; i++)
        printf("%-14s %s\n", bench_suites[i].name, bench_suites[i].about);
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

static void parse_output(command *it, const char *value)
{
    it->json = !strcmp(value, "json");
    if (!it->json && strcmp(value, "text") != 0)
        refuse(value);
}

static command parse(char **arguments)
{
    command it = {.filter = "*"};
    for (; *arguments; arguments++) {
        if (!strcmp(*arguments, "--help") || !strcmp(*arguments, "-h")) {
            print_help();
            exit(0);
        } else if (!strcmp(*arguments, "--list")) {
            print_suites();
            exit(0);
        } else if (!strcmp(*arguments, "--quick")) {
            bench_options_now.quick = true;
        } else if (!strcmp(*arguments, "--filter")) {
            it.filter = value_of(&arguments);
        } else if (!strcmp(*arguments, "--compare")) {
            it.compare = value_of(&arguments);
        } else if (!strcmp(*arguments, "--directory")) {
            bench_options_now.directory = value_of(&arguments);
        } else if (!strcmp(*arguments, "--output")) {
            parse_output(&it, value_of(&arguments));
        } else {
            refuse(*arguments);
        }
    }
    return it;
}

static bool run_suites(const char *filter)
{
    bool any = false;
    for (size_t i = 0; i < bench_suite_count; i++)
        if (fnmatch(filter, bench_suites[i].name, 0) == 0) {
            bench_suites[i].run();
            any = true;
        }
    return any;
}

int main(int count, char **arguments)
{
    (void)count;
    command it = parse(arguments + 1);
    /* Big blocks come from the system and go back to it: "touched first" stays true after a free.
     */
    mallopt(M_MMAP_THRESHOLD, 128 * 1024);
    bench_machine_look();
    bench_machine_wait_quiet(bench_options_now.quick ? 0 : 10);
    if (!bench_machine_now.quiet)
        bench_note("the machine is not quiet: trust the ratios more than the times");
    if (!run_suites(it.filter)) {
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
        bench_report_goals();
    }
    return 0;
}
