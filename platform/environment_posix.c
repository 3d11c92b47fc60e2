#include "environment.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

bool os_environment_is_trusted(void)
{
    return getauxval(AT_SECURE) == 0;
}

const char *os_environment_borrow(const char *name)
{
    return secure_getenv(name);
}

char *os_environment(const char *name, bool *out_of_memory)
{
    const char *value = os_environment_borrow(name);
    if (!value || value[0] == '\0')
        return NULL;
    char *copy = strdup(value);
    if (!copy)
        *out_of_memory = true;
    return copy;
}

char **os_environment_all(void)
{
    static char *none[] = {NULL};
    return os_environment_is_trusted() && environ ? environ : none;
}
