#include "tracker_program.h"

/* ---- what is random ---- */

static struct op recording_op(struct dice *dice, uint32_t list)
{
    static const enum op_kind kinds[] = {OP_BEGIN, OP_BEGIN, OP_END,  OP_END,   OP_SET,
                                         OP_WORK,  OP_WORK,  OP_WORK, OP_BUNDLE};
    struct op op = {.kind = kinds[pick(dice, sizeof kinds / sizeof *kinds)], .a = list};
    if (op.kind == OP_WORK)
        op.b = one_in(dice, 20);
    if (op.kind == OP_BUNDLE)
        op.b = LISTS - BUNDLES + pick(dice, BUNDLES);
    return op;
}

static struct op other_op(struct dice *dice, const struct setup *setup)
{
    static const enum op_kind kinds[] = {OP_SUBMIT, OP_SUBMIT,      OP_SUBMIT,    OP_SUBMIT,
                                         OP_SUBMIT, OP_SUBMIT,      OP_STEP,      OP_STEP,
                                         OP_STEP,   OP_STEP,        OP_STEP,      OP_STEP,
                                         OP_FENCE,  OP_FENCE,       OP_CHECK,     OP_CHECK,
                                         OP_FORGET, OP_QUEUE_BEGIN, OP_QUEUE_END, OP_QUEUE_SET};
    struct op op = {.kind = kinds[pick(dice, sizeof kinds / sizeof *kinds)], .r = roll(dice)};
    if (one_in(dice, 25))
        op.kind = one_in(dice, 2) ? OP_CREATE : OP_RESET;
    switch (op.kind) {
    case OP_CREATE:
        op.a = pick(dice, LISTS);
        op.b = one_in(dice, 3);
        break;
    case OP_FORGET:
        op.a = pick(dice, LISTS);
        break;
    case OP_RESET:
        op.a = pick(dice, ARENAS);
        break;
    case OP_SUBMIT:
        op.a = pick(dice, setup->queues);
        op.b = setup->starts_in_order && !one_in(dice, 4) ? WAY_APART : pick(dice, WAYS);
        break;
    case OP_STEP:
        op.a = 1 + pick(dice, one_in(dice, 2) ? 60 : 8);
        break;
    default:
        op.a = pick(dice, setup->queues);
        op.b = one_in(dice, 3);
    }
    return op;
}

static void setup_make(struct setup *setup, struct dice *dice)
{
    *setup = (struct setup){
        .word_size = one_in(dice, 2) ? 4 : 8,
        .slots = one_in(dice, 5) ? 1 + pick(dice, 6) : 64 + pick(dice, 64),
        .queues = one_in(dice, 2) ? 1 : 1 + pick(dice, 3),
        .writes_entered = !one_in(dice, 3),
        .writes_completed = !one_in(dice, 4),
        .starts_in_order = !one_in(dice, 3),
        .retires_in_order = one_in(dice, 3),
        .waits = one_in(dice, 4),
    };
    if (setup->starts_in_order && !one_in(dice, 3))
        setup->promises |= ANNOT_PROMISE_STARTS_IN_ORDER;
    if (setup->retires_in_order && !one_in(dice, 3))
        setup->promises |= ANNOT_PROMISE_RETIRES_IN_ORDER;
}

struct draft {
    struct program *program;
    int capacity;
};

static void add(struct draft *draft, struct op op)
{
    struct program *program = draft->program;
    if (program->count == draft->capacity) {
        draft->capacity = draft->capacity ? draft->capacity * 2 : 64;
        program->ops = grow(program->ops, (size_t)draft->capacity * sizeof *program->ops);
    }
    program->ops[program->count++] = op;
}

static void add_recording(struct draft *draft, struct dice *dice, uint32_t list)
{
    add(draft, (struct op){.kind = OP_OPEN,
                           .a = list,
                           .b = one_in(dice, 2) ? list % ARENAS : pick(dice, ARENAS),
                           .r = one_in(dice, 8)});
    for (uint32_t i = pick(dice, 9); i > 0; i--)
        add(draft, recording_op(dice, list));
    if (!one_in(dice, 24))
        add(draft, (struct op){.kind = OP_CLOSE, .a = list});
}

void program_make(struct program *program, uint64_t seed)
{
    struct dice dice = {seed};
    *program = (struct program){.seed = seed};
    struct draft draft = {program, 0};
    const bool has_trouble = one_in(&dice, 6);
    setup_make(&program->setup, &dice);
    for (uint32_t list = LISTS; list-- > 0;) {
        add(&draft, (struct op){.kind = OP_CREATE, .a = list, .b = one_in(&dice, 6)});
        if (!one_in(&dice, 5))
            add_recording(&draft, &dice, list);
    }
    for (uint32_t i = 4 + pick(&dice, 40); i > 0; i--)
        if (one_in(&dice, 8))
            add_recording(&draft, &dice, pick(&dice, LISTS));
        else if (has_trouble && one_in(&dice, 12))
            add(&draft, (struct op){.kind = one_in(&dice, 2) ? OP_FAIL : OP_GARBAGE,
                                    .a = 1 + pick(&dice, 6),
                                    .r = roll(&dice)});
        else
            add(&draft, other_op(&dice, &program->setup));
    add(&draft, (struct op){.kind = OP_CHECK});
}

void program_finish(struct program *program)
{
    free(program->ops);
    program->ops = NULL;
}

/* ---- the smallest ---- */

static bool still_fails(const struct program *program)
{
    struct complaint complaint;
    program_play(program, &complaint, NULL);
    return complaint.text[0] != 0;
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

void program_shrink(struct program *program)
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
