/* The results as a table and as JSON. */
#include "bench.h"

#include <annot/reader.h>

#include <stdio.h>
#include <string.h>

static void print_json_string(const char *name, const char *text)
{
    char piece[ANNOT_ESCAPED_MAX];
    size_t size = strlen(text), piece_size;
    printf("\"%s\": \"", name);
    for (size_t at = 0; at < size;) {
        at += annot_text_escape(ANNOT_ESCAPE_JSON, text + at, size - at, piece, &piece_size);
        fwrite(piece, 1, piece_size, stdout);
    }
    putchar('"');
}

static const char *json_bool(bool value)
{
    return value ? "true" : "false";
}

static void print_machine_json(void)
{
    const struct bench_machine *machine = &bench_machine_now;
    fputs("{", stdout);
    print_json_string("cpu", machine->cpu);
    fputs(", ", stdout);
    print_json_string("system", machine->system);
    fputs(", ", stdout);
    print_json_string("compiler", machine->compiler);
    printf(", \"cpus\": %u, \"pinned\": %s, \"load\": %.2f, \"jitter\": %.4f, \"quiet\": %s, "
           "\"quick\": %s, \"sittings\": %u}",
           machine->cpus, json_bool(machine->pinned), machine->load, machine->jitter,
           json_bool(machine->quiet), json_bool(bench_options_now.quick), machine->sittings);
}

static bool is_time(const struct bench_row *row)
{
    return row->unit[0] == 'n' && row->unit[1] == 's';
}

static void print_row_json(const struct bench_row *row)
{
    printf("{\"name\": \"%s\", \"size\": %u, \"threads\": %u, ", row->name, row->size,
           row->threads);
    if (is_time(row))
        printf("\"ns\": %.4f, ", row->value);
    else
        printf("\"ns\": null, ");
    if (row->limit > 0)
        printf("\"limit_ns\": %.4f, \"ratio\": %.4f, ", row->limit, row->ratio);
    else
        printf("\"limit_ns\": null, \"ratio\": null, ");
    printf(
        "\"count\": %llu, \"value\": %.4f, \"unit\": \"%s\", \"spread\": %.4f, "
        "\"ratio_spread\": %.4f, \"value_low\": %.4f, \"value_high\": %.4f, \"ratio_low\": %.4f, "
        "\"ratio_high\": %.4f}",
        (unsigned long long)row->count, row->value, row->unit, row->spread, row->ratio_spread,
        row->values.low, row->values.high, row->ratios.low, row->ratios.high);
}

/* One row a line: a difference of two files reads well, and --compare reads lines. */
void bench_report_json(void)
{
    printf("{\"machine\": ");
    print_machine_json();
    printf(",\n\"results\": [\n");
    for (size_t i = 0; i < bench_row_count(); i++) {
        print_row_json(bench_row_at(i));
        puts(i + 1 < bench_row_count() ? "," : "");
    }
    puts("]}");
}

static void print_or_dash(uint64_t value, int width)
{
    if (value)
        printf(" %*llu", width, (unsigned long long)value);
    else
        printf(" %*s", width, "-");
}

static void print_row(const struct bench_row *row)
{
    printf("%-28s", row->name);
    print_or_dash(row->size, 5);
    printf(" %3u", row->threads);
    print_or_dash(row->count, 9);
    printf(" %12.2f %-8s", row->value, row->unit);
    if (row->spread > 0)
        printf(" %5.1f%%", row->spread * 100);
    else
        printf(" %6s", "");
    if (row->limit > 0)
        printf(" %10.2f %7.3f %7.3f to %.3f", row->limit, row->ratio, row->ratios.low,
               row->ratios.high);
    putchar('\n');
}

void bench_report_table(void)
{
    const struct bench_machine *machine = &bench_machine_now;
    printf("%s, %u CPUs, %s, %s\n", machine->cpu, machine->cpus, machine->system,
           machine->compiler);
    printf("%s, empty loop %.1f%% slower at its 95th percentile: %s\n\n",
           machine->pinned ? "pinned" : "not pinned", machine->jitter * 100,
           machine->quiet ? "quiet, and before each sitting" : "NOT QUIET, look at the ratios");
    printf("%-28s %5s %3s %9s %12s %-8s %6s %10s %7s %s\n", "what", "bytes", "thr", "count",
           "median", "", "+-", "reference", "ratio", "    least to greatest sitting");
    for (size_t i = 0; i < bench_row_count(); i++)
        print_row(bench_row_at(i));
    putchar('\n');
}

void bench_report_states(void)
{
    bool any = false;
    for (size_t i = 0; i < bench_row_count(); i++) {
        const struct bench_row *row = bench_row_at(i);
        if (row->in_first_state == 0 || !is_time(row))
            continue;
        if (!any)
            puts("steady states: these rows ran at one of two speeds for the life of a process");
        any = true;
        printf("%-28s %5u %9llu   %.2f ns in %u sittings, %.2f ns in %u\n", row->name, row->size,
               (unsigned long long)row->count, row->states[0], row->in_first_state, row->states[1],
               bench_machine_now.sittings - row->in_first_state);
    }
    puts(any ? "" : "steady states: one; no row had two speeds\n");
}
