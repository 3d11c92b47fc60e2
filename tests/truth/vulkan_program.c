#include "vulkan_program.h"

const char program_suite[] = "vulkan_truth";
const char program_preamble[] = "";

static void add_recording(struct program *program, struct dice *dice, uint32_t buffer)
{
    static const enum vulkan_op_kind kinds[] = {VULKAN_LABEL,     VULKAN_LABEL,     VULKAN_LABEL,
                                                VULKAN_END_LABEL, VULKAN_END_LABEL, VULKAN_POINT,
                                                VULKAN_WORK,      VULKAN_WORK,      VULKAN_WORK,
                                                VULKAN_PASS,      VULKAN_END_PASS,  VULKAN_EXECUTE};
    program_add(program, (struct op){.kind = VULKAN_BEGIN, .a = buffer, .b = one_in(dice, 2)});
    for (uint32_t i = pick(dice, 12); i > 0; i--) {
        struct op op = {.kind = (int)kinds[pick(dice, sizeof kinds / sizeof *kinds)], .a = buffer};
        if (op.kind == VULKAN_WORK)
            op.b = one_in(dice, 10);
        else if (op.kind == VULKAN_PASS)
            op.b = pick(dice, PASS_KINDS);
        else if (op.kind == VULKAN_EXECUTE)
            op.b = BUFFERS - SECONDARIES + pick(dice, SECONDARIES);
        program_add(program, op);
    }
    program_add(program, (struct op){.kind = VULKAN_END, .a = buffer});
}

static void add_other(struct program *program, struct dice *dice, const struct setup *setup)
{
    static const enum vulkan_op_kind kinds[] = {
        VULKAN_SUBMIT, VULKAN_SUBMIT, VULKAN_SUBMIT,      VULKAN_SUBMIT,    VULKAN_STEP,
        VULKAN_STEP,   VULKAN_STEP,   VULKAN_QUEUE_LABEL, VULKAN_QUEUE_END, VULKAN_QUEUE_POINT,
        VULKAN_GO_ON,  VULKAN_RESET,  VULKAN_LOOK,        VULKAN_LOOK};
    struct op op = {.kind = (int)kinds[pick(dice, sizeof kinds / sizeof *kinds)], .r = roll(dice)};
    op.a = pick(dice, setup->queues);
    if (op.kind == VULKAN_SUBMIT)
        op.b = one_in(dice, 2) ? VULKAN_SUBMIT_1 : pick(dice, VULKAN_WAYS);
    else if (op.kind == VULKAN_STEP)
        op = (struct op){VULKAN_STEP, 1 + pick(dice, one_in(dice, 2) ? 60 : 8), one_in(dice, 2),
                         one_in(dice, 2) ? 0 : op.r};
    else if (op.kind == VULKAN_RESET)
        op.a = pick(dice, BUFFERS);
    program_add(program, op);
}

void program_make(struct program *program)
{
    struct dice dice = {program->seed};
    program->setup = (struct setup){
        .evidence = pick(&dice, 5),
        .level = pick(&dice, 3),
        .queues = 1 + one_in(&dice, 3),
        .has_no_timeline = one_in(&dice, 3),
    };
    for (uint32_t buffer = BUFFERS; buffer-- > 0;)
        if (!one_in(&dice, 6))
            add_recording(program, &dice, buffer);
    for (uint32_t i = 6 + pick(&dice, 16); i > 0; i--)
        if (one_in(&dice, 8))
            add_recording(program, &dice, pick(&dice, BUFFERS));
        else
            add_other(program, &dice, &program->setup);
}
