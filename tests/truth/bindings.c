/* Random recordings, and whether what a dump says of their bindings, states and barriers is so
 * [ANN-OP-01, ANN-TRUTH-02]: of the emulator, or under the D3D12 layer, which "annot d3d12" starts.
 *
 *     test-truth-bindings --programs 500 --seed 1
 *     annot d3d12 --level exact -- test-truth-bindings --evidence copy --programs 500
 */
#include "bindings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS = 60 };

static bool play_in_child(const struct bind_options *options, uint64_t seed, const char *folder,
                          struct bind_counts *sum)
{
    char path[200];
    int status = 0;
    struct bind_counts *counts =
        mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (counts == MAP_FAILED)
        abort();
    snprintf(path, sizeof path, "%s/bindings-%" PRIu64 ".annotdmp", folder, seed);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        alarm(SECONDS);
        bind_play(options, seed, options->keep ? options->keep : path, counts);
        fflush(NULL);
        _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        abort();
    const bool is_well = status == 0 && counts->false_count == 0;
    if (!is_well)
        printf("FALSE in seed %" PRIu64 ", status %x\n", seed, (unsigned)status);
    sum->said += counts->said;
    sum->silent += counts->silent;
    sum->states += counts->states;
    sum->barriers += counts->barriers;
    munmap(counts, sizeof *counts);
    return is_well;
}

static bool read_options(int argc, char **argv, struct bind_options *options)
{
    for (int i = 1; i + 1 < argc; i += 2)
        if (strcmp(argv[i], "--evidence") == 0)
            options->evidence = argv[i + 1];
        else if (strcmp(argv[i], "--level") == 0)
            options->level = argv[i + 1];
        else if (strcmp(argv[i], "--keep") == 0)
            options->keep = argv[i + 1];
        else if (strcmp(argv[i], "--programs") == 0)
            options->programs = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--seed") == 0)
            options->seed = strtoull(argv[i + 1], NULL, 10);
        else
            return false;
    return argc % 2 == 1;
}

int main(int argc, char **argv)
{
    struct bind_options options = {.programs = 200, .seed = 1};
    struct bind_counts sum = {0};
    char folder[64];
    uint64_t failed = 0;
    if (!read_options(argc, argv, &options)) {
        fputs("test-truth-bindings [--evidence KIND] [--level LEVEL] [--programs N] [--seed S] "
              "[--keep FILE]\n",
              stderr);
        return 2;
    }
    snprintf(folder, sizeof folder, "%s/truth-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : ".");
    if (!mkdtemp(folder)) {
        perror(folder);
        return 2;
    }
    for (uint64_t i = 0; i < options.programs; i++)
        failed += !play_in_child(&options, options.seed + i, folder, &sum);
    rmdir(folder);
    printf("# said %" PRIu64 " objects, %" PRIu64 " states, %" PRIu64
           " barriers; silent of %" PRIu64 " objects\n",
           sum.said, sum.states, sum.barriers, sum.silent);
    printf("%" PRIu64 " passed, %" PRIu64 " failed, 0 skipped\n", options.programs - failed,
           failed);
    return failed > 0;
}
