/* ID3D12Fence1: a program's fence, which uses a fence of the kernel. */
#pragma once

#include "device/child.h"

#include "kmd/kmd.h"

struct d3d12_fence {
    ID3D12Fence1 iface;
    struct d3d12_child child;
    D3D12_FENCE_FLAGS flags;
    struct emu_kmd_fence *kmd;
    bool read_only; /* only the runtime may signal the fence; a program may only wait */
};

HRESULT d3d12_fence_create(struct d3d12_device *device, UINT64 initial, D3D12_FENCE_FLAGS flags,
                           struct d3d12_fence **out);

/* Returns the fence with this interface, or NULL if the emulator didn't make `iface`. */
struct d3d12_fence *d3d12_fence_from(ID3D12Fence *iface);

/* Whether the application may signal this fence. Otherwise emits a message. */
bool d3d12_fence_writable(const struct d3d12_fence *fence);

/* Signals `event` when the fences have reached their values. If `event` is NULL, the call waits. */
HRESULT d3d12_fence_wait(struct d3d12_device *device, const struct emu_kmd_goal *goal,
                         HANDLE event);
