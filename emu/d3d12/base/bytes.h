/* Functions that read parts of a blob within bounds, write or only count bytes, and hash bytes.
 * Numbers are little-endian. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct bytes {
    const unsigned char *data;
    size_t size;
};

/* Reads the number at `offset`. Returns false if some of the number's bytes are missing. */
static inline bool bytes_u32(struct bytes bytes, size_t offset, uint32_t *out)
{
    if (offset > bytes.size || bytes.size - offset < 4)
        return false;
    const unsigned char *p = bytes.data + offset;
    *out = (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
    return true;
}

/* Gets the `length` bytes at `offset`. Returns false if some of these bytes are missing. */
static inline bool bytes_part(struct bytes bytes, size_t offset, size_t length, struct bytes *out)
{
    if (offset > bytes.size || bytes.size - offset < length)
        return false;
    *out = (struct bytes){bytes.data + offset, length};
    return true;
}

/* A writer appends bytes to `data`. If `data` is NULL, it only counts, to find the size. */
struct byte_writer {
    unsigned char *data;
    size_t size;
};

static inline void put_u32(struct byte_writer *writer, uint32_t value)
{
    if (writer->data)
        for (unsigned i = 0; i < 4; i++)
            writer->data[writer->size + i] = (unsigned char)(value >> 8 * i);
    writer->size += 4;
}

static inline void put_words(struct byte_writer *writer, const void *from, size_t count)
{
    uint32_t word;
    for (size_t i = 0; i < count; i++) {
        memcpy(&word, (const unsigned char *)from + i * 4, sizeof word);
        put_u32(writer, word);
    }
}

#define PUT_U32(writer, ...)                                                                       \
    put_words(writer, (const uint32_t[]){__VA_ARGS__},                                             \
              sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/* Overwrites the number at `at`, which the writer first wrote as 0. */
static inline void patch_u32(struct byte_writer *writer, size_t at, size_t value)
{
    struct byte_writer there = {writer->data, at};
    put_u32(&there, (uint32_t)value);
}

/* FNV-1a. */
#define HASH_BEGIN UINT64_C(0xcbf29ce484222325)

static inline uint64_t hash_bytes(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *p = data;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
    return hash;
}
