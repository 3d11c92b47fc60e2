#include "os.h"

#include "environment.h"

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <stdlib.h>
#include <string.h>

#define WAIT_STEP_MS 5    /* for other writers */
#define WAIT_STEPS   6000 /* 30 s */
#define MOVE_STEPS   400  /* 2 s: for readers */
#define OUR_FILE     "\\annot\\d3dconfig.ini"

static wchar_t *widen(const char *text)
{
    const int size = MultiByteToWideChar(CP_UTF8, 0, text, -1, NULL, 0);
    wchar_t *wide = size > 0 ? malloc((size_t)size * sizeof *wide) : NULL;
    if (wide)
        MultiByteToWideChar(CP_UTF8, 0, text, -1, wide, size);
    return wide;
}

static char *narrow(const wchar_t *wide)
{
    const int size = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
    char *text = size > 0 ? malloc((size_t)size) : NULL;
    if (text)
        WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, size, NULL, NULL);
    return text;
}

/* ---- where ---- */

static char *join(char *start, const char *end, bool *out_of_memory)
{
    char *path = start != NULL ? realloc(start, strlen(start) + strlen(end) + 1) : NULL;
    if (!path) {
        *out_of_memory = true;
        free(start);
        return NULL;
    }
    return strcat(path, end);
}

static char *from_environment(const char *name, const char *end, bool *out_of_memory)
{
    char *start = emu_environment(name, out_of_memory);
    return start ? join(start, end, out_of_memory) : NULL;
}

char *config_os_environment_path(bool *out_of_memory)
{
    return emu_environment("ANNOT_CONFIG", out_of_memory);
}

char *config_os_user_path(bool *out_of_memory)
{
    return from_environment("APPDATA", OUR_FILE, out_of_memory);
}

char *config_os_system_path(bool *out_of_memory)
{
    return from_environment("PROGRAMDATA", OUR_FILE, out_of_memory);
}

char *config_os_dump_folder(bool *out_of_memory)
{
    return from_environment("LOCALAPPDATA", "\\CrashDumps\\", out_of_memory);
}

/* ---- reasons ---- */

static const char *reason_of(DWORD error)
{
    switch (error) {
    case ERROR_ACCESS_DENIED:
        return "access is denied";
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
        return "another program keeps it open; try again";
    case ERROR_DISK_FULL:
        return "the disk is full";
    case ERROR_PATH_NOT_FOUND:
    case ERROR_FILE_NOT_FOUND:
        return "its folder does not exist";
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY:
        return "out of memory";
    case ERROR_CANT_RESOLVE_FILENAME:
        return "links in a circle";
    default:
        return "the system refuses";
    }
}

/* ---- reading ---- */

static enum config_os_read open_file(const char *path, HANDLE *file, const char **reason)
{
    wchar_t *wide = widen(path);
    if (!wide)
        return CONFIG_OS_OUT_OF_MEMORY;
    const DWORD attributes = GetFileAttributesW(wide);
    if (attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0) {
        free(wide);
        *reason = "it is a folder";
        return CONFIG_OS_UNREADABLE;
    }
    *file = CreateFileW(wide, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                        NULL, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, NULL);
    const DWORD error = GetLastError();
    free(wide);
    if (*file == INVALID_HANDLE_VALUE) {
        *reason = reason_of(error);
        return error == ERROR_FILE_NOT_FOUND || error == ERROR_PATH_NOT_FOUND
                   ? CONFIG_OS_ABSENT
                   : CONFIG_OS_UNREADABLE;
    }
    if (GetFileType(*file) == FILE_TYPE_DISK)
        return CONFIG_OS_READ;
    CloseHandle(*file);
    *reason = "it is not a file";
    return CONFIG_OS_UNREADABLE;
}

static enum config_os_read read_whole(HANDLE file, size_t limit, char **data, size_t *size,
                                      const char **reason)
{
    LARGE_INTEGER length;
    DWORD got = 0;
    if (!GetFileSizeEx(file, &length)) {
        *reason = reason_of(GetLastError());
        return CONFIG_OS_UNREADABLE;
    }
    if ((unsigned long long)length.QuadPart > limit)
        return CONFIG_OS_TOO_LARGE;
    *data = malloc((size_t)length.QuadPart + 1);
    if (!*data)
        return CONFIG_OS_OUT_OF_MEMORY;
    if (!ReadFile(file, *data, (DWORD)length.QuadPart, &got, NULL)) {
        *reason = reason_of(GetLastError());
        free(*data);
        *data = NULL;
        return CONFIG_OS_UNREADABLE;
    }
    *size = got;
    return CONFIG_OS_READ;
}

enum config_os_read config_os_read_file(const char *path, size_t limit, char **data, size_t *size,
                                        const char **reason)
{
    HANDLE file;
    *data = NULL;
    *size = 0;
    enum config_os_read result = open_file(path, &file, reason);
    if (result != CONFIG_OS_READ)
        return result;
    result = read_whole(file, limit, data, size, reason);
    CloseHandle(file);
    return result;
}

/* ---- writing ---- */

static void make_folders(wchar_t *path)
{
    for (wchar_t *at = path; *at != L'\0'; at++) {
        if ((*at != L'\\' && *at != L'/') || at == path || at[-1] == L':')
            continue;
        const wchar_t separator = *at;
        *at = L'\0';
        CreateDirectoryW(path, NULL);
        *at = separator;
    }
}

/* A file open without sharing can't be opened again; the system closes it when its owner is
 * killed. */
static HANDLE take_lock(const wchar_t *path)
{
    for (int i = 0; i < WAIT_STEPS; i++) {
        HANDLE lock = CreateFileW(path, GENERIC_READ | GENERIC_WRITE, 0, NULL, OPEN_ALWAYS,
                                  FILE_ATTRIBUTE_HIDDEN, NULL);
        if (lock != INVALID_HANDLE_VALUE || GetLastError() != ERROR_SHARING_VIOLATION)
            return lock;
        Sleep(WAIT_STEP_MS);
    }
    SetLastError(ERROR_SHARING_VIOLATION);
    return INVALID_HANDLE_VALUE;
}

bool config_os_writer_init(struct config_os_writer *writer, const char *path, const char **reason)
{
    bool out_of_memory = false;
    *writer = (struct config_os_writer){0};
    writer->target = join(_strdup(path), "", &out_of_memory);
    writer->temporary = join(_strdup(path), ".new", &out_of_memory);
    writer->lock_path = join(_strdup(path), ".lock", &out_of_memory);
    wchar_t *lock_path = out_of_memory ? NULL : widen(writer->lock_path);
    if (!lock_path) {
        *reason = "out of memory";
        config_os_writer_finish(writer);
        return false;
    }
    make_folders(lock_path);
    HANDLE lock = take_lock(lock_path);
    const DWORD error = GetLastError();
    free(lock_path);
    if (lock == INVALID_HANDLE_VALUE) {
        *reason = reason_of(error);
        config_os_writer_finish(writer);
        return false;
    }
    writer->lock = lock;
    return true;
}

static bool write_file(const wchar_t *path, const char *data, size_t size)
{
    DWORD written = 0;
    HANDLE file =
        CreateFileW(path, GENERIC_WRITE, 0, NULL, CREATE_ALWAYS, FILE_ATTRIBUTE_NORMAL, NULL);
    if (file == INVALID_HANDLE_VALUE)
        return false;
    const bool ok = WriteFile(file, data, (DWORD)size, &written, NULL) && written == size &&
                    FlushFileBuffers(file);
    const DWORD error = GetLastError();
    CloseHandle(file);
    SetLastError(error);
    return ok;
}

/* A reader that has the old file open at this moment makes the system refuse: once more, then. */
static bool move_over(const wchar_t *from, const wchar_t *to)
{
    for (int i = 0; i < MOVE_STEPS; i++) {
        if (MoveFileExW(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH))
            return true;
        if (GetLastError() != ERROR_SHARING_VIOLATION && GetLastError() != ERROR_ACCESS_DENIED)
            return false;
        Sleep(WAIT_STEP_MS);
    }
    return false;
}

bool config_os_writer_replace(struct config_os_writer *writer, const char *data, size_t size,
                              const char **reason)
{
    wchar_t *from = widen(writer->temporary), *to = widen(writer->target);
    SetLastError(ERROR_NOT_ENOUGH_MEMORY);
    const bool ok = from && to && write_file(from, data, size) && move_over(from, to);
    if (!ok) {
        *reason = reason_of(GetLastError());
        if (from)
            DeleteFileW(from);
    }
    free(from);
    free(to);
    return ok;
}

void config_os_writer_finish(struct config_os_writer *writer)
{
    if (writer->lock)
        CloseHandle(writer->lock);
    free(writer->target);
    free(writer->temporary);
    free(writer->lock_path);
    *writer = (struct config_os_writer){0};
}

/* ---- executables and paths ---- */

#define PATH_LIMIT 32768 /* characters, the system's own */

char *config_os_self(void)
{
    wchar_t *path = malloc(PATH_LIMIT * sizeof *path);
    const DWORD size = path != NULL ? GetModuleFileNameW(NULL, path, PATH_LIMIT) : 0;
    char *self = size > 0 && size < PATH_LIMIT ? narrow(path) : NULL;
    free(path);
    return self;
}

bool config_os_is_separator(char c)
{
    return c == '\\' || c == '/';
}

bool config_os_is_absolute(const char *path)
{
    const bool has_drive =
        ((path[0] >= 'a' && path[0] <= 'z') || (path[0] >= 'A' && path[0] <= 'Z')) &&
        path[1] == ':' && config_os_is_separator(path[2]);
    return has_drive || (config_os_is_separator(path[0]) && config_os_is_separator(path[1]));
}

static char fold(char c)
{
    if (c >= 'A' && c <= 'Z')
        return (char)(c - 'A' + 'a');
    return c == '/' ? '\\' : c;
}

bool config_os_same_character(char a, char b)
{
    return fold(a) == fold(b);
}

static DWORD attributes_of(const char *path)
{
    wchar_t *wide = widen(path);
    const DWORD attributes = wide != NULL ? GetFileAttributesW(wide) : INVALID_FILE_ATTRIBUTES;
    free(wide);
    return attributes;
}

bool config_os_exists(const char *path, bool *is_directory)
{
    const DWORD attributes = attributes_of(path);
    if (attributes == INVALID_FILE_ATTRIBUTES)
        return false;
    *is_directory = (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
    return true;
}

char *config_os_resolve(const char *path)
{
    wchar_t *wide = attributes_of(path) != INVALID_FILE_ATTRIBUTES ? widen(path) : NULL;
    wchar_t *full = wide != NULL ? malloc(PATH_LIMIT * sizeof *full) : NULL;
    const DWORD size = full != NULL ? GetFullPathNameW(wide, PATH_LIMIT, full, NULL) : 0;
    char *resolved = size > 0 && size < PATH_LIMIT ? narrow(full) : NULL;
    free(wide);
    free(full);
    return resolved;
}
