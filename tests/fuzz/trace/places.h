/* Where in a record's data each value stands, and what it is: by the table of calls, as
 * docs/TRACE_FORMAT.md says. */
#pragma once

#include <capture/trace/schema.h>

/* Beside enum schema_kind. */
enum { PLACE_COUNT = 64, PLACE_POINTER, PLACE_BYTES };

struct place {
    uint32_t at, size; /* bytes of the record's data */
    uint8_t kind;
    uint16_t type;
};

#define PLACES_MAX 2048u

struct places {
    struct place all[PLACES_MAX];
    size_t count;
};

/* Finds the places of a call's ENTER record, or its LEAVE record, as far as the bytes can be read.
 */
void places_find(struct places *to, int method, bool leave, const uint8_t *data, size_t size);
