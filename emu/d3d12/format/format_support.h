/* The answers of D3D12_FEATURE_FORMAT_SUPPORT, _FORMAT_INFO and _MULTISAMPLE_QUALITY_LEVELS for a
 * format. */
#pragma once

#include "base/com.h"

/* Each fills in `answer`, which is its D3D12_FEATURE_DATA struct. If it fails, it writes nothing.
 */
HRESULT format_support(void *answer);
HRESULT format_info(void *answer);
HRESULT format_quality_levels(void *answer);
