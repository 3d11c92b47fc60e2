/* One engine of the GPU, which runs a command buffer a step at a time. The kernel gives the engine
 * a thread and a clock.
 *
 * Threads: only one thread at a time may use an engine; different engines may run together. */
#pragma once

#include "gpu/engine_step.h"
#include "gpu/gpu.h"
#include "gpu/packet.h"

enum emu_fault_reason {
    EMU_FAULT_NONE = 0,
    EMU_FAULT_PAGE = 1,   /* the engine touched an unmapped address */
    EMU_FAULT_PACKET = 2, /* the engine met a wrong packet in the command buffer */
    EMU_FAULT_LOST = 3    /* EMU_GPU_HANG_LOSES is set, so the device was lost */
};

#define EMU_ENGINE_SLOTS          16u /* slots for operations that have begun and are not retired */
#define EMU_ENGINE_WRITES         64u
#define EMU_ENGINE_WRITES_AT_ONCE 4u /* how many writes of one packet may wait */

struct emu_fault {
    enum emu_fault_reason reason;
    uint64_t address; /* address of the first unmapped byte; only set for EMU_FAULT_PAGE */
};

struct emu_engine_frame {
    uint64_t next; /* address of the packet that the engine reads next */
    uint64_t end;
    uint32_t row;    /* index of the buffer's progress row */
    uint32_t crumbs; /* number of breadcrumbs that the command buffer has written so far */
    /* Whether the CALL packet of this buffer leaves a breadcrumb when the buffer has ended. */
    bool crumb_behind;
    /* Whether the CALL packet of this buffer leaves a time stamp when the buffer has ended. */
    bool stamp_behind;
};

/* A command that an INDIRECT packet runs. */
struct emu_engine_command {
    uint32_t number, count;         /* which command of how many; number 0: none */
    uint32_t read_count, max_count; /* `count` is the smaller of them */
    uint32_t opcode;                /* 0: the engine could not read the whole command */
    uint32_t groups[3];
};

/* An operation in flight, or the packet that waits in the engine's front end. */
struct emu_engine_op {
    union emu_packet packet; /* the packet; for INDIRECT, the packet of one of its commands */
    struct emu_engine_command command;
    uint64_t instruction; /* address of the packet */
    uint64_t done;        /* how many bytes of the operation are done */
    uint64_t limits[2];   /* size of a dispatch's destination, and of its source, in bytes */
    bool is_over;
    bool is_stuck; /* whether the operation faulted or never ends, while others go on */
};

enum emu_engine_time { EMU_ENGINE_NO_TIME, EMU_ENGINE_TIME, EMU_ENGINE_STAMP };

/* A write that happens only when all earlier work is done. */
struct emu_engine_write {
    uint64_t after; /* how many operations must be done before the write happens */
    uint64_t address, value;
    uint32_t size;
    /* Whether the clock's time replaces `value` when the write happens. */
    enum emu_engine_time time;
};

/* How far an engine has got, as addresses of packets. */
struct emu_engine_place {
    uint64_t oldest; /* GPU address of the oldest unfinished operation */
    uint32_t opcode; /* opcode of the packet that the oldest operation belongs to */
    uint64_t newest; /* address of the newest operation that the engine has begun */
};

/* The registers of an engine. Up to `width` operations are in flight. `issued` counts the
 * operations that have begun. `retired` counts the operations before the oldest one that is not
 * done. Each step chooses at random between the operations and the front end. */
struct emu_engine {
    emu_gpu *gpu;
    uint64_t time; /* the value of emu_gpu_counter at this step; only if `now` is NULL */
    uint64_t (*now)(const void *clock); /* NULL: `time` is used */
    const void *clock;
    struct emu_engine_frame frames[EMU_PACKET_DEPTH];
    uint32_t depth; /* how deep the engine is in nested command buffers; 0: idle */
    uint64_t queue_progress;
    uint64_t rows; /* address of the progress rows of the current execution; 0: none */
    uint32_t row_count;
    uint64_t crumbs;       /* address of the breadcrumb words of the execution; 0: no breadcrumbs */
    bool crumb;            /* whether the current packet writes a breadcrumb at its end */
    bool stamp;            /* whether the current packet writes a time stamp at its end */
    uint64_t queue_stamps; /* address of the time stamps of the command buffer; 0: no time stamps */
    uint64_t stamps;       /* GPU address of the current execution's next time stamp */
    uint32_t stamps_left;
    uint32_t stamp_size; /* size of a time stamp in bytes */
    uint32_t width;      /* how many operations may be in flight; 1: all work runs in order */
    uint64_t random;     /* state of the random number generator */
    bool freezes;        /* whether one fault or endless operation stops all operations */
    bool is_held;        /* whether the front end holds a packet that can't begin yet */
    uint64_t issued, retired;
    struct emu_engine_op ops[EMU_ENGINE_SLOTS];
    struct emu_engine_write writes[EMU_ENGINE_WRITES];
    uint32_t first_write, write_count;
    uint64_t instruction; /* address of the last packet that the front end read */
    uint32_t opcode;
    struct emu_packet_indirect indirect;
    struct emu_engine_command command; /* the INDIRECT packet's newest; at `count`, none is left */
    const struct emu_engine_op *last;  /* the operation that ran or failed last */
    bool skips;                        /* whether a PREDICATE packet makes the engine skip work */
    /* Arguments that bundles inherit: [0] for dispatches, [1] for draws. */
    struct emu_packet_bindings bindings[2];
    struct emu_fault fault, late_fault; /* `late_fault`: fault of an operation that got stuck */
    bool is_ordered; /* whether a script (emu_gpu_script_hang) caused the hang, fault or loss */
};

void emu_engine_init(struct emu_engine *engine, emu_gpu *gpu);

void emu_engine_at(const struct emu_engine *engine, struct emu_engine_place *out);

/* Says in which command of an INDIRECT packet a stopped engine is; "": in none. */
void emu_engine_say_command(const struct emu_engine *engine, char *text, size_t size);

/* Lets an idle engine begin a command buffer. The function reads nothing from the buffer. */
void emu_engine_start(struct emu_engine *engine, uint64_t address, uint64_t size);

/* Executes one packet at most; of a long packet, at most EMU_ENGINE_STEP_BYTES. */
enum emu_engine_status emu_engine_step(struct emu_engine *engine);
