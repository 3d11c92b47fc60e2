/* A list and a queue are called what they were called when the work was submitted, by every witness
 * and in every output [ANN-TRUTH-03]: a pool names the list between Close and ExecuteCommandLists
 * and again for its next use. */
#include "dred_kit.h"

#include <annot/timeline.h>

static void name(void *object, const WCHAR *to)
{
    MUST(ID3D12Object_SetName((ID3D12Object *)object, to));
}

static bool is(const WCHAR *name, const char *expected)
{
    size_t i = 0;
    while (name && expected[i] && name[i] == (WCHAR)expected[i])
        i++;
    return name && name[i] == 0 && expected[i] == 0;
}

static void check_node(struct scene *s)
{
    D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT output;
    MUST(s->data->lpVtbl->GetAutoBreadcrumbsOutput(s->data, &output));
    cr_assert_not_null(output.pHeadAutoBreadcrumbNode);
    cr_expect(is(output.pHeadAutoBreadcrumbNode->pCommandListDebugNameW, "shadows"));
    cr_expect(is(output.pHeadAutoBreadcrumbNode->pCommandQueueDebugNameW, "graphics"));
}

/* Renamed behind its submission, too, while the GPU works. */
static annot_reader *hang(void)
{
    struct scene s;
    emu_config config = kit_config();
    config.dump_path = dred_dump();
    config.force_driver_retail = true;
    config.marker_type = D3DWDDM1_3DDI_MARKER_TYPE_PROFILE;
    unlink(dred_dump());
    dred_set(DRED_ON, DRED_OFF, DRED_OFF, FALSE);
    scene_open_with(&s, &config);
    name(s.queue, (const WCHAR *)L"early");
    name(s.list, (const WCHAR *)L"early");
    ID3D12GraphicsCommandList_BeginEvent(s.list, 1, "Frame", 6);
    scene_hang_here(&s, s.list);
    ID3D12GraphicsCommandList_EndEvent(s.list);
    MUST(ID3D12GraphicsCommandList_Close(s.list));
    name(s.list, (const WCHAR *)L"shadows");
    name(s.queue, (const WCHAR *)L"graphics");
    ID3D12CommandList *lists[] = {(ID3D12CommandList *)s.list};
    ID3D12CommandQueue_ExecuteCommandLists(s.queue, 1, lists);
    name(s.list, (const WCHAR *)L"late");
    name(s.queue, (const WCHAR *)L"late");
    emu_run_until_idle(s.device);
    cr_assert(ID3D12Device_GetDeviceRemovedReason(s.device) != S_OK);
    check_node(&s);
    scene_close(&s);
    return dred_dump_read();
}

static void has(const struct text *text, const char *what)
{
    cr_expect(strstr(text->bytes, what), "not \"%s\": %s", what, text->bytes);
}

static void has_no_other_name(const struct text *text)
{
    cr_expect_null(strstr(text->bytes, "early"), "%s", text->bytes);
    cr_expect_null(strstr(text->bytes, "late"), "%s", text->bytes);
}

Test(submitted_names, all_outputs_agree)
{
    static struct text text, json, timeline_text;
    const annot_report_sink sink = {&text, text_append}, json_sink = {&json, text_append},
                            timeline_sink = {&timeline_text, text_append};
    annot_timeline *timeline;
    annot_reader_tdr tdr;
    AT_END(at_end_close) annot_reader *reader = hang();
    cr_assert_eq(annot_report_text(reader, NULL, &sink), ANNOT_OK);
    has(&text, "on queue \"graphics\", submission 1, list 1 of 1 \"shadows\"");
    has(&text, "guilty: \"graphics\"");
    has_no_other_name(&text);
    cr_assert_eq(annot_report_json(reader, NULL, &json_sink), ANNOT_OK);
    has(&json, "\"queue_name\":\"graphics\"");
    has(&json, "\"object_name\":\"shadows\"");
    has(&json, "\"guilty_name\":\"graphics\"");
    cr_assert_eq(annot_timeline_create(reader, &timeline), ANNOT_OK);
    cr_assert_eq(annot_timeline_text(timeline, NULL, &timeline_sink), ANNOT_OK);
    has(&timeline_text, "GPU, queue graphics");
    has_no_other_name(&timeline_text);
    annot_timeline_destroy(timeline);
    cr_assert(annot_reader_get_tdr(reader, &tdr) && tdr.context != 0);
}
