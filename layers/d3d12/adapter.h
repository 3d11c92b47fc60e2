/* The device's adapter by DXGI, and Wine's version; on Windows only. */
#pragma once

#include "../intercept/d3d12.h"

/* All texts are UTF-8. layer_adapter_read leaves a member unchanged if its value is not known. */
struct layer_adapter {
    char name[160], driver[32]; /* under Wine this may be a card that doesn't exist */
    char wine[32];              /* its version */
};

void layer_adapter_read(ID3D12Device *device, struct layer_adapter *out);
