/*
 * A recording: what a list recorded between reset and close, as packets in GPU memory. The list,
 * every submission that executes it and every recording that calls it as a bundle hold a reference,
 * so a list can be reset or destroyed while the GPU still runs what it recorded.
 *
 * Threads: recorded by one; referenced from any.
 */
#pragma once

#include "gpu/gpu.h"
#include "gpu/packet.h"

#include <stdatomic.h>
#include <string.h>

struct emu_recording {
    emu_gpu *gpu;
    uint64_t object; /* annot_object_id of the list */
    atomic_uint refs;
    emu_gpu_memory memory; /* packets from its start; it may move until close */
    uint64_t used;         /* bytes */
    uint64_t last;         /* offset of the last packet */
    uint64_t op;           /* bytes up to the end of the last operation */
    uint64_t called;       /* bytes up to the end of the last API call */
    uint32_t calls;        /* SetMarkers so far: low half of the API sequence number */
    uint32_t *stamped;     /* the calls that leave time stamps, in order */
    uint32_t stamp_count, stamp_capacity;
    struct emu_recording **bundles; /* references to the called bundles, one for each execution */
    uint32_t bundle_count;          /* executions of bundles so far: the last CALL's row */
    uint32_t bundles_capacity;
    bool lost;   /* a part of it could not be kept */
    bool closed; /* the recording is complete, and no part was lost */
};

/* Makes an empty, open recording of the list `object`; NULL means out of memory. */
struct emu_recording *emu__recording_create(emu_gpu *gpu, uint64_t object);
void emu__recording_retain(struct emu_recording *recording);
void emu__recording_release(struct emu_recording *recording);

/* The caller's reference becomes a reference to an empty open recording. This is the same recording
 * if it has no other reference. NULL means out of memory; the reference is gone then too. */
struct emu_recording *emu__recording_restart(struct emu_recording *recording);

/* Adds room for one packet; everything except its header is zero. Without memory the result is
 * NULL, and the recording is lost. If the recording is closed, the result is NULL and nothing
 * changes, because the GPU may be reading it. */
void *emu__recording_append(struct emu_recording *recording, enum emu_opcode opcode);

/* The same for a whole marker. Applications set many markers, so the function is inline and uses no
 * memset. */
static inline void emu__recording_mark(struct emu_recording *recording, enum emu_marker_kind kind,
                                       uint64_t event_id)
{
    const struct emu_packet_marker marker = {
        {EMU_PACKET_MARKER, sizeof marker}, event_id, (uint32_t)kind, 0};
    void *packet;
    if (recording->closed || recording->lost ||
        recording->memory.size - recording->used < sizeof marker) {
        packet = emu__recording_append(recording, EMU_PACKET_MARKER);
        if (!packet)
            return;
    } else {
        packet = (char *)recording->memory.cpu + recording->used;
        recording->last = recording->used;
        recording->used += sizeof marker;
    }
    memcpy(packet, &marker, sizeof marker);
}

/* Ends one operation of the runtime. Its last packet leaves a breadcrumb; an operation without
 * packets gets a packet for this. If `markers_move`, a marker never gets the flag, so that the
 * breadcrumb keeps its place. */
void emu__recording_end_op(struct emu_recording *recording, bool markers_move);

/* Does SetMarker: if the API call before it produced work, a time stamp is written when the work is
 * done, unless `stamps` is false. Markers are no work. */
void emu__recording_set_marker(struct emu_recording *recording, bool stamps);

/* Calls a closed recording as the next execution of a bundle; it must not call others. With any
 * other recording, or without memory, this recording is lost. */
void emu__recording_call(struct emu_recording *recording, struct emu_recording *bundle);
