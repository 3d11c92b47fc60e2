/* Properties of packets alone: sizes, rules, and the values that a bundle's work inherits. */
#include "gpu/packet.h"
#include "gpu/gpu.h"

uint32_t emu_packet_size(uint32_t opcode)
{
    static const uint32_t sizes[] = {
        [EMU_PACKET_END] = sizeof(struct emu_packet_header),
        [EMU_PACKET_BARRIER] = sizeof(struct emu_packet_header),
        [EMU_PACKET_EXECUTION_END] = sizeof(struct emu_packet_header),
        [EMU_PACKET_QUEUE] = sizeof(struct emu_packet_queue),
        [EMU_PACKET_EXECUTION_BEGIN] = sizeof(struct emu_packet_execution_begin),
        [EMU_PACKET_CALL] = sizeof(struct emu_packet_call),
        [EMU_PACKET_MARKER] = sizeof(struct emu_packet_marker),
        [EMU_PACKET_COPY] = sizeof(struct emu_packet_copy),
        [EMU_PACKET_RESOLVE] = sizeof(struct emu_packet_copy),
        [EMU_PACKET_FILL] = sizeof(struct emu_packet_fill),
        [EMU_PACKET_PREDICATE] = sizeof(struct emu_packet_predicate),
        [EMU_PACKET_WRITE_IMMEDIATE] = sizeof(struct emu_packet_write_immediate),
        [EMU_PACKET_DISPATCH] = sizeof(struct emu_packet_dispatch),
        [EMU_PACKET_DRAW] = sizeof(struct emu_packet_dispatch),
        [EMU_PACKET_INDIRECT] = sizeof(struct emu_packet_indirect),
        [EMU_PACKET_BINDINGS] = sizeof(struct emu_packet_bindings),
        [EMU_PACKET_TIMESTAMP] = sizeof(struct emu_packet_timestamp),
        [EMU_PACKET_NOTHING] = sizeof(struct emu_packet_header),
    };
    return opcode < sizeof sizes / sizeof sizes[0] ? sizes[opcode] : 0;
}

bool emu_packet_is_predicated(uint32_t opcode)
{
    return opcode == EMU_PACKET_COPY || opcode == EMU_PACKET_FILL ||
           opcode == EMU_PACKET_DISPATCH || opcode == EMU_PACKET_DRAW ||
           opcode == EMU_PACKET_INDIRECT;
}

bool emu_packet_indirect_is_valid(const struct emu_packet_indirect *packet)
{
    const uint32_t opcode = packet->work.header.opcode;
    return (opcode == EMU_PACKET_DISPATCH || opcode == EMU_PACKET_DRAW) &&
           packet->commands % sizeof(uint32_t) == 0 && packet->count % sizeof(uint32_t) == 0 &&
           packet->commands <= EMU_GPU_ADDRESS_LIMIT &&
           (uint64_t)packet->max_count * packet->stride <= EMU_GPU_ADDRESS_LIMIT;
}

void emu_packet_inherit(struct emu_packet_dispatch *dispatch,
                        const struct emu_packet_bindings *bindings)
{
    for (uint32_t i = 0; i < 2; i++)
        if (dispatch->inherited & EMU_PACKET_INHERITS_ARGUMENT(i)) {
            dispatch->arguments[i] = bindings->arguments[i];
            dispatch->descriptors &= ~(1u << i);
            dispatch->descriptors |= bindings->descriptors & 1u << i;
        }
    for (uint32_t i = 0; i < EMU_PACKET_CONSTANTS; i++)
        if (dispatch->inherited & EMU_PACKET_INHERITS_CONSTANT(i))
            dispatch->constants[i] = bindings->constants[i];
}
