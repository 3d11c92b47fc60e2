/* Gives the runtime's queue to DXGI, and wrappers of DXGI's buffers to the program. After the first
 * device was made, this code replaces methods in the tables of DXGI's classes, whichever library
 * has these tables. docs/D3D12_LAYER.md has the reason. */
#pragma once

/* Called once, when the first device was made. Does nothing if the process has no DXGI. */
void swap_chain_open(void);
