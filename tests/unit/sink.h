/* Sinks that the suite hands out: one that keeps what it gets, and one that is full at once or some
 * calls later. */
#pragma once

#include <annot/reader.h>

#include "unit_kit.h"

/* All bytes, with a NUL behind; free(kept.data) is the test's. */
struct kept {
    char *data;
    size_t size, capacity;
};

static inline bool kept_take(void *user, const void *data, size_t size)
{
    struct kept *kept = user;
    if (kept->capacity - kept->size <= size) { /* a sanitizer's realloc copies each time */
        kept->capacity = 2 * (kept->capacity + size + 1);
        kept->data = realloc(kept->data, kept->capacity);
        cr_assert_not_null(kept->data);
    }
    memcpy(kept->data + kept->size, data, size);
    kept->size += size;
    kept->data[kept->size] = 0;
    return true;
}

static inline annot_report_sink kept_sink(struct kept *kept)
{
    return (annot_report_sink){kept, kept_take};
}

/* `left`: calls that it takes. */
static inline bool full_take(void *user, const void *data, size_t size)
{
    unsigned *left = user;
    (void)data, (void)size;
    return *left > 0 && (*left)-- > 0;
}

static inline annot_report_sink full_sink(unsigned *left)
{
    return (annot_report_sink){left, full_take};
}
