/* For Windows: converts texts for the system's functions. The project's own texts are UTF-8. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <wchar.h>
#include <windows.h>

enum { WIDE_PATH = 4096 };

/* Converts a path to UTF-16. False: the path is too long or isn't UTF-8; `wide` is then empty. */
static inline bool wide_path(const char *path, wchar_t wide[WIDE_PATH])
{
    wide[0] = L'\0';
    return MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide, WIDE_PATH) > 0;
}

/* Converts a path from UTF-16 to UTF-8. */
static inline bool narrow_path(const wchar_t *wide, char *path, size_t size)
{
    path[0] = '\0';
    return WideCharToMultiByte(CP_UTF8, 0, wide, -1, path, (int)size, NULL, NULL) > 0;
}

/* Converts a text of any length to UTF-8 (malloc'd). Returns NULL if memory runs out. */
static inline char *narrow_text(const wchar_t *wide)
{
    const int size = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
    char *text = size > 0 ? malloc((size_t)size) : NULL;
    if (text)
        WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, size, NULL, NULL);
    return text;
}
