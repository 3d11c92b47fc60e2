/* Root signatures and arguments: parameters 0 and 1 are the kernel's buffers, 2 its constants [emu.h]. */
#include "command_list_record.h"

#include "descriptor_heap.h"
#include "device.h"
#include "root_signature.h"

void STDMETHODCALLTYPE d3d12_command_list_SetComputeRootSignature(
    ID3D12GraphicsCommandList8 *iface, ID3D12RootSignature *signature_iface)
{
    struct d3d12_command_list *list =
        command_list_recorder(iface, ON_COMPUTE, "SetComputeRootSignature");
    const struct d3d12_root_signature *signature = d3d12_root_signature_from(signature_iface);
    if (list == NULL)
        return;
    list->has_signature = signature != NULL;
    if (signature != NULL)
        list->layout = signature->layout;
    memset(list->next.arguments, 0, sizeof list->next.arguments);
    memset(list->next.constants, 0, sizeof list->next.constants);
    list->next.descriptors = 0;
}

static bool check_root(struct d3d12_command_list *list, UINT index, D3D12_ROOT_PARAMETER_TYPE type,
                       const char *method)
{
    if (list->has_signature && index < list->layout.count &&
        list->layout.parameters[index].type == type)
        return true;
    command_list_fail(list, EMU_MESSAGE_INVALID_ARGUMENT,
                      "ID3D12GraphicsCommandList::%s: the root signature has no such parameter %u",
                      method, index);
    return false;
}

static void set_argument(struct d3d12_command_list *list, UINT index, uint64_t address,
                         bool is_descriptor)
{
    if (index >= 2)
        return;
    list->next.arguments[index] = address;
    list->next.descriptors &= ~(1u << index);
    list->next.descriptors |= (uint32_t)is_descriptor << index;
}

static void set_root_address(ID3D12GraphicsCommandList8 *iface, UINT index,
                             D3D12_ROOT_PARAMETER_TYPE type, D3D12_GPU_VIRTUAL_ADDRESS address,
                             const char *method)
{
    struct d3d12_command_list *list = command_list_recorder(iface, ON_COMPUTE, method);
    if (list == NULL || !check_root(list, index, type, method))
        return;
    set_argument(list, index, address, false);
}

#define ROOT_ADDRESS_METHOD(View, type)                                                            \
    void STDMETHODCALLTYPE d3d12_command_list_SetComputeRoot##View(                                \
        ID3D12GraphicsCommandList8 *iface, UINT index, D3D12_GPU_VIRTUAL_ADDRESS address)          \
    {                                                                                              \
        set_root_address(iface, index, D3D12_ROOT_PARAMETER_TYPE_##type, address,                  \
                         "SetComputeRoot" #View);                                                  \
    }

ROOT_ADDRESS_METHOD(ConstantBufferView, CBV)
ROOT_ADDRESS_METHOD(ShaderResourceView, SRV)
ROOT_ADDRESS_METHOD(UnorderedAccessView, UAV)

/* At most one heap of each kind that shaders see; those that were set before are not any more. */
void STDMETHODCALLTYPE d3d12_command_list_SetDescriptorHeaps(ID3D12GraphicsCommandList8 *iface,
                                                             UINT count,
                                                             ID3D12DescriptorHeap *const *heaps)
{
    struct d3d12_command_list *list =
        command_list_recorder(iface, ON_COMPUTE, "SetDescriptorHeaps");
    struct d3d12_descriptor_heap *set[2] = {NULL, NULL};
    if (list == NULL)
        return;
    for (UINT i = 0; i < count; i++) {
        struct d3d12_descriptor_heap *heap =
            heaps != NULL ? d3d12_descriptor_heap_from(heaps[i]) : NULL;
        if (heap == NULL || heap->child.device != list->child.device || heap->memory.address == 0 ||
            set[heap->desc.Type] != NULL) {
            command_list_fail(
                list, D3D12_MESSAGE_ID_SET_DESCRIPTOR_HEAP_INVALID,
                "ID3D12GraphicsCommandList::SetDescriptorHeaps: heap %u is not shader visible or "
                "the second of its type",
                i);
            return;
        }
        set[heap->desc.Type] = heap;
    }
    memcpy(list->heaps, set, sizeof set);
}

/* The kernels' buffers are the tables' first descriptors. */
void STDMETHODCALLTYPE d3d12_command_list_SetComputeRootDescriptorTable(
    ID3D12GraphicsCommandList8 *iface, UINT index, D3D12_GPU_DESCRIPTOR_HANDLE handle)
{
    static const char method[] = "SetComputeRootDescriptorTable";
    struct d3d12_command_list *list = command_list_recorder(iface, ON_COMPUTE, method);
    UINT first;
    if (list == NULL ||
        !check_root(list, index, D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE, method))
        return;
    struct d3d12_descriptor_heap *heap =
        d3d12_descriptor_heap_find_gpu(list->child.device, handle, &first);
    if (heap == NULL || (heap != list->heaps[0] && heap != list->heaps[1])) {
        command_list_fail(list, D3D12_MESSAGE_ID_SET_DESCRIPTOR_TABLE_INVALID,
                          "ID3D12GraphicsCommandList::%s: the handle is of no heap that is set",
                          method);
        return;
    }
    set_argument(list, index, heap->memory.address + (uint64_t)first * DESCRIPTOR_SIZE, true);
}

void STDMETHODCALLTYPE d3d12_command_list_SetComputeRoot32BitConstants(
    ID3D12GraphicsCommandList8 *iface, UINT index, UINT count, const void *values, UINT first)
{
    static const char method[] = "SetComputeRoot32BitConstants";
    struct d3d12_command_list *list = command_list_recorder(iface, ON_COMPUTE, method);
    if (list == NULL || !check_root(list, index, D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS, method))
        return;
    const UINT size = list->layout.parameters[index].constants;
    if (first > size || count > size - first || (values == NULL && count != 0)) {
        command_list_fail(list, EMU_MESSAGE_INVALID_ARGUMENT,
                          "ID3D12GraphicsCommandList::%s: past the end of parameter %u", method,
                          index);
        return;
    }
    const UINT kept = sizeof list->next.constants / sizeof list->next.constants[0];
    for (UINT i = 0; i < count && index == 2 && first + i < kept; i++)
        memcpy(&list->next.constants[first + i], (const char *)values + (size_t)i * 4, 4);
}

void STDMETHODCALLTYPE d3d12_command_list_SetComputeRoot32BitConstant(
    ID3D12GraphicsCommandList8 *iface, UINT index, UINT value, UINT first)
{
    d3d12_command_list_SetComputeRoot32BitConstants(iface, index, 1, &value, first);
}
