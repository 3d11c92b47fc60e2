/*
 * The goals of the figures: counts, and ratios to something that was measured in the same rounds,
 * so that they mean the same on every machine. A goal whose suite was left out is not shown.
 */
#include "bench.h"

#include <stdio.h>

enum goal_of { VALUE, RATIO };

struct goal {
    const char *text;
    const char *name; /* and size, threads, count: of the row */
    uint32_t size;
    uint32_t threads;
    uint64_t count;
    enum goal_of of;
    double at_most;
    double stretch; /* 0: none */
};

static const struct goal goals[] = {
    {"runtime-only by an empty call", "runtime-only", 32, 1, 0, RATIO, 1.1, 0},
    {"inline test by a load and a branch", "inline-test", 0, 1, 0, RATIO, 1.1, 0},
    {"set, 32 B, by LIMIT's", "set", 32, 1, 0, RATIO, 1.25, 1.1},
    {"set, 256 B, by LIMIT's", "set", 256, 1, 0, RATIO, 1.25, 1.1},
    {"begin + end, 32 B, by LIMIT's", "pair", 32, 1, 0, RATIO, 1.25, 1.1},
    {"begin + end, 256 B, by LIMIT's", "pair", 256, 1, 0, RATIO, 1.25, 1.1},
    {"operation by a marker of its size", "operation", 48, 1, 0, RATIO, 1.5, 0},
    {"Vulkan label pair without a mark by libannot's own", "vulkan.pair.unmarked", 15, 1, 0, RATIO,
     2, 0},
    {"  by a layer that notes 48 bytes", "vulkan.pair.by-least", 15, 1, 0, RATIO, 1.1, 0},
    {"  one with a mark by one without", "vulkan.pair.marked", 15, 1, 0, RATIO, 5, 0},
    {"shared library by static: begin + end", "shared.pair", 32, 1, 0, RATIO, 1.15, 0},
    {"2 threads, each by one alone", "threads.by-one", 32, 2, 0, RATIO, 1.1, 0},
    {"  each by LIMIT's", "threads", 32, 2, 0, RATIO, 1.25, 0},
    {"reset of 1 M by malloc's", "reset", 32, 1, 1000000, RATIO, 1e-4, 0},
    {"  page faults of the next frame", "reset.faults", 32, 1, 1000000, VALUE, 0, 0},
    {"lookup in 10 M by a random read", "lookup.live", 32, 1, 10000000, RATIO, 2.5, 0},
    {"memory grown over frames", "memory.growth", 32, 1, 10000, VALUE, 0, 0},
    {"dump by copying and hashing it", "dump.null", 32, 1, 1000000, RATIO, 1.5, 0},
    {"  to a file by writing the bytes", "dump.file", 32, 1, 1000000, RATIO, 1.5, 0},
    {"  read, analysed, reported", "dump.read", 32, 1, 1000000, RATIO, 4, 0},
    {"  reader's memory by the file", "dump.reader-memory", 32, 1, 1000000, RATIO, 1.5, 0},
    {"triage by a hash and an SQLite row", "fleet.triage", 0, 1, 400, RATIO, 20, 0},
    {"HTML page by the dump's size", "fleet.page", 0, 1, 100000, RATIO, 1.5, 0},
    {"PIX event by a ready-made blob", "pix.encode", 56, 1, 0, RATIO, 2, 0},
    {"  decoding by snprintf", "pix.decode", 40, 1, 0, RATIO, 1, 0},
    {"emulator's call by the library's", "emulator.no-driver", 32, 1, 0, RATIO, 1.5, 0},
    {"capture: a call by an LTTng event", "capture.call", 4, 1, 0, RATIO, 0.5, 0},
    {"  a written page by its hash", "capture.page", 4096, 1, 0, RATIO, 3, 0},
    {"D3D12 layer: a call it doesn't want by a forwarded one", "d3d12_layer.copy", 4, 1, 0, RATIO,
     1.15, 0},
    {"  a pair of markers by libannot's own", "d3d12_layer.pair", 32, 1, 0, RATIO, 2.5, 0},
    {"  by a layer that notes 48 bytes", "d3d12_layer.pair-by-least", 32, 1, 0, RATIO, 1.1, 0},
    {"  an OpenGL program by without", "d3d12_layer.program", 0, 0, 0, RATIO, 1.02, 0},
};

#define GOALS (sizeof goals / sizeof goals[0])

/* Fewer sittings don't bound the median with a probability worth stating. */
#define SITTINGS_FOR_A_VERDICT 5u

enum verdict { MET, MISSED, NOT_DECIDABLE, VERDICTS };

static enum verdict judge(const struct goal *it, const struct bench_interval *interval)
{
    if (bench_machine_now.sittings < SITTINGS_FOR_A_VERDICT)
        return NOT_DECIDABLE;
    if (interval->high <= it->at_most)
        return MET;
    return interval->low > it->at_most ? MISSED : NOT_DECIDABLE;
}

static const char *say(const struct goal *it, enum verdict outcome,
                       const struct bench_interval *interval)
{
    static const char *const words[VERDICTS] = {"met", "MISSED", "not decidable here"};
    if (outcome == MET && it->stretch > 0 && interval->high <= it->stretch)
        return "met, and the stretch";
    return words[outcome];
}

void bench_report_goals(void)
{
    unsigned count[VERDICTS] = {0};
    printf("%-34s %8s %9s   %-20s %s\n", "goal", "at most", "figure", "interval", "verdict");
    for (size_t i = 0; i < GOALS; i++) {
        const struct goal *it = &goals[i];
        const struct bench_row *row = bench_row_find(it->name, it->size, it->threads, it->count);
        if (!row)
            continue;
        const struct bench_interval *interval = it->of == RATIO ? &row->ratios : &row->values;
        enum verdict outcome = judge(it, interval);
        char range[48];
        snprintf(range, sizeof range, "%.4g to %.4g", interval->low, interval->high);
        printf("%-34s %8g %9.4g %-1s %-20s %s\n", it->text, it->at_most,
               it->of == RATIO ? row->ratio : row->value, it->of == RATIO ? "x" : "", range,
               say(it, outcome, interval));
        count[outcome]++;
    }
    printf("%u goals met, %u missed, %u not decidable here; %u sittings%s\n", count[MET],
           count[MISSED], count[NOT_DECIDABLE], bench_machine_now.sittings,
           bench_machine_now.quiet ? "" : "; the machine was not quiet");
}
