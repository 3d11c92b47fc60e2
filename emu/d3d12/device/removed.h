/* Handles a removal: writes the dump and tells the application. */
#ifndef D3D12_REMOVED_H
#define D3D12_REMOVED_H

#include "kmd/kmd.h"

/* emu_kmd_desc.removed. */
void d3d12_device_removed(void *device, const struct emu_kmd_removal *removal);

#endif
