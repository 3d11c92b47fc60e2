/* Calculates with parts: ranges of subresources (mips of slices of planes). */
#pragma once

#include "reader/ask.h"

/* A range of subresources, never empty. If an end is UINT32_MAX, the range reaches to the last mip
 * or slice. */
struct annot__part {
    uint32_t mip, mip_end, slice, slice_end;
    uint32_t planes;
    bool is_unknown; /* whether the dump doesn't tell the subresources */
};

enum { ANNOT__PART_RESTS = 5 };

/* Returns the range of an ANNOT_PART, or the whole object's range for 0. The range is limited to
 * the object. */
struct annot__part annot__part_of(const annot_reader *reader, uint64_t object, uint64_t packed);

/* Finds the common range of two known parts. Returns false if the parts have no common range. */
bool annot__part_meets(struct annot__part a, struct annot__part b, struct annot__part *both);
/* Removes `inner` from a part. Stores the remaining parts in `left`, and returns their number. */
uint32_t annot__part_without(struct annot__part of, struct annot__part inner,
                             struct annot__part rest[ANNOT__PART_RESTS]);

/* Describes a part: "mip 2, slices 0 to 3", "some subresources". Returns false, without a text, if
 * the part is the whole object. */
bool annot__part_text(const annot_reader *reader, uint64_t object, struct annot__part part,
                      char *text, size_t size);
