#include "base/os.h"

#include <fcntl.h>
#include <io.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <windows.h>

/* Paths are UTF-8 in the whole API. The buffer lives on the stack: this runs in crash handlers. */
enum { PATH_CAPACITY = 4096 };

static bool widen(const char *path, wchar_t wide[PATH_CAPACITY])
{
    return MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide, PATH_CAPACITY) > 0;
}

bool annot__file_create(annot__file *file, const char *path)
{
    wchar_t wide[PATH_CAPACITY];
    file->descriptor = -1;
    if (widen(path, wide))
        file->descriptor = _wopen(wide, _O_WRONLY | _O_CREAT | _O_TRUNC | _O_BINARY | _O_NOINHERIT,
                                  _S_IREAD | _S_IWRITE);
    return file->descriptor >= 0;
}

bool annot__file_append(annot__file *file, const void *data, size_t size)
{
    const char *from = data;
    while (size > 0) {
        unsigned part = size > INT_MAX ? (unsigned)INT_MAX : (unsigned)size;
        int written = _write(file->descriptor, from, part);
        if (written <= 0)
            return false;
        from += written;
        size -= (size_t)written;
    }
    return true;
}

bool annot__file_write_at_start(annot__file *file, const void *data, size_t size)
{
    return _lseeki64(file->descriptor, 0, SEEK_SET) == 0 && annot__file_append(file, data, size);
}

bool annot__file_sync(annot__file *file)
{
    return _commit(file->descriptor) == 0;
}

void annot__file_close(annot__file *file)
{
    _close(file->descriptor);
    file->descriptor = -1;
}

bool annot__file_publish(const char *from, const char *to)
{
    wchar_t wide_from[PATH_CAPACITY], wide_to[PATH_CAPACITY];
    return widen(from, wide_from) && widen(to, wide_to) &&
           MoveFileExW(wide_from, wide_to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH);
}

void annot__file_remove(const char *path)
{
    wchar_t wide[PATH_CAPACITY];
    if (widen(path, wide))
        DeleteFileW(wide);
}

// ReadProcessMemory as Wine has it reads pages that the process itself may not.
static bool is_readable(const void *from, size_t size)
{
    const DWORD readable = PAGE_READONLY | PAGE_READWRITE | PAGE_WRITECOPY | PAGE_EXECUTE_READ |
                           PAGE_EXECUTE_READWRITE | PAGE_EXECUTE_WRITECOPY;
    const uintptr_t start = (uintptr_t)from;
    if (size > UINTPTR_MAX - start)
        return false;
    for (uintptr_t at = start; at < start + size;) {
        MEMORY_BASIC_INFORMATION region;
        if (VirtualQuery((const void *)at, &region, sizeof region) == 0 ||
            region.State != MEM_COMMIT || (region.Protect & PAGE_GUARD) != 0 ||
            (region.Protect & readable) == 0)
            return false;
        at = (uintptr_t)region.BaseAddress + region.RegionSize;
    }
    return true;
}

bool annot__memory_read(void *to, const void *from, size_t size)
{
    SIZE_T got = 0;
    return is_readable(from, size) &&
           ReadProcessMemory(GetCurrentProcess(), from, to, size, &got) && got == size;
}

FILE *annot__file_open_to_read(const char *path)
{
    wchar_t wide[PATH_CAPACITY];
    return widen(path, wide) ? _wfopen(wide, L"rb") : NULL;
}
