/*
 * Numbers in a call that are a place in an object: a value of a fence, an offset in a buffer. If
 * several threads take places in one object in any order, a place says nothing, and is not
 * compared.
 */
#pragma once

#include <capture/trace/read.h>

struct diff_place {
    uint64_t object, place;
    size_t word, end; /* of the record's data; the end of the range that begins there, 0 for none */
    bool takes;       /* gives it its meaning; others have it from a call before */
};

enum { DIFF_PLACES = 2 };

/* Those of a call that begins. */
uint32_t diff_places(const struct trace_item *item, struct diff_place places[DIFF_PLACES]);

/* Whether the call gives the descriptor that it writes its meaning: it creates a view there. */
bool diff_creates_view(int method);
