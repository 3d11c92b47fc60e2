#include "library.h"
#include "config/environment.h"

#include <windows.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *library_load(const char *path)
{
    return LoadLibraryExA(path, NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
}

const char *library_error(void)
{
    static _Thread_local char line[32];
    snprintf(line, sizeof line, "error %lu", GetLastError());
    return line;
}

void *library_function(void *library, const char *name)
{
    FARPROC found = GetProcAddress(library, name);
    const HMODULE annot = found ? NULL : GetModuleHandleA("libannot.dll");
    void *function;
    if (annot)
        found = GetProcAddress(annot, name);
    memcpy(&function, &found, sizeof function);
    return function;
}

void library_stay(void)
{
    HMODULE self;
    GetModuleHandleExA(GET_MODULE_HANDLE_EX_FLAG_PIN | GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS,
                       (const char *)(uintptr_t)library_stay, &self);
}

const char *library_setting(const char *name)
{
    return emu_environment_borrow(name);
}
