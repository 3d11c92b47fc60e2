#include "os_path.h"

#include <stdlib.h>
#include <string.h>

char *os_path_join(const char *path, const char *end)
{
    char *whole = malloc(strlen(path) + strlen(end) + 1);
    return whole ? strcat(strcpy(whole, path), end) : NULL;
}
