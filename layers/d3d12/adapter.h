/* The device's adapter as DXGI describes it, and Wine's version; on Windows only. */
#pragma once

#include "../intercept/d3d12.h"

/* All texts are UTF-8. If a value is not known, layer_adapter_read leaves its member unchanged. */
struct layer_adapter {
    char name[160], driver[32]; /* under Wine, this adapter may be a card that doesn't exist */
    char wine[32];              /* Wine's version */
};

void layer_adapter_read(ID3D12Device *device, struct layer_adapter *out);
