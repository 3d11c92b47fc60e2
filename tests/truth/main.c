/* test-truth: random programs on the emulator, and whether what their dumps say is so.
 *
 *     test-truth --programs 500 --seed 1     seeds 1 to 500
 *     test-truth --show 17                   the program of seed 17, what is false in its dump, and
 *                                            the smallest program that has that too
 *     test-truth --guilty ...                programs of several queues; one queue hangs
 *     test-truth --help
 */
#include "batch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* False statements that are known and not mended yet: empty when all is well. */
static const char *const known[] = {NULL};

struct options {
    uint64_t programs, seed, from;
    unsigned jobs;
    bool is_show, is_guilty, prints_smallest, prints_named;
    const char *keep;
    const char *allowed[KINDS_MAX];
    unsigned allowed_count;
};

static void usage(FILE *to)
{
    fputs("test-truth [OPTION]...\n"
          "  --programs N   how many, 500\n"
          "  --seed S       the first one's seed, 1; 'clock' takes the clock's\n"
          "  --from K       begins with the K-th of them, 0\n"
          "  --jobs N       processes, as many as there are processors\n"
          "  --show S       one program: all that is false, and the smallest program like it\n"
          "  --keep FILE    with --show: keeps the dump\n"
          "  --allow KIND   a kind of false statement that is no failure; may be repeated\n"
          "  --guilty       of several queues one hangs; takes the seeds with 2^40 more\n"
          "  --list         shrinks nothing\n"
          "  --named        how many operations dumps name, by witness, as a table\n",
          to);
}

static bool read_options(int argc, char **argv, struct options *o)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    *o = (struct options){.programs = 500, .seed = 1, .prints_smallest = true};
    o->jobs = processors > 0 ? (unsigned)processors : 1;
    for (unsigned i = 0; known[i]; i++)
        o->allowed[o->allowed_count++] = known[i];
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(name, "--list") == 0) {
            o->prints_smallest = false;
            continue;
        }
        if (strcmp(name, "--named") == 0) {
            o->prints_named = true;
            continue;
        }
        if (strcmp(name, "--guilty") == 0) {
            o->is_guilty = true;
            continue;
        }
        if (!value)
            return false;
        i++;
        if (strcmp(name, "--programs") == 0)
            o->programs = strtoull(value, NULL, 10);
        else if (strcmp(name, "--seed") == 0)
            o->seed = strcmp(value, "clock") == 0 ? (uint64_t)time(NULL) * 1000000
                                                  : strtoull(value, NULL, 10);
        else if (strcmp(name, "--from") == 0)
            o->from = strtoull(value, NULL, 10);
        else if (strcmp(name, "--jobs") == 0)
            o->jobs = (unsigned)strtoul(value, NULL, 10);
        else if (strcmp(name, "--show") == 0)
            o->seed = strtoull(value, NULL, 10), o->is_show = true;
        else if (strcmp(name, "--keep") == 0)
            o->keep = value;
        else if (strcmp(name, "--allow") == 0 && o->allowed_count < KINDS_MAX)
            o->allowed[o->allowed_count++] = value;
        else
            return false;
    }
    if (o->is_guilty)
        o->seed |= GUILTY;
    return o->jobs > 0 && o->from <= o->programs;
}

static void print_smallest(const struct program *program, const char *folder, const char *kind)
{
    struct program smallest = *program;
    struct verdict verdict;
    program_shrink(&smallest, folder, kind);
    judge_apart(&smallest, folder, &verdict);
    program_print(&smallest, kind);
    for (uint32_t i = 0; i < verdict.count && i < COMPLAINTS_MAX; i++)
        if (strcmp(verdict.complaints[i].kind, kind) == 0)
            printf("/* %s */\n", verdict.complaints[i].text);
}

static void print_named(const struct batch *batch)
{
    static const char *const dred[] = {"no DRED", "DRED", "DRED of markers"};
    puts("W  DRED             driver     others   alone  2 to 4    more unknown");
    for (unsigned i = 0; i < 4 * DRED_KINDS * DRIVERS_MAX * 2; i++) {
        const unsigned fate = i % 2, driver = i / 2 % DRIVERS_MAX, rest = i / 2 / DRIVERS_MAX;
        const _Atomic uint32_t *of =
            batch->named[rest / DRED_KINDS][rest % DRED_KINDS][driver][fate];
        if (of[NAMED_ALONE] + of[NAMED_FEW] + of[NAMED_MORE] + of[NAMED_NONE] > 0)
            printf("%u  %-15s  %-9s  %-6s %7u %7u %7u %7u\n", 1u << rest / DRED_KINDS,
                   dred[rest % DRED_KINDS], batch_drivers[driver], fate ? "go on" : "freeze",
                   of[NAMED_ALONE], of[NAMED_FEW], of[NAMED_MORE], of[NAMED_NONE]);
    }
}

static int show(const struct options *o, const char *folder)
{
    struct program program;
    struct verdict verdict;
    program_generate(&program, o->seed);
    program_print(&program, "as it was generated");
    judge_apart(&program, folder, &verdict);
    if (o->keep)
        judge_here(&program, folder, o->keep, &verdict);
    for (uint32_t i = 0; i < verdict.count && i < COMPLAINTS_MAX; i++)
        printf("%s: %s\n", verdict.complaints[i].kind, verdict.complaints[i].text);
    for (uint32_t i = 0; o->prints_smallest && i < verdict.count && i < COMPLAINTS_MAX; i++) {
        bool is_new = true;
        for (uint32_t k = 0; k < i; k++)
            is_new = is_new && strcmp(verdict.complaints[k].kind, verdict.complaints[i].kind) != 0;
        if (is_new)
            print_smallest(&program, folder, verdict.complaints[i].kind);
    }
    return verdict.count > 0;
}

/* Each kind once: how many programs have it, the lowest seed, and its smallest program. */
static void report(const struct options *o, const struct batch *batch)
{
    const uint32_t count =
        batch->failure_count < FAILURES_MAX ? batch->failure_count : FAILURES_MAX;
    for (uint32_t i = 0; i < count; i++) {
        const struct failure *first = &batch->failures[i];
        uint32_t programs = 0;
        bool is_new = true;
        for (uint32_t k = 0; k < count; k++) {
            if (strcmp(batch->failures[k].kind, first->kind) != 0)
                continue;
            is_new = is_new && k >= i;
            programs++;
            if (batch->failures[k].seed < first->seed)
                first = &batch->failures[k];
        }
        if (!is_new)
            continue;
        printf("FALSE in %u programs, first in seed %" PRIu64 ": %s\n  %s\n", programs, first->seed,
               first->kind, first->text);
        if (!o->prints_smallest)
            continue;
        struct program program;
        program_generate(&program, first->seed);
        print_smallest(&program, batch->folder, first->kind);
    }
}

int main(int argc, char **argv)
{
    struct options options;
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        usage(stdout);
        return 0;
    }
    if (!read_options(argc, argv, &options)) {
        usage(stderr);
        return 2;
    }
    struct batch *batch = batch_create();
    setenv("EMU_WARP_LOG", "/dev/null", 1);
    /* dumps are synced to disk: in memory that costs nothing */
    snprintf(batch->folder, sizeof batch->folder, "%s/truth-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : ".");
    if (!mkdtemp(batch->folder)) {
        perror(batch->folder);
        return 2;
    }
    int failed;
    if (options.is_show) {
        failed = show(&options, batch->folder);
    } else {
        batch->first = options.seed + options.from;
        batch->count = options.programs - options.from;
        batch->allowed = options.allowed;
        batch->allowed_count = options.allowed_count;
        batch_run(batch, options.jobs);
        report(&options, batch);
        if (options.prints_named)
            print_named(batch);
        failed = batch->failed > 0;
        printf("seeds %" PRIu64 " to %" PRIu64 "\n%" PRIu64 " passed, %" PRIu64
               " failed, 0 skipped\n",
               batch->first, batch->first + batch->count - 1, batch->passed, batch->failed);
    }
    rmdir(batch->folder);
    return failed;
}
