/*
 * What the files that record commands share. Each answers one question: command_list.c a list's life and
 * its markers, command_list_root.c root arguments, command_list_copy.c copies, and so on. The table is command_list.c's.
 */
#ifndef D3D12_COMMAND_LIST_RECORD_H
#define D3D12_COMMAND_LIST_RECORD_H

#include "list/command_list.h"
#include "base/validation_error.h"
#include "view/view_parts.h"

#include "gpu/descriptor.h"

/* Which list may do what. */
#define ON(type)     (1u << D3D12_COMMAND_LIST_TYPE_##type)
#define ON_COPYING   (ON(DIRECT) | ON(COMPUTE) | ON(COPY))
#define ON_GRAPHICS  (ON(DIRECT) | ON(BUNDLE))
#define ON_COMPUTE   (ON(DIRECT) | ON(COMPUTE) | ON(BUNDLE))
#define ON_VIDEO     (ON(VIDEO_DECODE) | ON(VIDEO_PROCESS) | ON(VIDEO_ENCODE))
#define ON_ANY       (ON_COPYING | ON_COMPUTE | ON_VIDEO)

#define OUTSIDE_PASS (1u << 31) /* and not in a render pass */

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

/* A mistake that only D3D12's debug layer sees: the call is dropped, the recording goes on. */
#define command_list_tell(list, id, ...) d3d12_device_error((list)->child.device, id, __VA_ARGS__)

/* The interface of the list's type, as messages say it. */
const char *command_list_interface(const struct d3d12_command_list *list);

/* Queries that are open now were left open: a message. */
void command_list_check_queries(struct d3d12_command_list *list);

/* Keeps what an allocator says about its use until the next recording; false when out of memory. */
bool command_list_hold_allocator(struct d3d12_command_list *list, struct allocator_usage *usage);

/* The buffer of the list's device behind `iface` when `size` bytes at `offset` are in it; NULL otherwise. */
const struct d3d12_resource *command_list_buffer(const struct d3d12_command_list *list,
                                                 ID3D12Resource *iface, UINT64 offset, UINT64 size);

/* command_list_state.c: whether the list may have this pipeline state, or a message. */
bool command_list_check_pipeline(const struct d3d12_command_list *list, ID3D12PipelineState *state,
                                 const char *method);
/* As a recording starts; the state was checked, NULL: none is set. */
void command_list_clear_state(struct d3d12_command_list *list, ID3D12PipelineState *state);

/* command_list_root.c */
void command_list_clear_roots(struct d3d12_command_list *list);
bool root_layouts_match(const struct root_layout *a, const struct root_layout *b);
/* What ExecuteIndirect leaves of the arguments that its commands set: nothing. */
void command_list_reset_indirect(struct d3d12_command_list *list, bool draws,
                                 const emu_indirect *indirect);
/* Whether what the bundle inherits is there, or a message. */
bool command_list_check_inheritance(const struct d3d12_command_list *list,
                                    const struct d3d12_command_list *bundle);
/* Gives a bundle that is about to be executed what it inherits, then takes over what it has set. */
void command_list_lend_roots(struct d3d12_command_list *list,
                             const struct d3d12_command_list *bundle);
void command_list_take_roots(struct d3d12_command_list *list,
                             const struct d3d12_command_list *bundle);

/* command_list_clear.c: the view of this kind behind a handle of a heap that only the CPU has; NULL: there is none. */
const struct view_parts *command_list_view(const struct d3d12_command_list *list,
                                           D3D12_CPU_DESCRIPTOR_HANDLE handle,
                                           D3D12_DESCRIPTOR_HEAP_TYPE type,
                                           emu_descriptor_kind kind, emu_descriptor *descriptor);
/* Nothing is done, and the answer false, where the view's format has no such value or may not be written. Rectangles in
 * order; none: all of it. */
bool command_list_clear_target(struct d3d12_command_list *list, const struct view_parts *view,
                               const FLOAT color[4], UINT count, const D3D12_RECT *rects);
bool command_list_clear_depth(struct d3d12_command_list *list, const struct view_parts *view,
                              D3D12_CLEAR_FLAGS flags, FLOAT depth, UINT8 stencil, UINT count,
                              const D3D12_RECT *rects);

/* command_list_resolve.c */
struct resolve {
    ID3D12Resource *to;
    UINT to_part, x, y;
    ID3D12Resource *from;
    UINT from_part;
    const D3D12_RECT *rect; /* NULL: all of the source */
    bool is_region;         /* else both subresources are of one size */
    DXGI_FORMAT format;
    D3D12_RESOLVE_MODE mode;
};

/* Or a message. */
void command_list_resolve(struct d3d12_command_list *list, const struct resolve *resolve,
                          const char *method);

/* command_list_copy.c: a box that was found to be in the source, to (x, y), where there is room. */
struct texture_part;
struct d3d12_resource;
void command_list_copy_texels(struct d3d12_command_list *list, const struct d3d12_resource *to,
                              const struct texture_part *to_part, UINT x, UINT y,
                              const struct d3d12_resource *from,
                              const struct texture_part *from_part, const D3D12_BOX *box);

/* command_list_pass.c: a render pass that is open now was left open: a message. */
void command_list_check_pass(struct d3d12_command_list *list);

extern CONST_VTBL ID3D12GraphicsCommandList8Vtbl d3d12_command_list_vtable;

/* The methods, of the types that the table has. */
#define COMMAND_LIST_METHOD(method)                                                                \
    __typeof__(*((ID3D12GraphicsCommandList8Vtbl *)NULL)->method) d3d12_command_list_##method

/* command_list_state.c */
COMMAND_LIST_METHOD(ClearState);
COMMAND_LIST_METHOD(SetPipelineState);
COMMAND_LIST_METHOD(SetPipelineState1);
COMMAND_LIST_METHOD(IASetPrimitiveTopology);
COMMAND_LIST_METHOD(IASetIndexBuffer);
COMMAND_LIST_METHOD(IASetVertexBuffers);
COMMAND_LIST_METHOD(SOSetTargets);
COMMAND_LIST_METHOD(RSSetViewports);
COMMAND_LIST_METHOD(RSSetScissorRects);
COMMAND_LIST_METHOD(OMSetBlendFactor);
COMMAND_LIST_METHOD(OMSetStencilRef);
COMMAND_LIST_METHOD(OMSetFrontAndBackStencilRef);
COMMAND_LIST_METHOD(OMSetDepthBounds);
COMMAND_LIST_METHOD(OMSetRenderTargets);
COMMAND_LIST_METHOD(SetSamplePositions);
COMMAND_LIST_METHOD(SetViewInstanceMask);
COMMAND_LIST_METHOD(RSSetShadingRate);
COMMAND_LIST_METHOD(RSSetShadingRateImage);

/* command_list_root.c */
COMMAND_LIST_METHOD(SetComputeRootSignature);
COMMAND_LIST_METHOD(SetDescriptorHeaps);
COMMAND_LIST_METHOD(SetGraphicsRootSignature);
COMMAND_LIST_METHOD(SetGraphicsRootDescriptorTable);
COMMAND_LIST_METHOD(SetGraphicsRoot32BitConstants);
COMMAND_LIST_METHOD(SetGraphicsRoot32BitConstant);
COMMAND_LIST_METHOD(SetGraphicsRootConstantBufferView);
COMMAND_LIST_METHOD(SetGraphicsRootShaderResourceView);
COMMAND_LIST_METHOD(SetGraphicsRootUnorderedAccessView);
COMMAND_LIST_METHOD(SetComputeRootDescriptorTable);
COMMAND_LIST_METHOD(SetComputeRoot32BitConstants);
COMMAND_LIST_METHOD(SetComputeRoot32BitConstant);
COMMAND_LIST_METHOD(SetComputeRootConstantBufferView);
COMMAND_LIST_METHOD(SetComputeRootShaderResourceView);
COMMAND_LIST_METHOD(SetComputeRootUnorderedAccessView);

/* command_list_work.c */
COMMAND_LIST_METHOD(Dispatch);
COMMAND_LIST_METHOD(DispatchRays);
COMMAND_LIST_METHOD(DrawInstanced);
COMMAND_LIST_METHOD(DrawIndexedInstanced);
COMMAND_LIST_METHOD(DispatchMesh);
COMMAND_LIST_METHOD(ExecuteIndirect);
COMMAND_LIST_METHOD(ExecuteBundle);

/* command_list_memory.c */
COMMAND_LIST_METHOD(WriteBufferImmediate);
COMMAND_LIST_METHOD(DiscardResource);

/* command_list_barrier.c */
COMMAND_LIST_METHOD(ResourceBarrier);
COMMAND_LIST_METHOD(Barrier);

/* command_list_copy.c */
COMMAND_LIST_METHOD(CopyBufferRegion);
COMMAND_LIST_METHOD(CopyTextureRegion);
COMMAND_LIST_METHOD(CopyResource);

/* command_list_tiles.c */
COMMAND_LIST_METHOD(CopyTiles);

/* command_list_atomic.c */
COMMAND_LIST_METHOD(AtomicCopyBufferUINT);
COMMAND_LIST_METHOD(AtomicCopyBufferUINT64);

/* command_list_clear.c */
COMMAND_LIST_METHOD(ClearDepthStencilView);
COMMAND_LIST_METHOD(ClearRenderTargetView);
COMMAND_LIST_METHOD(ClearUnorderedAccessViewUint);
COMMAND_LIST_METHOD(ClearUnorderedAccessViewFloat);

/* command_list_resolve.c */
COMMAND_LIST_METHOD(ResolveSubresource);
COMMAND_LIST_METHOD(ResolveSubresourceRegion);

/* command_list_pass.c */
COMMAND_LIST_METHOD(BeginRenderPass);
COMMAND_LIST_METHOD(EndRenderPass);

/* command_list_query.c */
COMMAND_LIST_METHOD(BeginQuery);
COMMAND_LIST_METHOD(EndQuery);
COMMAND_LIST_METHOD(ResolveQueryData);
COMMAND_LIST_METHOD(SetPredication);

#undef COMMAND_LIST_METHOD

#endif
