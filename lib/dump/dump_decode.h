/* Decodes a record's fixed part into a struct of the host. Each record of dump_format.h has a
 * function, for example annot__decode_DEVICE. A field that the record lacks becomes 0. */
#pragma once

#include "dump/dump_section.h"

#define ANNOT__DECODE_U32(name, doc) out->name = annot__bytes_u32(&fixed);
#define ANNOT__DECODE_U64(name, doc) out->name = annot__bytes_u64(&fixed);
/* Makes two decoders for each record. Records with all fields need no checks, so their decoder has
 * a constant size and is faster. */
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
