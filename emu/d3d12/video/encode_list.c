#include "video/video_list.h"

#include "device/device.h"

VIDEO_LIST_METHODS(d3d12_video_encode_list, ID3D12VideoEncodeCommandList3)

#include "video/video_encode_list_stubs.h"

CONST_VTBL ID3D12VideoEncodeCommandList3Vtbl d3d12_video_encode_list_vtable = {
    VIDEO_LIST_ENTRIES(d3d12_video_encode_list),
    .InitializeExtensionCommand = d3d12_video_encode_list_InitializeExtensionCommand,
    .ExecuteExtensionCommand = d3d12_video_encode_list_ExecuteExtensionCommand,
    .EstimateMotion = d3d12_video_encode_list_EstimateMotion,
    .ResolveMotionVectorHeap = d3d12_video_encode_list_ResolveMotionVectorHeap,
    .EncodeFrame = d3d12_video_encode_list_EncodeFrame,
    .ResolveEncoderOutputMetadata = d3d12_video_encode_list_ResolveEncoderOutputMetadata,
};
