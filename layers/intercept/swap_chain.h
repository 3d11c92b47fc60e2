/*
 * DXGI is handed the program's queue and hands out buffers: both are ours. Its own methods for that
 * are replaced in the tables of its classes, where a device of ours was made, whatever library it
 * is: the system's, DXVK's, a wrapper's. docs/D3D12_LAYER.md says why.
 */
#pragma once

/* Once, when the first device has been made. Nothing where there is no DXGI. */
void swap_chain_open(void);
