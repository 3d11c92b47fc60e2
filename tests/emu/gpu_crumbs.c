/* Breadcrumbs as the engine leaves them [ANN-DRED]: a packet that is flagged adds one to the count
 * in its execution's word when all of its work is done, and not before. */
#include "gpu/kernel.h"
#include "rig.h"

#define NEVER 0xFFFFFFFFu

/* A list, and a queue's buffer that executes it with `words` breadcrumb words, which were never
 * written. */
struct stage {
    emu_gpu *gpu;
    emu_gpu_memory rows, words, data;
    uint32_t *word;
    struct buffer list, queue;
    struct emu_engine engine;
};

static struct stage open_stage(void)
{
    emu_gpu *gpu = emu_gpu_create();
    const emu_gpu_memory words = allocate(gpu, 4 * sizeof(uint32_t));
    memset(words.cpu, 0xFF, 4 * sizeof(uint32_t));
    return (struct stage){.gpu = gpu,
                          .rows = allocate(gpu, 4 * sizeof(struct emu_progress)),
                          .words = words,
                          .data = allocate(gpu, 4 * EMU_ENGINE_STEP_BYTES),
                          .word = words.cpu,
                          .list = buffer_create(gpu),
                          .queue = buffer_create(gpu)};
}

static void stage_ended(struct stage *s)
{
    emu_gpu_destroy(s->gpu);
}

static void begin(struct stage *s, uint64_t crumbs)
{
    PUT(&s->queue, EMU_PACKET_EXECUTION_BEGIN, execution_begin, s->rows.address, 4, 0, crumbs, 0);
    put_call(&s->queue, &s->list, 0);
    put_bare(&s->queue, EMU_PACKET_EXECUTION_END);
    emu_engine_init(&s->engine, s->gpu);
    start(&s->engine, &s->queue);
}

/* Flags the packet that starts at `offset`. */
static void flag(struct buffer *b, uint64_t offset)
{
    struct emu_packet_header *header = (void *)((char *)b->memory.cpu + offset);
    header->opcode |= EMU_PACKET_CRUMB;
}

#define FLAGGED(b, put)                                                                            \
    do {                                                                                           \
        const uint64_t packet_at = (b)->used;                                                      \
        put;                                                                                       \
        flag(b, packet_at);                                                                        \
    } while (0)

static struct emu_packet_dispatch spin(void)
{
    return (struct emu_packet_dispatch){.header = {EMU_PACKET_DISPATCH,
                                                   sizeof(struct emu_packet_dispatch)},
                                        .kernel = EMU_KERNEL_SPIN,
                                        .groups = {1, 1, 1}};
}

Test(gpu_crumbs, each_kind_of_packet_counts_once_when_it_is_done)
{
    AT_END(stage_ended) struct stage s = open_stage();
    const uint64_t at = s.data.address;
    FLAGGED(&s.list, put_marker(&s.list, EMU_MARKER_SET, 7));
    FLAGGED(&s.list, put_copy(&s.list, at, at + 64, 64));
    FLAGGED(&s.list, put_write(&s.list, at, 5));
    FLAGGED(&s.list, put_bare(&s.list, EMU_PACKET_BARRIER));
    FLAGGED(&s.list, put_kernel(&s.list, EMU_KERNEL_FILL, at, 0, 1, 4));
    FLAGGED(&s.list, PUT(&s.list, EMU_PACKET_TIMESTAMP, timestamp, at));
    FLAGGED(&s.list, PUT(&s.list, EMU_PACKET_FILL, fill, at, 16, 4, 0, {1}));
    FLAGGED(&s.list, PUT(&s.list, EMU_PACKET_RESOLVE, copy, at, at + 64, 8));
    const struct emu_packet_dispatch nothing = {
        .header = {EMU_PACKET_DRAW, sizeof(struct emu_packet_dispatch)}, .groups = {3, 1, 1}};
    FLAGGED(&s.list, put(&s.list, &nothing, sizeof nothing));
    put_write(&s.list, at, 6); /* without a flag: no operation ends here */
    begin(&s, s.words.address);
    cr_assert_eq(s.word[0], NEVER);
    uint32_t last = NEVER;
    while (step(&s.engine) == EMU_ENGINE_BUSY) {
        cr_assert(s.word[0] == last || s.word[0] == last + 1, "no step skips one");
        last = s.word[0];
    }
    cr_assert_eq(s.word[0], 9);
}

Test(gpu_crumbs, long_work_counts_when_its_last_byte_is_there)
{
    AT_END(stage_ended) struct stage s = open_stage();
    const uint64_t at = s.data.address;
    FLAGGED(&s.list,
            put_copy(&s.list, at, at + 2 * EMU_ENGINE_STEP_BYTES, 2 * EMU_ENGINE_STEP_BYTES));
    begin(&s, s.words.address);
    step(&s.engine); /* begin: 0 */
    step(&s.engine); /* call */
    step(&s.engine); /* the first half of the copy */
    cr_assert_eq(s.word[0], 0);
    cr_assert_eq(run(&s.engine), EMU_ENGINE_DONE);
    cr_assert_eq(s.word[0], 1);
}

Test(gpu_crumbs, what_never_ends_is_never_counted)
{
    AT_END(stage_ended) struct stage s = open_stage();
    FLAGGED(&s.list, put_marker(&s.list, EMU_MARKER_SET, 7));
    const struct emu_packet_dispatch endless = spin();
    FLAGGED(&s.list, put(&s.list, &endless, sizeof endless));
    begin(&s, s.words.address);
    cr_assert_eq(run(&s.engine), EMU_ENGINE_SPINNING);
    cr_assert_eq(s.word[0], 1);
}

Test(gpu_crumbs, indirect_work_counts_behind_its_last_command)
{
    AT_END(stage_ended) struct stage s = open_stage();
    uint32_t *commands = s.data.cpu;
    for (int i = 0; i < 9; i++)
        commands[i] = 1;
    struct emu_packet_indirect packet = {.header = {EMU_PACKET_INDIRECT, sizeof packet},
                                         .commands = s.data.address,
                                         .max_count = 3,
                                         .stride = 12,
                                         .argument_offsets = {EMU_PACKET_NOWHERE,
                                                              EMU_PACKET_NOWHERE},
                                         .work = spin()};
    packet.work.kernel = EMU_KERNEL_FILL;
    packet.work.arguments[0] = s.data.address + 1024;
    packet.work.constants[1] = 1;
    for (int i = 0; i < 16; i++)
        packet.constant_offsets[i] = EMU_PACKET_NOWHERE;
    FLAGGED(&s.list, put(&s.list, &packet, sizeof packet));
    packet.max_count = 0; /* nothing to do: done at once */
    FLAGGED(&s.list, put(&s.list, &packet, sizeof packet));
    begin(&s, s.words.address);
    for (int i = 0; i < 5; i++) /* begin, call, indirect, two commands */
        cr_assert_eq(step(&s.engine), EMU_ENGINE_BUSY);
    cr_assert_eq(s.word[0], 0);
    step(&s.engine);
    cr_assert_eq(s.word[0], 1);
    cr_assert_eq(run(&s.engine), EMU_ENGINE_DONE);
    cr_assert_eq(s.word[0], 2);
}

Test(gpu_crumbs, a_bundle_is_one_operation_with_a_count_of_its_own)
{
    AT_END(stage_ended) struct stage s = open_stage();
    struct buffer bundle = buffer_create(s.gpu);
    for (int i = 0; i < 3; i++)
        FLAGGED(&bundle, put_write(&bundle, s.data.address, 1));
    FLAGGED(&s.list, put_call(&s.list, &bundle, 1));
    FLAGGED(&s.list, put_call(&s.list, &bundle, 2));
    begin(&s, s.words.address);
    while (s.word[1] != 3)
        cr_assert_eq(step(&s.engine), EMU_ENGINE_BUSY);
    cr_assert_eqs(s.word[0], 0, s.word[2], NEVER, "the call is not over");
    cr_assert_eq(run(&s.engine), EMU_ENGINE_DONE);
    cr_assert_eq3(s.word[0], 2, s.word[1], 3, s.word[2], 3);
}

Test(gpu_crumbs, work_that_a_predicate_skips_is_done)
{
    AT_END(stage_ended) struct stage s = open_stage();
    PUT(&s.list, EMU_PACKET_PREDICATE, predicate, s.data.address, 0, 0);
    FLAGGED(&s.list, put_copy(&s.list, s.data.address, 0x10, 64)); /* would fault */
    begin(&s, s.words.address);
    cr_assert_eq(run(&s.engine), EMU_ENGINE_DONE);
    cr_assert_eq(s.word[0], 1);
}

Test(gpu_crumbs, flags_without_words_are_ignored)
{
    AT_END(stage_ended) struct stage s = open_stage();
    FLAGGED(&s.list, put_marker(&s.list, EMU_MARKER_SET, 7));
    FLAGGED(&s.queue, put_bare(&s.queue, EMU_PACKET_BARRIER));
    begin(&s, 0);
    cr_assert_eq(run(&s.engine), EMU_ENGINE_DONE);
    cr_assert_eq(s.word[0], NEVER);
}

/* An operation that faults is not done; no count can be taken for a word that was never written. */
Test(gpu_crumbs, a_fault_leaves_none_and_the_count_ends_below_never)
{
    AT_END(stage_ended) struct stage s = open_stage();
    FLAGGED(&s.list, put_bare(&s.list, EMU_PACKET_BARRIER));
    FLAGGED(&s.list, put_bare(&s.list, EMU_PACKET_BARRIER));
    FLAGGED(&s.list, put_copy(&s.list, s.data.address, 0x10, 64));
    begin(&s, s.words.address);
    for (int i = 0; i < 2; i++) /* begin, call */
        cr_assert_eq(step(&s.engine), EMU_ENGINE_BUSY);
    s.engine.frames[1].crumbs = NEVER - 2;
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(step(&s.engine), EMU_ENGINE_BUSY);
        cr_assert_eq(s.word[0], NEVER - 1);
    }
    *s.word = 7;
    s.engine.frames[1].crumbs = 7;
    cr_assert_eq(run(&s.engine), EMU_ENGINE_FAULT);
    cr_assert_eq(s.word[0], 7);
}

Test(gpu_crumbs, words_that_are_not_there_are_faults)
{
    static const struct {
        uint64_t offset;
        enum emu_fault_reason reason;
    } rows[] = {{(uint64_t)1 << 40, EMU_FAULT_PAGE}, {2, EMU_FAULT_PACKET}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        AT_END(stage_ended) struct stage s = open_stage();
        FLAGGED(&s.list, put_marker(&s.list, EMU_MARKER_SET, 7));
        begin(&s, s.words.address + rows[i].offset);
        cr_assert_eq(run(&s.engine), EMU_ENGINE_FAULT);
        cr_assert_eq(s.engine.fault.reason, rows[i].reason);
    }
}
