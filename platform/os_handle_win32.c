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

bool os_has_handle(uint64_t handle)
{
    DWORD flags;
    return GetHandleInformation((HANDLE)(uintptr_t)handle, &flags);
}

uint64_t os_handle_identity(uint64_t handle)
{
    return handle;
}
