/* All states that a dump tells, one behind the other. */
#pragma once

#include <annot/reader.h>

#include <stdint.h>

struct states {
    uint8_t *all; /* annot_state; malloc's */
    size_t count, capacity;
};

/* The states of queues' entries, and inside of submissions of their lists, markers and bundles: the
 * order of the JSON report. The caller frees `all`. */
struct states states_of(const annot_reader *reader);
