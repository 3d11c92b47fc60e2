/* Makes a device whose memory for markers is nearly full, so that the next markers are dropped. */
#pragma once

#include "kit.h"

enum { KIT_BUDGET = 64 << 20 }; /* of a device that sets none [ANN-LIFE-06] */

/* A spied DRIVER_RETAIL device in which a list of markers leaves room for `room` bytes, or up to
 * 64 KiB less; the spy has forgotten them. One per case. The case needs SPY | LOOKUP. */
ID3D12Device *kit_device_with_room(uint64_t room);
void kit_device_with_room_done(ID3D12Device **device);

annot_device_stats kit_stats(ID3D12Device *device);
