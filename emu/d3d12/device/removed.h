/* Handles the removal of a device: writes the dump and tells the application. */
#pragma once

#include "kmd/kmd.h"

/* Implements emu_kmd_desc.removed. */
void d3d12_device_removed(void *device, const struct emu_kmd_removal *removal);
