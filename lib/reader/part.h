/* Ranges of subresources: mips of slices of planes. */
#pragma once

#include "reader/ask.h"

/* Never empty. An end of UINT32_MAX: up to the last one. */
struct annot__part {
    uint32_t mip, mip_end, slice, slice_end;
    uint32_t planes;
    bool is_unknown; /* nobody knows which subresources they are */
};

enum { ANNOT__PART_RESTS = 5 };

/* Of an ANNOT_PART, 0: of all, as far as the object has them. */
struct annot__part annot__part_of(const annot_reader *reader, uint64_t object, uint64_t packed);

/* False means that the parts have nothing in common. Neither of them may be unknown. */
bool annot__part_meets(struct annot__part a, struct annot__part b, struct annot__part *both);
/* What is left of a part without one in it; returns how many. */
uint32_t annot__part_without(struct annot__part of, struct annot__part inner,
                             struct annot__part rest[ANNOT__PART_RESTS]);

/* "mip 2, slices 0 to 3", "some subresources". False, and no text: the whole object. */
bool annot__part_text(const annot_reader *reader, uint64_t object, struct annot__part part,
                      char *text, size_t size);
