/* Several operations in flight: they end in any order, what waits for them comes in order, and the
 * front end is ahead [ANN-TRUTH-05]. */
#include "gpu/kernel.h"
#include "rig.h"

enum { OPS = 12, SEEDS = 200 };

/* A list of operations that each set a word of `data` to 1, in scopes of their own, with
 * breadcrumbs; and one that never ends or faults. */
struct flight {
    emu_gpu *gpu;
    emu_gpu_memory rows, crumbs, data;
    struct buffer list, queue;
    struct emu_engine engine;
};

static uint32_t *word_of(const struct flight *f, unsigned op)
{
    return (uint32_t *)f->data.cpu + op;
}

static struct emu_progress *row_of(const struct flight *f)
{
    return f->rows.cpu;
}

static uint32_t crumbs_of(const struct flight *f)
{
    return *(uint32_t *)f->crumbs.cpu;
}

static void put_op(struct flight *f, unsigned op, emu_kernel kernel)
{
    put_marker(&f->list, EMU_MARKER_BEGIN, op + 1);
    const uint64_t at = f->list.used;
    put_kernel(&f->list, kernel, f->data.address + op * sizeof(uint32_t), 0, 1,
               kernel == EMU_KERNEL_TOUCH ? 0x7000 /* high half of an address */ : 1);
    ((struct emu_packet_header *)((char *)f->list.memory.cpu + at))->opcode |= EMU_PACKET_CRUMB;
    put_marker(&f->list, EMU_MARKER_END, op + 1);
}

static void open(struct flight *f)
{
    *f = (struct flight){.gpu = emu_gpu_create()};
    f->rows = allocate(f->gpu, 2 * sizeof(struct emu_progress)); /* the list's, a bundle's */
    f->crumbs = allocate(f->gpu, 2 * sizeof(uint32_t));
    f->data = allocate(f->gpu, OPS * sizeof(uint32_t));
    f->list = buffer_create(f->gpu);
    f->queue = buffer_create(f->gpu);
}

/* Executes the list with nothing left of the execution before. */
static void begin(struct flight *f, uint32_t width, uint64_t seed)
{
    memset(f->rows.cpu, 0, sizeof(struct emu_progress));
    memset(f->crumbs.cpu, 0, 2 * sizeof(uint32_t));
    memset(f->data.cpu, 0, OPS * sizeof(uint32_t));
    f->queue.used = 0;
    PUT(&f->queue, EMU_PACKET_EXECUTION_BEGIN, execution_begin, f->rows.address, 2, 0,
        f->crumbs.address, 0);
    put_call(&f->queue, &f->list, 0);
    put_bare(&f->queue, EMU_PACKET_EXECUTION_END);
    emu_engine_init(&f->engine, f->gpu);
    f->engine.width = width;
    f->engine.random = seed;
    start(&f->engine, &f->queue);
}

/* How many are done in front of the first that is not. */
static unsigned done_of(const struct flight *f)
{
    unsigned done = 0;
    while (done < OPS && *word_of(f, done) == 1)
        done++;
    return done;
}

/* What must be so after every step; returns whether something behind the first that is not done is
 * done. */
static bool check_step(const struct flight *f, uint32_t width)
{
    const unsigned done = done_of(f);
    bool is_ahead = false;
    for (unsigned op = done + 1; op < OPS; op++) {
        is_ahead |= *word_of(f, op) == 1;
        cr_assert(*word_of(f, op) == 0 || op < done + width, "%u of %u, width %u", op, done, width);
    }
    cr_assert_eq(crumbs_of(f), done);
    cr_assert(row_of(f)->completed <= done);
    cr_assert(row_of(f)->started >= row_of(f)->completed && row_of(f)->started <= done + width + 1);
    cr_assert(row_of(f)->state != EMU_PROGRESS_FINISHED || done == OPS);
    return is_ahead;
}

Test(gpu_flight, operations_end_in_any_order_and_what_waits_for_them_in_order)
{
    struct flight f;
    open(&f);
    for (unsigned op = 0; op < OPS; op++)
        put_op(&f, op, EMU_KERNEL_FILL);
    for (uint32_t width = 1; width <= EMU_GPU_IN_FLIGHT; width *= 2) {
        unsigned ahead = 0;
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            begin(&f, width, seed);
            enum emu_engine_status status = EMU_ENGINE_BUSY;
            bool is_ahead = false;
            while (status == EMU_ENGINE_BUSY) {
                status = emu_engine_step(&f.engine);
                is_ahead |= check_step(&f, width);
            }
            cr_assert_eq(status, EMU_ENGINE_DONE);
            cr_assert_eqs(done_of(&f), OPS, row_of(&f)->completed, OPS);
            cr_assert_eq(row_of(&f)->state, EMU_PROGRESS_FINISHED);
            ahead += is_ahead;
        }
        cr_expect(width == 1 ? ahead == 0 : ahead > SEEDS / 2, "width %u: %u", width, ahead);
    }
    emu_gpu_destroy(f.gpu);
}

/* Of two operations that fail alike, one is the first. */
static void run_to_failure(struct flight *f, uint64_t seed, bool *goes_on, bool *is_frozen)
{
    enum emu_engine_status status = EMU_ENGINE_BUSY;
    begin(f, 4, seed);
    while (status == EMU_ENGINE_BUSY) {
        status = emu_engine_step(&f->engine);
        check_step(f, 4);
    }
    const bool faults = f->engine.fault.reason == EMU_FAULT_PAGE;
    cr_assert_eq(status, faults ? EMU_ENGINE_FAULT : EMU_ENGINE_SPINNING);
    unsigned behind = 0;
    for (unsigned op = 3; op < OPS; op++)
        behind += *word_of(f, op);
    *goes_on |= done_of(f) == 2 && behind == 3;
    *is_frozen |= done_of(f) < 2 || behind < 3;
}

Test(gpu_flight, the_others_go_on_or_freeze_where_one_fails)
{
    static const emu_kernel kernels[] = {EMU_KERNEL_SPIN, EMU_KERNEL_TOUCH};
    for (unsigned k = 0; k < 2; k++) {
        struct flight f;
        bool goes_on = false, is_frozen = false;
        open(&f);
        for (unsigned op = 0; op < OPS; op++)
            put_op(&f, op, op == 2 ? kernels[k] : EMU_KERNEL_FILL);
        for (uint64_t seed = 0; seed < SEEDS; seed++)
            run_to_failure(&f, seed, &goes_on, &is_frozen);
        cr_expect(goes_on && is_frozen, "kernel %u", k);
        emu_gpu_destroy(f.gpu);
    }
}

Test(gpu_flight, a_barrier_and_the_end_of_the_buffer_wait)
{
    struct flight f;
    open(&f);
    for (unsigned op = 0; op < OPS; op++) {
        if (op == 4)
            put_bare(&f.list, EMU_PACKET_BARRIER);
        put_op(&f, op, op == 2 ? EMU_KERNEL_SPIN : EMU_KERNEL_FILL);
    }
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        begin(&f, EMU_GPU_IN_FLIGHT, seed);
        while (emu_engine_step(&f.engine) == EMU_ENGINE_BUSY)
            ;
        for (unsigned op = 4; op < OPS; op++)
            cr_assert_eq(*word_of(&f, op), 0);
        cr_assert(row_of(&f)->started <= 4);
    }
    emu_gpu_destroy(f.gpu);
}

/* D3D12_WRITEBUFFERIMMEDIATE_MODE: 1 comes when all before has begun, 2 when it is done, 0 as a
 * copy does. */
Test(gpu_flight, immediate_writes_come_when_their_mode_says)
{
    struct flight f;
    bool came[3] = {false};
    open(&f);
    put_op(&f, 0, EMU_KERNEL_SPIN);
    for (uint32_t mode = 0; mode < 3; mode++)
        PUT(&f.list, EMU_PACKET_WRITE_IMMEDIATE, write_immediate,
            f.data.address + (mode + 1) * sizeof(uint32_t), 1, mode);
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        begin(&f, 4, seed);
        while (emu_engine_step(&f.engine) == EMU_ENGINE_BUSY)
            ;
        for (unsigned mode = 0; mode < 3; mode++)
            came[mode] |= *word_of(&f, mode + 1) == 1;
    }
    cr_expect(came[0] && came[1] && !came[2]);
    emu_gpu_destroy(f.gpu);
}

/* ---- ExecuteIndirect in a bundle under a predicate ---- */

enum { COMMANDS = 3 };

/* Each command fills the word that its argument has. `broken`: this one's is nowhere. */
static void put_indirect(struct flight *f, struct buffer *bundle, emu_gpu_memory commands,
                         unsigned broken)
{
    struct emu_packet_indirect packet = {
        .header = {EMU_PACKET_INDIRECT | EMU_PACKET_CRUMB, sizeof packet},
        .commands = commands.address,
        .max_count = COMMANDS,
        .stride = sizeof(uint64_t),
        .groups_offset = EMU_PACKET_NOWHERE,
        .argument_offsets = {0, EMU_PACKET_NOWHERE},
        .work = {.header = {EMU_PACKET_DISPATCH, sizeof packet.work},
                 .kernel = EMU_KERNEL_FILL,
                 .groups = {1, 1, 1},
                 .constants = {1, 1}}};
    memset(packet.constant_offsets, 0xFF, sizeof packet.constant_offsets);
    for (unsigned i = 0; i < COMMANDS; i++)
        ((uint64_t *)commands.cpu)[i] =
            i == broken ? EMU_GPU_ADDRESS_LIMIT - 65536 : f->data.address + i * sizeof(uint32_t);
    bundle->used = 0;
    put(bundle, &packet, sizeof packet);
}

/* Each command is an operation: they end in any order, one of them may fail, and the breadcrumb
 * comes behind the last. A predicate skips all of them. */
Test(gpu_flight, indirect_commands_of_a_predicated_bundle_are_in_flight_each)
{
    struct flight f;
    open(&f);
    emu_gpu_memory commands = allocate(f.gpu, 64), zero = allocate(f.gpu, 64);
    struct buffer bundle = buffer_create(f.gpu);
    for (uint32_t skips = 0; skips < 2; skips++)
        for (unsigned broken = 0; broken <= COMMANDS; broken++) {
            unsigned ahead = 0;
            put_indirect(&f, &bundle, commands, broken);
            f.list.used = 0;
            PUT(&f.list, EMU_PACKET_PREDICATE, predicate, zero.address, !skips, 0);
            put_call(&f.list, &bundle, 1);
            for (uint64_t seed = 0; seed < SEEDS; seed++) {
                enum emu_engine_status status = EMU_ENGINE_BUSY;
                begin(&f, 4, seed);
                while (status == EMU_ENGINE_BUSY) {
                    status = emu_engine_step(&f.engine);
                    const bool is_counted = ((uint32_t *)f.crumbs.cpu)[1] == 1;
                    cr_assert(!is_counted || skips || done_of(&f) == COMMANDS);
                    ahead += done_of(&f) == 0 && *word_of(&f, 2) == 1;
                }
                cr_assert_eq(status,
                             skips || broken == COMMANDS ? EMU_ENGINE_DONE : EMU_ENGINE_FAULT);
                cr_assert_eq(((uint32_t *)f.crumbs.cpu)[1], status == EMU_ENGINE_DONE);
                cr_assert(!skips || done_of(&f) == 0);
            }
            cr_expect(skips ? ahead == 0 : broken == 2 || ahead > 0, "%u: %u", broken, ahead);
        }
    emu_gpu_destroy(f.gpu);
}

/* A time stamp is the clock's when all work before is done; a copy is work like other work. */
Test(gpu_flight, time_stamps_wait_for_copies_and_copies_for_nothing)
{
    struct flight f;
    unsigned late = 0;
    open(&f);
    emu_gpu_memory stamp = allocate(f.gpu, 64), source = allocate(f.gpu, 64);
    *(uint32_t *)source.cpu = 1;
    put_copy(&f.list, f.data.address, source.address, sizeof(uint32_t));
    put_op(&f, 1, EMU_KERNEL_FILL);
    PUT(&f.list, EMU_PACKET_TIMESTAMP, timestamp, stamp.address);
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        uint64_t time = 1, done = 0;
        *(uint64_t *)stamp.cpu = 0;
        begin(&f, 4, seed);
        for (; (f.engine.time = time, emu_engine_step(&f.engine)) == EMU_ENGINE_BUSY; time++) {
            late += *word_of(&f, 0) == 0 && *word_of(&f, 1) == 1;
            if (done == 0 && done_of(&f) == 2)
                done = time;
            cr_assert(*(uint64_t *)stamp.cpu == 0 || (done > 0 && *(uint64_t *)stamp.cpu >= done));
        }
        cr_assert_geq(*(uint64_t *)stamp.cpu, done);
        cr_assert(done > 0);
    }
    cr_expect(late > 0);
    emu_gpu_destroy(f.gpu);
}
