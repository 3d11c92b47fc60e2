/*
 * A pretend GPU with an API like Vulkan's: command buffers, one queue, writes into mapped memory.
 * Its front end runs ahead of the work: writes at the top of the pipe are made when it comes by,
 * writes at the bottom when all work before is done.
 */
#ifndef LAYER_GPU_H
#define LAYER_GPU_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum gpu_limits { GPU_COMMANDS = 64, GPU_SUBMISSIONS = 16, GPU_RUN_AHEAD = 2 };

struct gpu_command {
    enum gpu_op { GPU_WRITE_TOP, GPU_WRITE_BOTTOM, GPU_BARRIER, GPU_FILL, GPU_WORK, GPU_HANG } op;
    uint32_t size; /* of a write: 4 or 8 bytes */
    uint64_t offset, value;
};

struct gpu_command_buffer {
    struct gpu_command commands[GPU_COMMANDS];
    uint32_t count;
};

struct gpu {
    unsigned char memory[1024]; /* stays readable when the device is lost */
    const struct gpu_command_buffer *submitted[GPU_SUBMISSIONS];
    uint32_t submitted_count, completed_count;
    bool has_markers; /* writes at the top and the bottom of the pipe; without: fills only */
    bool is_lost;
};

static inline void gpu_record(struct gpu_command_buffer *buffer, enum gpu_op op, uint32_t size,
                              uint64_t offset, uint64_t value)
{
    if (buffer->count < GPU_COMMANDS)
        buffer->commands[buffer->count++] = (struct gpu_command){op, size, offset, value};
}

static inline void gpu_submit(struct gpu *gpu, const struct gpu_command_buffer *buffer)
{
    if (gpu->submitted_count < GPU_SUBMISSIONS)
        gpu->submitted[gpu->submitted_count++] = buffer;
}

/* Behind a hang the front end goes on for a few operations, and stops at a barrier; nothing that
 * waits for the hung work happens. */
static inline void gpu_run(struct gpu *gpu)
{
    for (uint32_t left = GPU_RUN_AHEAD;
         gpu->completed_count < gpu->submitted_count && !gpu->is_lost;
         gpu->completed_count += !gpu->is_lost) {
        const struct gpu_command_buffer *buffer = gpu->submitted[gpu->completed_count];
        for (uint32_t i = 0; i < buffer->count; i++) {
            const struct gpu_command *command = &buffer->commands[i];
            gpu->is_lost |= command->op == GPU_HANG;
            if (gpu->is_lost && (command->op == GPU_BARRIER || left == 0))
                return;
            left -= gpu->is_lost && command->op == GPU_WORK;
            if (command->op == GPU_FILL || command->op == GPU_WRITE_TOP ||
                (command->op == GPU_WRITE_BOTTOM && !gpu->is_lost))
                memcpy(gpu->memory + command->offset, &command->value, command->size);
        }
    }
}

#endif
