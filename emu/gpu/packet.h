/* The packets that an engine executes. A command buffer is a sequence of packets in GPU memory.
 * Each packet has a header and a body, and its address is a multiple of 8. Packets are untrusted
 * input: size and opcode are checked, addresses are translated on use, and a wrong packet is a
 * fault.
 *
 *     queue's buffer:   QUEUE  MARKER…  { EXECUTION_BEGIN  CALL  EXECUTION_END }…  END
 *     list's buffer:    MARKER…  COPY  DISPATCH  CALL bundle  MARKER…
 *     bundle's buffer:  MARKER…  DISPATCH
 *
 * Only a queue's buffer may have packets that set the addresses for progress (QUEUE, EXECUTION_*);
 * elsewhere such packets are a fault.
 *
 * A packet of a list or bundle with EMU_PACKET_CRUMB in its opcode leaves a breadcrumb when the
 * packet's work is done. For each call of a list or bundle the engine counts such packets, and
 * stores the count. A packet with EMU_PACKET_STAMP leaves its execution's next time stamp when the
 * work is done. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define EMU_PACKET_ALIGNMENT 8u
/* Levels of calls: a queue's buffer calls lists, and a list calls bundles. */
#define EMU_PACKET_DEPTH     3u
#define EMU_PACKET_CONSTANTS 16u
#define EMU_PACKET_NOWHERE   UINT32_MAX

/* Flags in emu_packet_header.opcode. */
#define EMU_PACKET_CRUMB                0x80000000u
#define EMU_PACKET_STAMP                0x40000000u

#define EMU_PACKET_INHERITS_ARGUMENT(n) (1u << (n))
#define EMU_PACKET_INHERITS_CONSTANT(n) (1u << (16 + (n)))

/* The kinds of packets. None is 0, so zeroed memory causes a fault. */
enum emu_opcode {
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
    EMU_PACKET_FILL = 17,
    EMU_PACKET_NOTHING = 18
};

struct emu_packet_header {
    uint32_t opcode; /* an emu_opcode, also with EMU_PACKET_CRUMB or EMU_PACKET_STAMP */
    uint32_t size;   /* size of the whole packet in bytes, fixed for each opcode */
};

/* Four packets have only a header. END makes the engine leave the command buffer, as after the
 * buffer's last byte. BARRIER makes the front end wait until all earlier work is done.
 * EXECUTION_END sets the execution's state to finished. NOTHING does nothing. */

/* A packet QUEUE: from now on queue markers write to the emu_queue_progress at `progress`, whose
 * sequence becomes `sequence`. The first two time stamps at `stamps` are for begin and end. */
struct emu_packet_queue {
    struct emu_packet_header header;
    uint64_t progress;
    uint64_t stamps; /* address for time stamps, a multiple of 8; 0: none */
    uint64_t sequence;
};

/* A packet EXECUTION_BEGIN: later markers write to the emu_progress rows at `rows`. Row 0 is for
 * the list, row n for its n-th execution of a bundle. Breadcrumbs go to 32-bit words at `crumbs`,
 * one for each row. Time stamps go to `stamps`, one after the other. */
struct emu_packet_execution_begin {
    struct emu_packet_header header;
    uint64_t rows;
    uint32_t row_count;   /* at least 1 */
    uint32_t stamp_count; /* how many time stamps the execution has room for */
    uint64_t crumbs;      /* address for breadcrumbs, a multiple of 4; 0: none */
    uint64_t stamps;      /* address for time stamps, a multiple of 4; 0: none */
};

/* A packet CALL: the engine runs another command buffer, and then continues after the packet. */
struct emu_packet_call {
    struct emu_packet_header header;
    uint64_t address;
    uint64_t size;
    uint32_t row; /* 0: the buffer is a list; n: the list's n-th execution of a bundle */
    uint32_t reserved;
};

enum emu_marker_kind {
    EMU_MARKER_BEGIN = 1, /* `started` becomes event_id */
    /* Earlier work is done, so the marker sets `started` and `completed` to event_id. */
    EMU_MARKER_SET = 2,
    /* The marker sets only `completed` to event_id; for event_id 0, it writes nothing. */
    EMU_MARKER_END = 3
};

struct emu_packet_marker {
    struct emu_packet_header header;
    uint64_t event_id;
    uint32_t kind; /* an emu_marker_kind */
    uint32_t reserved;
};

/* A packet COPY or RESOLVE. Predication can skip a COPY, but never a RESOLVE. */
struct emu_packet_copy {
    struct emu_packet_header header;
    uint64_t destination;
    uint64_t source;
    uint64_t size; /* size in bytes; for overlapping ranges, the result is undefined */
};

#define EMU_PACKET_PATTERN 16u

struct emu_packet_fill {
    struct emu_packet_header header;
    uint64_t destination;
    uint64_t size; /* number of filled bytes, a multiple of `unit` */
    uint32_t unit; /* size of the pattern in bytes, from 1 to EMU_PACKET_PATTERN */
    uint32_t reserved;
    uint8_t pattern[EMU_PACKET_PATTERN]; /* written again and again */
};

struct emu_packet_write_immediate {
    struct emu_packet_header header;
    uint64_t destination;
    uint32_t value;
    uint32_t mode; /* a D3D12_WRITEBUFFERIMMEDIATE_MODE */
};

/* A packet DISPATCH or DRAW. A DRAW runs the kernel of one of the draw's shader stages. */
struct emu_packet_dispatch {
    struct emu_packet_header header;
    uint32_t kernel;    /* an emu_kernel; a DRAW with kernel 0 runs nothing */
    uint32_t groups[3]; /* number of groups in each dimension; if one is 0, no group runs */
    uint64_t arguments[3];
    uint32_t constants[EMU_PACKET_CONSTANTS];
    uint32_t descriptors; /* bit n says that argument n is the address of an emu_descriptor */
    uint32_t inherited;   /* EMU_PACKET_INHERITS_… bits: which values a BINDINGS packet gives */
};

/* A packet BINDINGS: sets the values that DISPATCH or DRAW packets of later bundles inherit, until
 * the next execution begins. */
struct emu_packet_bindings {
    struct emu_packet_header header;
    uint64_t arguments[3];
    uint32_t constants[EMU_PACKET_CONSTANTS];
    uint32_t descriptors;
    uint32_t draws; /* 1: values for DRAW packets; 0: values for DISPATCH packets */
};

/* A packet INDIRECT: runs `work` up to max_count times. For each run, a command in memory replaces
 * some values of `work`. The front end reads a command only when another operation may begin. */
struct emu_packet_indirect {
    struct emu_packet_header header;
    uint64_t commands; /* address of the first command, a multiple of 4 */
    uint64_t count;    /* address of the 32-bit number of commands; 0: max_count commands */
    uint32_t max_count;
    uint32_t stride; /* distance from one command to the next, in bytes */
    /* Offsets of values in a command, in bytes. EMU_PACKET_NOWHERE: the value of `work` is used.
     * The groups have 3 words for a DISPATCH and 2 for a DRAW. Each argument has 8 bytes, and each
     * constant has 4 bytes. */
    uint32_t groups_offset;
    uint32_t argument_offsets[2];
    uint32_t constant_offsets[EMU_PACKET_CONSTANTS];
    uint32_t reserved;
    struct emu_packet_dispatch work; /* the draw or dispatch packet to run, with its header */
};

/* A packet TIMESTAMP: writes the engine's current time, 8 bytes. */
struct emu_packet_timestamp {
    struct emu_packet_header header;
    uint64_t destination;
};

/* A packet PREDICATE: reads 8 bytes and compares them with 0, as `skips_if` says. If the result is
 * true, this execution skips its later COPY, DISPATCH, DRAW and INDIRECT packets. */
struct emu_packet_predicate {
    struct emu_packet_header header;
    uint64_t address; /* address of the 8 bytes to compare; 0: nothing is skipped */
    /* A D3D12_PREDICATION_OP: 0 skips work if the bytes are 0, 1 if the bytes aren't 0. */
    uint32_t skips_if;
    uint32_t reserved;
};

union emu_packet {
    struct emu_packet_header header;
    struct emu_packet_queue queue;
    struct emu_packet_execution_begin execution_begin;
    struct emu_packet_call call;
    struct emu_packet_marker marker;
    struct emu_packet_copy copy;
    struct emu_packet_write_immediate write_immediate;
    struct emu_packet_dispatch dispatch;
    struct emu_packet_timestamp timestamp;
    struct emu_packet_indirect indirect;
    struct emu_packet_bindings bindings;
    struct emu_packet_predicate predicate;
    struct emu_packet_fill fill;
};

_Static_assert(sizeof(struct emu_packet_header) == 8, "packet layout");
_Static_assert(sizeof(struct emu_packet_queue) == 32, "packet layout");
_Static_assert(sizeof(struct emu_packet_execution_begin) == 40, "packet layout");
_Static_assert(sizeof(struct emu_packet_call) == 32, "packet layout");
_Static_assert(sizeof(struct emu_packet_marker) == 24, "packet layout");
_Static_assert(sizeof(struct emu_packet_copy) == 32, "packet layout");
_Static_assert(sizeof(struct emu_packet_write_immediate) == 24, "packet layout");
_Static_assert(sizeof(struct emu_packet_fill) == 48, "packet layout");
_Static_assert(sizeof(struct emu_packet_dispatch) == 120, "packet layout");
_Static_assert(sizeof(struct emu_packet_bindings) == 104, "packet layout");
_Static_assert(sizeof(struct emu_packet_predicate) == 24, "packet layout");
_Static_assert(sizeof(struct emu_packet_indirect) == 232, "packet layout");
_Static_assert(sizeof(struct emu_packet_timestamp) == 16, "packet layout");

/* Returns the size of packets with this opcode, or 0 if the opcode is unknown. */
uint32_t emu_packet_size(uint32_t opcode);

/* Whether a PREDICATE may skip packets with this opcode. */
bool emu_packet_is_predicated(uint32_t opcode);

/* Whether the packet's values are valid. Addresses are checked only when they are used. */
bool emu_packet_indirect_is_valid(const struct emu_packet_indirect *packet);

/* Gives `dispatch` the values that the work of a bundle inherits from the bundle's caller. */
void emu_packet_inherit(struct emu_packet_dispatch *dispatch,
                        const struct emu_packet_bindings *bindings);
