/* The objects that ID3D12VideoDevice makes. */
#ifndef KIT_VIDEO_OBJECT_H
#define KIT_VIDEO_OBJECT_H

#include "kit.h"
#include "kit_object_kind.h"

HRESULT kit_video_object(ID3D12Device *device, enum kit_object_kind kind, void **out);

#endif
