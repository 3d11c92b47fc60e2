/* Fences: values, events, blocking, and the seeded order that waiting drives. */
#include "kit.h"

#include <dirent.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

static bool is_signalled(int event)
{
    struct pollfd poller = {.fd = event, .events = POLLIN};
    return poll(&poller, 1, 0) == 1;
}

static HANDLE handle_of(int event)
{
    return (HANDLE)(intptr_t)event;
}

Test(fence, values_come_from_the_cpu_also_backwards)
{
    ID3D12Device *device = kit_device();
    ID3D12Fence *fence = kit_fence(device, 10);
    cr_assert(ID3D12Fence_GetCompletedValue(fence) == 10);
    MUST(ID3D12Fence_Signal(fence, 20));
    cr_assert(ID3D12Fence_GetCompletedValue(fence) == 20);
    MUST(ID3D12Fence_Signal(fence, 5));
    cr_assert(ID3D12Fence_GetCompletedValue(fence) == 5);
    ID3D12Fence_Release(fence);
    kit_close(device);
}

Test(fence, events_fire_when_their_value_is_reached)
{
    ID3D12Device *device = kit_device();
    ID3D12Fence *fence = kit_fence(device, 0);
    int events[3];
    for (int i = 0; i < 3; i++) {
        events[i] = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        MUST(ID3D12Fence_SetEventOnCompletion(fence, (UINT64)i, handle_of(events[i])));
    }
    cr_assert(is_signalled(events[0]) && !is_signalled(events[1]) && !is_signalled(events[2]));
    MUST(ID3D12Fence_Signal(fence, 1));
    cr_assert(is_signalled(events[1]) && !is_signalled(events[2]));
    MUST(ID3D12Fence_Signal(fence, 7));
    cr_assert(is_signalled(events[2]));
    for (int i = 0; i < 3; i++)
        close(events[i]);
    ID3D12Fence_Release(fence);
    kit_close(device);
}

Test(fence, an_event_closed_or_a_fence_released_early_harms_nobody)
{
    ID3D12Device *device = kit_device();
    ID3D12Fence *fence = kit_fence(device, 0);
    int event = eventfd(0, EFD_CLOEXEC);
    MUST(ID3D12Fence_SetEventOnCompletion(fence, 1, handle_of(event)));
    close(event);
    MUST(ID3D12Fence_Signal(fence, 1));
    event = eventfd(0, EFD_CLOEXEC);
    MUST(ID3D12Fence_SetEventOnCompletion(fence, 9, handle_of(event)));
    ID3D12Fence_Release(fence);
    cr_assert(!is_signalled(event));
    close(event);
    kit_close(device);
}

static int open_files(void)
{
    int count = 0;
    DIR *directory = opendir("/proc/self/fd");
    while (readdir(directory))
        count++;
    closedir(directory);
    return count;
}

Test(fence, no_handle_is_kept_for_longer_than_it_is_waited_for)
{
    ID3D12Device *device = kit_device();
    ID3D12Fence *fence = kit_fence(device, 0);
    int event = eventfd(0, EFD_CLOEXEC);
    const int before = open_files();
    MUST(ID3D12Fence_SetEventOnCompletion(fence, 1, handle_of(event)));
    MUST(ID3D12Fence_SetEventOnCompletion(fence, 2, handle_of(event)));
    cr_assert(open_files() == before + 2);
    MUST(ID3D12Fence_Signal(fence, 1));
    cr_assert(open_files() == before + 1);
    ID3D12Fence_Release(fence);
    cr_assert(open_files() == before);
    close(event);
    kit_close(device);
}

Test(fence, what_is_no_handle_is_refused)
{
    ID3D12Device *device = kit_device();
    ID3D12Fence *fence = kit_fence(device, 0);
    EXPECT_HR(ID3D12Fence_SetEventOnCompletion(fence, 0, handle_of(9999)), E_INVALIDARG);
    ID3D12Fence_Release(fence);
    kit_close(device);
}

Test(fence, waiting_drives_the_seeded_gpu_and_reading_does_not)
{
    ID3D12Device *device = kit_device();
    ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    ID3D12Fence *fence = kit_fence(device, 0);
    MUST(ID3D12CommandQueue_Signal(queue, fence, 1));
    cr_assert(ID3D12Fence_GetCompletedValue(fence) == 0);
    MUST(ID3D12Fence_SetEventOnCompletion(fence, 1, NULL));
    cr_assert(ID3D12Fence_GetCompletedValue(fence) == 1);

    int event = eventfd(0, EFD_CLOEXEC);
    MUST(ID3D12CommandQueue_Signal(queue, fence, 2));
    MUST(ID3D12Fence_SetEventOnCompletion(fence, 2, handle_of(event)));
    cr_assert(is_signalled(event));
    close(event);
    ID3D12Fence_Release(fence);
    ID3D12CommandQueue_Release(queue);
    kit_close(device);
}

Test(fence, a_wait_that_can_never_end_is_an_error_under_the_seeded_order)
{
    ID3D12Device *device = kit_device();
    ID3D12Fence *fence = kit_fence(device, 0);
    EXPECT_HR(ID3D12Fence_SetEventOnCompletion(fence, 1, NULL), E_FAIL);
    cr_assert(kit_count(device, EMU_MESSAGE_ENDLESS_WAIT) == 1);
    ID3D12Fence_Release(fence);
    kit_close(device);
}

Test(fence, queues_wait_for_each_other)
{
    for (uint64_t seed = 0; seed < 30; seed++) {
        emu_config config = EMU_CONFIG_INIT;
        config.order = EMU_ORDER_SEEDED;
        config.seed = seed;
        ID3D12Device *device = kit_device_with(&config);
        ID3D12CommandQueue *first = kit_queue(device, DIRECT), *second = kit_queue(device, COPY);
        ID3D12Fence *go = kit_fence(device, 0), *done = kit_fence(device, 0);
        MUST(ID3D12CommandQueue_Wait(second, go, 1));
        MUST(ID3D12CommandQueue_Signal(second, done, 1));
        emu_run_until_idle(device);
        cr_assert(ID3D12Fence_GetCompletedValue(done) == 0);
        MUST(ID3D12CommandQueue_Signal(first, go, 1));
        MUST(ID3D12Fence_SetEventOnCompletion(done, 1, NULL));
        ID3D12Fence_Release(go);
        ID3D12Fence_Release(done);
        ID3D12CommandQueue_Release(first);
        ID3D12CommandQueue_Release(second);
        kit_close(device);
    }
}

Test(fence, queue_operations_check_their_fence)
{
    ID3D12Device *device = kit_device(), *stranger = kit_device();
    ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    ID3D12Fence *fence = kit_fence(stranger, 0);
    EXPECT_HR(ID3D12CommandQueue_Signal(queue, NULL, 1), E_INVALIDARG);
    EXPECT_HR(ID3D12CommandQueue_Wait(queue, fence, 1), E_INVALIDARG);
    ID3D12Fence_Release(fence);
    ID3D12CommandQueue_Release(queue);
    kit_close(device);
    kit_close(stranger);
}

Test(fence, worker_threads_signal_events)
{
    emu_config config = EMU_CONFIG_INIT;
    ID3D12Device *device = kit_device_with(&config);
    ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    ID3D12Fence *fence = kit_fence(device, 0);
    int event = eventfd(0, EFD_CLOEXEC);
    MUST(ID3D12CommandQueue_Signal(queue, fence, 1));
    MUST(ID3D12Fence_SetEventOnCompletion(fence, 1, handle_of(event)));
    struct pollfd poller = {.fd = event, .events = POLLIN};
    cr_assert(poll(&poller, 1, 60000) == 1);
    cr_assert(ID3D12Fence_GetCompletedValue(fence) == 1);
    close(event);
    ID3D12Fence_Release(fence);
    ID3D12CommandQueue_Release(queue);
    kit_close(device);
}

Test(fence, tells_its_flags_and_is_made_with_known_ones_only)
{
    static const UINT flags[] = {0, D3D12_FENCE_FLAG_SHARED,
                                 D3D12_FENCE_FLAG_SHARED | D3D12_FENCE_FLAG_SHARED_CROSS_ADAPTER,
                                 D3D12_FENCE_FLAG_NON_MONITORED};
    ID3D12Device *device = kit_device();
    void *out = &out;
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        ID3D12Fence1 *fence = NULL;
        MUST(ID3D12Device_CreateFence(device, 7, (D3D12_FENCE_FLAGS)flags[i], &IID_ID3D12Fence1,
                                      (void **)&fence));
        cr_assert((UINT)ID3D12Fence1_GetCreationFlags(fence) == flags[i]);
        cr_assert(ID3D12Fence1_GetCompletedValue(fence) == 7);
        ID3D12Fence1_Release(fence);
    }
    EXPECT_HR(ID3D12Device_CreateFence(device, 0, (D3D12_FENCE_FLAGS)8, &IID_ID3D12Fence, &out),
              E_INVALIDARG);
    cr_assert(out == NULL && kit_messages(device) == 1);
    EXPECT_HR(ID3D12Device_CreateFence(device, 0, D3D12_FENCE_FLAG_NONE, &IID_ID3D12Fence, NULL),
              S_FALSE);
    EXPECT_HR(ID3D12Device_CreateFence(device, 0, D3D12_FENCE_FLAG_NONE, &IID_ID3D12Heap, &out),
              E_NOINTERFACE);
    kit_close(device);
}

/* What is in front of a wait is not held up, what is behind it is, until the fence is there. */
Test(fence, a_queue_waits_for_the_cpu)
{
    ID3D12Device *device = kit_device();
    ID3D12CommandQueue *queue = kit_queue(device, COPY);
    ID3D12Fence *go = kit_fence(device, 0), *done = kit_fence(device, 0);
    MUST(ID3D12CommandQueue_Signal(queue, done, 1));
    MUST(ID3D12CommandQueue_Wait(queue, go, 5));
    MUST(ID3D12CommandQueue_Signal(queue, done, 2));
    emu_run_until_idle(device);
    cr_assert(ID3D12Fence_GetCompletedValue(done) == 1);
    MUST(ID3D12Fence_Signal(go, 4));
    emu_run_until_idle(device);
    cr_assert(ID3D12Fence_GetCompletedValue(done) == 1);
    MUST(ID3D12Fence_Signal(go, 6));
    emu_run_until_idle(device);
    cr_assert(ID3D12Fence_GetCompletedValue(done) == 2);
    ID3D12Fence_Release(go);
    ID3D12Fence_Release(done);
    ID3D12CommandQueue_Release(queue);
    kit_close(device);
}
