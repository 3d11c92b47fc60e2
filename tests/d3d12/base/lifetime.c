/* How objects end: lifetime trackers, and devices that are removed by their application. */
#include "kit.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

/* ---- ID3D12Device5::RemoveDevice ---- */

static void remove_device(ID3D12Device *device)
{
    OWNED ID3D12Device5 *device5 = AS(ID3D12Device5, device);
    ID3D12Device5_RemoveDevice(device5);
}

struct told {
    int count;
    annot_device_error error;
};

static void on_removed(void *user, annot_device_error error, const char *path)
{
    struct told *told = user;
    (void)path;
    told->count++;
    told->error = error;
}

Test(remove_device, removes_a_device_that_does_nothing)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    remove_device(device);
    EXPECT_HR(ID3D12Device_GetDeviceRemovedReason(device), DXGI_ERROR_DEVICE_REMOVED);
    cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_DEVICE_REMOVAL_PROCESS_AT_FAULT), 1);
    remove_device(device);
    cr_assert_eq(kit_messages(device), 1, "once is enough");
}

/* "Calling RemoveDevice ... will cause all devices' monitored fences to be signaled"; what the GPU
 * was at is in a dump. */
static void remove_at_work(emu_order order)
{
    emu_config config = EMU_CONFIG_INIT;
    struct told told = {0};
    char path[64];
    snprintf(path, sizeof path, "remove-%d.annotdmp", (int)getpid());
    config.order = order;
    remove(path);
    config.dump_path = path;
    config.on_removed = on_removed;
    config.user = &told;
    AT_END(kit_closed) ID3D12Device *device = kit_device_with(&config);
    kit_set_mode(device, MODE_RETAIL);
    OPEN_QUEUE_AND_LIST(DIRECT);
    OWNED ID3D12RootSignature *signature = kit_root_signature(device);
    OWNED ID3D12PipelineState *spin = kit_pipeline(device, signature, EMU_KERNEL_SPIN);
    OWNED ID3D12Fence *fence = kit_fence(device, 3);
    ID3D12GraphicsCommandList_BeginEvent(list, 1, "never ends", 10);
    kit_dispatch(list, signature, spin, NULL, NULL, 0, 0);
    ID3D12GraphicsCommandList_EndEvent(list);
    kit_execute(queue, list);
    MUST(ID3D12CommandQueue_Signal(queue, fence, 4));
    if (order == EMU_ORDER_SEEDED)
        emu_run_steps(device, 20);

    remove_device(device);
    EXPECT_HR(ID3D12Device_GetDeviceRemovedReason(device), DXGI_ERROR_DEVICE_REMOVED);
    cr_assert_eq(ID3D12Fence_GetCompletedValue(fence), UINT64_MAX);
    cr_assert_eqs(told.count, 1, told.error, ANNOT_DEVICE_ERROR_UNKNOWN);
    EXPECT_HR(ID3D12CommandQueue_Signal(queue, fence, 5), DXGI_ERROR_DEVICE_REMOVED);
    REFUSES(DXGI_ERROR_DEVICE_REMOVED, ID3D12Fence, device, CreateFence, 0, D3D12_FENCE_FLAG_NONE);
    annot_reader *reader = NULL;
    cr_assert_eq(annot_reader_open_file(NULL, path, &reader), ANNOT_OK);
    annot_reader_close(reader);
    remove(path);
}

Test(remove_device, ends_work_that_is_under_way)
{
    remove_at_work(EMU_ORDER_SEEDED);
}

Test(remove_device, ends_work_that_is_under_way_on_threads)
{
    remove_at_work(EMU_ORDER_THREADS);
}

static void *remove_it(void *user)
{
    ID3D12Device *device = user;
    remove_device(device);
    EXPECT_HR(ID3D12Device_GetDeviceRemovedReason(device), DXGI_ERROR_DEVICE_REMOVED);
    return NULL;
}

Test(remove_device, by_many_threads_is_one_removal)
{
    emu_config config = EMU_CONFIG_INIT;
    struct told told = {0};
    config.on_removed = on_removed;
    config.user = &told;
    AT_END(kit_closed) ID3D12Device *device = kit_device_with(&config);
    OWNED ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, remove_it, device);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    cr_assert_eq(told.count, 1);
}

static ID3D12Device *removed_from_inside;

static void remove_again(void *user, annot_device_error error, const char *path)
{
    (void)error, (void)path;
    remove_device(removed_from_inside);
    ++*(int *)user;
}

Test(remove_device, may_be_called_while_it_is_removed)
{
    emu_config config = EMU_CONFIG_INIT;
    int count = 0;
    config.order = EMU_ORDER_SEEDED;
    config.on_removed = remove_again;
    config.user = &count;
    removed_from_inside = kit_device_with(&config);
    remove_device(removed_from_inside);
    cr_assert_eq(count, 1);
    kit_close(removed_from_inside);
}
