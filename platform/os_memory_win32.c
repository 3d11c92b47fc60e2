#include "os_memory.h"

#include <windows.h>

bool os_allocation_at(const void *address, size_t *size)
{
    MEMORY_BASIC_INFORMATION piece;
    *size = 0;
    while (VirtualQuery((const char *)address + *size, &piece, sizeof piece) == sizeof piece &&
           piece.AllocationBase == address && address) {
        if (piece.State != MEM_COMMIT || piece.Protect != PAGE_READWRITE)
            return false;
        *size += piece.RegionSize;
    }
    return *size != 0;
}

bool os_memory_read(void *to, const void *from, size_t size)
{
    SIZE_T done = 0;
    return ReadProcessMemory(GetCurrentProcess(), from, to, size, &done) && done == size;
}

void *os_memory_take(uint64_t size)
{
    return VirtualAlloc(NULL, (SIZE_T)size, MEM_COMMIT | MEM_RESERVE, PAGE_READWRITE);
}

void os_memory_give(void *memory, uint64_t size)
{
    (void)size;
    VirtualFree(memory, 0, MEM_RELEASE);
}

bool os_limit_memory(uint64_t bytes)
{
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {0};
    HANDLE job = CreateJobObjectW(NULL, NULL); /* the job lives as long as the process */
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_PROCESS_MEMORY;
    limits.ProcessMemoryLimit = (SIZE_T)bytes;
    return job &&
           SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits,
                                   sizeof limits) &&
           AssignProcessToJobObject(job, GetCurrentProcess());
}

uint64_t os_physical_memory(void)
{
    MEMORYSTATUSEX status = {.dwLength = sizeof status};
    return GlobalMemoryStatusEx(&status) ? status.ullTotalPhys : 0;
}
