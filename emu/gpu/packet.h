/*
 * What an engine executes: a command buffer is a run of packets in GPU memory, each a header and a body, at addresses
 * that are multiples of 8. Packets are untrusted input: size and opcode are checked, addresses are translated on use,
 * and a packet that makes no sense is a fault.
 *
 *     queue's buffer:   QUEUE  MARKER…  EXECUTION_BEGIN CALL EXECUTION_END  EXECUTION_BEGIN CALL …  END
 *     list's buffer:    MARKER…  COPY  DISPATCH  CALL bundle  MARKER…
 *     bundle's buffer:  MARKER…  DISPATCH
 *
 * Packets that say where progress goes (QUEUE, EXECUTION_*) are privileged: they fault outside a
 * queue's buffer.
 *
 * A packet of a list or bundle whose opcode carries EMU_PACKET_CRUMB leaves a breadcrumb when its
 * work is done: the engine counts them, per call of a list or bundle, and stores the count.
 */
#ifndef EMU_GPU_PACKET_H
#define EMU_GPU_PACKET_H

#include <stdint.h>

#define EMU_PACKET_ALIGNMENT 8u
#define EMU_PACKET_DEPTH     3u /* queue's buffer, list, bundle */
#define EMU_PACKET_CONSTANTS 16u
#define EMU_PACKET_NOWHERE   UINT32_MAX

/* In emu_packet_header.opcode. */
#define EMU_PACKET_CRUMB                0x80000000u

#define EMU_PACKET_INHERITS_ARGUMENT(n) (1u << (n))
#define EMU_PACKET_INHERITS_CONSTANT(n) (1u << (16 + (n)))

/* 0 is invalid, so that zeroed memory faults. */
typedef enum emu_opcode {
    EMU_PACKET_END = 1,
    EMU_PACKET_QUEUE = 2,
    EMU_PACKET_EXECUTION_BEGIN = 3,
    EMU_PACKET_EXECUTION_END = 4,
    EMU_PACKET_CALL = 5,
    EMU_PACKET_MARKER = 6,
    EMU_PACKET_COPY = 7,
    EMU_PACKET_WRITE_IMMEDIATE = 8,
    EMU_PACKET_BARRIER = 9,
    EMU_PACKET_DISPATCH = 10,
    EMU_PACKET_TIMESTAMP = 11,
    EMU_PACKET_DRAW = 12,
    EMU_PACKET_INDIRECT = 13,
    EMU_PACKET_BINDINGS = 14,
    EMU_PACKET_PREDICATE = 15,
    EMU_PACKET_RESOLVE = 16,
    EMU_PACKET_FILL = 17
} emu_opcode;

typedef struct emu_packet_header {
    uint32_t opcode; /* emu_opcode, perhaps with EMU_PACKET_CRUMB */
    uint32_t size;   /* bytes of the whole packet; each opcode has one right value */
} emu_packet_header;

/* Leaves this buffer at once, as reaching its last byte does. Header only; so are BARRIER
 * (everything before it is done anyway: an engine runs in order) and EXECUTION_END (the execution's
 * state becomes finished). */

/* Queue markers go to the emu_queue_progress at `progress`; its sequence becomes `sequence`. */
typedef struct emu_packet_queue {
    emu_packet_header header;
    uint64_t progress;
    uint64_t sequence;
} emu_packet_queue;

/* Markers go to the emu_progress rows at `rows`: row 0 is the list, row n its n-th execution of a
 * bundle. Breadcrumbs go to 32-bit words at `crumbs`, one per row. */
typedef struct emu_packet_execution_begin {
    emu_packet_header header;
    uint64_t rows;
    uint32_t row_count; /* at least 1 */
    uint32_t reserved;
    uint64_t crumbs; /* a multiple of 4; 0: none are left */
} emu_packet_execution_begin;

/* Runs another command buffer and comes back. */
typedef struct emu_packet_call {
    emu_packet_header header;
    uint64_t address;
    uint64_t size;
    uint32_t row; /* 0: a list; n: the list's n-th execution of a bundle */
    uint32_t reserved;
} emu_packet_call;

typedef enum emu_marker_kind {
    EMU_MARKER_BEGIN = 1, /* started = event_id */
    EMU_MARKER_SET = 2,   /* started = completed = event_id: everything before it is done */
    EMU_MARKER_END = 3    /* completed = event_id; 0 closes nothing and writes nothing */
} emu_marker_kind;

typedef struct emu_packet_marker {
    emu_packet_header header;
    uint64_t event_id;
    uint32_t kind; /* emu_marker_kind */
    uint32_t reserved;
} emu_packet_marker;

/* COPY, and RESOLVE, which no predicate skips. */
typedef struct emu_packet_copy {
    emu_packet_header header;
    uint64_t destination;
    uint64_t source;
    uint64_t size; /* bytes; the ranges do not overlap, or the result is undefined */
} emu_packet_copy;

#define EMU_PACKET_PATTERN 16u

typedef struct emu_packet_fill {
    emu_packet_header header;
    uint64_t destination;
    uint64_t size; /* bytes, a multiple of `unit` */
    uint32_t unit; /* bytes of the pattern, 1 to EMU_PACKET_PATTERN */
    uint32_t reserved;
    uint8_t pattern[EMU_PACKET_PATTERN]; /* again and again */
} emu_packet_fill;

typedef struct emu_packet_write_immediate {
    emu_packet_header header;
    uint64_t destination;
    uint32_t value;
    uint32_t
        mode; /* D3D12_WRITEBUFFERIMMEDIATE_MODE; in order as the engine is, all three are alike */
} emu_packet_write_immediate;

/* DISPATCH, and DRAW, which runs the kernel that one of its stages has. */
typedef struct emu_packet_dispatch {
    emu_packet_header header;
    uint32_t kernel;    /* emu_kernel; of a DRAW also 0: nothing to run, done at once */
    uint32_t groups[3]; /* nothing runs when one is 0 */
    uint64_t arguments[3];
    uint32_t constants[EMU_PACKET_CONSTANTS];
    uint32_t descriptors; /* bit n: argument n is the address of an emu_descriptor */
    uint32_t inherited;   /* EMU_PACKET_INHERITS_…: taken from BINDINGS instead */
} emu_packet_dispatch;

/* What the DISPATCHes, or the DRAWs, of the bundles that are called from here on inherit. Forgotten when an execution
 * begins. */
typedef struct emu_packet_bindings {
    emu_packet_header header;
    uint64_t arguments[3];
    uint32_t constants[EMU_PACKET_CONSTANTS];
    uint32_t descriptors;
    uint32_t draws; /* 0: for DISPATCHes; 1: for DRAWs */
} emu_packet_bindings;

/* Runs `work` up to max_count times, each time with what a command in memory says. Commands are read one at a time,
 * when the one before has ended. */
typedef struct emu_packet_indirect {
    emu_packet_header header;
    uint64_t commands; /* address of the first one, a multiple of 4 */
    uint64_t
        count; /* address of a 32-bit number of commands, a multiple of 4; 0: max_count it is */
    uint32_t max_count;
    uint32_t stride; /* bytes from command to command */
    /* Where in a command, in bytes, these are; EMU_PACKET_NOWHERE: `work` says it. The first of them is 3 words of a
     * DISPATCH, 2 of a DRAW, then 8 and 4 bytes each. */
    uint32_t groups_offset;
    uint32_t argument_offsets[2];
    uint32_t constant_offsets[EMU_PACKET_CONSTANTS];
    uint32_t reserved;
    emu_packet_dispatch work; /* header and all */
} emu_packet_indirect;

/* Writes the engine's time, 8 bytes. */
typedef struct emu_packet_timestamp {
    emu_packet_header header;
    uint64_t destination;
} emu_packet_timestamp;

/* Reads 8 bytes, now; the COPY, DISPATCH, DRAW and INDIRECT packets of this execution that follow are skipped if they
 * are all zero, or, as `skips_if` says, if they are not. */
typedef struct emu_packet_predicate {
    emu_packet_header header;
    uint64_t address;  /* 0: nothing is skipped from here on */
    uint32_t skips_if; /* D3D12_PREDICATION_OP: 0 zero, 1 not zero */
    uint32_t reserved;
} emu_packet_predicate;

typedef union emu_packet {
    emu_packet_header header;
    emu_packet_queue queue;
    emu_packet_execution_begin execution_begin;
    emu_packet_call call;
    emu_packet_marker marker;
    emu_packet_copy copy;
    emu_packet_write_immediate write_immediate;
    emu_packet_dispatch dispatch;
    emu_packet_timestamp timestamp;
    emu_packet_indirect indirect;
    emu_packet_bindings bindings;
    emu_packet_predicate predicate;
    emu_packet_fill fill;
} emu_packet;

_Static_assert(sizeof(emu_packet_header) == 8, "packet layout");
_Static_assert(sizeof(emu_packet_queue) == 24, "packet layout");
_Static_assert(sizeof(emu_packet_execution_begin) == 32, "packet layout");
_Static_assert(sizeof(emu_packet_call) == 32, "packet layout");
_Static_assert(sizeof(emu_packet_marker) == 24, "packet layout");
_Static_assert(sizeof(emu_packet_copy) == 32, "packet layout");
_Static_assert(sizeof(emu_packet_write_immediate) == 24, "packet layout");
_Static_assert(sizeof(emu_packet_fill) == 48, "packet layout");
_Static_assert(sizeof(emu_packet_dispatch) == 120, "packet layout");
_Static_assert(sizeof(emu_packet_bindings) == 104, "packet layout");
_Static_assert(sizeof(emu_packet_predicate) == 24, "packet layout");
_Static_assert(sizeof(emu_packet_indirect) == 232, "packet layout");
_Static_assert(sizeof(emu_packet_timestamp) == 16, "packet layout");

/* The one right size of an opcode's packet; 0 for an opcode that doesn't exist. */
uint32_t emu_packet_size(uint32_t opcode);

#endif
