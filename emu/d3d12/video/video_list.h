/* The interfaces of video command lists. A video list is a struct d3d12_command_list with one of
 * these method tables. It records markers, barriers, queries, predicates and immediate writes, but
 * no frames [ANN-MARK-01]. */
#pragma once

#include "base/stubs.h"
#include "list/command_list_record.h"

extern CONST_VTBL ID3D12VideoDecodeCommandList3Vtbl d3d12_video_decode_list_vtable;
extern CONST_VTBL ID3D12VideoProcessCommandList3Vtbl d3d12_video_process_list_vtable;
extern CONST_VTBL ID3D12VideoEncodeCommandList3Vtbl d3d12_video_encode_list_vtable;

/* Defines the methods that the three interfaces have in common, and the methods' table entries. */
#define VIDEO_ARGUMENTS(...) __VA_ARGS__
#define VIDEO_FORWARD(noun, I, method, arguments, ...)                                             \
    static void STDMETHODCALLTYPE noun##_##method(I *iface, __VA_ARGS__)                           \
    {                                                                                              \
        d3d12_command_list_##method(AS_LIST(iface), VIDEO_ARGUMENTS arguments);                    \
    }
#define VIDEO_LIST_METHODS(noun, I)                                                                \
    D3D12_CHILD_METHODS_OF(noun, d3d12_command_list, I)                                            \
    static HRESULT STDMETHODCALLTYPE noun##_Reset(I *iface, ID3D12CommandAllocator *allocator)     \
    {                                                                                              \
        return d3d12_command_list_Reset(AS_LIST(iface), allocator, NULL);                          \
    }                                                                                              \
    VIDEO_FORWARD(noun, I, ResourceBarrier, (count, barriers), UINT count,                         \
                  const D3D12_RESOURCE_BARRIER *barriers)                                          \
    VIDEO_FORWARD(noun, I, Barrier, (count, groups), UINT32 count,                                 \
                  const D3D12_BARRIER_GROUP *groups)                                               \
    VIDEO_FORWARD(noun, I, WriteBufferImmediate, (count, parameters, modes), UINT count,           \
                  const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER *parameters,                          \
                  const D3D12_WRITEBUFFERIMMEDIATE_MODE *modes)                                    \
    VIDEO_FORWARD(noun, I, ResolveQueryData, (heap, type, first, count, dst, offset),              \
                  ID3D12QueryHeap *heap, D3D12_QUERY_TYPE type, UINT first, UINT count,            \
                  ID3D12Resource *dst, UINT64 offset)                                              \
    VIDEO_FORWARD(noun, I, SetMarker, (metadata, data, size), UINT metadata, const void *data,     \
                  UINT size)                                                                       \
    VIDEO_FORWARD(noun, I, BeginEvent, (metadata, data, size), UINT metadata, const void *data,    \
                  UINT size)                                                                       \
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
    VIDEO_FORWARD(noun, I, BeginQuery, (heap, type, index), ID3D12QueryHeap *heap,                 \
                  D3D12_QUERY_TYPE type, UINT index)                                               \
    VIDEO_FORWARD(noun, I, EndQuery, (heap, type, index), ID3D12QueryHeap *heap,                   \
                  D3D12_QUERY_TYPE type, UINT index)                                               \
    VIDEO_FORWARD(noun, I, SetPredication, (buffer, offset, operation), ID3D12Resource *buffer,    \
                  UINT64 offset, D3D12_PREDICATION_OP operation)                                   \
    VIDEO_FORWARD(noun, I, DiscardResource, (resource, region), ID3D12Resource *resource,          \
                  const D3D12_DISCARD_REGION *region)                                              \
    VIDEO_FORWARD(noun, I, SetProtectedResourceSession, (session),                                 \
                  ID3D12ProtectedResourceSession *session)

#define VIDEO_LIST_ENTRIES(noun)                                                                   \
    D3D12_CHILD_ENTRIES(noun),                                                                     \
        COM_METHODS(noun, GetType, Close, Reset, ClearState, ResourceBarrier, Barrier,             \
                    WriteBufferImmediate, ResolveQueryData),                                       \
        COM_METHODS(noun, SetMarker, BeginEvent, EndEvent, DiscardResource, BeginQuery, EndQuery,  \
                    SetPredication, SetProtectedResourceSession)

/* Lists methods of all three video interfaces that the emulator does not model. */
#define VIDEO_EXTENSION_STUBS(S)                                                                   \
    S(VOID, InitializeExtensionCommand, ID3D12VideoExtensionCommand *extension_command,            \
      const void *initialization_parameters, SIZE_T initialization_parameters_size_in_bytes)       \
    S(VOID, ExecuteExtensionCommand, ID3D12VideoExtensionCommand *extension_command,               \
      const void *execution_parameters, SIZE_T execution_parameters_size_in_bytes)
