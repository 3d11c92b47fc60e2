#include "base/process.h"

#include <stdio.h>
#include <string.h>
#include <windows.h>

static void describe_name(char *name, int capacity)
{
    wchar_t path[MAX_PATH];
    DWORD size = GetModuleFileNameW(NULL, path, MAX_PATH);
    if (size == 0 || size == MAX_PATH)
        return;
    const wchar_t *start = wcsrchr(path, L'\\');
    if (!WideCharToMultiByte(CP_UTF8, 0, start ? start + 1 : path, -1, name, capacity, NULL, NULL))
        name[0] = 0;
}

void annot__process_describe(struct annot__process *process)
{
    memset(process, 0, sizeof *process);
    describe_name(process->name, sizeof process->name);
    snprintf(process->id, sizeof process->id, "%lu", GetCurrentProcessId());
    strcpy(process->system, "Windows");
}

uint64_t annot__time_now(void)
{
    const uint64_t unix_epoch = 116444736000000000u; /* in units of 100 ns since 1601 */
    FILETIME now;
    GetSystemTimeAsFileTime(&now);
    uint64_t ticks = (uint64_t)now.dwHighDateTime << 32 | now.dwLowDateTime;
    return (ticks - unix_epoch) * 100;
}

uint32_t annot__thread_number(void)
{
    return (uint32_t)GetCurrentThreadId();
}

/* Always the same number, because Windows has no fork. */
uint32_t annot__process_generation(void)
{
    return 0;
}

bool annot__process_follow_forks(void)
{
    return true;
}
