#include "umd/recording.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SIZE 4096u

emu_recording *emu__recording_create(emu_gpu *gpu, uint64_t object)
{
    emu_recording *recording = calloc(1, sizeof *recording);
    if (!recording)
        return NULL;
    recording->gpu = gpu;
    recording->object = object;
    atomic_init(&recording->refs, 1);
    return recording;
}

void emu__recording_retain(emu_recording *recording)
{
    atomic_fetch_add_explicit(&recording->refs, 1, memory_order_relaxed);
}

/* Bundles call nothing themselves (emu__recording_call sees to it), so this goes one level deep. */
static void drop_bundles(emu_recording *recording)
{
    while (recording->bundle_count)
        emu__recording_release(recording->bundles[--recording->bundle_count]);
}

void emu__recording_release(emu_recording *recording)
{
    if (atomic_fetch_sub_explicit(&recording->refs, 1, memory_order_acq_rel) != 1)
        return;
    drop_bundles(recording);
    free(recording->bundles);
    emu_gpu_free(recording->gpu, recording->memory.address);
    free(recording);
}

emu_recording *emu__recording_restart(emu_recording *recording)
{
    if (atomic_load_explicit(&recording->refs, memory_order_acquire) != 1) {
        emu_gpu *gpu = recording->gpu;
        const uint64_t object = recording->object;
        emu__recording_release(recording);
        return emu__recording_create(gpu, object);
    }
    drop_bundles(recording);
    recording->used = recording->last = recording->op = 0;
    recording->lost = false;
    recording->closed = false;
    return recording;
}

static bool grow(emu_recording *recording, uint64_t needed)
{
    uint64_t size = recording->memory.size ? recording->memory.size : FIRST_SIZE / 2;
    do
        size *= 2;
    while (size < needed);
    emu_gpu_memory memory;
    if (!emu_gpu_allocate(recording->gpu, size, 0, &memory))
        return false;
    if (recording->used)
        memcpy(memory.cpu, recording->memory.cpu, (size_t)recording->used);
    emu_gpu_free(recording->gpu, recording->memory.address);
    recording->memory = memory;
    return true;
}

void *emu__recording_append(emu_recording *recording, emu_opcode opcode)
{
    uint32_t size = emu_packet_size(opcode);
    uint64_t needed = recording->used + size;
    if (recording->closed)
        return NULL;
    if (recording->lost || (needed > recording->memory.size && !grow(recording, needed))) {
        recording->lost = true;
        return NULL;
    }
    void *packet = (char *)recording->memory.cpu + recording->used;
    memset(packet, 0, size);
    memcpy(packet, &(emu_packet_header){(uint32_t)opcode, size}, sizeof(emu_packet_header));
    recording->last = recording->used;
    recording->used = needed;
    return packet;
}

void emu__recording_end_op(emu_recording *recording, bool markers_move)
{
    if (recording->closed || recording->lost)
        return;
    emu_packet_header header = {0};
    if (recording->used > recording->op)
        memcpy(&header, (char *)recording->memory.cpu + recording->last, sizeof header);
    if ((header.opcode == 0 || (markers_move && header.opcode == EMU_PACKET_MARKER)) &&
        !emu__recording_append(recording, EMU_PACKET_BARRIER))
        return;
    char *last = (char *)recording->memory.cpu + recording->last;
    memcpy(&header, last, sizeof header);
    header.opcode |= EMU_PACKET_CRUMB;
    memcpy(last, &header, sizeof header);
    recording->op = recording->used;
}

static bool reserve_bundle(emu_recording *recording)
{
    if (recording->bundle_count < recording->bundles_capacity)
        return true;
    uint32_t capacity = recording->bundles_capacity ? recording->bundles_capacity * 2 : 8;
    emu_recording **bundles = realloc(recording->bundles, capacity * sizeof(emu_recording *));
    if (!bundles)
        return false;
    recording->bundles = bundles;
    recording->bundles_capacity = capacity;
    return true;
}

void emu__recording_call(emu_recording *recording, emu_recording *bundle)
{
    if (!bundle->closed || bundle->bundle_count || bundle == recording ||
        recording->bundle_count == UINT32_MAX / 4 || !reserve_bundle(recording)) {
        recording->lost = true;
        return;
    }
    emu_packet_call *call = emu__recording_append(recording, EMU_PACKET_CALL);
    if (!call)
        return;
    call->address = bundle->memory.address;
    call->size = bundle->used;
    emu__recording_retain(bundle);
    recording->bundles[recording->bundle_count++] = bundle;
    call->row = recording->bundle_count;
}
