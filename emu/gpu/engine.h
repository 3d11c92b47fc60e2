/* One engine of the GPU runs a command buffer a step at a time. The kernel gives the engine a
 * thread and a clock.
 *
 * Threads: only one thread at a time may use an engine; different engines may run at the same
 * time. */
#pragma once

#include "gpu/engine_step.h"
#include "gpu/gpu.h"
#include "gpu/packet.h"

enum emu_fault_reason {
    EMU_FAULT_NONE = 0,
    EMU_FAULT_PAGE = 1,   /* the engine touched an unmapped address */
    EMU_FAULT_PACKET = 2, /* the command buffer has a wrong packet */
    EMU_FAULT_LOST = 3    /* the device was lost because EMU_GPU_HANG_LOSES is set */
};

#define EMU_ENGINE_SLOTS          16u /* limit of the operations that have begun and are not retired */
#define EMU_ENGINE_WRITES         64u
#define EMU_ENGINE_WRITES_AT_ONCE 4u /* limit of the waiting writes of one packet */

struct emu_fault {
    enum emu_fault_reason reason;
    uint64_t address; /* for EMU_FAULT_PAGE, the first unmapped byte of the access */
};

struct emu_engine_frame {
    uint64_t next; /* address of the next packet */
    uint64_t end;
    uint32_t row;      /* the buffer's index among the progress rows */
    uint32_t crumbs;   /* number of breadcrumbs that the buffer has left so far */
    bool crumb_behind; /* whether the CALL of this buffer leaves a breadcrumb at the buffer's end */
    bool stamp_behind; /* whether the CALL of this buffer leaves a time stamp at the buffer's end */
};

/* An operation in flight, or the packet that the engine's front end holds. */
struct emu_engine_op {
    union emu_packet
        packet; /* the packet; for an INDIRECT packet, the work of one command of the packet */
    uint64_t instruction; /* address of the packet */
    uint64_t done;        /* number of the operation's bytes that are done */
    uint64_t limits[2];   /* bytes of a dispatch's destination and source */
    bool is_over;
    bool is_stuck; /* whether this operation faulted or never ends, while other operations go on */
};

enum emu_engine_time { EMU_ENGINE_NO_TIME, EMU_ENGINE_TIME, EMU_ENGINE_STAMP };

/* A write that waits until all work before it is done. */
struct emu_engine_write {
    uint64_t after; /* number of operations that must be done before the write */
    uint64_t address, value;
    uint32_t size;
    enum emu_engine_time time; /* whether the clock's time at the write replaces `value` */
};

/* The present place of an engine, as addresses of packets. */
struct emu_engine_place {
    uint64_t oldest; /* address of the oldest operation that is not done */
    uint32_t opcode; /* the opcode of the oldest operation's packet */
    uint64_t newest; /* address of the newest operation that has begun */
};

/* The engine's registers. Up to `width` operations are in flight. `issued` counts the operations
 * that have begun. `retired` counts the operations before the oldest one that is not done. In each
 * step a random choice decides which operation, or the front end, goes on. */
struct emu_engine {
    emu_gpu *gpu;
    uint64_t time; /* the value of emu_gpu_counter at this step, if `now` is NULL */
    uint64_t (*now)(const void *clock); /* NULL: `time` is used */
    const void *clock;
    struct emu_engine_frame frames[EMU_PACKET_DEPTH];
    uint32_t depth; /* number of frames in use; 0: the engine is idle */
    uint64_t queue_progress;
    uint64_t rows; /* address of the current execution's progress rows; 0: none */
    uint32_t row_count;
    uint64_t crumbs;       /* address of the execution's breadcrumb words; 0: no breadcrumbs */
    bool crumb;            /* whether the present packet leaves a breadcrumb at the packet's end */
    bool stamp;            /* whether the present packet leaves a time stamp at the packet's end */
    uint64_t queue_stamps; /* address of the buffer's time stamps; 0: no time stamps */
    uint64_t stamps;       /* address of the current execution's next time stamp */
    uint32_t stamps_left;
    uint32_t stamp_size; /* bytes of a time stamp */
    uint32_t width;      /* limit of operations in flight; 1: all work runs in order */
    uint64_t random;     /* state of the generator of random numbers */
    bool freezes;        /* whether all operations stop if an operation faults or never ends */
    bool is_held;        /* whether the front end holds a packet that must wait */
    uint64_t issued, retired;
    struct emu_engine_op ops[EMU_ENGINE_SLOTS];
    struct emu_engine_write writes[EMU_ENGINE_WRITES];
    uint32_t first_write, write_count;
    uint64_t instruction; /* address of the front end's last packet */
    uint32_t opcode;
    struct emu_packet_indirect indirect;
    uint32_t indirect_next, indirect_count; /* number of done commands of the INDIRECT packet, and
                                               of all its commands; if equal, no INDIRECT runs */
    bool skips; /* whether a PREDICATE packet makes the engine skip work */
    struct emu_packet_bindings
        bindings[2]; /* two sets of bindings that bundles inherit: for dispatches, and for draws */
    struct emu_fault fault, late_fault; /* late_fault is the fault of an operation that is stuck */
    bool is_ordered; /* whether emu_gpu_script_hang caused the hang, fault or loss */
};

void emu_engine_init(struct emu_engine *engine, emu_gpu *gpu);

void emu_engine_at(const struct emu_engine *engine, struct emu_engine_place *out);

/* Makes an idle engine begin a command buffer. The engine does not read the buffer yet. */
void emu_engine_start(struct emu_engine *engine, uint64_t address, uint64_t size);

/* Executes at most one packet, or one piece (EMU_ENGINE_STEP_BYTES) of a long packet. */
enum emu_engine_status emu_engine_step(struct emu_engine *engine);
