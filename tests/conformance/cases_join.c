/* ANN-JOIN: witnesses that don't know each other, in one report. */
#include "kit_dred.h"
#include "kit_tell.h"

#include <annot/timeline.h>

CASES(join_cases, "join");

#define NEEDED (DRED | EMULATOR | HANG | DUMP | KERNELS)

static void expect_line(const char *report, const char *line)
{
    if (!EXPECT(strstr(report, line)))
        case_note("not there: %s\n%.3000s", line, report);
}

/* The hash of the operation's shader, whole, and in the first line as it begins [ANN-OP-01]. */
static void expect_shader(const char *report)
{
    char begin[] = "(cs 01234567)";
    const char *const label = "\n    shader         cs ", *line = strstr(report, label);
    if (!EXPECT(line))
        return;
    line += strlen(label);
    EXPECT_EQ(strspn(line, "0123456789abcdef"), 16);
    EXPECT_EQ(line[16], '\n');
    memcpy(begin + 4, line, 8);
    const char *found = strstr(report, begin);
    EXPECT(found && found < strchr(report, '\n'));
}

/* The last call that the GPU did and the one that it was in, by its time stamps. */
static void expect_calls(const annot_reader *reader, uint32_t done, uint32_t unfinished)
{
    annot_timeline *timeline = NULL;
    annot_timeline_slice slice;
    annot_reader_execution execution;
    uint32_t last = 0, first = 0;
    REQUIRE(annot_reader_execution_at(reader, 0, &execution));
    REQUIRE_EQ(annot_timeline_create(reader, &timeline), ANNOT_OK);
    for (size_t i = 0; annot_timeline_slice_at(timeline, i, &slice); i++)
        if (slice.kind == ANNOT_SLICE_CALL && slice.queue == execution.queue && first == 0)
            *(slice.is_unfinished ? &first : &last) = (uint32_t)slice.number;
    EXPECT_EQ(first, unfinished);
    EXPECT_EQ(last, done);
    annot_timeline_destroy(timeline);
}

CASE(op_event_time_and_fault_agree, "ANN-JOIN-01",
     "Marker, operation, time and address of one fault point to different places, or to none.",
     .needs = NEEDED)
{
    annot_reader_crumbs crumbs;
    emu_config config = kit_config();
    config.marker_type = D3DWDDM1_3DDI_MARKER_TYPE_PROFILE;
    kit_dred_set(DRED_ON, DRED_OFF, DRED_ON);
    OPEN_NAMED_SCENE(&config);
    ID3D12Resource *lights = kit_buffer(scene.device, D3D12_HEAP_TYPE_DEFAULT, 65536);
    kit_name(lights, "Lights");
    const UINT64 address = ID3D12Resource_GetGPUVirtualAddress(lights) + 128;
    kit_release(lights);
    kit_scope(&list, "Frame");
    kit_scope(&list, "Lighting");
    kit_work(&scene, &list, 0);
    kit_touch(&scene, &list, address); /* operation 4 */
    kit_end(&list);
    kit_end(&list);
    kit_execute(queue, &list);
    const annot_reader *reader = kit_crash(&scene);
    REQUIRE(annot_reader_crumbs_at(reader, 0, &crumbs));
    EXPECT_EQ(crumbs.done, 3);
    EXPECT(crumbs.is_joined && !crumbs.is_disputed);
    EXPECT_EQ(annot_reader_op(reader, 0, 3), D3D12_AUTO_BREADCRUMB_OP_DISPATCH);
    EXPECT_EQ(kit_finding(reader, ANNOT_FINDING_WITNESSES_DISAGREE), 0);
    EXPECT_EQ(kit_state(reader, 0, "Lighting"), ANNOT_STATE_IN_PROGRESS);
    expect_calls(reader, 3, 4);
    const char *report = kit_report(reader);
    expect_line(report, "  Frame / Lighting\n");
    expect_line(
        report,
        "operation      4 of 6 is not done: Dispatch(1, 1, 1); 3 is done: Dispatch(1, 1, 1)\n");
    expect_line(report, "last started   Lighting  (EventID 0x");
    expect_line(report, "done before    1 BeginEvent, 2 BeginEvent, 3 Dispatch(1, 1, 1)\n");
    expect_line(report, "after it       5 EndEvent, 6 EndEvent\n");
    expect_shader(report);
    expect_line(report, "last call done Dispatch, operation 3");
    expect_line(report, "call not done  Dispatch, operation 4");
    expect_line(report, "128 bytes into \"Lights\" (destroyed)");
    expect_line(report, "TDR          ENGINE_PAGE_FAULT (type 12)");
}

CASE(dropped_markers_break_no_count, "ANN-JOIN-02",
     "Where markers were dropped, a breadcrumb is joined to a marker that stands elsewhere.",
     .needs = NEEDED)
{
    enum { MARKERS = 6000 };
    annot_reader_crumbs crumbs;
    emu_config config = kit_config();
    config.memory_budget = 3 * 65536;
    kit_dred_set(DRED_ON, DRED_OFF, DRED_OFF);
    OPEN_NAMED_SCENE(&config);
    for (int i = 0; i < MARKERS; i++)
        kit_marker(&list, "a marker that takes the memory of the device");
    kit_spin(&scene, &list);
    kit_execute(queue, &list);
    const annot_reader *reader = kit_crash(&scene);
    EXPECT(annot_reader_loss(reader, ANNOT_LOSS_MARKERS) > 0);
    REQUIRE(annot_reader_crumbs_at(reader, 0, &crumbs));
    EXPECT_EQ(crumbs.count, MARKERS + 1);
    EXPECT_EQ(crumbs.done, MARKERS);
    EXPECT(!crumbs.is_joined);
    EXPECT_EQ(kit_finding(reader, ANNOT_FINDING_CRUMBS_UNJOINED), 1);
    expect_line(kit_report(reader), "6001 of 6001 is not done: Dispatch");
}

/* A driver that writes the first marker's EventID for every one. */
static const annot_driver *honest;
static uint64_t first_id;

static void ANNOT_DDI_CALL set_the_first(D3D12DDI_HCOMMANDLIST list, uint32_t metadata,
                                         const void *data, uint32_t size, uint64_t event_id)
{
    if (first_id == 0)
        first_id = event_id;
    honest->annotation->pfnCmdListSetMarker(list, metadata, data, size, first_id);
}

CASE(disagreement_is_a_finding, "ANN-JOIN-03",
     "Of two witnesses that contradict each other one is believed, and nobody hears of the other.",
     .needs = NEEDED)
{
    enum { MARKERS = 20 };
    D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 functions;
    annot_reader_crumbs crumbs;
    emu_config config = kit_config();
    honest = kit_driver();
    functions = *honest->annotation;
    functions.pfnCmdListSetMarker = set_the_first;
    annot_driver liar = *honest;
    liar.annotation = &functions;
    config.annotation = &liar;
    kit_dred_set(DRED_ON, DRED_OFF, DRED_OFF);
    OPEN_NAMED_SCENE(&config);
    for (int i = 0; i < MARKERS; i++)
        kit_marker(&list, i == 0 ? "First" : i == MARKERS - 1 ? "Last" : "Between");
    kit_spin(&scene, &list);
    kit_execute(queue, &list);
    const annot_reader *reader = kit_crash(&scene);
    EXPECT_EQ(kit_finding(reader, ANNOT_FINDING_WITNESSES_DISAGREE), 1);
    REQUIRE(annot_reader_crumbs_at(reader, 0, &crumbs));
    EXPECT_EQ(crumbs.done, MARKERS);
    EXPECT(crumbs.is_disputed);
    EXPECT_EQ(kit_state(reader, 0, "Last"), ANNOT_STATE_FINISHED); /* the stronger one counts */
    expect_line(kit_report(reader), "the driver's report ");
    expect_line(kit_report(reader), "breadcrumbs ");
}
