/* ANN-MARK-05, -06, -07, -10: Begins and Ends on lists, that match and that don't. */
#include "kit_scene.h"

#include <pthread.h>

CASES(mark_scope_cases, "mark");

#define LEAK      1383 /* D3D12_MESSAGE_ID_PROBABLE_PIX_EVENT_LEAK */
#define UNDERFLOW 1384 /* D3D12_MESSAGE_ID_PIX_EVENT_UNDERFLOW */

static struct kit_list row_list(ID3D12Device *device)
{
    return kit_list(device, (D3D12_COMMAND_LIST_TYPE)case_row());
}

/* Begins, and answers its EventID. */
static uint64_t begin(const struct kit_list *list)
{
    kit_begin(list, 1, "scope", 6);
    return spy_last()->event_id;
}

/* Ends, and answers the EventID that the driver got with it. */
static uint64_t end(const struct kit_list *list)
{
    kit_end(list);
    EXPECT_EQ(spy_last()->function, SPY_LIST_END);
    return spy_last()->event_id;
}

CASE(an_end_names_the_begin_that_it_closes, "ANN-MARK-05",
     "The driver can't tell which scope the GPU has left: an End has the outermost's EventID, the "
     "last marker's, or one of its own.",
     .needs = SPY, .drivers = ANNOTATING_DRIVERS, .rows = kit_list_rows)
{
    enum { CALLS = 4000 };
    static uint64_t open[CALLS];
    size_t depth = 0;
    uint32_t random = 12345;
    OPEN_SPIED_LIST((D3D12_COMMAND_LIST_TYPE)case_row());
    for (int i = 0; i < CALLS; i++) {
        random = random * 1664525u + 1013904223u;
        switch (random >> 30) {
        case 0:
            kit_set(&list, 1, "between", 8);
            break;
        case 1:
            open[depth++] = begin(&list);
            EXPECT(open[depth - 1] != 0);
            break;
        default:
            if (depth == 0)
                open[depth++] = begin(&list);
            else
                EXPECT_EQ(end(&list), open[--depth]);
        }
    }
    while (depth > 0)
        EXPECT_EQ(end(&list), open[--depth]);
    kit_list_close(&list);
}

CASE(scopes_of_two_lists_are_apart, "ANN-MARK-05",
     "The End of one list closes the scope of another that is recorded at the same time.",
     .needs = SPY, .rows = kit_list_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RETAIL);
    OWNED_LIST one = row_list(device), two = row_list(device);
    const uint64_t first = begin(&one), second = begin(&two), inner = begin(&one);
    EXPECT_EQ(end(&two), second);
    EXPECT_EQ(end(&one), inner);
    EXPECT_EQ(end(&two), 0);
    EXPECT_EQ(end(&one), first);
}

CASE(a_surplus_end_is_heard_with_zero, "ANN-MARK-06",
     "A surplus End is swallowed, closes a scope that is closed already, or unbalances all that "
     "follows (a decision of this project).",
     .needs = SPY, .drivers = ANNOTATING_DRIVERS, .rows = kit_list_rows)
{
    OPEN_SPIED_LIST((D3D12_COMMAND_LIST_TYPE)case_row());
    for (size_t i = 0; i < 40; i++) {
        EXPECT_EQ(end(&list), 0);
        EXPECT_EQ(spy_count(), i + 1);
    }
    for (int i = 0; i < 3; i++) {
        const uint64_t scope = begin(&list);
        EXPECT_EQ(end(&list), scope);
        EXPECT_EQ(end(&list), 0);
    }
    kit_list_close(&list);
    EXPECT_EQ(spy_count(), 40 + 9);
}

CASE(a_surplus_end_is_told, "ANN-MARK-06", "Unbalanced markers go unnoticed until a dump is read.",
     .needs = MESSAGES, .rows = kit_list_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_device(RETAIL);
    OWNED_LIST list = row_list(device);
    kit_forget_messages(device);
    kit_begin(&list, 1, "x", 1);
    kit_end(&list);
    EXPECT_EQ(kit_messages(device), 0);
    for (UINT64 i = 1; i <= 3; i++) {
        kit_end(&list);
        EXPECT_EQ(kit_count(device, UNDERFLOW), i);
        EXPECT_EQ(kit_messages(device), i);
    }
    kit_list_close(&list);
    EXPECT_EQ(kit_messages(device), 3);
}

CASE(a_queue_tells_what_closes_nothing, "ANN-MARK-06",
     "A scope that one list opens and a later one closes is called wrong, or an End that no list "
     "opened anything for is never told.",
     .needs = MESSAGES, .rows = kit_queue_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_device(RETAIL);
    OWNED ID3D12CommandQueue *queue = kit_queue(device, kit_queue_types[case_row()]);
    OWNED_LIST opens = kit_list(device, kit_queue_types[case_row()]);
    OWNED_LIST closes = kit_list(device, kit_queue_types[case_row()]);
    kit_name(queue, "geometry");
    kit_begin(&opens, 1, "x", 1);
    kit_end(&closes);
    kit_execute(queue, &opens);
    kit_list_close(&closes);
    kit_forget_messages(device);
    ID3D12CommandQueue_ExecuteCommandLists(queue, 1, &closes.list);
    EXPECT_EQ(kit_count(device, UNDERFLOW), 0);
    kit_wait(device, queue);
    /* Once more, with the scope closed already. */
    ID3D12CommandQueue_ExecuteCommandLists(queue, 1, &closes.list);
    EXPECT_EQ(kit_count(device, UNDERFLOW), 1);
    EXPECT_EQ(kit_messages_with(device, "geometry"), 1);
    kit_wait(device, queue);
}

/* ---- scopes left open ---- */

CASE(open_scopes_at_close_are_legal, "ANN-MARK-07",
     "A scope that spans two lists, which PIX allows, fails the first one's Close.", .needs = SPY,
     .drivers = ANNOTATING_DRIVERS, .rows = kit_list_rows)
{
    OPEN_SPIED_LIST((D3D12_COMMAND_LIST_TYPE)case_row());
    begin(&list);
    begin(&list);
    EXPECT_OK(kit_list_try_close(&list));
    EXPECT_EQ(spy_count(), 2); /* nor is an End made up */
    EXPECT_OK(ID3D12Device_GetDeviceRemovedReason(device));
}

static bool says_id(ID3D12Device *device, uint64_t id)
{
    char text[32];
    snprintf(text, sizeof text, "%llx", (unsigned long long)id);
    if (kit_messages_with(device, text) != 0)
        return true;
    snprintf(text, sizeof text, "%llu", (unsigned long long)id);
    return kit_messages_with(device, text) != 0;
}

/* The runtime may name the innermost or the outermost of the open scopes. */
CASE(open_scopes_at_close_are_told_once, "ANN-MARK-07",
     "The message about a leak doesn't say how deep it is, or where it begins.",
     .needs = SPY | MESSAGES, .rows = kit_list_rows)
{
    static const UINT depths[] = {1, 37, 977, 4321};
    OPEN_SPIED_LIST((D3D12_COMMAND_LIST_TYPE)case_row());
    for (size_t i = 0; i < sizeof depths / sizeof depths[0]; i++) {
        char depth[16];
        uint64_t outermost = 0, innermost = 0;
        kit_forget_messages(device);
        for (UINT d = 0; d < depths[i]; d++) {
            innermost = begin(&list);
            outermost = d ? outermost : innermost;
        }
        kit_list_close(&list);
        snprintf(depth, sizeof depth, "%u", depths[i]);
        EXPECT_EQ(kit_count(device, LEAK), 1);
        EXPECT_EQ(kit_messages(device), 1);
        EXPECT_EQ(kit_messages_with(device, depth), 1);
        EXPECT(says_id(device, innermost) || says_id(device, outermost));
        kit_list_reset(&list);
    }
    kit_forget_messages(device);
    kit_list_close(&list);
    EXPECT_EQ(kit_messages(device), 0);
}

CASE(balanced_scopes_say_nothing, "ANN-MARK-07 ANN-MARK-06",
     "Every frame of a right application fills the debug output.", .needs = MESSAGES,
     .rows = kit_list_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_device(RETAIL);
    OWNED_LIST list = row_list(device);
    kit_forget_messages(device);
    for (int frame = 0; frame < 20; frame++) {
        for (int i = 0; i < 10 * frame; i++)
            kit_begin(&list, 1, "x", 1);
        for (int i = 0; i < 10 * frame; i++)
            kit_end(&list);
        kit_list_close(&list);
        kit_list_reset(&list);
    }
    EXPECT_EQ(kit_messages(device), 0);
}

CASE(open_scopes_end_with_their_recording, "ANN-MARK-07",
     "A list that is recorded anew is still inside last frame's scope, deeper with every frame.",
     .needs = SPY, .drivers = ANNOTATING_DRIVERS, .rows = kit_list_rows)
{
    OPEN_SPIED_LIST((D3D12_COMMAND_LIST_TYPE)case_row());
    for (int recording = 0; recording < 5; recording++) {
        const uint64_t outer = begin(&list);
        const uint64_t inner = begin(&list);
        EXPECT(outer != inner);
        begin(&list);
        kit_list_close(&list);
        if (recording % 2)
            EXPECT_OK(ID3D12CommandAllocator_Reset(list.allocator));
        kit_list_reset(&list);
        const uint64_t anew = begin(&list);
        EXPECT_EQ(end(&list), anew);
        EXPECT_EQ(end(&list), 0);
    }
}

CASE(a_new_recording_has_no_parent, "ANN-MARK-07",
     "The dump shows a frame's markers inside a scope of the frame before.", .needs = SPY | LOOKUP,
     .rows = kit_list_rows)
{
    annot_marker_info info = {0};
    OPEN_SPIED_LIST((D3D12_COMMAND_LIST_TYPE)case_row());
    const uint64_t leaked = begin(&list);
    kit_set(&list, 1, "inside", 7);
    REQUIRE_EQ(the_runtime.lookup(kit_annot(device), spy_last()->event_id, &info, NULL, 0),
               ANNOT_LOOKUP_LIVE);
    EXPECT_EQ(info.parent, leaked);
    kit_list_close(&list);
    kit_list_reset(&list);
    kit_set(&list, 1, "outside", 8);
    REQUIRE_EQ(the_runtime.lookup(kit_annot(device), spy_last()->event_id, &info, NULL, 0),
               ANNOT_LOOKUP_LIVE);
    EXPECT_EQ(info.parent, 0);
}

/* ---- depth ---- */

enum { DEPTH = 100000, SMALL_STACK = 256 << 10 };

/* Runs the function on a stack without room for a recursion that is 100,000 deep. */
static void on_a_small_stack(void *(*function)(void *), void *argument)
{
    pthread_attr_t attributes;
    pthread_t thread;
    REQUIRE_EQ(pthread_attr_init(&attributes), 0);
    REQUIRE_EQ(pthread_attr_setstacksize(&attributes, SMALL_STACK), 0);
    REQUIRE_EQ(pthread_create(&thread, &attributes, function, argument), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
}

static void *record_deep(void *argument)
{
    static uint64_t ids[DEPTH];
    const struct kit_list *list = argument;
    size_t wrong = 0;
    for (int i = 0; i < DEPTH; i++)
        ids[i] = begin(list);
    for (int i = DEPTH; i-- > 0;)
        wrong += end(list) != ids[i];
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(end(list), 0);
    kit_list_close(list);
    return NULL;
}

CASE(nesting_may_be_100000_deep, "ANN-MARK-10 ANN-MARK-05",
     "Deep nesting overflows the stack, or a counter, and takes the application with it.",
     .needs = SPY, .rows = kit_list_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_device_on(spy_driver(NULL), RETAIL);
    OWNED_LIST list = row_list(device);
    on_a_small_stack(record_deep, &list);
    EXPECT_EQ(spy_count(), 2 * DEPTH + 1);
}

static void *leave_open(void *argument)
{
    ID3D12Device *device = argument;
    OWNED ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    struct kit_list list = kit_list(device, DIRECT);
    for (int i = 0; i < DEPTH; i++) {
        kit_begin(&list, 1, "deep", 5);
        ID3D12CommandQueue_BeginEvent(queue, 1, "deep", 5);
    }
    kit_run(device, queue, &list);
    kit_list_reset(&list);
    kit_list_close(&list);
    for (int i = 0; i < DEPTH; i++)
        ID3D12CommandQueue_EndEvent(queue);
    kit_list_done(&list);
    return NULL;
}

CASE(deep_scopes_may_stay_open, "ANN-MARK-10 ANN-MARK-07",
     "Executing, forgetting or releasing what is deeply nested overflows the stack.",
     .needs = TOOLS, .drivers = ANNOTATING_DRIVERS)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_device(RETAIL);
    on_a_small_stack(leave_open, device);
    EXPECT_OK(ID3D12Device_GetDeviceRemovedReason(device));
}
