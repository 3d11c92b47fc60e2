/* Answers D3D12_FEATURE_FORMAT_SUPPORT, _FORMAT_INFO and _MULTISAMPLE_QUALITY_LEVELS for a
 * format. */
#pragma once

#include "base/com.h"

/* Each function fills in `answer`, the feature's D3D12_FEATURE_DATA struct; a failure writes
 * nothing.
 */
HRESULT format_support(void *answer);
HRESULT format_info(void *answer);
HRESULT format_quality_levels(void *answer);
