#include "umd/recording.h"

#include "array.h"

#define FIRST_SIZE 4096u

struct emu_recording *emu__recording_create(emu_gpu *gpu, uint64_t object)
{
    struct emu_recording *recording = calloc(1, sizeof *recording);
    if (!recording)
        return NULL;
    recording->gpu = gpu;
    recording->object = object;
    atomic_init(&recording->refs, 1);
    return recording;
}

void emu__recording_retain(struct emu_recording *recording)
{
    atomic_fetch_add_explicit(&recording->refs, 1, memory_order_relaxed);
}

/* Bundles call nothing (emu__recording_call refuses such calls), so one level is enough. */
static void drop_bundles(struct emu_recording *recording)
{
    while (recording->bundle_count)
        emu__recording_release(recording->bundles[--recording->bundle_count]);
}

void emu__recording_release(struct emu_recording *recording)
{
    if (atomic_fetch_sub_explicit(&recording->refs, 1, memory_order_acq_rel) != 1)
        return;
    drop_bundles(recording);
    free(recording->bundles);
    free(recording->stamped);
    emu_gpu_free(recording->gpu, recording->memory.address);
    free(recording);
}

struct emu_recording *emu__recording_restart(struct emu_recording *recording)
{
    if (atomic_load_explicit(&recording->refs, memory_order_acquire) != 1) {
        emu_gpu *gpu = recording->gpu;
        const uint64_t object = recording->object;
        emu__recording_release(recording);
        return emu__recording_create(gpu, object);
    }
    drop_bundles(recording);
    recording->used = recording->last = recording->op = recording->called = 0;
    recording->calls = recording->stamp_count = 0;
    recording->lost = false;
    recording->closed = false;
    return recording;
}

/* Doubles the memory, which then has room for any packet. */
static bool grow(struct emu_recording *recording)
{
    const uint64_t size = recording->memory.size ? recording->memory.size * 2 : FIRST_SIZE;
    emu_gpu_memory memory;
    if (!emu_gpu_allocate(recording->gpu, size, 0, &memory))
        return false;
    if (recording->used)
        memcpy(memory.cpu, recording->memory.cpu, (size_t)recording->used);
    emu_gpu_free(recording->gpu, recording->memory.address);
    recording->memory = memory;
    return true;
}

void *emu__recording_append(struct emu_recording *recording, enum emu_opcode opcode)
{
    uint32_t size = emu_packet_size(opcode);
    uint64_t needed = recording->used + size;
    if (recording->closed)
        return NULL;
    if (recording->lost || (needed > recording->memory.size && !grow(recording))) {
        recording->lost = true;
        return NULL;
    }
    void *packet = (char *)recording->memory.cpu + recording->used;
    memset(packet, 0, size);
    memcpy(packet, &(struct emu_packet_header){(uint32_t)opcode, size},
           sizeof(struct emu_packet_header));
    recording->last = recording->used;
    recording->used = needed;
    return packet;
}

void emu__recording_end_op(struct emu_recording *recording, bool markers_move)
{
    if (recording->closed || recording->lost)
        return;
    struct emu_packet_header header = {0};
    if (recording->used > recording->op)
        memcpy(&header, (char *)recording->memory.cpu + recording->last, sizeof header);
    const bool is_counted =
        recording->called == recording->used || header.opcode == EMU_PACKET_MARKER;
    if ((header.opcode == 0 || (markers_move && header.opcode == EMU_PACKET_MARKER)) &&
        !emu__recording_append(recording, EMU_PACKET_NOTHING))
        return;
    if (is_counted) /* the packet that was just added is no work of the next call */
        recording->called = recording->used;
    char *last = (char *)recording->memory.cpu + recording->last;
    memcpy(&header, last, sizeof header);
    header.opcode |= EMU_PACKET_CRUMB;
    memcpy(last, &header, sizeof header);
    recording->op = recording->used;
}

/* If the last packet is work that this call produced, it leaves a time stamp. */
static void stamp_last(struct emu_recording *recording)
{
    uint32_t opcode;
    char *last = (char *)recording->memory.cpu + recording->last;
    memcpy(&opcode, last, sizeof opcode);
    if ((opcode & ~EMU_PACKET_CRUMB) == EMU_PACKET_MARKER)
        return;
    opcode |= EMU_PACKET_STAMP;
    memcpy(last, &opcode, sizeof opcode);
    recording->stamped[recording->stamp_count++] = recording->calls;
}

/* The procedure of WDDM 1.3: the number grows with every call, and is noted for calls that produced
 * work. If memory runs out, one note is missing, but no call gets a wrong note. */
void emu__recording_set_marker(struct emu_recording *recording, bool stamps)
{
    if (recording->closed || recording->lost)
        return;
    recording->calls++;
    const bool is_empty = recording->used == recording->called;
    recording->called = recording->used;
    if (is_empty || !stamps)
        return;
    if (ARRAY_ROOM(recording->stamped, recording->stamp_count, recording->stamp_capacity))
        stamp_last(recording);
}

void emu__recording_call(struct emu_recording *recording, struct emu_recording *bundle)
{
    if (!bundle->closed || bundle->bundle_count || recording->bundle_count == UINT32_MAX / 4 ||
        !ARRAY_ROOM(recording->bundles, recording->bundle_count, recording->bundles_capacity)) {
        recording->lost = true;
        return;
    }
    struct emu_packet_call *call = emu__recording_append(recording, EMU_PACKET_CALL);
    if (!call)
        return;
    call->address = bundle->memory.address;
    call->size = bundle->used;
    emu__recording_retain(bundle);
    recording->bundles[recording->bundle_count++] = bundle;
    call->row = recording->bundle_count;
}
