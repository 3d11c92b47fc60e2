#include "video/video_list.h"

#include "device/device.h"

VIDEO_LIST_METHODS(d3d12_video_process_list, ID3D12VideoProcessCommandList3)

#include "video/video_process_list_stubs.h"

CONST_VTBL ID3D12VideoProcessCommandList3Vtbl d3d12_video_process_list_vtable = {
    VIDEO_LIST_ENTRIES(d3d12_video_process_list),
    .InitializeExtensionCommand = d3d12_video_process_list_InitializeExtensionCommand,
    .ExecuteExtensionCommand = d3d12_video_process_list_ExecuteExtensionCommand,
    .ProcessFrames = d3d12_video_process_list_ProcessFrames,
    .ProcessFrames1 = d3d12_video_process_list_ProcessFrames1,
};
