#include "vulkan_play.h"

#include <inttypes.h>
#include <unistd.h>

struct vulkan_state *vulkan_state;

/* ---- begin and end ---- */

static void open_app(struct vulkan_state *state)
{
    static const char *const levels[] = {"low", "labels", "exact"};
    static const char *const evidence[] = {"checkpoints", "markers", "barrier", "fill", "timeline"};
    const struct setup *setup = &state->program->setup;
    const struct app_desc desc = {.level = levels[setup->level],
                                  .evidence = evidence[setup->evidence],
                                  .is_pool_resettable = true};
    mock_reset();
    mock.families = setup->queues;
    mock.has_checkpoints = setup->evidence == 0;
    mock.has_markers = setup->evidence == 1;
    mock.has_stamps = setup->evidence >= 2;
    mock.has_no_timeline = setup->has_no_timeline;
    vulkan_watch();
    app_open(&state->app, &desc);
    say("mock.families = %u, mock.has_checkpoints = %d, mock.has_markers = %d;", setup->queues,
        mock.has_checkpoints, mock.has_markers);
    say("mock.has_no_timeline = %d;", setup->has_no_timeline);
    say("app_open(&app, &(struct app_desc){.level = \"%s\", .evidence = \"%s\",", desc.level,
        desc.evidence);
    say("                                  .is_pool_resettable = true});");
}

static void start(struct vulkan_state *state, const struct program *program)
{
    *state = (struct vulkan_state){.program = program};
    state->truth.queue_count = (int)program->setup.queues;
    state->truth.starts_in_order = state->truth.retires_in_order = true;
    open_app(state);
    for (uint32_t i = 0; i < program->setup.queues; i++) {
        struct vkl_device *device;
        const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                              .flags =
                                                  VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                              .queueFamilyIndex = i};
        state->truth.queues[i].object =
            annot_object_id(vkl_queue_of(state->app.queues[i], &device)->object);
        state->truth.queues[i].last_execution = -1;
        if (state->app.vk.CreateCommandPool(state->app.device, &pool, NULL, &state->pools[i]))
            abort();
    }
    for (uint32_t i = 0; i < BUFFERS; i++) {
        struct buffer *buffer = &state->buffers[i];
        buffer->queue = i % program->setup.queues;
        buffer->is_secondary = i >= BUFFERS - SECONDARIES;
        const VkCommandBufferAllocateInfo info = {
            .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
            .commandPool = state->pools[buffer->queue],
            .level = buffer->is_secondary ? VK_COMMAND_BUFFER_LEVEL_SECONDARY
                                          : VK_COMMAND_BUFFER_LEVEL_PRIMARY,
            .commandBufferCount = 1};
        if (state->app.vk.AllocateCommandBuffers(state->app.device, &info, &buffer->handle))
            abort();
        say("buffers[%u] = allocate(&app, %u, %d); /* of family %u */", i, buffer->queue,
            buffer->is_secondary, buffer->queue);
    }
}

static void finish(struct vulkan_state *state)
{
    state->steps = UINT32_MAX;
    mock_release();
    for (uint32_t i = 0; i < state->program->setup.queues; i++)
        state->app.vk.DestroyCommandPool(state->app.device, state->pools[i], NULL);
    app_close(&state->app);
    for (int i = 0; i < BUFFERS; i++)
        free(state->buffers[i].ops);
    free(state->buffer_of);
    truth_finish(&state->truth);
}

/* ---- operations ---- */

static void mark_queue(struct vulkan_state *state, const struct op *op)
{
    VkQueue queue = state->app.queues[op->a];
    char name[16];
    snprintf(name, sizeof name, "q%u", ++state->names);
    const VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                        .pLabelName = name};
    if (op->kind == VULKAN_QUEUE_END) {
        state->app.vk.QueueEndDebugUtilsLabelEXT(queue);
        say("app.vk.QueueEndDebugUtilsLabelEXT(app.queues[%u]);", op->a);
        truth_item(&state->truth, (int)op->a, ITEM_END);
        return;
    }
    const bool is_begin = op->kind == VULKAN_QUEUE_LABEL;
    (is_begin ? state->app.vk.QueueBeginDebugUtilsLabelEXT
              : state->app.vk.QueueInsertDebugUtilsLabelEXT)(queue, &label);
    say("queue_label(&app, %u, \"%s\", %d);", op->a, name, is_begin);
    truth_item(&state->truth, (int)op->a, is_begin ? ITEM_BEGIN : ITEM_SET)->name = state->names;
}

static void step(struct vulkan_state *state, const struct op *op)
{
    state->steps = op->a;
    state->is_ahead = op->b;
    state->early.state = op->r;
    say("steps = %u, is_ahead = %u, early = %" PRIu64 "u, mock_go_on(mock.hang);", op->a, op->b,
        op->r);
    mock_go_on(mock.hang);
    state->steps = 0;
}

static void play_op(struct vulkan_state *state, const struct op *op)
{
    switch (op->kind) {
    case VULKAN_QUEUE_LABEL:
    case VULKAN_QUEUE_END:
    case VULKAN_QUEUE_POINT:
        mark_queue(state, op);
        break;
    case VULKAN_SUBMIT:
        vulkan_submit(state, op);
        break;
    case VULKAN_STEP:
        step(state, op);
        break;
    case VULKAN_GO_ON:
        mock.hang = MOCK_NO_HANG;
        say("mock.hang = MOCK_NO_HANG;");
        break;
    case VULKAN_LOOK:
        state->app.vk.QueueWaitIdle(state->app.queues[op->a]);
        say("app.vk.QueueWaitIdle(app.queues[%u]);", op->a);
        break;
    default:
        vulkan_record(state, op);
    }
}

static void check(struct vulkan_state *state, struct complaint *complaint)
{
    annot_reader *reader;
    struct vkl_device *device = state->app.layer;
    /* The watchdog has read time stamps never, once, or so often that they are confirmed. */
    for (int i = 0; i < state->program->count % 4 * 2; i++) {
        vkl_watchdog_look(device, 0);
        if (device->stamps.question)
            vkl_question_wait(device->stamps.question, 30);
    }
    crash_device_lost(&state->app.layer->crash, ANNOT_DEVICE_ERROR_HUNG, "a test");
    if (annot_reader_open_file(NULL, state->app.dump, &reader) != ANNOT_OK)
        abort();
    truth_pair(&state->truth);
    truth_check(&state->truth, reader, complaint);
    annot_reader_close(reader);
}

void program_play(const struct program *program, struct complaint *complaint)
{
    static struct vulkan_state state;
    vulkan_state = &state;
    say("VkCommandBuffer buffers[%d];", BUFFERS);
    say("struct app app;");
    start(&state, program);
    for (int i = 0; i < program->count; i++)
        play_op(&state, &program->ops[i]);
    check(&state, complaint);
    say("annot_reader *reader = dump(&app);");
    if (complaint->text[0])
        say("cr_expect(%s, \"%s\");", complaint->expected, complaint->text);
    say("annot_reader_close(reader);");
    say("app_close(&app);");
    finish(&state);
}
