/*
 * What the files that record commands share. Each answers one question: command_list.c a list's life and
 * its markers, command_list_root.c root arguments, command_list_copy.c copies, and so on. The table is command_list.c's.
 */
#ifndef D3D12_COMMAND_LIST_RECORD_H
#define D3D12_COMMAND_LIST_RECORD_H

#include "command_list.h"

/* Which list may do what. */
#define ON(type)   (1u << D3D12_COMMAND_LIST_TYPE_##type)
#define ON_COPYING (ON(DIRECT) | ON(COMPUTE) | ON(COPY))
#define ON_COMPUTE (ON(DIRECT) | ON(COMPUTE) | ON(BUNDLE))
#define ON_VIDEO   (ON(VIDEO_DECODE) | ON(VIDEO_PROCESS) | ON(VIDEO_ENCODE))
#define ON_ANY     (ON_COPYING | ON_COMPUTE | ON_VIDEO)

/* A mistake that D3D12 answers by failing Close. */
#define command_list_fail(list, id, ...)                                                           \
    do {                                                                                           \
        d3d12_device_error((list)->child.device, id, __VA_ARGS__);                                 \
        if (SUCCEEDED((list)->failure))                                                            \
            (list)->failure = E_INVALIDARG;                                                        \
    } while (0)

/* The list behind `iface` when it may record this command now; NULL after a message otherwise. */
struct d3d12_command_list *command_list_recorder(ID3D12GraphicsCommandList8 *iface, unsigned types,
                                                 const char *method);

/* The interface of the list's type, as messages say it. */
const char *command_list_interface(const struct d3d12_command_list *list);

extern CONST_VTBL ID3D12GraphicsCommandList8Vtbl d3d12_command_list_vtable;

/* The methods, of the types that the table has. */
#define COMMAND_LIST_METHOD(method)                                                                \
    __typeof__(*((ID3D12GraphicsCommandList8Vtbl *)NULL)->method) d3d12_command_list_##method

/* command_list.c */
COMMAND_LIST_METHOD(ClearState);
COMMAND_LIST_METHOD(SetPipelineState);

/* command_list_root.c */
COMMAND_LIST_METHOD(SetComputeRootSignature);
COMMAND_LIST_METHOD(SetDescriptorHeaps);
COMMAND_LIST_METHOD(SetComputeRootDescriptorTable);
COMMAND_LIST_METHOD(SetComputeRoot32BitConstants);
COMMAND_LIST_METHOD(SetComputeRoot32BitConstant);
COMMAND_LIST_METHOD(SetComputeRootConstantBufferView);
COMMAND_LIST_METHOD(SetComputeRootShaderResourceView);
COMMAND_LIST_METHOD(SetComputeRootUnorderedAccessView);

/* command_list_work.c */
COMMAND_LIST_METHOD(Dispatch);
COMMAND_LIST_METHOD(WriteBufferImmediate);
COMMAND_LIST_METHOD(ResourceBarrier);
COMMAND_LIST_METHOD(Barrier);
COMMAND_LIST_METHOD(ExecuteBundle);

/* command_list_copy.c */
COMMAND_LIST_METHOD(CopyBufferRegion);
COMMAND_LIST_METHOD(CopyTextureRegion);
COMMAND_LIST_METHOD(CopyResource);

/* command_list_query.c */
COMMAND_LIST_METHOD(BeginQuery);
COMMAND_LIST_METHOD(EndQuery);
COMMAND_LIST_METHOD(ResolveQueryData);

#undef COMMAND_LIST_METHOD

#endif
