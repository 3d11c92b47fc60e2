/* The objects that ID3D12VideoDevice makes. */
#pragma once

#include "kit.h"
#include "kit_object_kind.h"

HRESULT kit_video_object(ID3D12Device *device, enum kit_object_kind kind, void **out);
