/* A program that hangs its GPU and ends as soon as it learns that the device is gone
 * [ANN-LEAVE-01]:
 *
 *   leave poller    one thread waits for the fence, another asks for the reason; whoever learns of
 *                   it first calls _exit
 *   leave waiter    the one that waits does
 *   leave status    one that looks at the fence does
 *   leave exit      the same by exit, leave return by return from main, leave abort by abort
 *   leave lock      two threads hold a lock of the program's around each call
 * On Windows:
 *   leave process   one ends by ExitProcess, which kills the others first
 *   leave terminate one that has met it is ended from outside, and then the program ends
 */
#define INITGUID
#include "../../examples/setup.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef _WIN32
#include <windows.h>
#define pause() Sleep(INFINITE)
#endif

static ID3D12Device *device;
static ID3D12CommandQueue *queue;
static ID3D12Fence *fence;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool is(const char *what, const char *word)
{
    return strcmp(what, word) == 0;
}

static bool is_removed(void)
{
    return FAILED(ID3D12Device_GetDeviceRemovedReason(device));
}

static void *poll(void *unused)
{
    (void)unused;
    while (!is_removed())
        usleep(200);
    _exit(3);
}

static void *poll_locked(void *unused)
{
    bool is_over = false;
    (void)unused;
    while (!is_over) {
        pthread_mutex_lock(&lock);
        is_over = is_removed();
        pthread_mutex_unlock(&lock);
        usleep(200);
    }
    return NULL;
}

#ifdef _WIN32
static DWORD WINAPI meet(void *unused)
{
    (void)unused;
    while (ID3D12Fence_GetCompletedValue(fence) < 1)
        ;
    return 0;
}

/* At about the time at which the thread writes the dump; its thread was never to be ended so. */
static int terminate(void)
{
    const HANDLE thread = CreateThread(NULL, 0, meet, NULL, 0, NULL);
    Sleep(100 + GetTickCount() % 40);
    TerminateThread(thread, 5);
    while (!is_removed())
        Sleep(1);
    return 3;
}
#endif

static void hang(void)
{
    ID3D12RootSignature *signature = make_root_signature(device);
    ID3D12PipelineState *spin = make_pipeline(device, signature, EMU_KERNEL_SPIN, L"spin");
    ID3D12Resource *buffer = make_buffer(device, D3D12_HEAP_TYPE_DEFAULT, 65536, L"a buffer");
    ID3D12CommandAllocator *allocator = make_allocator(device, D3D12_COMMAND_LIST_TYPE_DIRECT);
    ID3D12GraphicsCommandList *list =
        make_list(device, allocator, D3D12_COMMAND_LIST_TYPE_DIRECT, L"Frame");
    PIXBeginEvent(list, 0, "Water");
    dispatch(list, signature, spin, buffer, 0, 0);
    PIXEndEvent(list);
    MUST(ID3D12GraphicsCommandList_Close(list));
    execute(queue, 1, &list);
    ID3D12CommandQueue_Signal(queue, fence, 1);
}

static int locked(void)
{
    pthread_t threads[2];
    hang();
    for (size_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, poll_locked, NULL);
    for (size_t i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 3;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    pthread_t thread;
    emu_config config = EMU_CONFIG_INIT;
    config.tdr_timeout_ns = 100000000;
    config.driver = "legacy";
    emu_configure(&config);
    device = make_device();
    queue = make_queue(device, D3D12_COMMAND_LIST_TYPE_DIRECT, L"Graphics");
    fence = make_fence(device);
    if (is(what, "lock"))
        return locked();
    hang();
#ifdef _WIN32
    if (is(what, "terminate"))
        return terminate();
#endif
    if (is(what, "poller") || is(what, "process"))
        pthread_create(&thread, NULL, poll, NULL);
    if (is(what, "status"))
        while (ID3D12Fence_GetCompletedValue(fence) < 1)
            usleep(200);
    else
        ID3D12Fence_SetEventOnCompletion(fence, 1, NULL);
    if (is(what, "exit"))
        exit(3);
    if (is(what, "abort"))
        abort();
#ifdef _WIN32
    if (is(what, "process"))
        ExitProcess(3);
#endif
    if (is(what, "poller"))
        pause();
    if (!is(what, "return"))
        _exit(3);
    return 3;
}
