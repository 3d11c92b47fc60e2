/* ID3D12CommandQueue1: priorities within the process and among programs. Priorities are kept, but
 * the emulated kernel ignores them. */
#include "queue/command_queue.h"

#include "device/device.h"

/* D3D12_COMMAND_QUEUE_GLOBAL_PRIORITY: IDLE, DEFAULT, NORMAL_0, then 14 soft priorities and a hard
 * one. The hard priority needs more rights than a queue of the emulator has, so no queue is created
 * with this priority. */
enum { GLOBAL_NORMAL = 2, SOFT_FIRST = 18, HARD = 32 };

static HRESULT set(struct d3d12_command_queue *queue, atomic_uint *priority, UINT value,
                   bool is_known)
{
    if (!is_known)
        return d3d12_child_invalid(&queue->child, EMU_MESSAGE_INVALID_ARGUMENT,
                                   "ID3D12CommandQueue1: the priority is out of range");
    if (((UINT)queue->desc.Flags & QUEUE_ALLOWS_PRIORITY) == 0)
        return DXGI_ERROR_UNSUPPORTED;
    if (value == HARD)
        return E_ACCESSDENIED;
    atomic_store(priority, value);
    return S_OK;
}

#define PRIORITY(Which, member, is_known)                                                          \
    HRESULT STDMETHODCALLTYPE d3d12_command_queue_Set##Which(queue_iface *iface, UINT value)       \
    {                                                                                              \
        struct d3d12_command_queue *queue = command_queue_of(iface);                               \
        return set(queue, &queue->member, value, is_known);                                        \
    }                                                                                              \
    HRESULT STDMETHODCALLTYPE d3d12_command_queue_Get##Which(queue_iface *iface, UINT *out)        \
    {                                                                                              \
        if (out)                                                                                   \
            *out = atomic_load(&command_queue_of(iface)->member);                                  \
        return out ? S_OK : E_INVALIDARG;                                                          \
    }
PRIORITY(ProcessPriority, process_priority, value <= QUEUE_PROCESS_HIGH)
PRIORITY(GlobalPriority, global_priority,
         value <= GLOBAL_NORMAL || (value >= SOFT_FIRST && value <= HARD))
