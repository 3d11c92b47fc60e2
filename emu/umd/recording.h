/* A recording: the packets that a list recorded between reset and close, in GPU memory. The list
 * holds a reference. Submissions that execute the recording hold references, and recordings that
 * call it as a bundle do, too. So a list can be reset or destroyed while the GPU still runs the
 * recording.
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
    emu_gpu_memory
        memory;        /* the memory of the packets, which may move until the recording is closed */
    uint64_t used;     /* bytes of all packets */
    uint64_t last;     /* offset of the last packet in the memory */
    uint64_t op;       /* offset at which the last operation ends */
    uint64_t called;   /* offset at which the last API call ends */
    uint32_t calls;    /* number of SetMarkers so far: the API sequence number's low half */
    uint32_t *stamped; /* the calls that leave time stamps, in order */
    uint32_t stamp_count, stamp_capacity;
    struct emu_recording **bundles; /* references to called bundles, one for each execution */
    uint32_t
        bundle_count; /* number of executions of bundles so far, which is the last CALL's row */
    uint32_t bundles_capacity;
    bool lost;   /* whether a part of the recording could not be kept */
    bool closed; /* whether the recording is complete, and no part was lost */
};

/* Makes an empty, open recording of the list `object`. NULL means out of memory. */
struct emu_recording *emu__recording_create(emu_gpu *gpu, uint64_t object);
void emu__recording_retain(struct emu_recording *recording);
void emu__recording_release(struct emu_recording *recording);

/* Exchanges the caller's reference for a reference to an empty open recording, which is `recording`
 * itself if it has no other reference. NULL means out of memory; the old reference is gone, too. */
struct emu_recording *emu__recording_restart(struct emu_recording *recording);

/* Adds room for one packet; everything except the packet's header is zero. If memory runs out, the
 * function returns NULL, and the recording is lost. If the recording is closed, it returns NULL and
 * changes nothing, because the GPU may be reading the recording. */
void *emu__recording_append(struct emu_recording *recording, enum emu_opcode opcode);

/* Adds a whole marker. Applications set many markers, so this is inline, without memset. */
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

/* Ends one operation of the runtime. The operation's last packet leaves a breadcrumb; an operation
 * without packets gets a packet for this. If `markers_move`, no marker leaves the breadcrumb,
 * because the driver may move markers. */
void emu__recording_end_op(struct emu_recording *recording, bool markers_move);

/* Performs pfnSetMarker: if the last API call produced work, the end of this work writes a time
 * stamp, unless `stamps` is false. Markers are not work. */
void emu__recording_set_marker(struct emu_recording *recording, bool stamps);

/* Calls the closed recording `bundle`, as the next execution of a bundle. `bundle` must not call
 * another recording. If it does, or memory runs out, `recording` is lost. */
void emu__recording_call(struct emu_recording *recording, struct emu_recording *bundle);
