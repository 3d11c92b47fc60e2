#include "pages.h"

#include <sys/mman.h>
#include <unistd.h>

/* The memory has an inaccessible page in front and another behind; otherwise the kernel would join
 * neighbours to one region. */
void *pages_take(size_t size)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *all = mmap(NULL, size + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED)
        return NULL;
    if (mprotect(all + page, size, PROT_READ | PROT_WRITE) == 0)
        return all + page;
    munmap(all, size + 2 * page);
    return NULL;
}

void pages_give(void *pages, size_t size)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (pages)
        munmap((char *)pages - page, size + 2 * page);
}
