/*
 * Random recordings, and whether what a dump says of their bindings, states and barriers is so
 * [ANN-OP-01, ANN-TRUTH-02]: of the emulator, or under the D3D12 layer, which "annot d3d12" starts.
 *
 *     test-truth-bindings --programs 500 --seed 1
 *     annot d3d12 --level exact -- test-truth-bindings --evidence copy --programs 500
 */
#include "bindings.h"
#include "gpu.h"

#include <emu/emu.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS = 60 };

struct options {
    const char *evidence, *keep; /* evidence NULL: of the emulator */
    uint64_t programs, seed;
};

static void configure(const struct options *options, const char *path, unsigned hang_at)
{
    emu_config config = EMU_CONFIG_INIT;
    config.order = EMU_ORDER_SEEDED;
    config.hang.place = EMU_HANG_AT_DRAW;
    config.hang.count = hang_at;
    config.driver = options->evidence ? "legacy" : "reference";
    if (options->evidence) {
        setenv("ANNOT_D3D12_DUMP", path, 1);
        setenv("ANNOT_D3D12_EVIDENCE", options->evidence, 1);
        setenv("ANNOT_D3D12_LEVEL", "exact", 1);
        setenv("ANNOT_D3D12_PROBE", "0", 1);
        setenv("ANNOT_D3D12_QUIET", "1", 1);
    } else {
        config.dump_path = path;
        gpu_set_dred(DRED_FULL);
    }
    emu_configure(&config);
}

/* In this process, which has no device yet. */
static void play(const struct options *options, uint64_t seed, const char *path,
                 struct bind_counts *counts)
{
    struct dice dice = {seed};
    struct bind_scene *scene = calloc(1, sizeof *scene);
    if (!scene)
        abort();
    configure(options, path, 1 + below(&dice, BIND_DRAWS));
    bind_open(scene, seed);
    ID3D12CommandQueue *queue = kit_queue(scene->device, D3D12_COMMAND_LIST_TYPE_DIRECT);
    ID3D12CommandList *list = (ID3D12CommandList *)scene->list;
    ID3D12CommandQueue_ExecuteCommandLists(queue, 1, &list);
    kit_finish(scene->device, queue);
    if (SUCCEEDED(ID3D12Device_GetDeviceRemovedReason(scene->device))) { /* there are fewer draws */
        ID3D12Device5 *device5 = AS(ID3D12Device5, scene->device);
        ID3D12Device5_RemoveDevice(device5);
        ID3D12Device5_Release(device5);
        ID3D12Device_GetDeviceRemovedReason(scene->device);
    }
    bind_check(scene, path, counts);
    ID3D12CommandQueue_Release(queue);
    bind_close(scene);
    free(scene);
    if (!options->keep)
        unlink(path);
}

static bool play_in_child(const struct options *options, uint64_t seed, const char *folder,
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
        play(options, seed, options->keep ? options->keep : path, counts);
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

static bool read_options(int argc, char **argv, struct options *options)
{
    for (int i = 1; i + 1 < argc; i += 2)
        if (strcmp(argv[i], "--evidence") == 0)
            options->evidence = argv[i + 1];
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
    struct options options = {.programs = 200, .seed = 1};
    struct bind_counts sum = {0};
    char folder[64];
    uint64_t failed = 0;
    if (!read_options(argc, argv, &options)) {
        fputs("test-truth-bindings [--evidence KIND] [--programs N] [--seed S] [--keep FILE]\n",
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
