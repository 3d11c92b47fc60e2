/* Mutates traces by what their records mean: values by their kind, objects by their numbers, calls
 * by their place.
 *
 * An input is two threads' records: the number of bytes of the first's, 8 bytes, and the records.
 * The number's lowest bit says that the runtime is not to be known as the emulator. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Both: how many bytes it has now, at most `capacity`. */
size_t mutate_trace(uint8_t *data, size_t size, size_t capacity, unsigned seed);
/* A trace's file, as it was recorded, becomes an input; 0: it is none, or too large. */
size_t mutate_flatten(uint8_t *data, size_t size, size_t capacity);
