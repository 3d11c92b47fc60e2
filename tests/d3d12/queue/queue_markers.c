/* Markers on command queues: which calls a message callback may make, and when their memory is free
 * again. */
#include "kit.h"

struct listener {
    ID3D12CommandQueue *queue;
    unsigned calls;
};

static void mark_from_callback(D3D12_MESSAGE_CATEGORY category, D3D12_MESSAGE_SEVERITY severity,
                               D3D12_MESSAGE_ID id, LPCSTR text, void *context)
{
    (void)category, (void)severity, (void)id, (void)text;
    struct listener *listener = context;
    if (listener->calls++ == 0)
        ID3D12CommandQueue_SetMarker(listener->queue, 1, "from the callback", 17);
}

/* annot.h: no lock is held around the message callback. */
Test(queue_markers, a_message_callback_may_mark_the_queue_that_caused_it, .timeout = 10)
{
    AT_END(kit_closed) ID3D12Device *device = kit_heard_device(MODE_RETAIL);
    struct listener listener = {.queue = kit_queue(device, DIRECT)};
    DWORD cookie = 0;
    ID3D12InfoQueue1 *info = AS(ID3D12InfoQueue1, device);
    MUST(ID3D12InfoQueue1_RegisterMessageCallback(
        info, mark_from_callback, D3D12_MESSAGE_CALLBACK_FLAG_NONE, &listener, &cookie));
    ID3D12CommandQueue_EndEvent(listener.queue); /* closes nothing, and a message says so */
    cr_expect_eq(listener.calls, 1);
    cr_expect_eq(heard_count, 2);
    cr_expect_eq(heard[1].what, HEARD_SET);
    MUST(ID3D12InfoQueue1_UnregisterMessageCallback(info, cookie));
    RELEASE(info, listener.queue);
}

/* ANN-LIFE-06: of queues the oldest completed markers go first, also when only a fence follows
 * them. */
Test(queue_markers, that_only_a_fence_follows_are_completed_by_it)
{
    static const char payload[8192];
    emu_config config = kit_config();
    config.memory_budget = 1 << 18;
    AT_END(kit_closed) ID3D12Device *device = kit_device_with(&config);
    kit_set_mode(device, MODE_RETAIL);
    OWNED ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    for (int i = 0; i < 100; i++) {
        ID3D12CommandQueue_SetMarker(queue, 0, payload, sizeof payload);
        kit_finish(device, queue);
    }
    annot_device_stats stats;
    annot_device_get_stats(emu_annot_device(device), &stats);
    cr_expect_eq(stats.dropped_markers, 0);
    cr_expect_gt(stats.evicted_markers, 0);
}
