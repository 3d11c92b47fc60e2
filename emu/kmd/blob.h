/* The kernel's debug blob: the work that every engine was doing when the kernel stopped it. A
 * header comes first, then a row for each queue in order of creation. Numbers are little-endian. */
#pragma once

#include <stdint.h>

enum emu_kmd_blob_state {
    EMU_KMD_BLOB_IDLE = 0,
    EMU_KMD_BLOB_RUNNING = 1,
    EMU_KMD_BLOB_SPINNING = 2, /* the queue's work runs, but makes no progress */
    EMU_KMD_BLOB_FAULTED = 3,
    EMU_KMD_BLOB_WAITING = 4 /* the queue waits for a fence, or until the engine is free */
};

struct emu_kmd_blob_queue {
    uint32_t queue;       /* number of the queue on the device, from 0 */
    uint32_t state;       /* an emu_kmd_blob_state */
    uint64_t tag;         /* tag of the submission that the engine runs; 0: none */
    uint64_t instruction; /* address of the engine's current or last packet */
    uint32_t opcode;      /* opcode of the packet, as the engine read it */
    uint32_t pending;     /* number of the queue's items that have not begun */
};

#define EMU_KMD_BLOB_NOBODY UINT32_MAX

struct emu_kmd_blob {
    char magic[8];   /* "EMUKMD1" */
    uint32_t error;  /* an emu_kmd_error */
    uint32_t reason; /* an emu_fault_reason; 0: the engine made no progress */
    uint64_t fault_address;
    uint64_t time;        /* the clock in ns */
    uint32_t culprit;     /* the number of the guilty queue, or EMU_KMD_BLOB_NOBODY */
    uint32_t queue_count; /* number of rows */
    struct emu_kmd_blob_queue queues[];
};

_Static_assert(sizeof(struct emu_kmd_blob_queue) == 32, "blob layout");
_Static_assert(sizeof(struct emu_kmd_blob) == 40, "blob layout");
