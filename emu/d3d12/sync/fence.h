/* ID3D12Fence1 over the kernel's fence. */
#pragma once

#include "device/child.h"

#include "kmd/kmd.h"

struct d3d12_fence {
    ID3D12Fence1 iface;
    struct d3d12_child child;
    D3D12_FENCE_FLAGS flags;
    struct emu_kmd_fence *kmd;
    bool read_only; /* only the runtime may signal this fence; applications may wait for it */
};

HRESULT d3d12_fence_create(struct d3d12_device *device, UINT64 initial, D3D12_FENCE_FLAGS flags,
                           struct d3d12_fence **out);

/* Returns the emulator's object of `iface`, or NULL if `iface` is not the emulator's. */
struct d3d12_fence *d3d12_fence_from(ID3D12Fence *iface);

/* Whether the application may signal the fence; emits a message if not. */
bool d3d12_fence_writable(const struct d3d12_fence *fence);

/* Signals `event` when the fences reach their values; if it is NULL, the call waits itself. */
HRESULT d3d12_fence_wait(struct d3d12_device *device, const struct emu_kmd_goal *goal,
                         HANDLE event);
