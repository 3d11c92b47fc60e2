/* Arrays whose capacity doubles when they grow. utarray.h can't report a failed allocation.
 *
 *     if (!ARRAY_ROOM(list->rows, list->count, list->capacity))
 *         return false;
 *     list->rows[list->count++] = row; */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ARRAY_FIRST = 16 };

/* Makes room for `needed` members of `size` bytes. `array` is the address of the pointer to the
 * members. If memory runs out, returns false and leaves the array unchanged. */
static inline bool array_grow(void *array, size_t size, size_t *capacity, size_t needed)
{
    size_t doubled = *capacity > 0 ? *capacity : ARRAY_FIRST;
    void *members;
    while (doubled < needed && doubled <= SIZE_MAX / 2 / size)
        doubled *= 2;
    memcpy(&members, array, sizeof members);
    members = doubled >= needed ? realloc(members, doubled * size) : NULL;
    if (!members)
        return false;
    memcpy(array, &members, sizeof members);
    *capacity = doubled;
    return true;
}

static inline bool array_double(void *array, size_t size, size_t *capacity)
{
    return array_grow(array, size, capacity, *capacity + 1);
}

static inline bool array_double_32(void *array, size_t size, uint32_t *capacity)
{
    size_t doubled = *capacity;
    if (doubled > UINT32_MAX / 2 || !array_double(array, size, &doubled))
        return false;
    *capacity = (uint32_t)doubled;
    return true;
}

/* Makes room for one more member after the first `count`. The macro's value is false if memory runs
 * out. `capacity` is a uint32_t or a size_t. */
#define ARRAY_ROOM(array, count, capacity)                                                         \
    ((count) < (capacity) || _Generic((capacity), uint32_t                                         \
                                      : array_double_32, default                                   \
                                      : array_double)(&(array), sizeof *(array), &(capacity)))

/* Makes room for `needed` members; the value is false without memory. `capacity` is a size_t. */
#define ARRAY_RESERVE(array, capacity, needed)                                                     \
    ((needed) <= (capacity) || array_grow(&(array), sizeof *(array), &(capacity), (needed)))

/* Stores in `result` how many of the first `count` members fulfil `condition`, which uses the index
 * `i`. All members that fulfil the condition must come before the others. */
#define ARRAY_COUNT_FIRST(result, count, i, condition)                                             \
    do {                                                                                           \
        size_t end_ = (count);                                                                     \
        for ((result) = 0; (result) < end_;) {                                                     \
            const size_t i = (result) + (end_ - (result)) / 2;                                     \
            if (condition)                                                                         \
                (result) = i + 1;                                                                  \
            else                                                                                   \
                end_ = i;                                                                          \
        }                                                                                          \
    } while (0)
