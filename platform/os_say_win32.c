#include "os_say.h"

#include "inert_line.h"

#include <io.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#include <windows.h>
#include <winternl.h>

/* A function of ntdll that mingw-w64's headers don't declare. */
BOOLEAN NTAPI RtlDllShutdownInProgress(void);

/* A time that is longer than a console or a live reader needs. */
enum { WAIT_MS = 100 };

static const char full[] = "stderr is full", unwritten[] = "stderr can't be written";

/* The stderr at the time when the code was loaded. */
static struct stream {
    HANDLE handle;
    DWORD type;
    BY_HANDLE_FILE_INFORMATION file; /* identity of a file */
} begun;

/* The line that a thread writes; the write may never return. */
static struct {
    _Atomic uint32_t state;
    HANDLE handle; /* a duplicate, so no other file gets its number */
    DWORD size;
    bool is_said;
    char text[2048];
} line;
enum { FREE, WRITTEN, LEFT_ALONE, DONE };

static void look(struct stream *stream)
{
    memset(stream, 0, sizeof *stream);
    stream->handle = (HANDLE)_get_osfhandle(STDERR_FILENO);
    if (stream->handle == INVALID_HANDLE_VALUE || (intptr_t)stream->handle == -2)
        stream->handle = NULL;
    if (stream->handle)
        stream->type = GetFileType(stream->handle);
    if (stream->type == FILE_TYPE_DISK)
        GetFileInformationByHandle(stream->handle, &stream->file);
}

__attribute__((constructor)) void os_say_begin(void)
{
    look(&begun);
}

void os_say_describe(char *to, size_t size)
{
    (void)size;
    *to = '\0';
}

static bool is_same(const struct stream *now)
{
    return now->type == begun.type &&
           now->file.dwVolumeSerialNumber == begun.file.dwVolumeSerialNumber &&
           now->file.nFileIndexHigh == begun.file.nFileIndexHigh &&
           now->file.nFileIndexLow == begun.file.nFileIndexLow;
}

static const char *obstacle(struct stream *now)
{
    look(now);
    return !now->handle || now->type == FILE_TYPE_UNKNOWN ? "stderr is closed"
           : !is_same(now) ? "the program uses descriptor 2 for something else"
           : atomic_load(&line.state) == LEFT_ALONE ? full
                                                    : NULL;
}

const char *os_say_obstacle(void)
{
    struct stream now;
    return obstacle(&now);
}

/* ---- a pipe may be full, and the text of a console selected ---- */

static DWORD WINAPI write_line(void *unused)
{
    DWORD written;
    (void)unused;
    line.is_said = WriteFile(line.handle, line.text, line.size, &written, NULL) != 0;
    CloseHandle(line.handle);
    if (atomic_exchange(&line.state, DONE) == LEFT_ALONE)
        atomic_store(&line.state, FREE);
    return 0;
}

/* Waits for the thread. Returns NULL if the thread has ended. */
static const char *wait_for(HANDLE thread)
{
    uint32_t written = WRITTEN;
    if (WaitForSingleObject(thread, WAIT_MS) == WAIT_OBJECT_0)
        return NULL;
    CancelSynchronousIo(thread);
    WaitForSingleObject(thread, WAIT_MS);
    return atomic_compare_exchange_strong(&line.state, &written, LEFT_ALONE) ? full : NULL;
}

static const char *say_by_thread(HANDLE handle, const char *text, size_t size)
{
    const HANDLE self = GetCurrentProcess();
    uint32_t is_free = FREE;
    for (unsigned pauses = 0; !atomic_compare_exchange_strong(&line.state, &is_free, WRITTEN);
         pauses++, is_free = FREE) {
        if (is_free == LEFT_ALONE || pauses == WAIT_MS)
            return full;
        Sleep(1);
    }
    memcpy(line.text, text, size);
    line.size = (DWORD)size;
    if (!DuplicateHandle(self, handle, self, &line.handle, 0, FALSE, DUPLICATE_SAME_ACCESS)) {
        atomic_store(&line.state, FREE);
        return unwritten;
    }
    const HANDLE thread = CreateThread(NULL, 0, write_line, NULL, 0, NULL);
    if (!thread) {
        CloseHandle(line.handle);
        atomic_store(&line.state, FREE);
        return unwritten;
    }
    const char *why = wait_for(thread);
    CloseHandle(thread);
    if (why)
        return why;
    why = line.is_said ? NULL : unwritten;
    atomic_store(&line.state, FREE);
    return why;
}

/* Returns true if the pipe has room for `size` bytes; used if no thread can be started any more. */
static bool has_room(HANDLE pipe, size_t size)
{
    IO_STATUS_BLOCK status;
    FILE_PIPE_LOCAL_INFORMATION info;
    return NtQueryInformationFile(pipe, &status, &info, sizeof info, FilePipeLocalInformation) >=
               0 &&
           info.WriteQuotaAvailable >= size;
}

static const char *say(const char *text, size_t size)
{
    struct stream now;
    DWORD written;
    const char *why = obstacle(&now);
    if (why)
        return why;
    if (now.type != FILE_TYPE_DISK && !RtlDllShutdownInProgress())
        return say_by_thread(now.handle, text, size);
    if (now.type == FILE_TYPE_PIPE && !has_room(now.handle, size))
        return full;
    return WriteFile(now.handle, text, (DWORD)size, &written, NULL) ? NULL : unwritten;
}

const char *os_say(const char *format, ...)
{
    char text[sizeof line.text];
    va_list arguments;
    va_start(arguments, format);
    const size_t size = inert_line(text, sizeof text, format, arguments);
    va_end(arguments);
    const DWORD error = GetLastError();
    const char *why = say(text, size);
    SetLastError(error);
    return why;
}
