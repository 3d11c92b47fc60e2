/* Code that the encoder and the decoder of arguments share. */
#pragma once

#include <stdint.h>
#include <string.h>

#define BYTES_MAX ((size_t)1 << 30) /* limit of one call's data in bytes */

static inline size_t padded(size_t size)
{
    return (size + 7) & ~(size_t)7;
}

static inline uint64_t load(const void *memory, uint32_t size)
{
    uint64_t value = 0;
    if (size == sizeof(uint32_t)) /* 4 bytes are frequent, and copied without a function call */
        memcpy(&value, memory, sizeof(uint32_t));
    else
        memcpy(&value, memory, size < 8 ? size : 8);
    return value;
}

static inline void store(void *memory, uint64_t word)
{
    memcpy(memory, &word, sizeof word);
}

static inline void *pointer(uint64_t word)
{
    return (void *)(uintptr_t)word;
}
