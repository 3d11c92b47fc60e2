/* The process's switches, which a device latches when it is created: the debug layer
 * (ID3D12Debug), shader instrumentation (ID3D12Tools) and experimental features. The last two have
 * no effect in the emulator; ID3D12DeviceConfiguration reports them. A device has the
 * layer, and with it ID3D12InfoQueue and ID3D12DebugDevice, when the switch was on at its creation;
 * emu_config.debug_layer and d3dconfig's debug-layer-mode also decide: config.h. Any thread. */
#pragma once

#include "base/com.h"

#include <stdbool.h>

#define SWITCHES_EXPERIMENTAL 2u /* features that are public; none takes a struct */

struct switches {
    bool shader_instrumentation;
    unsigned experimental; /* bit i: switches_experimental_iid(i) */
};

void debug_layer_set(bool on);
bool debug_layer_is_on(void);
void switches_set_instrumentation(bool on);
void switches_set_experimental(unsigned features);
struct switches switches_now(void);

const IID *switches_experimental_iid(unsigned i);
/* The bit of that feature; 0: there is none. */
unsigned switches_experimental_bit(const IID *iid);
