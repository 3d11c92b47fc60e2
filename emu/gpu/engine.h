/*
 * One engine of the GPU runs a command buffer a step at a time. An engine has no thread and no
 * clock of its own; the kernel gives it both.
 *
 * Threads: one at a time per engine; different engines at once.
 */
#pragma once

#include "gpu/engine_step.h"
#include "gpu/gpu.h"
#include "gpu/packet.h"

enum emu_fault_reason {
    EMU_FAULT_NONE = 0,
    EMU_FAULT_PAGE = 1,   /* touched an unmapped address */
    EMU_FAULT_PACKET = 2, /* the command buffer is not one */
    EMU_FAULT_LOST = 3    /* by order: EMU_GPU_HANG_LOSES */
};

struct emu_fault {
    enum emu_fault_reason reason;
    uint64_t address; /* EMU_FAULT_PAGE: the first unmapped byte that was touched */
};

struct emu_engine_frame {
    uint64_t next; /* address of the next packet */
    uint64_t end;
    uint32_t row;      /* progress row of what runs here */
    uint32_t crumbs;   /* left here so far */
    bool crumb_behind; /* the CALL leaves one when this has ended */
    bool stamp_behind; /* the same of a time stamp */
};

/* The engine's registers. */
struct emu_engine {
    emu_gpu *gpu;
    uint64_t time; /* emu_gpu_counter at this step; the kernel sets it, or, for one that is read
                      when it is needed: */
    uint64_t (*now)(const void *clock); /* NULL: `time` */
    const void *clock;
    struct emu_engine_frame frames[EMU_PACKET_DEPTH];
    uint32_t depth; /* frames in use; 0: idle */
    uint64_t queue_progress;
    uint64_t rows; /* of the execution under way; 0: none */
    uint32_t row_count;
    uint64_t crumbs;       /* of the execution under way: its words; 0: none are left */
    bool crumb;            /* `packet` leaves one when it is done */
    bool stamp;            /* `packet` leaves a time stamp then */
    uint64_t queue_stamps; /* of the buffer; 0: none are left */
    uint64_t stamps;       /* of the execution under way: where the next one goes */
    uint32_t stamps_left;
    uint32_t stamp_size;     /* bytes */
    bool working;            /* `packet` takes more steps */
    uint64_t work_done;      /* its bytes done so far */
    uint64_t work_limits[2]; /* of a dispatch: bytes that its destination and its source have */
    uint64_t instruction;    /* address of `packet` */
    union emu_packet packet; /* under an INDIRECT: the work of the command under way */
    struct emu_packet_indirect indirect;
    uint32_t indirect_next, indirect_count; /* commands; alike: no INDIRECT is under way */
    bool skips;                             /* work, because of a PREDICATE */
    struct emu_packet_bindings bindings[2]; /* what bundles inherit: for dispatches, for draws */
    struct emu_fault fault;
    bool is_ordered; /* it hung, faulted or was lost where emu_gpu_script_hang said */
};

void emu_engine_init(struct emu_engine *engine, emu_gpu *gpu);

/* Makes an idle engine begin a command buffer. Nothing is read yet. */
void emu_engine_start(struct emu_engine *engine, uint64_t address, uint64_t size);

/* At most one packet, or one piece of a long one (EMU_ENGINE_STEP_BYTES). */
enum emu_engine_status emu_engine_step(struct emu_engine *engine);
