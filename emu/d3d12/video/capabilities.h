/* Decides which parameters video objects accept. CheckFeatureSupport reports these parameters. */
#pragma once

#include "base/com.h"

bool video_decodes(const D3D12_VIDEO_DECODE_CONFIGURATION *configuration);
bool video_format(DXGI_FORMAT format);
bool video_size(UINT width, UINT height);
bool video_size_range(const D3D12_VIDEO_SIZE_RANGE *range);
bool video_encodes(D3D12_VIDEO_ENCODER_CODEC codec,
                   const D3D12_VIDEO_ENCODER_PROFILE_DESC *profile);
#define VIDEO_MAX_WIDTH  8192u
#define VIDEO_MAX_HEIGHT 8192u
#define VIDEO_MAX_INPUTS 8u /* limit of a video processor's input streams */

/* Performs GetProtectedResourceSession for video objects, which never have a session. */
HRESULT video_no_session(void **out);
