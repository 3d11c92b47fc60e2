/* Random programs whose dumps are compared with what the GPU did [ANN-TRUTH-02]: test-truth-tracker
 * plays them through annot/evidence.h on a model GPU, test-truth-vulkan through the Vulkan layer on
 * the mock driver of tests/vulkan [ANN-VK-02].
 *
 *     test-truth-tracker [--programs N] [--seed S] [--folder FOLDER]
 *
 * Programs have the seeds from S on; "clock" takes the clock's. Dumps are written to the folder.
 * The smallest program that it can reach from each of the first that fail is printed as a test, of
 * the others the seed and the false statement.
 */
#include "tracker_program.h"

#include <unistd.h>

static FILE *source; /* of the test that is printed */

bool is_saying(void)
{
    return source != NULL;
}

void say(const char *format, ...)
{
    va_list arguments;
    if (!source)
        return;
    va_start(arguments, format);
    fputs("    ", source);
    vfprintf(source, format, arguments);
    fputs("\n", source);
    va_end(arguments);
}

void program_add(struct program *program, struct op op)
{
    if (program->count == program->capacity) {
        program->capacity = program->capacity ? program->capacity * 2 : 64;
        program->ops = grow(program->ops, (size_t)program->capacity * sizeof *program->ops);
    }
    program->ops[program->count++] = op;
}

static struct complaint play(const struct program *program, FILE *to)
{
    struct complaint complaint = {.text = ""};
    source = to;
    if (to)
        fprintf(to, "Test(%s, seed_%llu)\n{\n", program_suite, (unsigned long long)program->seed);
    program_play(program, &complaint);
    if (to)
        fputs("}\n", to);
    source = NULL;
    return complaint;
}

/* ---- the smallest ---- */

static bool still_fails(const struct program *program)
{
    return play(program, NULL).text[0] != 0;
}

static bool fails_without(struct program *program, int from, int count)
{
    struct program less = *program;
    less.ops = grow(NULL, (size_t)program->count * sizeof *less.ops);
    memcpy(less.ops, program->ops, (size_t)from * sizeof *less.ops);
    memcpy(less.ops + from, program->ops + from + count,
           (size_t)(program->count - from - count) * sizeof *less.ops);
    less.count -= count;
    const bool is_failing = still_fails(&less);
    if (is_failing) {
        memcpy(program->ops, less.ops, (size_t)less.count * sizeof *less.ops);
        program->count = less.count;
    }
    free(less.ops);
    return is_failing;
}

/* Fewer things that the GPU does in one step. */
static bool lower_steps(struct program *program)
{
    bool is_lower = false;
    for (int i = 0; i < program->count; i++) {
        struct op *op = &program->ops[i];
        while (op->kind == OP_STEP && op->a > 1) {
            op->a--;
            if (!still_fails(program)) {
                op->a++;
                break;
            }
            is_lower = true;
        }
    }
    return is_lower;
}

static void shrink(struct program *program)
{
    bool is_smaller = true;
    while (is_smaller) {
        is_smaller = false;
        for (int count = program->count / 2; count > 0; count /= 2)
            for (int from = 0; from + count <= program->count;)
                if (fails_without(program, from, count))
                    is_smaller = true;
                else
                    from += count;
        is_smaller |= lower_steps(program);
    }
}

/* ---- all of them ---- */

static void fail(struct program *program)
{
    shrink(program);
    const struct complaint complaint = play(program, NULL);
    printf("not ok: seed %llu: %s\n\n%s\n", (unsigned long long)program->seed, complaint.text,
           program_preamble);
    play(program, stdout);
    fflush(stdout);
}

static bool take(int count, char **arguments, uint64_t *programs, uint64_t *seed)
{
    for (int i = 1; i < count; i += 2) {
        uint64_t *number = strcmp(arguments[i], "--programs") == 0 ? programs
                           : strcmp(arguments[i], "--seed") == 0   ? seed
                                                                   : NULL;
        if (i + 1 == count)
            return false;
        if (number ? !take_seed(arguments[i + 1], number)
                   : strcmp(arguments[i], "--folder") != 0 || chdir(arguments[i + 1]) != 0)
            return false;
    }
    return true;
}

int main(int count, char **arguments)
{
    enum { SHOWN = 5 };
    uint64_t programs = 500, seed = 1, failed = 0, statements[4] = {0};
    if (!take(count, arguments, &programs, &seed)) {
        fprintf(stderr, "usage: %s [--programs N] [--seed S] [--folder FOLDER]\n", arguments[0]);
        return 2;
    }
    for (uint64_t i = 0; i < programs; i++) {
        struct program program = {.seed = seed + i};
        program_make(&program);
        const struct complaint complaint = play(&program, NULL);
        for (int state = 0; state < 4; state++)
            statements[state] += complaint.statements[state];
        if (complaint.text[0] && failed++ < SHOWN)
            fail(&program);
        else if (complaint.text[0])
            printf("not ok: seed %llu: %s\n", (unsigned long long)program.seed, complaint.text);
        free(program.ops);
    }
    printf("# statements: %llu finished, %llu not started, %llu in progress, %llu unknown\n",
           (unsigned long long)statements[ANNOT_STATE_FINISHED],
           (unsigned long long)statements[ANNOT_STATE_NOT_STARTED],
           (unsigned long long)statements[ANNOT_STATE_IN_PROGRESS],
           (unsigned long long)statements[ANNOT_STATE_UNKNOWN]);
    printf("# seeds %llu to %llu\n", (unsigned long long)seed,
           (unsigned long long)(seed + programs - 1));
    printf("%llu passed, %llu failed, 0 skipped\n", (unsigned long long)(programs - failed),
           (unsigned long long)failed);
    return failed > 0;
}
