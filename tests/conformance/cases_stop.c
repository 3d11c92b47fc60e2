/* ANN-TRUTH: what a removed device says of scopes, bundles, names and losses is so; and what it
 * still answers. */
#include "kit_room.h"
#include "kit_scene.h"
#include "kit_tell.h"

CASES(stop_cases, "stop");

#define NEEDED         (EMULATOR | HANG | DUMP | KERNELS)

#define DEVICE_REMOVED 0x887a0005

/* ---- scopes that are open where it stopped ---- */

/* Two lists of one queue: what the first opens, the second closes and goes on. */
struct pair {
    struct kit_scene scene;
    ID3D12CommandQueue *queue;
    struct kit_list first, second, third;
};

static void pair(struct pair *p)
{
    kit_scene(&p->scene, NULL);
    p->queue = kit_named_queue(&p->scene, DIRECT, "Q");
    p->first = kit_named_list(&p->scene, DIRECT, "A");
    p->second = kit_named_list(&p->scene, DIRECT, "B");
    p->third = kit_named_list(&p->scene, DIRECT, "C");
}

/* Executes the three lists apart, or in one call. */
static const annot_reader *pair_crash(struct pair *p, bool is_apart)
{
    const struct kit_list *lists[] = {&p->first, &p->second, &p->third};
    ID3D12CommandList *all[3];
    for (int i = 0; i < 3; i++) {
        if (is_apart) {
            kit_execute(p->queue, lists[i]);
            continue;
        }
        kit_list_close(lists[i]);
        all[i] = lists[i]->list;
    }
    if (!is_apart)
        ID3D12CommandQueue_ExecuteCommandLists(p->queue, 3, all);
    return kit_crash(&p->scene);
}

static void pair_done(struct pair *p)
{
    kit_list_done(&p->first);
    kit_list_done(&p->second);
    kit_list_done(&p->third);
    kit_release(p->queue);
    kit_scene_done(&p->scene);
}

#define OPEN_PAIR                                                                                  \
    AT_END(pair_done) struct pair p;                                                               \
    pair(&p)

static void expect_path(const annot_reader *reader, const char *wanted)
{
    char path[128] = "";
    REQUIRE_EQ(annot_reader_stop_count(reader), 1);
    annot_reader_stop_path(reader, 0, path, sizeof path);
    if (!EXPECT(strcmp(path, wanted) == 0))
        case_note("stopped at %s, not at %s", path, wanted);
}

static const char *const submission_rows[] = {"one-submission", "apart", NULL};

CASE(a_surplus_end_closes_the_innermost_open_scope, "ANN-TRUTH-01 ANN-CRASH-06",
     "A frame's scope is closed in place of the pass in it, or a pass that ended is shown around "
     "the hang.",
     .needs = NEEDED, .rows = submission_rows)
{
    OPEN_PAIR;
    kit_scope(&p.first, "Outer");
    kit_scope(&p.first, "Middle");
    kit_scope(&p.first, "Inner");
    kit_work(&p.scene, &p.first, 0);
    kit_end(&p.second); /* Inner */
    kit_work(&p.scene, &p.second, 1);
    kit_end(&p.second); /* Middle */
    kit_marker(&p.second, "both are over");
    kit_work(&p.scene, &p.second, 2);
    kit_hang(&p.scene, &p.second, "Own");
    kit_end(&p.third); /* Outer */
    const annot_reader *reader = pair_crash(&p, case_row() == 1);
    expect_path(reader, "Outer / Own");
    EXPECT_EQ(kit_state(reader, 0, "Outer"), ANNOT_STATE_IN_PROGRESS);
    EXPECT_EQ(kit_state(reader, 0, "Middle"), ANNOT_STATE_FINISHED);
    EXPECT_EQ(kit_state(reader, 0, "Inner"), ANNOT_STATE_FINISHED);
    EXPECT_EQ(p.scene.words[2], 1);
}

CASE(an_end_behind_the_hang_closes_nothing, "ANN-TRUTH-01 ANN-CRASH-06",
     "A pass is said to have ended, by an EndEvent that the GPU never came to.", .needs = NEEDED,
     .rows = submission_rows)
{
    OPEN_PAIR;
    kit_scope(&p.first, "Outer");
    kit_scope(&p.first, "Inner");
    kit_work(&p.scene, &p.first, 0);
    kit_hang(&p.scene, &p.second, "Hung");
    kit_end(&p.second);
    kit_end(&p.second);
    kit_scope(&p.third, "Later");
    kit_end(&p.third);
    const annot_reader *reader = pair_crash(&p, case_row() == 1);
    expect_path(reader, "Outer / Inner / Hung");
    EXPECT_EQ(kit_state(reader, 0, "Outer"), ANNOT_STATE_IN_PROGRESS);
    EXPECT_EQ(kit_state(reader, 0, "Inner"), ANNOT_STATE_IN_PROGRESS);
    EXPECT_EQ(kit_count_state(reader, ANNOT_STATE_NOT_STARTED), 1); /* Later */
}

CASE(a_list_executed_again_opens_its_scope_again, "ANN-TRUTH-01 ANN-CRASH-06",
     "The scope of a frame that ended is shown around the hang of the next one, which has the same "
     "list.",
     .needs = NEEDED)
{
    OPEN_PAIR;
    kit_scope(&p.first, "Frame");
    kit_work(&p.scene, &p.first, 0);
    kit_end(&p.second);
    kit_hang(&p.scene, &p.third, "Hung");
    kit_end(&p.third);
    kit_execute(p.queue, &p.first);
    kit_execute(p.queue, &p.second);
    ID3D12CommandQueue_ExecuteCommandLists(p.queue, 1, &p.first.list);
    kit_execute(p.queue, &p.third);
    const annot_reader *reader = kit_crash(&p.scene);
    expect_path(reader, "Frame / Hung");
    EXPECT_EQ(kit_state(reader, 0, "Frame"), ANNOT_STATE_FINISHED);
    EXPECT_EQ(kit_state(reader, 2, "Frame"), ANNOT_STATE_IN_PROGRESS);
}

CASE(what_was_not_kept_may_have_closed_a_scope, "ANN-TRUTH-01 ANN-CRASH-06",
     "A pass is shown around the hang that another list, whose markers nobody kept, has ended.",
     .needs = NEEDED)
{
    OPEN_PAIR;
    kit_set_mode(p.scene.device, RUNTIME);
    OWNED ID3D12CommandQueue *queue = kit_queue(p.scene.device, DIRECT);
    OWNED_LIST silent = kit_list(p.scene.device, DIRECT);
    kit_scope(&p.first, "Pass");
    kit_work(&p.scene, &p.first, 0);
    kit_end(&silent);
    kit_work(&p.scene, &silent, 1);
    kit_hang(&p.scene, &p.second, "Hung");
    kit_end(&p.second); /* Pass, or what is around it */
    kit_execute(queue, &p.first);
    kit_execute(queue, &silent);
    kit_execute(queue, &p.second);
    kit_list_close(&p.third);
    const annot_reader *reader = kit_crash(&p.scene);
    annot_reader_submission first, last;
    EXPECT_EQ(p.scene.words[1], 1);
    EXPECT(annot_reader_submission_at(reader, 0, &first));
    EXPECT(annot_reader_submission_at(reader, 1, &last));
    EXPECT_EQ(last.serial, first.serial + 2);
    expect_path(reader, "Hung");
    EXPECT_EQ(kit_state(reader, 0, "Pass"), ANNOT_STATE_UNKNOWN);
    EXPECT_EQ(kit_state(reader, 1, "Hung"), ANNOT_STATE_IN_PROGRESS);
}

CASE(what_was_kept_in_between_closes_nothing_by_itself, "ANN-TRUTH-01 ANN-CRASH-06",
     "A pass that goes on over several submissions is taken for one that ended.", .needs = NEEDED)
{
    OPEN_PAIR;
    kit_scope(&p.first, "Pass");
    kit_work(&p.scene, &p.first, 0);
    kit_scope(&p.second, "Draw");
    kit_work(&p.scene, &p.second, 1);
    kit_end(&p.second);
    kit_hang(&p.scene, &p.third, "Hung");
    kit_end(&p.third); /* Pass */
    const annot_reader *reader = pair_crash(&p, true);
    expect_path(reader, "Pass / Hung");
    EXPECT_EQ(kit_state(reader, 0, "Pass"), ANNOT_STATE_IN_PROGRESS);
    EXPECT_EQ(kit_state(reader, 1, "Draw"), ANNOT_STATE_FINISHED);
}

/* ---- names ---- */

CASE(an_object_has_the_name_of_its_submission, "ANN-TRUTH-03",
     "A hung list has the name of another frame's list, since applications pool lists and name "
     "them anew.",
     .needs = NEEDED)
{
    OPEN_PAIR;
    kit_hang(&p.scene, &p.first, "Hung");
    kit_name(p.first.list, "recorded");
    kit_list_close(&p.first);
    kit_name(p.first.list, "submitted");
    kit_name(p.queue, "queued");
    ID3D12CommandQueue_ExecuteCommandLists(p.queue, 1, &p.first.list);
    kit_name(p.first.list, "later");
    kit_name(p.queue, "afterwards");
    const annot_reader *reader = kit_crash(&p.scene);
    EXPECT_TELLS(reader, "stop queued #1 submitted: Hung\n"
                         "queue queued stopped\n"
                         " > #1\n"
                         "  > submitted\n"
                         "   > Hung\n");
}

/* ---- recording after a failure ---- */

CASE(a_reset_list_forgets_its_failure, "ANN-MODE-05 ANN-MARK-04",
     "After one mistake a pooled list, and every marker on it, is lost for ever.",
     .needs = SPY | LOOKUP)
{
    OPEN_SPIED_LIST(COMPUTE);
    kit_set(&list, 1, "before", 6);
    ID3D12GraphicsCommandList_DrawInstanced(kit_graphics(&list), 3, 1, 0, 0);
    EXPECT(kit_list_try_close(&list) < 0);
    REQUIRE_OK(kit_list_try_reset(&list));
    const size_t before = spy_count();
    kit_set(&list, 1, "after", 5);
    EXPECT_EQ(spy_count(), before + 1);
    EXPECT_EQ(kit_lookup(device, spy_last()->event_id), ANNOT_LOOKUP_LIVE);
    EXPECT_OK(kit_list_try_close(&list));
}

CASE(an_allocators_reset_ends_a_closed_lists_markers, "ANN-LIFE-01 ANN-LIFE-03",
     "A dump shows markers of a recording whose memory the application took back.",
     .needs = SPY | LOOKUP, .rows = kit_list_rows)
{
    OPEN_SPIED_LIST((D3D12_COMMAND_LIST_TYPE)case_row());
    kit_set(&list, 1, "gone", 4);
    const uint64_t id = spy_last()->event_id;
    kit_list_close(&list);
    EXPECT_OK(ID3D12CommandAllocator_Reset(list.allocator));
    EXPECT_EQ(kit_lookup(device, id), ANNOT_LOOKUP_EXPIRED);
    kit_list_reset(&list);
    kit_set(&list, 1, "new", 3);
    EXPECT_EQ(kit_lookup(device, spy_last()->event_id), ANNOT_LOOKUP_LIVE);
    EXPECT_EQ(kit_lookup(device, id), ANNOT_LOOKUP_EXPIRED);
    kit_list_close(&list);
}

/* ---- waits ---- */

CASE(a_wait_for_all_fences_is_one_for_all, "ANN-CRASH-01",
     "An application goes on when the first of its queues is done, and takes back what the others "
     "still use.")
{
    AT_END(kit_device_end) ID3D12Device *device = kit_device(0);
    OWNED ID3D12Device1 *device1 = NULL;
    if (FAILED(ID3D12Device_QueryInterface(device, &IID_ID3D12Device1, (void **)&device1)))
        SKIP("needs SetEventOnMultipleFenceCompletion, which the device does not have");
    OWNED ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    ID3D12Fence *fences[] = {kit_fence(device, 0), kit_fence(device, 0)};
    const UINT64 values[] = {1, 1}, reached[] = {1, 2};
    REQUIRE_OK(ID3D12Fence_Signal(fences[0], 1));
    /* one has its value: any of them is there, all are when the queue has run */
    const HRESULT hr = ID3D12Device1_SetEventOnMultipleFenceCompletion(
        device1, fences, reached, 2, D3D12_MULTIPLE_FENCE_WAIT_FLAG_ANY, NULL);
    if (hr == E_NOTIMPL)
        SKIP("needs SetEventOnMultipleFenceCompletion, which the device does not have");
    EXPECT_OK(hr);
    EXPECT_EQ(ID3D12Fence_GetCompletedValue(fences[1]), 0);
    REQUIRE_OK(ID3D12CommandQueue_Signal(queue, fences[1], 1));
    EXPECT_OK(ID3D12Device1_SetEventOnMultipleFenceCompletion(
        device1, fences, values, 2, D3D12_MULTIPLE_FENCE_WAIT_FLAG_ALL, NULL));
    EXPECT_EQ(ID3D12Fence_GetCompletedValue(fences[0]), 1);
    EXPECT_EQ(ID3D12Fence_GetCompletedValue(fences[1]), 1);
    kit_release(fences[0]);
    kit_release(fences[1]);
}

/* ---- a removed device ---- */

CASE(a_removed_device_takes_no_more_work, "ANN-CRASH-01 ANN-TRUTH-01",
     "An application that doesn't notice the removal goes on submitting, and the dump's last "
     "submission is not the last one that ran.",
     .needs = NEEDED)
{
    OPEN_PAIR;
    OWNED ID3D12Fence *fence = kit_fence(p.scene.device, 0);
    kit_hang(&p.scene, &p.first, "Hung");
    kit_list_close(&p.second);
    kit_execute(p.queue, &p.first);
    annot_reader_close(p.scene.reader);
    p.scene.reader = NULL;
    const annot_reader *reader = kit_crash(&p.scene);
    annot_reader_submission submission;
    EXPECT(annot_reader_submission_at(reader, 0, &submission));
    EXPECT(!annot_reader_submission_at(reader, 1, &submission));
    const HRESULT reason = ID3D12Device_GetDeviceRemovedReason(p.scene.device);
    EXPECT(reason < 0);
    EXPECT_HR(ID3D12CommandQueue_Signal(p.queue, fence, 7), DEVICE_REMOVED);
    EXPECT_HR(ID3D12CommandQueue_Wait(p.queue, fence, 7), DEVICE_REMOVED);
    EXPECT_HR(kit_list_try_reset(&p.second), DEVICE_REMOVED);
    ID3D12CommandQueue_ExecuteCommandLists(p.queue, 1, &p.second.list);
    EXPECT_HR(ID3D12Device_GetDeviceRemovedReason(p.scene.device), reason);
    EXPECT_EQ(p.scene.removals, 1);
}

/* ---- losses ---- */

CASE(every_loss_is_counted_in_the_dump, "ANN-LIFE-06 ANN-CRASH-04",
     "A dump that lost thousands of markers says that it lost one, or those of the last list only.",
     .needs = SPY | LOOKUP)
{
    static const char payload[1 << 20];
    AT_END(kit_device_with_room_done)
    ID3D12Device *device = kit_device_with_room(sizeof payload / 2);
    struct kit_list lists[] = {kit_list(device, DIRECT), kit_list(device, COMPUTE)};
    for (int i = 0; i < 40; i++)
        kit_set(&lists[i < 25], 1, payload, sizeof payload);
    annot_reader *reader = kit_dump(device);
    EXPECT_EQ(annot_reader_loss(reader, ANNOT_LOSS_MARKERS), 40);
    EXPECT_EQ(annot_reader_loss(reader, ANNOT_LOSS_BYTES), 40 * sizeof payload);
    annot_reader_close(reader);
    for (int i = 0; i < 2; i++) {
        kit_list_close(&lists[i]);
        kit_list_done(&lists[i]);
    }
}
