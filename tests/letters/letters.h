/* One side of the program, compiled once for each letter of ID3D12DeviceTools2. */
#pragma once

struct ID3D12Device;

/* NULL: as the letter has it. Else what isn't so. Afterwards the mode is DRIVER_RETAIL if `is_on`,
 * else RUNTIME_ONLY. */
const char *published_set(struct ID3D12Device *device, int is_on);
const char *specified_set(struct ID3D12Device *device, int is_on);
