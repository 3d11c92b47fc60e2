#include "log.h"

#ifdef _WIN32

bool emu_log_has_room(FILE *file, size_t size, const char *name)
{
    (void)file, (void)size, (void)name; /* this system has no such limit */
    return true;
}

#else

#include <stdatomic.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/stat.h>

bool emu_log_has_room(FILE *file, size_t size, const char *name)
{
    static atomic_flag is_told = ATOMIC_FLAG_INIT;
    struct rlimit limit;
    struct stat status;
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
        fstat(fileno(file), &status) != 0 || !S_ISREG(status.st_mode) ||
        (uint64_t)status.st_size + size <= limit.rlim_cur)
        return true;
    if (file != stderr && !atomic_flag_test_and_set(&is_told))
        fprintf(stderr, "libd3d12: %s: File too large; no further line is written\n", name);
    return false;
}

#endif
