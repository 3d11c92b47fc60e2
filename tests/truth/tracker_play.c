#include "tracker_play.h"

#include "deaf_driver.h"

#include <annot/dump.h>

static struct play *playing; /* for callbacks without a user's pointer */

/* ---- memory that fails ---- */

static uint64_t allocations, fail_at;

static void *allocate(void *user, size_t size, size_t alignment)
{
    (void)user;
    if (++allocations == fail_at)
        return NULL;
    return aligned_alloc(alignment < 16 ? 16 : alignment, (size + 63) & ~(size_t)63);
}

static void release(void *user, void *memory, size_t size)
{
    (void)user, (void)size;
    free(memory);
}

/* ---- the driver ---- */

static void ANNOT_DDI_CALL list_mark(D3D12DDI_HCOMMANDLIST list, uint32_t metadata,
                                     const void *data, uint32_t size, uint64_t event)
{
    (void)metadata, (void)data, (void)size;
    ((struct list *)list.pDrvPrivate)->event = event;
}

static void ANNOT_DDI_CALL list_end(D3D12DDI_HCOMMANDLIST list, uint64_t event)
{
    ((struct list *)list.pDrvPrivate)->event = event;
}

static const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 table = {deaf_queue_marker, deaf_queue_end,
                                                                  deaf_queue_marker, list_mark,
                                                                  list_end,          list_mark,
                                                                  deaf_set_name};
static const annot_driver driver = {
    "layer", D3D12DDI_FEATURE_VERSION_USER_DEFINED_ANNOTATIONS_LATEST, &table, 0};

/* ---- begin and end ---- */

static void wrote(uint64_t offset, uint64_t value)
{
    const uint32_t size = playing->program->setup.word_size;
    say("memcpy((char *)memory + %llu, &(uint%u_t){0x%llx}, %u);", (unsigned long long)offset,
        size * 8, (unsigned long long)(size == 8 ? value : (uint32_t)value), size);
}

static void say_beginning(const struct program *program)
{
    const struct setup *setup = &program->setup;
    say("static uint64_t memory[%d];", WORDS_MAX);
    say("annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);");
    say("const annot_tracker_desc desc = {.memory = memory, .memory_size = %u, .word_size = %u,",
        setup->slots * 2 * setup->word_size, setup->word_size);
    say("    .writes_entered = %d, .writes_completed = %d, .promises = %u};", setup->writes_entered,
        setup->writes_completed, setup->promises);
    say("annot_tracker *tracker;");
    say("annot_words words[3];");
    say("annot_prologue prologues[3];");
    say("struct spy_child lists[%d], queues[%u];", LISTS, setup->queues);
    say("annot_arena *arenas[%d];", ARENAS);
    say("annot_dump_writer *writer;");
    say("(void)words, (void)prologues, (void)lists;");
    say("cr_assert_eq(annot_tracker_create(device, &desc, &tracker), ANNOT_OK);");
    say("cr_assert_eq(annot_dump_writer_create(device, &writer), ANNOT_OK);");
    say("for (unsigned i = 0; i < %d; i++)", ARENAS);
    say("    arenas[i] = spy_arena(device);");
    say("for (unsigned i = 0; i < %u; i++)", setup->queues);
    say("    queues[i] = spy_queue(device, 0, NULL);");
}

static void must(annot_result result)
{
    if (result != ANNOT_OK)
        abort();
}

static void start(struct play *play, const struct program *program)
{
    const struct setup *setup = &program->setup;
    annot_device_desc desc = ANNOT_DEVICE_DESC_INIT;
    const annot_tracker_desc words = {
        .memory = play->memory,
        .memory_size = setup->slots * 2 * setup->word_size,
        .word_size = setup->word_size,
        .writes_entered = setup->writes_entered,
        .writes_completed = setup->writes_completed,
        .promises = setup->promises,
    };
    memset(play, 0, sizeof *play);
    play->program = program;
    desc.allocator = (annot_allocator){NULL, allocate, release};
    desc.driver = &driver;
    allocations = fail_at = 0;
    must(annot_device_create(&desc, &play->device));
    must(annot_device_set_mode(play->device, ANNOT_MODE_DRIVER_RETAIL));
    must(annot_tracker_create(play->device, &words, &play->tracker));
    must(annot_dump_writer_create(play->device, &play->writer));
    for (int i = 0; i < ARENAS; i++)
        must(annot_arena_create(play->device, &play->arenas[i]));
    play->truth.queue_count = (int)setup->queues;
    play->truth.starts_in_order = setup->promises & ANNOT_PROMISE_STARTS_IN_ORDER;
    play->truth.retires_in_order = setup->promises & ANNOT_PROMISE_RETIRES_IN_ORDER;
    for (uint32_t i = 0; i < setup->queues; i++) {
        const annot_object_desc queue = {.kind = 4, .type = ANNOT_OBJECT_QUEUE};
        must(annot_object_create(play->device, &queue, &play->queue_objects[i]));
        must(annot_context_create(play->queue_objects[i], &play->queues[i]));
        play->truth.queues[i].object = annot_object_id(play->queue_objects[i]);
        play->truth.queues[i].last_execution = -1;
    }
    play->gpu = (struct gpu){&play->truth,
                             setup->starts_in_order,
                             setup->retires_in_order,
                             setup->waits,
                             setup->promises & ANNOT_PROMISE_DRAINS,
                             setup->word_size,
                             (unsigned char *)play->memory,
                             is_saying() ? wrote : NULL};
    say_beginning(program);
}

static void finish(struct play *play)
{
    for (int i = 0; i < LISTS; i++) {
        annot_tracker_forget(play->tracker, play->lists[i].context);
        annot_context_destroy(play->lists[i].context);
        annot_object_destroy(play->lists[i].object);
    }
    for (int i = 0; i < play->truth.queue_count; i++) {
        annot_context_destroy(play->queues[i]);
        annot_object_destroy(play->queue_objects[i]);
    }
    for (int i = 0; i < ARENAS; i++)
        annot_arena_destroy(play->arenas[i]);
    while (play->recordings) {
        struct recording *recording = play->recordings;
        play->recordings = recording->next;
        free(recording->commands);
        free(recording);
    }
    annot_dump_writer_destroy(play->writer);
    annot_tracker_destroy(play->tracker);
    annot_device_destroy(play->device);
    truth_finish(&play->truth);
}

/* ---- the rest of what programs do ---- */

static void mark_queue(struct play *play, const struct op *op)
{
    annot_context *queue = play->queues[op->a];
    char name[16];
    if (op->kind == OP_QUEUE_END) {
        annot_context_end_event(queue);
        say("annot_context_end_event(queues[%u].context);", op->a);
        truth_item(&play->truth, (int)op->a, ITEM_END);
        return;
    }
    const bool is_begin = op->kind == OP_QUEUE_BEGIN;
    const uint32_t size = (uint32_t)snprintf(name, sizeof name, "q%u", ++play->names) + 1;
    (is_begin ? annot_context_begin_event : annot_context_set_marker)(queue, 1, name, size);
    say("annot_context_%s(queues[%u].context, 1, \"%s\", %u);",
        is_begin ? "begin_event" : "set_marker", op->a, name, size);
    truth_item(&play->truth, (int)op->a, is_begin ? ITEM_BEGIN : ITEM_SET)->name = play->names;
}

static void reset(struct play *play, uint32_t arena)
{
    for (int i = 0; i < LISTS; i++)
        if (play->lists[i].open && play->lists[i].open->arena == arena)
            return;
    for (int i = 0; i < play->truth.count; i++)
        play->truth.may_be_accused |=
            !truth_is_complete(&play->truth.executions[i], 0, play->truth.executions[i].count);
    annot_arena_reset(play->arenas[arena]);
    say("annot_arena_reset(arenas[%u]);", arena);
    play->epochs[arena]++;
}

static void look_at_fence(struct play *play, const struct op *op)
{
    uint64_t serial = gpu_fence(&play->gpu, (int)op->a);
    if (op->b && serial > 0)
        serial -= op->r % serial;
    annot_tracker_completed(play->tracker, play->queues[op->a], serial);
    say("annot_tracker_completed(tracker, queues[%u].context, %llu);", op->a,
        (unsigned long long)serial);
}

static void overwrite(struct play *play, const struct op *op)
{
    const struct setup *setup = &play->program->setup;
    const uint64_t offset = op->r % (setup->slots * 2) * setup->word_size, garbage = 0x7FF00123;
    memcpy((char *)play->memory + offset, &garbage, setup->word_size);
    wrote(offset, garbage);
    play->truth.may_be_accused = true;
}

static void check(struct play *play, struct complaint *complaint)
{
    static unsigned char dump[1 << 22];
    annot_crash_report report = {.size = sizeof report};
    size_t size = 0;
    annot_reader *reader;
    if (complaint->text[0])
        return;
    if (!annot_tracker_report(play->tracker, &report))
        abort();
    const annot_dump_info info = {.error = ANNOT_DEVICE_ERROR_HUNG, .report = &report};
    must(annot_dump_write_memory(play->writer, &info, dump, sizeof dump, &size));
    must(annot_reader_open_memory(NULL, dump, size, &reader));
    truth_pair(&play->truth);
    truth_check(&play->truth, reader, complaint);
    annot_reader_close(reader);
}

static void play_op(struct play *play, const struct op *op, struct complaint *complaint)
{
    struct dice dice = {op->r};
    switch (op->kind) {
    case OP_RESET:
        reset(play, op->a);
        break;
    case OP_QUEUE_BEGIN:
    case OP_QUEUE_END:
    case OP_QUEUE_SET:
        mark_queue(play, op);
        break;
    case OP_SUBMIT:
        play_submit(play, op);
        break;
    case OP_STEP:
        for (uint32_t i = 0; i < op->a; i++)
            gpu_step(&play->gpu, &dice);
        break;
    case OP_FENCE:
        look_at_fence(play, op);
        break;
    case OP_FAIL:
        fail_at = allocations + op->a;
        say("spy_heap.fail_at = spy_heap.allocations + %u;", op->a);
        break;
    case OP_GARBAGE:
        overwrite(play, op);
        break;
    case OP_CHECK:
        check(play, complaint);
        break;
    default:
        play_record(play, op);
    }
}

static void say_end(const struct complaint *complaint)
{
    say("static unsigned char dump[1 << 22];");
    say("annot_crash_report report = {.size = sizeof report};");
    say("const annot_dump_info info = {.error = ANNOT_DEVICE_ERROR_HUNG, .report = &report};");
    say("size_t size;");
    say("annot_reader *reader;");
    say("cr_assert(annot_tracker_report(tracker, &report));");
    say("cr_assert_eq(annot_dump_write_memory(writer, &info, dump, sizeof dump, &size), "
        "ANNOT_OK);");
    say("cr_assert_eq(annot_reader_open_memory(NULL, dump, size, &reader), ANNOT_OK);");
    say("cr_expect(%s, \"%s\");", complaint->expected, complaint->text);
    say("annot_reader_close(reader);");
}

void program_play(const struct program *program, struct complaint *complaint)
{
    static struct play play;
    playing = &play;
    start(&play, program);
    for (int i = 0; i < program->count && !complaint->text[0]; i++)
        play_op(&play, &program->ops[i], complaint);
    if (complaint->text[0])
        say_end(complaint);
    finish(&play);
}
