/* Interfaces that the oldest headers lack, as DirectX-Headers 1.619.1 has them: their IIDs, how
 * many methods they have, and their methods by the number of the slot. */
#pragma once

#include "kit.h"

#define NEWER_INTERFACES(X)                                                                        \
    X(ID3D12Device12, 81, 0x5af5c532, 0x4c91, 0x4cd0, 0xb5, 0x41, 0x15, 0xa4, 0x05, 0x39, 0x5f,    \
      0xc5)                                                                                        \
    X(ID3D12Device13, 82, 0x14eecffc, 0x4df8, 0x40f7, 0xa1, 0x18, 0x5c, 0x81, 0x6f, 0x45, 0x69,    \
      0x5e)                                                                                        \
    X(ID3D12Device14, 83, 0x5f6e592d, 0xd895, 0x44c2, 0x8e, 0x4a, 0x88, 0xad, 0x49, 0x26, 0xd3,    \
      0x23)                                                                                        \
    X(ID3D12Device15, 94, 0x76cff76f, 0x1e9b, 0x4450, 0x8c, 0xdc, 0x34, 0xf1, 0xaf, 0x78, 0x8e,    \
      0x5b)                                                                                        \
    X(ID3D12GraphicsCommandList9, 84, 0x34ed2808, 0xffe6, 0x4c2b, 0xb1, 0x1a, 0xca, 0xbd, 0x2b,    \
      0x0c, 0x59, 0xe1)                                                                            \
    X(ID3D12CommandQueue1, 23, 0x3a3c3165, 0x0ee7, 0x4b8e, 0xa0, 0xaf, 0x63, 0x56, 0xb4, 0xc3,     \
      0xbb, 0xb9)                                                                                  \
    X(ID3D12PipelineState1, 10, 0x5646804c, 0x9638, 0x48f7, 0x91, 0x82, 0xb3, 0xee, 0x5a, 0x6b,    \
      0x60, 0xfb)                                                                                  \
    X(ID3D12RootSignature1, 10, 0xc390bd7d, 0x9142, 0x4a95, 0xb0, 0x72, 0x6d, 0x34, 0x39, 0xad,    \
      0xe5, 0xc4)

/* The method in this slot: NEWER(list, 82, void, FLOAT, FLOAT, FLOAT)(list, 1, 0, 0). */
#define NEWER(object, slot, result, ...)                                                           \
    ((result(STDMETHODCALLTYPE *)(void *, __VA_ARGS__))newer_slot(object, slot))

static inline void (*newer_slot(void *object, size_t slot))(void)
{
    void (*const *table)(void);
    memcpy(&table, object, sizeof table);
    return table[slot];
}
