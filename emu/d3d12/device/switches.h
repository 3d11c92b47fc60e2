/* The process's switches for devices that are created from now on, and a device latches:
 * shader instrumentation (ID3D12Tools) and experimental features. None of it changes what the
 * emulator does; ID3D12DeviceConfiguration tells it. Any thread. */
#pragma once

#include "base/com.h"

#include <stdbool.h>

#define SWITCHES_EXPERIMENTAL 2u /* features that are public; none takes a struct */

struct switches {
    bool shader_instrumentation;
    unsigned experimental; /* bit i: switches_experimental_iid(i) */
};

void switches_set_instrumentation(bool on);
void switches_set_experimental(unsigned features);
struct switches switches_now(void);

const IID *switches_experimental_iid(unsigned i);
/* The bit of that feature; 0: there is none. */
unsigned switches_experimental_bit(const IID *iid);
