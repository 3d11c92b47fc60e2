#include "os_process.h"

#include "os_file.h"
#include "wide.h"

#include <string.h>

uint32_t os_process_id(void)
{
    return GetCurrentProcessId();
}

uint64_t os_thread_id(void)
{
    return GetCurrentThreadId();
}

void os_at_fork(void (*before)(void), void (*after)(void), void (*in_child)(void))
{
    (void)before, (void)after, (void)in_child;
}

void os_sleep_millisecond(void)
{
    Sleep(1);
}

uint64_t os_wall_clock_ns(void)
{
    FILETIME time;
    GetSystemTimeAsFileTime(&time);
    uint64_t ticks = (uint64_t)time.dwHighDateTime << 32 | time.dwLowDateTime;
    return (ticks - 116444736000000000u) * 100u; /* from 1601 to 1970, 100 ns units */
}

uint64_t os_monotonic_ns(void)
{
    LARGE_INTEGER count, frequency;
    QueryPerformanceCounter(&count);
    QueryPerformanceFrequency(&frequency);
    uint64_t n = (uint64_t)count.QuadPart, f = (uint64_t)frequency.QuadPart;
    return n / f * 1000000000u + n % f * 1000000000u / f;
}

uint64_t os_performance_count(void)
{
    LARGE_INTEGER count;
    QueryPerformanceCounter(&count);
    return (uint64_t)count.QuadPart;
}

void os_break(void)
{
    DebugBreak();
}

#if defined(__x86_64__) || defined(_M_X64)
static LONG CALLBACK pass_break(EXCEPTION_POINTERS *exception)
{
    if (exception->ExceptionRecord->ExceptionCode != EXCEPTION_BREAKPOINT)
        return EXCEPTION_CONTINUE_SEARCH;
    exception->ContextRecord->Rip++; /* Rip points to int3, which has one byte */
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

const char *os_library_error(void)
{
    return os_error();
}
