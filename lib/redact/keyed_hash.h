/* SipHash-2-4 (Aumasson, Bernstein, 2012). Only someone who has the key can compute or check a
 * hash. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct annot__key {
    uint64_t halves[2];
};

/* Makes a key from the 16 bytes at `bytes`. */
struct annot__key annot__key_from(const unsigned char *bytes);
uint64_t annot__keyed_hash(const struct annot__key *key, const void *data, size_t size);
