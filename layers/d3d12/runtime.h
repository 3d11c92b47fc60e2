/* The runtime and the adapter of the device, as far as the runtime and the system tell: who reads a
 * dump asks for that first. */
#ifndef D3D12_LAYER_RUNTIME_H
#define D3D12_LAYER_RUNTIME_H

#include "../intercept/d3d12.h"

/* UTF-8; what is not known is empty. */
struct layer_runtime {
    char loaded[320]; /* the one that calls are passed on to: its file and its version */
    char core[320];   /* the same of the library that it loaded for the work: an Agility SDK's */
    /* DXGI's answer, which under Wine may be a card that nobody has. */
    char adapter[160], driver[32];
    char wine[32]; /* its version */
};

void layer_runtime_read(ID3D12Device *device, struct layer_runtime *out);
/* Windows: what DXGI tells of the device's adapter, and Wine of itself. */
void layer_runtime_system(ID3D12Device *device, struct layer_runtime *out);

#endif
