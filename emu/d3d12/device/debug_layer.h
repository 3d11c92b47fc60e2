/* The process's switch of the debug layer, which ID3D12Debug sets. A device has the layer, and with
 * it ID3D12InfoQueue and ID3D12DebugDevice, when the switch was on at its creation;
 * emu_config.debug_layer and d3dconfig's debug-layer-mode also decide: config.h. */
#pragma once

#include <stdbool.h>

/* Any thread. */
void debug_layer_set(bool on);
bool debug_layer_is_on(void);
