#include "base/os.h"

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <stdio.h>
#include <string.h>

bool os_event_duplicate(void *handle, intptr_t *out)
{
    HANDLE self = GetCurrentProcess(), copy = NULL;
    if (!DuplicateHandle(self, handle, self, &copy, 0, FALSE, DUPLICATE_SAME_ACCESS))
        return false;
    *out = (intptr_t)copy;
    return true;
}

void os_event_signal(intptr_t event)
{
    SetEvent((HANDLE)event);
}

void os_event_close(intptr_t event)
{
    CloseHandle((HANDLE)event);
}

struct token {
    uint64_t magic; /* tells these sections from others, and the process */
    uint64_t number;
};

static struct token token_of(uint64_t number)
{
    return (struct token){UINT64_C(0x746f6e6e61627553) ^ GetCurrentProcessId(), number};
}

bool os_token_create(uint64_t token, void **out)
{
    HANDLE section = CreateFileMappingW(INVALID_HANDLE_VALUE, NULL, PAGE_READWRITE, 0,
                                        sizeof(struct token), NULL);
    struct token *content =
        section ? MapViewOfFile(section, FILE_MAP_WRITE, 0, 0, sizeof *content) : NULL;
    if (!content) {
        if (section)
            CloseHandle(section);
        return false;
    }
    *content = token_of(token);
    UnmapViewOfFile(content);
    *out = section;
    return true;
}

bool os_token_read(void *handle, uint64_t *out)
{
    const struct token *content =
        handle ? MapViewOfFile(handle, FILE_MAP_READ, 0, 0, sizeof *content) : NULL;
    if (!content)
        return false;
    const bool ours = content->magic == token_of(0).magic;
    *out = content->number;
    UnmapViewOfFile(content);
    return ours;
}

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

bool os_module_function(const char *path, const char *name, void *function, size_t size,
                        char *reason, size_t capacity)
{
    wchar_t wide[MAX_PATH * 4];
    HMODULE module = NULL;
    if (MultiByteToWideChar(CP_UTF8, 0, path, -1, wide, sizeof wide / sizeof wide[0]) != 0)
        module = LoadLibraryW(wide);
    if (!module) {
        snprintf(reason, capacity, "it can't be loaded, error %lu", GetLastError());
        return false;
    }
    FARPROC address = GetProcAddress(module, name);
    if (!address) {
        snprintf(reason, capacity, "it exports no %s", name);
        return false;
    }
    memcpy(function, &address, size);
    return true;
}

uint64_t os_physical_memory(void)
{
    MEMORYSTATUSEX status = {.dwLength = sizeof status};
    return GlobalMemoryStatusEx(&status) ? status.ullTotalPhys : 0;
}

uint64_t os_process_id(void)
{
    return GetCurrentProcessId();
}

uint64_t os_thread_id(void)
{
    return GetCurrentThreadId();
}

FILE *os_open_log(const char *path)
{
    wchar_t wide[1024];
    if (MultiByteToWideChar(CP_UTF8, 0, path, -1, wide, 1024) == 0)
        return NULL;
    return _wfopen(wide, L"ab");
}

void os_application_name(char *buffer, size_t capacity)
{
    wchar_t path[1024];
    DWORD size = GetModuleFileNameW(NULL, path, 1024);
    const wchar_t *name = path;
    for (DWORD i = 0; i < size; i++)
        if (path[i] == L'\\')
            name = path + i + 1;
    if (size == 0 || size == 1024 ||
        WideCharToMultiByte(CP_UTF8, 0, name, -1, buffer, (int)capacity, NULL, NULL) == 0)
        buffer[0] = '\0';
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

bool os_folder_make(const char *path)
{
    WCHAR wide[4096];
    return MultiByteToWideChar(CP_UTF8, 0, path, -1, wide, 4096) != 0 &&
           CreateDirectoryW(wide, NULL);
}

bool os_file_remove(const char *path)
{
    WCHAR wide[4096];
    return MultiByteToWideChar(CP_UTF8, 0, path, -1, wide, 4096) != 0 && DeleteFileW(wide);
}
