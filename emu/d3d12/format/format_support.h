/* The answers of D3D12_FEATURE_FORMAT_SUPPORT, _FORMAT_INFO and _MULTISAMPLE_QUALITY_LEVELS for a
 * format. */
#pragma once

#include "base/com.h"

/* Each fills in the answer, or fails without having written anything. */
HRESULT format_support(D3D12_FEATURE_DATA_FORMAT_SUPPORT *data);
HRESULT format_info(D3D12_FEATURE_DATA_FORMAT_INFO *data);
HRESULT format_quality_levels(D3D12_FEATURE_DATA_MULTISAMPLE_QUALITY_LEVELS *data);
