/*
 * A recording: what a list recorded between reset and close, as packets in GPU memory. The list,
 * every submission that executes it and every recording that calls it as a bundle hold a reference,
 * so a list can be reset or destroyed while the GPU still runs what it recorded.
 *
 * Threads: recorded by one; referenced from any.
 */
#ifndef EMU_UMD_RECORDING_H
#define EMU_UMD_RECORDING_H

#include "gpu/gpu.h"
#include "gpu/packet.h"

#include <stdatomic.h>

typedef struct emu_recording {
    emu_gpu *gpu;
    uint64_t object; /* annot_object_id of the list */
    atomic_uint refs;
    emu_gpu_memory memory;          /* packets from its start; it may move until close */
    uint64_t used;                  /* bytes */
    uint64_t last;                  /* where in them the last packet is */
    uint64_t op;                    /* bytes up to the end of the last operation */
    struct emu_recording **bundles; /* references to what is called, one an execution */
    uint32_t bundle_count;          /* executions of bundles so far: the last CALL's row */
    uint32_t bundles_capacity;
    bool lost;   /* something could not be kept */
    bool closed; /* complete, and nothing was lost */
} emu_recording;

/* Empty and open, of the list `object`; NULL without memory. */
emu_recording *emu__recording_create(emu_gpu *gpu, uint64_t object);
void emu__recording_retain(emu_recording *recording);
void emu__recording_release(emu_recording *recording);

/* The caller's reference becomes one to an empty open recording: this very one when it has no other
 * reference. NULL without memory; the reference is gone then too. */
emu_recording *emu__recording_restart(emu_recording *recording);

/* Room for one packet, zero but for its header; NULL, and the recording is lost, without memory. NULL, and nothing
 * happens, when it is closed: the GPU may be reading it. */
void *emu__recording_append(emu_recording *recording, emu_opcode opcode);

/* Ends one operation of the runtime: its last packet leaves a breadcrumb, or one of its own does, as for an operation
 * without packets. Markers are not flagged where `markers_move`: the breadcrumb stays at its place. */
void emu__recording_end_op(emu_recording *recording, bool markers_move);

/* Calls a closed recording, one that calls nothing itself, as the next execution of a bundle. With
 * any other, or without memory, the recording is lost. */
void emu__recording_call(emu_recording *recording, emu_recording *bundle);

#endif
