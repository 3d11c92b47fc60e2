/* Decodes records into host structs, by the format table: annot__decode_DEVICE and so on. Missing
 * fields are 0. */
#pragma once

#include "dump/dump_format.h"
#include "dump/dump_section.h"

#define ANNOT__DECODE_U32(name, doc) out->name = annot__bytes_u32(&fixed);
#define ANNOT__DECODE_U64(name, doc) out->name = annot__bytes_u64(&fixed);
/* The same code is here twice, so that the size is a constant if nothing is missing, and no field
 * is checked. */
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
