#include "os.h"

#define PSAPI_VERSION 2 /* in kernel32 */
#include <windows.h>
#include <psapi.h>

#include <io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool os_own_path(char path[OS_PATH_MAX])
{
    const DWORD length = GetModuleFileNameA(NULL, path, OS_PATH_MAX);
    return length > 0 && length < OS_PATH_MAX;
}

bool os_file_exists(const char *path)
{
    return GetFileAttributesA(path) != INVALID_FILE_ATTRIBUTES;
}

bool os_own_file(const char *name, char path[OS_PATH_MAX])
{
    char folder[MAX_PATH + 1];
    if (GetTempPathA(sizeof folder, folder) == 0)
        return false;
    snprintf(path, OS_PATH_MAX, "%s%lu-%s", folder, GetCurrentProcessId(), name);
    return true;
}

bool os_is_terminal(void)
{
    return _isatty(1) != 0;
}

void os_set_environment(const char *name, const char *value)
{
    char text[OS_PATH_MAX + 128];
    snprintf(text, sizeof text, "%s=%s", name, value ? value : "");
    _putenv(text); /* an empty value takes the variable away */
}

uint64_t os_thread_id(void)
{
    return GetCurrentThreadId();
}

uint64_t os_clock(void)
{
    LARGE_INTEGER now, frequency;
    QueryPerformanceCounter(&now);
    QueryPerformanceFrequency(&frequency);
    return (uint64_t)((double)now.QuadPart / (double)frequency.QuadPart * 1e9);
}

unsigned os_processors(void)
{
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return info.dwNumberOfProcessors ? info.dwNumberOfProcessors : 1;
}

/* ---- memory ---- */

void *os_map(size_t size)
{
    return VirtualAlloc(NULL, size, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

void os_take(void *memory, size_t size)
{
    VirtualFree(memory, size, MEM_DECOMMIT);
}

/* A job of its own around the process. Wine takes the order and doesn't follow it, so it is tried. */
bool os_limit_memory(size_t size)
{
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limit = {0};
    HANDLE job = CreateJobObjectA(NULL, NULL);
    PROCESS_MEMORY_COUNTERS now = {.cb = sizeof now};
    if (!job || !GetProcessMemoryInfo(GetCurrentProcess(), &now, sizeof now))
        return false;
    limit.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_PROCESS_MEMORY;
    limit.ProcessMemoryLimit = now.PagefileUsage + size;
    if (!SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limit, sizeof limit) ||
        !AssignProcessToJobObject(job, GetCurrentProcess()))
        return false;
    void *more = os_map(2 * size);
    if (more)
        os_take(more, 2 * size);
    return !more;
}

/* ---- libraries ---- */

void *os_library(const char *path, char *error, size_t error_size)
{
    char full[OS_PATH_MAX];
    if (GetFullPathNameA(path, sizeof full, full, NULL) == 0)
        snprintf(full, sizeof full, "%s", path);
    /* its own folder is searched for what it needs */
    HMODULE library = LoadLibraryExA(os_file_exists(full) ? full : path, NULL,
                                     os_file_exists(full) ? LOAD_WITH_ALTERED_SEARCH_PATH : 0);
    if (!library)
        snprintf(error, error_size, "%s: error %lu", path, GetLastError());
    return library;
}

os_function os_library_function(void *library, const char *name)
{
    FARPROC function = GetProcAddress(library, name);
    HMODULE below = function ? NULL : GetModuleHandleA("libannot.dll");
    if (below)
        function = GetProcAddress(below, name);
    os_function result;
    _Static_assert(sizeof result == sizeof function, "functions are found by address");
    memcpy(&result, &function, sizeof result);
    return result;
}

/* ---- processes ---- */

enum { OUTPUT_MAX = 1 << 20 };

struct os_process {
    HANDLE handle, pipe;
    bool ended;
    DWORD code;
    char *output;
    size_t size, capacity;
};

static void gather(struct os_process *process, const char *bytes, size_t size)
{
    if (process->size + size > OUTPUT_MAX)
        size = OUTPUT_MAX - process->size;
    if (process->size + size + 1 > process->capacity) {
        const size_t capacity = (process->size + size + 1) * 2;
        char *bigger = realloc(process->output, capacity);
        if (!bigger)
            return;
        process->output = bigger;
        process->capacity = capacity;
    }
    for (size_t i = 0; i < size; i++)
        if (bytes[i] != '\r')
            process->output[process->size++] = bytes[i];
    process->output[process->size] = '\0';
}

static void drain(struct os_process *process)
{
    char bytes[4096];
    DWORD there = 0, got = 0;
    while (PeekNamedPipe(process->pipe, NULL, 0, NULL, &there, NULL) && there > 0 &&
           ReadFile(process->pipe, bytes, there < sizeof bytes ? there : sizeof bytes, &got, NULL))
        gather(process, bytes, got);
}

/* The arguments as CommandLineToArgvW takes them apart; ours hold no quotes. */
static char *command_line(char *const argv[])
{
    size_t size = 1;
    for (size_t i = 0; argv[i]; i++)
        size += strlen(argv[i]) + 3;
    char *line = calloc(1, size);
    for (size_t i = 0; line && argv[i]; i++) {
        strcat(line, i ? " \"" : "\"");
        strcat(line, argv[i]);
        strcat(line, "\"");
    }
    return line;
}

enum { START_TRIES = 20, START_WAIT_MS = 100 };

/* A machine that has much to do refuses processes now and then, Wine before others. */
static bool create_process(char *line, STARTUPINFOA *start, PROCESS_INFORMATION *info)
{
    for (int i = 0; i < START_TRIES; i++) {
        if (i > 0)
            Sleep(START_WAIT_MS);
        if (CreateProcessA(NULL, line, NULL, NULL, TRUE, 0, NULL, NULL, start, info))
            return true;
        if (GetLastError() == ERROR_FILE_NOT_FOUND)
            return false;
    }
    return false;
}

struct os_process *os_process_start(char *const argv[])
{
    SECURITY_ATTRIBUTES inherited = {.nLength = sizeof inherited, .bInheritHandle = TRUE};
    STARTUPINFOA start = {.cb = sizeof start, .dwFlags = STARTF_USESTDHANDLES};
    PROCESS_INFORMATION info;
    HANDLE write_end;
    struct os_process *process = calloc(1, sizeof *process);
    char *line = command_line(argv);
    if (!process || !line)
        goto err_memory;
    if (!CreatePipe(&process->pipe, &write_end, &inherited, 0))
        goto err_memory;
    SetHandleInformation(process->pipe, HANDLE_FLAG_INHERIT, 0);
    start.hStdInput = INVALID_HANDLE_VALUE;
    start.hStdOutput = start.hStdError = write_end;
    if (!create_process(line, &start, &info))
        goto err_pipe;
    CloseHandle(write_end);
    CloseHandle(info.hThread);
    process->handle = info.hProcess;
    free(line);
    return process;

err_pipe:
    CloseHandle(write_end);
    CloseHandle(process->pipe);
err_memory:
    free(line);
    free(process);
    return NULL;
}

static bool look(struct os_process *process)
{
    if (process->ended)
        return true;
    const bool ended = WaitForSingleObject(process->handle, 0) == WAIT_OBJECT_0;
    drain(process);
    if (ended) {
        GetExitCodeProcess(process->handle, &process->code);
        process->ended = true;
    }
    return ended;
}

void os_process_wait(struct os_process *const processes[], size_t count, unsigned milliseconds)
{
    const uint64_t until = os_clock() + (uint64_t)milliseconds * 1000000u;
    bool any = count == 0;
    while (!any) {
        for (size_t i = 0; i < count; i++)
            any |= look(processes[i]);
        any |= os_clock() >= until;
        if (!any)
            Sleep(2); /* a pipe of this kind can't be waited for */
    }
}

bool os_process_ended(const struct os_process *process)
{
    return process->ended;
}

const char *os_process_output(const struct os_process *process)
{
    return process->output ? process->output : "";
}

bool os_process_crashed(const struct os_process *process, int *code, char *how, size_t how_size)
{
    *code = (int)process->code;
    if (process->code < 0x80000000u)
        return false;
    snprintf(how, how_size, "exception 0x%08lx", process->code);
    return true;
}

void os_process_kill(struct os_process *process)
{
    if (process->ended)
        return;
    TerminateProcess(process->handle, 1);
    WaitForSingleObject(process->handle, 5000);
    drain(process);
    process->ended = true;
}

void os_process_done(struct os_process *process)
{
    if (!process)
        return;
    os_process_kill(process);
    CloseHandle(process->handle);
    CloseHandle(process->pipe);
    free(process->output);
    free(process);
}
