/* The D3D12 layer in front of the emulator [ANN-TRUTH-02, ANN-D3D]: random programs on a driver
 * that takes no markers, whose dumps the layer writes. It has to be started by "annot d3d12", and
 * prints what test-truth prints.
 *
 *     annot d3d12 -- test-truth-layer --evidence dred --programs 200 --seed 1
 *     annot d3d12 -- test-truth-layer --evidence dred --show 17
 */
#include "judge.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS = 60, SHOWN = 5 };

struct options {
    const char *evidence, *level, *keep;
    uint64_t programs, seed;
    bool is_show;
};

struct judged {
    struct verdict verdict;
    uint64_t statements[4];
};

/* The program with what the layer can see: it has each marker retained, and no kernel's word. */
static void make(struct program *program, uint64_t seed)
{
    program_generate(program, seed);
    program->seed = seed << 2 | 1; /* played once: check_signature plays it again, without it */
    program->witnesses.driver = "legacy";
    program->witnesses.dred = (uint8_t)(seed % 4 == 0   ? DRED_FULL
                                        : seed % 4 == 1 ? DRED_MARKERS_ONLY
                                                        : DRED_SYSTEM);
    program->witnesses.has_times = false;
    program->witnesses.is_late = false; /* its dump is written before the program sees the stop */
    program->witnesses.budget = 0;
    for (uint32_t i = 0; i < program->count; i++) {
        struct op *op = &program->ops[i];
        if (op->kind == OP_MODE)
            op->a = 1;
        else if (op->kind == OP_NULL_RENDERING || op->kind == OP_FAIL) /* nor lost memory */
            *op = (struct op){.kind = OP_STEPS, .value = 1};
        else if (op->kind == OP_STOP && op->a == STOP_LIVE)
            op->a = STOP_REMOVE;
    }
}

static void count(const char *path, uint64_t *statements)
{
    annot_reader *reader = NULL;
    if (annot_reader_open_file(NULL, path, &reader) != ANNOT_OK)
        return;
    annot_reader_execution execution;
    for (uint32_t i = 0; annot_reader_execution_at(reader, i, &execution); i++)
        statements[execution.state]++;
    annot_reader_close(reader);
}

/* Words of its own can't be told from the layer's: the program sees both then. */
static bool writes_words(const struct program *program)
{
    for (uint32_t i = 0; i < program->count; i++)
        if (program->ops[i].kind == OP_WORK && program->ops[i].b == WORK_WRITE)
            return true;
    return false;
}

static void keep_copy(const char *dump, const char *keep)
{
    if (keep && rename(dump, keep) != 0)
        perror(keep);
}

/* In this process, which has no device yet. */
static void judge(const struct options *options, const struct program *program, const char *folder,
                  struct judged *out)
{
    char path[200];
    struct outcome *outcome = calloc(1, sizeof *outcome);
    if (!outcome)
        abort();
    snprintf(path, sizeof path, "%s/layer-%ld.annotdmp", folder, (long)getpid());
    setenv("ANNOT_D3D12_DUMP", path, 1);
    setenv("ANNOT_D3D12_EVIDENCE", options->evidence, 1);
    setenv("ANNOT_D3D12_LEVEL", options->level, 1);
    setenv("ANNOT_D3D12_PROBE", "0", 1); /* the place of a hang counts lists */
    setenv("ANNOT_D3D12_QUIET", "1", 1);
    run_program(program, folder, outcome);
    if (outcome->dump[0])
        unlink(outcome->dump);
    snprintf(outcome->dump, sizeof outcome->dump, "%s", access(path, R_OK) == 0 ? path : "");
    const bool has_dred = outcome->has_dred && !writes_words(program);
    outcome->has_dred = false; /* the dump has other nodes: those that are one execution's */
    if (!truth_find_places(&outcome->truth))
        complain(&out->verdict, "counters", "the counters contradict each other");
    check_outcome(program, outcome, folder, &out->verdict);
    outcome->has_dred = has_dred;
    const struct scene seen = {
        .program = program, .truth = &outcome->truth, .verdict = &out->verdict};
    check_dred(&seen, outcome);
    count(path, out->statements);
    keep_copy(path, options->keep);
    run_finish(outcome);
    free(outcome);
}

static void judge_in_child(const struct options *options, const struct program *program,
                           const char *folder, struct judged *judged)
{
    struct judged *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int status = 0;
    if (shared == MAP_FAILED)
        abort();
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        alarm(SECONDS);
        judge(options, program, folder, shared);
        _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        abort();
    *judged = *shared;
    munmap(shared, sizeof *shared);
    if (WIFSIGNALED(status))
        complain(&judged->verdict, WTERMSIG(status) == SIGALRM ? "hang" : "crash", "signal %d",
                 WTERMSIG(status));
    else if (WEXITSTATUS(status) != 0)
        complain(&judged->verdict, "exit", "status %d", WEXITSTATUS(status));
}

static bool read_options(int argc, char **argv, struct options *options)
{
    for (int i = 1; i + 1 < argc; i += 2) {
        const char *name = argv[i], *value = argv[i + 1];
        if (strcmp(name, "--evidence") == 0)
            options->evidence = value;
        else if (strcmp(name, "--level") == 0)
            options->level = value;
        else if (strcmp(name, "--programs") == 0)
            options->programs = strtoull(value, NULL, 10);
        else if (strcmp(name, "--seed") == 0)
            options->seed = strtoull(value, NULL, 10);
        else if (strcmp(name, "--show") == 0)
            options->seed = strtoull(value, NULL, 10), options->is_show = true;
        else if (strcmp(name, "--keep") == 0)
            options->keep = value;
        else
            return false;
    }
    return argc % 2 == 1;
}

static void tell(uint64_t seed, const struct verdict *verdict, bool is_all)
{
    for (uint32_t i = 0; i < verdict->count && i < COMPLAINTS_MAX && (is_all || i < 1); i++)
        printf("FALSE in seed %" PRIu64 ": %s: %s\n", seed, verdict->complaints[i].kind,
               verdict->complaints[i].text);
}

int main(int argc, char **argv)
{
    struct options options = {.evidence = "auto", .level = "labels", .programs = 200, .seed = 1};
    uint64_t failed = 0, statements[4] = {0};
    char folder[64];
    if (!read_options(argc, argv, &options)) {
        fputs("test-truth-layer [--evidence KIND] [--level LEVEL] [--programs N] [--seed S] "
              "[--show S] [--keep FILE]\n",
              stderr);
        return 2;
    }
    snprintf(folder, sizeof folder, "%s/truth-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : ".");
    if (!mkdtemp(folder)) {
        perror(folder);
        return 2;
    }
    setenv("EMU_WARP_LOG", "/dev/null", 1);
    options.programs = options.is_show ? 1 : options.programs;
    for (uint64_t i = 0; i < options.programs; i++) {
        struct program program;
        struct judged judged = {0};
        make(&program, options.seed + i);
        if (options.is_show)
            program_print(&program, "as it was generated");
        judge_in_child(&options, &program, folder, &judged);
        for (int state = 0; state < 4; state++)
            statements[state] += judged.statements[state];
        failed += judged.verdict.count > 0;
        if (judged.verdict.count > 0 && failed <= SHOWN)
            tell(options.seed + i, &judged.verdict, options.is_show);
    }
    rmdir(folder);
    printf("# executions: %" PRIu64 " finished, %" PRIu64 " not started, %" PRIu64
           " in progress, %" PRIu64 " unknown\n",
           statements[ANNOT_STATE_FINISHED], statements[ANNOT_STATE_NOT_STARTED],
           statements[ANNOT_STATE_IN_PROGRESS], statements[ANNOT_STATE_UNKNOWN]);
    printf("%" PRIu64 " passed, %" PRIu64 " failed, 0 skipped\n", options.programs - failed,
           failed);
    return failed > 0;
}
