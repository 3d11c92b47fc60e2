/* The drivers at the far end of the measured calls, in a translation unit of their own, so that no
 * compiler sees through the indirect call. */
#pragma once

#include <annot/ddi.h>

/* Does nothing. */
extern const annot_driver bench_driver_empty;

struct bench_driver_marker {
    uint64_t id;
    const void *data; /* in the library's memory */
};

/* Keeps the EventIDs of BeginEvent and SetMarker, and where their payloads are. */
extern const annot_driver bench_driver_collecting;

/* Where they go from now on. Beyond capacity they are only counted. */
void bench_driver_collect(struct bench_driver_marker *markers, uint64_t capacity);
