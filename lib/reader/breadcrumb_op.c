/* Names the calls that leave breadcrumbs, by D3D12_AUTO_BREADCRUMB_OP. D3D12_MARKER_API has the
 * same numbers, published up to 66 in the header 1.721.1; 255 is NONE. */
#include "base/search.h"

#include <annot/evidence.h>
#include <annot/reader.h>

static const char names[] =
    "SetMarker\0BeginEvent\0EndEvent\0DrawInstanced\0DrawIndexedInstanced\0ExecuteIndirect\0"
    "Dispatch\0CopyBufferRegion\0CopyTextureRegion\0CopyResource\0CopyTiles\0ResolveSubresource\0"
    "ClearRenderTargetView\0ClearUnorderedAccessView\0ClearDepthStencilView\0ResourceBarrier\0"
    "ExecuteBundle\0Present\0ResolveQueryData\0BeginSubmission\0EndSubmission\0DecodeFrame\0"
    "ProcessFrames\0AtomicCopyBufferUINT\0AtomicCopyBufferUINT64\0ResolveSubresourceRegion\0"
    "WriteBufferImmediate\0DecodeFrame1\0SetProtectedResourceSession\0DecodeFrame2\0"
    "ProcessFrames1\0BuildRaytracingAccelerationStructure\0"
    "EmitRaytracingAccelerationStructurePostbuildInfo\0CopyRaytracingAccelerationStructure\0"
    "DispatchRays\0InitializeMetaCommand\0ExecuteMetaCommand\0EstimateMotion\0"
    "ResolveMotionVectorHeap\0SetPipelineState1\0InitializeExtensionCommand\0"
    "ExecuteExtensionCommand\0DispatchMesh\0EncodeFrame\0ResolveEncoderOutputMetadata\0Barrier\0"
    "BeginCommandList\0DispatchGraph\0SetProgram\0EncodeFrame1\0ResolveEncoderOutputMetadata1\0"
    "ResolveInputParamLayout\0ProcessFrames2\0SetWorkGraphMaximumGPUInputRecords\0WaitBarrier\0"
    "SignalBarrier\0ConvertLinearAlgebraMatrix\0CopyBufferRegions\0CopyTextureRegions\0"
    "CopyResources\0AsyncCopyTiles\0AsyncResolveSubresourceRegion\0AsyncResolveQueryData\0"
    "ClearBoundDepthStencilView\0ClearBoundRenderTargetViews\0ClearTextureSubresources\0"
    "FillBuffers";
enum { NONE = 255 };

const char *annot_breadcrumb_op_text(uint32_t op)
{
    if (op == NONE)
        return "NONE";
    if (op == ANNOT_KIND_WAIT)
        return "WaitEvents";
    if (op == ANNOT_KIND_UNKNOWN)
        return "unknown command";
    return ANNOT__WORD_AT(names, op);
}
