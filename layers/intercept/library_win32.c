#include "library.h"
#include "wide.h"

#include <windows.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *library_load(const char *path)
{
    wchar_t wide[WIDE_PATH];
    if (!wide_path(path, wide)) {
        SetLastError(ERROR_BAD_PATHNAME);
        return NULL;
    }
    return LoadLibraryExW(wide, NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
}

void library_stay(void)
{
    HMODULE self;
    GetModuleHandleExA(GET_MODULE_HANDLE_EX_FLAG_PIN | GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS,
                       (const char *)(uintptr_t)library_stay, &self);
}

bool library_find_system(char *path, size_t size)
{
    wchar_t wide[MAX_PATH + 16];
    const UINT length = GetSystemDirectoryW(wide, MAX_PATH);
    if (!length || length >= MAX_PATH)
        return false;
    wcscat(wide, L"\\d3d12.dll");
    return narrow_path(wide, path, size);
}

void *library_self(void)
{
    HMODULE self = NULL;
    GetModuleHandleExA(GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT |
                           GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS,
                       (const char *)(uintptr_t)library_self, &self);
    return self;
}

const char *library_foreign(void *library)
{
    (void)library;
    return NULL;
}

/* Returns the version numbers in a library's resources; 0: there are none. */
static uint64_t version_of(HMODULE library)
{
    enum { PLACES = 64 }; /* number of words in front of the info: lengths and a name */
    const HRSRC found =
        FindResourceW(library, MAKEINTRESOURCEW(VS_VERSION_INFO), MAKEINTRESOURCEW(16));
    const HGLOBAL loaded = found ? LoadResource(library, found) : NULL;
    const DWORD size = found ? SizeofResource(library, found) : 0;
    const uint8_t *bytes = loaded ? LockResource(loaded) : NULL;
    VS_FIXEDFILEINFO info;
    for (DWORD at = 0; bytes && at < 4 * PLACES && at + sizeof info <= size; at += 4) {
        memcpy(&info, bytes + at, sizeof info);
        if (info.dwSignature == VS_FFI_SIGNATURE)
            return (uint64_t)info.dwFileVersionMS << 32 | info.dwFileVersionLS;
    }
    return 0;
}

void library_describe(void *library, char *text, size_t size)
{
    wchar_t wide[WIDE_PATH];
    char path[WIDE_PATH];
    text[0] = '\0';
    if (!library || !GetModuleFileNameW(library, wide, WIDE_PATH) ||
        !narrow_path(wide, path, sizeof path))
        return;
    const uint64_t version = version_of(library);
    if (version)
        snprintf(text, size, "%s %u.%u.%u.%u", path, (unsigned)(version >> 48),
                 (unsigned)(version >> 32 & 0xffff), (unsigned)(version >> 16 & 0xffff),
                 (unsigned)(version & 0xffff));
    else
        snprintf(text, size, "%s", path);
}

void library_describe_loaded(const char *name, char *text, size_t size)
{
    library_describe(GetModuleHandleA(name), text, size);
}

FILE *library_open_file(const char *path)
{
    wchar_t wide[WIDE_PATH];
    return wide_path(path, wide) ? _wfopen(wide, L"r+b") : NULL;
}
