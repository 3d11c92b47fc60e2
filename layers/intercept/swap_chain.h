/*
 * DXGI takes the program's queue and returns buffers: both are our wrappers. Once a device of ours
 * exists, the methods for that are replaced in the tables of DXGI's classes, in any library: the
 * system's, DXVK's, a wrapper's. docs/D3D12_LAYER.md says why.
 */
#pragma once

/* Called once, after the first device was made. Does nothing without DXGI. */
void swap_chain_open(void);
