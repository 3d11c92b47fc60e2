/*
 * What an engine executes: a command buffer is a run of packets in GPU memory, each a header and a
 * body, at addresses that are multiples of 8. An engine believes nothing it reads here: size and
 * opcode are checked, addresses are translated on use, and what does not add up is a fault.
 *
 *     queue's buffer:   QUEUE  MARKER…  EXECUTION_BEGIN CALL EXECUTION_END  EXECUTION_BEGIN CALL …
 * END list's buffer:    MARKER…  COPY  DISPATCH  CALL bundle  MARKER… bundle's buffer:  MARKER…
 * DISPATCH
 *
 * Packets that say where progress goes (QUEUE, EXECUTION_*) are privileged: they fault outside a
 * queue's buffer.
 */
#ifndef EMU_GPU_PACKET_H
#define EMU_GPU_PACKET_H

#include <stdint.h>

#define EMU_PACKET_ALIGNMENT 8u
#define EMU_PACKET_DEPTH     3u /* queue's buffer, list, bundle */

typedef enum emu_opcode { /* 0 is invalid, so that zeroed memory faults */
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
                          EMU_PACKET_TIMESTAMP = 11
} emu_opcode;

typedef struct emu_packet_header {
    uint32_t opcode; /* emu_opcode */
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
 * bundle. */
typedef struct emu_packet_execution_begin {
    emu_packet_header header;
    uint64_t rows;
    uint32_t row_count; /* at least 1 */
    uint32_t reserved;
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

typedef struct emu_packet_copy {
    emu_packet_header header;
    uint64_t destination;
    uint64_t source;
    uint64_t size; /* bytes; the ranges do not overlap, or the result is undefined */
} emu_packet_copy;

typedef struct emu_packet_write_immediate {
    emu_packet_header header;
    uint64_t destination;
    uint32_t value;
    uint32_t
        mode; /* D3D12_WRITEBUFFERIMMEDIATE_MODE; in order as the engine is, all three are alike */
} emu_packet_write_immediate;

typedef struct emu_packet_dispatch {
    emu_packet_header header;
    uint32_t kernel;    /* emu_kernel */
    uint32_t groups[3]; /* nothing runs when one is 0 */
    uint64_t arguments[3];
    uint32_t constants[16];
    uint32_t descriptors; /* bit n: argument n is the address of an emu_descriptor */
    uint32_t reserved;
} emu_packet_dispatch;

/* Writes the engine's time, 8 bytes. */
typedef struct emu_packet_timestamp {
    emu_packet_header header;
    uint64_t destination;
} emu_packet_timestamp;

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
} emu_packet;

_Static_assert(sizeof(emu_packet_header) == 8, "packet layout");
_Static_assert(sizeof(emu_packet_queue) == 24, "packet layout");
_Static_assert(sizeof(emu_packet_execution_begin) == 24, "packet layout");
_Static_assert(sizeof(emu_packet_call) == 32, "packet layout");
_Static_assert(sizeof(emu_packet_marker) == 24, "packet layout");
_Static_assert(sizeof(emu_packet_copy) == 32, "packet layout");
_Static_assert(sizeof(emu_packet_write_immediate) == 24, "packet layout");
_Static_assert(sizeof(emu_packet_dispatch) == 120, "packet layout");

_Static_assert(sizeof(emu_packet_timestamp) == 16, "packet layout");

/* The one right size of an opcode's packet; 0 for an opcode that doesn't exist. */
uint32_t emu_packet_size(uint32_t opcode);

#endif
