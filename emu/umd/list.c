#include "umd/types.h"

#include <stdlib.h>
#include <string.h>

void *emu__reference_list_create(void *device, uint32_t type, uint64_t id)
{
    struct emu_reference_device *owner = device;
    struct emu_reference_list *list = calloc(1, sizeof *list);
    if (!list)
        return NULL;
    list->recording = emu__recording_create(owner->gpu, id);
    if (!list->recording) {
        free(list);
        return NULL;
    }
    list->is_bundle = type == EMU_LIST_TYPE_BUNDLE;
    emu__reference_object_init(&list->object, owner, D3D12DDI_HT_COMMAND_LIST, id);
    return list;
}

void emu__reference_list_destroy(void *handle)
{
    struct emu_reference_list *list = handle;
    struct emu_recording *recording = list ? list->recording : NULL;
    emu__reference_object_destroy(handle);
    if (recording)
        emu__recording_release(recording);
}

bool emu__reference_list_reset(void *handle)
{
    struct emu_reference_list *list = handle;
    list->recording = list->recording
                          ? emu__recording_restart(list->recording)
                          : emu__recording_create(list->object.device->gpu, list->object.id);
    return list->recording != NULL;
}

bool emu__reference_list_close(void *handle)
{
    struct emu_reference_list *list = handle;
    struct emu_recording *recording = list->recording;
    if (!recording || recording->lost)
        return false;
    if (list->object.device->order_window && !recording->closed)
        emu__reorder_markers(recording->memory.cpu, recording->used,
                             list->object.device->order_window);
    recording->closed = true;
    return true;
}

static void *append(void *handle, enum emu_opcode opcode)
{
    struct emu_reference_list *list = handle;
    return list->recording ? emu__recording_append(list->recording, opcode) : NULL;
}

/* Appends a packet with these members behind its header. */
#define APPEND(list, type, opcode, ...)                                                            \
    do {                                                                                           \
        struct type *packet_ = append(list, opcode);                                               \
        if (packet_)                                                                               \
            *packet_ = (struct type){packet_->header, __VA_ARGS__};                                \
    } while (0)

static void append_copy(void *list, enum emu_opcode opcode, uint64_t dst, uint64_t src,
                        uint64_t size)
{
    APPEND(list, emu_packet_copy, opcode, dst, src, size);
}

void emu__reference_cmd_copy(void *list, uint64_t dst, uint64_t src, uint64_t size)
{
    append_copy(list, EMU_PACKET_COPY, dst, src, size);
}

void emu__reference_cmd_resolve(void *list, uint64_t dst, uint64_t src, uint64_t size)
{
    append_copy(list, EMU_PACKET_RESOLVE, dst, src, size);
}

void emu__reference_cmd_fill(void *list, uint64_t dst, uint64_t size, const void *pattern,
                             uint32_t unit)
{
    struct emu_packet_fill *packet = append(list, EMU_PACKET_FILL);
    if (!packet)
        return;
    packet->destination = dst;
    packet->size = size;
    packet->unit = unit;
    memcpy(packet->pattern, pattern, unit < sizeof packet->pattern ? unit : sizeof packet->pattern);
}

void emu__reference_cmd_predicate(void *list, uint64_t address, bool skip_if_not_zero)
{
    APPEND(list, emu_packet_predicate, EMU_PACKET_PREDICATE, address, skip_if_not_zero, 0);
}

void emu__reference_cmd_write_immediate(void *list, uint64_t dst, uint32_t value, uint32_t mode)
{
    APPEND(list, emu_packet_write_immediate, EMU_PACKET_WRITE_IMMEDIATE, dst, value, mode);
}

void emu__reference_cmd_barrier(void *list)
{
    append(list, EMU_PACKET_BARRIER);
}

static void fill_dispatch(struct emu_packet_dispatch *packet, const emu_dispatch *dispatch)
{
    packet->kernel = dispatch->kernel;
    memcpy(packet->groups, dispatch->groups, sizeof packet->groups);
    memcpy(packet->arguments, dispatch->arguments, sizeof packet->arguments);
    memcpy(packet->constants, dispatch->constants, sizeof packet->constants);
    packet->descriptors = dispatch->descriptors;
    packet->inherited = dispatch->inherited;
}

void emu__reference_cmd_dispatch(void *list, const emu_dispatch *dispatch)
{
    struct emu_packet_dispatch *packet = append(list, EMU_PACKET_DISPATCH);
    if (packet)
        fill_dispatch(packet, dispatch);
}

void emu__reference_cmd_draw(void *list, const emu_dispatch *draw)
{
    struct emu_packet_dispatch *packet = append(list, EMU_PACKET_DRAW);
    if (packet)
        fill_dispatch(packet, draw);
}

void emu__reference_cmd_execute_indirect(void *list, const emu_dispatch *work, bool draws,
                                         const emu_indirect *indirect)
{
    struct emu_packet_indirect *packet = append(list, EMU_PACKET_INDIRECT);
    if (!packet)
        return;
    packet->commands = indirect->commands;
    packet->count = indirect->count;
    packet->max_count = indirect->max_count;
    packet->stride = indirect->stride;
    packet->groups_offset = indirect->groups_offset;
    memcpy(packet->argument_offsets, indirect->argument_offsets, sizeof packet->argument_offsets);
    memcpy(packet->constant_offsets, indirect->constant_offsets, sizeof packet->constant_offsets);
    packet->work.header = (struct emu_packet_header){draws ? EMU_PACKET_DRAW : EMU_PACKET_DISPATCH,
                                                     sizeof packet->work};
    fill_dispatch(&packet->work, work);
}

void emu__reference_cmd_bindings(void *list, const emu_dispatch *bound, bool draws)
{
    struct emu_packet_bindings *packet = append(list, EMU_PACKET_BINDINGS);
    if (!packet)
        return;
    memcpy(packet->arguments, bound->arguments, sizeof packet->arguments);
    memcpy(packet->constants, bound->constants, sizeof packet->constants);
    packet->descriptors = bound->descriptors;
    packet->draws = draws;
}

void emu__reference_cmd_timestamp(void *list, uint64_t dst)
{
    APPEND(list, emu_packet_timestamp, EMU_PACKET_TIMESTAMP, dst);
}

void emu__reference_cmd_execute_bundle(void *list, void *bundle)
{
    struct emu_recording *recording = ((struct emu_reference_list *)list)->recording;
    struct emu_recording *callee = ((struct emu_reference_list *)bundle)->recording;
    if (!recording)
        return;
    if (callee)
        emu__recording_call(recording, callee);
    else
        recording->lost = true;
}

void emu__reference_op_end(void *handle)
{
    struct emu_reference_list *list = handle;
    if (list->recording)
        emu__recording_end_op(list->recording, list->object.device->order_window != 0);
}

void emu__reference_cmd_set_marker(void *handle)
{
    struct emu_reference_list *list = handle;
    if (list->recording)
        emu__recording_set_marker(list->recording, !list->is_bundle);
}

void emu__reference_list_mark(void *handle, enum emu_marker_kind kind, uint64_t event_id)
{
    struct emu_reference_list *list = handle;
    if (list->recording)
        emu__recording_mark(list->recording, kind, event_id);
}
