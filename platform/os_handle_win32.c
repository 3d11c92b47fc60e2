#include "os_handle.h"

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

intptr_t os_event_create(void)
{
    return (intptr_t)CreateEventW(NULL, FALSE, FALSE, NULL);
}

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

bool os_has_handle(uint64_t handle)
{
    DWORD flags;
    return GetHandleInformation((HANDLE)(uintptr_t)handle, &flags);
}

uint64_t os_handle_identity(uint64_t handle)
{
    return handle;
}
