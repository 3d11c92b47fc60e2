#include "video/video_list.h"

#include "device/device.h"

VIDEO_LIST_METHODS(d3d12_video_decode_list, ID3D12VideoDecodeCommandList3)

#include "video/video_decode_list_stubs.h"

CONST_VTBL ID3D12VideoDecodeCommandList3Vtbl d3d12_video_decode_list_vtable = {
    VIDEO_LIST_ENTRIES(d3d12_video_decode_list),
    .InitializeExtensionCommand = d3d12_video_decode_list_InitializeExtensionCommand,
    .ExecuteExtensionCommand = d3d12_video_decode_list_ExecuteExtensionCommand,
    .DecodeFrame = d3d12_video_decode_list_DecodeFrame,
    .DecodeFrame1 = d3d12_video_decode_list_DecodeFrame1,
};
