/* The built-in kernels for Dispatch, and the copy that they share with COPY packets. */
#pragma once

#include "gpu/engine_step.h"
#include "gpu/gpu.h"
#include "gpu/packet.h"

#include <emu/emu.h>

/* Returns the kernel that the bytecode names, or 0 for no kernel. Any bytes are allowed. */
uint32_t emu_kernel_from_bytecode(const void *bytecode, size_t size);

/* Runs one piece of a dispatch. `limits` are the sizes of destination and source: past these sizes,
 * writes are dropped and reads return 0. `done` counts the bytes of all calls, and must first be 0.
 * After a fault, *fault_address is the address. */
enum emu_engine_status emu_kernel_step(emu_gpu *gpu, const struct emu_packet_dispatch *dispatch,
                                       const uint64_t limits[2], uint64_t *done,
                                       uint64_t *fault_address);

/* Runs one piece of a copy, with `done` and `fault_address` as in emu_kernel_step. */
enum emu_engine_status emu_copy_step(emu_gpu *gpu, const struct emu_packet_copy *copy,
                                     uint64_t *done, uint64_t *fault_address);

/* Runs one piece of a fill whose unit was checked, in the same way as emu_kernel_step. */
enum emu_engine_status emu_fill_step(emu_gpu *gpu, const struct emu_packet_fill *fill,
                                     uint64_t *done, uint64_t *fault_address);
