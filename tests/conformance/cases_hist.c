/* ANN-HIST, ANN-SUBM: times of the GPU's work, as a dump has them. Buffers, logs and what drivers
 * do wrong with them are behind no interface of D3D12: tests/emu/history.c has them. */
#include "kit_scene.h"

#include <annot/timeline.h>

CASES(hist_cases, "hist");

#define NEEDED (EMULATOR | HANG | DUMP | KERNELS)

/* Markers, a barrier and copies of two lists, and then a hang. */
struct frame {
    struct kit_scene scene;
    ID3D12CommandQueue *queue;
    struct kit_list lists[3];
    ID3D12Resource *target;
    annot_timeline *timeline;
};

enum { COPIES = 3 };

static void record(struct frame *f, const struct kit_list *list)
{
    kit_scope(list, "Scope");
    for (int i = 0; i < COPIES; i++)
        ID3D12GraphicsCommandList_CopyBufferRegion(kit_graphics(list), f->target, 0, f->target,
                                                   4096, 256);
    kit_end(list);
}

static emu_config profile(void)
{
    emu_config config = kit_config();
    config.marker_type = D3DWDDM1_3DDI_MARKER_TYPE_PROFILE;
    return config;
}

static void frame(struct frame *f, const emu_config *config)
{
    ID3D12CommandList *lists[2];
    kit_scene(&f->scene, config);
    f->queue = kit_named_queue(&f->scene, DIRECT, "Q");
    f->target = kit_buffer(f->scene.device, D3D12_HEAP_TYPE_DEFAULT, 65536);
    for (int i = 0; i < 3; i++)
        f->lists[i] = kit_named_list(&f->scene, DIRECT, i == 2 ? "Stuck" : "L");
    for (int i = 0; i < 2; i++) {
        record(f, &f->lists[i]);
        kit_list_close(&f->lists[i]);
        lists[i] = f->lists[i].list;
    }
    ID3D12CommandQueue_ExecuteCommandLists(f->queue, 2, lists);
    kit_spin(&f->scene, &f->lists[2]);
    kit_execute(f->queue, &f->lists[2]);
    REQUIRE_EQ(annot_timeline_create(kit_crash(&f->scene), &f->timeline), ANNOT_OK);
}

static void frame_done(struct frame *f)
{
    annot_timeline_destroy(f->timeline);
    for (int i = 0; i < 3; i++)
        kit_list_done(&f->lists[i]);
    kit_release(f->target);
    kit_release(f->queue);
    kit_scene_done(&f->scene);
}

/* The n-th slice of a kind, of finished work; false: there are no more. */
static bool nth(const struct frame *f, annot_slice_kind kind, size_t n, annot_timeline_slice *out)
{
    for (size_t i = 0; annot_timeline_slice_at(f->timeline, i, out); i++)
        if (out->kind == kind && !out->is_unfinished && n-- == 0)
            return true;
    return false;
}

CASE(no_mode_no_stamps, "ANN-HIST-01", "Programs that nobody profiles pay for time stamps.",
     .needs = NEEDED)
{
    AT_END(frame_done) struct frame f;
    annot_timeline_about about;
    frame(&f, NULL);
    annot_timeline_get_about(f.timeline, &about);
    EXPECT_EQ(about.slices, 0);
    EXPECT_EQ(about.tracks, 0);
}

CASE(each_working_call_adds_one, "ANN-HIST-02 ANN-HIST-03",
     "A call has no time, or one that made the GPU do nothing has.", .needs = NEEDED,
     .drivers = REFERENCE | WARP | LEGACY | REORDER)
{
    AT_END(frame_done) struct frame f;
    annot_timeline_slice call;
    const emu_config config = profile();
    frame(&f, &config);
    for (size_t i = 0; i < 2 * COPIES; i++) {
        REQUIRE(nth(&f, ANNOT_SLICE_CALL, i, &call));
        EXPECT_EQ(call.op, D3D12_AUTO_BREADCRUMB_OP_COPYBUFFERREGION);
        EXPECT_EQ((uint32_t)call.number, 2 + i % COPIES); /* behind the scope's begin */
    }
    EXPECT(!nth(&f, ANNOT_SLICE_CALL, 2 * COPIES, &call));
}

/* ---- clocks ---- */

/* The virtual clock moves by whole microseconds, so every time is one when the clocks are put in
 * relation rightly. */
static void expect_microseconds(const struct frame *f)
{
    annot_timeline_slice call;
    uint64_t last = 0;
    for (size_t i = 0; i < 2 * COPIES; i++) {
        REQUIRE(nth(f, ANNOT_SLICE_CALL, i, &call));
        const uint64_t off = call.end % 1000;
        EXPECT(off < 100 || off > 900);
        EXPECT(call.end > last);
        last = call.end;
    }
}

static const char *const precision_rows[] = {"0", "32", "33", "55", "64", NULL};

CASE(precision_gives_the_same_times, "ANN-HIST-05",
     "How many bits a GPU's time stamps have changes when its work was done.", .needs = NEEDED,
     .rows = precision_rows)
{
    static const uint32_t bits[] = {EMU_STAMPS_RAW, 32, 33, 55, 64};
    AT_END(frame_done) struct frame f;
    emu_config config = profile();
    config.gpu_clock =
        (emu_gpu_clock_config){.hz = 19200000, .offset = 77, .stamp_bits = bits[case_row()]};
    frame(&f, &config);
    expect_microseconds(&f);
}

static const char *const drift_rows[] = {"-500ppm", "-50ppm", "0ppm", "50ppm", "500ppm", NULL};

CASE(drift_is_calibrated, "ANN-HIST-09",
     "A GPU whose clock runs fast or slow did its work before it was submitted, or much later.",
     .needs = NEEDED, .rows = drift_rows)
{
    static const int32_t drifts[] = {-500, -50, 0, 50, 500};
    AT_END(frame_done) struct frame f;
    emu_config config = profile();
    config.gpu_clock = (emu_gpu_clock_config){
        .hz = 19200000, .ppm = drifts[case_row()], .offset = 123456789, .stamp_bits = 64};
    frame(&f, &config);
    expect_microseconds(&f);
}

CASE(a_32_bit_wrap_is_one_timeline, "ANN-HIST-10",
     "Work behind the moment at which a 32-bit clock began anew is shown before everything else.",
     .needs = NEEDED)
{
    AT_END(frame_done) struct frame f;
    emu_config config = profile();
    config.gpu_clock = (emu_gpu_clock_config){
        .hz = 1000000000, .offset = (UINT64_C(1) << 32) - 3500, .stamp_bits = 32};
    frame(&f, &config);
    expect_microseconds(&f);
}

/* ---- submissions ---- */

CASE(batched_names_each_list, "ANN-SUBM-01",
     "Work of one command list is shown as another's of the same call.", .needs = NEEDED,
     .area = "subm")
{
    AT_END(frame_done) struct frame f;
    annot_timeline_slice call;
    uint32_t highs[2] = {0, 0};
    const emu_config config = profile();
    frame(&f, &config);
    for (size_t i = 0; i < 2 * COPIES; i++) {
        REQUIRE(nth(&f, ANNOT_SLICE_CALL, i, &call));
        EXPECT_EQ(call.list, i / COPIES);
        if (i % COPIES == 0)
            highs[i / COPIES] = (uint32_t)(call.number >> 32);
        EXPECT_EQ(call.number >> 32, highs[i / COPIES]);
    }
    EXPECT(highs[0] != highs[1]);
}
