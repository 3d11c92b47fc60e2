#include "os.h"

#include <windows.h>

#include <string.h>

void *os_library_load(const char *path)
{
    return LoadLibraryA(path);
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
