/* Numbers that nobody can guess, for keys and seeds. */
#ifdef _WIN32
#define _CRT_RAND_S /* rand_s */
#endif
#include "cli.h"

#include <stdlib.h>

bool cli_random(unsigned char *bytes, size_t size)
{
#ifdef _WIN32
    for (size_t i = 0; i < size; i++) {
        unsigned value;
        if (rand_s(&value) != 0)
            return false;
        bytes[i] = (unsigned char)value;
    }
    return true;
#else
    FILE *file = fopen("/dev/urandom", "rb");
    const bool is_read = file && fread(bytes, 1, size, file) == size;
    if (file)
        fclose(file);
    return is_read;
#endif
}
