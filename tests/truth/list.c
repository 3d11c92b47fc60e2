#include "list.h"

#include <directx/d3d12video.h>

#define DECODE  D3D12_COMMAND_LIST_TYPE_VIDEO_DECODE
#define PROCESS D3D12_COMMAND_LIST_TYPE_VIDEO_PROCESS
#define ENCODE  D3D12_COMMAND_LIST_TYPE_VIDEO_ENCODE

/* Calls a method of the list's own interface as ON says. */
#define CALL(method)                                                                               \
    do {                                                                                           \
        if (type == DECODE)                                                                        \
            ON(ID3D12VideoDecodeCommandList, method);                                              \
        else if (type == PROCESS)                                                                  \
            ON(ID3D12VideoProcessCommandList, method);                                             \
        else if (type == ENCODE)                                                                   \
            ON(ID3D12VideoEncodeCommandList, method);                                              \
        else                                                                                       \
            ON(ID3D12GraphicsCommandList2, method);                                                \
    } while (0)

const IID *list_iid(D3D12_COMMAND_LIST_TYPE type)
{
    return type == DECODE    ? &IID_ID3D12VideoDecodeCommandList
           : type == PROCESS ? &IID_ID3D12VideoProcessCommandList
           : type == ENCODE  ? &IID_ID3D12VideoEncodeCommandList
                             : &IID_ID3D12GraphicsCommandList2;
}

HRESULT list_reset(ID3D12CommandList *list, D3D12_COMMAND_LIST_TYPE type,
                   ID3D12CommandAllocator *allocator)
{
    if (!list_is_video(type))
        return ID3D12GraphicsCommandList_Reset((ID3D12GraphicsCommandList *)list, allocator, NULL);
    return type == DECODE
               ? ID3D12VideoDecodeCommandList_Reset((ID3D12VideoDecodeCommandList *)list, allocator)
           : type == PROCESS
               ? ID3D12VideoProcessCommandList_Reset((ID3D12VideoProcessCommandList *)list,
                                                     allocator)
               : ID3D12VideoEncodeCommandList_Reset((ID3D12VideoEncodeCommandList *)list,
                                                    allocator);
}

HRESULT list_close(ID3D12CommandList *list, D3D12_COMMAND_LIST_TYPE type)
{
    HRESULT hr;
#define ON(interface, method) hr = interface##_##method((interface *)list)
    CALL(Close);
#undef ON
    return hr;
}

void list_mark(ID3D12CommandList *list, D3D12_COMMAND_LIST_TYPE type, enum item_kind kind,
               const void *text, UINT size)
{
#define ON(interface, method) interface##_##method((interface *)list, 1, text, size)
    if (kind == ITEM_BEGIN)
        CALL(BeginEvent);
    else if (kind == ITEM_SET)
        CALL(SetMarker);
#undef ON
#define ON(interface, method) interface##_##method((interface *)list)
    else
        CALL(EndEvent);
#undef ON
}

void list_write(ID3D12CommandList *list, D3D12_COMMAND_LIST_TYPE type, uint64_t address,
                uint32_t value)
{
    const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER write = {address, value};
#define ON(interface, method) interface##_##method((interface *)list, 1, &write, NULL)
    CALL(WriteBufferImmediate);
#undef ON
}
