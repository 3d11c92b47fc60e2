/*
 * annot/evidence.h against a model GPU [ANN-TRUTH-02]: random programs whose dumps are compared
 * with what the GPU did.
 *
 *     test-truth-tracker [--programs N] [--seed S]
 *
 * Programs have the seeds from S on; "clock" takes the clock's.
 * The smallest program that it can reach from each of the first that fail is printed as a test for
 * tests/unit, of the others the seed and the false statement.
 */
#include "tracker_program.h"

/* Functions that printed tests use. */
static const char helpers[] =
    "__attribute__((unused)) static annot_state state_of_execution(const annot_reader *reader,\n"
    "                                                              uint32_t index)\n"
    "{\n"
    "    annot_reader_execution about = {.state = ANNOT_STATE_UNKNOWN};\n"
    "    annot_reader_execution_at(reader, index, &about);\n"
    "    return about.state;\n"
    "}\n\n"
    "__attribute__((unused)) static const char *path_of_stop(const annot_reader *reader,\n"
    "                                                        size_t index)\n"
    "{\n"
    "    static char path[4096];\n"
    "    annot_reader_stop_path(reader, index, path, sizeof path);\n"
    "    return path;\n"
    "}\n\n"
    "__attribute__((unused)) static uint32_t suspect_of_stop(const annot_reader *reader,\n"
    "                                                        size_t index)\n"
    "{\n"
    "    annot_reader_stop stop = {.suspect = ANNOT_READER_NONE};\n"
    "    annot_reader_stop_at(reader, index, &stop);\n"
    "    return stop.suspect;\n"
    "}\n";

static void fail(const struct program *of)
{
    struct program program = *of;
    struct complaint complaint;
    program_shrink(&program);
    program_play(&program, &complaint, NULL);
    printf("not ok: seed %llu: %s\n\n", (unsigned long long)program.seed, complaint.text);
    puts("#include \"spy.h\"\n#include <annot/dump.h>\n#include <annot/evidence.h>\n"
         "#include <annot/reader.h>\n#include <criterion/criterion.h>\n#include <string.h>\n");
    puts(helpers);
    program_play(&program, &complaint, stdout);
    fflush(stdout);
}

int main(int count, char **arguments)
{
    enum { SHOWN = 5 };
    uint64_t programs = 500, seed = 1, passed = 0, failed = 0;
    uint64_t statements[4] = {0};
    for (int i = 1; i < count; i += 2) {
        uint64_t *option = strcmp(arguments[i], "--programs") == 0 ? &programs
                           : strcmp(arguments[i], "--seed") == 0   ? &seed
                                                                   : NULL;
        if (!option || !take_seed(arguments[i + 1], option)) {
            fprintf(stderr, "usage: test-truth-tracker [--programs N] [--seed S]\n");
            return 2;
        }
    }
    for (uint64_t i = 0; i < programs; i++) {
        struct program program;
        struct complaint complaint;
        program_make(&program, seed + i);
        program_play(&program, &complaint, NULL);
        passed += complaint.text[0] == 0;
        for (int state = 0; state < 4; state++)
            statements[state] += complaint.statements[state];
        if (complaint.text[0] && failed++ < SHOWN)
            fail(&program);
        else if (complaint.text[0])
            printf("not ok: seed %llu: %s\n", (unsigned long long)program.seed, complaint.text);
        program_finish(&program);
    }
    printf("# statements: %llu finished, %llu not started, %llu in progress, %llu unknown\n",
           (unsigned long long)statements[ANNOT_STATE_FINISHED],
           (unsigned long long)statements[ANNOT_STATE_NOT_STARTED],
           (unsigned long long)statements[ANNOT_STATE_IN_PROGRESS],
           (unsigned long long)statements[ANNOT_STATE_UNKNOWN]);
    printf("# seeds %llu to %llu\n", (unsigned long long)seed,
           (unsigned long long)(seed + programs - 1));
    printf("%llu passed, %llu failed, 0 skipped\n", (unsigned long long)passed,
           (unsigned long long)failed);
    return failed > 0;
}
