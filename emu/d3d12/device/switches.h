/* The switch of the process's debug layer (ID3D12Debug). A device has the layer, with
 * ID3D12InfoQueue and ID3D12DebugDevice, if the switch was on when the device was created.
 * emu_config.debug_layer and d3dconfig's debug-layer-mode also decide (config.h). Any thread may
 * call the functions. */
#pragma once

#include <stdbool.h>

void debug_layer_set(bool on);
bool debug_layer_is_on(void);
