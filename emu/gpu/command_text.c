/* Says in words which command of an ExecuteIndirect an engine was executing when it stopped. */
#include "gpu/engine.h"

#include <stdio.h>

void emu_engine_say_command(const struct emu_engine *engine, char *text, size_t size)
{
    const struct emu_engine_op *op = engine->last;
    if (op->is_over)
        op = &engine->ops[engine->retired % EMU_ENGINE_SLOTS];
    const struct emu_engine_command *command = &op->command;
    const uint32_t *groups = command->groups;
    char counts[64] = "", work[64] = "not readable";
    if (command->read_count != command->max_count)
        snprintf(counts, sizeof counts, " (count %u was read, at most %u)", command->read_count,
                 command->max_count);
    if (command->opcode == EMU_PACKET_DISPATCH)
        snprintf(work, sizeof work, "Dispatch(%u, %u, %u)", groups[0], groups[1], groups[2]);
    else if (command->opcode == EMU_PACKET_DRAW)
        snprintf(work, sizeof work, "a draw, %u vertices or indices, %u instances", groups[0],
                 groups[1]);
    snprintf(text, size, "command %u of %u%s: %s", command->number, command->count, counts, work);
    if (command->number == 0 || op->is_over)
        text[0] = '\0';
}
