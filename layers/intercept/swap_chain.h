/* Gives the runtime's queue to DXGI, and gives wrappers of DXGI's buffers to the program. To do so,
 * it replaces methods in the tables of DXGI's classes after the first device is made, whichever
 * library has these tables. docs/D3D12_LAYER.md has the reason. */
#pragma once

/* Called once, after the first device was made. Does nothing without DXGI. */
void swap_chain_open(void);
