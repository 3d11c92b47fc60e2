/* The tests of the emulator's lower layers share command buffers written by hand, and memory that
 * runs out. */
#pragma once

#include "asserts.h"
#include "at_end.h"
#include "gpu/engine.h"
#include "gpu/memory.h"
#include "gpu/progress.h"
#include "kmd/kmd.h"

#include <emu/emu.h>

#include <string.h>

/* `r` for this block, of the file's own kind. */
#define RIG(...)                                                                                   \
    AT_END(rig_finish) struct rig r;                                                               \
    rig_init(&r, __VA_ARGS__)

/* A kernel above `gpu_` that tells `user_`, with what else it is to be. */
#define KMD(gpu_, user_, ...)                                                                      \
    kmd_made(&(struct emu_kmd_desc){.gpu = gpu_, .user = user_, __VA_ARGS__})

static inline struct emu_kmd *kmd_made(const struct emu_kmd_desc *desc)
{
    struct emu_kmd *kmd = emu_kmd_create(desc);
    cr_assert_not_null(kmd);
    return kmd;
}

/* Packets in GPU memory, one behind the other. */
struct buffer {
    emu_gpu_memory memory;
    uint64_t used;
};

static inline void gpu_ended(emu_gpu **gpu)
{
    emu_gpu_destroy(*gpu);
}

static inline emu_gpu_memory allocate(emu_gpu *gpu, uint64_t size)
{
    emu_gpu_memory memory;
    cr_assert(emu_gpu_allocate(gpu, size, 0, &memory));
    return memory;
}

static inline struct buffer buffer_create(emu_gpu *gpu)
{
    return (struct buffer){allocate(gpu, 65536), 0};
}

static inline void put(struct buffer *b, const void *packet, size_t size)
{
    cr_assert_leq(b->used + size, b->memory.size);
    memcpy((char *)b->memory.cpu + b->used, packet, size);
    b->used += size;
}

/* PUT(&b, EMU_PACKET_CALL, call, ...): a struct emu_packet_call. */
#define PUT(b, opcode, name, ...)                                                                  \
    put(b,                                                                                         \
        &(struct emu_packet_##name){{(uint32_t)(opcode), sizeof(struct emu_packet_##name)},        \
                                    __VA_ARGS__},                                                  \
        sizeof(struct emu_packet_##name))

static inline void put_bare(struct buffer *b, enum emu_opcode opcode)
{
    put(b, &(struct emu_packet_header){(uint32_t)opcode, sizeof(struct emu_packet_header)},
        sizeof(struct emu_packet_header));
}

static inline void put_marker(struct buffer *b, enum emu_marker_kind kind, uint64_t event_id)
{
    PUT(b, EMU_PACKET_MARKER, marker, event_id, (uint32_t)kind, 0);
}

static inline void put_write(struct buffer *b, uint64_t address, uint32_t value)
{
    PUT(b, EMU_PACKET_WRITE_IMMEDIATE, write_immediate, address, value, 0);
}

static inline void put_copy(struct buffer *b, uint64_t destination, uint64_t source, uint64_t size)
{
    PUT(b, EMU_PACKET_COPY, copy, destination, source, size);
}

static inline void put_kernel(struct buffer *b, emu_kernel kernel, uint64_t destination,
                              uint64_t source, uint32_t constant0, uint32_t constant1)
{
    PUT(b, EMU_PACKET_DISPATCH, dispatch, (uint32_t)kernel, {1, 1, 1}, {destination, source, 0},
        {constant0, constant1, 0x70C4ED}, 0, 0);
}

static inline void put_call(struct buffer *b, const struct buffer *callee, uint32_t row)
{
    PUT(b, EMU_PACKET_CALL, call, callee->memory.address, callee->used, row, 0);
}

static inline void start(struct emu_engine *engine, const struct buffer *b)
{
    emu_engine_start(engine, b->memory.address, b->used);
}

/* A step, which lets go of all memory and tells of a fault as soon as there is one. */
static inline enum emu_engine_status step(struct emu_engine *engine)
{
    const enum emu_engine_status status = emu_engine_step(engine);
    const struct emu_gpu_allocation *allocation;
    cr_assert_eq(status == EMU_ENGINE_FAULT, engine->fault.reason != EMU_FAULT_NONE);
    for (allocation = engine->gpu->mapped; allocation; allocation = allocation->next)
        cr_assert_eq(allocation->references, 1);
    return status;
}

/* Steps until the engine is done, spins or faults. */
static inline enum emu_engine_status run(struct emu_engine *engine)
{
    enum emu_engine_status status;
    do
        status = step(engine);
    while (status == EMU_ENGINE_BUSY);
    if (status == EMU_ENGINE_DONE)
        cr_assert_eq(step(engine), EMU_ENGINE_DONE, "an engine at rest stays so");
    return status;
}

static inline enum emu_engine_status run_buffer(emu_gpu *gpu, const struct buffer *b,
                                                struct emu_engine *engine)
{
    emu_engine_init(engine, gpu);
    start(engine, b);
    return run(engine);
}

/* From now on no automatic address is left, as if GPU memory were exhausted. */
static inline void exhaust(emu_gpu *gpu)
{
    gpu->end = 0;
}
