/* Performs CheckFeatureSupport for D3D12_FEATURE_FORMAT_SUPPORT, _FORMAT_INFO and
 * _MULTISAMPLE_QUALITY_LEVELS. */
#pragma once

#include "base/com.h"

/* `answer` is the feature's D3D12_FEATURE_DATA struct. A failed call leaves `answer` unchanged. */
HRESULT format_support(void *answer);
HRESULT format_info(void *answer);
HRESULT format_quality_levels(void *answer);
