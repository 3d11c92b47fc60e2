/* The built-in kernels, which Dispatch runs, and the copy that COPY packets share with them. */
#pragma once

#include "gpu/engine_step.h"
#include "gpu/gpu.h"
#include "gpu/packet.h"

#include <emu/emu.h>

/* The kernel that the bytecode names; 0: none. Any bytes are allowed. */
uint32_t emu_kernel_from_bytecode(const void *bytecode, size_t size);

/* Runs one piece of a dispatch. `limits` are the sizes of the destination and the source: writes
 * beyond are dropped, and reads beyond return 0. `done` counts bytes from call to call, from 0. A
 * fault sets *fault_address. */
enum emu_engine_status emu_kernel_step(emu_gpu *gpu, const struct emu_packet_dispatch *dispatch,
                                       const uint64_t limits[2], uint64_t *done,
                                       uint64_t *fault_address);

/* Runs one piece of a copy in the same way. */
enum emu_engine_status emu_copy_step(emu_gpu *gpu, const struct emu_packet_copy *copy,
                                     uint64_t *done, uint64_t *fault_address);

/* Runs one piece of a fill with a checked unit in the same way. */
enum emu_engine_status emu_fill_step(emu_gpu *gpu, const struct emu_packet_fill *fill,
                                     uint64_t *done, uint64_t *fault_address);
