#include "list/command_allocator.h"

#include "device/device.h"
#include "base/result.h"

D3D12_CHILD_METHODS(d3d12_command_allocator, ID3D12CommandAllocator)

bool d3d12_command_allocator_begin(struct d3d12_command_allocator *allocator)
{
    if (atomic_exchange(&allocator->recording, true))
        return false;
    d3d12_child_add_private_ref(&allocator->child);
    return true;
}

void d3d12_command_allocator_end(struct d3d12_command_allocator *allocator)
{
    atomic_store(&allocator->recording, false);
    d3d12_child_release_private_ref(&allocator->child);
}

/* A reset is refused while a list records. While the GPU executes its lists, D3D12 leaves a reset
 * undefined; it is refused, too, unless emu_config.reset_in_flight allows it. The driver's lists
 * have the commands, so only the markers expire. */
static HRESULT STDMETHODCALLTYPE d3d12_command_allocator_Reset(ID3D12CommandAllocator *iface)
{
    struct d3d12_command_allocator *allocator = impl_from_ID3D12CommandAllocator(iface);
    struct d3d12_device *device = allocator->child.device;
    if (d3d12_device_is_removed(device))
        return DXGI_ERROR_DEVICE_REMOVED; /* the markers stay, too, because they are evidence */
    if (atomic_load(&allocator->recording)) {
        d3d12_child_error(&allocator->child, D3D12_MESSAGE_ID_COMMAND_ALLOCATOR_CANNOT_RESET,
                          "ID3D12CommandAllocator::Reset: a command list is recording with this "
                          "command allocator: close the list first");
        return E_FAIL;
    }
    if (atomic_load(&allocator->child.usage->submissions) != 0) {
        d3d12_child_error(&allocator->child, D3D12_MESSAGE_ID_COMMAND_ALLOCATOR_SYNC,
                          "ID3D12CommandAllocator::Reset: the GPU still executes lists that were "
                          "recorded with this command allocator: wait for a fence first");
        if (!device->settings.config.reset_in_flight)
            return E_FAIL;
    }
    annot_result result = annot_arena_reset(allocator->arena);
    if (result != ANNOT_OK)
        return result == ANNOT_ERROR_BUSY ? E_FAIL : hresult_from_annot(result);
    atomic_fetch_add(&allocator->child.usage->resets, 1);
    return S_OK;
}

static CONST_VTBL ID3D12CommandAllocatorVtbl d3d12_command_allocator_vtable = {
    D3D12_CHILD_ENTRIES(d3d12_command_allocator),
    .Reset = d3d12_command_allocator_Reset,
};

static void command_allocator_release(struct d3d12_child *child)
{
    struct d3d12_command_allocator *allocator =
        container_of(child, struct d3d12_command_allocator, child);
    annot_arena_destroy(allocator->arena);
}

static const struct d3d12_child_class command_allocator_class = {
    .kind = D3D12DDI_HT_COMMAND_ALLOCATOR,
    .iids = (const IID *const[]){&IID_ID3D12Pageable, &IID_ID3D12CommandAllocator, NULL},
    .methods = &d3d12_command_allocator_vtable,
    .release = command_allocator_release,
};

D3D12_CHILD_FROM(d3d12_command_allocator, ID3D12CommandAllocator, command_allocator_class)

HRESULT d3d12_command_allocator_create(struct d3d12_device *device, D3D12_COMMAND_LIST_TYPE type,
                                       struct d3d12_command_allocator **out)
{
    if (!d3d12_command_allocator_has_type(type))
        return d3d12_device_invalid(
            device, EMU_MESSAGE_INVALID_ARGUMENT,
            "ID3D12Device::CreateCommandAllocator: type must be a D3D12_COMMAND_LIST_TYPE");
    struct d3d12_command_allocator *allocator =
        d3d12_child_begin(device, &command_allocator_class, sizeof *allocator);
    if (!allocator)
        return E_OUTOFMEMORY;
    allocator->type = type;
    atomic_init(&allocator->recording, false);
    allocator->child.usage = in_flight_usage_create();
    *out = allocator;
    return d3d12_child_end(&allocator->child, allocator->child.usage
                                                  ? hresult_from_annot(annot_arena_create(
                                                        device->annot, &allocator->arena))
                                                  : E_OUTOFMEMORY);
}

bool d3d12_command_allocator_has_type(D3D12_COMMAND_LIST_TYPE type)
{
    return (unsigned)type <= D3D12_COMMAND_LIST_TYPE_VIDEO_ENCODE;
}
