/*
 * Numbers in a call that are a place in an object: a value of a fence, an offset in a buffer. If
 * several threads take places in one object in any order, a place says nothing by itself: it
 * stands for the call that took it.
 */
#pragma once

#include <capture/trace/read.h>

#define DIFF_NONE UINT32_MAX /* a call that is none */

struct diff_place {
    uint64_t object, place;
    size_t word, end; /* of the record's data; the end of the range that begins there, 0 for none */
    bool takes;       /* gives it its meaning; others have it from the call before that did */
    bool is_value;    /* of a fence, which may be waited for before it is signalled */
};

enum { DIFF_PLACES = 2 };

/* Those of a call that begins. */
uint32_t diff_places(const struct trace_item *item, struct diff_place places[DIFF_PLACES]);

/* Whether the call gives the descriptor that it writes its meaning: it creates a view there. */
bool diff_creates_view(int method);

/* Finds the call that took a place in an object: a hash table, NULL while it is empty. */
struct diff_maker;

/* False: out of memory. */
bool diff_maker_set(struct diff_maker **all, uint64_t object, uint64_t place, uint32_t call);
/* DIFF_NONE: none did. */
uint32_t diff_maker_of(const struct diff_maker *all, uint64_t object, uint64_t place);
void diff_makers_free(struct diff_maker *all);
