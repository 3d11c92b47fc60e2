/* The drivers that the measured calls reach. They are in another translation unit, so that no
 * compiler sees through the indirect call. */
#pragma once

#include <annot/ddi.h>

/* Does nothing. */
extern const annot_driver bench_driver_empty;

struct bench_driver_marker {
    uint64_t id;
    const void *data; /* in the library's memory */
};

/* A driver that keeps the EventIDs of BeginEvent and SetMarker, and pointers to their payloads. */
extern const annot_driver bench_driver_collecting;

/* Sets the array for markers from now on. Markers beyond `capacity` are only counted. */
void bench_driver_collect(struct bench_driver_marker *markers, uint64_t capacity);
