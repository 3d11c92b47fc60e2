/* Names the calls that leave breadcrumbs, by D3D12_AUTO_BREADCRUMB_OP. D3D12_MARKER_API has the
 * same numbers, published up to 66 in the header 1.721.1; 255 is NONE. */
#include <annot/evidence.h>
#include <annot/reader.h>

static const char *const names[] = {
    "SetMarker",
    "BeginEvent",
    "EndEvent",
    "DrawInstanced",
    "DrawIndexedInstanced",
    "ExecuteIndirect",
    "Dispatch",
    "CopyBufferRegion",
    "CopyTextureRegion",
    "CopyResource",
    "CopyTiles",
    "ResolveSubresource",
    "ClearRenderTargetView",
    "ClearUnorderedAccessView",
    "ClearDepthStencilView",
    "ResourceBarrier",
    "ExecuteBundle",
    "Present",
    "ResolveQueryData",
    "BeginSubmission",
    "EndSubmission",
    "DecodeFrame",
    "ProcessFrames",
    "AtomicCopyBufferUINT",
    "AtomicCopyBufferUINT64",
    "ResolveSubresourceRegion",
    "WriteBufferImmediate",
    "DecodeFrame1",
    "SetProtectedResourceSession",
    "DecodeFrame2",
    "ProcessFrames1",
    "BuildRaytracingAccelerationStructure",
    "EmitRaytracingAccelerationStructurePostbuildInfo",
    "CopyRaytracingAccelerationStructure",
    "DispatchRays",
    "InitializeMetaCommand",
    "ExecuteMetaCommand",
    "EstimateMotion",
    "ResolveMotionVectorHeap",
    "SetPipelineState1",
    "InitializeExtensionCommand",
    "ExecuteExtensionCommand",
    "DispatchMesh",
    "EncodeFrame",
    "ResolveEncoderOutputMetadata",
    "Barrier",
    "BeginCommandList",
    "DispatchGraph",
    "SetProgram",
    "EncodeFrame1",
    "ResolveEncoderOutputMetadata1",
    "ResolveInputParamLayout",
    "ProcessFrames2",
    "SetWorkGraphMaximumGPUInputRecords",
    "WaitBarrier",
    "SignalBarrier",
    "ConvertLinearAlgebraMatrix",
    "CopyBufferRegions",
    "CopyTextureRegions",
    "CopyResources",
    "AsyncCopyTiles",
    "AsyncResolveSubresourceRegion",
    "AsyncResolveQueryData",
    "ClearBoundDepthStencilView",
    "ClearBoundRenderTargetViews",
    "ClearTextureSubresources",
    "FillBuffers",
};
enum { NONE = 255 };

const char *annot_breadcrumb_op_text(uint32_t op)
{
    if (op == NONE)
        return "NONE";
    if (op == ANNOT_KIND_WAIT)
        return "WaitEvents";
    if (op == ANNOT_KIND_UNKNOWN)
        return "unknown command";
    return op < sizeof names / sizeof *names ? names[op] : NULL;
}
