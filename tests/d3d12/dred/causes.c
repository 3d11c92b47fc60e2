/* What a dump says of causes beside the hang itself: the fence that another queue waits for, and an
 * order to hang that was carried out or was not [ANN-TRUTH-08]. */
#include "dred_kit.h"

static void open_scene(struct scene *s)
{
    emu_config config = kit_config();
    config.dump_path = dred_dump();
    config.force_driver_retail = true;
    unlink(dred_dump());
    scene_open_with(s, &config);
}

/* The list hangs, in front of a Signal where there is a fence; the dump that this leaves, and its
 * text. */
static annot_reader *stop(struct scene *s, ID3D12Fence *fence, UINT64 value, char **text)
{
    ID3D12GraphicsCommandList_SetMarker(s->list, 1, "shadow", 7);
    scene_hang_here(s, s->list);
    MUST(ID3D12GraphicsCommandList_Close(s->list));
    ID3D12CommandQueue_ExecuteCommandLists(s->queue, 1, (ID3D12CommandList *[]){(void *)s->list});
    if (fence)
        MUST(ID3D12CommandQueue_Signal(s->queue, fence, value));
    emu_run_until_idle(s->device);
    cr_assert(ID3D12Device_GetDeviceRemovedReason(s->device) != S_OK);
    annot_reader *reader = dred_dump_read();
    cr_assert_eq(annot_report_memory(reader, ANNOT_REPORT_TEXT, NULL, text, NULL), ANNOT_OK);
    return reader;
}

Test(causes, a_queue_that_waits_says_for_which_fence)
{
    static const struct {
        UINT64 signal, value; /* of the queue that hangs; that is waited for */
        const char *said;
    } rows[] = {
        {7, 7,
         "waiting for \"graphics\"'s fence \"shadow done\" = 7, reached 6, asked 2.0 s ago; that "
         "queue hung"},
        {9, 7,
         "waiting for \"graphics\"'s fence \"shadow done\" = 7, reached 6, asked 2.0 s ago; that "
         "queue hung"},
        {7, 8,
         "waiting for fence \"shadow done\" = 8, reached 6, asked 2.0 s ago; the highest value "
         "that a queue was ever told to signal is 7, by \"graphics\""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct scene s;
        ID3D12Fence *fence = NULL;
        char *text;
        open_scene(&s);
        ID3D12CommandQueue *waits = kit_queue(s.device, DIRECT);
        ID3D12CommandAllocator *allocator = kit_allocator(s.device, DIRECT);
        ID3D12GraphicsCommandList *list = kit_list(s.device, allocator, DIRECT);
        fence = MADE(ID3D12Fence, s.device, CreateFence, 6, D3D12_FENCE_FLAG_NONE);
        MUST(ID3D12Fence_SetName(fence, (const WCHAR *)L"shadow done"));
        MUST(ID3D12CommandQueue_SetName(s.queue, (const WCHAR *)L"graphics"));
        MUST(ID3D12CommandQueue_Wait(waits, fence, rows[i].value));
        ID3D12GraphicsCommandList_SetMarker(list, 1, "light", 6);
        MUST(ID3D12GraphicsCommandList_Close(list));
        ID3D12CommandQueue_ExecuteCommandLists(waits, 1, (ID3D12CommandList *[]){(void *)list});
        annot_reader *reader = stop(&s, fence, rows[i].signal, &text);
        cr_expect_not_null(strstr(text, rows[i].said), "row %zu: %s", i, text);
        annot_report_free(text);
        annot_reader_close(reader);
        RELEASE(fence, list, allocator, waits);
        scene_close(&s);
    }
}

/* A setting that did nothing is no cause, though the program hangs by itself. */
Test(causes, an_order_is_one_where_it_was_carried_out)
{
    static const struct {
        const char *variable, *place;
        bool is_carried_out;
    } rows[] = {{"EMU_HANG", "draw:1000", false},
                {"EMU_FAULT", "dispatch:2", false},
                {"EMU_HANG", "dispatch:1", true},
                {"EMU_FAULT", "dispatch:1", true},
                {"EMU_LOSE", "list:1", true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct scene s;
        annot_reader_hang hang;
        char *text, said[64];
        setenv(rows[i].variable, rows[i].place, 1);
        open_scene(&s);
        annot_reader *reader = stop(&s, NULL, 0, &text);
        annot_reader_get_hang(reader, &hang);
        snprintf(said, sizeof said, "%s caused the failure", rows[i].variable);
        cr_expect_eq(strstr(text, said) != NULL, rows[i].is_carried_out, "row %zu: %s", i, text);
        cr_expect_eq(hang.is_ordered, rows[i].is_carried_out, "row %zu", i);
        annot_report_free(text);
        annot_reader_close(reader);
        scene_close(&s);
        unsetenv(rows[i].variable);
    }
}
