#include "os_path.h"

#include "environment.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SYSTEM_PATH "/etc/xdg/annot/d3dconfig.ini"

/* ---- places ---- */

/* Returns the variable's value and `end`, or NULL if the value is not an absolute path. */
static char *below(const char *name, const char *end, bool *out_of_memory)
{
    char *start = os_environment(name, out_of_memory);
    const bool is_absolute = start && os_is_absolute(start);
    char *path = is_absolute ? os_path_join(start, end) : NULL;
    *out_of_memory |= is_absolute && !path;
    free(start);
    return path;
}

char *os_user_path(bool *out_of_memory)
{
    /* XDG says that a relative path must be ignored */
    char *path = below("XDG_CONFIG_HOME", "/annot/d3dconfig.ini", out_of_memory);
    return path || *out_of_memory ? path
                                  : below("HOME", "/.config/annot/d3dconfig.ini", out_of_memory);
}

char *os_system_path(bool *out_of_memory)
{
    char *path = strdup(SYSTEM_PATH);
    *out_of_memory |= !path;
    return path;
}

char *os_dump_folder(bool *out_of_memory)
{
    char *path = below("XDG_STATE_HOME", "/annot/dumps/", out_of_memory);
    return path || *out_of_memory ? path
                                  : below("HOME", "/.local/state/annot/dumps/", out_of_memory);
}

/* ---- programs and paths ---- */

void os_program_path(char *path, size_t size)
{
    /* Linux marks a replaced program so */
    static const char deleted[] = " (deleted)";
    const ssize_t n = readlink("/proc/self/exe", path, size - 1);
    const size_t length = n < 0 ? 0 : (size_t)n, end = sizeof deleted - 1;
    path[length] = '\0';
    if (length > end && strcmp(path + length - end, deleted) == 0 && access(path, F_OK) != 0)
        path[length - end] = '\0';
}

bool os_is_absolute(const char *path)
{
    return path[0] == '/';
}

bool os_same_character(char a, char b)
{
    return a == b;
}

bool os_exists(const char *path, bool *is_directory)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return false;
    *is_directory = S_ISDIR(status.st_mode);
    return true;
}

char *os_full_path(const char *path)
{
    return realpath(path, NULL);
}
