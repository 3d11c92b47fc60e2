/* On Windows only: reads the device's adapter, as DXGI describes it, and Wine's version. */
#pragma once

#include "../intercept/d3d12.h"

/* All texts are UTF-8. If a value is not known, layer_adapter_read leaves its member unchanged. */
struct layer_adapter {
    char name[160], driver[32]; /* the adapter's name and driver, which Wine may have made up */
    char wine[32];              /* Wine's version */
};

void layer_adapter_read(ID3D12Device *device, struct layer_adapter *out);
