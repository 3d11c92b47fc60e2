/*
 * The engine copies each packet out of GPU memory before it looks at it: the bytes belong to a
 * driver or to whatever wrote over them, and may change while they are read. Where progress goes is
 * remembered as addresses and translated on every write, so a wild progress address is a page fault
 * like any other.
 */
#include "gpu/engine.h"
#include "gpu/descriptor.h"
#include "gpu/kernel.h"
#include "gpu/progress.h"

#include <assert.h>
#include <string.h>

uint32_t emu_packet_size(uint32_t opcode)
{
    static const uint32_t sizes[] = {
        [EMU_PACKET_END] = sizeof(struct emu_packet_header),
        [EMU_PACKET_BARRIER] = sizeof(struct emu_packet_header),
        [EMU_PACKET_EXECUTION_END] = sizeof(struct emu_packet_header),
        [EMU_PACKET_QUEUE] = sizeof(struct emu_packet_queue),
        [EMU_PACKET_EXECUTION_BEGIN] = sizeof(struct emu_packet_execution_begin),
        [EMU_PACKET_CALL] = sizeof(struct emu_packet_call),
        [EMU_PACKET_MARKER] = sizeof(struct emu_packet_marker),
        [EMU_PACKET_COPY] = sizeof(struct emu_packet_copy),
        [EMU_PACKET_RESOLVE] = sizeof(struct emu_packet_copy),
        [EMU_PACKET_FILL] = sizeof(struct emu_packet_fill),
        [EMU_PACKET_PREDICATE] = sizeof(struct emu_packet_predicate),
        [EMU_PACKET_WRITE_IMMEDIATE] = sizeof(struct emu_packet_write_immediate),
        [EMU_PACKET_DISPATCH] = sizeof(struct emu_packet_dispatch),
        [EMU_PACKET_DRAW] = sizeof(struct emu_packet_dispatch),
        [EMU_PACKET_INDIRECT] = sizeof(struct emu_packet_indirect),
        [EMU_PACKET_BINDINGS] = sizeof(struct emu_packet_bindings),
        [EMU_PACKET_TIMESTAMP] = sizeof(struct emu_packet_timestamp),
    };
    return opcode < sizeof sizes / sizeof sizes[0] ? sizes[opcode] : 0;
}

void emu_engine_init(struct emu_engine *engine, emu_gpu *gpu)
{
    *engine = (struct emu_engine){.gpu = gpu};
}

static enum emu_engine_status fault(struct emu_engine *engine, enum emu_fault_reason reason,
                                    uint64_t address)
{
    engine->fault = (struct emu_fault){reason, address};
    return EMU_ENGINE_FAULT;
}

static enum emu_engine_status bad_packet(struct emu_engine *engine)
{
    return fault(engine, EMU_FAULT_PACKET, 0);
}

/* A buffer's bounds can't be trusted either: they come from CALL packets. */
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
    if (!push(engine, address, size, 0))
        engine->fault.reason = EMU_FAULT_PACKET;
}

/* ---- memory ---- */

/* All of it or a fault. */
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

/* Where the markers of what is running now go; 0: nowhere. */
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

static bool write_crumb(struct emu_engine *engine, uint32_t row, uint32_t value)
{
    return write_word(engine, engine->crumbs + (uint64_t)row * sizeof value, value, sizeof value);
}

/* One more in the buffer that runs now, up to a number that can't be taken for a word that was
 * never written. */
static enum emu_engine_status leave_crumb(struct emu_engine *engine)
{
    struct emu_engine_frame *frame = &engine->frames[engine->depth - 1];
    if (engine->crumbs == 0 || engine->depth == 1 || frame->crumbs == UINT32_MAX - 1)
        return EMU_ENGINE_BUSY;
    return write_crumb(engine, frame->row, ++frame->crumbs) ? EMU_ENGINE_BUSY : EMU_ENGINE_FAULT;
}

static uint64_t time_of(const struct emu_engine *engine)
{
    return engine->now ? engine->now(engine->clock) : engine->time;
}

static bool write_stamp(struct emu_engine *engine, uint64_t address)
{
    return write_word(engine, address, emu_gpu_stamp(engine->gpu, time_of(engine)),
                      engine->stamp_size);
}

/* The next one of the execution, as long as there is room. */
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
    if (marker->kind != EMU_MARKER_BEGIN)
        atomic_store_explicit(&progress->completed, marker->event_id, memory_order_release);
    if (engine->rows == 0) /* a queue has no packet that says so */
        atomic_store_explicit(&progress->state, EMU_PROGRESS_STARTED, memory_order_release);
    emu_gpu_access_end(&access);
    return EMU_ENGINE_BUSY;
}

/* From here on the engine runs the kernel that never ends. */
static enum emu_engine_status spin(struct emu_engine *engine)
{
    engine->packet.dispatch = (struct emu_packet_dispatch){
        .header = {EMU_PACKET_DISPATCH, sizeof(struct emu_packet_dispatch)},
        .kernel = EMU_KERNEL_SPIN,
        .groups = {1, 1, 1},
    };
    engine->working = true;
    return EMU_ENGINE_SPINNING;
}

static enum emu_engine_status hang(struct emu_engine *engine)
{
    const enum emu_gpu_hang_kind kind = emu_gpu_scripted_kind(engine->gpu);
    engine->is_ordered = true;
    if (kind == EMU_GPU_HANG_FAULTS)
        return fault(engine, EMU_FAULT_PAGE, EMU_GPU_ADDRESS_LIMIT);
    return kind == EMU_GPU_HANG_LOSES ? fault(engine, EMU_FAULT_LOST, 0) : spin(engine);
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
        return hang(engine);
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
        return hang(engine);
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
    return write_state(engine, row, EMU_PROGRESS_FINISHED) ? EMU_ENGINE_BUSY : EMU_ENGINE_FAULT;
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
    if (frame->row != 0 && !write_state(engine, current_row(engine), EMU_PROGRESS_FINISHED))
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

static enum emu_engine_status run_work(struct emu_engine *engine)
{
    uint64_t address = 0;
    enum emu_engine_status status;
    switch (engine->packet.header.opcode) {
    case EMU_PACKET_COPY:
    case EMU_PACKET_RESOLVE:
        status = emu_copy_step(engine->gpu, &engine->packet.copy, &engine->work_done, &address);
        break;
    case EMU_PACKET_FILL:
        status = emu_fill_step(engine->gpu, &engine->packet.fill, &engine->work_done, &address);
        break;
    default:
        status = emu_kernel_step(engine->gpu, &engine->packet.dispatch, engine->work_limits,
                                 &engine->work_done, &address);
    }
    if (status == EMU_ENGINE_FAULT)
        return fault(engine, EMU_FAULT_PAGE, address);
    engine->working = status != EMU_ENGINE_DONE;
    return status == EMU_ENGINE_SPINNING ? EMU_ENGINE_SPINNING : EMU_ENGINE_BUSY;
}

/* Puts what the descriptors say in the place of their addresses. */
static bool bind_descriptors(struct emu_engine *engine)
{
    struct emu_packet_dispatch *dispatch = &engine->packet.dispatch;
    for (uint32_t i = 0; i < 2; i++) {
        engine->work_limits[i] = UINT64_MAX;
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
        engine->work_limits[i] = descriptor.size;
    }
    return true;
}

static enum emu_engine_status start_work(struct emu_engine *engine)
{
    engine->work_done = 0;
    return run_work(engine);
}

static enum emu_engine_status start_fill(struct emu_engine *engine)
{
    const struct emu_packet_fill *fill = &engine->packet.fill;
    if (fill->unit == 0 || fill->unit > EMU_PACKET_PATTERN || fill->size % fill->unit != 0)
        return bad_packet(engine);
    return start_work(engine);
}

/* Puts what the caller of this bundle has bound in the place of what the bundle has not. */
static void inherit(struct emu_packet_dispatch *dispatch,
                    const struct emu_packet_bindings *bindings)
{
    for (uint32_t i = 0; i < 2; i++)
        if (dispatch->inherited & EMU_PACKET_INHERITS_ARGUMENT(i)) {
            dispatch->arguments[i] = bindings->arguments[i];
            dispatch->descriptors &= ~(1u << i);
            dispatch->descriptors |= bindings->descriptors & 1u << i;
        }
    for (uint32_t i = 0; i < EMU_PACKET_CONSTANTS; i++)
        if (dispatch->inherited & EMU_PACKET_INHERITS_CONSTANT(i))
            dispatch->constants[i] = bindings->constants[i];
}

static enum emu_engine_status start_dispatch(struct emu_engine *engine)
{
    const struct emu_packet_dispatch *dispatch = &engine->packet.dispatch;
    const bool draws = dispatch->header.opcode == EMU_PACKET_DRAW;
    if (dispatch->kernel == EMU_KERNEL_SCRIPTED)
        return emu_gpu_hangs_here(engine->gpu, EMU_GPU_HANG_AT_MARKER) ? hang(engine)
                                                                       : EMU_ENGINE_BUSY;
    if (dispatch->kernel > EMU_KERNEL_TOUCH)
        return bad_packet(engine);
    if (emu_gpu_hangs_here(engine->gpu, draws ? EMU_GPU_HANG_AT_DRAW : EMU_GPU_HANG_AT_DISPATCH))
        return hang(engine);
    if (dispatch->kernel == 0) /* a shader that is none of the built-in kernels does nothing */
        return EMU_ENGINE_BUSY;
    inherit(&engine->packet.dispatch, &engine->bindings[draws]);
    return bind_descriptors(engine) ? start_work(engine) : EMU_ENGINE_FAULT;
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

static bool is_nonsense(const struct emu_packet_indirect *packet)
{
    const uint32_t opcode = packet->work.header.opcode;
    return (opcode != EMU_PACKET_DISPATCH && opcode != EMU_PACKET_DRAW) ||
           packet->commands % sizeof(uint32_t) != 0 || packet->count % sizeof(uint32_t) != 0 ||
           packet->commands > EMU_GPU_ADDRESS_LIMIT ||
           (uint64_t)packet->max_count * packet->stride > EMU_GPU_ADDRESS_LIMIT;
}

static enum emu_engine_status start_indirect(struct emu_engine *engine)
{
    const struct emu_packet_indirect *packet = &engine->packet.indirect;
    uint32_t count = packet->max_count;
    if (is_nonsense(packet))
        return bad_packet(engine);
    if (packet->count != 0 && !read_bytes(engine, packet->count, &count, sizeof count))
        return EMU_ENGINE_FAULT;
    engine->indirect = *packet;
    engine->indirect_next = 0;
    engine->indirect_count = count < packet->max_count ? count : packet->max_count;
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
        indirect->commands + (uint64_t)engine->indirect_next * indirect->stride;
    engine->indirect_next++;
    if (!read_command(engine, address, &work))
        return EMU_ENGINE_FAULT;
    engine->packet.dispatch = work;
    return start_dispatch(engine);
}

static enum emu_engine_status run_write_immediate(struct emu_engine *engine,
                                                  const struct emu_packet_write_immediate *packet)
{
    struct emu_gpu_access access;
    if (packet->destination % sizeof packet->value != 0)
        return bad_packet(engine);
    if (!emu_gpu_access_begin(engine->gpu, packet->destination, sizeof packet->value, &access))
        return fault(engine, EMU_FAULT_PAGE, packet->destination);
    bool whole = access.size == sizeof packet->value;
    uint64_t end = packet->destination + access.size;
    if (whole) /* at once: the CPU may look at it */
        atomic_store_explicit((_Atomic uint32_t *)access.cpu, packet->value, memory_order_release);
    emu_gpu_access_end(&access);
    return whole ? EMU_ENGINE_BUSY : fault(engine, EMU_FAULT_PAGE, end);
}

static enum emu_engine_status run_timestamp(struct emu_engine *engine,
                                            const struct emu_packet_timestamp *packet)
{
    struct emu_gpu_access access;
    const uint64_t time = time_of(engine);
    if (!access_struct(engine, packet->destination, sizeof time, &access))
        return EMU_ENGINE_FAULT;
    memcpy(access.cpu, &time, sizeof time);
    emu_gpu_access_end(&access);
    return EMU_ENGINE_BUSY;
}

/* ---- the loop ---- */

/* Copies the next packet out of memory and checks its frame. */
static enum emu_engine_status fetch(struct emu_engine *engine)
{
    struct emu_engine_frame *frame = &engine->frames[engine->depth - 1];
    uint64_t left = frame->end - frame->next;
    engine->instruction = frame->next;
    engine->packet.header = (struct emu_packet_header){0};
    if (left < sizeof(struct emu_packet_header))
        return bad_packet(engine);
    struct emu_gpu_access access;
    /* What lies behind the frame's end is another list's: a thread may be writing it. */
    if (!emu_gpu_access_begin(engine->gpu, frame->next,
                              left < sizeof(union emu_packet) ? left : sizeof(union emu_packet),
                              &access))
        return fault(engine, EMU_FAULT_PAGE, frame->next);
    memcpy(&engine->packet, access.cpu, (size_t)access.size);
    uint64_t readable = access.size;
    emu_gpu_access_end(&access);
    engine->crumb = (engine->packet.header.opcode & EMU_PACKET_CRUMB) != 0;
    engine->stamp = (engine->packet.header.opcode & EMU_PACKET_STAMP) != 0;
    engine->packet.header.opcode &= ~(EMU_PACKET_CRUMB | EMU_PACKET_STAMP);
    uint32_t size = emu_packet_size(engine->packet.header.opcode);
    if (readable >= sizeof(struct emu_packet_header) &&
        (size == 0 || size != engine->packet.header.size))
        return bad_packet(engine);
    if (size > left)
        return bad_packet(engine);
    if (readable < sizeof(struct emu_packet_header) || readable < size)
        return fault(engine, EMU_FAULT_PAGE, frame->next + readable);
    frame->next += size;
    return EMU_ENGINE_BUSY;
}

static bool is_predicated(uint32_t opcode)
{
    return opcode == EMU_PACKET_COPY || opcode == EMU_PACKET_FILL ||
           opcode == EMU_PACKET_DISPATCH || opcode == EMU_PACKET_DRAW ||
           opcode == EMU_PACKET_INDIRECT;
}

static enum emu_engine_status run_packet(struct emu_engine *engine)
{
    const union emu_packet *packet = &engine->packet;
    if (engine->skips && is_predicated(packet->header.opcode))
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
        return start_work(engine);
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

/* Leaves the packet's breadcrumb and time stamp when the last of its work is done. */
static enum emu_engine_status settle(struct emu_engine *engine, enum emu_engine_status status)
{
    const bool crumb = engine->crumb, stamp = engine->stamp;
    if (!(crumb | stamp) || status != EMU_ENGINE_BUSY || engine->working ||
        engine->indirect_next < engine->indirect_count)
        return status;
    if (stamp && leave_stamp(engine) != EMU_ENGINE_BUSY)
        return EMU_ENGINE_FAULT;
    return crumb ? leave_crumb(engine) : EMU_ENGINE_BUSY;
}

enum emu_engine_status emu_engine_step(struct emu_engine *engine)
{
    if (engine->fault.reason != EMU_FAULT_NONE)
        return EMU_ENGINE_FAULT;
    if (engine->working)
        return settle(engine, run_work(engine));
    if (engine->indirect_next < engine->indirect_count)
        return settle(engine, step_indirect(engine));
    if (engine->depth == 0)
        return EMU_ENGINE_DONE;
    struct emu_engine_frame *frame = &engine->frames[engine->depth - 1];
    if (frame->next == frame->end)
        return settle(engine, run_end(engine));
    enum emu_engine_status status = fetch(engine);
    return status == EMU_ENGINE_BUSY ? settle(engine, run_packet(engine)) : status;
}
