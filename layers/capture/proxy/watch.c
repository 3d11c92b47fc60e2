#include "watch.h"
#include "environment.h"
#include "os_process.h"

#ifdef __linux__
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/userfaultfd.h>

/* These names are newer than some headers. */
#define USER_MODE_ONLY        1
#define FEATURE_SHARED_MEMORY (1u << 12)
#define FEATURE_UNPOPULATED   (1u << 13)
#define FEATURE_ASYNCHRONOUS  (1u << 15)
#define SCAN_PROTECT_AGAIN    1u
#define SCAN_CHECK_REGISTERED 2u
#define CATEGORY_WRITTEN      2u
#define SCAN                  _IOWR('f', 16, struct scan)

struct region {
    uint64_t first, end, categories;
};

struct scan {
    uint64_t size, flags, first, end, walked, regions, region_count, pages_max;
    uint64_t inverted, all_of, any_of, returned;
};

static int faults = -1, pagemap = -1;

static uint64_t page_of(const void *memory)
{
    return (uint64_t)(uintptr_t)memory & ~(uint64_t)(WATCH_PAGE - 1);
}

static uint64_t end_of(const void *memory, uint64_t size)
{
    return ((uint64_t)(uintptr_t)memory + size + WATCH_PAGE - 1) & ~(uint64_t)(WATCH_PAGE - 1);
}

bool watch_begin(const void *memory, uint64_t size, bool are_written)
{
    if (faults < 0 || size == 0)
        return false;
    const struct uffdio_range range = {page_of(memory), end_of(memory, size) - page_of(memory)};
    struct uffdio_register with = {.range = range, .mode = UFFDIO_REGISTER_MODE_WP};
    struct uffdio_writeprotect protect = {.range = range,
                                          .mode = are_written ? 0 : UFFDIO_WRITEPROTECT_MODE_WP};
    return ioctl(faults, UFFDIO_REGISTER, &with) == 0 &&
           ioctl(faults, UFFDIO_WRITEPROTECT, &protect) == 0;
}

bool watch_collect(const void *memory, uint64_t size,
                   void (*found)(void *user, uint64_t first, uint64_t end), void *user)
{
    struct region regions[64];
    struct scan scan = {.size = sizeof scan,
                        .flags = SCAN_PROTECT_AGAIN | SCAN_CHECK_REGISTERED,
                        .first = page_of(memory),
                        .end = end_of(memory, size),
                        .regions = (uint64_t)(uintptr_t)regions,
                        .region_count = sizeof regions / sizeof regions[0],
                        .all_of = CATEGORY_WRITTEN,
                        .returned = CATEGORY_WRITTEN};
    while (scan.first < scan.end) {
        const int count = ioctl(pagemap, SCAN, &scan);
        if (count < 0)
            return false;
        for (int i = 0; i < count; i++)
            found(user, regions[i].first, regions[i].end);
        if (scan.walked <= scan.first)
            return false;
        scan.first = scan.walked;
    }
    return true;
}

uint64_t watch_faults(void)
{
    struct rusage usage = {0};
    getrusage(RUSAGE_SELF, &usage);
    return (uint64_t)usage.ru_minflt + (uint64_t)usage.ru_majflt;
}

static void count_pages(void *user, uint64_t first, uint64_t end)
{
    *(uint64_t *)user += (end - first) / WATCH_PAGE;
}

/* Whether a store and read(2) are each noticed once, as a page fault too, and no unwritten page. */
static bool works(void)
{
    const size_t size = 4 * WATCH_PAGE;
    volatile char *pages =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const int zeros = open("/dev/zero", O_RDONLY | O_CLOEXEC);
    uint64_t written = 0, again = 0;
    if ((const void *)pages == MAP_FAILED)
        return false;
    bool ok = zeros >= 0 && watch_begin((const void *)pages, size, false);
    if (ok) {
        const uint64_t before = watch_faults();
        pages[0] = 1;
        ok = read(zeros, (char *)pages + 2 * WATCH_PAGE, 8) == 8 && watch_faults() >= before + 2 &&
             watch_collect((const void *)pages, size, count_pages, &written) &&
             watch_collect((const void *)pages, size, count_pages, &again);
    }
    if (zeros >= 0)
        close(zeros);
    munmap((void *)(uintptr_t)pages, size);
    return ok && written == 2 && again == 0;
}

/* In a child these queries would read the parent's pages, and lose the parent's writes. */
static void leave_to_parent(void)
{
    if (faults >= 0)
        close(faults);
    if (pagemap >= 0)
        close(pagemap);
    faults = pagemap = -1;
}

enum trace_watch watch_open(void)
{
    const char *wanted = os_environment_borrow("ANNOT_CAPTURE_WATCH");
    struct uffdio_api api = {.api = UFFD_API,
                             .features = FEATURE_ASYNCHRONOUS | FEATURE_UNPOPULATED |
                                         FEATURE_SHARED_MEMORY};
    if (wanted && strcmp(wanted, "hashing") == 0)
        return TRACE_WATCH_HASHING;
    faults = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | USER_MODE_ONLY);
    pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    if (sysconf(_SC_PAGESIZE) == WATCH_PAGE && faults >= 0 && pagemap >= 0 &&
        ioctl(faults, UFFDIO_API, &api) == 0 && works()) {
        os_at_fork(NULL, NULL, leave_to_parent);
        return TRACE_WATCH_USERFAULTFD;
    }
    leave_to_parent();
    return TRACE_WATCH_HASHING;
}

#else

bool watch_begin(const void *memory, uint64_t size, bool are_written)
{
    (void)memory, (void)size, (void)are_written;
    return false;
}

bool watch_collect(const void *memory, uint64_t size,
                   void (*found)(void *user, uint64_t first, uint64_t end), void *user)
{
    (void)memory, (void)size, (void)found, (void)user;
    return false;
}

uint64_t watch_faults(void)
{
    return 0;
}

enum trace_watch watch_open(void)
{
    return TRACE_WATCH_HASHING;
}

#endif
