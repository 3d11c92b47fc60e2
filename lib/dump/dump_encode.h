/* Host structs into the fixed part of records, from the format table: annot__put_DEVICE and so on.
 * dump_decode.h is the way back. */
#ifndef ANNOT_LIB_DUMP_ENCODE_H
#define ANNOT_LIB_DUMP_ENCODE_H

#include "dump/dump_format.h"

/* Little-endian integers; they return where the next one goes. Compilers make one store of each. */
static inline char *annot__put_u16(char *at, uint16_t value)
{
    at[0] = (char)value;
    at[1] = (char)(value >> 8);
    return at + 2;
}

static inline char *annot__put_u32(char *at, uint32_t value)
{
    at[0] = (char)value;
    at[1] = (char)(value >> 8);
    at[2] = (char)(value >> 16);
    at[3] = (char)(value >> 24);
    return at + 4;
}

static inline char *annot__put_u64(char *at, uint64_t value)
{
    at[0] = (char)value;
    at[1] = (char)(value >> 8);
    at[2] = (char)(value >> 16);
    at[3] = (char)(value >> 24);
    at[4] = (char)(value >> 32);
    at[5] = (char)(value >> 40);
    at[6] = (char)(value >> 48);
    at[7] = (char)(value >> 56);
    return at + 8;
}

/* annot__put_DEVICE(at, &fields), ...: ANNOT__DUMP_DEVICE_FIXED bytes. */
#define ANNOT__PUT_U32(name, doc) at = annot__put_u32(at, fields->name);
#define ANNOT__PUT_U64(name, doc) at = annot__put_u64(at, fields->name);
#define ANNOT__ENCODER(name, kind, doc, variable)                                                  \
    static inline char *annot__put_##name(char *at, const struct annot__dump_##name *fields)       \
    {                                                                                              \
        ANNOT__DUMP_FIELDS_##name(ANNOT__PUT_U32, ANNOT__PUT_U64) return at;                       \
    }
ANNOT__DUMP_RECORDS(ANNOT__ENCODER)

#endif
