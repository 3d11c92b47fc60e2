/* One engine of the GPU runs a command buffer a step at a time. An engine has no thread and no
 * clock of its own; the kernel gives it both.
 *
 * Threads: one at a time for each engine; different engines may run at the same time.
 */
#pragma once

#include "gpu/engine_step.h"
#include "gpu/gpu.h"
#include "gpu/packet.h"

enum emu_fault_reason {
    EMU_FAULT_NONE = 0,
    EMU_FAULT_PAGE = 1,   /* touched an unmapped address */
    EMU_FAULT_PACKET = 2, /* the command buffer has a wrong packet */
    EMU_FAULT_LOST = 3    /* the device was lost because EMU_GPU_HANG_LOSES is set */
};

#define EMU_ENGINE_SLOTS          16u /* most operations that an engine keeps until they retire */
#define EMU_ENGINE_WRITES         64u
#define EMU_ENGINE_WRITES_AT_ONCE 4u /* most writes that wait */

struct emu_fault {
    enum emu_fault_reason reason;
    uint64_t address; /* EMU_FAULT_PAGE: the first unmapped byte of the access */
};

struct emu_engine_frame {
    uint64_t next; /* address of the next packet */
    uint64_t end;
    uint32_t row;      /* index of this buffer's progress row */
    uint32_t crumbs;   /* breadcrumbs that the buffer has left so far */
    bool crumb_behind; /* the CALL of this buffer leaves a breadcrumb at the buffer's end */
    bool stamp_behind; /* the CALL leaves a time stamp at the buffer's end */
};

/* An operation in flight, or the packet at which the front end is. */
struct emu_engine_op {
    union emu_packet packet; /* the packet itself; in an INDIRECT, the work of one command */
    uint64_t instruction;    /* address of the packet */
    uint64_t done;           /* its bytes so far */
    uint64_t limits[2];      /* bytes of a dispatch's destination and source */
    bool is_over;
    bool is_stuck; /* it faulted or never ends, but others go on */
};

enum emu_engine_time { EMU_ENGINE_NO_TIME, EMU_ENGINE_TIME, EMU_ENGINE_STAMP };

/* A write that waits until all work before it is done. */
struct emu_engine_write {
    uint64_t after; /* operations, in order */
    uint64_t address, value;
    uint32_t size;
    enum emu_engine_time time; /* the clock's time at the write replaces `value` */
};

/* Where an engine is, as addresses of packets. */
struct emu_engine_place {
    uint64_t oldest; /* the oldest operation that is not done */
    uint32_t opcode; /* the opcode of that packet */
    uint64_t newest; /* the newest operation that has begun */
};

/* The engine's registers. Up to `width` operations are in flight: `issued` counts those that have
 * begun; `retired` counts those that are done and have only done ones before them. In each step a
 * random choice decides which operation, or the front end, goes on. */
struct emu_engine {
    emu_gpu *gpu;
    uint64_t time; /* emu_gpu_counter at this step, set by the kernel. Or the kernel sets this
                      function: */
    uint64_t (*now)(const void *clock); /* NULL: `time` */
    const void *clock;
    struct emu_engine_frame frames[EMU_PACKET_DEPTH];
    uint32_t depth; /* number of frames in use; 0: idle */
    uint64_t queue_progress;
    uint64_t rows; /* address of the progress rows of the current execution; 0: none */
    uint32_t row_count;
    uint64_t crumbs;       /* address of the execution's breadcrumb words; 0: it leaves none */
    bool crumb;            /* the packet leaves a breadcrumb when it is done */
    bool stamp;            /* the packet leaves a time stamp when it is done */
    uint64_t queue_stamps; /* address of the buffer's time stamps; 0: it leaves none */
    uint64_t stamps;       /* address of the current execution's next time stamp */
    uint32_t stamps_left;
    uint32_t stamp_size; /* bytes */
    uint32_t width;      /* most operations in flight; 1: all work runs in order */
    uint64_t random;     /* state of the generator */
    bool freezes;        /* whether other operations stop if one faults or never ends */
    bool is_held;        /* the front end has a packet, and waits */
    uint64_t issued, retired;
    struct emu_engine_op ops[EMU_ENGINE_SLOTS];
    struct emu_engine_write writes[EMU_ENGINE_WRITES];
    uint32_t first_write, write_count;
    uint64_t instruction; /* address of the front end's last packet */
    uint32_t opcode;
    struct emu_packet_indirect indirect;
    uint32_t indirect_next,
        indirect_count; /* number of done commands and of all; equal: no INDIRECT is running */
    bool skips;         /* a PREDICATE makes the engine skip work */
    struct emu_packet_bindings
        bindings[2]; /* bindings that bundles inherit: for dispatches, and for draws */
    struct emu_fault fault, late_fault; /* late_fault: an operation's fault, while others go on */
    bool is_ordered; /* emu_gpu_script_hang made the engine hang, fault or be lost */
};

void emu_engine_init(struct emu_engine *engine, emu_gpu *gpu);

void emu_engine_at(const struct emu_engine *engine, struct emu_engine_place *out);

/* Makes an idle engine begin a command buffer, without reading it yet. */
void emu_engine_start(struct emu_engine *engine, uint64_t address, uint64_t size);

/* Executes at most one packet, or one piece of a long one (EMU_ENGINE_STEP_BYTES). */
enum emu_engine_status emu_engine_step(struct emu_engine *engine);
