/* The interfaces of video command lists. A video list is a struct d3d12_command_list with one of
 * these tables: markers, barriers, queries, predicates and immediate writes are recorded, frames
 * are not modelled [ANN-MARK-01]. */
#pragma once

#include "list/command_list_record.h"

extern CONST_VTBL ID3D12VideoDecodeCommandList3Vtbl d3d12_video_decode_list_vtable;
extern CONST_VTBL ID3D12VideoProcessCommandList3Vtbl d3d12_video_process_list_vtable;
extern CONST_VTBL ID3D12VideoEncodeCommandList3Vtbl d3d12_video_encode_list_vtable;

/* The methods that the three interfaces share, and their entries in the tables. */
#define VIDEO_LIST_METHODS(noun, I)                                                                \
    D3D12_CHILD_METHODS_OF(noun, d3d12_command_list, I)                                            \
    static HRESULT STDMETHODCALLTYPE noun##_Reset(I *iface, ID3D12CommandAllocator *allocator)     \
    {                                                                                              \
        return d3d12_command_list_Reset(AS_LIST(iface), allocator, NULL);                          \
    }                                                                                              \
    static void STDMETHODCALLTYPE noun##_ResourceBarrier(I *iface, UINT count,                     \
                                                         const D3D12_RESOURCE_BARRIER *barriers)   \
    {                                                                                              \
        d3d12_command_list_ResourceBarrier(AS_LIST(iface), count, barriers);                       \
    }                                                                                              \
    static void STDMETHODCALLTYPE noun##_Barrier(I *iface, UINT32 count,                           \
                                                 const D3D12_BARRIER_GROUP *groups)                \
    {                                                                                              \
        d3d12_command_list_Barrier(AS_LIST(iface), count, groups);                                 \
    }                                                                                              \
    static void STDMETHODCALLTYPE noun##_WriteBufferImmediate(                                     \
        I *iface, UINT count, const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER *parameters,              \
        const D3D12_WRITEBUFFERIMMEDIATE_MODE *modes)                                              \
    {                                                                                              \
        d3d12_command_list_WriteBufferImmediate(AS_LIST(iface), count, parameters, modes);         \
    }                                                                                              \
    static void STDMETHODCALLTYPE noun##_ResolveQueryData(I *iface, ID3D12QueryHeap *heap,         \
                                                          D3D12_QUERY_TYPE type, UINT first,       \
                                                          UINT count, ID3D12Resource *dst,         \
                                                          UINT64 offset)                           \
    {                                                                                              \
        d3d12_command_list_ResolveQueryData(AS_LIST(iface), heap, type, first, count, dst,         \
                                            offset);                                               \
    }                                                                                              \
    static void STDMETHODCALLTYPE noun##_SetMarker(I *iface, UINT metadata, const void *data,      \
                                                   UINT size)                                      \
    {                                                                                              \
        d3d12_command_list_SetMarker(AS_LIST(iface), metadata, data, size);                        \
    }                                                                                              \
    static void STDMETHODCALLTYPE noun##_BeginEvent(I *iface, UINT metadata, const void *data,     \
                                                    UINT size)                                     \
    {                                                                                              \
        d3d12_command_list_BeginEvent(AS_LIST(iface), metadata, data, size);                       \
    }                                                                                              \
    static void STDMETHODCALLTYPE noun##_EndEvent(I *iface)                                        \
    {                                                                                              \
        d3d12_command_list_EndEvent(AS_LIST(iface));                                               \
    }                                                                                              \
    static D3D12_COMMAND_LIST_TYPE STDMETHODCALLTYPE noun##_GetType(I *iface)                      \
    {                                                                                              \
        return impl_from_##I(iface)->type;                                                         \
    }                                                                                              \
    static HRESULT STDMETHODCALLTYPE noun##_Close(I *iface)                                        \
    {                                                                                              \
        return d3d12_command_list_Close(AS_LIST(iface));                                           \
    }                                                                                              \
    static void STDMETHODCALLTYPE noun##_ClearState(I *iface)                                      \
    {                                                                                              \
        d3d12_command_list_clear(impl_from_##I(iface));                                            \
    }                                                                                              \
    static void STDMETHODCALLTYPE noun##_BeginQuery(I *iface, ID3D12QueryHeap *heap,               \
                                                    D3D12_QUERY_TYPE type, UINT index)             \
    {                                                                                              \
        d3d12_command_list_BeginQuery(AS_LIST(iface), heap, type, index);                          \
    }                                                                                              \
    static void STDMETHODCALLTYPE noun##_EndQuery(I *iface, ID3D12QueryHeap *heap,                 \
                                                  D3D12_QUERY_TYPE type, UINT index)               \
    {                                                                                              \
        d3d12_command_list_EndQuery(AS_LIST(iface), heap, type, index);                            \
    }                                                                                              \
    static void STDMETHODCALLTYPE noun##_SetPredication(                                           \
        I *iface, ID3D12Resource *buffer, UINT64 offset, D3D12_PREDICATION_OP operation)           \
    {                                                                                              \
        d3d12_command_list_SetPredication(AS_LIST(iface), buffer, offset, operation);              \
    }                                                                                              \
    static void STDMETHODCALLTYPE noun##_DiscardResource(I *iface, ID3D12Resource *resource,       \
                                                         const D3D12_DISCARD_REGION *region)       \
    {                                                                                              \
        d3d12_command_list_DiscardResource(AS_LIST(iface), resource, region);                      \
    }                                                                                              \
    static void STDMETHODCALLTYPE noun##_SetProtectedResourceSession(                              \
        I *iface, ID3D12ProtectedResourceSession *session)                                         \
    {                                                                                              \
        d3d12_command_list_SetProtectedResourceSession(AS_LIST(iface), session);                   \
    }

#define VIDEO_LIST_ENTRIES(noun)                                                                   \
    D3D12_CHILD_ENTRIES(noun),                                                                     \
        .GetType = noun##_GetType, .Close = noun##_Close, .Reset = noun##_Reset,                   \
        .ClearState = noun##_ClearState, .ResourceBarrier = noun##_ResourceBarrier,                \
        .Barrier = noun##_Barrier, .WriteBufferImmediate = noun##_WriteBufferImmediate,            \
        .ResolveQueryData = noun##_ResolveQueryData, .SetMarker = noun##_SetMarker,                \
        .BeginEvent = noun##_BeginEvent, .EndEvent = noun##_EndEvent,                              \
        .DiscardResource = noun##_DiscardResource, .BeginQuery = noun##_BeginQuery,                \
        .EndQuery = noun##_EndQuery, .SetPredication = noun##_SetPredication,                      \
        .SetProtectedResourceSession = noun##_SetProtectedResourceSession
