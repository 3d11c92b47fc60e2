/* A recording: the packets that a list recorded between reset and close, in GPU memory. The list
 * holds a reference to the recording. Submissions that execute the recording hold references, and
 * so do recordings that call it as a bundle. So a list can be reset or destroyed while the GPU
 * still runs the recording.
 *
 * Threads: one thread records; any thread may hold references. */
#pragma once

#include "gpu/gpu.h"
#include "gpu/packet.h"

#include <stdatomic.h>
#include <string.h>

struct emu_recording {
    emu_gpu *gpu;
    uint64_t object; /* annot_object_id of the list */
    atomic_uint refs;
    emu_gpu_memory memory; /* memory of the packets; it may move until the recording is closed */
    uint64_t used;         /* bytes of all packets */
    uint64_t last;         /* offset of the last packet in `memory` */
    uint64_t op;           /* offset in `memory` where the last operation's packets end */
    uint64_t called;       /* offset in `memory` where the last API call's packets end */
    uint32_t calls;    /* number of SetMarkers, which is the low half of the API sequence number */
    uint32_t *stamped; /* calls that get time stamps, in recorded order */
    uint32_t stamp_count, stamp_capacity;
    struct emu_recording **bundles; /* references to called bundles; one for each execution */
    uint32_t bundle_count; /* how many bundles the recording executes; row of the last CALL */
    uint32_t bundles_capacity;
    bool lost;   /* whether a part of the recording is missing */
    bool closed; /* whether the recording is complete, and nothing is missing */
};

/* Makes an empty open recording for the list `object`. Returns NULL if memory runs out. */
struct emu_recording *emu__recording_create(emu_gpu *gpu, uint64_t object);
void emu__recording_retain(struct emu_recording *recording);
void emu__recording_release(struct emu_recording *recording);

/* Exchanges the caller's reference for a reference to an empty open recording, which may be
 * `recording` itself. NULL means out of memory; the caller's old reference is gone in any case. */
struct emu_recording *emu__recording_restart(struct emu_recording *recording);

/* Adds room for one packet, and sets its header; the other bytes are 0. If memory runs out, the
 * function returns NULL, and the recording is lost. If the recording is closed, it returns NULL and
 * changes nothing, because the GPU may be reading the recording. */
void *emu__recording_append(struct emu_recording *recording, enum emu_opcode opcode);

/* Adds a complete marker packet. It is inline and without memset, because markers are frequent. */
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

/* Ends an operation of the runtime. The operation's last packet leaves a breadcrumb; an operation
 * without packets gets a packet. If `markers_move`, this packet must not be a marker, because the
 * driver may move markers. */
void emu__recording_end_op(struct emu_recording *recording, bool markers_move);

/* Performs pfnSetMarker: if the last API call produced work, a time stamp is written when the work
 * ends, unless `stamps` is false. Markers are not work. */
void emu__recording_set_marker(struct emu_recording *recording, bool stamps);

/* Calls the closed recording `bundle`, as the next execution of a bundle. `bundle` must not call a
 * bundle itself. If it does, or if memory runs out, `recording` is lost. */
void emu__recording_call(struct emu_recording *recording, struct emu_recording *bundle);
