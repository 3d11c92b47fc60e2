/* Gives each method of a list a class: work, order, state, or nothing for the GPU. A test fails if
 * a method of the table of calls has no class (tests/intercept/classes.c). Another test fails if
 * the table lacks a method of a header (tests/build/table.sh). */
#pragma once

/* clang-format off */
#define LIST(version)   ID3D12GraphicsCommandList##version
#define ASYNC           ID3D12CommandListAsyncCommands
#define DECODE(version) ID3D12VideoDecodeCommandList##version
#define PROCESS(version) ID3D12VideoProcessCommandList##version
#define ENCODE(version) ID3D12VideoEncodeCommandList##version

/* Methods that do work: F(interface, name, D3D12_AUTO_BREADCRUMB_OP, enum list_work or INDIRECT, roles of the call's objects in their order). Role 0 means that an object has no role. Waits count as work, because a wait can hang. Older headers lack the numbers of some operations (lib/reader/breadcrumb_op.c). */
#define LIST_WORK(F)                                                                               \
    F(LIST(), DrawInstanced, 3, LIST_WORK_DRAW, 0)                                                 \
    F(LIST(), DrawIndexedInstanced, 4, LIST_WORK_DRAW_INDEXED, 0)                                  \
    F(LIST(), ExecuteIndirect, 5, INDIRECT, 0, ANNOT_BOUND_ARGUMENTS, ANNOT_BOUND_COUNTS)          \
    F(LIST(), Dispatch, 6, LIST_WORK_DISPATCH, 0)                                                  \
    F(LIST(), CopyBufferRegion, 7, OTHER, ANNOT_BOUND_DESTINATION, ANNOT_BOUND_SOURCE)             \
    F(LIST(), CopyTextureRegion, 8, OTHER, 0)                                                      \
    F(LIST(), CopyResource, 9, OTHER, ANNOT_BOUND_DESTINATION, ANNOT_BOUND_SOURCE)                 \
    F(LIST(), CopyTiles, 10, OTHER, 0)                                                             \
    F(LIST(), ResolveSubresource, 11, OTHER, 0)                                                    \
    F(LIST(), ClearRenderTargetView, 12, OTHER, 0)                                                 \
    F(LIST(), ClearUnorderedAccessViewUint, 13, OTHER, ANNOT_BOUND_DESTINATION)                    \
    F(LIST(), ClearUnorderedAccessViewFloat, 13, OTHER, ANNOT_BOUND_DESTINATION)                   \
    F(LIST(), ClearDepthStencilView, 14, OTHER, 0)                                                 \
    F(LIST(), ResolveQueryData, 18, OTHER, 0, ANNOT_BOUND_DESTINATION)                             \
    F(LIST(1), AtomicCopyBufferUINT, 23, OTHER, ANNOT_BOUND_DESTINATION, ANNOT_BOUND_SOURCE)       \
    F(LIST(1), AtomicCopyBufferUINT64, 24, OTHER, ANNOT_BOUND_DESTINATION, ANNOT_BOUND_SOURCE)     \
    F(LIST(1), ResolveSubresourceRegion, 25, OTHER, 0)                                             \
    F(LIST(4), BuildRaytracingAccelerationStructure, 31, OTHER, 0)                                 \
    F(LIST(4), EmitRaytracingAccelerationStructurePostbuildInfo, 32, OTHER, 0)                     \
    F(LIST(4), CopyRaytracingAccelerationStructure, 33, OTHER, 0)                                  \
    F(LIST(4), DispatchRays, 34, LIST_WORK_RAYS, 0)                                                \
    F(LIST(4), InitializeMetaCommand, 35, OTHER, 0)                                                \
    F(LIST(4), ExecuteMetaCommand, 36, OTHER, 0)                                                   \
    F(LIST(6), DispatchMesh, 42, LIST_WORK_MESH, 0)                                                \
    F(LIST(10), DispatchGraph, 47, OTHER, 0)                                                       \
    F(LIST(11), WaitBarrier, 54, OTHER, 0)                                                         \
    F(LIST(Preview), ConvertLinearAlgebraMatrix, 56, OTHER, 0)                                     \
    F(LIST(Ext), LaunchCubinShader, ANNOT_KIND_UNKNOWN, OTHER, 0)                                  \
    F(LIST(Ext1), LaunchCubinShaderEx, ANNOT_KIND_UNKNOWN, OTHER, 0)                               \
    F(ASYNC, CopyBufferRegions, 57, OTHER, 0)                                                      \
    F(ASYNC, CopyTextureRegions, 58, OTHER, 0)                                                     \
    F(ASYNC, CopyResources, 59, OTHER, 0)                                                          \
    F(ASYNC, CopyTilesAsync, 60, OTHER, 0)                                                         \
    F(ASYNC, ResolveSubresourceRegionAsync, 61, OTHER, 0)                                          \
    F(ASYNC, ResolveQueryDataAsync, 62, OTHER, 0, ANNOT_BOUND_DESTINATION)                         \
    F(ASYNC, ClearBoundDepthStencilView, 63, OTHER, 0)                                             \
    F(ASYNC, ClearBoundRenderTargetViews, 64, OTHER, 0)                                            \
    F(ASYNC, ClearTextureSubresources, 65, OTHER, 0)                                               \
    F(ASYNC, FillBuffers, 66, OTHER, 0)                                                            \
    F(ID3D12CommandListFenceBarriers, WaitBarrier, 54, OTHER, 0)                                   \
    F(DECODE(), ResolveQueryData, 18, OTHER, 0, ANNOT_BOUND_DESTINATION)                           \
    F(DECODE(), DecodeFrame, 21, OTHER, 0)                                                         \
    F(DECODE(1), DecodeFrame1, 27, OTHER, 0)                                                       \
    F(DECODE(2), InitializeExtensionCommand, 40, OTHER, 0)                                         \
    F(DECODE(2), ExecuteExtensionCommand, 41, OTHER, 0)                                            \
    F(DECODE(4), WaitBarrier, 54, OTHER, 0)                                                        \
    F(PROCESS(), ResolveQueryData, 18, OTHER, 0, ANNOT_BOUND_DESTINATION)                          \
    F(PROCESS(), ProcessFrames, 22, OTHER, 0)                                                      \
    F(PROCESS(1), ProcessFrames1, 30, OTHER, 0)                                                    \
    F(PROCESS(2), InitializeExtensionCommand, 40, OTHER, 0)                                        \
    F(PROCESS(2), ExecuteExtensionCommand, 41, OTHER, 0)                                           \
    F(PROCESS(4), WaitBarrier, 54, OTHER, 0)                                                       \
    F(PROCESS(5), ProcessFrames2, 52, OTHER, 0)                                                    \
    F(ENCODE(), ResolveQueryData, 18, OTHER, 0, ANNOT_BOUND_DESTINATION)                           \
    F(ENCODE(), EstimateMotion, 37, OTHER, 0)                                                      \
    F(ENCODE(), ResolveMotionVectorHeap, 38, OTHER, 0)                                             \
    F(ENCODE(1), InitializeExtensionCommand, 40, OTHER, 0)                                         \
    F(ENCODE(1), ExecuteExtensionCommand, 41, OTHER, 0)                                            \
    F(ENCODE(2), EncodeFrame, 43, OTHER, 0)                                                        \
    F(ENCODE(2), ResolveEncoderOutputMetadata, 44, OTHER, 0)                                       \
    F(ENCODE(4), EncodeFrame1, 49, OTHER, 0)                                                       \
    F(ENCODE(4), ResolveEncoderOutputMetadata1, 50, OTHER, 0)                                      \
    F(ENCODE(4), ResolveInputParamLayout, 51, OTHER, 0)                                            \
    F(ENCODE(5), WaitBarrier, 54, OTHER, 0)

/* Methods of the class "order" that all types of lists have. */
#define LIST_ORDER_OF(F, I)                                                                        \
    F(I, ResourceBarrier) F(I, DiscardResource) F(I, BeginQuery) F(I, EndQuery)                    \
    F(I, SetPredication) F(I, SetMarker) F(I, BeginEvent) F(I, EndEvent)
#define LIST_NONE_OF(F, I) F(I, Close) F(I, Reset)

/* The class "order": methods that delay, contain or count work. */
#define LIST_ORDER(F)                                                                              \
    LIST_ORDER_OF(F, LIST()) F(LIST(), ExecuteBundle)                                              \
    F(LIST(2), WriteBufferImmediate) F(LIST(3), SetProtectedResourceSession)                       \
    F(LIST(4), BeginRenderPass) F(LIST(4), EndRenderPass) F(LIST(7), Barrier)                      \
    F(LIST(11), SignalBarrier) F(ID3D12CommandListFenceBarriers, SignalBarrier)                    \
    LIST_ORDER_OF(F, DECODE()) F(DECODE(), WriteBufferImmediate)                                   \
    F(DECODE(2), SetProtectedResourceSession) F(DECODE(3), Barrier) F(DECODE(4), SignalBarrier)    \
    LIST_ORDER_OF(F, PROCESS()) F(PROCESS(), WriteBufferImmediate)                                 \
    F(PROCESS(2), SetProtectedResourceSession) F(PROCESS(3), Barrier)                              \
    F(PROCESS(4), SignalBarrier)                                                                   \
    LIST_ORDER_OF(F, ENCODE()) F(ENCODE(), WriteBufferImmediate)                                   \
    F(ENCODE(), SetProtectedResourceSession) F(ENCODE(3), Barrier) F(ENCODE(5), SignalBarrier)

/* The class "state": methods that set state for later work. */
#define LIST_STATE(F)                                                                              \
    F(LIST(), ClearState) F(LIST(), IASetPrimitiveTopology) F(LIST(), RSSetViewports)              \
    F(LIST(), RSSetScissorRects) F(LIST(), OMSetBlendFactor) F(LIST(), OMSetStencilRef)            \
    F(LIST(), SetPipelineState) F(LIST(), SetDescriptorHeaps)                                      \
    F(LIST(), SetComputeRootSignature) F(LIST(), SetGraphicsRootSignature)                         \
    F(LIST(), SetComputeRootDescriptorTable) F(LIST(), SetGraphicsRootDescriptorTable)             \
    F(LIST(), SetComputeRoot32BitConstant) F(LIST(), SetGraphicsRoot32BitConstant)                 \
    F(LIST(), SetComputeRoot32BitConstants) F(LIST(), SetGraphicsRoot32BitConstants)               \
    F(LIST(), SetComputeRootConstantBufferView) F(LIST(), SetGraphicsRootConstantBufferView)       \
    F(LIST(), SetComputeRootShaderResourceView) F(LIST(), SetGraphicsRootShaderResourceView)       \
    F(LIST(), SetComputeRootUnorderedAccessView) F(LIST(), SetGraphicsRootUnorderedAccessView)     \
    F(LIST(), IASetIndexBuffer) F(LIST(), IASetVertexBuffers) F(LIST(), SOSetTargets)              \
    F(LIST(), OMSetRenderTargets) F(LIST(1), OMSetDepthBounds) F(LIST(1), SetSamplePositions)      \
    F(LIST(1), SetViewInstanceMask) F(LIST(4), SetPipelineState1) F(LIST(5), RSSetShadingRate)     \
    F(LIST(5), RSSetShadingRateImage) F(LIST(8), OMSetFrontAndBackStencilRef)                      \
    F(LIST(9), RSSetDepthBias) F(LIST(9), IASetIndexBufferStripCutValue) F(LIST(10), SetProgram)   \
    F(LIST(Preview), SetWorkGraphMaximumGPUInputRecords) F(DECODE(), ClearState)                   \
    F(PROCESS(), ClearState) F(ENCODE(), ClearState)

/* The class of methods that give the GPU no work. */
#define LIST_NONE(F)                                                                               \
    F(ID3D12CommandList, GetType)                                                                  \
    LIST_NONE_OF(F, LIST()) LIST_NONE_OF(F, DECODE()) LIST_NONE_OF(F, PROCESS())                   \
    LIST_NONE_OF(F, ENCODE())                                                                      \
    F(LIST(Ext), GetVulkanHandle) F(LIST(Ext2), VerifyOpacityMicromapArrayNVAPI)

/* clang-format on */
