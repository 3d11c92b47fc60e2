#include "vulkan_program.h"

struct draft {
    struct vulkan_program *program;
    int capacity;
};

static void add(struct draft *draft, struct vulkan_op op)
{
    struct vulkan_program *program = draft->program;
    if (program->count == draft->capacity) {
        draft->capacity = draft->capacity ? draft->capacity * 2 : 64;
        program->ops = grow(program->ops, (size_t)draft->capacity * sizeof *program->ops);
    }
    program->ops[program->count++] = op;
}

static void add_recording(struct draft *draft, struct dice *dice, uint32_t buffer)
{
    static const enum vulkan_op_kind kinds[] = {VULKAN_LABEL,     VULKAN_LABEL,     VULKAN_LABEL,
                                                VULKAN_END_LABEL, VULKAN_END_LABEL, VULKAN_POINT,
                                                VULKAN_WORK,      VULKAN_WORK,      VULKAN_WORK,
                                                VULKAN_PASS,      VULKAN_END_PASS,  VULKAN_EXECUTE};
    add(draft, (struct vulkan_op){.kind = VULKAN_BEGIN, .a = buffer, .b = one_in(dice, 2)});
    for (uint32_t i = pick(dice, 12); i > 0; i--) {
        struct vulkan_op op = {.kind = kinds[pick(dice, sizeof kinds / sizeof *kinds)],
                               .a = buffer};
        if (op.kind == VULKAN_WORK)
            op.b = one_in(dice, 10);
        else if (op.kind == VULKAN_PASS)
            op.b = pick(dice, PASS_KINDS);
        else if (op.kind == VULKAN_EXECUTE)
            op.b = BUFFERS - SECONDARIES + pick(dice, SECONDARIES);
        add(draft, op);
    }
    add(draft, (struct vulkan_op){.kind = VULKAN_END, .a = buffer});
}

static void add_other(struct draft *draft, struct dice *dice, const struct vulkan_setup *setup)
{
    static const enum vulkan_op_kind kinds[] = {
        VULKAN_SUBMIT, VULKAN_SUBMIT, VULKAN_SUBMIT,      VULKAN_SUBMIT,    VULKAN_STEP,
        VULKAN_STEP,   VULKAN_STEP,   VULKAN_QUEUE_LABEL, VULKAN_QUEUE_END, VULKAN_QUEUE_POINT,
        VULKAN_GO_ON,  VULKAN_RESET,  VULKAN_LOOK,        VULKAN_LOOK};
    struct vulkan_op op = {.kind = kinds[pick(dice, sizeof kinds / sizeof *kinds)],
                           .r = roll(dice)};
    op.a = pick(dice, setup->queues);
    if (op.kind == VULKAN_SUBMIT)
        op.b = one_in(dice, 2) ? VULKAN_SUBMIT_1 : pick(dice, VULKAN_WAYS);
    else if (op.kind == VULKAN_STEP)
        op = (struct vulkan_op){VULKAN_STEP, 1 + pick(dice, one_in(dice, 2) ? 60 : 8),
                                one_in(dice, 2), 0};
    else if (op.kind == VULKAN_RESET)
        op.a = pick(dice, BUFFERS);
    add(draft, op);
}

void vulkan_make(struct vulkan_program *program, uint64_t seed)
{
    struct dice dice = {seed};
    *program = (struct vulkan_program){.seed = seed};
    struct draft draft = {program, 0};
    program->setup = (struct vulkan_setup){
        .evidence = pick(&dice, 5),
        .level = pick(&dice, 3),
        .queues = 1 + one_in(&dice, 3),
        .has_no_timeline = one_in(&dice, 3),
    };
    for (uint32_t buffer = BUFFERS; buffer-- > 0;)
        if (!one_in(&dice, 6))
            add_recording(&draft, &dice, buffer);
    for (uint32_t i = 6 + pick(&dice, 16); i > 0; i--)
        if (one_in(&dice, 8))
            add_recording(&draft, &dice, pick(&dice, BUFFERS));
        else
            add_other(&draft, &dice, &program->setup);
}

void vulkan_finish(struct vulkan_program *program)
{
    free(program->ops);
    program->ops = NULL;
}

/* ---- the smallest ---- */

static bool still_fails(const struct vulkan_program *program)
{
    struct complaint complaint;
    vulkan_play(program, &complaint, NULL);
    return complaint.text[0] != 0;
}

static bool fails_without(struct vulkan_program *program, int from, int count)
{
    struct vulkan_program less = *program;
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

void vulkan_shrink(struct vulkan_program *program)
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
    }
}
