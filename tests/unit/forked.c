/* A child's calls with its parent's things: they return ANNOT_ERROR_FORKED or what they return for
 * NULL, and change nothing of the parent's [annot/annot.h, ANN-HOST-03]. With threads beside it:
 * tests/stress/fork.c. */
#include "scene.h"
#include "base/process.h"
#include "record/append.h"

#include <annot/dump.h>
#include <annot/evidence.h>
#include <annot/shader.h>

#include <sys/wait.h>
#include <unistd.h>

static struct scene parent;
static annot_tracker *tracker;
static annot_dump_writer *writer;
static uint64_t scope, words[4];
static uint32_t thread;

static bool refuse_bytes(void *user, const void *data, size_t size)
{
    (void)user, (void)data, (void)size;
    return false;
}

static bool count_call(void *user, uint64_t serial)
{
    *(unsigned *)user += serial == 0;
    return true;
}

static bool is_nothing(const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (((const char *)bytes)[i])
            return false;
    return true;
}

/* The line of the first answer that is wrong, 0 for none. */
#define EXPECT(condition)                                                                          \
    if (!(condition))                                                                              \
    return __LINE__
#define FORKED(call) EXPECT((call) == ANNOT_ERROR_FORKED)

static int use_what_is_the_parents(void)
{
    EXPECT(thread == 0 || annot__thread_number() != thread);
    annot_device *const device = parent.device;
    annot_context *const list = parent.list.context, *const queue = parent.queue.context;
    const annot_object_desc object_desc = {.kind = D3D12DDI_HT_FENCE};
    const annot_tracker_desc tracker_desc = {.word_size = 8};
    const annot_dump_sink sink = {NULL, refuse_bytes, refuse_bytes};
    const annot_shader shader = {.form = 1};
    const annot_resource resource = {.dimension = 1};
    annot_object *object = parent.list.object;
    annot_context *context = list;
    annot_arena *arena = parent.arena;
    annot_tracker *other_tracker = tracker;
    annot_dump_writer *other_writer = writer;
    annot_crash_report report = {.size = sizeof report};
    annot_progress row;
    annot_marker_info info;
    char name[8] = "name", bytes[64];
    uint32_t count = 7, in_flight = 7;
    unsigned made = 0;
    size_t size = 7;
    FORKED(annot_object_create(device, &object_desc, &object));
    EXPECT(!object);
    FORKED(annot_context_create(parent.list.object, &context));
    EXPECT(!context);
    FORKED(annot_arena_create(device, &arena));
    EXPECT(!arena);
    FORKED(annot_tracker_create(device, &tracker_desc, &other_tracker));
    EXPECT(!other_tracker);
    FORKED(annot_dump_writer_create(device, &other_writer));
    EXPECT(!other_writer);
    FORKED(annot_device_set_mode(device, ANNOT_MODE_RUNTIME_ONLY));
    FORKED(annot_device_set_fact(device, "key", "value"));
    EXPECT(annot_device_reserve_id(device) == 0);
    EXPECT(annot_device_lookup(device, scope, &info, bytes, sizeof bytes) ==
           ANNOT_LOOKUP_NEVER_ISSUED);
    EXPECT(annot_device_event_from_word(device, (uint32_t)scope) == 0);
    FORKED(annot_object_set_name(parent.list.object, "x", ANNOT_TEXT_UTF8));
    FORKED(annot_object_set_name_counted(parent.list.object, "x", 1, ANNOT_TEXT_UTF8));
    FORKED(annot_object_add_shader(parent.list.object, &shader));
    FORKED(annot_object_set_resource(parent.list.object, &resource));
    EXPECT(annot_object_get_name(parent.list.object, name, sizeof name) == 0 && !name[0]);
    annot_context_begin_event(list, 1, "x", 1);
    annot_context_set_marker(list, 1, "x", 1);
    annot_context_set_marker_by_reference(list, 1, "x", 1);
    annot_context_end_event(list);
    annot_context_begin_event(queue, 1, "x", 1);
    annot_context_end_event(queue);
    annot_context_note_operation(list, &(annot_operation){.kind = 6});
    annot_context_execute_bundle(list, list);
    for (size_t i = 0; i < spy_calls.count; i++) /* the list has memory ready, annot.h */
        EXPECT(spy_calls.calls[i].handle == spy_handle(1));
    spy_forget_calls();
    for (int i = 0; i < 4000; i++) { /* until it is used up */
        annot_context_set_marker(list, 1, "x", 1);
        annot_context_begin_event(list, 1, "x", 1);
        annot_context_end_event(list);
    }
    spy_forget_calls();
    annot_context_set_marker(list, 1, "x", 1);
    annot_context_set_marker(list, 1, NULL, 1);
    annot_context_begin_event(list, 1, "x", 1);
    annot_context_end_event(list);
    annot_context_set_marker_by_reference(list, 1, "x", 1);
    annot_context_execute_bundle(list, list);
    EXPECT(atomic_load(&annot__recording_of(device, list->cursor.recording)->bundles) == 0);
    EXPECT(spy_calls.count == 0);
    FORKED(annot_context_close(list));
    FORKED(annot_context_open(list, parent.arena));
    FORKED(annot_arena_reset(parent.arena));
    EXPECT(annot_context_submit(queue, &parent.list.context, 1) == 0);
    EXPECT(annot_context_submit_with(queue, &parent.list.context, 1, count_call, &made) == 0);
    EXPECT(made == 1);
    annot_context_completed(queue, 1);
    EXPECT(atomic_load(&queue->queue->completed) == 0);
    FORKED(annot_context_withdraw(queue, 1));
    EXPECT(annot_tracker_record(tracker, list).started == ANNOT_WORDS_NONE);
    annot_tracker_execute_bundle(tracker, list, list);
    EXPECT(annot_tracker_submit(tracker, queue, &parent.list.context, 1, NULL) == 0);
    FORKED(annot_tracker_withdraw(tracker, queue, 1));
    annot_tracker_completed(tracker, queue, 1);
    EXPECT(!annot_tracker_report(tracker, &report));
    EXPECT(!annot_tracker_copy_rows(tracker, &row, 1, &count, &in_flight));
    EXPECT(count == 0 && in_flight == 0);
    FORKED(annot_dump_write(writer, NULL, &sink));
    FORKED(annot_dump_write_memory(writer, NULL, bytes, sizeof bytes, &size));
    FORKED(annot_dump_write_file(writer, NULL, "/nonexistent/dump"));
    annot_tracker_forget(tracker, list);
    annot_tracker_destroy(tracker);
    annot_dump_writer_destroy(writer);
    annot_context_destroy(list);
    annot_context_destroy(queue);
    annot_arena_destroy(parent.arena);
    annot_object_destroy(parent.list.object);
    annot_object_destroy(parent.queue.object); /* nothing would keep it: it has no name */
    annot_device_destroy(device);
    EXPECT(spy_calls.count == 0 && spy_said.count == 0);
    return 0;
}

static int use_in_child(void)
{
    const size_t blocks = spy_heap.blocks, allocations = spy_heap.allocations;
    const int wrong = use_what_is_the_parents();
    if (wrong)
        return wrong;
    EXPECT(spy_heap.blocks == blocks && spy_heap.allocations == allocations);
    EXPECT(is_nothing(words, sizeof words));
    struct scene own = scene_make(0); /* its own things work */
    annot_context_set_marker(own.list.context, 1, "m", 1);
    EXPECT(spy_lookup(own.device, spy_last()->id) == ANNOT_LOOKUP_LIVE);
    EXPECT(annot_context_close(own.list.context) == ANNOT_OK);
    EXPECT(annot_context_submit(own.queue.context, &own.list.context, 1) == 1);
    return 0;
}

Test(forked, what_was_the_parents_is_left_alone)
{
    const annot_tracker_desc desc = {
        .memory = words, .memory_size = sizeof words, .word_size = 8, .writes_entered = true};
    int status = 0, ends[2], wrong = -1;
    parent = scene_make(0);
    cr_assert_eq(annot_tracker_create(parent.device, &desc, &tracker), ANNOT_OK);
    cr_assert_eq(annot_dump_writer_create(parent.device, &writer), ANNOT_OK);
    cr_assert_eq(annot_object_set_name(parent.list.object, "list", ANNOT_TEXT_UTF8), ANNOT_OK);
    annot_context_begin_event(parent.list.context, 1, "open", 4);
    scope = spy_last()->id;
    thread = annot__thread_number();
    annot_context_submit(parent.queue.context, NULL, 0);
    spy_forget_calls();
    spy_forget_messages();
    cr_assert_eq(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        wrong = use_in_child();
        _exit(write(ends[1], &wrong, sizeof wrong) == sizeof wrong ? 0 : 1);
    }
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert_eq(status, 0);
    cr_assert_eq(read(ends[0], &wrong, sizeof wrong), (ssize_t)sizeof wrong);
    cr_expect_eq(wrong, 0, "%s:%d", __FILE__, wrong);
    close(ends[0]);
    close(ends[1]);
    annot_context_end_event(parent.list.context);
    cr_expect_eq(spy_last()->id, scope);
    cr_expect_eq(annot_context_close(parent.list.context), ANNOT_OK);
    annot_tracker_forget(tracker, parent.list.context);
    annot_tracker_destroy(tracker);
    annot_dump_writer_destroy(writer);
    scene_done(&parent);
}
