/* Calculates with parts of resources: ranges of subresources (mips of slices of planes). */
#pragma once

#include "reader/ask.h"

/* A range of subresources, never empty. An end of UINT32_MAX means up to the last mip or slice. */
struct annot__part {
    uint32_t mip, mip_end, slice, slice_end;
    uint32_t planes;
    bool is_unknown; /* it is unknown which subresources the part has */
};

enum { ANNOT__PART_RESTS = 5 };

/* Decodes an ANNOT_PART; 0 means the whole object. The returned part ends where the object ends. */
struct annot__part annot__part_of(const annot_reader *reader, uint64_t object, uint64_t packed);

/* Stores in *both the subresources that are in both known parts. False: there are none. */
bool annot__part_meets(struct annot__part a, struct annot__part b, struct annot__part *both);
/* Removes `inner` from the part `of`. Stores the parts that remain in `left`, and returns their
 * number. */
uint32_t annot__part_without(struct annot__part of, struct annot__part inner,
                             struct annot__part rest[ANNOT__PART_RESTS]);

/* Describes subresources: "mip 2, slices 0 to 3", "some subresources". If the part is the whole
 * object, returns false and writes no text. */
bool annot__part_text(const annot_reader *reader, uint64_t object, struct annot__part part,
                      char *text, size_t size);
