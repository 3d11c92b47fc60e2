#include "memory_text.h"

FILE *memory_text_open(char **bytes, size_t *size)
{
    return open_memstream(bytes, size);
}

/* A memory stream stores both itself. */
bool memory_text_flush(FILE *file, char **bytes, size_t *size)
{
    (void)bytes, (void)size;
    return fflush(file) == 0 && !ferror(file);
}
