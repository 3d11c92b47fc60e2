/* Command lists of all types can do this, though their interfaces have nothing to do with each
 * other. */
#pragma once

#include "../d3d12_objects.h"
#include "truth.h"

static inline bool list_is_video(D3D12_COMMAND_LIST_TYPE type)
{
    return type >= D3D12_COMMAND_LIST_TYPE_VIDEO_DECODE;
}

/* The interface through which a list of this type is called. */
const IID *list_iid(D3D12_COMMAND_LIST_TYPE type);

HRESULT list_reset(ID3D12CommandList *list, D3D12_COMMAND_LIST_TYPE type,
                   ID3D12CommandAllocator *allocator);
HRESULT list_close(ID3D12CommandList *list, D3D12_COMMAND_LIST_TYPE type);

/* ITEM_BEGIN, ITEM_SET or ITEM_END, which has no text. */
void list_mark(ID3D12CommandList *list, D3D12_COMMAND_LIST_TYPE type, enum item_kind kind,
               const void *text, UINT size);
void list_write(ID3D12CommandList *list, D3D12_COMMAND_LIST_TYPE type, uint64_t address,
                uint32_t value);
