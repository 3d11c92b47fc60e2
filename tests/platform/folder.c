#include "folder.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

char folder[64];
static int first_free; /* descriptor */

void folder_make(void)
{
    snprintf(folder, sizeof folder, "/tmp/annot-platform-XXXXXX");
    if (!mkdtemp(folder) || chdir(folder))
        abort();
    first_free = dup(0);
    close(first_free);
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where)
{
    (void)status, (void)kind;
    return where->level > 0 ? remove(path) : 0;
}

void folder_empty(void)
{
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

void folder_remove(void)
{
    const int next = dup(0);
    close(next);
    folder_empty();
    rmdir(folder);
    if (next != first_free)
        abort();
}

struct failing failing_pwrite, failing_fallocate, failing_open, failing_read, failing_write,
    failing_flock, failing_fsync, failing_memory;
unsigned most_at_once;
uint64_t slept;

static bool fails(struct failing *call)
{
    if (!call->times || (call->first && call->first--))
        return false;
    call->times--;
    errno = call->error;
    return true;
}

static size_t cut(size_t size)
{
    return most_at_once && size > most_at_once ? most_at_once : size;
}

/* The call with the system's own behind it. */
#define WRAP(result, name, failing, parameters, ...)                                               \
    result __real_##name parameters;                                                               \
    result __wrap_##name parameters;                                                               \
    result __wrap_##name parameters                                                                \
    {                                                                                              \
        return fails(&failing) ? (result)FAILED_##name : __real_##name(__VA_ARGS__);               \
    }
#define FAILED_pwrite  -1
#define FAILED_write   -1
#define FAILED_read    -1
#define FAILED_flock   -1
#define FAILED_malloc  NULL
#define FAILED_realloc NULL
#define FAILED_strdup  NULL
typedef void *memory;
typedef char *text;
WRAP(ssize_t, pwrite, failing_pwrite, (int file, const void *data, size_t size, off_t at), file,
     data, cut(size), at)
WRAP(ssize_t, write, failing_write, (int file, const void *data, size_t size), file, data,
     cut(size))
WRAP(ssize_t, read, failing_read, (int file, void *data, size_t size), file, data, cut(size))
WRAP(int, flock, failing_flock, (int file, int operation), file, operation)
WRAP(memory, malloc, failing_memory, (size_t size), size)
WRAP(memory, realloc, failing_memory, (void *there, size_t size), there, size)
WRAP(text, strdup, failing_memory, (const char *from), from)

int __wrap_fallocate(int file, int mode, off_t at, off_t size);
int __wrap_fallocate(int file, int mode, off_t at, off_t size)
{
    return fails(&failing_fallocate) || mode || at ? -1 : ftruncate(file, size);
}

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return fails(&failing_open) ? -1 : __real_open(path, flags, mode);
}

int __real_fsync(int file);
int __wrap_fsync(int file);
int __wrap_fsync(int file)
{
    syncs++;
    return fails(&failing_fsync) ? -1 : __real_fsync(file);
}

struct rlimit limits = {RLIM_INFINITY, RLIM_INFINITY};

int __wrap_getrlimit(int resource, struct rlimit *to);
int __wrap_getrlimit(int resource, struct rlimit *to)
{
    (void)resource;
    *to = limits;
    return 0;
}

int __wrap_setrlimit(int resource, const struct rlimit *from);
int __wrap_setrlimit(int resource, const struct rlimit *from)
{
    limits = *from;
    return resource == RLIMIT_DATA && from->rlim_cur <= from->rlim_max ? 0 : -1;
}

int __wrap_nanosleep(const struct timespec *time, struct timespec *left);
int __wrap_nanosleep(const struct timespec *time, struct timespec *left)
{
    (void)left;
    slept += (uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_nsec;
    return 0;
}

uint32_t file_system = 0xef53; /* ext4 */
unsigned syncs;

int __wrap_fstatfs(int file, struct statfs *to);
int __wrap_fstatfs(int file, struct statfs *to)
{
    memset(to, 0, sizeof *to);
    to->f_type = (__typeof__(to->f_type))file_system;
    return file >= 0 && file_system ? 0 : -1;
}

long system_pages, page_size;

long __real_sysconf(int name);
long __wrap_sysconf(int name);
long __wrap_sysconf(int name)
{
    const long said = name == _SC_PHYS_PAGES ? system_pages : name == _SC_PAGESIZE ? page_size : 0;
    return said ? said : __real_sysconf(name);
}

unsigned running_as = UINT_MAX;
const char *owned_path;
char file_system_users[64];

uid_t __real_geteuid(void);
uid_t __wrap_geteuid(void);
uid_t __wrap_geteuid(void)
{
    return running_as == UINT_MAX ? __real_geteuid() : running_as;
}

int __real_stat(const char *path, struct stat *to);
int __wrap_stat(const char *path, struct stat *to);
int __wrap_stat(const char *path, struct stat *to)
{
    const int result = __real_stat(path, to);
    const bool is_owned = owned_path && strcmp(path, owned_path) == 0;
    if (result == 0 && running_as != UINT_MAX) {
        to->st_uid = is_owned ? 1234 : 0;
        to->st_gid = is_owned ? 77 : 0;
    }
    return result;
}

static void note(char letter, unsigned id)
{
    const size_t used = strlen(file_system_users);
    snprintf(file_system_users + used, sizeof file_system_users - used, "%c%u ", letter, id);
}

int __wrap_setfsuid(uid_t user);
int __wrap_setfsuid(uid_t user)
{
    note('u', user);
    return 0;
}

int __wrap_setfsgid(gid_t group);
int __wrap_setfsgid(gid_t group)
{
    note('g', group == getegid() ? 0 : group);
    return 0;
}
