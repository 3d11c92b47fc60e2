#include "environment.h"

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <stdlib.h>

static char *narrow(const wchar_t *wide)
{
    const int size = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
    char *text = size > 0 ? malloc((size_t)size) : NULL;
    if (text)
        WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, size, NULL, NULL);
    return text;
}

char *emu_environment(const char *name, bool *out_of_memory)
{
    wchar_t wide_name[64];
    if (MultiByteToWideChar(CP_UTF8, 0, name, -1, wide_name, 64) == 0)
        return NULL;
    const DWORD size = GetEnvironmentVariableW(wide_name, NULL, 0);
    if (size <= 1)
        return NULL;
    wchar_t *value = malloc(size * sizeof *value);
    const DWORD length = value != NULL ? GetEnvironmentVariableW(wide_name, value, size) : 0;
    char *text = length > 0 && length < size ? narrow(value) : NULL;
    if (!value || (length > 0 && length < size && !text))
        *out_of_memory = true;
    free(value);
    return text;
}

const char *emu_environment_borrow(const char *name)
{
    return getenv(name);
}

char **emu_environment_all(void)
{
    static char *none[] = {NULL};
    return environ ? environ : none;
}

bool emu_environment_is_trusted(void)
{
    return true;
}
