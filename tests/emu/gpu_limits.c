/* The engine and its memory at their limits: packets, descriptors, places to hang, windows of
 * addresses, stores and clocks. */
#include "gpu/descriptor.h"
#include "rig.h"

/* ---- packets ---- */

#define LIMIT EMU_GPU_ADDRESS_LIMIT

struct refused {
    const char *why;
    union emu_packet packet;
    enum emu_fault_reason reason;
    uint64_t address;
    bool in_execution;
};

static void check_refused(emu_gpu *gpu, const struct refused *refused, uint64_t rows)
{
    struct buffer b = buffer_create(gpu);
    struct emu_engine engine;
    if (refused->in_execution)
        PUT(&b, EMU_PACKET_EXECUTION_BEGIN, execution_begin, rows, 1, 0, 0, 0);
    put(&b, &refused->packet, refused->packet.header.size);
    cr_expect_eq(run_buffer(gpu, &b, &engine), EMU_ENGINE_FAULT, "%s", refused->why);
    cr_expect_eq(engine.fault.reason, refused->reason, "%s: %d", refused->why,
                 (int)engine.fault.reason);
    cr_expect_eq(engine.fault.address, refused->address, "%s: %llx", refused->why,
                 (unsigned long long)engine.fault.address);
    emu_gpu_free(gpu, b.memory.address);
}

#define PACKET(name, opcode, ...)                                                                  \
    {                                                                                              \
        .name = { {(opcode), sizeof(struct emu_packet_##name)}, __VA_ARGS__ }                      \
    }
#define QUEUE(...)    PACKET(queue, EMU_PACKET_QUEUE, __VA_ARGS__)
#define BEGIN(...)    PACKET(execution_begin, EMU_PACKET_EXECUTION_BEGIN, __VA_ARGS__)
#define CALL(...)     PACKET(call, EMU_PACKET_CALL, __VA_ARGS__)
#define STAMP(...)    PACKET(timestamp, EMU_PACKET_TIMESTAMP, __VA_ARGS__)
#define BAD           EMU_FAULT_PACKET, 0
#define GONE(address) EMU_FAULT_PAGE, (address)

/* At a limit an address is one where nothing is; past it the packet is none. */
Test(gpu_engine, members_out_of_range_are_refused_one_by_one)
{
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    const uint64_t at = allocate(gpu, 4096).address, end = at + 4096;
    const struct refused cases[] = {
        {"queue: stamps at the limit", QUEUE(at, LIMIT, 1), GONE(LIMIT), false},
        {"queue: stamps past the limit", QUEUE(at, LIMIT + 8, 1), BAD, false},
        {"queue: room for one stamp of two", QUEUE(at, end - 8, 1), GONE(end), false},
        {"queue: stamps misaligned", QUEUE(at, at + 4, 1), BAD, false},
        {"queue: progress misaligned", QUEUE(at + 4, 0, 1), BAD, false},
        {"queue: in an execution", QUEUE(at, 0, 1), BAD, true},
        {"begin: in an execution", BEGIN(at, 1, 0, 0, 0), BAD, true},
        {"begin: no rows", BEGIN(0, 1, 0, 0, 0), BAD, false},
        {"begin: rows at the limit", BEGIN(LIMIT, 1, 0, 0, 0), GONE(LIMIT), false},
        {"begin: rows past the limit", BEGIN(LIMIT + 8, 1, 0, 0, 0), BAD, false},
        {"begin: crumbs at the limit", BEGIN(at, 1, 0, LIMIT, 0), GONE(LIMIT), false},
        {"begin: crumbs past the limit", BEGIN(at, 1, 0, LIMIT + 4, 0), BAD, false},
        {"begin: crumbs misaligned", BEGIN(at, 1, 0, at + 2, 0), BAD, false},
        {"begin: stamps past the limit", BEGIN(at, 1, 1, 0, LIMIT + 4), BAD, false},
        {"begin: stamps misaligned", BEGIN(at, 1, 1, 0, at + 2), BAD, false},
        {"marker: kind 0", PACKET(marker, EMU_PACKET_MARKER, 1, 0, 0), BAD, false},
        {"predicate: an operation that is none", PACKET(predicate, EMU_PACKET_PREDICATE, at, 2, 0),
         BAD, false},
        {"predicate: half of its value", PACKET(predicate, EMU_PACKET_PREDICATE, end - 4, 0, 0),
         GONE(end), false},
        {"bindings: of what is neither",
         {.bindings = {{EMU_PACKET_BINDINGS, 104}, .draws = 2}},
         BAD,
         false},
        {"time stamp: misaligned", STAMP(at + 4), BAD, false},
        {"time stamp: nowhere", STAMP(end), GONE(end), false},
        {"word: across the end", PACKET(write_immediate, EMU_PACKET_WRITE_IMMEDIATE, end, 1, 0),
         GONE(end), false},
        {"call: the end wraps", CALL(UINT64_MAX - 7, 8, 0, 0), BAD, false},
        {"call: up to the last but one", CALL(LIMIT, UINT64_MAX - LIMIT, 0, 0), GONE(LIMIT), false},
        {"call: up to the last address", CALL(UINT64_MAX - 7, 7, 0, 0), BAD, false},
        {"call: of nowhere", CALL(LIMIT, 64, 0, 0), GONE(LIMIT), false},
        {"indirect: commands up to the limit",
         {.indirect = {{EMU_PACKET_INDIRECT, sizeof(struct emu_packet_indirect)},
                       .commands = at,
                       .max_count = 1u << 16,
                       .stride = 1u << 31,
                       .work = {.header = {EMU_PACKET_DRAW, sizeof(struct emu_packet_dispatch)}}}},
         GONE(at + ((uint64_t)1 << 31)),
         false},
        {"fill: of more bytes than a pattern has",
         {.fill = {{EMU_PACKET_FILL, sizeof(struct emu_packet_fill)}, at, 40, 20, 0, {1}}},
         BAD,
         false},
        {"indirect: commands at the limit",
         {.indirect = {{EMU_PACKET_INDIRECT, sizeof(struct emu_packet_indirect)},
                       .commands = LIMIT,
                       .max_count = 1,
                       .work = {.header = {EMU_PACKET_DRAW, sizeof(struct emu_packet_dispatch)}}}},
         GONE(LIMIT),
         false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_refused(gpu, &cases[i], at);
}

static void put_flagged(struct buffer *b, uint32_t flag)
{
    put(b, &(struct emu_packet_header){EMU_PACKET_BARRIER | flag, sizeof(struct emu_packet_header)},
        sizeof(struct emu_packet_header));
}

/* A submission's settings end with it, and an execution's with the execution. */
Test(gpu_engine, a_row_or_stamp_of_an_earlier_execution_is_none)
{
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    const emu_gpu_memory rows = allocate(gpu, 4096);
    const uint64_t at = rows.address;
    struct buffer empty = buffer_create(gpu), set = buffer_create(gpu), bundle = buffer_create(gpu),
                  list = buffer_create(gpu), queue = buffer_create(gpu);
    struct emu_queue_progress *progress = rows.cpu;
    struct emu_engine engine;
    PUT(&queue, EMU_PACKET_QUEUE, queue, at, at + 512, 1);
    PUT(&queue, EMU_PACKET_EXECUTION_BEGIN, execution_begin, at + 1024, 3, 5, 0, at + 2048);
    cr_assert_eq(run_buffer(gpu, &queue, &engine), EMU_ENGINE_DONE);
    memset(rows.cpu, 0, 4096);
    put_marker(&set, EMU_MARKER_SET, 7);
    put_flagged(&set, EMU_PACKET_STAMP);
    start(&engine, &set);
    cr_assert_eq(run(&engine), EMU_ENGINE_DONE);
    for (int i = 0; i < 4096; i++)
        cr_assert_eq(((const char *)rows.cpu)[i], 0, "nowhere to go: %d", i);
    cr_expect_eq(progress->sequence, 0);
    put_bare(&queue, EMU_PACKET_EXECUTION_END);
    put_flagged(&queue, EMU_PACKET_STAMP);
    cr_assert_eq(run_buffer(gpu, &queue, &engine), EMU_ENGINE_DONE);
    for (int i = 2048; i < 4096; i++)
        cr_assert_eq(((const char *)rows.cpu)[i], 0, "behind an execution");
    put_call(&queue, &empty, 1);
    cr_assert_eq(run_buffer(gpu, &queue, &engine), EMU_ENGINE_FAULT);
    cr_expect_eq(engine.fault.reason, EMU_FAULT_PACKET, "row 1 of no execution");
    /* The second row is not there. */
    const emu_gpu_memory row = allocate(gpu, sizeof(struct emu_progress));
    put_call(&list, &bundle, 1);
    queue.used = 0;
    PUT(&queue, EMU_PACKET_EXECUTION_BEGIN, execution_begin, row.address, 2, 0, 0, 0);
    put_call(&queue, &list, 0);
    cr_assert_eq(run_buffer(gpu, &queue, &engine), EMU_ENGINE_FAULT);
    cr_expect_eqs(engine.fault.reason, EMU_FAULT_PAGE, engine.fault.address,
                  row.address + row.size);
    /* Rows that go while a bundle runs: at its marker, or at its end. */
    for (int marks = 0; marks < 2; marks++) {
        const emu_gpu_memory two = allocate(gpu, 2 * sizeof(struct emu_progress));
        bundle.used = list.used = queue.used = 0;
        put_bare(&bundle, EMU_PACKET_BARRIER);
        if (marks)
            put_marker(&bundle, EMU_MARKER_SET, 7);
        put_call(&list, &bundle, 1);
        PUT(&queue, EMU_PACKET_EXECUTION_BEGIN, execution_begin, two.address, 2, 0, 0, 0);
        put_call(&queue, &list, 0);
        emu_engine_init(&engine, gpu);
        start(&engine, &queue);
        for (int i = 0; i < 4; i++) /* begin, call, call, barrier */
            cr_assert_eq(step(&engine), EMU_ENGINE_BUSY);
        emu_gpu_free(gpu, two.address);
        cr_assert_eq(step(&engine), EMU_ENGINE_FAULT);
        cr_expect_eqs(engine.fault.reason, EMU_FAULT_PAGE, engine.fault.address,
                      two.address + sizeof(struct emu_progress));
    }
}

/* ---- time stamps ---- */

static uint64_t tick(const void *clock)
{
    return ++*(uint64_t *)(uintptr_t)clock;
}

/* packet.h: begin and end of the buffer, and the flagged packets of an execution, as many as there
 * is room for; a call when what it called has ended. */
Test(gpu_engine, time_stamps_are_left_in_the_order_of_what_is_done)
{
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    const emu_gpu_memory memory = allocate(gpu, 4096);
    const uint64_t at = memory.address;
    struct buffer queue = buffer_create(gpu), list = buffer_create(gpu),
                  bundle = buffer_create(gpu);
    uint64_t clock = 100;
    memset((char *)memory.cpu + 128, 0xFF, 8);
    PUT(&bundle, EMU_PACKET_TIMESTAMP, timestamp, at + 64);
    put_flagged(&list, EMU_PACKET_STAMP);
    put_flagged(&list, EMU_PACKET_CRUMB);
    PUT(&list, EMU_PACKET_CALL | EMU_PACKET_STAMP, call, bundle.memory.address, bundle.used, 1, 0);
    PUT(&list, EMU_PACKET_TIMESTAMP, timestamp, at + 72);
    put_flagged(&list, EMU_PACKET_STAMP);
    put_flagged(&list, EMU_PACKET_STAMP);
    PUT(&queue, EMU_PACKET_QUEUE, queue, at + 512, at, 1);
    put_flagged(&queue, EMU_PACKET_STAMP);
    PUT(&queue, EMU_PACKET_EXECUTION_BEGIN, execution_begin, at + 1024, 2, 3, at + 128, at + 16);
    put_call(&queue, &list, 0);
    put_flagged(&queue, EMU_PACKET_CRUMB);
    put_flagged(&queue, EMU_PACKET_CRUMB);
    put_bare(&queue, EMU_PACKET_EXECUTION_END);
    put_flagged(&queue, EMU_PACKET_STAMP);
    PUT(&queue, EMU_PACKET_EXECUTION_BEGIN, execution_begin, at + 1024, 2, 3, 0, 0);
    put_call(&queue, &list, 0);
    put_bare(&queue, EMU_PACKET_EXECUTION_END);
    struct emu_engine engine;
    emu_engine_init(&engine, gpu);
    engine.now = tick;
    engine.clock = &clock;
    start(&engine, &queue);
    cr_assert_eq(run(&engine), EMU_ENGINE_DONE);
    const uint64_t *stamps = memory.cpu;
    static const uint64_t expected[] = {101, 109, 102, 104, 106, 0, 0, 0, 107, 108};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        cr_expect_eq(stamps[i], expected[i], "%zu: %llu", i, (unsigned long long)stamps[i]);
    cr_expect_eqs(((const uint32_t *)memory.cpu)[32], 1, ((const uint32_t *)memory.cpu)[33], 0);
}

Test(gpu_engine, a_time_stamp_of_8_bytes_lies_at_a_multiple_of_them)
{
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    const uint64_t at = allocate(gpu, 4096).address;
    const struct {
        uint64_t stamps, address;
        enum emu_fault_reason reason;
    } cases[] = {{at + 64, 0, EMU_FAULT_NONE},
                 {at + 68, 0, EMU_FAULT_PACKET},
                 {LIMIT, LIMIT, EMU_FAULT_PAGE}};
    for (size_t i = 0; i < 3; i++) {
        struct buffer list = buffer_create(gpu), queue = buffer_create(gpu);
        struct emu_engine engine;
        put_flagged(&list, EMU_PACKET_STAMP);
        PUT(&queue, EMU_PACKET_EXECUTION_BEGIN, execution_begin, at, 1, 1, 0, cases[i].stamps);
        put_call(&queue, &list, 0);
        cr_expect_eq(run_buffer(gpu, &queue, &engine),
                     cases[i].reason ? EMU_ENGINE_FAULT : EMU_ENGINE_DONE);
        cr_expect_eqs(engine.fault.reason, cases[i].reason, engine.fault.address, cases[i].address);
    }
}

/* A start is refused at the first step. */
Test(gpu_engine, a_buffer_that_can_not_begin_is_where_the_engine_stopped)
{
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    struct emu_engine engine;
    emu_engine_init(&engine, gpu);
    emu_engine_start(&engine, 3, 64);
    cr_assert_eq(run(&engine), EMU_ENGINE_FAULT);
    cr_expect_eqs(engine.fault.reason, EMU_FAULT_PACKET, engine.instruction, 3);
    static unsigned char bytes[8];
    const emu_gpu_memory half = allocate(gpu, 12), whole = allocate(gpu, 8);
    emu_gpu_memory six;
    struct buffer b = buffer_create(gpu);
    cr_assert(emu_gpu_import(gpu, bytes, 6, 0, &six));
    put_write(&b, six.address + 4, 1);
    cr_assert_eq(run_buffer(gpu, &b, &engine), EMU_ENGINE_FAULT);
    cr_expect_eqs(engine.fault.reason, EMU_FAULT_PAGE, engine.fault.address, six.address + 6);
    cr_expect_eq(bytes[4], 0, "nothing of it is written");
    /* A header that is no packet's, and all that is there. */
    for (uint32_t opcode = 0; opcode <= 19; opcode += 19) {
        const struct emu_packet_header header = {opcode, sizeof header};
        memcpy(whole.cpu, &header, sizeof header);
        emu_engine_init(&engine, gpu);
        emu_engine_start(&engine, whole.address, 64);
        cr_assert_eq(run(&engine), EMU_ENGINE_FAULT);
        cr_expect_eq(engine.fault.reason, EMU_FAULT_PACKET);
    }
    /* No byte of a header, which then has no opcode. */
    put_bare(&(struct buffer){whole, 0}, EMU_PACKET_BARRIER);
    emu_engine_init(&engine, gpu);
    emu_engine_start(&engine, whole.address, 64);
    cr_assert_eq(run(&engine), EMU_ENGINE_FAULT);
    cr_expect_eqs(engine.instruction, whole.address + 8, engine.opcode, 0);
    /* Half of a header behind a packet. */
    put_bare(&(struct buffer){half, 0}, EMU_PACKET_BARRIER);
    emu_engine_init(&engine, gpu);
    emu_engine_start(&engine, half.address, 64);
    cr_assert_eq(run(&engine), EMU_ENGINE_FAULT);
    cr_expect_eqs(engine.fault.reason, EMU_FAULT_PAGE, engine.fault.address, half.address + 12);
    /* A call of what would be right at another address. */
    struct buffer odd = buffer_create(gpu);
    odd.used = 4;
    put_bare(&odd, EMU_PACKET_BARRIER);
    b.used = 0;
    PUT(&b, EMU_PACKET_CALL, call, odd.memory.address + 4, 8, 0, 0);
    cr_assert_eq(run_buffer(gpu, &b, &engine), EMU_ENGINE_FAULT);
    cr_expect_eq(engine.fault.reason, EMU_FAULT_PACKET);
}

/* A packet is read whole, or it is the first byte that isn't there. */
Test(gpu_engine, a_packet_across_the_end_of_memory_faults_at_the_end)
{
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    for (uint64_t size = 4; size <= sizeof(struct emu_packet_marker); size += 4) {
        const emu_gpu_memory memory = allocate(gpu, size);
        const struct emu_packet_marker marker = {
            {EMU_PACKET_MARKER, sizeof marker}, 1, EMU_MARKER_SET, 0};
        struct emu_engine engine;
        memcpy(memory.cpu, &marker, size);
        emu_engine_init(&engine, gpu);
        emu_engine_start(&engine, memory.address, sizeof marker);
        const bool is_whole = size == sizeof marker;
        cr_assert_eq(run(&engine), is_whole ? EMU_ENGINE_DONE : EMU_ENGINE_FAULT);
        cr_expect_eq(engine.fault.reason, is_whole ? EMU_FAULT_NONE : EMU_FAULT_PAGE);
        cr_expect_eq(engine.fault.address, is_whole ? 0 : memory.address + size);
    }
}

/* ---- descriptors ---- */

enum { WORDS = 4 };

struct room {
    emu_gpu *gpu;
    emu_gpu_memory to, from, descriptors;
};

static void room_init(struct room *r)
{
    r->gpu = emu_gpu_create();
    r->to = allocate(r->gpu, WORDS * 4);
    r->from = allocate(r->gpu, WORDS * 4);
    r->descriptors = allocate(r->gpu, 2 * sizeof(struct emu_descriptor));
    for (uint32_t i = 0; i < WORDS; i++) {
        ((uint32_t *)r->to.cpu)[i] = 100 + i;
        ((uint32_t *)r->from.cpu)[i] = 1 + i;
    }
    const struct emu_descriptor descriptors[2] = {
        {r->to.address, WORDS * 4, EMU_DESCRIPTOR_READ_WRITE, 0, 0, 0},
        {r->from.address, WORDS * 4, EMU_DESCRIPTOR_READ, 0, 0, 0}};
    memcpy(r->descriptors.cpu, descriptors, sizeof descriptors);
}

/* A kernel on all words; bit n of `through`: argument n by its descriptor. */
static enum emu_engine_status run_kernel(struct room *r, emu_kernel kernel, uint32_t through,
                                         struct emu_engine *engine)
{
    struct buffer b = buffer_create(r->gpu);
    const uint64_t at = r->descriptors.address;
    PUT(&b, EMU_PACKET_DISPATCH, dispatch, (uint32_t)kernel, {1, 1, 1},
        {through & 1 ? at : r->to.address,
         through & 2 ? at + sizeof(struct emu_descriptor) : r->from.address, 0},
        {77, WORDS, 0}, through, 0);
    return run_buffer(r->gpu, &b, engine);
}

Test(gpu_engine, a_descriptor_is_of_a_kind_that_its_argument_can_have)
{
    for (uint32_t kind = 0; kind <= EMU_DESCRIPTOR_DEPTH + 1; kind++)
        for (uint32_t n = 0; n < 2; n++) {
            struct room r;
            struct emu_engine engine;
            room_init(&r);
            ((struct emu_descriptor *)r.descriptors.cpu)[n].kind = kind;
            const bool is_right =
                n == 0 ? kind == EMU_DESCRIPTOR_READ_WRITE
                       : kind >= EMU_DESCRIPTOR_CONSTANTS && kind <= EMU_DESCRIPTOR_READ_WRITE;
            cr_expect_eq(run_kernel(&r, EMU_KERNEL_COPY, 3, &engine),
                         is_right ? EMU_ENGINE_DONE : EMU_ENGINE_FAULT, "%u as argument %u", kind,
                         n);
            cr_expect_eq(engine.fault.reason, is_right ? EMU_FAULT_NONE : EMU_FAULT_PACKET);
            cr_expect_eq(((uint32_t *)r.to.cpu)[3], is_right ? 4 : 103);
            emu_gpu_destroy(r.gpu);
        }
}

/* descriptor.h: beyond what belongs to the view, reads give 0 and writes are dropped; in whole
 * words. An argument without a descriptor has no such limit. */
Test(gpu_engine, a_descriptor_ends_reads_and_writes_where_its_view_ends)
{
    for (uint32_t through = 0; through < 4; through++)
        for (uint64_t written = 0; written <= WORDS * 4 + 1; written++)
            for (uint64_t read = 0; read <= WORDS * 4 + 1; read++) {
                struct room r;
                struct emu_engine engine;
                const emu_kernel kernel = read % 2 ? EMU_KERNEL_ADD : EMU_KERNEL_COPY;
                if (written % 3 != 0 && read % 3 != 0 && written < WORDS * 4)
                    continue; /* enough of them */
                room_init(&r);
                ((struct emu_descriptor *)r.descriptors.cpu)[0].size = written;
                ((struct emu_descriptor *)r.descriptors.cpu)[1].size = read;
                cr_assert_eq(run_kernel(&r, kernel, through, &engine), EMU_ENGINE_DONE);
                for (uint32_t i = 0; i < WORDS; i++) {
                    const bool is_written = !(through & 1) || 4 * i + 4 <= written;
                    const bool is_read = !(through & 2) || 4 * i + 4 <= read;
                    const uint32_t source = is_read ? 1 + i : 0;
                    const uint32_t before = 100 + i;
                    const uint32_t after = kernel == EMU_KERNEL_ADD ? before + source : source;
                    cr_assert_eq(((uint32_t *)r.to.cpu)[i], is_written ? after : before,
                                 "word %u of %llu and %llu bytes, %u: %u", i,
                                 (unsigned long long)written, (unsigned long long)read, through,
                                 ((uint32_t *)r.to.cpu)[i]);
                }
                emu_gpu_destroy(r.gpu);
            }
}

/* Beyond one step, too. */
Test(gpu_engine, a_long_copy_reads_no_further_than_its_descriptor)
{
    enum { READ = 70000, ALL = 140000 };
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    const emu_gpu_memory to = allocate(gpu, ALL), from = allocate(gpu, ALL),
                         at = allocate(gpu, sizeof(struct emu_descriptor));
    const struct emu_descriptor descriptor = {from.address, READ, EMU_DESCRIPTOR_READ, 0, 0, 0};
    struct buffer b = buffer_create(gpu);
    struct emu_engine engine;
    memset(to.cpu, 2, ALL);
    memset(from.cpu, 1, ALL);
    memcpy(at.cpu, &descriptor, sizeof descriptor);
    PUT(&b, EMU_PACKET_DISPATCH, dispatch, EMU_KERNEL_COPY, {1, 1, 1}, {to.address, at.address, 0},
        {0, ALL / 4}, 2, 0);
    cr_assert_eq(run_buffer(gpu, &b, &engine), EMU_ENGINE_DONE);
    for (size_t i = 0; i < ALL; i++)
        cr_assert_eq(((const char *)to.cpu)[i], i < READ, "%zu", i);
}

Test(gpu_engine, a_descriptor_that_is_not_there_faults)
{
    static const struct {
        uint64_t offset;
        enum emu_fault_reason reason;
    } cases[] = {{4, EMU_FAULT_PACKET}, {64, EMU_FAULT_PAGE}, {40, EMU_FAULT_PAGE}};
    for (size_t i = 0; i < 3; i++) {
        struct room r;
        struct emu_engine engine;
        room_init(&r);
        const uint64_t end = r.descriptors.address + 64;
        r.descriptors.address += cases[i].offset;
        cr_expect_eq(run_kernel(&r, EMU_KERNEL_FILL, 1, &engine), EMU_ENGINE_FAULT);
        cr_expect_eq(engine.fault.reason, cases[i].reason, "%zu", i);
        cr_expect_eq(engine.fault.address, cases[i].reason == EMU_FAULT_PAGE ? end : 0, "%zu", i);
        emu_gpu_destroy(r.gpu);
    }
}

/* An argument that a bundle inherits is what its caller bound, a descriptor or an address, whatever
 * its own is; the other stays. */
Test(gpu_engine, what_is_inherited_is_a_descriptor_where_a_descriptor_was_bound)
{
    for (uint32_t inherited = 0; inherited < 4; inherited++)
        for (uint32_t own = 0; own < 4; own++)
            for (uint32_t bound = 0; bound < 4; bound++) {
                struct room r;
                struct emu_engine engine;
                room_init(&r);
                const emu_gpu_memory other = allocate(r.gpu, 2 * WORDS * 4);
                uint32_t *words = other.cpu;
                const emu_gpu_memory more = allocate(r.gpu, 2 * sizeof(struct emu_descriptor));
                const struct emu_descriptor descriptors[2] = {
                    {other.address, WORDS * 4, EMU_DESCRIPTOR_READ_WRITE, 0, 0, 0},
                    {other.address + WORDS * 4, WORDS * 4, EMU_DESCRIPTOR_READ, 0, 0, 0}};
                const uint64_t ds = r.descriptors.address, size = sizeof descriptors[0];
                struct buffer list = buffer_create(r.gpu), bundle = buffer_create(r.gpu);
                memcpy(more.cpu, descriptors, sizeof descriptors);
                words[WORDS] = 50;
                PUT(&bundle, EMU_PACKET_DISPATCH, dispatch, EMU_KERNEL_COPY, {1, 1, 1},
                    {own & 1 ? ds : r.to.address, own & 2 ? ds + size : r.from.address, 0}, {0, 1},
                    own, inherited);
                PUT(&list, EMU_PACKET_BINDINGS, bindings,
                    {bound & 1 ? more.address : other.address,
                     bound & 2 ? more.address + size : other.address + WORDS * 4, 0},
                    {0}, bound, 0);
                put_call(&list, &bundle, 0);
                cr_assert_eq(run_buffer(r.gpu, &list, &engine), EMU_ENGINE_DONE, "%u %u %u",
                             inherited, own, bound);
                const uint32_t value = inherited & 2 ? 50 : 1;
                cr_expect_eq(words[0], inherited & 1 ? value : 0, "%u %u %u", inherited, own,
                             bound);
                cr_expect_eq(*(uint32_t *)r.to.cpu, inherited & 1 ? 100 : value);
                emu_gpu_destroy(r.gpu);
            }
}

/* ---- hangs by order ---- */

static void put_places(struct buffer *b, const struct buffer *list, uint64_t rows)
{
    PUT(b, EMU_PACKET_QUEUE, queue, rows + 1024, 0, 1);
    PUT(b, EMU_PACKET_EXECUTION_BEGIN, execution_begin, rows, 1, 0, 0, 0);
    put_call(b, list, 0);
    put_bare(b, EMU_PACKET_EXECUTION_END);
}

/* gpu.h: at the count-th place of its kind, over all engines, in one of three ways. */
Test(gpu_hang, every_place_ends_in_every_way_when_its_turn_has_come)
{
    for (int at = EMU_GPU_HANG_NEVER; at <= EMU_GPU_HANG_AT_MARKER; at++)
        for (int kind = EMU_GPU_HANG_SPINS; kind <= EMU_GPU_HANG_LOSES; kind++)
            for (uint64_t count = 0; count <= 2; count++) {
                static const enum emu_engine_status ends[] = {EMU_ENGINE_SPINNING, EMU_ENGINE_FAULT,
                                                              EMU_ENGINE_FAULT};
                static const enum emu_fault_reason reasons[] = {EMU_FAULT_NONE, EMU_FAULT_PAGE,
                                                                EMU_FAULT_LOST};
                emu_gpu *gpu = emu_gpu_create();
                const emu_gpu_memory memory = allocate(gpu, 4096);
                struct buffer list = buffer_create(gpu), queue = buffer_create(gpu);
                struct emu_packet_dispatch work = {.header = {EMU_PACKET_DISPATCH, sizeof work},
                                                   .groups = {1, 1, 1}};
                put(&list, &work, sizeof work);
                work.kernel = EMU_KERNEL_SCRIPTED;
                put(&list, &work, sizeof work);
                work.kernel = 0;
                work.header.opcode = EMU_PACKET_DRAW;
                put(&list, &work, sizeof work);
                put_places(&queue, &list, memory.address);
                emu_gpu_script_hang(gpu, (enum emu_gpu_hang)at, count,
                                    (enum emu_gpu_hang_kind)kind);
                cr_assert_eq(emu_gpu_scripted_kind(gpu), (enum emu_gpu_hang_kind)kind);
                for (uint64_t turn = 1; turn <= 3; turn++) {
                    struct emu_engine engine;
                    const bool hangs = at != EMU_GPU_HANG_NEVER && turn == count;
                    const enum emu_engine_status status = run_buffer(gpu, &queue, &engine);
                    cr_assert_eq(status, hangs ? ends[kind] : EMU_ENGINE_DONE, "%d %d %d", at, kind,
                                 (int)turn);
                    if (!hangs)
                        continue;
                    cr_expect_eq(step(&engine), ends[kind], "for ever");
                    cr_expect_eq(engine.fault.reason, reasons[kind]);
                    cr_expect_eq(engine.fault.address, kind == EMU_GPU_HANG_FAULTS ? LIMIT : 0);
                }
                emu_gpu_destroy(gpu);
            }
}

/* ---- windows of addresses ---- */

#define PAGE  ((uint64_t)EMU_GPU_ADDRESS_ALIGNMENT)
#define LARGE ((uint64_t)1 << 26) /* from here on an allocation is in the window of large ones */

static char no_bytes[1]; /* nothing touches them */

static uint64_t place(emu_gpu *gpu, uint64_t size, uint64_t address)
{
    emu_gpu_memory memory = {0};
    return emu_gpu_import(gpu, no_bytes, size, address, &memory) ? memory.address : 0;
}

/* The last byte of the address space is one that can be had. */
Test(gpu_memory, addresses_reach_up_to_their_limit)
{
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    const uint64_t last = LIMIT - PAGE;
    cr_assert_eq(place(gpu, PAGE, last), last);
    cr_expect_eq((uintptr_t)emu_gpu_translate(gpu, LIMIT - 1, 1), (uintptr_t)no_bytes + PAGE - 1);
    cr_expect_null(emu_gpu_translate(gpu, LIMIT, 1));
    gpu->large.next = (gpu->large.end - gpu->large.first) / gpu->large.granule - 3;
    cr_expect_eq(place(gpu, LARGE, 0), LIMIT - 3 * LARGE);
    cr_expect_eq(place(gpu, LARGE, 0), (uint64_t)1 << 38, "from the start again");
    for (uint64_t bit = LIMIT / 2; bit > 3 * LARGE; bit /= 2)
        cr_assert_eq(place(gpu, PAGE, last ^ bit), last ^ bit, "no two places are one");
}

/* ---- stores ---- */

Test(gpu_memory, a_store_is_whole_or_none)
{
    enum { SIZE = 100, MORE = 16 };
    static _Alignas(8) unsigned char bytes[SIZE + MORE];
    emu_gpu *gpu = emu_gpu_create();
    emu_gpu_memory memory, reserved;
    cr_assert(emu_gpu_import(gpu, bytes, SIZE, 0, &memory));
    cr_assert(emu_gpu_reserve(gpu, PAGE, 0, &reserved));
    for (uint64_t offset = 0; offset <= SIZE + 8; offset += 4)
        for (uint32_t size = 4; size <= 8; size += 4) {
            unsigned char expected[SIZE + MORE];
            struct emu_gpu_access access;
            const bool is_there = offset + size <= SIZE;
            memset(bytes, 0xEE, sizeof bytes);
            memset(expected, 0xEE, sizeof expected);
            cr_expect_eq(emu_gpu_translate(gpu, memory.address + offset, size),
                         is_there ? bytes + offset : NULL);
            cr_expect_eq(emu_gpu_access_begin(gpu, memory.address + offset, size, &access),
                         offset < SIZE);
            if (offset < SIZE)
                emu_gpu_access_end(&access);
            if (offset % size != 0)
                continue;
            if (is_there)
                memset(expected + offset, 0x11, size);
            cr_expect_eq(emu_gpu_store(gpu, memory.address + offset, 0x1111111111111111, size),
                         is_there, "%llu, %u", (unsigned long long)offset, size);
            cr_expect_eq(memcmp(bytes, expected, sizeof bytes), 0, "%llu, %u",
                         (unsigned long long)offset, size);
        }
    cr_expect_not(emu_gpu_store(gpu, reserved.address, 1, 4));
    cr_expect_not(emu_gpu_store(gpu, reserved.address + PAGE, 1, 4), "a gap");
    cr_expect_not(emu_gpu_store(gpu, LIMIT, 1, 4));
    cr_expect_null(emu_gpu_translate(gpu, reserved.address, 0));
    cr_expect_null(emu_gpu_translate(gpu, reserved.address + 8, 1));
    cr_expect_null(emu_gpu_translate(gpu, memory.address + SIZE, 0));
    cr_expect_eq(emu_gpu_translate(gpu, memory.address, 0), bytes);
    emu_gpu_destroy(gpu);
}

/* ---- clocks ---- */

/* gpu.h: never 0; of 33 to 63 bits the others are junk; with 0 bits the bytes are reversed. */
Test(gpu_clock, a_time_stamp_has_the_bits_that_the_clock_says)
{
    static const uint64_t counters[] = {
        0, 1, 0x0102030405060708, (uint64_t)1 << 32, (uint64_t)1 << 63, UINT64_MAX};
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    const struct emu_gpu_clock *clock = emu_gpu_get_clock(gpu);
    cr_expect_eqs(clock->hz, 1000000000, clock->stamp_bits, 64, "until it is set");
    for (uint32_t bits = 0; bits <= 64; bits = bits == 0 ? 32 : bits + 1) {
        const uint64_t mask = bits == 0 || bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
        uint64_t junk = 0;
        cr_assert(emu_gpu_set_clock(gpu, &(struct emu_gpu_clock){.stamp_bits = bits}));
        cr_expect_eq(emu_gpu_stamp_size(gpu), bits == 32 ? 4 : 8);
        for (size_t i = 0; i < sizeof counters / sizeof counters[0]; i++) {
            uint64_t stamp = emu_gpu_stamp(gpu, counters[i]);
            const uint64_t kept = counters[i] & mask;
            if (bits == 0)
                stamp = __builtin_bswap64(stamp);
            cr_expect_eq(stamp & mask, kept != 0 ? kept : 1, "%u bits: %llx", bits,
                         (unsigned long long)stamp);
            junk |= stamp & ~mask;
        }
        cr_expect_eq(junk != 0, bits > 32 && bits < 64, "%u bits", bits);
    }
    static const int32_t ppm[] = {-100001, -100000, 100000, 100001};
    static const uint64_t rates[] = {0, 900000000, 1100000000, 0};
    for (int i = 0; i < 4; i++) {
        AT_END(gpu_ended) emu_gpu *other = emu_gpu_create();
        cr_expect_eq(emu_gpu_set_clock(other, &(struct emu_gpu_clock){.ppm = ppm[i]}),
                     rates[i] != 0);
        cr_expect_eq(emu_gpu_counter(other, 1000000000), rates[i] ? rates[i] : 1000000000);
        cr_expect_eq(emu_gpu_get_clock(other)->ppm, rates[i] ? ppm[i] : 0);
    }
}
