/* Random programs. What is likely to be wrong is frequent: work between markers, few lists that are
 * executed often, scopes that cross them, a fault somewhere in the middle. */
#include "program.h"

#include "dice.h"

/* The numbers of everything that a program has. */
struct plan {
    unsigned queues, lists, bundles;
    unsigned spin_percent; /* of all work */
    unsigned marker_percent;
    bool has_modes, has_names, has_releases, has_failures;
};

static void add(struct program *program, enum op_kind kind, unsigned a, unsigned b, uint32_t value)
{
    if (program->count < OPS_MAX)
        program->ops[program->count++] = (struct op){(uint8_t)kind, (uint8_t)a, (uint8_t)b, value};
}

static unsigned any_work(struct dice *dice, const struct plan *plan)
{
    static const uint8_t works[] = {WORK_DISPATCH, WORK_DISPATCH, WORK_DISPATCH, WORK_DISPATCH,
                                    WORK_DRAW,     WORK_DRAW,     WORK_WRITE,    WORK_WRITE,
                                    WORK_COPY,     WORK_COPY,     WORK_BARRIER,  WORK_INDIRECT,
                                    WORK_PASS,     WORK_PREDICATE};
    static const uint8_t faults[] = {WORK_SPIN, WORK_SPIN, WORK_TOUCH};
    if (chance(dice, plan->spin_percent))
        return faults[below(dice, sizeof faults)];
    return works[below(dice, sizeof works)];
}

/* A few operations on a list or bundle. */
static void record(struct program *program, struct dice *dice, const struct plan *plan,
                   unsigned actor)
{
    for (unsigned left = 1 + below(dice, 7); left > 0; left--) {
        if (!chance(dice, plan->marker_percent)) {
            const unsigned work = any_work(dice, plan);
            const bool is_open = work == WORK_PASS && chance(dice, 60);
            add(program, OP_WORK, actor, work, 1 + below(dice, 3) + (is_open ? 4 : 0));
            if (is_open)
                add(program, OP_WORK, actor, WORK_DRAW, 1 + below(dice, 2));
            continue;
        }
        switch (below(dice, 6)) {
        case 0:
        case 1:
            add(program, OP_BEGIN, actor, 0, program->witnesses.budget ? below(dice, 16) : 0);
            break;
        case 2:
        case 3:
            add(program, OP_END, actor, 0, 0);
            break;
        case 4:
            add(program, OP_SET, actor, 0, program->witnesses.budget ? below(dice, 16) : 0);
            break;
        default:
            if (actor < LISTS && plan->bundles > 0)
                add(program, OP_CALL, actor, below(dice, plan->bundles), 0);
            else
                add(program, OP_WORK, actor, any_work(dice, plan), 1);
        }
    }
}

static void submit(struct program *program, struct dice *dice, const struct plan *plan)
{
    const unsigned count = 1 + below(dice, chance(dice, 60) ? 1 : 4);
    uint32_t lists = 0;
    for (unsigned i = 0; i < count; i++)
        lists |= (uint32_t)below(dice, plan->lists) << 4 * i;
    add(program, OP_EXECUTE, below(dice, plan->queues), count, lists);
}

static void rarely(struct program *program, struct dice *dice, const struct plan *plan)
{
    switch (below(dice, 4)) {
    case 0:
        if (program->witnesses.resets_in_flight)
            add(program, OP_RESET, below(dice, ACTORS), 0, 0);
        break;
    case 1:
        if (plan->has_releases)
            add(program, OP_RELEASE, below(dice, ACTORS),
                program->witnesses.resets_in_flight && chance(dice, 30), 0);
        break;
    case 2:
        if (chance(dice, 50))
            add(program, OP_TILES, below(dice, plan->queues), 0, 0);
        break;
    default:
        if (program->witnesses.has_times && program->witnesses.driver[0] == LESS[0] &&
            chance(dice, 50))
            add(program, OP_NULL_RENDERING, 0, 0, 0);
    }
}

/* A scope over three submissions, and a list that nobody keeps between: what it ends, no dump
 * knows. */
static void cross(struct program *program, struct dice *dice, const struct plan *plan)
{
    const unsigned queue = below(dice, plan->queues), silent = below(dice, LISTS);
    const unsigned first = (silent + 1) % LISTS, last = (silent + 2) % LISTS;
    add(program, OP_MODE, 1, 0, 0);
    add(program, OP_BEGIN, first, 0, 0);
    add(program, OP_WORK, first, WORK_DISPATCH, 1);
    add(program, OP_EXECUTE, queue, 1, first);
    add(program, OP_MODE, chance(dice, 20), 0, 0);
    add(program, OP_RELEASE, silent, 0, 0);
    add(program, OP_END, silent, 0, 0);
    add(program, OP_WORK, silent, WORK_DISPATCH, 1);
    add(program, OP_EXECUTE, queue, 1, silent);
    add(program, OP_MODE, 1, 0, 0);
    add(program, OP_BEGIN, last, 0, 0);
    add(program, OP_WORK, last, any_work(dice, plan), 1);
    add(program, OP_END, last, 0, 0);
    add(program, OP_END, last, 0, 0);
    add(program, OP_EXECUTE, queue, 1, last);
}

static void step(struct program *program, struct dice *dice, const struct plan *plan)
{
    const unsigned queue = below(dice, plan->queues);
    switch (below(dice, 19)) {
    case 15:
        if (plan->has_failures)
            add(program, OP_FAIL, 0, 0, 1 + below(dice, 12));
        else
            record(program, dice, plan, below(dice, plan->lists));
        break;
    case 16:
        if (plan->has_names)
            add(program, OP_NAME, below(dice, ACTORS), 0, below(dice, 8));
        break;
    case 17:
        if (plan->has_names)
            add(program, OP_QUEUE_NAME, queue, 0, below(dice, 8));
        break;
    case 18:
        rarely(program, dice, plan);
        break;
    case 0:
        add(program, OP_QUEUE_BEGIN, queue, 0, 0);
        break;
    case 1:
        add(program, OP_QUEUE_END, queue, 0, 0);
        break;
    case 2:
        add(program, OP_QUEUE_SET, queue, 0, 0);
        break;
    case 3:
        add(program, OP_STEPS, 0, 0, 1 + below(dice, 60));
        break;
    case 4:
        if (plan->queues > 1 && chance(dice, 50)) {
            const unsigned fence = below(dice, FENCES), value = 1 + below(dice, 4);
            add(program, OP_SIGNAL, below(dice, plan->queues), fence, value);
            add(program, OP_WAIT, queue, fence, value);
        }
        break;
    case 5:
        if (plan->has_modes && chance(dice, 30))
            cross(program, dice, plan);
        else if (plan->has_modes)
            add(program, OP_MODE, below(dice, 2), 0, 0);
        break;
    case 6:
    case 7:
        if (plan->bundles > 0)
            record(program, dice, plan, LISTS + below(dice, plan->bundles));
        break;
    case 8:
    case 9:
    case 10:
    case 11:
        submit(program, dice, plan);
        break;
    default:
        record(program, dice, plan, below(dice, plan->lists));
    }
}

static void choose_witnesses(struct witnesses *witnesses, struct dice *dice)
{
    static const char *const drivers[] = {"reference", "reference", "reference", "reorder",
                                          "legacy",    "warp",      LESS,        LESS,
                                          LESS,        "hostile"};
    *witnesses = (struct witnesses){
        .driver = drivers[below(dice, sizeof drivers / sizeof *drivers)],
        .dred = (uint8_t)below(dice, DRED_KINDS),
        .has_times = chance(dice, 30),
        .resets_in_flight = chance(dice, 15),
        .kernel = chance(dice, 15) ? KERNEL_BARE : KERNEL_BUILT_IN,
        .has_callbacks = chance(dice, 8),
        .has_threads = chance(dice, 8),
        .is_late = chance(dice, 12),
        .budget = chance(dice, 8) ? (uint8_t)(2 + below(dice, 4)) : 0,
    };
    if (chance(dice, 60)) {
        static const uint8_t places[] = {EMU_HANG_AT_DISPATCH, EMU_HANG_AT_DISPATCH,
                                         EMU_HANG_AT_DISPATCH, EMU_HANG_BEFORE_LIST,
                                         EMU_HANG_AT_DRAW,     EMU_HANG_AT_SUBMISSION,
                                         EMU_HANG_AT_MARKER};
        witnesses->hang_place = places[below(dice, sizeof places)];
        witnesses->hang_count = (uint16_t)(1 + below(dice, 12));
        witnesses->hang_kind = (uint8_t)below(dice, 3);
        if (witnesses->hang_place == EMU_HANG_AT_MARKER)
            witnesses->hang_count = (uint16_t)(1 + below(dice, 60));
    }
}

static void choose_types(struct program *program, struct dice *dice)
{
    /* D3D12_COMMAND_LIST_TYPE: 0 direct, 2 compute, 3 copy, 4 to 6 video */
    static const uint8_t types[] = {0, 0, 0, 0, 0, 0, 2, 2, 3, 3, 4, 5, 6};
    if (chance(dice, 40)) /* all direct: any list goes to any queue, and many into one submission */
        return;
    for (unsigned i = 0; i < QUEUES; i++)
        program->queue_types[i] = types[below(dice, sizeof types)];
    for (unsigned i = 0; i < LISTS; i++)
        program->list_types[i] = i < 2 ? program->queue_types[i] : types[below(dice, sizeof types)];
}

/* Work behind the stop: whoever reads a report later must not see it. */
static void step_later(struct program *program, struct dice *dice, const struct plan *plan)
{
    const unsigned actor = below(dice, ACTORS);
    switch (below(dice, 6)) {
    case 0:
        add(program, OP_NAME, actor, 0, below(dice, 8));
        break;
    case 1:
        add(program, OP_QUEUE_NAME, below(dice, plan->queues), 0, below(dice, 8));
        break;
    case 2:
        add(program, OP_RESET, actor, 0, 0);
        break;
    case 3:
        add(program, OP_RELEASE, actor, chance(dice, 30), 0);
        break;
    case 4:
        add(program, chance(dice, 50) ? OP_QUEUE_BEGIN : OP_QUEUE_END, below(dice, plan->queues), 0,
            0);
        break;
    default:
        record(program, dice, plan, actor);
    }
}

/* ---- a guilty queue among others ---- */

static void choose_guilty(struct program *program, struct dice *dice)
{
    static const char *const drivers[] = {"reference", LESS, "legacy"};
    const unsigned kind = (unsigned)(program->seed % GUILTY_KINDS);
    program->witnesses =
        (struct witnesses){.driver = drivers[kind % 3], .dred = (uint8_t)(kind / 3)};
    program->witnesses.kernel = chance(dice, 30)   ? KERNEL_FALSE
                                : chance(dice, 10) ? KERNEL_BARE
                                                   : KERNEL_BUILT_IN;
    program->witnesses.resets_in_flight = chance(dice, 10);
    if (chance(dice, 25)) {
        static const uint8_t places[] = {EMU_HANG_BEFORE_LIST, EMU_HANG_AT_SUBMISSION};
        program->witnesses.hang_place = places[below(dice, 2)];
        program->witnesses.hang_count = (uint16_t)(1 + below(dice, 8));
        program->witnesses.hang_kind = (uint8_t)below(dice, 2);
    }
}

/* A few lists with markers and work that ends. */
static void add_innocent(struct program *program, struct dice *dice, const struct plan *plan)
{
    const unsigned list = 1 + below(dice, plan->lists - 1);
    record(program, dice, plan, list);
    if (chance(dice, 50))
        add(program, OP_QUEUE_BEGIN, below(dice, plan->queues), 0, 0);
    add(program, OP_EXECUTE, below(dice, plan->queues), 1, list);
    if (chance(dice, 20))
        add(program, OP_STEPS, 0, 0, 1 + below(dice, 60));
}

/* The last list of queue 0 never ends: with markers or without, and kept or not. */
static void add_guilty(struct program *program, struct dice *dice, const struct plan *plan)
{
    const bool is_kept = chance(dice, 60), has_markers = chance(dice, 50);
    add(program, OP_MODE, is_kept, 0, 0);
    add(program, OP_RELEASE, 0, 0, 0);
    if (has_markers)
        record(program, dice, plan, 0);
    add(program, OP_WORK, 0, WORK_DISPATCH, 1);
    if (!program->witnesses.hang_place)
        add(program, OP_WORK, 0, chance(dice, 80) ? WORK_SPIN : WORK_TOUCH, 1);
    add(program, OP_EXECUTE, 0, 1, 0);
    add(program, OP_MODE, 1, 0, 0);
    if (program->witnesses.resets_in_flight && chance(dice, 50))
        add(program, OP_RESET, 0, 0, 0);
}

static void generate_guilty(struct program *program, struct dice *dice)
{
    choose_guilty(program, dice);
    if (chance(dice, 40))
        choose_types(program, dice);
    const struct plan plan = {.queues = 2 + below(dice, QUEUES - 1),
                              .lists = 2 + below(dice, LISTS - 1),
                              .bundles = below(dice, BUNDLES + 1),
                              .marker_percent = 20 + below(dice, 70)};
    for (unsigned left = 1 + below(dice, 6); left > 0; left--)
        add_innocent(program, dice, &plan);
    add_guilty(program, dice, &plan);
    for (unsigned left = below(dice, 6); left > 0; left--) {
        if (chance(dice, 30)) {
            add(program, OP_SIGNAL, 0, 0, left);
            add(program, OP_WAIT, 1 + below(dice, plan.queues - 1), 0, left);
        }
        add_innocent(program, dice, &plan);
    }
    add(program, OP_STEPS, 0, 0, UINT32_MAX);
    add(program, OP_STOP, STOP_FORCED_TDR, 0, 0);
}

/* 1, 2, 4 or 8, with every kind of witness. */
static uint8_t in_flight_of(uint64_t seed)
{
    return (uint8_t)(1u << seed / GUILTY_KINDS % 4);
}

void program_generate(struct program *program, uint64_t seed)
{
    struct dice dice = {seed};
    *program = (struct program){.seed = seed};
    if (seed & GUILTY) {
        generate_guilty(program, &dice);
        program->witnesses.in_flight = in_flight_of(seed);
        return;
    }
    choose_witnesses(&program->witnesses, &dice);
    program->witnesses.in_flight = in_flight_of(seed);
    choose_types(program, &dice);
    const struct plan plan = {
        .queues = 1 + below(&dice, chance(&dice, 50) ? 1 : QUEUES),
        .lists = 1 + below(&dice, LISTS),
        .bundles = chance(&dice, 50) ? below(&dice, BUNDLES + 1) : 0,
        .spin_percent = program->witnesses.hang_place ? 0 : 2 + below(&dice, 10),
        .marker_percent = 20 + below(&dice, 70),
        .has_modes = chance(&dice, 20),
        .has_names = chance(&dice, 40),
        .has_releases = chance(&dice, 20),
        .has_failures = !program->witnesses.has_threads && chance(&dice, 12),
    };
    if (plan.spin_percent && chance(&dice, 20)) {
        record(program, &dice, &plan, 0);
        add(program, OP_WORK, 0, WORK_LOST_PASS, 1);
    }
    for (unsigned left = 8 + below(&dice, 24); left > 0; left--)
        step(program, &dice, &plan);
    submit(program, &dice, &plan);
    add(program, OP_STEPS, 0, 0, chance(&dice, 80) ? UINT32_MAX : 1 + below(&dice, 100));
    if (plan.has_failures && chance(&dice, 50))
        add(program, OP_FAIL, 0, 0, 1);
    add(program, OP_STOP, chance(&dice, 30) ? STOP_LIVE : below(&dice, STOP_WAYS), 0, 0);
    for (unsigned left = program->witnesses.is_late ? 4 + below(&dice, 12) : 0; left > 0; left--)
        step_later(program, &dice, &plan);
}
