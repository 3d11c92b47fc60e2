#include "os.h"
#include "config/wide.h"

#include <windows.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- files ---- */

enum os_file_outcome os_file_create(os_file *file, const char *path)
{
    wchar_t wide[WIDE_PATH];
    *file = -1;
    if (!wide_path(path, wide))
        return OS_FILE_FAILED;
    *file = (os_file)CreateFileW(wide, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ, NULL,
                                 CREATE_NEW, FILE_ATTRIBUTE_NORMAL, NULL);
    if (*file != -1)
        return OS_FILE_DONE;
    const DWORD error = GetLastError(), attributes = GetFileAttributesW(wide);
    if (error != ERROR_FILE_EXISTS && error != ERROR_ALREADY_EXISTS)
        return OS_FILE_FAILED;
    return attributes &
                   (FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_REPARSE_POINT | FILE_ATTRIBUTE_DEVICE)
               ? OS_FILE_NO_FILE
               : OS_FILE_TAKEN;
}

static OVERLAPPED place(uint64_t at)
{
    OVERLAPPED where = {0};
    where.Offset = (DWORD)at;
    where.OffsetHigh = (DWORD)(at >> 32);
    return where;
}

bool os_file_write(os_file file, const void *data, size_t size, uint64_t at)
{
    OVERLAPPED where = place(at);
    DWORD written = 0;
    return size == 0 ||
           (WriteFile((HANDLE)file, data, (DWORD)size, &written, &where) && written == size);
}

size_t os_file_read(os_file file, void *data, size_t size, uint64_t at)
{
    OVERLAPPED where = place(at);
    DWORD n = 0;
    return ReadFile((HANDLE)file, data, (DWORD)size, &n, &where) ? n : 0;
}

/* A section that is larger than its file makes it grow, and takes its clusters. */
enum os_reserved os_file_reserve(os_file file, size_t size)
{
    (void)file, (void)size;
    return OS_RESERVED;
}

void os_file_cut(os_file file, uint64_t size)
{
    (void)file, (void)size; /* no file with a view is cut there; readers leave the rest out */
}

/* Others may not rename or delete it as long as it is open. */
bool os_file_is_at(os_file file, const char *path)
{
    (void)file, (void)path;
    return true;
}

void *os_file_map(os_file file, size_t size)
{
    HANDLE section = CreateFileMappingA((HANDLE)file, NULL, PAGE_READWRITE,
                                        (DWORD)((uint64_t)size >> 32), (DWORD)size, NULL);
    void *map = section ? MapViewOfFile(section, FILE_MAP_ALL_ACCESS, 0, 0, size) : NULL;
    if (section)
        CloseHandle(section); /* the view keeps it */
    return map;
}

void os_file_close(os_file file, void *map, size_t size)
{
    (void)size;
    if (map)
        UnmapViewOfFile(map);
    if (file != -1)
        CloseHandle((HANDLE)file);
}

bool os_file_rename(const char *from, const char *to)
{
    wchar_t wide_from[WIDE_PATH], wide_to[WIDE_PATH];
    return wide_path(from, wide_from) && wide_path(to, wide_to) &&
           MoveFileExW(wide_from, wide_to, MOVEFILE_REPLACE_EXISTING);
}

void os_file_remove(const char *path)
{
    wchar_t wide[WIDE_PATH];
    if (wide_path(path, wide))
        DeleteFileW(wide);
}

char *os_full_path(const char *path)
{
    wchar_t wide[WIDE_PATH], full[WIDE_PATH];
    char found[3 * MAX_PATH];
    if (!wide_path(path, wide) || GetFileAttributesW(wide) == INVALID_FILE_ATTRIBUTES)
        return NULL;
    const DWORD length = GetFullPathNameW(wide, WIDE_PATH, full, NULL);
    return length && length < WIDE_PATH && narrow_path(full, found, sizeof found) ? strdup(found)
                                                                                  : NULL;
}

const char *os_error(void)
{
    static _Thread_local char line[32];
    snprintf(line, sizeof line, "error %lu", GetLastError());
    return line;
}

/* ---- the process ---- */

uint32_t os_process(void)
{
    return GetCurrentProcessId();
}

void os_program_path(char *path, size_t size)
{
    wchar_t wide[WIDE_PATH];
    if (!GetModuleFileNameW(NULL, wide, WIDE_PATH) || !narrow_path(wide, path, size))
        path[0] = '\0';
}

void os_at_fork(void (*before)(void), void (*after)(void), void (*in_child)(void))
{
    (void)before, (void)after, (void)in_child;
}

/* ---- handles and memory ---- */

bool os_has_handle(uint64_t handle)
{
    DWORD flags;
    return GetHandleInformation((HANDLE)(uintptr_t)handle, &flags);
}

uint64_t os_handle_identity(uint64_t handle)
{
    return handle;
}

uint64_t os_region_at(const void *address)
{
    MEMORY_BASIC_INFORMATION m;
    const char *at = address;
    while (VirtualQuery(at, &m, sizeof m) && m.AllocationBase == address && m.State == MEM_COMMIT &&
           (m.Protect & 0xff) == PAGE_READWRITE)
        at += m.RegionSize;
    return (uint64_t)(at - (const char *)address);
}
