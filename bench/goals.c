/* What the figures are meant to be. A goal without its row, since the suite was left out, is not
 * shown. */
#include "bench.h"

#include <stdio.h>

typedef enum goal_of { VALUE, RATIO } goal_of;

typedef struct goal {
    const char *text;
    const char *name; /* and size, threads, count: of the row */
    uint32_t size;
    uint32_t threads;
    uint64_t count;
    goal_of of;
    double at_most;
    double stretch; /* 0: none */
} goal;

static const goal goals[] = {
    {"runtime-only call", "runtime-only", 32, 1, 0, VALUE, 2.0, 0},
    {"  by an empty indirect call", "runtime-only", 32, 1, 0, RATIO, 1.1, 0},
    {"  through the shared library", "runtime-only.shared", 32, 1, 0, VALUE, 3.5, 0},
    {"  inline test", "inline-test", 0, 1, 0, VALUE, 0.4, 0},
    {"begin, 16 B, by LIMIT", "begin", 16, 1, 0, RATIO, 1.25, 1.1},
    {"begin, 32 B, by LIMIT", "begin", 32, 1, 0, RATIO, 1.25, 1.1},
    {"begin, 64 B, by LIMIT", "begin", 64, 1, 0, RATIO, 1.25, 1.1},
    {"begin, 256 B, by LIMIT", "begin", 256, 1, 0, RATIO, 1.25, 1.1},
    {"set, 16 B, by LIMIT", "set", 16, 1, 0, RATIO, 1.25, 1.1},
    {"set, 32 B, by LIMIT", "set", 32, 1, 0, RATIO, 1.25, 1.1},
    {"set, 64 B, by LIMIT", "set", 64, 1, 0, RATIO, 1.25, 1.1},
    {"set, 256 B, by LIMIT", "set", 256, 1, 0, RATIO, 1.25, 1.1},
    {"end", "end", 32, 1, 0, VALUE, 2.8, 0},
    {"begin + end, 16 B, by LIMIT's", "pair", 16, 1, 0, RATIO, 1.25, 0},
    {"begin + end, 32 B, by LIMIT's", "pair", 32, 1, 0, RATIO, 1.25, 0},
    {"begin + end, 64 B, by LIMIT's", "pair", 64, 1, 0, RATIO, 1.25, 0},
    {"begin + end, 256 B, by LIMIT's", "pair", 256, 1, 0, RATIO, 1.25, 0},
    {"2 threads, each by one alone", "threads.by-one", 32, 2, 0, VALUE, 1.1, 0},
    {"2 threads, each by LIMIT's", "threads", 32, 2, 0, RATIO, 1.25, 0},
    {"reset with 1 M markers", "reset", 32, 1, 1000000, VALUE, 1000, 0},
    {"  page faults of the next frame", "reset.faults", 32, 1, 1000000, VALUE, 0, 0},
    {"lookup from cold, 10 M, live", "lookup.live", 32, 1, 10000000, VALUE, 500, 0},
    {"  expired", "lookup.expired", 32, 1, 10000000, VALUE, 500, 0},
    {"  never issued", "lookup.never-issued", 32, 1, 10000000, VALUE, 500, 0},
    {"memory beyond 16 B and padding", "memory.slack", 32, 1, 1000000, VALUE, 0.5, 0},
    {"  resident", "memory.slack.resident", 32, 1, 1000000, VALUE, 0.5, 0},
    {"memory grown over frames", "memory.growth", 32, 1, 10000, VALUE, 0, 0},
    {"dump of 1 M markers, file", "dump.file", 32, 1, 1000000, VALUE, 250, 0},
    {"  reading and analysing it", "dump.read", 32, 1, 1000000, VALUE, 500, 0},
    {"PIX event of two integers", "pix.encode", 56, 1, 0, VALUE, 15, 0},
    {"  beyond a ready-made blob", "pix.encode.share", 56, 1, 0, VALUE, 6, 0},
    {"  decoding a plain one", "pix.decode", 40, 1, 0, VALUE, 200, 0},
    {"growth 10^3 to 10^7 markers", "growth.flatness", 32, 1, 10000000, VALUE, 1.1, 0},
    {"scope depth 1 to 100,000", "depth.flatness", 32, 1, 100000, VALUE, 1.1, 0},
};

static const char *verdict(const goal *it, double figure)
{
    if (figure > it->at_most)
        return "MISSED";
    return it->stretch > 0 && figure <= it->stretch ? "met, and the stretch" : "met";
}

void bench_report_goals(void)
{
    unsigned met = 0, missed = 0;
    printf("%-34s %10s %10s\n", "goal", "at most", "figure");
    for (size_t i = 0; i < sizeof goals / sizeof goals[0]; i++) {
        const goal *it = &goals[i];
        const bench_row *row = bench_row_find(it->name, it->size, it->threads, it->count);
        if (!row)
            continue;
        double figure = it->of == RATIO ? row->ratio : row->value;
        printf("%-34s %10g %10.3f %-8s %s\n", it->text, it->at_most, figure,
               it->of == RATIO ? "x" : row->unit, verdict(it, figure));
        if (figure > it->at_most)
            missed++;
        else
            met++;
    }
    printf("%u goals met, %u missed%s\n", met, missed,
           bench_machine_now.quiet ? "" : "; the machine was not quiet");
}
