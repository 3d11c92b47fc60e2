/* The methods of ID3D12GraphicsCommandList that are operations: D3D12_AUTO_BREADCRUMB_OP has a name
 * for each. Lists with breadcrumbs or times have functions of their own for all of these, so that a
 * method that is added here and not there does not compile. */
#ifndef D3D12_OPERATIONS_H
#define D3D12_OPERATIONS_H

/* clang-format off */
#define COMMAND_LIST_OPERATION_ENTRIES(noun) \
    .DrawInstanced = noun##_DrawInstanced, \
    .DrawIndexedInstanced = noun##_DrawIndexedInstanced, \
    .Dispatch = noun##_Dispatch, \
    .CopyBufferRegion = noun##_CopyBufferRegion, \
    .CopyTextureRegion = noun##_CopyTextureRegion, \
    .CopyResource = noun##_CopyResource, \
    .CopyTiles = noun##_CopyTiles, \
    .ResolveSubresource = noun##_ResolveSubresource, \
    .ResourceBarrier = noun##_ResourceBarrier, \
    .ExecuteBundle = noun##_ExecuteBundle, \
    .ClearDepthStencilView = noun##_ClearDepthStencilView, \
    .ClearRenderTargetView = noun##_ClearRenderTargetView, \
    .ClearUnorderedAccessViewUint = noun##_ClearUnorderedAccessViewUint, \
    .ClearUnorderedAccessViewFloat = noun##_ClearUnorderedAccessViewFloat, \
    .ResolveQueryData = noun##_ResolveQueryData, \
    .SetMarker = noun##_SetMarker, \
    .BeginEvent = noun##_BeginEvent, \
    .EndEvent = noun##_EndEvent, \
    .ExecuteIndirect = noun##_ExecuteIndirect, \
    .AtomicCopyBufferUINT = noun##_AtomicCopyBufferUINT, \
    .AtomicCopyBufferUINT64 = noun##_AtomicCopyBufferUINT64, \
    .ResolveSubresourceRegion = noun##_ResolveSubresourceRegion, \
    .WriteBufferImmediate = noun##_WriteBufferImmediate, \
    .SetProtectedResourceSession = noun##_SetProtectedResourceSession, \
    .SetPipelineState1 = noun##_SetPipelineState1, \
    .DispatchRays = noun##_DispatchRays, \
    .DispatchMesh = noun##_DispatchMesh, \
    .Barrier = noun##_Barrier
/* clang-format on */

#endif
