/* Ranges of subresources: mips of slices of planes. */
#pragma once

#include "reader/ask.h"

/* A range that is never empty. An end of UINT32_MAX means up to the last one. */
struct annot__part {
    uint32_t mip, mip_end, slice, slice_end;
    uint32_t planes;
    bool is_unknown; /* the dump doesn't say which subresources they are */
};

enum { ANNOT__PART_RESTS = 5 };

/* The range of an ANNOT_PART, or of the whole object for 0, within the object's subresources. */
struct annot__part annot__part_of(const annot_reader *reader, uint64_t object, uint64_t packed);

/* Finds the common range. False means that there is none. Neither part may be unknown. */
bool annot__part_meets(struct annot__part a, struct annot__part b, struct annot__part *both);
/* Removes `inner` from a part. Returns how many parts remain, in `left`. */
uint32_t annot__part_without(struct annot__part of, struct annot__part inner,
                             struct annot__part rest[ANNOT__PART_RESTS]);

/* Describes a part: "mip 2, slices 0 to 3", "some subresources". False: it is the whole object, and
 * there is no text. */
bool annot__part_text(const annot_reader *reader, uint64_t object, struct annot__part part,
                      char *text, size_t size);
