/* Reads, on Windows only, DXGI's description of the device's adapter, and Wine's version. */
#pragma once

#include "../intercept/d3d12.h"

/* What is known of an adapter, in UTF-8. layer_adapter_read leaves unknown members unchanged. */
struct layer_adapter {
    char name[160], driver[32]; /* the adapter's name and driver, which Wine may have invented */
    char wine[32];              /* Wine's version */
};

void layer_adapter_read(ID3D12Device *device, struct layer_adapter *out);
