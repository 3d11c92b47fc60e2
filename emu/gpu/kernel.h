/* The built-in kernels of Dispatch, and the copies of COPY packets, which use the same code. */
#pragma once

#include "gpu/engine_step.h"
#include "gpu/gpu.h"
#include "gpu/packet.h"

#include <emu/emu.h>

/* Returns the kernel that the bytecode names, or 0 for none. The bytecode may be any bytes. */
uint32_t emu_kernel_from_bytecode(const void *bytecode, size_t size);

/* Runs one piece of a dispatch. `limits` are the sizes of destination and source. Beyond these
 * sizes, writes are dropped and reads return 0. `done` counts the bytes of all calls, and must be 0
 * for the first call. After a fault, *fault_address is the address. */
enum emu_engine_status emu_kernel_step(emu_gpu *gpu, const struct emu_packet_dispatch *dispatch,
                                       const uint64_t limits[2], uint64_t *done,
                                       uint64_t *fault_address);

/* Runs one piece of a copy; `done` and `fault_address` are as for emu_kernel_step. */
enum emu_engine_status emu_copy_step(emu_gpu *gpu, const struct emu_packet_copy *copy,
                                     uint64_t *done, uint64_t *fault_address);

/* Runs one step of a fill with a valid unit; `done` and `fault_address` as in emu_kernel_step. */
enum emu_engine_status emu_fill_step(emu_gpu *gpu, const struct emu_packet_fill *fill,
                                     uint64_t *done, uint64_t *fault_address);
