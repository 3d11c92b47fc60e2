#define _CRT_RAND_S
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

/* A job of its own around the process. Wine takes the order and doesn't follow it, so it is
 * tried. */
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

/* Wine writes this behind the first header of the libraries that it is built with. */
static bool is_wines_own(HMODULE library)
{
    static const char signature[] = "Wine builtin DLL";
    return memcmp((const char *)library + sizeof(IMAGE_DOS_HEADER), signature,
                  sizeof signature - 1) == 0;
}

bool os_function_library(os_function function, char *text, size_t size)
{
    char path[OS_PATH_MAX];
    const char *(__cdecl * wine)(void);
    HMODULE library;
    const FARPROC version = GetProcAddress(GetModuleHandleA("ntdll.dll"), "wine_get_version");
    LPCSTR address;
    memcpy(&address, &function, sizeof address);
    memcpy(&wine, &version, sizeof wine);
    if (!GetModuleHandleExA(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS |
                                GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                            address, &library) ||
        GetModuleFileNameA(library, path, sizeof path) == 0)
        return false;
    if (!version)
        snprintf(text, size, "%s", path);
    else
        snprintf(text, size, "%s, which is %s (Wine %s)", path,
                 is_wines_own(library) ? "Wine's own" : "not Wine's own", wine());
    return true;
}

/* ---- processes ---- */

enum {
    OUTPUT_MAX = 1 << 16,
    READS_MAX = 64, /* at a time: a process that never stops writing doesn't keep the runner from
                       its clock */
};

struct os_process {
    HANDLE handle, pipe;
    HANDLE job, channel; /* of a guarded process; else NULL */
    bool ended;
    DWORD code;
    char *output;
    size_t size, capacity;
};

unsigned long os_process_id(void)
{
    return GetCurrentProcessId();
}

void os_keep_to_itself(intptr_t file)
{
    SetHandleInformation((HANDLE)file, HANDLE_FLAG_INHERIT, 0);
}

void os_write(intptr_t file, const void *bytes, size_t size)
{
    DWORD written;
    WriteFile((HANDLE)file, bytes, (DWORD)size, &written, NULL);
}

bool os_random(uint64_t *number)
{
    unsigned halves[2];
    if (rand_s(&halves[0]) != 0 || rand_s(&halves[1]) != 0)
        return false;
    *number = (uint64_t)halves[0] << 32 | halves[1];
    return true;
}

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

static DWORD read_there(HANDLE pipe, char *bytes, DWORD size)
{
    DWORD there = 0, got = 0;
    if (!PeekNamedPipe(pipe, NULL, 0, NULL, &there, NULL) || there == 0 ||
        !ReadFile(pipe, bytes, there < size ? there : size, &got, NULL))
        return 0;
    return got;
}

static void drain(struct os_process *process)
{
    char bytes[4096];
    DWORD got;
    for (int i = 0; i < READS_MAX; i++) {
        if ((got = read_there(process->pipe, bytes, sizeof bytes)) == 0)
            return;
        gather(process, bytes, got);
    }
}

size_t os_process_channel(struct os_process *process, char *bytes, size_t size)
{
    return process->channel ? read_there(process->channel, bytes, (DWORD)size) : 0;
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
static bool create_process(char *line, DWORD flags, STARTUPINFOA *start, PROCESS_INFORMATION *info)
{
    for (int i = 0; i < START_TRIES; i++) {
        if (i > 0)
            Sleep(START_WAIT_MS);
        if (CreateProcessA(NULL, line, NULL, NULL, TRUE, flags, NULL, NULL, start, info))
            return true;
        if (GetLastError() == ERROR_FILE_NOT_FOUND)
            return false;
    }
    return false;
}

/* Everything that the process starts belongs to the job, and the job ends with its last handle: at
 * the latest when the runner ends. Where jobs can't be had, the process is killed alone. */
static HANDLE own_job(HANDLE process)
{
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limit = {0};
    HANDLE job = CreateJobObjectA(NULL, NULL);
    limit.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    if (job &&
        SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limit, sizeof limit) &&
        AssignProcessToJobObject(job, process))
        return job;
    if (job)
        CloseHandle(job);
    return NULL;
}

/* The pipe's writing end is inherited. */
static bool open_pipe(HANDLE *read_end, HANDLE *write_end)
{
    SECURITY_ATTRIBUTES inherited = {.nLength = sizeof inherited, .bInheritHandle = TRUE};
    if (!CreatePipe(read_end, write_end, &inherited, 0))
        return false;
    SetHandleInformation(*read_end, HANDLE_FLAG_INHERIT, 0);
    return true;
}

static void close_handle(HANDLE handle)
{
    if (handle)
        CloseHandle(handle);
}

struct os_process *os_process_start(char *const argv[], char *channel_text)
{
    STARTUPINFOA startup = {.cb = sizeof startup, .dwFlags = STARTF_USESTDHANDLES};
    PROCESS_INFORMATION info;
    HANDLE output = NULL, channel = NULL;
    char *line = NULL;
    struct os_process *process = calloc(1, sizeof *process);
    if (!process || !open_pipe(&process->pipe, &output) ||
        (channel_text && !open_pipe(&process->channel, &channel)))
        goto err;
    if (channel_text) {
        snprintf(channel_text, OS_CHANNEL_MAX, "%llu", (unsigned long long)(uintptr_t)channel);
        SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX); /* inherited: no dialogs */
    }
    line = command_line(argv);
    startup.hStdInput = INVALID_HANDLE_VALUE;
    startup.hStdOutput = startup.hStdError = output;
    if (!line || !create_process(line, channel_text ? CREATE_SUSPENDED : 0, &startup, &info))
        goto err;
    process->handle = info.hProcess;
    if (channel_text) {
        process->job = own_job(info.hProcess);
        ResumeThread(info.hThread);
    }
    CloseHandle(info.hThread);
    CloseHandle(output);
    close_handle(channel);
    free(line);
    return process;

err:
    close_handle(output);
    close_handle(channel);
    if (process) {
        close_handle(process->pipe);
        close_handle(process->channel);
    }
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
        if (process->job)
            TerminateJobObject(process->job, 1);
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
    if (process->job)
        TerminateJobObject(process->job, 1);
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
    close_handle(process->job);
    close_handle(process->channel);
    free(process->output);
    free(process);
}
