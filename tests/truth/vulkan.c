/*
 * The Vulkan layer on the mock driver of tests/vulkan [ANN-TRUTH-02, ANN-VK-02]: random programs
 * whose dumps are compared with what the driver's GPU did. Options are those of test-truth-tracker,
 * and so is what it prints. Dumps are written to the folder --folder.
 */
#include "vulkan_program.h"

#include <unistd.h>

static void fail(const struct vulkan_program *of)
{
    struct vulkan_program program = *of;
    struct complaint complaint;
    vulkan_shrink(&program);
    vulkan_play(&program, &complaint, NULL);
    printf("not ok: seed %llu: %s\n\n", (unsigned long long)program.seed, complaint.text);
    vulkan_play(&program, &complaint, stdout);
    fflush(stdout);
}

struct options {
    uint64_t programs, seed;
};

static bool take(struct options *options, int count, char **arguments)
{
    for (int i = 1; i < count; i++) {
        uint64_t *number = strcmp(arguments[i], "--programs") == 0 ? &options->programs
                           : strcmp(arguments[i], "--seed") == 0   ? &options->seed
                                                                   : NULL;
        if (++i >= count)
            return false;
        if (number ? !take_seed(arguments[i], number)
                   : strcmp(arguments[i - 1], "--folder") != 0 || chdir(arguments[i]) != 0)
            return false;
    }
    return true;
}

int main(int count, char **arguments)
{
    enum { SHOWN = 5 };
    struct options options = {.programs = 500, .seed = 1};
    uint64_t passed = 0, failed = 0, statements[4] = {0};
    if (!take(&options, count, arguments)) {
        fprintf(stderr, "usage: test-truth-vulkan [--programs N] [--seed S] "
                        "[--folder FOLDER]\n");
        return 2;
    }
    for (uint64_t i = 0; i < options.programs; i++) {
        struct vulkan_program program;
        struct complaint complaint;
        vulkan_make(&program, options.seed + i);
        vulkan_play(&program, &complaint, NULL);
        passed += complaint.text[0] == 0;
        for (int state = 0; state < 4; state++)
            statements[state] += complaint.statements[state];
        if (complaint.text[0] && failed++ < SHOWN)
            fail(&program);
        else if (complaint.text[0])
            printf("not ok: seed %llu: %s\n", (unsigned long long)program.seed, complaint.text);
        vulkan_finish(&program);
    }
    printf("# statements: %llu finished, %llu not started, %llu in progress, %llu unknown\n",
           (unsigned long long)statements[ANNOT_STATE_FINISHED],
           (unsigned long long)statements[ANNOT_STATE_NOT_STARTED],
           (unsigned long long)statements[ANNOT_STATE_IN_PROGRESS],
           (unsigned long long)statements[ANNOT_STATE_UNKNOWN]);
    printf("# seeds %llu to %llu\n", (unsigned long long)options.seed,
           (unsigned long long)(options.seed + options.programs - 1));
    printf("%llu passed, %llu failed, 0 skipped\n", (unsigned long long)passed,
           (unsigned long long)failed);
    return failed > 0;
}
