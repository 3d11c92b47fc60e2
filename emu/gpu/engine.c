/* The engine copies each packet out of GPU memory before it reads the packet: a driver, or a wrong
 * write, may change the bytes at any time. Places for progress are stored as addresses, which are
 * translated on every write. So a wild progress address is a page fault like any other. */
#include "gpu/engine.h"
#include "gpu/descriptor.h"
#include "gpu/kernel.h"
#include "gpu/progress.h"

#include <assert.h>
#include <string.h>

void emu_engine_init(struct emu_engine *engine, emu_gpu *gpu)
{
    *engine = (struct emu_engine){.gpu = gpu, .width = 1, .last = engine->ops};
}

static enum emu_engine_status fault(struct emu_engine *engine, enum emu_fault_reason reason,
                                    uint64_t address)
{
    engine->fault = (struct emu_fault){reason, address};
    return EMU_ENGINE_FAULT;
}

/* ---- operations in flight ---- */

/* The generator has the constants of Knuth's MMIX. */
static uint32_t random_below(struct emu_engine *engine, uint32_t limit)
{
    engine->random = engine->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(engine->random >> 33) % limit;
}

/* Returns the operation that the front end has. */
static struct emu_engine_op *front(struct emu_engine *engine)
{
    return &engine->ops[engine->issued % EMU_ENGINE_SLOTS];
}

static bool is_drained(const struct emu_engine *engine)
{
    return engine->retired == engine->issued;
}

void emu_engine_at(const struct emu_engine *engine, struct emu_engine_place *out)
{
    const struct emu_engine_op *oldest = &engine->ops[engine->retired % EMU_ENGINE_SLOTS];
    *out = (struct emu_engine_place){engine->instruction, engine->opcode, engine->instruction};
    if (is_drained(engine))
        return;
    out->oldest = oldest->instruction;
    out->opcode = oldest->packet.header.opcode;
    out->newest = engine->ops[(engine->issued - 1) % EMU_ENGINE_SLOTS].instruction;
}

static enum emu_engine_status bad_packet(struct emu_engine *engine)
{
    return fault(engine, EMU_FAULT_PACKET, 0);
}

/* Begins a buffer. The buffer's bounds come from CALL packets, so they can't be trusted either. */
static bool push(struct emu_engine *engine, uint64_t address, uint64_t size, uint32_t row)
{
    if (engine->depth == EMU_PACKET_DEPTH || address % EMU_PACKET_ALIGNMENT != 0 ||
        size > UINT64_MAX - address)
        return false;
    engine->frames[engine->depth++] =
        (struct emu_engine_frame){.next = address, .end = address + size, .row = row};
    return true;
}

void emu_engine_start(struct emu_engine *engine, uint64_t address, uint64_t size)
{
    assert(engine->depth == 0 && engine->fault.reason == EMU_FAULT_NONE);
    engine->queue_progress = engine->queue_stamps = 0;
    engine->rows = 0;
    engine->stamps_left = 0;
    engine->stamp_size = emu_gpu_stamp_size(engine->gpu);
    engine->instruction = address;
    engine->freezes = engine->width == 1 || random_below(engine, 2) != 0;
    if (!push(engine, address, size, 0))
        engine->fault.reason = EMU_FAULT_PACKET;
}

/* ---- memory ---- */

/* Reads or writes all bytes, or causes a fault. */
static bool access_bytes(struct emu_engine *engine, uint64_t address, size_t size,
                         struct emu_gpu_access *access)
{
    fault(engine, EMU_FAULT_PAGE, address);
    if (!emu_gpu_access_begin(engine->gpu, address, size, access))
        return false;
    if (access->size < size) {
        engine->fault.address = address + access->size;
        emu_gpu_access_end(access);
        return false;
    }
    engine->fault = (struct emu_fault){0};
    return true;
}

static bool access_struct(struct emu_engine *engine, uint64_t address, size_t size,
                          struct emu_gpu_access *access)
{
    if (address % _Alignof(uint64_t) == 0)
        return access_bytes(engine, address, size, access);
    fault(engine, EMU_FAULT_PACKET, 0);
    return false;
}

static bool read_bytes(struct emu_engine *engine, uint64_t address, void *out, size_t size)
{
    struct emu_gpu_access access;
    if (!access_bytes(engine, address, size, &access))
        return false;
    memcpy(out, access.cpu, size);
    emu_gpu_access_end(&access);
    return true;
}

/* ---- progress ---- */

/* Returns the row for the markers of the running buffer; 0: no row. */
static uint64_t current_row(const struct emu_engine *engine)
{
    if (engine->rows == 0)
        return engine->queue_progress;
    return engine->rows + engine->frames[engine->depth - 1].row * sizeof(struct emu_progress);
}

static bool write_state(struct emu_engine *engine, uint64_t row, enum emu_progress_state state)
{
    struct emu_gpu_access access;
    if (!access_struct(engine, row, sizeof(struct emu_progress), &access))
        return false;
    struct emu_progress *progress = access.cpu;
    atomic_store_explicit(&progress->state, state, memory_order_release);
    emu_gpu_access_end(&access);
    return true;
}

static bool write_word(struct emu_engine *engine, uint64_t address, uint64_t value, uint32_t size)
{
    if ((address & (size - 1)) != 0) {
        bad_packet(engine);
        return false;
    }
    if (emu_gpu_store(engine->gpu, address, value, size))
        return true;
    fault(engine, EMU_FAULT_PAGE, address);
    return false;
}

/* Stores at once, because the CPU may be looking. */
static bool store(struct emu_engine *engine, uint64_t address, uint64_t value, uint32_t size)
{
    struct emu_gpu_access access;
    if (!access_bytes(engine, address, size, &access))
        return false;
    if (size == sizeof value)
        atomic_store_explicit((_Atomic uint64_t *)access.cpu, value, memory_order_release);
    else
        atomic_store_explicit((_Atomic uint32_t *)access.cpu, (uint32_t)value,
                              memory_order_release);
    emu_gpu_access_end(&access);
    return true;
}

static uint64_t time_of(const struct emu_engine *engine)
{
    return engine->now ? engine->now(engine->clock) : engine->time;
}

static uint64_t value_of(const struct emu_engine *engine, uint64_t value, enum emu_engine_time time)
{
    return time == EMU_ENGINE_NO_TIME ? value
           : time == EMU_ENGINE_TIME  ? time_of(engine)
                                      : emu_gpu_stamp(engine->gpu, time_of(engine));
}

/* Writes when all work before it is done: now or later. is_ready has checked that there is room. */
static bool write_behind(struct emu_engine *engine, uint64_t address, uint64_t value, uint32_t size,
                         enum emu_engine_time time)
{
    if (is_drained(engine))
        return write_word(engine, address, value_of(engine, value, time), size);
    engine->writes[(engine->first_write + engine->write_count++) % EMU_ENGINE_WRITES] =
        (struct emu_engine_write){engine->issued, address, value, size, time};
    if ((address & (size - 1)) != 0)
        bad_packet(engine);
    return engine->fault.reason == EMU_FAULT_NONE;
}

static bool write_crumb(struct emu_engine *engine, uint32_t row, uint32_t value)
{
    return write_behind(engine, engine->crumbs + (uint64_t)row * sizeof value, value, sizeof value,
                        EMU_ENGINE_NO_TIME);
}

/* Sets the execution's state to FINISHED. */
static bool write_finished(struct emu_engine *engine, uint64_t row)
{
    return is_drained(engine)
               ? write_state(engine, row, EMU_PROGRESS_FINISHED)
               : write_behind(engine, row + offsetof(struct emu_progress, state),
                              EMU_PROGRESS_FINISHED, sizeof(uint32_t), EMU_ENGINE_NO_TIME);
}

static bool write_stamp(struct emu_engine *engine, uint64_t address)
{
    return write_behind(engine, address, 0, engine->stamp_size, EMU_ENGINE_STAMP);
}

/* Leaves the next breadcrumb of the buffer; the breadcrumb never equals an unwritten word. */
static enum emu_engine_status leave_crumb(struct emu_engine *engine)
{
    struct emu_engine_frame *frame = &engine->frames[engine->depth - 1];
    if (engine->crumbs == 0 || engine->depth == 1 || frame->crumbs == UINT32_MAX - 1)
        return EMU_ENGINE_BUSY;
    return write_crumb(engine, frame->row, ++frame->crumbs) ? EMU_ENGINE_BUSY : EMU_ENGINE_FAULT;
}

/* Retires what is done, in order, with the writes that waited for it. */
static enum emu_engine_status retire(struct emu_engine *engine)
{
    while (!is_drained(engine) && engine->ops[engine->retired % EMU_ENGINE_SLOTS].is_over)
        engine->retired++;
    for (; engine->write_count > 0; engine->write_count--) {
        const struct emu_engine_write *write = &engine->writes[engine->first_write];
        if (write->after > engine->retired)
            break;
        engine->first_write = (engine->first_write + 1) % EMU_ENGINE_WRITES;
        if (!store(engine, write->address, value_of(engine, write->value, write->time),
                   write->size))
            return EMU_ENGINE_FAULT;
    }
    return EMU_ENGINE_BUSY;
}

/* Leaves the execution's next time stamp, as long as there is room. */
static enum emu_engine_status leave_stamp(struct emu_engine *engine)
{
    const uint64_t address = engine->stamps;
    if (engine->stamps_left == 0)
        return EMU_ENGINE_BUSY;
    engine->stamps_left--;
    engine->stamps += engine->stamp_size;
    return write_stamp(engine, address) ? EMU_ENGINE_BUSY : EMU_ENGINE_FAULT;
}

static enum emu_engine_status run_marker(struct emu_engine *engine,
                                         const struct emu_packet_marker *marker)
{
    if (marker->kind < EMU_MARKER_BEGIN || marker->kind > EMU_MARKER_END)
        return bad_packet(engine);
    uint64_t row = current_row(engine);
    if (row == 0 || marker->event_id == 0)
        return EMU_ENGINE_BUSY;
    struct emu_gpu_access access;
    if (!access_struct(engine, row, sizeof(struct emu_progress), &access))
        return EMU_ENGINE_FAULT;
    struct emu_progress *progress = access.cpu;
    if (marker->kind != EMU_MARKER_END)
        atomic_store_explicit(&progress->started, marker->event_id, memory_order_release);
    if (marker->kind != EMU_MARKER_BEGIN && is_drained(engine))
        atomic_store_explicit(&progress->completed, marker->event_id, memory_order_release);
    else if (marker->kind != EMU_MARKER_BEGIN)
        write_behind(engine, row + offsetof(struct emu_progress, completed), marker->event_id,
                     sizeof marker->event_id, EMU_ENGINE_NO_TIME);
    if (engine->rows == 0) /* a queue has no packet that says so */
        atomic_store_explicit(&progress->state, EMU_PROGRESS_STARTED, memory_order_release);
    emu_gpu_access_end(&access);
    return EMU_ENGINE_BUSY;
}

static enum emu_engine_status issue(struct emu_engine *engine);

/* Puts an operation in flight that never ends, or that touches memory which is never mapped. */
static enum emu_engine_status hang(struct emu_engine *engine)
{
    const enum emu_gpu_hang_kind kind = emu_gpu_scripted_kind(engine->gpu);
    const bool faults = kind == EMU_GPU_HANG_FAULTS;
    engine->is_ordered = true;
    if (kind == EMU_GPU_HANG_LOSES)
        return fault(engine, EMU_FAULT_LOST, 0);
    front(engine)->packet.dispatch = (struct emu_packet_dispatch){
        .header = {EMU_PACKET_DISPATCH, sizeof(struct emu_packet_dispatch)},
        .kernel = faults ? EMU_KERNEL_TOUCH : EMU_KERNEL_SPIN,
        .groups = {1, 1, 1},
        .constants = {(uint32_t)EMU_GPU_ADDRESS_LIMIT, (uint32_t)(EMU_GPU_ADDRESS_LIMIT >> 32)},
    };
    return issue(engine);
}

/* Stops the front end for ever: it waits for an operation that never ends. */
static enum emu_engine_status hang_front(struct emu_engine *engine)
{
    const enum emu_engine_status status = hang(engine);
    front(engine)->packet.header = (struct emu_packet_header){EMU_PACKET_BARRIER, 0};
    engine->is_held = true;
    return status;
}

static enum emu_engine_status run_queue(struct emu_engine *engine,
                                        const struct emu_packet_queue *packet)
{
    if (engine->depth != 1 || engine->rows != 0 || packet->stamps > EMU_GPU_ADDRESS_LIMIT ||
        packet->stamps % _Alignof(uint64_t) != 0)
        return bad_packet(engine);
    struct emu_gpu_access access;
    if (!access_struct(engine, packet->progress, sizeof(struct emu_queue_progress), &access))
        return EMU_ENGINE_FAULT;
    struct emu_queue_progress *progress = access.cpu;
    atomic_store_explicit(&progress->sequence, packet->sequence, memory_order_release);
    emu_gpu_access_end(&access);
    engine->queue_progress = packet->progress;
    engine->queue_stamps = packet->stamps;
    if (engine->queue_stamps != 0 && !write_stamp(engine, engine->queue_stamps))
        return EMU_ENGINE_FAULT;
    if (emu_gpu_hangs_here(engine->gpu, EMU_GPU_HANG_AT_SUBMISSION))
        return hang_front(engine);
    return EMU_ENGINE_BUSY;
}

static enum emu_engine_status run_execution_begin(struct emu_engine *engine,
                                                  const struct emu_packet_execution_begin *packet)
{
    if (engine->depth != 1 || engine->rows != 0 || packet->rows == 0 || packet->row_count == 0 ||
        packet->rows > EMU_GPU_ADDRESS_LIMIT || packet->crumbs > EMU_GPU_ADDRESS_LIMIT ||
        packet->crumbs % sizeof(uint32_t) != 0 || packet->stamps > EMU_GPU_ADDRESS_LIMIT ||
        packet->stamps % sizeof(uint32_t) != 0)
        return bad_packet(engine);
    if (emu_gpu_hangs_here(engine->gpu, EMU_GPU_HANG_BEFORE_LIST))
        return hang_front(engine);
    if (!write_state(engine, packet->rows, EMU_PROGRESS_STARTED))
        return EMU_ENGINE_FAULT;
    engine->rows = packet->rows;
    engine->row_count = packet->row_count;
    engine->crumbs = packet->crumbs;
    engine->stamps = packet->stamps;
    engine->stamps_left = packet->stamps != 0 ? packet->stamp_count : 0;
    engine->skips = false;
    memset(engine->bindings, 0, sizeof engine->bindings);
    return engine->crumbs == 0 || write_crumb(engine, 0, 0) ? EMU_ENGINE_BUSY : EMU_ENGINE_FAULT;
}

static enum emu_engine_status run_execution_end(struct emu_engine *engine)
{
    if (engine->depth != 1 || engine->rows == 0)
        return bad_packet(engine);
    uint64_t row = engine->rows;
    engine->rows = engine->crumbs = 0;
    engine->stamps_left = 0;
    return write_finished(engine, row) ? EMU_ENGINE_BUSY : EMU_ENGINE_FAULT;
}

/* ---- flow ---- */

static enum emu_engine_status run_call(struct emu_engine *engine,
                                       const struct emu_packet_call *call)
{
    if (call->row != 0 && (engine->rows == 0 || call->row >= engine->row_count))
        return bad_packet(engine);
    if (!push(engine, call->address, call->size, call->row))
        return bad_packet(engine);
    engine->frames[engine->depth - 1].crumb_behind = engine->crumb;
    engine->frames[engine->depth - 1].stamp_behind = engine->stamp;
    engine->crumb = engine->stamp = false;
    if (call->row != 0 && (!write_state(engine, current_row(engine), EMU_PROGRESS_STARTED) ||
                           (engine->crumbs != 0 && !write_crumb(engine, call->row, 0))))
        return EMU_ENGINE_FAULT;
    return EMU_ENGINE_BUSY;
}

static enum emu_engine_status run_end(struct emu_engine *engine)
{
    const struct emu_engine_frame *frame = &engine->frames[engine->depth - 1];
    if (frame->row != 0 && !write_finished(engine, current_row(engine)))
        return EMU_ENGINE_FAULT;
    engine->crumb = frame->crumb_behind;
    engine->stamp = frame->stamp_behind;
    if (engine->depth == 1 && engine->queue_stamps != 0 &&
        !write_stamp(engine, engine->queue_stamps + engine->stamp_size))
        return EMU_ENGINE_FAULT;
    engine->depth--;
    return engine->depth == 0 ? EMU_ENGINE_DONE : EMU_ENGINE_BUSY;
}

/* ---- work ---- */

static enum emu_engine_status write_immediate(struct emu_engine *engine,
                                              const struct emu_packet_write_immediate *packet)
{
    if (packet->destination % sizeof packet->value != 0)
        return bad_packet(engine);
    return store(engine, packet->destination, packet->value, sizeof packet->value)
               ? EMU_ENGINE_DONE
               : EMU_ENGINE_FAULT;
}

/* Does one piece of a long operation. */
static inline enum emu_engine_status run_piece(struct emu_engine *engine, struct emu_engine_op *op)
{
    uint64_t address = 0;
    enum emu_engine_status status;
    engine->last = op;
    switch (op->packet.header.opcode) {
    case EMU_PACKET_COPY:
    case EMU_PACKET_RESOLVE:
        status = emu_copy_step(engine->gpu, &op->packet.copy, &op->done, &address);
        break;
    case EMU_PACKET_FILL:
        status = emu_fill_step(engine->gpu, &op->packet.fill, &op->done, &address);
        break;
    case EMU_PACKET_WRITE_IMMEDIATE:
        return write_immediate(engine, &op->packet.write_immediate);
    default:
        status =
            emu_kernel_step(engine->gpu, &op->packet.dispatch, op->limits, &op->done, &address);
    }
    return status == EMU_ENGINE_FAULT ? fault(engine, EMU_FAULT_PAGE, address) : status;
}

/* If an operation never ends or faults, the seed decides whether the other operations go on. */
static enum emu_engine_status run_op(struct emu_engine *engine, struct emu_engine_op *op)
{
    const enum emu_engine_status status = run_piece(engine, op);
    op->is_over = status == EMU_ENGINE_DONE;
    if (op->is_over)
        return retire(engine);
    if (status == EMU_ENGINE_BUSY || engine->freezes)
        return status;
    op->is_stuck = true;
    if (status == EMU_ENGINE_FAULT && engine->late_fault.reason == EMU_FAULT_NONE)
        engine->late_fault = engine->fault;
    engine->fault = (struct emu_fault){0};
    return EMU_ENGINE_BUSY;
}

/* Puts the front end's operation in flight, unless it is alone and done at once. */
static enum emu_engine_status issue(struct emu_engine *engine)
{
    struct emu_engine_op *op = front(engine);
    op->done = 0;
    const enum emu_engine_status status =
        engine->width == 1 ? run_piece(engine, op) : EMU_ENGINE_BUSY;
    op->is_over = status == EMU_ENGINE_DONE;
    op->is_stuck = false;
    if (op->is_over)
        return EMU_ENGINE_BUSY;
    op->instruction = engine->instruction;
    engine->issued++;
    return status;
}

/* Replaces the addresses of descriptors by the values in the descriptors. */
static bool bind_descriptors(struct emu_engine *engine)
{
    struct emu_engine_op *op = front(engine);
    struct emu_packet_dispatch *dispatch = &op->packet.dispatch;
    for (uint32_t i = 0; i < 2; i++) {
        op->limits[i] = UINT64_MAX;
        if ((dispatch->descriptors & 1u << i) == 0)
            continue;
        struct emu_gpu_access access;
        struct emu_descriptor descriptor;
        if (!access_struct(engine, dispatch->arguments[i], sizeof descriptor, &access))
            return false;
        memcpy(&descriptor, access.cpu, sizeof descriptor);
        emu_gpu_access_end(&access);
        if (descriptor.kind < (i == 0 ? EMU_DESCRIPTOR_READ_WRITE : EMU_DESCRIPTOR_CONSTANTS) ||
            descriptor.kind > EMU_DESCRIPTOR_READ_WRITE) {
            bad_packet(engine);
            return false;
        }
        dispatch->arguments[i] = descriptor.address;
        op->limits[i] = descriptor.size;
    }
    return true;
}

static enum emu_engine_status start_fill(struct emu_engine *engine)
{
    const struct emu_packet_fill *fill = &front(engine)->packet.fill;
    if (fill->unit == 0 || fill->unit > EMU_PACKET_PATTERN || fill->size % fill->unit != 0)
        return bad_packet(engine);
    return issue(engine);
}

static enum emu_engine_status start_dispatch(struct emu_engine *engine)
{
    struct emu_packet_dispatch *dispatch = &front(engine)->packet.dispatch;
    const bool draws = dispatch->header.opcode == EMU_PACKET_DRAW;
    if (dispatch->kernel == EMU_KERNEL_SCRIPTED)
        return emu_gpu_hangs_here(engine->gpu, EMU_GPU_HANG_AT_MARKER) ? hang(engine)
                                                                       : EMU_ENGINE_BUSY;
    if (dispatch->kernel > EMU_KERNEL_TOUCH)
        return bad_packet(engine);
    if (emu_gpu_hangs_here(engine->gpu, draws ? EMU_GPU_HANG_AT_DRAW : EMU_GPU_HANG_AT_DISPATCH))
        return hang(engine);
    if (dispatch->kernel == 0) /* a shader that is no built-in kernel does nothing */
        return EMU_ENGINE_BUSY;
    if (dispatch->inherited != 0)
        emu_packet_inherit(dispatch, &engine->bindings[draws]);
    return bind_descriptors(engine) ? issue(engine) : EMU_ENGINE_FAULT;
}

static enum emu_engine_status run_bindings(struct emu_engine *engine,
                                           const struct emu_packet_bindings *packet)
{
    if (packet->draws > 1)
        return bad_packet(engine);
    engine->bindings[packet->draws] = *packet;
    return EMU_ENGINE_BUSY;
}

static enum emu_engine_status run_predicate(struct emu_engine *engine,
                                            const struct emu_packet_predicate *packet)
{
    uint64_t value = 0;
    if (packet->skips_if > 1)
        return bad_packet(engine);
    if (packet->address != 0 && !read_bytes(engine, packet->address, &value, sizeof value))
        return EMU_ENGINE_FAULT;
    engine->skips = packet->address != 0 && (value != 0) == (packet->skips_if != 0);
    return EMU_ENGINE_BUSY;
}

/* ---- indirect work ---- */

static enum emu_engine_status start_indirect(struct emu_engine *engine)
{
    const struct emu_packet_indirect *packet = &front(engine)->packet.indirect;
    const uint32_t max = packet->max_count;
    uint32_t count = max;
    if (!emu_packet_indirect_is_valid(packet))
        return bad_packet(engine);
    if (packet->count != 0 && !read_bytes(engine, packet->count, &count, sizeof count))
        return EMU_ENGINE_FAULT;
    engine->indirect = *packet;
    engine->command = (struct emu_engine_command){0, count < max ? count : max, count, max, 0, {0}};
    return EMU_ENGINE_BUSY;
}

/* Reads a member of the command at `address`, unless commands don't have it. */
static bool read_member(struct emu_engine *engine, uint64_t address, uint32_t offset, void *out,
                        size_t size)
{
    return offset == EMU_PACKET_NOWHERE || read_bytes(engine, address + offset, out, size);
}

static bool read_command(struct emu_engine *engine, uint64_t address,
                         struct emu_packet_dispatch *work)
{
    const struct emu_packet_indirect *indirect = &engine->indirect;
    const size_t words = work->header.opcode == EMU_PACKET_DISPATCH ? 3 : 2;
    if (!read_member(engine, address, indirect->groups_offset, work->groups,
                     words * sizeof(uint32_t)))
        return false;
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t offset = indirect->argument_offsets[i];
        if (!read_member(engine, address, offset, &work->arguments[i], sizeof work->arguments[i]))
            return false;
        if (offset != EMU_PACKET_NOWHERE) {
            work->descriptors &= ~(1u << i);
            work->inherited &= ~EMU_PACKET_INHERITS_ARGUMENT(i);
        }
    }
    for (uint32_t i = 0; i < EMU_PACKET_CONSTANTS; i++) {
        const uint32_t offset = indirect->constant_offsets[i];
        if (!read_member(engine, address, offset, &work->constants[i], sizeof work->constants[i]))
            return false;
        if (offset != EMU_PACKET_NOWHERE)
            work->inherited &= ~EMU_PACKET_INHERITS_CONSTANT(i);
    }
    return true;
}

static enum emu_engine_status step_indirect(struct emu_engine *engine)
{
    const struct emu_packet_indirect *indirect = &engine->indirect;
    struct emu_packet_dispatch work = indirect->work;
    const uint64_t address =
        indirect->commands + (uint64_t)engine->command.number++ * indirect->stride;
    struct emu_engine_op *op = front(engine);
    const bool is_read = read_command(engine, address, &work);
    engine->command.opcode = is_read ? work.header.opcode : 0;
    memcpy(engine->command.groups, work.groups, sizeof work.groups);
    op->packet.dispatch = work;
    op->command = engine->command;
    engine->last = op;
    op->is_over = false;
    return is_read ? start_dispatch(engine) : EMU_ENGINE_FAULT;
}

/* DEFAULT is work like a copy. AT_START is written when all work before has begun, AT_END when this
 * work is done. */
static enum emu_engine_status run_write_immediate(struct emu_engine *engine,
                                                  const struct emu_packet_write_immediate *packet)
{
    enum { AT_START = 1, AT_END = 2 };
    if (is_drained(engine) || packet->mode == AT_START)
        return write_immediate(engine, packet) == EMU_ENGINE_DONE ? EMU_ENGINE_BUSY
                                                                  : EMU_ENGINE_FAULT;
    if (packet->mode == AT_END)
        return write_behind(engine, packet->destination, packet->value, sizeof packet->value,
                            EMU_ENGINE_NO_TIME)
                   ? EMU_ENGINE_BUSY
                   : EMU_ENGINE_FAULT;
    return issue(engine);
}

static enum emu_engine_status run_timestamp(struct emu_engine *engine,
                                            const struct emu_packet_timestamp *packet)
{
    return write_behind(engine, packet->destination, 0, sizeof(uint64_t), EMU_ENGINE_TIME)
               ? EMU_ENGINE_BUSY
               : EMU_ENGINE_FAULT;
}

/* ---- the loop ---- */

/* Copies the next packet out of memory and checks the packet's frame. */
static enum emu_engine_status fetch(struct emu_engine *engine)
{
    struct emu_engine_frame *frame = &engine->frames[engine->depth - 1];
    union emu_packet *packet = &front(engine)->packet;
    uint64_t left = frame->end - frame->next;
    engine->instruction = frame->next;
    engine->opcode = 0;
    front(engine)->command.number = 0;
    if (left < sizeof(struct emu_packet_header))
        return bad_packet(engine);
    packet->header = (struct emu_packet_header){0};
    /* What lies behind the frame's end is another list's: a thread may be writing it. */
    const uint64_t readable = emu_gpu_load(engine->gpu, frame->next, packet,
                                           left < sizeof *packet ? left : sizeof *packet);
    if (readable == 0)
        return fault(engine, EMU_FAULT_PAGE, frame->next);
    engine->crumb = (packet->header.opcode & EMU_PACKET_CRUMB) != 0;
    engine->stamp = (packet->header.opcode & EMU_PACKET_STAMP) != 0;
    packet->header.opcode &= ~(EMU_PACKET_CRUMB | EMU_PACKET_STAMP);
    engine->opcode = packet->header.opcode;
    uint32_t size = emu_packet_size(packet->header.opcode);
    if (readable >= sizeof(struct emu_packet_header) && (size == 0 || size != packet->header.size))
        return bad_packet(engine);
    if (size > left)
        return bad_packet(engine);
    if (readable < sizeof(struct emu_packet_header) || readable < size)
        return fault(engine, EMU_FAULT_PAGE, frame->next + readable);
    frame->next += size;
    return EMU_ENGINE_BUSY;
}

static enum emu_engine_status run_packet(struct emu_engine *engine)
{
    const union emu_packet *packet = &front(engine)->packet;
    if (engine->skips && emu_packet_is_predicated(packet->header.opcode))
        return EMU_ENGINE_BUSY;
    switch (packet->header.opcode) {
    case EMU_PACKET_END:
        return run_end(engine);
    case EMU_PACKET_QUEUE:
        return run_queue(engine, &packet->queue);
    case EMU_PACKET_EXECUTION_BEGIN:
        return run_execution_begin(engine, &packet->execution_begin);
    case EMU_PACKET_EXECUTION_END:
        return run_execution_end(engine);
    case EMU_PACKET_CALL:
        return run_call(engine, &packet->call);
    case EMU_PACKET_MARKER:
        return run_marker(engine, &packet->marker);
    case EMU_PACKET_WRITE_IMMEDIATE:
        return run_write_immediate(engine, &packet->write_immediate);
    case EMU_PACKET_TIMESTAMP:
        return run_timestamp(engine, &packet->timestamp);
    case EMU_PACKET_PREDICATE:
        return run_predicate(engine, &packet->predicate);
    case EMU_PACKET_COPY:
    case EMU_PACKET_RESOLVE:
        return issue(engine);
    case EMU_PACKET_FILL:
        return start_fill(engine);
    case EMU_PACKET_DISPATCH:
    case EMU_PACKET_DRAW:
        return start_dispatch(engine);
    case EMU_PACKET_INDIRECT:
        return start_indirect(engine);
    case EMU_PACKET_BINDINGS:
        return run_bindings(engine, &packet->bindings);
    case EMU_PACKET_BARRIER:
    default:
        return EMU_ENGINE_BUSY;
    }
}

/* Leaves the packet's breadcrumb and time stamp when all of the packet's work is done. */
static enum emu_engine_status settle(struct emu_engine *engine, enum emu_engine_status status)
{
    const bool crumb = engine->crumb, stamp = engine->stamp;
    if (!(crumb | stamp) || status != EMU_ENGINE_BUSY ||
        engine->command.number < engine->command.count)
        return status;
    if (stamp && leave_stamp(engine) != EMU_ENGINE_BUSY)
        return EMU_ENGINE_FAULT;
    return crumb ? leave_crumb(engine) : EMU_ENGINE_BUSY;
}

/* Whether the front end may go on while work is in flight: to more work while there is room, and
 * never past a packet that waits for all work. */
static bool is_ready(struct emu_engine *engine)
{
    const struct emu_engine_frame *frame = &engine->frames[engine->depth - 1];
    const bool has_room = engine->issued - engine->retired < engine->width;
    if (is_drained(engine))
        return true;
    if (engine->write_count > EMU_ENGINE_WRITES - EMU_ENGINE_WRITES_AT_ONCE)
        return false;
    if (engine->command.number < engine->command.count)
        return has_room;
    if (!engine->is_held)
        return frame->next != frame->end || engine->depth > 1;
    switch (front(engine)->packet.header.opcode) {
    case EMU_PACKET_END:
        return engine->depth > 1;
    case EMU_PACKET_BARRIER:
    case EMU_PACKET_RESOLVE: /* RESOLVE also reads the GPU's own queries */
        return false;
    case EMU_PACKET_COPY:
    case EMU_PACKET_FILL:
    case EMU_PACKET_DISPATCH:
    case EMU_PACKET_DRAW:
    case EMU_PACKET_WRITE_IMMEDIATE:
        return has_room;
    default:
        return true;
    }
}

static enum emu_engine_status step_front(struct emu_engine *engine)
{
    const struct emu_engine_frame *frame = &engine->frames[engine->depth - 1];
    if (engine->command.number < engine->command.count)
        return settle(engine, step_indirect(engine));
    if (!engine->is_held) {
        if (frame->next == frame->end)
            return settle(engine, run_end(engine));
        const enum emu_engine_status status = fetch(engine);
        if (status != EMU_ENGINE_BUSY)
            return status;
        engine->is_held = !is_drained(engine);
        if (engine->is_held && !is_ready(engine))
            return EMU_ENGINE_BUSY;
    }
    engine->is_held = false;
    return settle(engine, run_packet(engine));
}

/* Chooses an operation in flight, or the front end: NULL. False: none of them can go on. */
static bool choose(struct emu_engine *engine, struct emu_engine_op **chosen)
{
    struct emu_engine_op *ops[EMU_GPU_IN_FLIGHT + 1];
    uint32_t count = 0;
    for (uint64_t i = engine->retired; i != engine->issued; i++) {
        struct emu_engine_op *op = &engine->ops[i % EMU_ENGINE_SLOTS];
        if (!op->is_over && !op->is_stuck)
            ops[count++] = op;
    }
    if (engine->width > 1 && is_ready(engine))
        ops[count++] = NULL;
    if (count > 0)
        *chosen = ops[count > 1 ? random_below(engine, count) : 0];
    return count > 0;
}

enum emu_engine_status emu_engine_step(struct emu_engine *engine)
{
    struct emu_engine_op *op = NULL;
    if (engine->fault.reason != EMU_FAULT_NONE)
        return EMU_ENGINE_FAULT;
    if (engine->depth == 0)
        return EMU_ENGINE_DONE;
    if (is_drained(engine) || choose(engine, &op))
        return op ? run_op(engine, op) : step_front(engine);
    engine->fault = engine->late_fault;
    return engine->fault.reason == EMU_FAULT_NONE ? EMU_ENGINE_SPINNING : EMU_ENGINE_FAULT;
}
