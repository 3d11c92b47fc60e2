/* Command buffers. */
#include "vulkan_play.h"

static bool is_secondary(uint32_t buffer)
{
    return buffer >= BUFFERS - SECONDARIES;
}

bool vulkan_is_pending(const struct vulkan_state *state, int buffer)
{
    for (int i = 0; i < state->truth.count; i++) {
        const struct execution *execution = &state->truth.executions[i];
        const struct buffer *of = &state->buffers[state->buffer_of[i]];
        if ((state->buffer_of[i] == buffer || of->executes[buffer]) &&
            !truth_is_complete(execution, 0, execution->count))
            return true;
    }
    return false;
}

static struct flat *record(struct buffer *buffer, enum flat_kind kind)
{
    if (buffer->count == buffer->capacity) {
        buffer->capacity = buffer->capacity ? buffer->capacity * 2 : 16;
        buffer->ops = grow(buffer->ops, (size_t)buffer->capacity * sizeof *buffer->ops);
    }
    struct flat *op = &buffer->ops[buffer->count++];
    *op = (struct flat){.kind = kind,
                        .started = NO_WORD,
                        .completed = kind == FLAT_WORK ? NO_WORD : 0,
                        .partner = -1,
                        .closed_by = -1};
    return op;
}

/* The primaries that execute a secondary are no longer valid. */
static void invalidate(struct vulkan_state *state, uint32_t secondary)
{
    for (int i = 0; i < BUFFERS; i++)
        if (state->buffers[i].executes[secondary])
            state->buffers[i].is_recorded = state->buffers[i].is_recording = false;
}

static void begin(struct vulkan_state *state, const struct op *op)
{
    struct buffer *buffer = &state->buffers[op->a];
    const bool continues = is_secondary(op->a) && op->a % 2;
    const VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = (op->b ? VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT : 0u) |
                 (continues ? VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT : 0u)};
    if (vulkan_is_pending(state, (int)op->a))
        return;
    invalidate(state, op->a);
    *buffer = (struct buffer){.handle = buffer->handle,
                              .queue = buffer->queue,
                              .is_recording = true,
                              .is_simultaneous = op->b,
                              .in_pass = continues,
                              .continues_pass = continues,
                              .ops = buffer->ops,
                              .capacity = buffer->capacity};
    state->app.vk.BeginCommandBuffer(buffer->handle, &info);
    say("begin(&app, buffers[%u], %u);", op->a, info.flags);
}

static void end_label(struct vulkan_state *state, uint32_t index)
{
    struct buffer *buffer = &state->buffers[index];
    state->app.vk.CmdEndDebugUtilsLabelEXT(buffer->handle);
    say("app_write(&app, buffers[%u], \"}\", NULL);", index);
    buffer->depth -= buffer->depth > 0;
    record(buffer, FLAT_END);
}

static void end_pass(struct vulkan_state *state, uint32_t index)
{
    struct buffer *buffer = &state->buffers[index];
    const char *word = buffer->pass == PASS_RENDER ? "]" : ">";
    app_write(&state->app, buffer->handle, word, VK_NULL_HANDLE);
    say("app_write(&app, buffers[%u], \"%s\", NULL);", index, word);
    buffer->in_pass = false;
    buffer->is_over = buffer->pass == PASS_SUSPENDED;
}

static void end(struct vulkan_state *state, uint32_t index)
{
    struct buffer *buffer = &state->buffers[index];
    if (buffer->in_pass && !buffer->continues_pass)
        end_pass(state, index);
    while (is_secondary(index) && buffer->depth > 0)
        end_label(state, index);
    state->app.vk.EndCommandBuffer(buffer->handle);
    say("app.vk.EndCommandBuffer(buffers[%u]);", index);
    buffer->is_recording = false;
    buffer->is_recorded = true;
}

static void mark(struct vulkan_state *state, const struct op *op)
{
    struct buffer *buffer = &state->buffers[op->a];
    const bool is_point = op->kind == VULKAN_POINT;
    char word[16];
    snprintf(word, sizeof word, "%cm%u", is_point ? '.' : '{', ++state->names);
    app_write(&state->app, buffer->handle, word, VK_NULL_HANDLE);
    say("app_write(&app, buffers[%u], \"%s\", NULL);", op->a, word);
    record(buffer, is_point ? FLAT_SET : FLAT_BEGIN)->name = state->names;
    buffer->depth += !is_point;
}

static void work(struct vulkan_state *state, const struct op *op)
{
    struct buffer *buffer = &state->buffers[op->a];
    char word[16];
    snprintf(word, sizeof word, "w%u", ++state->works);
    app_write(&state->app, buffer->handle, word, VK_NULL_HANDLE);
    say("app_write(&app, buffers[%u], \"%s\", NULL);", op->a, word);
    record(buffer, FLAT_WORK);
    if (op->b && mock.hang == MOCK_NO_HANG) {
        mock.hang = state->works;
        say("mock.hang = %u;", state->works);
    }
}

/* A pass that is suspended is the last of a command buffer, one that is resumed the first. */
static void pass(struct vulkan_state *state, const struct op *op)
{
    static const char *const words[PASS_KINDS] = {"[", "<", "!", "&"};
    struct buffer *buffer = &state->buffers[op->a];
    if (is_secondary(op->a) || (op->b == PASS_RESUMED && buffer->count > 0))
        return;
    app_write(&state->app, buffer->handle, words[op->b], VK_NULL_HANDLE);
    say("app_write(&app, buffers[%u], \"%s\", NULL);", op->a, words[op->b]);
    buffer->in_pass = true;
    buffer->pass = (enum pass_kind)op->b;
    buffer->is_resumed |= op->b == PASS_RESUMED;
}

static void execute(struct vulkan_state *state, const struct op *op)
{
    struct buffer *buffer = &state->buffers[op->a];
    const struct buffer *secondary = &state->buffers[op->b];
    if (is_secondary(op->a) || !secondary->is_recorded || buffer->executes[op->b] ||
        secondary->continues_pass != buffer->in_pass || secondary->queue != buffer->queue)
        return;
    app_write(&state->app, buffer->handle, "S", secondary->handle);
    say("app_write(&app, buffers[%u], \"S\", buffers[%u]);", op->a, op->b);
    buffer->executes[op->b] = true;
    for (int i = 0; i < secondary->count; i++) {
        struct flat *added = record(buffer, secondary->ops[i].kind);
        *added = secondary->ops[i];
        added->bundle = 1;
    }
}

static void reset(struct vulkan_state *state, uint32_t index)
{
    struct buffer *buffer = &state->buffers[index];
    if (vulkan_is_pending(state, (int)index))
        return;
    invalidate(state, index);
    state->app.vk.ResetCommandBuffer(buffer->handle, 0);
    say("app.vk.ResetCommandBuffer(buffers[%u], 0);", index);
    buffer->is_recorded = buffer->is_recording = false;
    memset(buffer->executes, 0, sizeof buffer->executes);
}

static void record_command(struct vulkan_state *state, const struct op *op)
{
    struct buffer *buffer = &state->buffers[op->a];
    switch (op->kind) {
    case VULKAN_LABEL:
    case VULKAN_POINT:
        mark(state, op);
        break;
    case VULKAN_END_LABEL:
        if (buffer->depth > 0 || !is_secondary(op->a))
            end_label(state, op->a);
        break;
    case VULKAN_WORK:
        work(state, op);
        break;
    case VULKAN_PASS:
        if (!buffer->in_pass)
            pass(state, op);
        break;
    case VULKAN_END_PASS:
        if (buffer->in_pass && !buffer->continues_pass)
            end_pass(state, op->a);
        break;
    case VULKAN_EXECUTE:
        execute(state, op);
        break;
    default:
        break;
    }
}

void vulkan_record(struct vulkan_state *state, const struct op *op)
{
    struct buffer *buffer = &state->buffers[op->a];
    if (op->kind == VULKAN_BEGIN)
        begin(state, op);
    else if (op->kind == VULKAN_RESET)
        reset(state, op->a);
    else if (buffer->is_recording && op->kind == VULKAN_END)
        end(state, op->a);
    else if (buffer->is_recording && !buffer->is_over)
        record_command(state, op);
}
