/* ANN-CRASH: from a hang to a dump that holds every marker; cases_crash_state.c asks how far each
 * of them got. */
#include "kit_scene.h"
#include "kit_tell.h"

CASES(crash_cases, "crash");

#define NEEDED (EMULATOR | HANG | DUMP | KERNELS)

CASE(a_hang_leaves_a_dump, "ANN-CRASH-01", "After a hang there is nothing to look at.",
     .needs = NEEDED, .drivers = ALL_DRIVERS)
{
    OPEN_NAMED_SCENE(NULL);
    kit_hang(&scene, &list, "never ends");
    kit_execute(queue, &list);
    const annot_reader *reader = kit_crash(&scene);
    annot_reader_device device;
    annot_reader_get_device(reader, &device);
    EXPECT(scene.error == ANNOT_DEVICE_ERROR_HUNG);
    EXPECT_EQ(device.error, ANNOT_DEVICE_ERROR_HUNG);
    EXPECT_EQ(device.mode, ANNOT_MODE_DRIVER_RETAIL);
    EXPECT(kit_has_entry(reader, "never ends"));
}

CASE(a_page_fault_leaves_its_address, "ANN-CRASH-01",
     "A page fault looks like a hang, and nobody knows which address was touched.", .needs = NEEDED,
     .drivers = ALL_DRIVERS)
{
    annot_reader_device device;
    OPEN_NAMED_SCENE(NULL);
    kit_scope(&list, "scatter");
    kit_touch(&scene, &list, 0x7123456000);
    kit_end(&list);
    kit_execute(queue, &list);
    const annot_reader *reader = kit_crash(&scene);
    annot_reader_get_device(reader, &device);
    EXPECT(scene.error == ANNOT_DEVICE_ERROR_PAGE_FAULT);
    EXPECT_EQ(device.error, ANNOT_DEVICE_ERROR_PAGE_FAULT);
    EXPECT_EQ(device.fault_count, 1);
    EXPECT_EQ(device.fault_address, 0x7123456000);
    EXPECT(strstr(kit_report(reader), "0x7123456000"));
    EXPECT(kit_state(reader, 0, "scatter") != ANNOT_STATE_FINISHED);
}

CASE(no_crash_leaves_no_dump, "ANN-CRASH-01",
     "A dump is written, and a device called removed, though nothing happened.", .needs = NEEDED,
     .drivers = ALL_DRIVERS)
{
    OPEN_NAMED_SCENE(NULL);
    kit_scope(&list, "harmless");
    kit_work(&scene, &list, 0);
    kit_end(&list);
    kit_run(scene.device, queue, &list);
    the_runtime.run_until_idle(scene.device);
    EXPECT_EQ(scene.words[0], 1);
    EXPECT_EQ(scene.removals, 0);
    EXPECT_OK(ID3D12Device_GetDeviceRemovedReason(scene.device));
    FILE *dump = fopen(scene.path, "rb");
    EXPECT(!dump);
    if (dump)
        fclose(dump);
}

CASE(a_nested_scope_that_hangs_is_found, "ANN-CRASH-01 ANN-CRASH-03",
     "What lies after the hang is called finished, a closed scope is not, or the tree is flat.",
     .needs = NEEDED)
{
    OPEN_NAMED_SCENE(NULL);
    kit_scope(&list, "Frame");
    kit_marker(&list, "sky");
    kit_scope(&list, "Depth");
    kit_work(&scene, &list, 0);
    kit_end(&list);
    kit_scope(&list, "Shadows");
    kit_scope(&list, "Cascade 1");
    kit_work(&scene, &list, 1);
    kit_end(&list);
    kit_scope(&list, "Cascade 2");
    kit_spin(&scene, &list);
    kit_marker(&list, "behind");
    kit_end(&list);
    kit_end(&list);
    kit_scope(&list, "Lighting");
    kit_end(&list);
    kit_end(&list);
    kit_execute(queue, &list);
    EXPECT_TELLS(kit_crash(&scene), "stop Q #1 L: Frame / Shadows / Cascade 2\n"
                                    "queue Q stopped\n"
                                    " > #1\n"
                                    "  > L\n"
                                    "   > Frame\n"
                                    "    X sky\n"
                                    "    X Depth\n"
                                    "    > Shadows\n"
                                    "     X Cascade 1\n"
                                    "     > Cascade 2\n"
                                    "      . behind\n"
                                    "    . Lighting\n");
}

CASE(every_event_id_that_the_driver_got_is_in_the_dump, "ANN-CRASH-01 ANN-MARK-05",
     "The driver's report names EventIDs that the dump has no text, or another's text, for.",
     .needs = NEEDED | SPY, .drivers = ANNOTATING_DRIVERS)
{
    static const char *const names[] = {"queue scope", "outer", "inner", "marker"};
    emu_config config = kit_config();
    config.annotation = spy_driver(kit_driver());
    OPEN_SCENE(&config);
    OWNED ID3D12CommandQueue *queue = kit_queue(scene.device, DIRECT);
    OWNED_LIST list = kit_list(scene.device, DIRECT);
    kit_queue_scope(queue, names[0]);
    kit_scope(&list, names[1]);
    kit_scope(&list, names[2]);
    kit_marker(&list, names[3]);
    kit_spin(&scene, &list);
    kit_end(&list);
    kit_end(&list);
    kit_execute(queue, &list);
    REQUIRE_EQ(spy_count(), 6);
    const annot_reader *reader = kit_crash(&scene);
    for (size_t i = 0; i < 4; i++) {
        const struct spy_call *call = spy_at(i);
        annot_reader_entry entry;
        annot_reader_stream stream;
        annot_reader_object object;
        const uint32_t index = annot_reader_entry_find(reader, call->event_id);
        EXPECT_EQ_AT(i, index, kit_entry(reader, names[i]));
        REQUIRE(annot_reader_entry_at(reader, index, &entry));
        EXPECT_EQ(entry.metadata, 1);
        EXPECT_EQ(entry.size, call->size);
        EXPECT_BYTES(entry.data, call->bytes, call->size);
        REQUIRE(annot_reader_stream_at(reader, entry.stream, &stream));
        REQUIRE(annot_reader_object_find(reader, stream.object, &object));
        EXPECT_EQ(object.handle, (uintptr_t)call->handle);
    }
    EXPECT_EQ(annot_reader_entry_find(reader, spy_at(3)->event_id + 1), ANNOT_READER_NONE);
}

CASE(objects_have_their_names, "ANN-CRASH-01 ANN-NAME-07",
     "The dump says that a list hung, but not which.", .needs = NEEDED, .drivers = ALL_DRIVERS)
{
    OPEN_SCENE(NULL);
    OWNED ID3D12CommandQueue *queue = kit_named_queue(&scene, DIRECT, "Main queue");
    OWNED_LIST list = kit_named_list(&scene, DIRECT, "Opaque list");
    ID3D12Fence *fence = kit_fence(scene.device, 0);
    kit_name(list.allocator, "Frame allocator");
    kit_name(scene.buffer, "Particles");
    kit_name(fence, "Destroyed fence");
    kit_name(scene.spin, "First name");
    kit_name(scene.spin, "Last name");
    kit_release(fence);
    kit_spin(&scene, &list);
    kit_execute(queue, &list);
    const annot_reader *reader = kit_crash(&scene);
    static const char *const wanted[] = {"Main queue", "Opaque list",     "Frame allocator",
                                         "Particles",  "Destroyed fence", "Last name"};
    unsigned found = 0, destroyed = 0;
    annot_reader_object object;
    for (size_t i = 0; annot_reader_object_at(reader, i, &object); i++)
        for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
            if (object.is_named && object.name.size == strlen(wanted[k]) &&
                memcmp(object.name.data, wanted[k], object.name.size) == 0) {
                found |= 1u << k;
                destroyed |= object.is_destroyed ? 1u << k : 0;
            }
    EXPECT_EQ(found, 63);
    EXPECT_EQ(destroyed, 1u << 4);
    EXPECT(strstr(kit_report(reader), "\"Main queue\""));
    EXPECT(strstr(kit_report(reader), "\"Opaque list\""));
}

CASE(markers_of_runtime_only_lists_stay_out, "ANN-CRASH-01 ANN-MARK-03",
     "A list made before the markers were turned on leaks them into the dump.", .needs = NEEDED,
     .drivers = ALL_DRIVERS)
{
    OPEN_SCENE(NULL);
    OWNED ID3D12CommandQueue *queue = kit_named_queue(&scene, DIRECT, "Q");
    kit_set_mode(scene.device, RUNTIME);
    OWNED_LIST silent = kit_named_list(&scene, DIRECT, "S");
    kit_set_mode(scene.device, RETAIL);
    OWNED_LIST loud = kit_named_list(&scene, DIRECT, "L");
    kit_scope(&silent, "secret");
    kit_work(&scene, &silent, 0);
    kit_end(&silent);
    kit_hang(&scene, &loud, "public");
    kit_execute(queue, &silent);
    kit_execute(queue, &loud);
    const annot_reader *reader = kit_crash(&scene);
    EXPECT(!kit_has_entry(reader, "secret"));
    EXPECT(kit_has_entry(reader, "public"));
}

CASE(each_execution_of_a_bundle_is_one, "ANN-CRASH-01 ANN-MARK-11 ANN-TRUTH-01",
     "Markers inside bundles are lost, all executions are shown in the state of one, or the first "
     "bundle of a list is blamed for another one's hang.",
     .needs = NEEDED)
{
    emu_config config = kit_config();
    config.hang = (emu_hang){.place = EMU_HANG_AT_DISPATCH, .count = 3};
    OPEN_SCENE(&config);
    OWNED ID3D12CommandQueue *queue = kit_named_queue(&scene, DIRECT, "Q");
    OWNED_LIST good = kit_named_list(&scene, BUNDLE, "Good");
    OWNED_LIST bad = kit_named_list(&scene, BUNDLE, "Bad");
    OWNED_LIST list = kit_named_list(&scene, DIRECT, "L");
    kit_scope(&good, "Tree");
    kit_work(&scene, &good, 2);
    kit_end(&good);
    kit_list_close(&good);
    kit_scope(&bad, "Grass");
    kit_work(&scene, &bad, 0);
    kit_end(&bad);
    kit_list_close(&bad);
    kit_scope(&list, "Forest");
    kit_bundle(&list, &good);
    for (int i = 0; i < 3; i++)
        kit_bundle(&list, &bad);
    kit_bundle(&list, &good);
    kit_end(&list);
    kit_execute(queue, &list);
    const annot_reader *const reader = kit_crash(&scene);
    EXPECT_EQ(scene.words[2], 1);
    EXPECT_TELLS(reader, "stop Q #1 L: Forest / Grass\n"
                         "queue Q stopped\n"
                         " > #1\n"
                         "  > L\n"
                         "   > Forest\n"
                         "    X bundle Good\n"
                         "     X Tree\n"
                         "    X bundle Bad\n"
                         "     X Grass\n"
                         "    > bundle Bad\n"
                         "     > Grass\n"
                         "    . bundle Bad\n"
                         "     . Grass\n"
                         "    . bundle Good\n"
                         "     . Tree\n");
}

CASE(a_queue_between_two_lists_is_told_so, "ANN-CRASH-01 ANN-CRASH-03",
     "A list that was left, or one that was never begun, is blamed for the hang.", .needs = NEEDED,
     .rows = kit_queue_rows)
{
    AT_END(kit_scene_done) struct kit_scene scene;
    emu_config config = kit_config();
    const D3D12_COMMAND_LIST_TYPE type = kit_queue_types[case_row()];
    config.hang = (emu_hang){.place = EMU_HANG_BEFORE_LIST, .count = 2};
    kit_scene(&scene, &config);
    OWNED ID3D12CommandQueue *queue = kit_named_queue(&scene, type, "Q");
    OWNED_LIST a = kit_named_list(&scene, type, "A"), b = kit_named_list(&scene, type, "B");
    kit_scope(&a, "One");
    kit_end(&a);
    kit_scope(&b, "Two");
    kit_end(&b);
    kit_list_close(&a);
    kit_list_close(&b);
    ID3D12CommandList *const both[] = {a.list, b.list};
    ID3D12CommandQueue_ExecuteCommandLists(queue, 2, both);
    EXPECT_TELLS(kit_crash(&scene), "stop Q #1 before B: \n"
                                    "queue Q stopped\n"
                                    " > #1\n"
                                    "  X A\n"
                                    "   X One\n"
                                    "  . B\n"
                                    "   . Two\n");
}

CASE(a_queue_that_waits_for_the_guilty_one_is_innocent, "ANN-CRASH-01 ANN-CRASH-03",
     "Work that waits for the queue that hung is called its cause.", .needs = NEEDED)
{
    OPEN_SCENE(NULL);
    OWNED ID3D12CommandQueue *guilty = kit_named_queue(&scene, DIRECT, "Main");
    OWNED ID3D12CommandQueue *innocent = kit_named_queue(&scene, COMPUTE, "Async");
    OWNED ID3D12Fence *fence = kit_fence(scene.device, 0);
    struct kit_list a = kit_named_list(&scene, DIRECT, "A"),
                    b = kit_named_list(&scene, COMPUTE, "B");
    kit_hang(&scene, &a, "Shadows");
    kit_scope(&b, "Blur");
    kit_work(&scene, &b, 0);
    kit_end(&b);
    kit_queue_scope(guilty, "Frame 7");
    kit_execute(guilty, &a);
    ID3D12CommandQueue_EndEvent(guilty);
    kit_queue_scope(guilty, "Frame 8");
    REQUIRE_OK(ID3D12CommandQueue_Signal(guilty, fence, 1));
    REQUIRE_OK(ID3D12CommandQueue_Wait(innocent, fence, 1));
    kit_execute(innocent, &b);
    const annot_reader *reader = kit_crash(&scene);
    EXPECT_TELLS(reader, "stop Main #1 A: Frame 7 / Shadows\n"
                         "queue Main stopped\n"
                         " > Frame 7\n"
                         "  > #1\n"
                         "   > A\n"
                         "    > Shadows\n"
                         " . Frame 8 (open)\n"
                         "queue Async waiting\n"
                         " . #1\n"
                         "  . B\n"
                         "   . Blur\n");
    EXPECT(strstr(kit_report(reader), "WAITING, not the cause\n  queue \"Async\""));
    kit_list_done(&a);
    kit_list_done(&b);
}

CASE(a_hundred_lists_of_unfinished_submissions_are_all_there, "ANN-CRASH-01",
     "Markers of work that is still queued behind the hang are missing.", .needs = NEEDED,
     .drivers = ALL_DRIVERS)
{
    enum { LISTS = 100 };
    struct kit_list lists[LISTS];
    OPEN_SCENE(NULL);
    OWNED ID3D12CommandQueue *queue = kit_named_queue(&scene, DIRECT, "Q");
    for (int i = 0; i < LISTS; i++) {
        char name[24];
        snprintf(name, sizeof name, "pass %d", i);
        lists[i] = kit_list(scene.device, DIRECT);
        kit_scope(&lists[i], name);
        kit_spin(&scene, &lists[i]);
        kit_end(&lists[i]);
        kit_execute(queue, &lists[i]);
    }
    const annot_reader *reader = kit_crash(&scene);
    EXPECT_EQ(annot_reader_submission_count(reader), LISTS);
    for (int i = 0; i < LISTS; i++) {
        char name[24];
        snprintf(name, sizeof name, "pass %d", i);
        EXPECT(kit_has_entry(reader, name));
        EXPECT(kit_state(reader, (uint32_t)i, name) != ANNOT_STATE_FINISHED);
        kit_list_done(&lists[i]);
    }
}
