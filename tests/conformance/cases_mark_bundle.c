/* ANN-MARK-11, -10: executions of bundles and lists, each its own, and dumps of what is deeply
 * nested. */
#include "kit_scene.h"
#include "kit_tell.h"

#include <pthread.h>

CASES(mark_bundle_cases, "mark");

#define NEEDED (EMULATOR | HANG | KERNELS | DUMP)

CASE(
    a_bundles_markers_are_heard_when_it_records, "ANN-MARK-11 ANN-MARK-01",
    "Each execution of a bundle sends its markers again, with EventIDs that its dump doesn't have.",
    .needs = SPY | LOOKUP, .drivers = ANNOTATING_DRIVERS)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RETAIL);
    OWNED ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    OWNED_LIST list = kit_list(device, DIRECT), bundle = kit_list(device, BUNDLE);
    kit_begin(&bundle, 1, "in the bundle", 14);
    kit_set(&bundle, 1, "in it too", 10);
    kit_end(&bundle);
    kit_list_close(&bundle);
    EXPECT_EQ(spy_count(), 3);
    for (int i = 0; i < 5; i++)
        kit_bundle(&list, &bundle);
    kit_execute(queue, &list);
    ID3D12CommandQueue_ExecuteCommandLists(queue, 1, &list.list);
    kit_wait(device, queue);
    EXPECT_EQ(spy_count(), 3);
    EXPECT_EQ(kit_lookup(device, spy_at(0)->event_id), ANNOT_LOOKUP_LIVE);
    EXPECT_EQ(kit_lookup(device, spy_at(1)->event_id), ANNOT_LOOKUP_LIVE);
}

CASE(each_execution_of_a_bundle_is_in_the_dump, "ANN-MARK-11",
     "The dump shows a bundle once, where it was executed three times, or its markers copied.",
     .needs = SPY | LOOKUP)
{
    enum { EXECUTIONS = 3 };
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RETAIL);
    OWNED ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    OWNED_LIST list = kit_list(device, DIRECT), bundle = kit_list(device, BUNDLE);
    kit_set(&bundle, 1, "in the bundle", 14);
    const uint64_t id = spy_at(0)->event_id;
    kit_list_close(&bundle);
    for (int i = 0; i < EXECUTIONS; i++)
        kit_bundle(&list, &bundle);
    kit_execute(queue, &list);
    annot_reader *dump = kit_dump(device);
    const annot_reader_entry marker = kit_dump_entry(dump, id);
    uint32_t found = 0;
    annot_reader_entry entry;
    for (uint32_t i = 0; annot_reader_entry_at(dump, i, &entry); i++) {
        if (entry.kind != ANNOT_ENTRY_BUNDLE)
            continue;
        EXPECT_EQ(entry.link, marker.stream);
        EXPECT_EQ(entry.ordinal, ++found);
    }
    EXPECT_EQ(found, EXECUTIONS);
    annot_reader_close(dump);
    kit_wait(device, queue);
}

CASE(each_execution_of_a_bundle_has_its_state, "ANN-MARK-11",
     "A bundle that has finished once is shown as finished everywhere, or one that hangs as "
     "hanging everywhere.",
     .needs = NEEDED)
{
    OPEN_NAMED_SCENE(NULL);
    OWNED_LIST bundle = kit_named_list(&scene, BUNDLE, "B");
    kit_scope(&bundle, "shared");
    kit_end(&bundle);
    kit_list_close(&bundle);
    kit_bundle(&list, &bundle);
    kit_bundle(&list, &bundle);
    kit_hang(&scene, &list, "hangs");
    kit_bundle(&list, &bundle);
    kit_execute(queue, &list);
    EXPECT_TELLS(kit_crash(&scene), "stop Q #1 L: hangs\n"
                                    "queue Q stopped\n"
                                    " > #1\n"
                                    "  > L\n"
                                    "   X bundle B\n"
                                    "    X shared\n"
                                    "   X bundle B\n"
                                    "    X shared\n"
                                    "   > hangs\n"
                                    "   . bundle B\n"
                                    "    . shared\n");
}

/* ---- depth ---- */

enum { DEPTH = 100000, SMALL_STACK = 512 << 10 };

static bool count_bytes(void *user, const void *data, size_t size)
{
    size_t *const bytes = user;
    (void)data;
    *bytes += size;
    return true;
}

static void *dump_deep(void *argument)
{
    ID3D12Device *device = argument;
    size_t text = 0, json = 0;
    const annot_report_options all = {.all = true};
    const annot_report_sink to_text = {&text, count_bytes}, to_json = {&json, count_bytes};
    AT_END(at_end_close) annot_reader *dump = kit_dump(device);
    const annot_reader_entry innermost = kit_dump_entry(dump, spy_at(DEPTH - 1)->event_id);
    EXPECT_EQ(innermost.depth, DEPTH - 1);
    EXPECT_EQ(annot_report_text(dump, &all, &to_text), ANNOT_OK);
    EXPECT_EQ(annot_report_json(dump, &all, &to_json), ANNOT_OK);
    EXPECT(text > 0 && json > 0);
    return NULL;
}

/* The report is this suite's own libannot's; the dump is the runtime's. */
CASE(a_dump_may_be_100000_deep, "ANN-MARK-10",
     "The dump of a hang in deep nesting overflows the stack of the process that is about to die.",
     .needs = SPY | LOOKUP)
{
    pthread_attr_t attributes;
    pthread_t thread;
    AT_END(kit_device_end) ID3D12Device *device = kit_device_on(spy_driver(NULL), RETAIL);
    OWNED_LIST list = kit_list(device, DIRECT);
    for (int i = 0; i < DEPTH; i++)
        kit_begin(&list, 1, "x", 2);
    REQUIRE_EQ(pthread_attr_init(&attributes), 0);
    REQUIRE_EQ(pthread_attr_setstacksize(&attributes, SMALL_STACK), 0);
    REQUIRE_EQ(pthread_create(&thread, &attributes, dump_deep, device), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
}
