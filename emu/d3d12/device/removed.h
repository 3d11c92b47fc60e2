/* The end of a device: its dump, and what the application is told. */
#ifndef D3D12_REMOVED_H
#define D3D12_REMOVED_H

#include "kmd/kmd.h"

/* emu_kmd_desc.removed. */
void d3d12_device_removed(void *device, const emu_kmd_removal *removal);

#endif
