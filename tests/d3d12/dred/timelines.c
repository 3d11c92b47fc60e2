/* From calls of the application to a timeline out of a dump [ANN-HIST-05 to -08, ANN-SUBM-05]: each
 * call once, in its scopes, by a clock that is not the CPU's. */
#include "dred_kit.h"

#include <annot/timeline.h>

struct opened {
    annot_reader *reader;
    annot_timeline *timeline;
};

static emu_config profile(void)
{
    emu_config config = kit_config();
    config.marker_type = D3DWDDM1_3DDI_MARKER_TYPE_PROFILE;
    config.dump_path = dred_dump();
    config.force_driver_retail = true;
    unlink(dred_dump());
    return config;
}

static struct opened open_dump(void)
{
    struct opened o;
    cr_assert_eq(annot_reader_open_file(NULL, dred_dump(), &o.reader), ANNOT_OK);
    cr_assert_eq(annot_timeline_create(o.reader, &o.timeline), ANNOT_OK);
    return o;
}

static void close_dump(struct opened *o)
{
    annot_timeline_destroy(o->timeline);
    annot_reader_close(o->reader);
    unlink(dred_dump());
}

/* A call of the CPU has its queue and submission behind its name. */
static bool is_named(const char *text, const char *name)
{
    const size_t size = strlen(name);
    return strncmp(text, name, size) == 0 && (!text[size] || strncmp(text + size, " on ", 4) == 0);
}

/* The first slice of that name; the test fails without one. */
static annot_timeline_slice slice_named(const struct opened *o, const char *name)
{
    annot_timeline_slice slice;
    char text[256];
    for (size_t i = 0; annot_timeline_slice_at(o->timeline, i, &slice); i++) {
        annot_timeline_slice_name(o->timeline, i, text, sizeof text);
        if (is_named(text, name))
            return slice;
    }
    cr_assert_fail("no slice %s", name);
    return slice;
}

static void copy_once(struct scene *s)
{
    ID3D12GraphicsCommandList_CopyBufferRegion(s->list, s->buffer, 0, s->other, 4096, 256);
}

static void begin(struct scene *s, const char *name)
{
    ID3D12GraphicsCommandList_BeginEvent(s->list, 1, name, (UINT)strlen(name) + 1);
}

Test(timeline, calls_lie_in_their_scopes_and_the_hang_lasts_to_the_end)
{
    AT_END(scene_close) struct scene s;
    const emu_config config = profile();
    scene_open_with(&s, &config);
    copy_once(&s); /* operation 1 */
    begin(&s, "Frame");
    begin(&s, "Shadows");
    copy_once(&s); /* 4 */
    copy_once(&s); /* 5 */
    ID3D12GraphicsCommandList_EndEvent(s.list);
    begin(&s, "Lighting");
    scene_hang_here(&s, s.list); /* 8 */
    copy_once(&s);               /* 9 */
    ID3D12GraphicsCommandList_EndEvent(s.list);
    ID3D12GraphicsCommandList_EndEvent(s.list);
    scene_run(&s);
    AT_END(close_dump) struct opened o = open_dump();
    const annot_timeline_slice frame = slice_named(&o, "Frame"),
                               shadows = slice_named(&o, "Shadows"),
                               lighting = slice_named(&o, "Lighting"),
                               dispatch = slice_named(&o, "Dispatch"),
                               submission = slice_named(&o, "submission 1"),
                               call = slice_named(&o, "ExecuteCommandLists");
    annot_timeline_about about;
    annot_timeline_get_about(o.timeline, &about);
    cr_assert(frame.is_unfinished && lighting.is_unfinished && dispatch.is_unfinished &&
                  submission.is_unfinished && !shadows.is_unfinished && !call.is_unfinished,
              "%d %d %d %d %d %d", frame.is_unfinished, lighting.is_unfinished,
              dispatch.is_unfinished, submission.is_unfinished, shadows.is_unfinished,
              call.is_unfinished);
    cr_assert_eqs(frame.begin, shadows.begin, shadows.end, lighting.begin);
    cr_assert_eq(shadows.end - shadows.begin, shadows.end - frame.begin);
    cr_assert_eqs(dispatch.begin, lighting.begin, dispatch.end, about.end);
    cr_assert_eq((uint32_t)dispatch.number, 8);
    cr_assert(call.begin <= submission.begin && submission.begin <= frame.begin);
    cr_assert(about.end - dispatch.begin >= 2000000000u, "the timeout");
    cr_assert_eq3(frame.depth, 2, shadows.depth, 3, dispatch.depth, 4);
    annot_timeline_waiting waiting;
    cr_assert(annot_timeline_waiting_at(o.timeline, 0, &waiting));
    cr_assert_eq3(waiting.first, 9, waiting.calls, 1, about.waiting, 1);
    uint32_t last = 0;
    annot_timeline_slice slice;
    for (size_t i = 0; annot_timeline_slice_at(o.timeline, i, &slice); i++)
        if (slice.kind == ANNOT_SLICE_CALL && !slice.is_unfinished)
            last = (uint32_t)slice.number;
    cr_assert_eq(last, 5);
}

static void count_calls(const struct opened *o, size_t *calls, size_t *scopes)
{
    annot_timeline_slice slice;
    *calls = *scopes = 0;
    for (size_t i = 0; annot_timeline_slice_at(o->timeline, i, &slice); i++) {
        *calls += slice.kind == ANNOT_SLICE_CALL;
        *scopes += slice.kind == ANNOT_SLICE_SCOPE;
    }
}

Test(timeline, slices_of_a_track_nest)
{
    AT_END(scene_close) struct scene s;
    const emu_config config = profile();
    scene_open_with(&s, &config);
    ID3D12CommandQueue_BeginEvent(s.queue, 1, "outer", 6);
    for (int i = 0; i < 20; i++) {
        begin(&s, i % 3 == 0 ? "a" : "b");
        copy_once(&s);
        begin(&s, "inner");
        if (i % 2 == 0)
            copy_once(&s);
        ID3D12GraphicsCommandList_EndEvent(s.list);
        if (i % 4 != 0)
            ID3D12GraphicsCommandList_EndEvent(s.list);
    }
    MUST(ID3D12GraphicsCommandList_Close(s.list));
    ID3D12CommandList *twice[] = {(ID3D12CommandList *)s.list, (ID3D12CommandList *)s.list};
    ID3D12CommandQueue_ExecuteCommandLists(s.queue, 2, twice);
    ID3D12CommandQueue_EndEvent(s.queue);
    ID3D12CommandQueue_ExecuteCommandLists(s.queue, 1, twice);
    emu_run_until_idle(s.device);
    kit_remove(s.device);
    AT_END(close_dump) struct opened o = open_dump();
    annot_timeline_slice open[64], slice;
    size_t depth = 0, calls, scopes;
    for (size_t i = 0; annot_timeline_slice_at(o.timeline, i, &slice); i++) {
        while (depth > 0 && (open[depth - 1].track != slice.track || depth > slice.depth))
            depth--;
        cr_assert_eq(slice.depth, depth, "slice %zu", i);
        cr_assert(slice.begin <= slice.end);
        cr_assert(depth == 0 ||
                      (open[depth - 1].begin <= slice.begin && slice.end <= open[depth - 1].end),
                  "slice %zu reaches out of the one around it", i);
        open[depth++] = slice;
    }
    count_calls(&o, &calls, &scopes);
    cr_assert_geq(calls, 3 * 30);
    cr_assert_geq(scopes, 3 * 30);
    cr_assert_eq(slice_named(&o, "outer").depth, 0);
}

/* The error of the conversion: a stamp's time by the GPU's clock against the virtual clock, on
 * which a packet takes 1 µs. */
Test(timeline, drift_is_calibrated)
{
    const int32_t drifts[] = {-500, -50, 0, 50, 500};
    for (size_t k = 0; k < 5; k++) {
        struct scene s;
        emu_config config = profile();
        config.gpu_clock = (emu_gpu_clock_config){
            .hz = 19200000, .ppm = drifts[k], .offset = 123456789, .stamp_bits = 64};
        scene_open_with(&s, &config);
        for (int i = 0; i < 10; i++)
            copy_once(&s);
        MUST(ID3D12GraphicsCommandList_Close(s.list));
        ID3D12CommandList *lists[] = {(ID3D12CommandList *)s.list};
        for (int i = 0; i < 20; i++) {
            ID3D12CommandQueue_ExecuteCommandLists(s.queue, 1, lists);
            emu_run_until_idle(s.device);
            emu_advance_clock(s.device, 25000000);
        }
        kit_remove(s.device);
        struct opened o = open_dump();
        annot_timeline_slice slice, last = {0};
        size_t checked = 0;
        for (size_t i = 0; annot_timeline_slice_at(o.timeline, i, &slice); i++) {
            if (slice.kind != ANNOT_SLICE_CALL ||
                slice.op != D3D12_AUTO_BREADCRUMB_OP_COPYBUFFERREGION)
                continue;
            const uint64_t past = slice.end % 1000, off = past < 500 ? past : 1000 - past;
            cr_assert(off < 100, "%d ppm: %llu ns", drifts[k], (unsigned long long)slice.end);
            cr_assert(slice.end >= last.end);
            last = slice;
            checked++;
        }
        cr_assert_eq(checked, 200);
        close_dump(&o);
        scene_close(&s);
    }
}

/* The dump says which rule the times broke: a precision of 31 bits is none. */
Test(timeline, times_that_are_not_believed_are_a_finding_with_the_rule)
{
    AT_END(scene_close) struct scene s;
    emu_config config = profile();
    config.gpu_clock.stamp_bits = 31;
    scene_open_with(&s, &config);
    copy_once(&s);
    scene_hang(&s);
    AT_END(close_dump) struct opened o = open_dump();
    annot_timeline_about about;
    annot_finding finding;
    annot_timeline_get_about(o.timeline, &about);
    cr_assert_eq(about.untimed, 1);
    unsigned found = 0;
    for (size_t i = 0; annot_reader_finding(o.reader, i, &finding); i++)
        found += finding.kind == ANNOT_FINDING_HISTORY_UNTRUSTED;
    cr_assert_eq(found, 1);
}

Test(timeline, the_environment_switches_it_on)
{
    AT_END(scene_close) struct scene s;
    emu_config config = profile();
    config.marker_type = D3DWDDM1_3DDI_MARKER_TYPE_NONE;
    setenv("ANNOT_TIMELINE", "1", 1);
    scene_open_with(&s, &config);
    unsetenv("ANNOT_TIMELINE");
    scene_hang(&s);
    AT_END(close_dump) struct opened o = open_dump();
    cr_assert(slice_named(&o, "Dispatch").is_unfinished);
}

Test(timeline, a_bundle_is_one_call)
{
    AT_END(scene_close) struct scene s;
    const emu_config config = profile();
    scene_open_with(&s, &config);
    OWNED ID3D12CommandAllocator *allocator = kit_allocator(s.device, BUNDLE);
    OWNED ID3D12GraphicsCommandList *bundle = kit_list(s.device, allocator, BUNDLE);
    for (int i = 0; i < 3; i++)
        kit_dispatch(bundle, s.signature, s.fill, s.buffer, NULL, 1, 4);
    MUST(ID3D12GraphicsCommandList_Close(bundle));
    ID3D12GraphicsCommandList_ExecuteBundle(s.list, bundle);
    copy_once(&s);
    scene_hang(&s);
    AT_END(close_dump) struct opened o = open_dump();
    const annot_timeline_slice call = slice_named(&o, "ExecuteBundle");
    cr_assert_eq((uint32_t)call.number, 1);
    cr_assert_geq(call.end - call.begin, 3000, "its three dispatches");
    cr_assert_eq((uint32_t)slice_named(&o, "CopyBufferRegion").number, 2);
}

Test(timeline, the_oldest_times_make_room)
{
    AT_END(scene_close) struct scene s;
    const emu_config config = profile();
    scene_open_with(&s, &config);
    for (int i = 0; i < 1000; i++)
        copy_once(&s);
    MUST(ID3D12GraphicsCommandList_Close(s.list));
    ID3D12CommandList *lists[] = {(ID3D12CommandList *)s.list};
    for (int i = 0; i < 100; i++) {
        ID3D12CommandQueue_ExecuteCommandLists(s.queue, 1, lists);
        emu_run_until_idle(s.device);
    }
    kit_remove(s.device);
    AT_END(close_dump) struct opened o = open_dump();
    annot_timeline_about about;
    size_t calls, scopes;
    annot_timeline_get_about(o.timeline, &about);
    count_calls(&o, &calls, &scopes);
    cr_assert_eq(calls / 1000 + about.forgotten, 100);
    cr_assert(about.forgotten > 30 && about.forgotten < 45, "16 bytes a call, 1 MiB: %llu",
              (unsigned long long)about.forgotten);
}
