/* A driver that moves markers within the window that it declares contradicts nothing, with
 * breadcrumbs and without [ANN-CRASH-05, ANN-TRUTH-01]. */
#include "dred_kit.h"

static void expect_believed(unsigned shape)
{
    AT_END(at_end_close) annot_reader *reader = dred_dump_read();
    annot_finding finding;
    annot_reader_execution execution;
    for (size_t i = 0; annot_reader_finding(reader, i, &finding); i++)
        cr_expect(finding.kind != ANNOT_FINDING_ROW_CONTRADICTORY &&
                      finding.kind != ANNOT_FINDING_WITNESSES_DISAGREE,
                  "shape %x: finding %d", shape, (int)finding.kind);
    cr_assert(annot_reader_execution_at(reader, 0, &execution));
    cr_expect_eq(execution.state, ANNOT_STATE_IN_PROGRESS, "shape %x", shape);
}

/* Two bits of the shape are an operation; the hang is behind the third. */
static void hang(unsigned shape, D3D12_DRED_ENABLEMENT crumbs)
{
    struct scene s;
    emu_config config = kit_config();
    config.driver = "reorder";
    config.dump_path = dred_dump();
    config.force_driver_retail = true;
    dred_set(crumbs, DRED_OFF, DRED_OFF, FALSE);
    scene_open_with(&s, &config);
    for (unsigned i = 0; i < 6; i++) {
        if (i == 3)
            scene_hang_here(&s, s.list);
        switch (shape >> 2 * i & 3) {
        case 0:
            ID3D12GraphicsCommandList_BeginEvent(s.list, 1, "scope", 6);
            break;
        case 1:
            ID3D12GraphicsCommandList_SetMarker(s.list, 1, "marker", 7);
            break;
        case 2:
            ID3D12GraphicsCommandList_EndEvent(s.list);
            break;
        default:
            ID3D12GraphicsCommandList_CopyResource(s.list, s.buffer, s.other);
        }
    }
    scene_run(&s);
    scene_close(&s);
    expect_believed(shape);
}

Test(dred_reordering, markers_that_move_within_the_window_contradict_nothing)
{
    for (unsigned shape = 0; shape < 1u << 12; shape += 29) {
        hang(shape, DRED_OFF);
        hang(shape, DRED_ON);
    }
}
