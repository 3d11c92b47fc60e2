/* Allocates a report's memory, apart from the reader's memory, so that threads can share the
 * reader. */
#include "reader/ask.h"

#include <stddef.h>

void *annot__report_allocate(const annot_reader *reader, size_t size)
{
    const annot_allocator *allocator = &reader->allocator;
    return size > 0 ? allocator->allocate(allocator->user, size, ANNOT__MAX_ALIGN) : NULL;
}

void annot__report_release(const annot_reader *reader, void *memory, size_t size)
{
    if (memory)
        reader->allocator.release(reader->allocator.user, memory, size);
}
