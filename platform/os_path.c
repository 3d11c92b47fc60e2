#include "os_path.h"

#include <stdlib.h>
#include <string.h>

char *os_path_join(const char *path, const char *end)
{
    char *whole = malloc(strlen(path) + strlen(end) + 1);
    return whole ? strcat(strcpy(whole, path), end) : NULL;
}

const char *os_file_name(const char *path)
{
    const char *name = path;
    for (; *path != '\0'; path++)
        if (os_is_separator(*path))
            name = path + 1;
    return name;
}
