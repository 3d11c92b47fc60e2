/* Functions that encoding and decoding of arguments share. */
#pragma once

#include <stdint.h>
#include <string.h>

#define BYTES_MAX ((size_t)1 << 30) /* limit of the bytes of one call's data */

static inline size_t padded(size_t size)
{
    return (size + 7) & ~(size_t)7;
}

static inline uint64_t load(const void *memory, uint32_t size)
{
    uint64_t value = 0;
    if (size == sizeof(uint32_t)) /* fast path: most numbers have 4 bytes, and a copy of 4 bytes
                                     needs no function call */
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
