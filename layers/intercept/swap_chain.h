/*
 * DXGI takes the program's queue and returns buffers; both must be wrappers. After the first device
 * is made, the methods for this are replaced in the tables of DXGI's classes, in any library: the
 * system's, DXVK's, a wrapper's. docs/D3D12_LAYER.md has the reason.
 */
#pragma once

/* Called once, after the first device was made. Does nothing without DXGI. */
void swap_chain_open(void);
