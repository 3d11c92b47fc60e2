#include "os_replace.h"

#include "os_file.h"
#include "os_path.h"
#include "wide.h"

#include <string.h>

#define WAIT_STEP_MS 5    /* for other writers */
#define WAIT_STEPS   6000 /* 30 s */
#define MOVE_STEPS   400  /* 2 s: for readers */

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

/* Takes a lock: opens a file without sharing, so no other process can open it. The system closes
 * the file of a killed process. */
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

bool os_writer_init(struct os_writer *writer, const char *path, const char **reason)
{
    wchar_t lock_path[WIDE_PATH];
    *writer = (struct os_writer){.target = os_path_join(path, ""),
                                 .temporary = os_path_join(path, ".new"),
                                 .lock_path = os_path_join(path, ".lock")};
    if (!writer->target || !writer->temporary || !writer->lock_path) {
        *reason = "out of memory";
        goto err0;
    }
    if (!wide_path(writer->lock_path, lock_path)) {
        *reason = os_error();
        goto err0;
    }
    make_folders(lock_path);
    HANDLE lock = take_lock(lock_path);
    if (lock == INVALID_HANDLE_VALUE) {
        *reason = os_error();
        goto err0;
    }
    writer->lock = lock;
    return true;
err0:
    os_writer_finish(writer);
    return false;
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

/* Tries again if the system refuses because a reader has the old file open. */
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

bool os_writer_replace(struct os_writer *writer, const char *data, size_t size, const char **reason)
{
    wchar_t from[WIDE_PATH], to[WIDE_PATH];
    if (wide_path(writer->temporary, from) && wide_path(writer->target, to) &&
        write_file(from, data, size) && move_over(from, to))
        return true;
    *reason = os_error();
    DeleteFileW(from);
    return false;
}

void os_writer_finish(struct os_writer *writer)
{
    if (writer->lock)
        CloseHandle(writer->lock);
    free(writer->target);
    free(writer->temporary);
    free(writer->lock_path);
    *writer = (struct os_writer){0};
}
