/* Fences: values, events, blocking, and the seeded order that waiting drives. */
#include "kit.h"

#include <dirent.h>
#include <poll.h>
#include <pthread.h>
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
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12Fence *fence = kit_fence(device, 10);
    cr_assert_eq(ID3D12Fence_GetCompletedValue(fence), 10);
    MUST(ID3D12Fence_Signal(fence, 20));
    cr_assert_eq(ID3D12Fence_GetCompletedValue(fence), 20);
    MUST(ID3D12Fence_Signal(fence, 5));
    cr_assert_eq(ID3D12Fence_GetCompletedValue(fence), 5);
}

Test(fence, events_fire_when_their_value_is_reached)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12Fence *fence = kit_fence(device, 0);
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
}

Test(fence, an_event_closed_early_harms_nobody_and_a_fence_released_early_lets_go)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    ID3D12Fence *fence = kit_fence(device, 0);
    int event = eventfd(0, EFD_CLOEXEC);
    MUST(ID3D12Fence_SetEventOnCompletion(fence, 1, handle_of(event)));
    close(event);
    MUST(ID3D12Fence_Signal(fence, 1));
    event = eventfd(0, EFD_CLOEXEC);
    MUST(ID3D12Fence_SetEventOnCompletion(fence, 9, handle_of(event)));
    ID3D12Fence_AddRef(fence);
    ID3D12Fence_Release(fence);
    cr_assert(!is_signalled(event));
    ID3D12Fence_Release(fence);
    cr_assert(is_signalled(event), "nobody else will do it");
    close(event);
}

/* Work in flight keeps the object alive: its last release counts, not its end. */
Test(fence, released_under_queues_that_wait_for_it_lets_them_go)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    ID3D12CommandQueue *direct = kit_queue(device, DIRECT), *compute = kit_queue(device, COMPUTE);
    ID3D12Fence *first = kit_fence(device, 0), *second = kit_fence(device, 0),
                *drain = kit_fence(device, 0);
    MUST(ID3D12CommandQueue_Signal(direct, first, 1));
    MUST(ID3D12CommandQueue_Wait(compute, first, UINT64_MAX));
    MUST(ID3D12CommandQueue_Signal(compute, second, 1));
    MUST(ID3D12CommandQueue_Wait(compute, second, 1));
    cr_assert_eq(ID3D12Fence_Release(first), 0);
    cr_assert_eq(ID3D12Fence_Release(second), 0);
    MUST(ID3D12CommandQueue_Signal(compute, drain, 1));
    MUST(ID3D12Fence_SetEventOnCompletion(drain, 1, NULL));
    cr_assert_eq(ID3D12Fence_GetCompletedValue(drain), 1);
    RELEASE(direct, compute, drain);
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
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    ID3D12Fence *fence = kit_fence(device, 0);
    int event = eventfd(0, EFD_CLOEXEC);
    const int before = open_files();
    MUST(ID3D12Fence_SetEventOnCompletion(fence, 1, handle_of(event)));
    MUST(ID3D12Fence_SetEventOnCompletion(fence, 2, handle_of(event)));
    cr_assert_eq(open_files(), before + 2);
    MUST(ID3D12Fence_Signal(fence, 1));
    cr_assert_eq(open_files(), before + 1);
    ID3D12Fence_Release(fence);
    cr_assert_eq(open_files(), before);
    close(event);
}

Test(fence, what_is_no_handle_is_refused)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12Fence *fence = kit_fence(device, 0);
    EXPECT_HR(ID3D12Fence_SetEventOnCompletion(fence, 0, handle_of(9999)), E_INVALIDARG);
    EXPECT_MESSAGES(device, 1, EMU_MESSAGE_INVALID_ARGUMENT);
}

Test(fence, waiting_drives_the_seeded_gpu_and_reading_does_not)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    OWNED ID3D12Fence *fence = kit_fence(device, 0);
    MUST(ID3D12CommandQueue_Signal(queue, fence, 1));
    cr_assert_eq(ID3D12Fence_GetCompletedValue(fence), 0);
    MUST(ID3D12Fence_SetEventOnCompletion(fence, 1, NULL));
    cr_assert_eq(ID3D12Fence_GetCompletedValue(fence), 1);

    int event = eventfd(0, EFD_CLOEXEC);
    MUST(ID3D12CommandQueue_Signal(queue, fence, 2));
    MUST(ID3D12Fence_SetEventOnCompletion(fence, 2, handle_of(event)));
    cr_assert(is_signalled(event));
    close(event);
}

Test(fence, a_wait_that_can_never_end_is_an_error_under_the_seeded_order)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12Fence *fence = kit_fence(device, 0);
    EXPECT_HR(ID3D12Fence_SetEventOnCompletion(fence, 1, NULL), E_FAIL);
    cr_assert_eq(kit_count(device, EMU_MESSAGE_ENDLESS_WAIT), 1);
}

Test(fence, queues_wait_for_each_other)
{
    for (uint64_t seed = 0; seed < 30; seed++) {
        emu_config config = kit_config();
        config.seed = seed;
        AT_END(kit_closed) ID3D12Device *device = kit_device_with(&config);
        OWNED ID3D12CommandQueue *first = kit_queue(device, DIRECT),
                                 *second = kit_queue(device, COPY);
        OWNED ID3D12Fence *go = kit_fence(device, 0), *done = kit_fence(device, 0);
        MUST(ID3D12CommandQueue_Wait(second, go, 1));
        MUST(ID3D12CommandQueue_Signal(second, done, 1));
        emu_run_until_idle(device);
        cr_assert_eq(ID3D12Fence_GetCompletedValue(done), 0);
        MUST(ID3D12CommandQueue_Signal(first, go, 1));
        MUST(ID3D12Fence_SetEventOnCompletion(done, 1, NULL));
    }
}

Test(fence, queue_operations_check_their_fence)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device(), *stranger = kit_device();
    OWNED ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    OWNED ID3D12Fence *fence = kit_fence(stranger, 0);
    EXPECT_HR(ID3D12CommandQueue_Signal(queue, NULL, 1), E_INVALIDARG);
    EXPECT_HR(ID3D12CommandQueue_Wait(queue, fence, 1), E_INVALIDARG);
}

Test(fence, worker_threads_signal_events)
{
    emu_config config = EMU_CONFIG_INIT;
    AT_END(kit_closed) ID3D12Device *device = kit_device_with(&config);
    OWNED ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    OWNED ID3D12Fence *fence = kit_fence(device, 0);
    int event = eventfd(0, EFD_CLOEXEC);
    MUST(ID3D12CommandQueue_Signal(queue, fence, 1));
    MUST(ID3D12Fence_SetEventOnCompletion(fence, 1, handle_of(event)));
    struct pollfd poller = {.fd = event, .events = POLLIN};
    cr_assert_eq(poll(&poller, 1, 60000), 1);
    cr_assert_eq(ID3D12Fence_GetCompletedValue(fence), 1);
    close(event);
}

Test(fence, tells_its_flags_and_is_made_with_known_ones_only)
{
    static const UINT flags[] = {0, D3D12_FENCE_FLAG_SHARED,
                                 D3D12_FENCE_FLAG_SHARED | D3D12_FENCE_FLAG_SHARED_CROSS_ADAPTER,
                                 D3D12_FENCE_FLAG_NON_MONITORED};
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        OWNED ID3D12Fence1 *fence =
            MADE(ID3D12Fence1, device, CreateFence, 7, (D3D12_FENCE_FLAGS)flags[i]);
        cr_assert_eq((UINT)ID3D12Fence1_GetCreationFlags(fence), flags[i]);
        cr_assert_eq(ID3D12Fence1_GetCompletedValue(fence), 7);
    }
    REFUSES(E_INVALIDARG, ID3D12Fence, device, CreateFence, 0, (D3D12_FENCE_FLAGS)8);
    cr_assert_eq(kit_messages(device), 1);
    EXPECT_HR(ID3D12Device_CreateFence(device, 0, D3D12_FENCE_FLAG_NONE, &IID_ID3D12Fence, NULL),
              S_FALSE);
    REFUSES(E_NOINTERFACE, ID3D12Heap, device, CreateFence, 0, D3D12_FENCE_FLAG_NONE);
}

/* Work in front of a wait is not held up, work behind it is, until the fence is there. */
Test(fence, a_queue_waits_for_the_cpu)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12CommandQueue *queue = kit_queue(device, COPY);
    OWNED ID3D12Fence *go = kit_fence(device, 0), *done = kit_fence(device, 0);
    MUST(ID3D12CommandQueue_Signal(queue, done, 1));
    MUST(ID3D12CommandQueue_Wait(queue, go, 5));
    MUST(ID3D12CommandQueue_Signal(queue, done, 2));
    emu_run_until_idle(device);
    cr_assert_eq(ID3D12Fence_GetCompletedValue(done), 1);
    MUST(ID3D12Fence_Signal(go, 4));
    emu_run_until_idle(device);
    cr_assert_eq(ID3D12Fence_GetCompletedValue(done), 1);
    MUST(ID3D12Fence_Signal(go, 6));
    emu_run_until_idle(device);
    cr_assert_eq(ID3D12Fence_GetCompletedValue(done), 2);
}

/* ---- several at once ---- */

struct several {
    ID3D12Device *device;
    ID3D12Device1 *device1;
    ID3D12Fence *fences[3];
};

static struct several several_on(const emu_config *config)
{
    struct several s = {.device = kit_device_with(config)};
    s.device1 = AS(ID3D12Device1, s.device);
    for (int i = 0; i < 3; i++)
        s.fences[i] = kit_fence(s.device, 0);
    return s;
}

static struct several several(void)
{
    emu_config config = kit_config();
    return several_on(&config);
}

static void several_end(struct several *s)
{
    for (int i = 0; i < 3; i++)
        if (s->fences[i])
            ID3D12Fence_Release(s->fences[i]);
    ID3D12Device1_Release(s->device1);
    kit_close(s->device);
}

#define ANY D3D12_MULTIPLE_FENCE_WAIT_FLAG_ANY
#define ALL D3D12_MULTIPLE_FENCE_WAIT_FLAG_ALL

static const UINT64 thresholds[3] = {1, 2, 3};

static HRESULT when(struct several *s, D3D12_MULTIPLE_FENCE_WAIT_FLAGS flags, HANDLE event)
{
    return ID3D12Device1_SetEventOnMultipleFenceCompletion(s->device1, s->fences, thresholds, 3,
                                                           flags, event);
}

Test(fences, an_event_waits_for_all_of_them)
{
    AT_END(several_end) struct several s = several();
    int event = eventfd(0, EFD_CLOEXEC);
    const int before = open_files();
    MUST(when(&s, ALL, handle_of(event)));
    MUST(ID3D12Fence_Signal(s.fences[2], 3));
    MUST(ID3D12Fence_Signal(s.fences[0], 1));
    MUST(ID3D12Fence_Signal(s.fences[1], 1));
    cr_assert(!is_signalled(event));
    cr_assert_eq(open_files(), before + 1);
    MUST(ID3D12Fence_Signal(s.fences[0], 0)); /* it was there once */
    MUST(ID3D12Fence_Signal(s.fences[1], 2));
    cr_assert(is_signalled(event));
    cr_assert_eq(open_files(), before);
    close(event);
}

Test(fences, an_event_waits_for_any_of_them_and_is_signalled_once)
{
    AT_END(several_end) struct several s = several();
    int event = eventfd(0, EFD_CLOEXEC | EFD_SEMAPHORE);
    uint64_t one = 0;
    const int before = open_files();
    MUST(when(&s, ANY, handle_of(event)));
    MUST(ID3D12Fence_Signal(s.fences[1], 1));
    cr_assert(!is_signalled(event));
    cr_assert_eq(open_files(), before + 1);
    MUST(ID3D12Fence_Signal(s.fences[1], 2));
    cr_assert(is_signalled(event));
    cr_assert_eq(open_files(), before);
    int bait = eventfd(0, EFD_CLOEXEC); /* in the place of what was closed */
    MUST(ID3D12Fence_Signal(s.fences[0], 1));
    MUST(ID3D12Fence_Signal(s.fences[2], 3));
    cr_assert_eq(read(event, &one, sizeof one), (ssize_t)sizeof one);
    cr_assert(!is_signalled(event));
    cr_assert(!is_signalled(bait));
    cr_assert_eq(close(bait), 0);
    close(event);
}

Test(fences, that_are_there_already_signal_at_once)
{
    AT_END(several_end) struct several s = several();
    int event = eventfd(0, EFD_CLOEXEC);
    MUST(ID3D12Fence_Signal(s.fences[2], 7));
    MUST(when(&s, ANY, handle_of(event)));
    cr_assert(is_signalled(event));
    MUST(when(&s, ANY, NULL));
    MUST(ID3D12Fence_Signal(s.fences[0], 7));
    MUST(ID3D12Fence_Signal(s.fences[1], 7));
    MUST(when(&s, ALL, NULL));
    close(event);
}

Test(fences, that_are_released_early_are_waited_for_no_longer)
{
    AT_END(several_end) struct several s = several();
    int event = eventfd(0, EFD_CLOEXEC);
    const int before = open_files();
    MUST(when(&s, ALL, handle_of(event)));
    ID3D12Fence_Release(s.fences[1]);
    s.fences[1] = NULL;
    MUST(ID3D12Fence_Signal(s.fences[0], 1));
    MUST(ID3D12Fence_Signal(s.fences[0], 0));
    cr_assert(!is_signalled(event));
    MUST(ID3D12Fence_Signal(s.fences[2], 3));
    cr_assert(is_signalled(event));
    cr_assert_eq(open_files(), before);
    close(event);
}

Test(fences, without_event_are_waited_for_by_the_seeded_order)
{
    AT_END(several_end) struct several s = several();
    OWNED ID3D12CommandQueue *queue = kit_queue(s.device, DIRECT);
    EXPECT_HR(when(&s, ANY, NULL), E_FAIL);
    EXPECT_HR(when(&s, ALL, NULL), E_FAIL);
    cr_assert_eq(kit_count(s.device, EMU_MESSAGE_ENDLESS_WAIT), 2);
    MUST(ID3D12CommandQueue_Signal(queue, s.fences[1], 2));
    MUST(when(&s, ANY, NULL));
    cr_assert_eq(ID3D12Fence_GetCompletedValue(s.fences[1]), 2);
    EXPECT_HR(when(&s, ALL, NULL), E_FAIL);
    MUST(ID3D12CommandQueue_Signal(queue, s.fences[0], 1));
    MUST(ID3D12CommandQueue_Signal(queue, s.fences[2], 3));
    int event = eventfd(0, EFD_CLOEXEC);
    MUST(when(&s, ALL, handle_of(event)));
    cr_assert(is_signalled(event));
    close(event);
}

static void *signal_second(void *fence)
{
    MUST(ID3D12Fence_Signal((ID3D12Fence *)fence, 2));
    return NULL;
}

Test(fences, without_event_block_until_a_thread_signals_one, .timeout = 60)
{
    emu_config config = EMU_CONFIG_INIT;
    AT_END(several_end) struct several s = several_on(&config);
    OWNED ID3D12CommandQueue *queue = kit_queue(s.device, DIRECT);
    pthread_t thread;
    cr_assert_eq(pthread_create(&thread, NULL, signal_second, s.fences[1]), 0);
    MUST(when(&s, ANY, NULL));
    cr_assert_eq(ID3D12Fence_GetCompletedValue(s.fences[1]), 2);
    pthread_join(thread, NULL);
    MUST(ID3D12CommandQueue_Signal(queue, s.fences[2], 3));
    MUST(ID3D12CommandQueue_Signal(queue, s.fences[0], 1));
    MUST(when(&s, ALL, NULL));
    cr_assert_eq(ID3D12Fence_GetCompletedValue(s.fences[0]), 1);
    cr_assert_eq(ID3D12Fence_GetCompletedValue(s.fences[2]), 3);
}

Test(fences, are_all_reached_when_the_device_is_removed)
{
    AT_END(several_end) struct several s = several();
    int any = eventfd(0, EFD_CLOEXEC), all = eventfd(0, EFD_CLOEXEC);
    MUST(when(&s, ANY, handle_of(any)));
    MUST(when(&s, ALL, handle_of(all)));
    kit_remove(s.device);
    cr_assert(is_signalled(any) && is_signalled(all));
    MUST(when(&s, ALL, NULL));
    close(any);
    close(all);
}

Test(fences, that_can_not_be_waited_for_are_refused)
{
    AT_END(several_end) struct several s = several();
    AT_END(kit_closed) ID3D12Device *stranger = kit_device();
    ID3D12Fence *foreign[2] = {s.fences[0], kit_fence(stranger, 9)};
    ID3D12Fence *none[2] = {s.fences[0], NULL};
    ID3D12Fence *other[2] = {s.fences[0], (ID3D12Fence *)(void *)s.device};
    const struct {
        ID3D12Fence **fences;
        const UINT64 *values;
        UINT count;
        int flags;
        HANDLE event;
    } cases[] = {{NULL, thresholds, 2, ALL, NULL},
                 {s.fences, NULL, 2, ALL, NULL},
                 {s.fences, thresholds, 0, ANY, NULL},
                 {s.fences, thresholds, 2, 2, NULL},
                 {s.fences, thresholds, 2, 3, NULL},
                 {foreign, thresholds, 2, ANY, NULL},
                 {none, thresholds, 2, ANY, NULL},
                 {other, thresholds, 2, ANY, NULL},
                 {s.fences, thresholds, 2, ANY, handle_of(9999)}};
    MUST(ID3D12Fence_Signal(s.fences[0], 9));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cr_assert_eq(ID3D12Device1_SetEventOnMultipleFenceCompletion(
                         s.device1, cases[i].fences, cases[i].values, cases[i].count,
                         (D3D12_MULTIPLE_FENCE_WAIT_FLAGS)cases[i].flags, cases[i].event),
                     E_INVALIDARG, "case %zu", i);
        cr_assert_eq(kit_count(s.device, EMU_MESSAGE_INVALID_ARGUMENT), i + 1, "case %zu", i);
    }
    ID3D12Fence_Release(foreign[1]);
}
