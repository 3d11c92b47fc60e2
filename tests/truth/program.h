/* A random program: a flat list of operations on actors that exist by number. Any part of a program
 * is a program too. An actor is made when an operation first names it. A closed list is reset when
 * something is to be recorded on it. Operations that make no sense are skipped. So a failing
 * program is shrunk by leaving operations out. */
#pragma once

#include <emu/emu.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    QUEUES = 4,
    LISTS = 6,
    BUNDLES = 3,
    ACTORS = LISTS + BUNDLES, /* lists, then bundles: what records */
    FENCES = 3,
    OPS_MAX = 160,
    NAMES_OTHER = 1000, /* beyond all operations */
    NAMES_APART = 2000, /* from here on the letters are others, too */
    LISTS_AT_ONCE = 4   /* of one OP_EXECUTE */
};

/* OP(name, what it does): `a`, `b` and `value` are the members of struct op. */
#define OPS(OP)                                                                                    \
    OP(BEGIN, "list or bundle `a` begins a scope, with `value` KiB more than its name")            \
    OP(END, "list or bundle `a` ends one, also where none is open")                                \
    OP(SET, "list or bundle `a` sets a marker")                                                    \
    OP(WORK, "list or bundle `a` does `b`, an enum work, of size `value`")                         \
    OP(CALL, "list `a` executes bundle `b`")                                                       \
    OP(CLOSE, "list or bundle `a` is closed")                                                      \
    OP(EXECUTE, "queue `a` executes `b` lists, whose numbers are the hexadecimal digits of "       \
                "`value`, the last one first")                                                     \
    OP(QUEUE_BEGIN, "queue `a` begins a scope")                                                    \
    OP(QUEUE_END, "queue `a` ends one")                                                            \
    OP(QUEUE_SET, "queue `a` sets a marker")                                                       \
    OP(SIGNAL, "queue `a` signals fence `b`, to `value`")                                          \
    OP(WAIT, "queue `a` waits for fence `b`, for `value`")                                         \
    OP(STEPS, "the GPU takes `value` steps")                                                       \
    OP(MODE, "the device's annotation mode becomes `a`: 0 RUNTIME_ONLY, 1 DRIVER_RETAIL")          \
    OP(NAME, "list or bundle `a` is given the name `value`; 0 takes its name away")                \
    OP(QUEUE_NAME, "queue `a` is given the name `value`; 0 takes its name away")                   \
    OP(RESET, "the allocator of the last recording of list or bundle `a` is reset")                \
    OP(RELEASE, "list or bundle `a` is released; its allocator too if `b`")                        \
    OP(TILES, "queue `a` maps a tile")                                                             \
    OP(NULL_RENDERING, "the driver has the next submission not executed")                          \
    OP(FAIL,                                                                                       \
       "the `value`-th allocation from here on fails, among those that calls of D3D12 make; "      \
       "before STOP: that one and all others until the dump is there")                             \
    OP(STOP, "the device is removed in the way `a`, an enum stop_way")

#define OP_ENUM(name, what) OP_##name,
enum op_kind { OPS(OP_ENUM) OP_COUNT };
#undef OP_ENUM

struct op {
    uint8_t kind; /* enum op_kind */
    uint8_t a, b;
    uint32_t value;
};

#define WORKS(WORK)                                                                                \
    WORK(DISPATCH, "adds 1 to a counter")                                                          \
    WORK(DRAW, "adds 1 to a counter in a vertex shader")                                           \
    WORK(WRITE, "WriteBufferImmediate of 1")                                                       \
    WORK(COPY, "CopyBufferRegion of 1")                                                            \
    WORK(BARRIER, "a barrier: nothing to see in memory")                                           \
    WORK(INDIRECT, "ExecuteIndirect that adds 1 to a counter, `value` times")                      \
    WORK(PREDICATE, "SetPredication: `value` 0 none, 1 skips what follows, 2 skips nothing")       \
    WORK(PASS, "a render pass that clears; `value` & 1: it is suspended, & 2: it is resumed, "     \
               "& 4: draws and markers that follow are in it")                                     \
    WORK(LOST_PASS, "a render pass whose target is gone; only before there is a queue")            \
    WORK(SPIN, "a dispatch that never ends")                                                       \
    WORK(TOUCH, "a dispatch that writes where nothing is mapped")

#define WORK_ENUM(name, what) WORK_##name,
enum work { WORKS(WORK_ENUM) WORK_COUNT };
#undef WORK_ENUM

/* STOP_LIVE: a dump of the device as it is, without a driver's report. */
enum stop_way { STOP_FORCED_TDR, STOP_REMOVE, STOP_LIVE, STOP_WAYS };

/* DRED_SYSTEM: the program leaves it alone, as in layer.c only. */
enum dred { DRED_NONE, DRED_FULL, DRED_MARKERS_ONLY, DRED_KINDS, DRED_SYSTEM = DRED_KINDS };

/* The driver of less.c: it reports what is true, but not all of it. */
#define LESS "less"

/* KERNEL_BARE: it can do nothing; KERNEL_FALSE: it holds any of the queues guilty. */
enum kernel { KERNEL_BUILT_IN, KERNEL_BARE, KERNEL_FALSE };

/* The witnesses that look on, and where the GPU fails by itself. */
struct witnesses {
    const char *driver; /* a built-in one's name, or LESS */
    uint8_t dred;
    bool has_times;
    bool resets_in_flight;         /* emu_config.reset_in_flight */
    uint8_t kernel;                /* enum kernel: the kernel-mode driver */
    bool has_callbacks;            /* a message callback and a driver that call back */
    bool has_threads;              /* lists are recorded on a thread each */
    bool is_late;                  /* operations behind the stop: reports are read after them */
    uint8_t in_flight;             /* emu_config.in_flight; 0: 1 */
    uint8_t budget;                /* of marker memory, in chunks of 64 KiB; 0: the default */
    uint8_t hang_place, hang_kind; /* emu_hang_place, emu_hang_kind */
    uint16_t hang_count;           /* EMU_HANG_AT_MARKER: the marker's name */
};

struct program {
    uint64_t seed;
    uint32_t first_name; /* markers' names count from it: 0, NAMES_OTHER or NAMES_APART */
    struct witnesses witnesses;
    uint8_t queue_types[QUEUES]; /* D3D12_COMMAND_LIST_TYPE */
    uint8_t list_types[LISTS];
    uint32_t count;
    struct op ops[OPS_MAX];
};

const char *op_name(unsigned kind);
const char *work_name(unsigned work);

/* The text of a marker: "m17 qhi". Its number is `first_name` and another one's in another run, as
 * in frames of a game; the letters are those of its operation. */
enum { MARKER_TEXT_MAX = 24 };
void program_marker(char text[MARKER_TEXT_MAX], uint32_t name);
/* The operation of such letters, counted from 1; 0: they are none. */
uint32_t program_letters(const char *letters);

/* A seed with this bit has a program of several queues. One of them hangs. GUILTY_KINDS kinds of
 * witnesses take turns: a driver that says all, less or nothing, by DRED that is on, of markers
 * only or off. */
#define GUILTY ((uint64_t)1 << 40)
enum { GUILTY_KINDS = 9 };

/* The program of a seed; the same one everywhere. */
void program_generate(struct program *program, uint64_t seed);
