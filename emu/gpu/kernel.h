/*
 * The built-in kernels: what Dispatch runs, and the copy that COPY packets share with them.
 */
#pragma once

#include "gpu/engine_step.h"
#include "gpu/gpu.h"
#include "gpu/packet.h"

#include <emu/emu.h>

/* The kernel that this bytecode names; 0: it names none. Any bytes are allowed. */
uint32_t emu_kernel_from_bytecode(const void *bytecode, size_t size);

/* One piece of a dispatch. `limits`: how many bytes the destination and the source have. Writes
 * beyond are dropped, and reads beyond return 0. `done` counts bytes from call to call, 0 at first.
 * On a fault *fault_address is set. */
enum emu_engine_status emu_kernel_step(emu_gpu *gpu, const struct emu_packet_dispatch *dispatch,
                                       const uint64_t limits[2], uint64_t *done,
                                       uint64_t *fault_address);

/* One piece of a copy, likewise. */
enum emu_engine_status emu_copy_step(emu_gpu *gpu, const struct emu_packet_copy *copy,
                                     uint64_t *done, uint64_t *fault_address);

/* One piece of a fill whose unit was checked, likewise. */
enum emu_engine_status emu_fill_step(emu_gpu *gpu, const struct emu_packet_fill *fill,
                                     uint64_t *done, uint64_t *fault_address);
