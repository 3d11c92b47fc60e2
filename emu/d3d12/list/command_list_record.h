/* All files that record commands include this header. Each file records one family of commands:
 * root.c records root arguments, copy.c records copies, and so on. recorder.h, below these files,
 * says which list may record a command. recording.c, above these files, has Reset and Close.
 * table/command_list_table.c has the table of all methods. */
#pragma once

#include "list/operation.h"

#include "gpu/descriptor.h"

/* Emits a message if queries are still open, because their EndQuery is missing. */
void command_list_check_queries(struct d3d12_command_list *list);

/* Returns the buffer with this interface if it belongs to the list's device and has `size` bytes at
 * `offset`. Otherwise returns NULL. */
const struct d3d12_resource *command_list_buffer(const struct d3d12_command_list *list,
                                                 ID3D12Resource *iface, UINT64 offset, UINT64 size);

/* Whether the list may use this pipeline state. Otherwise emits a message. In state.c. */
bool command_list_check_pipeline(const struct d3d12_command_list *list, ID3D12PipelineState *state,
                                 const char *method);
/* Sets the list's state when a recording starts. `state` must be valid; NULL: no pipeline state. */
void command_list_clear_state(struct d3d12_command_list *list, ID3D12PipelineState *state);

/* in root.c */
void command_list_clear_roots(struct d3d12_command_list *list);
bool root_layouts_match(const struct root_layout *a, const struct root_layout *b);
/* Resets the arguments that the commands of an ExecuteIndirect have set. */
void command_list_reset_indirect(struct d3d12_command_list *list, bool draws,
                                 const emu_indirect *indirect);
/* Whether `list` has set all state that the bundle inherits. Otherwise emits a message. */
bool command_list_check_inheritance(struct d3d12_command_list *list,
                                    const struct d3d12_command_list *bundle);
/* Before a bundle is executed, command_list_lend_roots gives the bundle the list's state. After
 * that, command_list_take_roots takes the bundle's state for the list. */
void command_list_lend_roots(struct d3d12_command_list *list,
                             const struct d3d12_command_list *bundle);
void command_list_take_roots(struct d3d12_command_list *list,
                             const struct d3d12_command_list *bundle);

/* Returns the view of this kind at `handle`, in a heap that shaders can't see. Returns NULL if the
 * handle has no such view. Defined in clear.c. */
const struct view_parts *command_list_view(const struct d3d12_command_list *list,
                                           D3D12_CPU_DESCRIPTOR_HANDLE handle,
                                           enum emu_descriptor_kind kind,
                                           struct emu_descriptor *descriptor);
/* command_list_clear_target and command_list_clear_depth clear the rectangles in order. Without
 * rectangles, they clear the whole view. If the view's format can't hold the value, or the view is
 * read-only, they do nothing and return false. */
bool command_list_clear_target(struct d3d12_command_list *list, const struct view_parts *view,
                               const FLOAT color[4], UINT count, const D3D12_RECT *rects);
bool command_list_clear_depth(struct d3d12_command_list *list, const struct view_parts *view,
                              D3D12_CLEAR_FLAGS flags, FLOAT depth, UINT8 stencil, UINT count,
                              const D3D12_RECT *rects);

/* The arguments of a call that resolves a subresource (resolve.c). */
struct resolve {
    ID3D12Resource *to;
    UINT to_part, x, y;
    ID3D12Resource *from;
    UINT from_part;
    const D3D12_RECT *rect; /* NULL: the whole source */
    bool is_region;         /* whether the call has a region; false for ResolveSubresource */
    DXGI_FORMAT format;
    D3D12_RESOLVE_MODE mode;
};

/* Records a resolve, or emits a message about a mistake. */
void command_list_resolve(struct d3d12_command_list *list, const struct resolve *resolve,
                          const char *method);

/* Copies a box of the source to (x, y) of the destination. The caller has checked that the box
 * fits. Defined in copy.c. */
struct texture_part;
struct d3d12_resource;
void command_list_copy_texels(struct d3d12_command_list *list, const struct d3d12_resource *to,
                              const struct texture_part *to_part, UINT x, UINT y,
                              const struct d3d12_resource *from,
                              const struct texture_part *from_part, const D3D12_BOX *box);

/* Emits a message if the list is inside a render pass. Defined in pass.c. */
void command_list_check_pass(struct d3d12_command_list *list);

/* Lists the methods, except stubs, with the file of each group. The methods' types come from the
 * table. If a listed method has no definition, the build fails. */
/* clang-format off */
#define COMMAND_LIST_METHODS(M)                                                                    \
    /* recording.c */ M(GetType) M(Close) M(Reset) M(SetMarker) M(BeginEvent) M(EndEvent)          \
        M(SetProtectedResourceSession)                                                             \
    /* work.c */ M(Dispatch) M(DrawInstanced) M(DrawIndexedInstanced) M(ExecuteIndirect)           \
        M(ExecuteBundle)                                                                           \
    /* barrier.c */ M(ResourceBarrier) M(Barrier)                                                  \
    /* copy.c */ M(CopyBufferRegion) M(CopyTextureRegion) M(CopyResource)                          \
    /* clear.c */ M(ClearDepthStencilView) M(ClearRenderTargetView)                                \
        M(ClearUnorderedAccessViewUint) M(ClearUnorderedAccessViewFloat)                           \
    /* resolve.c */ M(ResolveSubresource) M(ResolveSubresourceRegion)                              \
    /* state.c */ M(ClearState) M(SetPipelineState) M(IASetPrimitiveTopology)                      \
        M(IASetIndexBuffer) M(IASetVertexBuffers) M(SOSetTargets) M(RSSetViewports)                \
        M(RSSetScissorRects) M(OMSetBlendFactor) M(OMSetStencilRef) M(OMSetFrontAndBackStencilRef) \
        M(OMSetDepthBounds) M(OMSetRenderTargets) M(SetSamplePositions) M(SetViewInstanceMask)     \
        M(RSSetShadingRate) M(RSSetShadingRateImage)                                               \
    /* root.c */ M(SetComputeRootSignature) M(SetDescriptorHeaps) M(SetGraphicsRootSignature)      \
        M(SetGraphicsRootDescriptorTable) M(SetGraphicsRoot32BitConstants)                         \
        M(SetGraphicsRoot32BitConstant) M(SetGraphicsRootConstantBufferView)                       \
        M(SetGraphicsRootShaderResourceView) M(SetGraphicsRootUnorderedAccessView)                 \
        M(SetComputeRootDescriptorTable) M(SetComputeRoot32BitConstants)                           \
        M(SetComputeRoot32BitConstant) M(SetComputeRootConstantBufferView)                         \
        M(SetComputeRootShaderResourceView) M(SetComputeRootUnorderedAccessView)                   \
    /* memory.c */ M(DiscardResource) M(WriteBufferImmediate)                                      \
    /* pass.c */ M(BeginRenderPass) M(EndRenderPass)                                               \
    /* query.c */ M(BeginQuery) M(EndQuery) M(ResolveQueryData) M(SetPredication)
/* The methods of ID3D12GraphicsCommandList9. */
#define COMMAND_LIST_NEWER_METHODS(M)                                                              \
    /* state.c */ M(RSSetDepthBias) M(IASetIndexBufferStripCutValue)
/* clang-format on */
#define COMMAND_LIST_METHOD(method)                                                                \
    __typeof__(*((list_vtbl *)NULL)->older.method) d3d12_command_list_##method;
COMMAND_LIST_METHODS(COMMAND_LIST_METHOD)
#undef COMMAND_LIST_METHOD
#define COMMAND_LIST_METHOD(method)                                                                \
    __typeof__(*((list_vtbl *)NULL)->method) d3d12_command_list_##method;
COMMAND_LIST_NEWER_METHODS(COMMAND_LIST_METHOD)
#undef COMMAND_LIST_METHOD
