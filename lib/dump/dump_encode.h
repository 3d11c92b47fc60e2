/* Encodes a struct of the host into a record's fixed part. Each record of dump_format.h has a
 * function, for example annot__put_DEVICE. dump_decode.h decodes records. */
#pragma once

#include "dump/dump_format.h"

#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define ANNOT__LITTLE_ENDIAN(bits, value) __builtin_bswap##bits(value)
#else
#define ANNOT__LITTLE_ENDIAN(bits, value) (value)
#endif

/* Makes a function that stores a little-endian integer and returns the address after it. */
#define ANNOT__PUT_INTEGER(bits)                                                                   \
    static inline char *annot__put_u##bits(char *at, uint##bits##_t value)                         \
    {                                                                                              \
        const uint##bits##_t bytes = ANNOT__LITTLE_ENDIAN(bits, value);                            \
        memcpy(at, &bytes, sizeof bytes);                                                          \
        return at + sizeof bytes;                                                                  \
    }
ANNOT__PUT_INTEGER(16)
ANNOT__PUT_INTEGER(32)
ANNOT__PUT_INTEGER(64)

/* Fills a record's struct from the caller's `of`, whose members are named like the fields. */
#define ANNOT__MEMBER_U32(name, doc) .name = (uint32_t)of->name,
#define ANNOT__MEMBER_U64(name, doc) .name = of->name,
#define ANNOT__DUMP_OF(name)                                                                       \
    ((struct annot__dump_##name){ANNOT__DUMP_FIELDS_##name(ANNOT__MEMBER_U32, ANNOT__MEMBER_U64)})

/* Makes a function for each record: annot__put_DEVICE(at, &fields) writes ANNOT__DUMP_DEVICE_FIXED
 * bytes at `at`. */
#define ANNOT__PUT_U32(name, doc) at = annot__put_u32(at, fields->name);
#define ANNOT__PUT_U64(name, doc) at = annot__put_u64(at, fields->name);
#define ANNOT__ENCODER(name, kind, doc, variable)                                                  \
    static inline char *annot__put_##name(char *at, const struct annot__dump_##name *fields)       \
    {                                                                                              \
        ANNOT__DUMP_FIELDS_##name(ANNOT__PUT_U32, ANNOT__PUT_U64) return at;                       \
    }
ANNOT__DUMP_RECORDS(ANNOT__ENCODER)
