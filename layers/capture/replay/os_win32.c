#include "os.h"
#include "config/wide.h"

#include <windows.h>

#include <stdlib.h>
#include <string.h>

void *os_library_load(const char *path)
{
    wchar_t wide[WIDE_PATH];
    return wide_path(path, wide) ? LoadLibraryW(wide) : NULL;
}

void *os_library_function(void *library, const char *name)
{
    FARPROC found = GetProcAddress(library, name);
    const HMODULE annot = found ? NULL : GetModuleHandleA("libannot.dll"); /* the library's own */
    void *function;
    if (annot)
        found = GetProcAddress(annot, name);
    memcpy(&function, &found, sizeof function);
    return function;
}

uint64_t os_event_create(void)
{
    return (uint64_t)(uintptr_t)CreateEventW(NULL, FALSE, FALSE, NULL);
}

void os_event_end(uint64_t event)
{
    CloseHandle((HANDLE)(uintptr_t)event);
}

void os_memory_give(void *memory, uint64_t size)
{
    (void)size;
    VirtualFree(memory, 0, MEM_RELEASE);
}

struct start {
    void (*function)(void *user);
    void *user;
};

static DWORD WINAPI run(void *argument)
{
    const struct start start = *(struct start *)argument;
    free(argument);
    start.function(start.user);
    return 0;
}

bool os_thread_start(void (*function)(void *user), void *user)
{
    struct start *start = malloc(sizeof *start);
    if (!start)
        return false;
    *start = (struct start){function, user};
    HANDLE thread = CreateThread(NULL, 0, run, start, 0, NULL);
    if (!thread) {
        free(start);
        return false;
    }
    CloseHandle(thread);
    return true;
}

bool os_limit_memory(uint64_t bytes)
{
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {0};
    HANDLE job = CreateJobObjectW(NULL, NULL); /* as long as the process */
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_PROCESS_MEMORY;
    limits.ProcessMemoryLimit = (SIZE_T)bytes;
    return job &&
           SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits,
                                   sizeof limits) &&
           AssignProcessToJobObject(job, GetCurrentProcess());
}

void *os_memory_take(uint64_t size)
{
    return VirtualAlloc(NULL, (SIZE_T)size, MEM_COMMIT | MEM_RESERVE, PAGE_READWRITE);
}

void os_sleep_millisecond(void)
{
    Sleep(1);
}

#if defined(__x86_64__) || defined(_M_X64)
static LONG CALLBACK pass_break(EXCEPTION_POINTERS *exception)
{
    if (exception->ExceptionRecord->ExceptionCode != EXCEPTION_BREAKPOINT)
        return EXCEPTION_CONTINUE_SEARCH;
    exception->ContextRecord->Rip++; /* it points to int3, which is one byte */
    return EXCEPTION_CONTINUE_EXECUTION;
}

void os_pass_breaks(void)
{
    AddVectoredExceptionHandler(0, pass_break);
}
#else
void os_pass_breaks(void)
{
}
#endif
