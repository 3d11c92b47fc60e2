/* ANN-MARK: markers on queues. */
#include "kit_scene.h"

#include <pthread.h>

CASES(queue_cases, "mark");

#define UNDERFLOW 1384 /* D3D12_MESSAGE_ID_PIX_EVENT_UNDERFLOW */

static ID3D12CommandQueue *row_queue(ID3D12Device *device)
{
    return kit_queue(device, kit_queue_types[case_row()]);
}

static uint64_t begin(ID3D12CommandQueue *queue)
{
    ID3D12CommandQueue_BeginEvent(queue, 1, "scope", 6);
    return spy_last()->event_id;
}

static uint64_t end(ID3D12CommandQueue *queue)
{
    ID3D12CommandQueue_EndEvent(queue);
    EXPECT_EQ(spy_last()->function, SPY_QUEUE_END);
    return spy_last()->event_id;
}

CASE(queue_calls_reach_the_driver_once, "ANN-MARK-02 ANN-MARK-05",
     "A queue's marker is lost, doubled or changed between the application and the driver's dump.",
     .needs = SPY, .drivers = ANNOTATING_DRIVERS, .rows = kit_queue_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RETAIL);
    OWNED ID3D12CommandQueue *queue = row_queue(device);
    ID3D12CommandQueue_BeginEvent(queue, 2, "frame", 6);
    EXPECT_EQ(spy_count(), 1);
    ID3D12CommandQueue_SetMarker(queue, 6345127, "\1\0\2", 3);
    EXPECT_EQ(spy_count(), 2);
    ID3D12CommandQueue_EndEvent(queue);
    EXPECT_EQ(spy_count(), 3);
    EXPECT_MARKER(0, SPY_QUEUE_BEGIN, 2, "frame", 6);
    EXPECT_MARKER(1, SPY_QUEUE_SET, 6345127, "\1\0\2", 3);
    EXPECT_EQ(spy_at(2)->function, SPY_QUEUE_END);
    EXPECT_EQ(spy_at(2)->event_id, spy_at(0)->event_id);
    EXPECT_EQ(spy_count_on(spy_at(0)->handle), 3);
}

CASE(each_queue_has_its_own_handle, "ANN-MARK-02 ANN-MARK-05",
     "Markers of two queues of a type go to one of them, and their scopes close each other.",
     .needs = SPY, .rows = kit_queue_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RETAIL);
    OWNED ID3D12CommandQueue *one = row_queue(device), *two = row_queue(device);
    const uint64_t first = begin(one);
    void *const handle = spy_last()->handle;
    const uint64_t second = begin(two);
    EXPECT(spy_last()->handle != handle);
    EXPECT_EQ(end(one), first);
    EXPECT(spy_last()->handle == handle);
    EXPECT_EQ(end(two), second);
    EXPECT(spy_last()->handle != handle);
}

CASE(queue_scopes_span_submissions, "ANN-MARK-02 ANN-MARK-05",
     "A frame's scope around its submissions is cut at each of them, or told as a leak.",
     .needs = SPY | MESSAGES, .rows = kit_queue_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RETAIL);
    OWNED ID3D12CommandQueue *queue = row_queue(device);
    OWNED_LIST list = kit_list(device, kit_queue_types[case_row()]);
    kit_forget_messages(device);
    const uint64_t outer = begin(queue);
    kit_execute(queue, &list);
    const uint64_t inner = begin(queue);
    kit_wait(device, queue);
    EXPECT_EQ(end(queue), inner);
    EXPECT_EQ(end(queue), outer);
    EXPECT_EQ(spy_count(), 4);
    EXPECT_EQ(kit_messages(device), 0);
}

CASE(runtime_only_queues_are_unheard, "ANN-MARK-03",
     "The driver pays for a queue's markers that nobody asked it to keep.", .needs = SPY,
     .drivers = ANNOTATING_DRIVERS, .rows = kit_queue_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RUNTIME);
    OWNED ID3D12CommandQueue *queue = row_queue(device);
    ID3D12CommandQueue_BeginEvent(queue, 2, "frame", 6);
    ID3D12CommandQueue_SetMarker(queue, 1, NULL, 8);
    for (int i = 0; i < 3; i++)
        ID3D12CommandQueue_EndEvent(queue);
    EXPECT_EQ(spy_count(), 0);
}

CASE(runtime_only_queues_keep_no_byte, "ANN-MARK-03",
     "Release builds full of markers grow by every marker's text.", .needs = LOOKUP,
     .rows = kit_queue_rows)
{
    static char payload[4096];
    annot_device_stats before, after;
    AT_END(kit_device_end) ID3D12Device *device = kit_device(RUNTIME);
    OWNED ID3D12CommandQueue *queue = row_queue(device);
    the_runtime.get_stats(kit_annot(device), &before);
    for (int i = 0; i < 5000; i++)
        ID3D12CommandQueue_BeginEvent(queue, 1, payload, sizeof payload);
    the_runtime.get_stats(kit_annot(device), &after);
    EXPECT_EQ(after.live_bytes, before.live_bytes);
    EXPECT_EQ(after.reserved_bytes, before.reserved_bytes);
}

CASE(surplus_ends_of_queues_are_heard_with_zero, "ANN-MARK-06",
     "A queue's surplus End is swallowed or unbalances what follows (a decision of this project).",
     .needs = SPY, .drivers = ANNOTATING_DRIVERS, .rows = kit_queue_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RETAIL);
    OWNED ID3D12CommandQueue *queue = row_queue(device);
    for (size_t i = 0; i < 3; i++) {
        EXPECT_EQ(end(queue), 0);
        EXPECT_EQ(end(queue), 0);
        EXPECT_EQ(spy_count(), 4 * i + 2);
        const uint64_t scope = begin(queue);
        EXPECT_EQ(end(queue), scope);
    }
    EXPECT_EQ(spy_count(), 12);
}

CASE(surplus_ends_of_queues_are_told, "ANN-MARK-06",
     "Unbalanced queue markers go unnoticed until a dump is read.", .needs = MESSAGES,
     .rows = kit_queue_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_device(RETAIL);
    OWNED ID3D12CommandQueue *queue = row_queue(device);
    kit_name(queue, "geometry");
    kit_forget_messages(device);
    ID3D12CommandQueue_BeginEvent(queue, 1, "x", 1);
    ID3D12CommandQueue_EndEvent(queue);
    EXPECT_EQ(kit_messages(device), 0);
    for (UINT64 i = 1; i <= 3; i++) {
        ID3D12CommandQueue_EndEvent(queue);
        EXPECT_EQ(kit_count(device, UNDERFLOW), i);
        EXPECT_EQ(kit_messages_with(device, "geometry"), i);
        EXPECT_EQ(kit_messages(device), i);
    }
}

CASE(queues_without_data, "ANN-MARK-08",
     "A queue marker without a payload is lost, or one with a size and no data crashes.",
     .needs = SPY | MESSAGES, .rows = kit_queue_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RETAIL);
    OWNED ID3D12CommandQueue *queue = row_queue(device);
    kit_forget_messages(device);
    ID3D12CommandQueue_BeginEvent(queue, 7, NULL, 0);
    ID3D12CommandQueue_SetMarker(queue, 8, "unread", 0);
    EXPECT_EQ(kit_messages(device), 0);
    ID3D12CommandQueue_BeginEvent(queue, 9, NULL, 1);
    ID3D12CommandQueue_SetMarker(queue, 10, NULL, 0xFFFFFFFF);
    EXPECT_EQ(kit_messages(device), 2);
    EXPECT_MARKER(0, SPY_QUEUE_BEGIN, 7, NULL, 0);
    EXPECT_MARKER(1, SPY_QUEUE_SET, 8, NULL, 0);
    EXPECT_MARKER(2, SPY_QUEUE_BEGIN, 9, NULL, 0);
    EXPECT_MARKER(3, SPY_QUEUE_SET, 10, NULL, 0);
    EXPECT_EQ(end(queue), spy_at(2)->event_id);
    EXPECT_EQ(end(queue), spy_at(0)->event_id);
}

CASE(queue_payloads_arrive_whole, "ANN-MARK-02 ANN-MARK-14",
     "A queue marker's metadata loses bits, or its payload its last bytes.", .needs = SPY,
     .rows = kit_queue_rows)
{
    static const UINT metadata[] = {0, 1, 2, 3, 6345127, 0x10001, 0x80000000, 0xFFFFFFFF};
    unsigned char payload[300];
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RETAIL);
    OWNED ID3D12CommandQueue *queue = row_queue(device);
    for (UINT size = 0; size <= sizeof payload; size++) {
        const UINT value = metadata[size % (sizeof metadata / sizeof metadata[0])];
        for (UINT i = 0; i < size; i++)
            payload[i] = (unsigned char)(size + i);
        ID3D12CommandQueue_BeginEvent(queue, value, payload, size);
        ID3D12CommandQueue_SetMarker(queue, value, payload, size);
        EXPECT_MARKER(2 * size, SPY_QUEUE_BEGIN, value, payload, size);
        EXPECT_MARKER(2 * size + 1, SPY_QUEUE_SET, value, payload, size);
    }
}

CASE(queue_nesting_may_be_100000_deep, "ANN-MARK-10 ANN-MARK-05",
     "Deep nesting on a queue overflows a counter, or loses the outer scopes.", .needs = SPY)
{
    enum { DEPTH = 100000 };
    static uint64_t ids[DEPTH];
    size_t wrong = 0;
    AT_END(kit_device_end) ID3D12Device *device = kit_device_on(spy_driver(NULL), RETAIL);
    OWNED ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    for (int i = 0; i < DEPTH; i++)
        ids[i] = begin(queue);
    for (int i = DEPTH; i-- > 0;)
        wrong += end(queue) != ids[i];
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(end(queue), 0);
}

/* ---- threads ---- */

enum { THREADS = 8, PER_THREAD = 2500, THREAD_MARKERS = THREADS * PER_THREAD };

struct thread_work {
    ID3D12CommandQueue *queue;
    UINT number;
};

/* Metadata and payload say which marker it is. */
static void *mark(void *argument)
{
    const struct thread_work *work = argument;
    for (UINT i = 0; i < PER_THREAD; i++) {
        const UINT which[2] = {work->number * PER_THREAD + i, ~i};
        if (i % 5 == 4)
            ID3D12CommandQueue_BeginEvent(work->queue, which[0], which, sizeof which);
        else
            ID3D12CommandQueue_SetMarker(work->queue, which[0], which, sizeof which);
        if (i % 5 == 4)
            ID3D12CommandQueue_EndEvent(work->queue);
    }
    return NULL;
}

static void expect_each_once(void)
{
    static unsigned char heard[THREAD_MARKERS];
    size_t count = 0, wrong = 0;
    for (size_t i = 0, end = spy_count(); i < end; i++) {
        const struct spy_call *call = spy_at(i);
        const UINT which[2] = {call->metadata, ~(call->metadata % PER_THREAD)};
        if (call->function == SPY_QUEUE_END)
            continue;
        REQUIRE(call->metadata < THREAD_MARKERS && count < THREAD_MARKERS);
        wrong += heard[call->metadata]++ != 0;
        wrong += call->size != sizeof which || memcmp(call->bytes, which, sizeof which) != 0;
        count++;
    }
    EXPECT_EQ(count, THREAD_MARKERS);
    EXPECT_EQ(wrong, 0);
    spy_expect_unique_ids(THREAD_MARKERS);
}

/* Every End closes the scope that was innermost when it came, whoever began it. */
static void expect_one_stack(void)
{
    static uint64_t open[THREADS + 1];
    size_t depth = 0, wrong = 0;
    for (size_t i = 0, end = spy_count(); i < end; i++) {
        const struct spy_call *call = spy_at(i);
        if (call->function == SPY_QUEUE_BEGIN) {
            REQUIRE(depth < THREADS);
            open[depth++] = call->event_id;
        } else if (call->function == SPY_QUEUE_END) {
            REQUIRE(depth > 0);
            wrong += open[--depth] != call->event_id;
        }
    }
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(depth, 0);
}

CASE(queues_take_markers_from_many_threads, "ANN-MARK-13 ANN-MARK-04 ANN-MARK-02",
     "Threads that mark one queue lose markers, mix their payloads, or share EventIDs.",
     .needs = SPY, .rows = kit_queue_rows)
{
    pthread_t threads[THREADS];
    struct thread_work work[THREADS];
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RETAIL);
    OWNED ID3D12CommandQueue *queue = row_queue(device);
    for (UINT i = 0; i < THREADS; i++) {
        work[i] = (struct thread_work){queue, i};
        REQUIRE_EQ(pthread_create(&threads[i], NULL, mark, &work[i]), 0);
    }
    for (UINT i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    EXPECT_EQ(spy_count(), THREAD_MARKERS + THREAD_MARKERS / 5);
    EXPECT_EQ(spy_count_on(spy_at(0)->handle), spy_count());
    expect_each_once();
    expect_one_stack();
}

CASE(many_threads_mark_many_queues, "ANN-MARK-13 ANN-MARK-04",
     "Queues that are marked at the same time share EventIDs.", .needs = SPY)
{
    pthread_t threads[THREADS];
    struct thread_work work[THREADS];
    ID3D12CommandQueue *queues[3];
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RETAIL);
    for (size_t i = 0; i < 3; i++)
        queues[i] = kit_queue(device, kit_queue_types[i]);
    for (UINT i = 0; i < THREADS; i++) {
        work[i] = (struct thread_work){queues[i % 3], i};
        REQUIRE_EQ(pthread_create(&threads[i], NULL, mark, &work[i]), 0);
    }
    for (UINT i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    expect_each_once();
    for (size_t i = 0; i < 3; i++)
        kit_release(queues[i]);
}
