/* A program that holds a library of each letter, as a game and a plug-in of other years do: the one
 * that the argument names is the last to set the mode; then a marker, and a hang behind it. */
#include "setup.h"

#include "letters.h"

static ID3D12Device *device;

static int failed(const char *letter, const char *error)
{
    if (error)
        fprintf(stderr, "%s: %s\n", letter, error);
    return error != NULL;
}

int main(int argc, char **argv)
{
    const char *letter = argc > 1 ? argv[1] : "";
    MUST(D3D12CreateDevice(NULL, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device, (void **)&device));
    const int is_both = strcmp(letter, "both") == 0;
    /* what the other one leaves is RUNTIME_ONLY, whose number it has for DRIVER_RETAIL */
    if ((is_both || strcmp(letter, "specified") == 0) && failed(letter, specified_set(device, 1)))
        return 1;
    if (is_both &&
        (failed(letter, published_set(device, 0)) || failed(letter, specified_set(device, 0)) ||
         failed(letter, published_set(device, 1))))
        return 1;
    if (strcmp(letter, "published") == 0 && failed(letter, published_set(device, 1)))
        return 1;
    ID3D12CommandQueue *queue = make_queue(device, D3D12_COMMAND_LIST_TYPE_DIRECT, L"Queue");
    ID3D12CommandAllocator *allocator = make_allocator(device, D3D12_COMMAND_LIST_TYPE_DIRECT);
    ID3D12GraphicsCommandList *list =
        make_list(device, allocator, D3D12_COMMAND_LIST_TYPE_DIRECT, L"List");
    ID3D12RootSignature *signature = make_root_signature(device);
    ID3D12PipelineState *spin = make_pipeline(device, signature, EMU_KERNEL_SPIN, L"Spin");
    ID3D12Resource *buffer = make_buffer(device, D3D12_HEAP_TYPE_DEFAULT, 4096, L"Buffer");
    ID3D12Fence *fence = make_fence(device);
    PIXBeginEvent(list, 0, "Shadow of either letter");
    dispatch(list, signature, spin, buffer, 0, 0);
    PIXEndEvent(list);
    MUST(ID3D12GraphicsCommandList_Close(list));
    execute(queue, 1, &list);
    MUST(ID3D12CommandQueue_Signal(queue, fence, 1));
    ID3D12Fence_SetEventOnCompletion(fence, 1, NULL);
    return FAILED(ID3D12Device_GetDeviceRemovedReason(device)) ? 0 : 1;
}
