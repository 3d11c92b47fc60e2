#include "pages.h"

#include <windows.h>

void *pages_take(size_t size)
{
    return VirtualAlloc(NULL, size, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

void pages_give(void *pages, size_t size)
{
    (void)size;
    if (pages)
        VirtualFree(pages, 0, MEM_RELEASE);
}
