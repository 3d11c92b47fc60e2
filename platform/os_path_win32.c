#include "os_path.h"

#include "environment.h"
#include "wide.h"

#include <string.h>

#define OUR_FILE "\\annot\\d3dconfig.ini"

/* ---- places ---- */

static char *below(const char *name, const char *end, bool *out_of_memory)
{
    char *start = os_environment(name, out_of_memory);
    char *path = start ? os_path_join(start, end) : NULL;
    *out_of_memory |= start && !path;
    free(start);
    return path;
}

char *os_user_path(bool *out_of_memory)
{
    return below("APPDATA", OUR_FILE, out_of_memory);
}

char *os_system_path(bool *out_of_memory)
{
    return below("PROGRAMDATA", OUR_FILE, out_of_memory);
}

char *os_dump_folder(bool *out_of_memory)
{
    return below("LOCALAPPDATA", "\\CrashDumps\\", out_of_memory);
}

/* ---- programs and paths ---- */

void os_program_path(char *path, size_t size)
{
    wchar_t wide[WIDE_PATH];
    if (!GetModuleFileNameW(NULL, wide, WIDE_PATH) || !narrow_path(wide, path, size))
        path[0] = '\0';
}

bool os_is_absolute(const char *path)
{
    const bool has_drive =
        ((path[0] >= 'a' && path[0] <= 'z') || (path[0] >= 'A' && path[0] <= 'Z')) &&
        path[1] == ':' && os_is_separator(path[2]);
    return has_drive || (os_is_separator(path[0]) && os_is_separator(path[1]));
}

static char fold(char c)
{
    if (c >= 'A' && c <= 'Z')
        return (char)(c - 'A' + 'a');
    return c == '/' ? '\\' : c;
}

bool os_same_character(char a, char b)
{
    return fold(a) == fold(b);
}

static DWORD attributes_of(const char *path)
{
    wchar_t wide[WIDE_PATH];
    return wide_path(path, wide) ? GetFileAttributesW(wide) : INVALID_FILE_ATTRIBUTES;
}

bool os_exists(const char *path, bool *is_directory)
{
    const DWORD attributes = attributes_of(path);
    if (attributes == INVALID_FILE_ATTRIBUTES)
        return false;
    *is_directory = (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
    return true;
}

char *os_full_path(const char *path)
{
    wchar_t wide[WIDE_PATH], full[WIDE_PATH];
    if (!wide_path(path, wide) || GetFileAttributesW(wide) == INVALID_FILE_ATTRIBUTES)
        return NULL;
    const DWORD length = GetFullPathNameW(wide, WIDE_PATH, full, NULL);
    return length && length < WIDE_PATH ? narrow_text(full) : NULL;
}
