#include "os_memory.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <unistd.h>

/* A file that is read line by line, without stdio's memory. */
struct lines {
    int file;
    char bytes[1024];
    ssize_t count, at;
};

static bool has_bytes(struct lines *lines)
{
    if (lines->at == lines->count) {
        lines->count = read(lines->file, lines->bytes, sizeof lines->bytes);
        lines->at = 0;
    }
    if (lines->count < 0)
        lines->count = 0;
    return lines->count > 0;
}

/* Reads the beginning of the next line. Returns false at the file's end. */
static bool next_line(struct lines *lines, char *line, size_t capacity)
{
    size_t length = 0;
    const char *newline = NULL;
    bool is_there = false;
    while (!newline && has_bytes(lines)) {
        const char *bytes = lines->bytes + lines->at;
        const size_t left = (size_t)(lines->count - lines->at);
        newline = memchr(bytes, '\n', left);
        const size_t part = newline ? (size_t)(newline - bytes) : left;
        const size_t kept = part < capacity - 1 - length ? part : capacity - 1 - length;
        memcpy(line + length, bytes, kept);
        length += kept;
        lines->at += (ssize_t)part + (newline != NULL);
        is_there = true;
    }
    line[length] = '\0';
    return is_there;
}

bool os_allocation_at(const void *address, size_t *size)
{
    const uintptr_t at = (uintptr_t)address;
    struct lines lines = {.file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC)};
    char line[128];
    bool found = false;
    if (lines.file < 0)
        return false;
    while (!found && next_line(&lines, line, sizeof line)) {
        char *behind; /* "7f0000000000-7f0000080000 rw-p ..." */
        const uintptr_t first = strtoul(line, &behind, 16);
        const uintptr_t end = *behind == '-' ? strtoul(behind + 1, &behind, 16) : 0;
        found = first <= at && at < end && strncmp(behind, " rw", 3) == 0;
        if (found)
            *size = end - at;
    }
    close(lines.file);
    return found && at % (uintptr_t)sysconf(_SC_PAGESIZE) == 0;
}

bool os_memory_read(void *to, const void *from, size_t size)
{
    void *const source = (void *)(uintptr_t)from;
    const struct iovec local = {to, size}, remote = {source, size};
    return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)size;
}

/* An unreadable page on either side keeps the memory apart from its neighbours. */
void *os_memory_take(uint64_t size)
{
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    if (size == 0 || size > SIZE_MAX - 2 * page)
        return NULL;
    char *whole =
        mmap(NULL, (size_t)(size + 2 * page), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (whole == MAP_FAILED)
        return NULL;
    if (mprotect(whole + page, (size_t)size, PROT_READ | PROT_WRITE)) {
        munmap(whole, (size_t)(size + 2 * page));
        return NULL;
    }
    return whole + page;
}

void os_memory_give(void *memory, uint64_t size)
{
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    munmap((char *)memory - page, (size_t)(size + 2 * page));
}

bool os_limit_memory(uint64_t bytes)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_DATA, &limit))
        return false;
    if (limit.rlim_max == RLIM_INFINITY || bytes < limit.rlim_max)
        limit.rlim_cur = (rlim_t)bytes;
    return setrlimit(RLIMIT_DATA, &limit) == 0;
}

uint64_t os_physical_memory(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 0;
}
