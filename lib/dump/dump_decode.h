/* Decodes records into structs of the host, with functions from the table in dump_format.h:
 * annot__decode_DEVICE and so on. Missing fields become 0. */
#pragma once

#include "dump/dump_section.h"

#define ANNOT__DECODE_U32(name, doc) out->name = annot__bytes_u32(&fixed);
#define ANNOT__DECODE_U64(name, doc) out->name = annot__bytes_u64(&fixed);
/* Makes two variants of the decoder. If a record has all fields, the variant with a constant size
 * and without checks runs. */
#define ANNOT__DECODER(name, kind, doc, variable)                                                  \
    static inline void annot__decode_##name(struct annot__bytes fixed,                             \
                                            struct annot__dump_##name *out)                        \
    {                                                                                              \
        if (fixed.size >= ANNOT__DUMP_##name##_FIXED) {                                            \
            fixed.size = ANNOT__DUMP_##name##_FIXED;                                               \
            ANNOT__DUMP_FIELDS_##name(ANNOT__DECODE_U32, ANNOT__DECODE_U64)                        \
        } else {                                                                                   \
            ANNOT__DUMP_FIELDS_##name(ANNOT__DECODE_U32, ANNOT__DECODE_U64)                        \
        }                                                                                          \
    }
ANNOT__DUMP_RECORDS(ANNOT__DECODER)
