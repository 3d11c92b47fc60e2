#include "environment.h"

#include <stdlib.h>
#include <string.h>

char *emu_environment(const char *name, bool *out_of_memory)
{
    const char *value = secure_getenv(name);
    if (!value || value[0] == '\0')
        return NULL;
    char *copy = strdup(value);
    if (!copy)
        *out_of_memory = true;
    return copy;
}
