/* Windows has no memory streams: a file that its system keeps in memory where it can, and that is
 * gone when it is closed. */
#include "memory_text.h"

#include <fcntl.h>
#include <io.h>
#include <stdint.h>
#include <stdlib.h>

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

FILE *memory_text_open(char **bytes, size_t *size)
{
    wchar_t folder[MAX_PATH + 1], path[MAX_PATH + 1];
    *bytes = NULL;
    *size = 0;
    const DWORD length = GetTempPathW(MAX_PATH, folder);
    if (length == 0 || length > MAX_PATH || !GetTempFileNameW(folder, L"ann", 0, path))
        return NULL;
    const HANDLE handle =
        CreateFileW(path, GENERIC_READ | GENERIC_WRITE | DELETE, 0, NULL, CREATE_ALWAYS,
                    FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, NULL);
    if (handle == INVALID_HANDLE_VALUE) {
        DeleteFileW(path);
        return NULL;
    }
    const int descriptor = _open_osfhandle((intptr_t)handle, _O_RDWR | _O_BINARY);
    FILE *file = descriptor >= 0 ? _fdopen(descriptor, "w+b") : NULL;
    if (!file && descriptor >= 0)
        _close(descriptor);
    else if (!file)
        CloseHandle(handle);
    return file;
}

bool memory_text_flush(FILE *file, char **bytes, size_t *size)
{
    const long end = fflush(file) == 0 && !ferror(file) ? ftell(file) : -1;
    if (end < 0)
        return false;
    if (!*bytes || (size_t)end > *size) {
        char *larger = realloc(*bytes, (size_t)end + 1);
        if (!larger)
            return false;
        *bytes = larger;
        *size = (size_t)end;
    }
    rewind(file);
    const size_t read = fread(*bytes, 1, (size_t)end, file);
    (*bytes)[read] = '\0';
    /* a stream is written to behind what was read only after it was moved */
    return read == (size_t)end && fseek(file, end, SEEK_SET) == 0;
}
