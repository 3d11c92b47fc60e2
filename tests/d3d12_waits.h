/* Waits with a known truth, for the emulator's own tests and the layer's. The file that includes it
 * has MUST. */
#pragma once

#include "waiting_programs.h"

#include <stdbool.h>
#include <stdlib.h>

enum { QUEUES = 6, FENCES = 6, DEVICES = 2 };

/* ---- the program ---- */

struct stage {
    ID3D12Device *devices[DEVICES];
    ID3D12CommandQueue *queues[QUEUES];
    ID3D12Fence *fences[FENCES];
    ID3D12CommandAllocator *allocators[DEVICES];
    ID3D12GraphicsCommandList *lists[DEVICES];
    HANDLE event;
};

static ID3D12Fence *fence_of(struct stage *s, char letter)
{
    const bool is_shared = letter < 'a';
    const char low = is_shared ? (char)(letter + 'a' - 'A') : letter;
    const unsigned index = low >= 'x' ? 4u + (unsigned)(low - 'x') : (unsigned)(low - 'a');
    const WCHAR name[] = {(WCHAR)letter, 0};
    if (!s->fences[index]) {
        MUST(ID3D12Device_CreateFence(s->devices[index / 4], 0,
                                      is_shared ? D3D12_FENCE_FLAG_SHARED : D3D12_FENCE_FLAG_NONE,
                                      &IID_ID3D12Fence, (void **)&s->fences[index]));
        ID3D12Fence_SetName(s->fences[index], name);
    }
    return s->fences[index];
}

static ID3D12CommandQueue *queue_of(struct stage *s, char digit)
{
    const WCHAR name[] = {'Q', (WCHAR)digit, 0};
    const unsigned index = (unsigned)(digit - '0');
    if (!s->queues[index]) {
        const D3D12_COMMAND_QUEUE_DESC desc = {.Type = D3D12_COMMAND_LIST_TYPE_DIRECT};
        MUST(ID3D12Device_CreateCommandQueue(s->devices[index / 4], &desc, &IID_ID3D12CommandQueue,
                                             (void **)&s->queues[index]));
        ID3D12CommandQueue_SetName(s->queues[index], name);
    }
    return s->queues[index];
}

static void make_call(struct stage *s, const char *call)
{
    ID3D12Fence *fence = call[1] == 'x' ? NULL : fence_of(s, call[2]);
    const UINT64 value = fence ? (UINT64)(atoi(call + 3)) : 0;
    if (call[0] == 'c' && call[1] == 's')
        ID3D12Fence_Signal(fence, value);
    else if (call[0] == 'c')
        ID3D12Fence_SetEventOnCompletion(fence, value, s->event);
    else if (call[1] == 'x')
        ID3D12CommandQueue_ExecuteCommandLists(
            queue_of(s, call[0]), 1, (ID3D12CommandList **)&s->lists[(call[0] - '0') / 4]);
    else if (call[1] == 'w')
        ID3D12CommandQueue_Wait(queue_of(s, call[0]), fence, value);
    else
        ID3D12CommandQueue_Signal(queue_of(s, call[0]), fence, value);
}
