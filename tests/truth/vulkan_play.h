/* An application on the Vulkan layer and the mock driver, and what its GPU did. */
#pragma once

#include "../vulkan/kit.h"
#include "vulkan_program.h"

struct buffer {
    VkCommandBuffer handle;
    uint32_t queue; /* whose family it is for */
    bool is_secondary, is_recording, is_recorded, is_simultaneous;
    bool in_pass, continues_pass;
    enum pass_kind pass;    /* the last one */
    bool is_over;           /* it was suspended, and nothing may follow */
    bool is_resumed;        /* the first one goes on from another command buffer */
    int depth;              /* open labels */
    bool executes[BUFFERS]; /* secondaries */
    struct flat *ops;       /* those of the application, with its secondaries' */
    int count, capacity;
};

struct vulkan_state {
    const struct program *program;
    struct app app;
    VkCommandPool pools[2]; /* of each family */
    struct buffer buffers[BUFFERS];
    struct truth truth;
    int *buffer_of; /* of each execution */
    uint32_t names, works;
    uint32_t steps; /* that the GPU may make */
    bool is_ahead;
    struct dice early; /* which work is done next; 0: one after the other */
    /* of the submission that is being made */
    struct {
        uint64_t serial;
        uint32_t list;
        int buffer;
    } made[32];
    int made_count, made_next;
    struct mock_queued *seam; /* in front of the next command buffer; NULL: none */
};

extern struct vulkan_state *vulkan_state;

/* Whether an execution of the buffer is not complete. */
bool vulkan_is_pending(const struct vulkan_state *state, int buffer);
void vulkan_record(struct vulkan_state *state, const struct op *op);
void vulkan_submit(struct vulkan_state *state, const struct op *op);
/* Has the GPU tell the truth of what it does. */
void vulkan_watch(void);
