/* The engine: packets, progress words, and command buffers that are none [ANN-CRASH-02,
 * ANN-MARK-11]. */
#include "gpu/kernel.h"
#include "rig.h"

static void check_row(const struct emu_progress *row, enum emu_progress_state state,
                      uint64_t started, uint64_t completed)
{
    cr_assert_eq(row->state, state, "state %u", row->state);
    cr_assert_eq(row->started, started, "started %llu", (unsigned long long)row->started);
    cr_assert_eq(row->completed, completed, "completed %llu", (unsigned long long)row->completed);
}

static void put_execution(struct buffer *b, uint64_t rows, uint32_t count,
                          const struct buffer *list)
{
    PUT(b, EMU_PACKET_EXECUTION_BEGIN, execution_begin, rows, count, 0, 0, 0);
    put_call(b, list, 0);
    put_bare(b, EMU_PACKET_EXECUTION_END);
}

/* ---- progress ---- */

Test(gpu_engine, markers_leave_started_and_completed)
{
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    emu_gpu_memory rows = allocate(gpu, sizeof(struct emu_progress));
    const struct emu_progress *row = rows.cpu;
    struct buffer list = buffer_create(gpu);
    put_marker(&list, EMU_MARKER_BEGIN, 11);
    put_marker(&list, EMU_MARKER_SET, 12);
    put_marker(&list, EMU_MARKER_BEGIN, 13);
    put_marker(&list, EMU_MARKER_END, 13);
    put_marker(&list, EMU_MARKER_END, 0); /* a surplus End closes nothing [ANN-MARK-06] */
    put_marker(&list, EMU_MARKER_END, 11);
    struct buffer queue = buffer_create(gpu);
    put_execution(&queue, rows.address, 1, &list);
    const struct {
        enum emu_progress_state state;
        uint64_t started, completed;
    } after[] = {
        {EMU_PROGRESS_STARTED, 0, 0},    {EMU_PROGRESS_STARTED, 0, 0}, /* begin, call */
        {EMU_PROGRESS_STARTED, 11, 0},   {EMU_PROGRESS_STARTED, 12, 12},
        {EMU_PROGRESS_STARTED, 13, 12},  {EMU_PROGRESS_STARTED, 13, 13},
        {EMU_PROGRESS_STARTED, 13, 13},  {EMU_PROGRESS_STARTED, 13, 11},
        {EMU_PROGRESS_STARTED, 13, 11}, /* return */
        {EMU_PROGRESS_FINISHED, 13, 11},
    };
    struct emu_engine engine;
    emu_engine_init(&engine, gpu);
    start(&engine, &queue);
    check_row(row, EMU_PROGRESS_NOT_STARTED, 0, 0);
    for (size_t i = 0; i < sizeof after / sizeof after[0]; i++) {
        cr_assert_eq(step(&engine), EMU_ENGINE_BUSY);
        check_row(row, after[i].state, after[i].started, after[i].completed);
    }
    cr_assert_eq(step(&engine), EMU_ENGINE_DONE);
}

Test(gpu_engine, queue_markers_are_apart_from_list_markers)
{
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    emu_gpu_memory rows = allocate(gpu, sizeof(struct emu_progress));
    emu_gpu_memory memory = allocate(gpu, sizeof(struct emu_queue_progress));
    const struct emu_queue_progress *progress = memory.cpu;
    struct buffer list = buffer_create(gpu);
    put_marker(&list, EMU_MARKER_SET, 11);
    struct buffer queue = buffer_create(gpu);
    put_marker(&queue, EMU_MARKER_SET, 99); /* nowhere to go yet: no effect */
    PUT(&queue, EMU_PACKET_QUEUE, queue, memory.address, 0, 7);
    put_marker(&queue, EMU_MARKER_BEGIN, 31);
    put_execution(&queue, rows.address, 1, &list);
    put_marker(&queue, EMU_MARKER_SET, 32);
    put_bare(&queue, EMU_PACKET_END);
    put_marker(&queue, EMU_MARKER_SET, 33); /* never reached */
    struct emu_engine engine;
    cr_assert_eq(run_buffer(gpu, &queue, &engine), EMU_ENGINE_DONE);
    check_row(rows.cpu, EMU_PROGRESS_FINISHED, 11, 11);
    check_row(&progress->markers, EMU_PROGRESS_STARTED, 32, 32);
    cr_assert_eq(progress->sequence, 7);
}

/* ---- work ---- */

Test(gpu_engine, copy_and_write_immediate_change_memory)
{
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    emu_gpu_memory a = allocate(gpu, 300001);
    emu_gpu_memory b = allocate(gpu, 300001);
    for (size_t i = 0; i < 300001; i++)
        ((unsigned char *)a.cpu)[i] = (unsigned char)(i * 7 + i / 256);
    struct buffer queue = buffer_create(gpu);
    put_copy(&queue, b.address + 1, a.address, 300000); /* several steps, odd addresses */
    put_copy(&queue, b.address, a.address, 0);
    put_copy(&queue, a.address + 300000, a.address + 4, 1);
    put_bare(&queue, EMU_PACKET_BARRIER);
    put_write(&queue, a.address + 8, 0xABCD1234);
    struct emu_engine engine;
    cr_assert_eq(run_buffer(gpu, &queue, &engine), EMU_ENGINE_DONE);
    cr_assert_eq(((uint32_t *)a.cpu)[2], 0xABCD1234);
    cr_assert_eqs(((unsigned char *)b.cpu)[0], 0, ((unsigned char *)a.cpu)[300000], 28);
    for (size_t i = 12; i < 300000; i++)
        cr_assert_eq(((unsigned char *)b.cpu)[i + 1], (unsigned char)(i * 7 + i / 256));
}

Test(gpu_kernel, fill_copy_and_add_compute)
{
    enum { WORDS = 50000 };
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    emu_gpu_memory dst = allocate(gpu, (WORDS + 1) * 4);
    emu_gpu_memory src = allocate(gpu, WORDS * 4);
    uint32_t *d = dst.cpu;
    uint32_t *s = src.cpu;
    for (uint32_t i = 0; i < WORDS; i++)
        s[i] = i * 0x10001;
    struct emu_engine engine;
    struct buffer fill = buffer_create(gpu);
    put_kernel(&fill, EMU_KERNEL_FILL, dst.address, 0, 0xFFFFFFF0, WORDS);
    cr_assert_eq(run_buffer(gpu, &fill, &engine), EMU_ENGINE_DONE);
    for (uint32_t i = 0; i < WORDS; i++)
        cr_assert_eq(d[i], 0xFFFFFFF0);
    cr_assert_eq(d[WORDS], 0, "not one word too many");
    struct buffer add = buffer_create(gpu);
    put_kernel(&add, EMU_KERNEL_ADD, dst.address, src.address, 0, WORDS);
    cr_assert_eq(run_buffer(gpu, &add, &engine), EMU_ENGINE_DONE);
    for (uint32_t i = 0; i < WORDS; i++)
        cr_assert_eq(d[i], 0xFFFFFFF0 + i * 0x10001);
    struct buffer copy = buffer_create(gpu);
    put_kernel(&copy, EMU_KERNEL_COPY, dst.address, src.address, 0, WORDS);
    cr_assert_eq(run_buffer(gpu, &copy, &engine), EMU_ENGINE_DONE);
    for (uint32_t i = 0; i < WORDS; i++)
        cr_assert_eq(d[i], s[i]);
    cr_assert_eq(d[WORDS], 0);
}

Test(gpu_kernel, touch_writes_where_the_constants_say)
{
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    emu_gpu_memory memory = allocate(gpu, 64);
    uint64_t at = memory.address + 4;
    struct emu_engine engine;
    struct buffer queue = buffer_create(gpu);
    put_kernel(&queue, EMU_KERNEL_TOUCH, 0, 0, (uint32_t)at, (uint32_t)(at >> 32));
    cr_assert_eq(run_buffer(gpu, &queue, &engine), EMU_ENGINE_DONE);
    cr_assert_eq(((uint32_t *)memory.cpu)[1], 0x70C4ED);
}

Test(gpu_kernel, without_groups_nothing_runs)
{
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    struct emu_engine engine;
    struct buffer queue = buffer_create(gpu);
    for (int i = 0; i < 3; i++)
        PUT(&queue, EMU_PACKET_DISPATCH, dispatch, EMU_KERNEL_SPIN, {i != 0, i != 1, i != 2}, {0},
            {0}, 0, 0);
    cr_assert_eq(run_buffer(gpu, &queue, &engine), EMU_ENGINE_DONE);
}

Test(gpu_kernel, spin_makes_no_progress_and_can_be_left_alone)
{
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    struct emu_engine engine;
    struct buffer queue = buffer_create(gpu);
    put_kernel(&queue, EMU_KERNEL_SPIN, 0, 0, 0, 0);
    cr_assert_eq(run_buffer(gpu, &queue, &engine), EMU_ENGINE_SPINNING);
    cr_assert_eq(step(&engine), EMU_ENGINE_SPINNING);
    cr_assert_eq(engine.instruction, queue.memory.address);
}

/* ---- draws, indirect work, what bundles inherit ---- */

static struct emu_packet_dispatch a_fill(uint64_t destination, uint32_t value)
{
    return (struct emu_packet_dispatch){{EMU_PACKET_DISPATCH, sizeof(struct emu_packet_dispatch)},
                                        EMU_KERNEL_FILL,
                                        {1, 1, 1},
                                        {destination, 0, 0},
                                        {value, 1},
                                        0,
                                        0};
}

static struct emu_packet_indirect an_indirect(uint64_t commands, uint32_t max_count,
                                              uint32_t stride)
{
    struct emu_packet_indirect packet = {{EMU_PACKET_INDIRECT, sizeof packet},
                                         .commands = commands,
                                         .max_count = max_count,
                                         .stride = stride};
    packet.groups_offset = EMU_PACKET_NOWHERE;
    memset(packet.argument_offsets, 0xFF, sizeof packet.argument_offsets);
    memset(packet.constant_offsets, 0xFF, sizeof packet.constant_offsets);
    return packet;
}

Test(gpu_engine, indirect_commands_are_read_one_at_a_time)
{
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    emu_gpu_memory data = allocate(gpu, 64);
    emu_gpu_memory commands = allocate(gpu, 64);
    uint32_t *words = data.cpu, *command = commands.cpu;
    struct buffer b = buffer_create(gpu);
    /* The first command writes the value of the second. */
    const uint64_t destinations[2] = {commands.address + 16 + 8, data.address};
    for (int i = 0; i < 2; i++)
        memcpy(command + (size_t)i * 4, &destinations[i], 8);
    command[2] = 77;
    struct emu_packet_indirect packet = an_indirect(commands.address, 2, 16);
    packet.argument_offsets[0] = 0;
    packet.constant_offsets[0] = 8;
    packet.work = a_fill(0, 0);
    packet.work.descriptors = 1; /* of the argument that the command replaces */
    packet.work.inherited = EMU_PACKET_INHERITS_ARGUMENT(0) | EMU_PACKET_INHERITS_CONSTANT(0);
    packet.work.inherited |= EMU_PACKET_INHERITS_CONSTANT(1); /* which it doesn't */
    packet.work.constants[1] = 0;
    PUT(&b, EMU_PACKET_BINDINGS, bindings, {4, 0, 0}, {66, 1}, 0, 0);
    put(&b, &packet, sizeof packet);
    struct emu_engine engine;
    cr_assert_eq(run_buffer(gpu, &b, &engine), EMU_ENGINE_DONE);
    cr_assert_eq(words[0], 77);
}

Test(gpu_engine, indirect_groups_are_three_words_of_a_dispatch_and_two_of_a_draw)
{
    for (int draws = 0; draws < 2; draws++) {
        AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
        emu_gpu_memory data = allocate(gpu, 64);
        emu_gpu_memory commands = allocate(gpu, 64);
        const uint32_t groups[6] = {1, 1, 0, 1, 0, 1}; /* the second command: of none */
        struct buffer b = buffer_create(gpu);
        memcpy(commands.cpu, groups, sizeof groups);
        struct emu_packet_indirect packet = an_indirect(commands.address, 1, 12);
        packet.groups_offset = 0;
        packet.work = a_fill(data.address, 9);
        packet.work.header.opcode = draws ? EMU_PACKET_DRAW : EMU_PACKET_DISPATCH;
        put(&b, &packet, sizeof packet);
        struct emu_engine engine;
        cr_assert_eq(run_buffer(gpu, &b, &engine), EMU_ENGINE_DONE);
        cr_assert_eq(*(const uint32_t *)data.cpu, draws ? 9 : 0);
        packet.commands += 12;
        packet.work.constants[0] = 8;
        b.used = 0;
        put(&b, &packet, sizeof packet);
        cr_assert_eq(run_buffer(gpu, &b, &engine), EMU_ENGINE_DONE);
        cr_assert_eq(*(const uint32_t *)data.cpu, draws ? 9 : 0);
    }
}

Test(gpu_engine, indirect_page_faults_name_what_is_not_there)
{
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    emu_gpu_memory data = allocate(gpu, 64);
    emu_gpu_memory commands = allocate(gpu, 20); /* one command of 16 bytes and a part of another */
    const uint64_t destination = data.address;
    memcpy(commands.cpu, &destination, 8);
    memcpy((char *)commands.cpu + 16, &destination, 4);
    struct emu_packet_indirect packet = an_indirect(commands.address, 2, 16);
    packet.argument_offsets[0] = 0;
    packet.work = a_fill(0, 3);
    struct buffer b = buffer_create(gpu);
    put(&b, &packet, sizeof packet);
    struct emu_engine engine;
    cr_assert_eq(run_buffer(gpu, &b, &engine), EMU_ENGINE_FAULT);
    cr_assert_eqs(engine.fault.reason, EMU_FAULT_PAGE, engine.fault.address, commands.address + 20);
    cr_assert_eq(*(const uint32_t *)data.cpu, 3, "the first command was done");
    packet.count = 4;
    b.used = 0;
    put(&b, &packet, sizeof packet);
    cr_assert_eq(run_buffer(gpu, &b, &engine), EMU_ENGINE_FAULT);
    cr_assert_eqs(engine.fault.reason, EMU_FAULT_PAGE, engine.fault.address, 4);
}

Test(gpu_engine, indirect_nonsense_faults)
{
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    emu_gpu_memory commands = allocate(gpu, 64);
    struct emu_packet_indirect good = an_indirect(commands.address, 1, 16), wrong[6];
    good.work = a_fill(commands.address, 1);
    for (int i = 0; i < 6; i++)
        wrong[i] = good;
    wrong[0].commands += 2;
    wrong[1].count = commands.address + 1;
    wrong[2].work.header.opcode = EMU_PACKET_COPY;
    wrong[3].commands = UINT64_MAX - 3;
    wrong[4].max_count = wrong[4].stride = UINT32_MAX;
    wrong[5].work.kernel = EMU_KERNEL_TOUCH + 1;
    for (int i = 0; i < 6; i++) {
        struct buffer b = buffer_create(gpu);
        put(&b, &wrong[i], sizeof wrong[i]);
        struct emu_engine engine;
        cr_assert_eq(run_buffer(gpu, &b, &engine), EMU_ENGINE_FAULT, "%d", i);
        cr_assert_eq(engine.fault.reason, EMU_FAULT_PACKET, "%d", i);
    }
}

/* An execution that a submission leaves open ends with it: the next one's begin anew. */
Test(gpu_engine, an_execution_that_never_ends_is_forgotten_at_the_next_submission)
{
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    emu_gpu_memory rows = allocate(gpu, 2 * sizeof(struct emu_progress));
    const struct emu_progress *row = rows.cpu;
    struct buffer list = buffer_create(gpu), open = buffer_create(gpu), next = buffer_create(gpu);
    put_marker(&list, EMU_MARKER_SET, 11);
    PUT(&open, EMU_PACKET_EXECUTION_BEGIN, execution_begin, rows.address, 1, 0, 0, 0);
    put_execution(&next, rows.address + sizeof *row, 1, &list);
    struct emu_engine engine;
    cr_assert_eq(run_buffer(gpu, &open, &engine), EMU_ENGINE_DONE);
    start(&engine, &next);
    cr_assert_eq(run(&engine), EMU_ENGINE_DONE);
    check_row(&row[0], EMU_PROGRESS_STARTED, 0, 0);
    check_row(&row[1], EMU_PROGRESS_FINISHED, 11, 11);
}

Test(gpu_engine, what_is_inherited_is_what_is_bound_when_the_bundle_is_called)
{
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    emu_gpu_memory data = allocate(gpu, 64), rows = allocate(gpu, 4 * sizeof(struct emu_progress));
    const uint32_t *words = data.cpu;
    struct buffer bundle = buffer_create(gpu), list = buffer_create(gpu),
                  queue = buffer_create(gpu);
    struct emu_packet_dispatch work =
        a_fill(4, 0); /* an address of its own, which is not to be used */
    work.inherited = EMU_PACKET_INHERITS_ARGUMENT(0) | EMU_PACKET_INHERITS_CONSTANT(0);
    put(&bundle, &work, sizeof work);
    for (uint32_t i = 0; i < 2; i++) {
        PUT(&list, EMU_PACKET_BINDINGS, bindings, {data.address + i * 8, 0, 0}, {50 + i}, 0, 0);
        PUT(&list, EMU_PACKET_BINDINGS, bindings, {data.address + 32, 0, 0}, {99}, 0, 1);
        put_call(&list, &bundle, i + 1);
    }
    put_execution(&queue, rows.address, 3, &list);
    struct emu_engine engine;
    cr_assert_eq(run_buffer(gpu, &queue, &engine), EMU_ENGINE_DONE);
    cr_assert_eq3(words[0], 50, words[2], 51, words[8], 0);

    struct buffer forgetful = buffer_create(gpu);
    put_execution(&forgetful, rows.address, 3, &list);
    put_execution(&forgetful, rows.address, 1, &bundle);
    cr_assert_eq(run_buffer(gpu, &forgetful, &engine), EMU_ENGINE_FAULT,
                 "another execution has nothing to inherit");
    cr_assert_eqs(engine.fault.reason, EMU_FAULT_PAGE, engine.fault.address, 0);
}

Test(gpu_engine, a_predicate_is_read_once_and_ends_with_its_execution)
{
    for (uint32_t skips_if = 0; skips_if < 2; skips_if++) {
        AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
        emu_gpu_memory data = allocate(gpu, 64), rows = allocate(gpu, sizeof(struct emu_progress));
        uint64_t *values = data.cpu;
        struct buffer list = buffer_create(gpu), rest = buffer_create(gpu),
                      queue = buffer_create(gpu);
        values[0] = skips_if ? (uint64_t)1 << 40 : 0;
        values[1] = 77;
        PUT(&list, EMU_PACKET_PREDICATE, predicate, data.address, skips_if, 0);
        put_write(&list, data.address, !skips_if); /* a write is no work; the value was read */
        put_write(&list, data.address + 4, 0);
        put_copy(&list, data.address + 16, data.address + 8, 8);
        put_kernel(&list, EMU_KERNEL_FILL, data.address + 24, 0, 5, 1);
        PUT(&list, EMU_PACKET_FILL, fill, data.address + 28, 4, 1, 0, {5});
        PUT(&list, EMU_PACKET_RESOLVE, copy, data.address + 32, data.address + 8, 8);
        struct emu_packet_indirect none = an_indirect(4, 1, 4); /* where nothing is */
        none.work = a_fill(0, 0);
        none.groups_offset = 0;
        put(&list, &none, sizeof none);
        put_copy(&rest, data.address + 40, data.address + 8, 8);
        PUT(&rest, EMU_PACKET_PREDICATE, predicate, data.address, !skips_if, 0);
        PUT(&rest, EMU_PACKET_PREDICATE, predicate, 0, 0, 0);
        put_copy(&rest, data.address + 48, data.address + 8, 8);
        put_execution(&queue, rows.address, 1, &list);
        put_execution(&queue, rows.address, 1, &rest);
        struct emu_engine engine;
        cr_assert_eq(run_buffer(gpu, &queue, &engine), EMU_ENGINE_DONE);
        cr_assert_eqs(values[2], 0, values[3], 0, "skipped");
        cr_assert_eqs(values[4], 77, values[5], 77, "done");
        cr_assert_eq(values[6], 77, "done");
    }
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    struct buffer wild = buffer_create(gpu), unknown = buffer_create(gpu);
    struct emu_engine engine;
    PUT(&wild, EMU_PACKET_PREDICATE, predicate, 8, 0, 0);
    cr_assert_eq(run_buffer(gpu, &wild, &engine), EMU_ENGINE_FAULT);
    cr_assert_eqs(engine.fault.reason, EMU_FAULT_PAGE, engine.fault.address, 8);
    PUT(&unknown, EMU_PACKET_PREDICATE, predicate, 0, 2, 0);
    cr_assert_eq(run_buffer(gpu, &unknown, &engine), EMU_ENGINE_FAULT);
    cr_assert_eq(engine.fault.reason, EMU_FAULT_PACKET);
}

Test(gpu_kernel, bytecode_names_its_kernel_and_nothing_else_does)
{
    for (emu_kernel kernel = EMU_KERNEL_FILL; kernel <= EMU_KERNEL_TOUCH; kernel++) {
        size_t size;
        const void *code = emu_kernel_bytecode(kernel, &size);
        unsigned char copy[64];
        cr_assert_not_null(code);
        cr_assert(size >= 36 && size < sizeof copy);
        cr_assert_eq(memcmp(code, "DXBC", 4), 0);
        cr_assert_eq(emu_kernel_from_bytecode(code, size), (uint32_t)kernel);
        cr_assert_eq(emu_kernel_from_bytecode(code, size - 1), 0);
        for (size_t i = 0; i < size; i++) {
            memcpy(copy, code, size);
            copy[i] ^= 0x40;
            const bool in_digest = i >= 4 && i < 20; /* which says what the program calls it */
            cr_assert_eq(emu_kernel_from_bytecode(copy, size), in_digest ? (uint32_t)kernel : 0,
                         "byte %zu", i);
        }
    }
    size_t size = 1;
    cr_assert_null(emu_kernel_bytecode((emu_kernel)0, &size));
    cr_assert_eq(size, 0);
    cr_assert_null(emu_kernel_bytecode((emu_kernel)6, &size));
    cr_assert_eq(emu_kernel_from_bytecode(NULL, 0), 0);
    emu_kernel_bytecode(EMU_KERNEL_FILL, &size);
    cr_assert_eq(emu_kernel_from_bytecode(NULL, size), 0);
}

/* ---- hangs by order ---- */

Test(gpu_hang, the_nth_list_is_never_begun)
{
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    emu_gpu_memory rows = allocate(gpu, 2 * sizeof(struct emu_progress));
    const struct emu_progress *row = rows.cpu;
    struct buffer list = buffer_create(gpu);
    put_marker(&list, EMU_MARKER_SET, 5);
    struct buffer queue = buffer_create(gpu);
    put_execution(&queue, rows.address, 1, &list);
    put_execution(&queue, rows.address + sizeof *row, 1, &list);
    emu_gpu_script_hang(gpu, EMU_GPU_HANG_BEFORE_LIST, 2, EMU_GPU_HANG_SPINS);
    struct emu_engine engine;
    emu_engine_init(&engine, gpu);
    start(&engine, &queue);
    for (int i = 0; i < 5; i++) /* begin, call, marker, return, end */
        cr_assert_eq(step(&engine), EMU_ENGINE_BUSY);
    cr_assert_eq(step(&engine), EMU_ENGINE_SPINNING, "at once");
    check_row(&row[0], EMU_PROGRESS_FINISHED, 5, 5);
    check_row(&row[1], EMU_PROGRESS_NOT_STARTED, 0, 0);
}

/* ---- faults ---- */

static void check_page_fault(emu_gpu *gpu, const struct buffer *b, uint64_t address,
                             const char *why)
{
    struct emu_engine engine;
    cr_assert_eq(run_buffer(gpu, b, &engine), EMU_ENGINE_FAULT, "%s", why);
    cr_assert_eq(engine.fault.reason, EMU_FAULT_PAGE, "%s", why);
    cr_assert_eq(engine.fault.address, address, "%s: %llx", why,
                 (unsigned long long)engine.fault.address);
    cr_assert_eq(step(&engine), EMU_ENGINE_FAULT, "stopped for ever");
}

Test(gpu_engine, page_faults_name_the_first_unmapped_byte)
{
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    emu_gpu_memory m = allocate(gpu, 100000);
    const uint64_t end = m.address + 100000;
    const uint64_t nowhere = 0x7000DEAD0000;
    struct buffer b[9];
    for (int i = 0; i < 9; i++)
        b[i] = buffer_create(gpu);
    put_kernel(&b[0], EMU_KERNEL_TOUCH, 0, 0, (uint32_t)nowhere, (uint32_t)(nowhere >> 32));
    check_page_fault(gpu, &b[0], nowhere, "touch");
    put_kernel(&b[1], EMU_KERNEL_FILL, m.address, 0, 1, 100000 / 4 + 1);
    check_page_fault(gpu, &b[1], end, "fill runs over the end");
    cr_assert_eq(((uint32_t *)m.cpu)[100000 / 4 - 1], 1, "what is mapped was written");
    put_kernel(&b[2], EMU_KERNEL_ADD, m.address, nowhere, 0, 1);
    check_page_fault(gpu, &b[2], nowhere, "source of add");
    put_copy(&b[3], nowhere, m.address, 8);
    check_page_fault(gpu, &b[3], nowhere, "destination of copy");
    put_copy(&b[4], m.address, end - 4, 8);
    check_page_fault(gpu, &b[4], end, "source of copy ends early");
    put_write(&b[5], end, 1);
    check_page_fault(gpu, &b[5], end, "write immediate");
    put_call(&b[6], &(struct buffer){{nowhere, 64, NULL}, 64}, 0);
    check_page_fault(gpu, &b[6], nowhere, "call");
    PUT(&b[7], EMU_PACKET_EXECUTION_BEGIN, execution_begin, nowhere, 1, 0, 0, 0);
    check_page_fault(gpu, &b[7], nowhere, "progress rows");
    PUT(&b[8], EMU_PACKET_QUEUE, queue, end - 16, 0, 1);
    check_page_fault(gpu, &b[8], end, "queue progress");
}

Test(gpu_kernel, a_word_that_is_mapped_in_half_is_not_touched)
{
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    emu_gpu_memory six = allocate(gpu, 6);
    struct buffer fill = buffer_create(gpu);
    put_kernel(&fill, EMU_KERNEL_FILL, six.address, 0, 0x01010101, 2);
    check_page_fault(gpu, &fill, six.address + 6, "second word");
    cr_assert_eq(memcmp(six.cpu, "\1\1\1\1\0\0", 6), 0);
}

Test(gpu_engine, memory_freed_under_a_running_copy_faults)
{
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    emu_gpu_memory a = allocate(gpu, 200000);
    emu_gpu_memory b = allocate(gpu, 200000);
    struct buffer queue = buffer_create(gpu);
    put_copy(&queue, b.address, a.address, 200000);
    struct emu_engine engine;
    emu_engine_init(&engine, gpu);
    start(&engine, &queue);
    cr_assert_eq(step(&engine), EMU_ENGINE_BUSY);
    emu_gpu_free(gpu, b.address);
    cr_assert_eq(step(&engine), EMU_ENGINE_FAULT);
    cr_assert_eq(engine.fault.address, b.address + EMU_ENGINE_STEP_BYTES);
}

static void check_bad(emu_gpu *gpu, const struct buffer *b, const char *why)
{
    struct emu_engine engine;
    cr_assert_eq(run_buffer(gpu, b, &engine), EMU_ENGINE_FAULT, "%s", why);
    cr_assert_eq(engine.fault.reason, EMU_FAULT_PACKET, "%s: %d", why, (int)engine.fault.reason);
}

Test(gpu_engine, a_fill_repeats_its_pattern_whole)
{
    static const uint32_t wrong_units[] = {0, EMU_PACKET_PATTERN + 1, 7};
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    emu_gpu_memory memory = allocate(gpu, 300016);
    unsigned char *bytes = memory.cpu;
    struct buffer queue = buffer_create(gpu);
    struct emu_engine engine;
    /* several steps, none of which the unit divides */
    PUT(&queue, EMU_PACKET_FILL, fill, memory.address + 1, 300000, 3, 0, {5, 6, 7});
    PUT(&queue, EMU_PACKET_FILL, fill, memory.address, 0, 16, 0, {9});
    cr_assert_eq(run_buffer(gpu, &queue, &engine), EMU_ENGINE_DONE);
    cr_assert_eqs(bytes[0], 0, bytes[300001], 0);
    for (size_t i = 0; i < 300000; i++)
        cr_assert_eq(bytes[i + 1], 5 + i % 3);
    for (size_t i = 0; i < 3; i++) {
        struct buffer wrong = buffer_create(gpu);
        PUT(&wrong, EMU_PACKET_FILL, fill, memory.address, 16, wrong_units[i], 0, {9});
        check_bad(gpu, &wrong, "a unit that is none or not of the size");
        cr_assert_eq(bytes[0], 0);
    }
}

Test(gpu_engine, what_is_no_command_buffer_faults)
{
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    emu_gpu_memory rows = allocate(gpu, 4096);
    struct buffer b = buffer_create(gpu);
    const struct emu_packet_header headers[] = {
        {0, 8},
        {0, 0},
        {11, 8},
        {18, 1},
        {UINT32_MAX, 8},
        {EMU_PACKET_END, 0},
        {EMU_PACKET_END, 16},
        {EMU_PACKET_MARKER, 8},
        {EMU_PACKET_COPY, UINT32_MAX},
    };
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) {
        b.used = 0;
        put(&b, &headers[i], sizeof headers[i]);
        memset((char *)b.memory.cpu + b.used, 0, 256);
        b.used += 256;
        check_bad(gpu, &b, "header");
    }
    b.used = 0;
    put_marker(&b, EMU_MARKER_SET, 1);
    b.used -= 8;
    check_bad(gpu, &b, "packet cut off by the end of the buffer");
    b.used = 4;
    check_bad(gpu, &b, "header cut off");
    b.used = 0;
    put_marker(&b, (enum emu_marker_kind)4, 1);
    check_bad(gpu, &b, "unknown marker kind");
    b.used = 0;
    put_kernel(&b, (emu_kernel)6, rows.address, 0, 0, 0);
    check_bad(gpu, &b, "unknown kernel");
    b.used = 0;
    put_call(&b, &b, 1);
    check_bad(gpu, &b, "bundle row outside of an execution");
    b.used = 0;
    put_bare(&b, EMU_PACKET_EXECUTION_END);
    check_bad(gpu, &b, "end of an execution that didn't begin");
    b.used = 0;
    PUT(&b, EMU_PACKET_EXECUTION_BEGIN, execution_begin, rows.address, 0, 0, 0, 0);
    check_bad(gpu, &b, "no rows");
    b.used = 0;
    PUT(&b, EMU_PACKET_EXECUTION_BEGIN, execution_begin, rows.address + 4, 1, 0, 0, 0);
    check_bad(gpu, &b, "misaligned rows");
    b.used = 0;
    PUT(&b, EMU_PACKET_EXECUTION_BEGIN, execution_begin, rows.address, 2, 0, 0, 0);
    PUT(&b, EMU_PACKET_CALL, call, rows.address, 0, 2, 0);
    check_bad(gpu, &b, "row past the execution's rows");
    b.used = 0;
    put_write(&b, rows.address + 2, 1);
    check_bad(gpu, &b, "misaligned write");
    b.used = 0;
    PUT(&b, EMU_PACKET_CALL, call, rows.address + 4, 8, 0, 0);
    check_bad(gpu, &b, "misaligned call");
    b.used = 0;
    PUT(&b, EMU_PACKET_CALL, call, 8, UINT64_MAX, 0, 0);
    check_bad(gpu, &b, "call whose end wraps around");
}

Test(gpu_engine, a_buffer_that_calls_itself_faults_at_the_depth_limit)
{
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    struct buffer b = buffer_create(gpu);
    b.used = sizeof(struct emu_packet_call);
    struct buffer self = b;
    b.used = 0;
    put_call(&b, &self, 0);
    check_bad(gpu, &b, "recursion");
}

Test(gpu_engine, a_list_cannot_say_where_progress_goes)
{
    static const bool in_execution[] = {true, false};
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    emu_gpu_memory rows = allocate(gpu, 4096);
    struct buffer forged[3];
    for (int i = 0; i < 3; i++)
        forged[i] = buffer_create(gpu);
    PUT(&forged[0], EMU_PACKET_EXECUTION_BEGIN, execution_begin, rows.address, 1, 0, 0, 0);
    PUT(&forged[1], EMU_PACKET_QUEUE, queue, rows.address, 0, 1);
    put_bare(&forged[2], EMU_PACKET_EXECUTION_END);
    for (int i = 0; i < 6; i++) {
        struct buffer queue = buffer_create(gpu);
        if (in_execution[i / 3])
            put_execution(&queue, rows.address + 1024, 1, &forged[i % 3]);
        else
            put_call(&queue, &forged[i % 3], 0);
        check_bad(gpu, &queue, "privileged packet in a list");
        const struct emu_progress *row = (const void *)((const char *)rows.cpu + 1024);
        check_row(row, EMU_PROGRESS_STARTED, 0, 0);
    }
}

/* Any bytes at all: every run ends in a fault, a spin or the end, within the sanitizers' sight. */
Test(gpu_engine, random_command_buffers_do_no_harm)
{
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    emu_gpu_memory data = allocate(gpu, 4096);
    struct buffer b = buffer_create(gpu);
    uint64_t state = 1;
    for (int round = 0; round < 20000; round++) {
        b.used = 0;
        for (int i = 0; i < 6; i++) {
            uint32_t words[sizeof(union emu_packet) / 4];
            for (size_t w = 0; w < sizeof words / sizeof words[0]; w++) {
                state = state * 6364136223846793005u + 1442695040888963407u;
                uint32_t r = (uint32_t)(state >> 32);
                words[w] = r % 5 == 0   ? (uint32_t)data.address + r % 4096
                           : r % 5 == 1 ? (uint32_t)(data.address >> 32)
                           : r % 5 == 2 ? (uint32_t)b.memory.address + r % 64 * 8
                           : r % 5 == 3 ? r % 8
                                        : r;
            }
            words[0] = words[0] % 19;
            words[1] = emu_packet_size(words[0]);
            if (words[0] == EMU_PACKET_DISPATCH || words[0] == EMU_PACKET_DRAW)
                words[2] = words[2] % 7;
            if (words[0] == EMU_PACKET_INDIRECT) {
                const size_t max_count = offsetof(struct emu_packet_indirect, max_count) / 4;
                const size_t work = offsetof(struct emu_packet_indirect, work) / 4;
                words[max_count] %= 16; /* each is a step */
                words[work] = words[work] % 2 ? EMU_PACKET_DISPATCH : EMU_PACKET_DRAW;
                words[work + 2] %= 7;
            }
            put(&b, words, words[1] ? words[1] : 8);
        }
        struct emu_engine engine;
        emu_engine_init(&engine, gpu);
        start(&engine, &b);
        enum emu_engine_status status = EMU_ENGINE_BUSY;
        for (int i = 0; i < 2000 && status == EMU_ENGINE_BUSY; i++)
            status = step(&engine);
        cr_assert_neq(status, EMU_ENGINE_BUSY, "three levels deep it comes to an end");
    }
}
