/* ANN-CRASH: the text report, lost data, and dumps of live devices. */
#include "kit_scene.h"
#include "kit_tell.h"

CASES(crash_report_cases, "crash");

#define NEEDED (EMULATOR | HANG | DUMP | KERNELS)

/* Each text comes after the one before it. */
static void expect_order(const char *text, const char *const *wanted)
{
    for (const char *at = text; *wanted; wanted++) {
        const char *found = strstr(at, *wanted);
        if (!EXPECT(found)) {
            case_note("not there, or too early: %s", *wanted);
            case_note("%.1000s", text);
            return;
        }
        at = found + strlen(*wanted);
    }
}

/* A row of the report's tree: its state, what it is called, and how many rows it lies in. */
struct row {
    unsigned level;
    const char *state, *words;
};

/* They follow each other, each deeper than what it lies in, and as deep as its neighbours. */
static void expect_tree(const char *report, const struct row *rows, size_t count)
{
    size_t columns[16] = {0};
    const char *at = strstr(report, "\nMARKERS  [X] finished  [>] in progress  [ ] not started  "
                                    "[?] unknown\n");
    unsigned deepest = 0;
    REQUIRE(at);
    for (size_t i = 0; i < count; i++) {
        char wanted[128];
        snprintf(wanted, sizeof wanted, "%s %s", rows[i].state, rows[i].words);
        const char *found = strstr(at, wanted);
        if (!EXPECT(found)) {
            case_note("not there, or too early: %s", wanted);
            case_note("%.1000s", report);
            return;
        }
        for (at = found; at[-1] == ' ';)
            at--;
        EXPECT(at[-1] == '\n');
        const unsigned level = rows[i].level;
        const size_t column = (size_t)(found - at);
        if (level <= deepest)
            EXPECT_EQ(column, columns[level]);
        else
            EXPECT(column > columns[level - 1]);
        columns[level] = column;
        deepest = level;
        at = found;
    }
}

CASE(the_report_goes_from_queue_to_marker, "ANN-CRASH-03",
     "The report shows submissions in another order than they were made, or no way to the marker.",
     .needs = NEEDED)
{
    static const char *const wanted[] = {"GPU HANG",
                                         "WHAT HUNG",
                                         "Frame 1 / Shadows / Cascade",
                                         "\"Q\"",
                                         "submission 1,",
                                         "\"Early\"",
                                         "submission 2,",
                                         "\"L\"",
                                         "Frame 1",
                                         "Depth",
                                         "Shadows",
                                         "Cascade",
                                         "Lighting",
                                         "submission 3,",
                                         "\"Late\"",
                                         NULL};
    static const struct row tree[] = {{1, "[X]", "submission 1,"},
                                      {2, "[X]", "list 1 of 1 \"Early\""},
                                      {1, "[>]", "submission 2,"},
                                      {2, "[>]", "list 1 of 1 \"L\""},
                                      {3, "[>]", "Frame 1"},
                                      {4, "[X]", "Depth"},
                                      {4, "[>]", "Shadows"},
                                      {5, "[>]", "Cascade"},
                                      {4, "[ ]", "Lighting"},
                                      {1, "[ ]", "submission 3,"},
                                      {2, "[ ]", "list 1 of 1 \"Late\""}};
    char path[128];
    OPEN_SCENE(NULL);
    OWNED ID3D12CommandQueue *queue = kit_named_queue(&scene, DIRECT, "Q");
    OWNED_LIST late = kit_named_list(&scene, DIRECT, "Late");
    OWNED_LIST list = kit_named_list(&scene, DIRECT, "L");
    OWNED_LIST early = kit_named_list(&scene, DIRECT, "Early");
    kit_scope(&list, "Frame 1");
    kit_scope(&list, "Depth");
    kit_end(&list);
    kit_scope(&list, "Shadows");
    kit_hang(&scene, &list, "Cascade");
    kit_end(&list);
    kit_scope(&list, "Lighting");
    kit_end(&list);
    kit_end(&list);
    kit_execute(queue, &early);
    kit_execute(queue, &list);
    kit_execute(queue, &late);
    const annot_reader *reader = kit_crash(&scene);
    const char *report = kit_report(reader);
    REQUIRE_EQ(annot_reader_stop_count(reader), 1);
    annot_reader_stop_path(reader, 0, path, sizeof path);
    EXPECT(strcmp(path, "Frame 1 / Shadows / Cascade") == 0);
    const char *line = strstr(report, path);
    REQUIRE(line);
    EXPECT(line[-1] == ' ' && line[strlen(path)] == '\n');
    expect_order(report, wanted);
    EXPECT(strstr(report, "last started   Cascade  (EventID 0x"));
    EXPECT(strstr(report, "last completed Depth  (EventID 0x"));
    expect_tree(report, tree, sizeof tree / sizeof *tree);
    EXPECT(strstr(report, "\n  Nothing was lost.\n"));
    annot_reader_operation operation;
    EXPECT(!annot_reader_stop_operation(reader, 1, &operation)); /* there is one stop */
}

CASE(surplus_ends_and_open_scopes_are_shown, "ANN-CRASH-04",
     "The application's unbalanced scopes are put right in silence, and it never learns of them.",
     .needs = NEEDED)
{
    annot_reader_stream stream;
    annot_reader_execution execution;
    OPEN_NAMED_SCENE(NULL);
    kit_end(&list);
    kit_end(&list);
    kit_scope(&list, "Never closed");
    kit_hang(&scene, &list, "Closed");
    ID3D12CommandQueue_EndEvent(queue);
    kit_execute(queue, &list);
    const annot_reader *reader = kit_crash(&scene);
    EXPECT_TELLS(reader, "stop Q #1 L: Never closed / Closed\n"
                         "queue Q stopped\n"
                         " end\n"
                         " > #1\n"
                         "  > L\n"
                         "   end\n"
                         "   end\n"
                         "   > Never closed (open)\n"
                         "    > Closed\n");
    REQUIRE(annot_reader_execution_at(reader, 0, &execution));
    REQUIRE(annot_reader_stream_at(reader, execution.stream, &stream));
    EXPECT_EQ(stream.surplus_ends, 2);
    EXPECT_EQ(stream.unclosed, 1);
    EXPECT(strstr(kit_report(reader), "surplus EndEvent"));
    EXPECT(strstr(kit_report(reader), "(nothing ends this scope here)"));
}

CASE(balanced_scopes_are_not_called_odd, "ANN-CRASH-04",
     "Sound scopes, and whole recordings, are reported as if something was missing.",
     .needs = NEEDED)
{
    OPEN_NAMED_SCENE(NULL);
    kit_hang(&scene, &list, "Sound");
    kit_execute(queue, &list);
    const annot_reader *reader = kit_crash(&scene);
    EXPECT_EQ(annot_reader_finding_count(reader), 0);
    for (uint32_t what = 1; what <= 32; what++)
        EXPECT_EQ(annot_reader_loss(reader, what), 0);
    EXPECT(!strstr(kit_report(reader), "surplus"));
    EXPECT(!strstr(kit_report(reader), "no EndEvent"));
    EXPECT(!strstr(kit_report(reader), "crosses lists"));
    EXPECT(!strstr(kit_report(reader), "dropped"));
    EXPECT(strstr(kit_report(reader), "\n  Nothing was lost.\n"));
}

CASE(dropped_markers_are_counted_and_nothing_is_guessed, "ANN-CRASH-04 ANN-LIFE-06",
     "Past the budget markers vanish in silence, or another one is blamed for the hang.",
     .needs = NEEDED, .drivers = ANNOTATING_DRIVERS | LEGACY)
{
    enum { MARKERS = 6000 };
    char count[32];
    emu_config config = kit_config();
    config.memory_budget = 3 * 65536;
    OPEN_NAMED_SCENE(&config);
    kit_scope(&list, "Frame");
    for (int i = 0; i < MARKERS; i++)
        kit_marker(&list, "a marker that takes the memory of the device");
    kit_hang(&scene, &list, "Lost");
    kit_end(&list);
    kit_execute(queue, &list);
    const annot_reader *reader = kit_crash(&scene);
    const uint64_t lost = annot_reader_loss(reader, ANNOT_LOSS_MARKERS);
    annot_reader_execution execution;
    annot_reader_stream stream;
    REQUIRE(annot_reader_execution_at(reader, 0, &execution));
    REQUIRE(annot_reader_stream_at(reader, execution.stream, &stream));
    EXPECT(lost > MARKERS / 4);
    EXPECT_EQ(stream.dropped, lost);
    EXPECT_EQ(stream.marker_count + lost, MARKERS + 2);
    EXPECT(kit_has_entry(reader, "Frame"));
    EXPECT(!kit_has_entry(reader, "Lost"));
    EXPECT_EQ(kit_count_state(reader, ANNOT_STATE_FINISHED), 0);
    snprintf(count, sizeof count, "%u", (unsigned)lost);
    EXPECT(strstr(kit_report(reader), count));
}

/* Payloads of one byte less than a dump keeps, as many, one more, and many more. A NUL near the
 * beginning ends the text, not the payload. */
static const UINT payload_sizes[] = {32767, 32768, 32769, 100000};
enum { PAYLOADS = sizeof payload_sizes / sizeof *payload_sizes, KEPT = 32768, LONGEST = 100000 };

static void expect_cut(const annot_reader *reader, uint32_t index, const uint8_t *bytes, UINT size)
{
    annot_reader_entry entry;
    REQUIRE(annot_reader_entry_at(reader, index, &entry));
    EXPECT_EQ(entry.size, size);
    EXPECT_EQ(entry.payload, ANNOT_PAYLOAD_COPIED);
    EXPECT_EQ(entry.stored, size < KEPT ? size : KEPT);
    EXPECT_BYTES(entry.data, bytes, entry.stored);
}

CASE(a_cut_payload_is_told, "ANN-CRASH-04",
     "The end of a long payload is missing from the dump, and the dump looks whole.",
     .needs = NEEDED, .drivers = ALL_DRIVERS)
{
    static uint8_t bytes[LONGEST];
    OPEN_NAMED_SCENE(NULL);
    for (size_t i = 5; i < LONGEST; i++)
        bytes[i] = (uint8_t)(i * 2654435761u >> 9);
    memcpy(bytes, "text", 5);
    for (size_t i = 0; i < PAYLOADS; i++) {
        kit_set(&list, 2, bytes, payload_sizes[i]);
        ID3D12CommandQueue_SetMarker(queue, 77, bytes, payload_sizes[i]);
    }
    kit_spin(&scene, &list);
    kit_execute(queue, &list);
    const annot_reader *reader = kit_crash(&scene);
    const char *const report = kit_report(reader);
    uint32_t counts[2] = {0, 0};
    annot_reader_entry entry;
    for (uint32_t i = 0; annot_reader_entry_at(reader, i, &entry); i++) {
        if (entry.kind != ANNOT_ENTRY_SET)
            continue;
        uint32_t *count = &counts[entry.metadata == 77];
        REQUIRE(*count < PAYLOADS);
        expect_cut(reader, i, bytes, payload_sizes[(*count)++]);
    }
    EXPECT(counts[0] == PAYLOADS && counts[1] == PAYLOADS);
    EXPECT(strstr(report, "4 payloads cut"));
    EXPECT(strstr(report, "(name cut)"));
    EXPECT(!strstr(report, "Nothing was lost"));
}

CASE(expired_markers_are_told, "ANN-CRASH-04 ANN-LIFE-01",
     "Markers of an allocator that was reset under the GPU are shown as if they were there, or the "
     "list vanishes with them.",
     .needs = NEEDED)
{
    annot_reader_execution execution;
    emu_config config = kit_config();
    config.reset_in_flight = true;
    OPEN_NAMED_SCENE(&config);
    kit_hang(&scene, &list, "Gone");
    kit_execute(queue, &list);
    the_runtime.run_steps(scene.device, 20);
    REQUIRE_OK(ID3D12CommandAllocator_Reset(list.allocator));
    const annot_reader *reader = kit_crash(&scene);
    EXPECT(!kit_has_entry(reader, "Gone"));
    EXPECT_EQ(kit_finding(reader, ANNOT_FINDING_RECORDING_MISSING), 1);
    REQUIRE(annot_reader_execution_at(reader, 0, &execution));
    EXPECT_EQ(execution.stream, ANNOT_READER_NONE);
    EXPECT_EQ(execution.state, ANNOT_STATE_IN_PROGRESS);
    EXPECT(strstr(kit_report(reader), "markers not in the dump"));
}

/* Records a copy of the first word of `source` over one of `target`. */
static void copy_word(const struct kit_list *list, ID3D12Resource *target, UINT word,
                      ID3D12Resource *source)
{
    ID3D12GraphicsCommandList_CopyBufferRegion(kit_graphics(list), target, word * 4, source, 0, 4);
}

CASE(a_live_device_can_be_dumped, "ANN-CRASH-07",
     "A dump can be had of dead devices only, or taking one kills the device.",
     .needs = TOOLS | LOOKUP, .drivers = ALL_DRIVERS)
{
    annot_reader_device info;
    uint32_t *words = NULL;
    AT_END(kit_device_end) ID3D12Device *device = kit_device(RETAIL);
    OWNED ID3D12Resource *source = kit_buffer(device, D3D12_HEAP_TYPE_UPLOAD, 256);
    OWNED ID3D12Resource *target = kit_buffer(device, D3D12_HEAP_TYPE_READBACK, 256);
    OWNED ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    OWNED ID3D12Fence *gate = kit_fence(device, 0);
    struct kit_list done = kit_list(device, DIRECT), waiting = kit_list(device, DIRECT),
                    open = kit_list(device, DIRECT);
    REQUIRE_OK(ID3D12Resource_Map(source, 0, NULL, (void **)&words));
    words[0] = 1;
    ID3D12Resource_Unmap(source, 0, NULL);
    kit_name(queue, "Q");
    kit_name(done.list, "Done");
    kit_name(waiting.list, "Waiting");
    kit_scope(&done, "Past");
    copy_word(&done, target, 0, source);
    kit_end(&done);
    kit_run(device, queue, &done);
    kit_scope(&waiting, "Future");
    copy_word(&waiting, target, 1, source);
    kit_end(&waiting);
    REQUIRE_OK(ID3D12CommandQueue_Wait(queue, gate, 1));
    kit_execute(queue, &waiting);
    kit_scope(&open, "Being recorded");
    annot_reader *reader = kit_dump(device);
    annot_reader_get_device(reader, &info);
    EXPECT_EQ(info.error, ANNOT_DEVICE_ERROR_NONE);
    EXPECT(!info.has_report);
    EXPECT_EQ(info.promises, 0); /* of a driver's report */
    EXPECT_TELLS(reader, "queue Q unknown\n"
                         " X #1\n"
                         "  X Done\n"
                         "   X Past\n"
                         " ? #2\n"
                         "  ? Waiting\n"
                         "   ? Future\n");
    annot_reader_entry entry;
    annot_reader_stream stream;
    REQUIRE(annot_reader_entry_at(reader, kit_entry(reader, "Being recorded"), &entry));
    REQUIRE(annot_reader_stream_at(reader, entry.stream, &stream));
    EXPECT(stream.is_open && stream.execution_count == 0);
    EXPECT(strstr(kit_report(reader), "LIVE DEVICE") == kit_report(reader));
    annot_reader_close(reader);
    kit_end(&open);
    REQUIRE_OK(ID3D12Fence_Signal(gate, 1));
    kit_execute(queue, &open); /* and life goes on */
    kit_wait(device, queue);
    REQUIRE_OK(ID3D12Resource_Map(target, 0, NULL, (void **)&words));
    EXPECT(words[0] == 1 && words[1] == 1);
    EXPECT_OK(ID3D12Device_GetDeviceRemovedReason(device));
    reader = kit_dump(device);
    EXPECT_EQ(kit_count_state(reader, ANNOT_STATE_FINISHED), 3);
    annot_reader_close(reader);
    kit_list_done(&done);
    kit_list_done(&waiting);
    kit_list_done(&open);
}
