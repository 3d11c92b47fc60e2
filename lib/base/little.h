/* Reads and writes a little-endian integer at any address, with one load or store. */
#pragma once

#include <stdint.h>

static inline uint32_t annot__little_u32(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline uint64_t annot__little_u64(const uint8_t *at)
{
    return (uint64_t)annot__little_u32(at) | (uint64_t)annot__little_u32(at + 4) << 32;
}
