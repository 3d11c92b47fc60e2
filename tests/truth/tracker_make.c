#include "tracker_play.h"

const char program_suite[] = "tracker_truth";
const char program_preamble[] =
    "#include \"spy.h\"\n#include <annot/dump.h>\n#include <annot/evidence.h>\n"
    "#include <annot/reader.h>\n#include <criterion/criterion.h>\n#include <string.h>\n\n"
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

static struct op recording_op(struct dice *dice, uint32_t list)
{
    static const int kinds[] = {OP_BEGIN, OP_BEGIN, OP_END,  OP_END,   OP_SET,
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
    static const int kinds[] = {OP_SUBMIT, OP_SUBMIT, OP_SUBMIT,      OP_SUBMIT,    OP_SUBMIT,
                                OP_SUBMIT, OP_STEP,   OP_STEP,        OP_STEP,      OP_STEP,
                                OP_STEP,   OP_STEP,   OP_FENCE,       OP_FENCE,     OP_CHECK,
                                OP_CHECK,  OP_FORGET, OP_QUEUE_BEGIN, OP_QUEUE_END, OP_QUEUE_SET};
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

static void add_recording(struct program *program, struct dice *dice, uint32_t list)
{
    program_add(program, (struct op){.kind = OP_OPEN,
                                     .a = list,
                                     .b = one_in(dice, 2) ? list % ARENAS : pick(dice, ARENAS),
                                     .r = one_in(dice, 8)});
    for (uint32_t i = pick(dice, 9); i > 0; i--)
        program_add(program, recording_op(dice, list));
    if (!one_in(dice, 24))
        program_add(program, (struct op){.kind = OP_CLOSE, .a = list});
}

void program_make(struct program *program)
{
    struct dice dice = {program->seed};
    const bool has_trouble = one_in(&dice, 6);
    setup_make(&program->setup, &dice);
    if (program->setup.waits && program->seed % 2 != 0)
        program->setup.promises |= ANNOT_PROMISE_DRAINS;
    for (uint32_t list = LISTS; list-- > 0;) {
        program_add(program, (struct op){.kind = OP_CREATE, .a = list, .b = one_in(&dice, 6)});
        if (!one_in(&dice, 5))
            add_recording(program, &dice, list);
    }
    for (uint32_t i = 4 + pick(&dice, 40); i > 0; i--)
        if (one_in(&dice, 8))
            add_recording(program, &dice, pick(&dice, LISTS));
        else if (has_trouble && one_in(&dice, 12))
            program_add(program, (struct op){.kind = one_in(&dice, 2) ? OP_FAIL : OP_GARBAGE,
                                             .a = 1 + pick(&dice, 6),
                                             .r = roll(&dice)});
        else
            program_add(program, other_op(&dice, &program->setup));
    program_add(program, (struct op){.kind = OP_CHECK});
}
