#include "os_file.h"

#include "wide.h"

#include <string.h>

/* ---- files under construction ---- */

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

/* Makes a section larger than the file, so that Windows grows the file and takes clusters. */
enum os_reserved os_file_reserve(os_file file, size_t size)
{
    (void)file, (void)size;
    return OS_RESERVED;
}

/* Does nothing, because on Windows no program closes handles by guessed numbers. */
bool os_file_identify(os_file file, struct os_file_identity *identity)
{
    *identity = (struct os_file_identity){0, 0};
    return file != -1;
}

bool os_file_keep(os_file *file, const char *path, const struct os_file_identity *identity)
{
    (void)path, (void)identity;
    return *file != -1;
}

void os_file_cut(os_file file, uint64_t size)
{
    (void)file, (void)size; /* Windows can't cut a mapped file; readers leave the rest out */
}

/* Always true: Windows lets nobody rename or delete an open file. */
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

/* ---- by name ---- */

bool os_file_rename(const char *from, const char *to)
{
    wchar_t wide_from[WIDE_PATH], wide_to[WIDE_PATH];
    return wide_path(from, wide_from) && wide_path(to, wide_to) &&
           MoveFileExW(wide_from, wide_to, MOVEFILE_REPLACE_EXISTING);
}

bool os_file_remove(const char *path)
{
    wchar_t wide[WIDE_PATH];
    return wide_path(path, wide) && DeleteFileW(wide);
}

bool os_folder_make(const char *path)
{
    wchar_t wide[WIDE_PATH];
    return wide_path(path, wide) && CreateDirectoryW(wide, NULL);
}

FILE *os_open_log(const char *path)
{
    wchar_t wide[WIDE_PATH];
    return wide_path(path, wide) ? _wfopen(wide, L"ab") : NULL;
}

/* Whether an open file, which was opened without its link's target, is a link. Other reparse points
 * are files, such as files whose contents are in a cloud. */
static bool is_link(HANDLE file)
{
    BY_HANDLE_FILE_INFORMATION is;
    FILE_ATTRIBUTE_TAG_INFO of;
    return !GetFileInformationByHandle(file, &is) ||
           ((is.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 &&
            (!GetFileInformationByHandleEx(file, FileAttributeTagInfo, &of, sizeof of) ||
             IsReparseTagNameSurrogate(of.ReparseTag)));
}

static enum os_read open_file(const char *path, bool follows, HANDLE *file, const char **reason)
{
    wchar_t wide[WIDE_PATH];
    const DWORD attributes =
        wide_path(path, wide) ? GetFileAttributesW(wide) : INVALID_FILE_ATTRIBUTES;
    if (attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0) {
        *reason = "it is a folder";
        return OS_READ_UNREADABLE;
    }
    *file = CreateFileW(wide, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                        NULL, OPEN_EXISTING,
                        follows ? FILE_ATTRIBUTE_NORMAL : FILE_FLAG_OPEN_REPARSE_POINT, NULL);
    const DWORD error = GetLastError();
    if (*file == INVALID_HANDLE_VALUE) {
        *reason = os_error();
        return error == ERROR_FILE_NOT_FOUND || error == ERROR_PATH_NOT_FOUND ? OS_READ_ABSENT
                                                                              : OS_READ_UNREADABLE;
    }
    const bool is_file = GetFileType(*file) == FILE_TYPE_DISK;
    if (is_file && (follows || !is_link(*file)))
        return OS_READ_DONE;
    CloseHandle(*file);
    *reason = is_file ? "it is a link, which is not followed" : "not a file";
    return OS_READ_UNREADABLE;
}

static enum os_read read_whole(HANDLE file, size_t limit, char **data, size_t *size,
                               const char **reason)
{
    LARGE_INTEGER length;
    DWORD got = 0;
    if (!GetFileSizeEx(file, &length)) {
        *reason = os_error();
        return OS_READ_UNREADABLE;
    }
    if ((unsigned long long)length.QuadPart > limit)
        return OS_READ_TOO_LARGE;
    *data = malloc((size_t)length.QuadPart + 1);
    if (!*data)
        return OS_READ_OUT_OF_MEMORY;
    if (!ReadFile(file, *data, (DWORD)length.QuadPart, &got, NULL)) {
        *reason = os_error();
        free(*data);
        *data = NULL;
        return OS_READ_UNREADABLE;
    }
    *size = got;
    return OS_READ_DONE;
}

enum os_read os_read_file(const char *path, bool follows, size_t limit, char **data, size_t *size,
                          const char **reason)
{
    HANDLE file;
    *data = NULL;
    *size = 0;
    enum os_read result = open_file(path, follows, &file, reason);
    if (result != OS_READ_DONE)
        return result;
    result = read_whole(file, limit, data, size, reason);
    CloseHandle(file);
    return result;
}

const char *os_error(void)
{
    static _Thread_local char line[32];
    switch (GetLastError()) {
    case ERROR_ACCESS_DENIED:
        return "access is denied";
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
        return "another program keeps the file open; try again";
    case ERROR_DISK_FULL:
        return "the disk is full";
    case ERROR_PATH_NOT_FOUND:
    case ERROR_FILE_NOT_FOUND:
        return "the file's folder does not exist";
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY:
        return "out of memory";
    case ERROR_CANT_RESOLVE_FILENAME:
        return "links in a circle";
    default:
        snprintf(line, sizeof line, "error %lu", GetLastError());
        return line;
    }
}
