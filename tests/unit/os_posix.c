/*
 * The library's calls of a POSIX system that refuses, is interrupted or does less than it was asked
 * [base/os.h, base/process.h, ANN-HOST-02]. The linker leads the calls here (--wrap), and a test
 * says what the next ones answer.
 */
#include "asserts.h"
#include "base/os.h"
#include "base/process.h"

#include <annot/dump.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* ---- the system ---- */

enum call {
    CALL_open,
    CALL_fcntl,
    CALL_fdopen,
    CALL_getrlimit,
    CALL_lseek,
    CALL_write,
    CALL_fsync,
    CALL_renameat2,
    CALL_link,
    CALL_pipe,
    CALL_read,
    CALL_process_vm_readv,
    CALL_madvise,
    CALL_readlink,
    CALL_uname,
    CALL_clock_gettime,
    CALL_nanosleep,
    CALL_pthread_atfork,
    CALL_COUNT
};

/* The answers to calls of one function. */
static struct answers {
    unsigned after;  /* so many are real */
    unsigned count;  /* and so many behind them are answered here */
    int error;       /* 0: `value` is the answer */
    long value;      /* of write, read and process_vm_readv: bytes that are done at most */
    unsigned called; /* since the test began */
} answers[CALL_COUNT];

static uint64_t now; /* of clock_gettime, when it is answered here */
static struct rlimit file_limit;
static const char *own_path;        /* of readlink */
static bool are_pipes_small;        /* one page */
static struct annot__mutex *let_go; /* by its holder, at a time */
static uint64_t let_go_at;
static int real_flags, advice;
static uintptr_t advised_begin, advised_end;
static char opened[5000];       /* last path */
static char path_ends[128][16]; /* of the paths that were opened, by their number */
static int opened_flags;

static void answer(enum call call, unsigned after, unsigned count, int error, long value)
{
    answers[call] = (struct answers){after, count, error, value, answers[call].called};
}

static void fail(enum call call, int error)
{
    answer(call, 0, 1, error, 0);
}

/* Whether this call is answered here. */
static bool is_ours(enum call call)
{
    struct answers *a = &answers[call];
    a->called++;
    if (a->count == 0)
        return false;
    if (a->after > 0) {
        a->after--;
        return false;
    }
    a->count--;
    if (a->error)
        errno = a->error;
    return true;
}

static bool has_failed(enum call call)
{
    return answers[call].error != 0;
}

static int result(enum call call)
{
    return has_failed(call) ? -1 : (int)answers[call].value;
}

#define WRAP(result, name, parameters)                                                             \
    result __real_##name parameters;                                                               \
    result __wrap_##name parameters;                                                               \
    result __wrap_##name parameters

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    const int mode = flags & O_CREAT ? va_arg(list, int) : 0;
    va_end(list);
    snprintf(opened, sizeof opened, "%s", path);
    snprintf(path_ends[answers[CALL_open].called % 128], sizeof *path_ends, "%s",
             strlen(path) > 15 ? path + strlen(path) - 15 : path);
    opened_flags = flags;
    return is_ours(CALL_open) ? -1 : __real_open(path, flags, mode);
}

int __real_fcntl(int descriptor, int command, ...);
int __wrap_fcntl(int descriptor, int command, ...);
int __wrap_fcntl(int descriptor, int command, ...)
{
    va_list list;
    va_start(list, command);
    const long argument = va_arg(list, long);
    va_end(list);
    if (command == F_SETFL)
        real_flags = (int)argument;
    return is_ours(CALL_fcntl) ? -1 : __real_fcntl(descriptor, command, argument);
}

WRAP(FILE *, fdopen, (int descriptor, const char *mode))
{
    return is_ours(CALL_fdopen) ? NULL : __real_fdopen(descriptor, mode);
}

WRAP(int, getrlimit, (__rlimit_resource_t resource, struct rlimit *limit))
{
    if (!is_ours(CALL_getrlimit))
        return __real_getrlimit(resource, limit);
    *limit = file_limit;
    return has_failed(CALL_getrlimit) ? -1 : 0;
}

WRAP(off_t, lseek, (int descriptor, off_t offset, int whence))
{
    return is_ours(CALL_lseek) ? -1 : __real_lseek(descriptor, offset, whence);
}

WRAP(ssize_t, write, (int descriptor, const void *data, size_t size))
{
    if (!is_ours(CALL_write))
        return __real_write(descriptor, data, size);
    const long most = answers[CALL_write].value;
    return has_failed(CALL_write) ? -1 : most ? __real_write(descriptor, data, (size_t)most) : 0;
}

WRAP(ssize_t, read, (int descriptor, void *data, size_t size))
{
    if (!is_ours(CALL_read))
        return __real_read(descriptor, data, size);
    return has_failed(CALL_read) ? -1
                                 : __real_read(descriptor, data, (size_t)answers[CALL_read].value);
}

WRAP(int, fsync, (int descriptor))
{
    return is_ours(CALL_fsync) ? -1 : __real_fsync(descriptor);
}

WRAP(int, renameat2,
     (int from_folder, const char *from, int to_folder, const char *to, unsigned flags))
{
    return is_ours(CALL_renameat2) ? result(CALL_renameat2)
                                   : __real_renameat2(from_folder, from, to_folder, to, flags);
}

WRAP(int, link, (const char *from, const char *to))
{
    return is_ours(CALL_link) ? -1 : __real_link(from, to);
}

WRAP(int, pipe, (int ends[2]))
{
    if (is_ours(CALL_pipe))
        return -1;
    const int failed = __real_pipe(ends);
    if (are_pipes_small)
        __real_fcntl(ends[1], F_SETPIPE_SZ, 4096L);
    return failed;
}

WRAP(ssize_t, process_vm_readv,
     (pid_t process, const struct iovec *to, unsigned long to_count, const struct iovec *from,
      unsigned long from_count, unsigned long flags))
{
    cr_expect_eqs(to_count, 1, from_count, 1);
    if (!is_ours(CALL_process_vm_readv))
        return __real_process_vm_readv(process, to, to_count, from, from_count, flags);
    return has_failed(CALL_process_vm_readv) ? -1 : answers[CALL_process_vm_readv].value;
}

WRAP(int, madvise, (void *memory, size_t size, int how))
{
    if (!is_ours(CALL_madvise))
        return __real_madvise(memory, size, how);
    advised_begin = (uintptr_t)memory;
    advised_end = advised_begin + size;
    advice = how;
    return -1;
}

WRAP(ssize_t, readlink, (const char *path, char *to, size_t size))
{
    if (!is_ours(CALL_readlink))
        return __real_readlink(path, to, size);
    const size_t length = own_path ? strlen(own_path) : 0;
    memcpy(to, own_path ? own_path : "", length < size ? length : size);
    return has_failed(CALL_readlink) ? -1 : (ssize_t)(length < size ? length : size);
}

WRAP(int, uname, (struct utsname * system))
{
    if (!is_ours(CALL_uname))
        return __real_uname(system);
    memset(system, 'x', sizeof *system);
    return -1;
}

WRAP(int, clock_gettime, (clockid_t clock, struct timespec *time))
{
    if (!is_ours(CALL_clock_gettime))
        return __real_clock_gettime(clock, time);
    *time = (struct timespec){(time_t)(now / 1000000000u), (long)(now % 1000000000u)};
    return has_failed(CALL_clock_gettime) ? -1 : 0;
}

WRAP(int, nanosleep, (const struct timespec *asked, struct timespec *left))
{
    if (!is_ours(CALL_nanosleep))
        return __real_nanosleep(asked, left);
    cr_expect_eq(asked->tv_sec, 0);
    now += (uint64_t)asked->tv_nsec;
    if (let_go && now >= let_go_at) {
        annot__mutex_unlock(let_go);
        let_go = NULL;
    }
    return -1;
}

WRAP(int, pthread_atfork, (void (*before)(void), void (*parent)(void), void (*child)(void)))
{
    return is_ours(CALL_pthread_atfork) ? ENOMEM : __real_pthread_atfork(before, parent, child);
}

/* ---- a folder ---- */

static char folder[32], path[64], other[64];

static void enter(void)
{
    strcpy(folder, "/tmp/annot-os-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a", folder);
    snprintf(other, sizeof other, "%s/b", folder);
}

static void leave(void)
{
    memset(answers, 0, sizeof answers);
    unlink(path);
    unlink(other);
    rmdir(folder);
}

TestSuite(os_posix, .init = enter, .fini = leave);

/* The file's bytes; NULL: there is none. */
static const char *bytes_of(const char *name)
{
    static char text[64];
    FILE *file = fopen(name, "rb");
    if (!file)
        return NULL;
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    return text;
}

static bool exists(const char *name)
{
    struct stat status;
    return lstat(name, &status) == 0;
}

/* The number that the next descriptor gets: it stays the same unless one is left open. */
static int next_descriptor(void)
{
    const int descriptor = dup(STDERR_FILENO);
    close(descriptor);
    return descriptor;
}

static struct annot__file file_with(const char *bytes)
{
    struct annot__file file;
    cr_assert_eq(annot__file_create(&file, path), ANNOT__FILE_DONE);
    cr_assert(annot__file_append(&file, bytes, strlen(bytes)));
    return file;
}

static void make_file(const char *bytes)
{
    struct annot__file file = file_with(bytes);
    annot__file_close(&file);
}

/* ---- files ---- */

Test(os_posix, a_file_is_its_owners_and_does_not_outlive_exec)
{
    struct annot__file file = file_with("x");
    struct stat status;
    cr_assert_eq(fstat(file.descriptor, &status), 0);
    cr_expect_eq(status.st_mode & 0777, 0600);
    cr_expect_eq(fcntl(file.descriptor, F_GETFD), FD_CLOEXEC);
    errno = 77;
    const int descriptor = file.descriptor;
    annot__file_close(&file);
    cr_expect_eq(errno, 77);
    cr_expect_eq(file.descriptor, -1);
    cr_expect_eq(next_descriptor(), descriptor);
}

Test(os_posix, a_file_that_can_not_be_made_says_why)
{
    struct annot__file file;
    const int next = next_descriptor();
    fail(CALL_open, EMFILE);
    cr_expect_eq(annot__file_create(&file, path), ANNOT__FILE_FAILED);
    cr_expect_eq(errno, EMFILE);
    fail(CALL_open, EEXIST);
    cr_expect_eq(annot__file_create(&file, path), ANNOT__FILE_EXISTS);
    cr_expect_eq(symlink("nowhere", path), 0);
    cr_expect_eq(annot__file_create(&file, path), ANNOT__FILE_EXISTS);
    cr_expect_eq(next_descriptor(), next);
}

/* Each standard stream that a program closed. */
Test(os_posix, a_file_never_has_a_standard_streams_number)
{
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
        for (int is_failing = 0; is_failing < 2; is_failing++) {
            const int saved = fcntl(stream, F_DUPFD, 100);
            struct annot__file file;
            close(stream);
            answer(CALL_fcntl, 0, (unsigned)is_failing, EMFILE, 0);
            const enum annot__file_outcome outcome = annot__file_create(&file, path);
            const int error = errno, flags = is_failing ? 0 : fcntl(file.descriptor, F_GETFD);
            const bool is_closed = fcntl(stream, F_GETFD) < 0;
            dup2(saved, stream);
            close(saved);
            cr_expect(is_closed, "%d", stream);
            cr_expect_eq(outcome, is_failing ? ANNOT__FILE_FAILED : ANNOT__FILE_DONE);
            cr_expect_eq(exists(path), !is_failing);
            if (is_failing) {
                cr_expect_eq(error, EMFILE);
                continue;
            }
            cr_expect_gt(file.descriptor, STDERR_FILENO);
            cr_expect_eq(flags, FD_CLOEXEC);
            annot__file_close(&file);
            unlink(path);
        }
}

Test(os_posix, writing_goes_on_behind_signals_and_small_writes)
{
    struct annot__file file = file_with("");
    answer(CALL_write, 0, 3, EINTR, 0);
    cr_expect(annot__file_append(&file, "abc", 3));
    answer(CALL_write, 0, 3, 0, 1);
    cr_expect(annot__file_append(&file, "defgh", 5));
    cr_expect(annot__file_write_at_start(&file, "A", 1));
    cr_expect(annot__file_append(&file, "", 0));
    cr_expect_str_eq(bytes_of(path), "Abcdefgh");
    annot__file_close(&file);
}

Test(os_posix, writing_ends_at_an_error_or_when_nothing_is_written)
{
    struct annot__file file = file_with("");
    fail(CALL_write, ENOSPC);
    cr_expect_not(annot__file_append(&file, "abc", 3));
    cr_expect_eq(errno, ENOSPC);
    answer(CALL_write, 0, 1, 0, 0);
    errno = EINTR;
    cr_expect_not(annot__file_append(&file, "abc", 3));
    answer(CALL_lseek, 1, 1, ESPIPE, 0);
    file_limit = (struct rlimit){RLIM_INFINITY - 1, RLIM_INFINITY};
    answer(CALL_getrlimit, 0, 2, 0, 0);
    cr_expect(annot__file_append(&file, "ab", 2));
    fail(CALL_lseek, ESPIPE);
    cr_expect_not(annot__file_write_at_start(&file, "x", 1));
    cr_expect_str_eq(bytes_of(path), "ab");
    annot__file_close(&file);
}

/* Behind it the system would end the process. */
Test(os_posix, the_limit_of_file_sizes_is_an_error_and_no_signal)
{
    struct annot__file file = file_with("abcd");
    file_limit = (struct rlimit){6, 6};
    answer(CALL_getrlimit, 0, 2, 0, 0);
    cr_expect_not(annot__file_append(&file, "efg", 3), "a byte too many");
    cr_expect_eq(errno, EFBIG);
    cr_expect(annot__file_append(&file, "ef", 2), "up to the limit");
    file_limit = (struct rlimit){0, 0};
    fail(CALL_getrlimit, EPERM);
    cr_expect(annot__file_append(&file, "g", 1), "who can't know it tries");
    answer(CALL_getrlimit, 0, 1, 0, 0);
    fail(CALL_lseek, ESPIPE);
    cr_expect(annot__file_append(&file, "hh", 2), "a pipe has no size");
    file_limit.rlim_cur = RLIM_INFINITY;
    answer(CALL_getrlimit, 0, 1, 0, 0);
    cr_expect(annot__file_append(&file, "i", 1));
    cr_expect_str_eq(bytes_of(path), "abcdefghhi");
    file_limit.rlim_cur = 10;
    answer(CALL_getrlimit, 0, 2, 0, 0);
    cr_expect_not(annot__file_write_at_start(&file, "0123456789+", 11));
    cr_expect(annot__file_write_at_start(&file, "0123456789", 10));
    annot__file_close(&file);
    errno = ENOSPC;
    annot__file_close(&file);
    cr_expect_eq(errno, ENOSPC, "closing leaves what was wrong before");
}

Test(os_posix, what_can_not_be_synced_need_not_be)
{
    static const struct {
        int error;
        unsigned times;
        bool is_synced;
    } cases[] = {{0, 0, true},     {EINTR, 3, true}, {EINVAL, 1, true},
                 {EROFS, 1, true}, {EIO, 1, false},  {ENOSPC, 1, false}};
    struct annot__file file = file_with("x");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        answers[CALL_fsync].called = 0;
        answer(CALL_fsync, 0, cases[i].times, cases[i].error, 0);
        cr_expect_eq(annot__file_sync(&file), cases[i].is_synced, "%s", strerror(cases[i].error));
        cr_expect_eq(answers[CALL_fsync].called, cases[i].error == EINTR ? 4 : 1, "%s",
                     strerror(cases[i].error));
    }
    annot__file_close(&file);
}

/* ---- the final name ---- */

/* Not every file system has renaming without replacing, and not every one has links. */
Test(os_posix, a_file_gets_its_name_by_either_way)
{
    for (int is_by_link = 0; is_by_link < 2; is_by_link++) {
        const int next = next_descriptor();
        make_file("new");
        answer(CALL_renameat2, 0, (unsigned)is_by_link, EINVAL, 0);
        answers[CALL_fsync].called = 0;
        cr_expect_eq(annot__file_publish(path, other), ANNOT__FILE_DONE);
        cr_expect_str_eq(bytes_of(other), "new");
        cr_expect_not(exists(path));
        cr_expect_eq(answers[CALL_fsync].called, 1, "the folder is made durable");
        cr_expect_eq(next_descriptor(), next);
        make_file("later");
        answer(CALL_renameat2, 0, (unsigned)is_by_link, EINVAL, 0);
        cr_expect_eq(annot__file_publish(path, other), ANNOT__FILE_EXISTS);
        cr_expect_str_eq(bytes_of(other), "new");
        cr_expect_str_eq(bytes_of(path), "later", "it keeps its name");
        unlink(path);
        unlink(other);
    }
}

Test(os_posix, a_file_whose_name_can_not_be_given_keeps_its_own)
{
    make_file("new");
    fail(CALL_renameat2, EINVAL);
    fail(CALL_link, EPERM);
    cr_expect_eq(annot__file_publish(path, other), ANNOT__FILE_FAILED);
    cr_expect_eq(errno, EPERM);
    cr_expect_str_eq(bytes_of(path), "new");
    cr_expect_not(exists(other));
}

Test(os_posix, the_folder_of_the_name_is_made_durable_where_it_can_be_opened)
{
    static char paths[2][4200];
    memset(paths, 'a', sizeof paths);
    strcpy(paths[0] + 4095, "/x");
    strcpy(paths[1] + 4096, "/x");
    const struct {
        const char *path, *folder;
    } cases[] = {
        {"name", "."}, {"/name", "/"}, {"a/b/name", "a/b"}, {paths[0], NULL}, {paths[1], ""}};
    const int next = next_descriptor();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        answer(CALL_renameat2, 0, 1, 0, 0);
        opened[0] = 0;
        errno = 0;
        cr_expect_eq(annot__file_publish(path, cases[i].path), ANNOT__FILE_DONE);
        cr_expect(cases[i].folder && !*cases[i].folder ? true : opened_flags & O_CLOEXEC);
        if (cases[i].folder)
            cr_expect_str_eq(opened, cases[i].folder, "%zu", i);
        else
            cr_expect_eq(strlen(opened), 4095, "the longest one");
    }
    cr_expect_eq(next_descriptor(), next);
}

Test(os_posix, a_file_is_removed_and_errno_stays)
{
    make_file("x");
    for (int i = 0; i < 2; i++) { /* the second time it is not there */
        errno = 77;
        annot__file_remove(path);
        cr_expect_eq(errno, 77);
        cr_expect_not(exists(path));
    }
}

/* ---- dumps ---- */

static annot_device *device;
static annot_dump_writer *writer;

static void open_writer(void)
{
    enter();
    cr_assert_eq(annot_device_create(NULL, &device), ANNOT_OK);
    cr_assert_eq(annot_dump_writer_create(device, &writer), ANNOT_OK);
}

static void close_writer(void)
{
    annot_dump_writer_destroy(writer);
    annot_device_destroy(device);
    leave();
}

TestSuite(os_dump, .init = open_writer, .fini = close_writer);

/* annot/dump.h: a whole dump stays under its .part name if it could not be renamed; -2, -3 and so
 * on are tried before. */
Test(os_dump, a_dump_without_a_free_name_stays_as_it_is_called)
{
    static const struct {
        int error;
        unsigned times, tried;
        const char *name; /* its end */
    } cases[] = {{EEXIST, 0, 1, "/a"},          {EEXIST, 1, 2, "a-2"},
                 {EEXIST, 9, 10, "a-10"},       {EEXIST, 1233, 1234, "a-1234"},
                 {EEXIST, 9998, 9999, "-9999"}, {EEXIST, 9999, 9999, ".part"},
                 {EIO, 1, 1, ".part"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        answers[CALL_renameat2].called = 0;
        answer(CALL_renameat2, 0, cases[i].times, cases[i].error, 0);
        answer(CALL_link, 0, cases[i].times, cases[i].error, 0);
        const annot_result result = annot_dump_write_file(writer, NULL, path);
        const char *name = annot_dump_writer_path(writer);
        cr_expect_eq(result, cases[i].name[0] == '.' ? ANNOT_ERROR_IO : ANNOT_OK, "%zu", i);
        cr_expect_eq(answers[CALL_renameat2].called, cases[i].tried, "%zu", i);
        cr_expect_str_eq(name + strlen(name) - strlen(cases[i].name), cases[i].name);
        cr_expect_eq(strncmp(bytes_of(name), "ANNOTDMP", 8), 0, "it is whole");
        unlink(name);
    }
}

/* What the process is called, if anybody knows. */
Test(os_dump, a_dump_is_called_by_its_program)
{
    static const char *const programs[][3] = {
        {"/usr/bin/game", "game-x", "game"}, {"/usr/bin/g", "g-x", "g"}, {"", "program-x", NULL}};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        char text[64];
        static char bytes[4096];
        size_t size;
        annot_dump_writer *its;
        own_path = programs[i][0];
        answer(CALL_readlink, 0, 2, 0, 0);
        annot_dump_path("%e-x", text, sizeof text);
        cr_expect_str_eq(text, programs[i][1]);
        cr_assert_eq(annot_dump_writer_create(device, &its), ANNOT_OK);
        cr_assert_eq(annot_dump_write_memory(its, NULL, bytes, sizeof bytes, &size), ANNOT_OK);
        annot_dump_writer_destroy(its);
        /* TEXT, role 1: the application, if there is one */
        static const char record[] = "\2\0\4\0";
        const char *first = memmem(bytes, size, record, 4);
        cr_assert_not_null(first);
        cr_expect_eq(first[8], programs[i][2] ? 1 : 5);
        if (programs[i][2])
            cr_expect_eq(strncmp(first + 12, programs[i][2], strlen(programs[i][2])), 0);
    }
}

/* Each try has another name. */
Test(os_dump, a_name_for_the_file_under_construction_is_looked_for_a_hundred_times)
{
    answer(CALL_open, 0, 99, EEXIST, 0);
    cr_expect_eq(annot_dump_write_file(writer, NULL, path), ANNOT_OK);
    cr_expect_str_eq(annot_dump_writer_path(writer), path);
    answers[CALL_open].called = 0;
    answer(CALL_open, 0, 100, EEXIST, 0);
    cr_expect_eq(annot_dump_write_file(writer, NULL, path), ANNOT_ERROR_IO);
    cr_expect_eq(errno, EEXIST);
    cr_expect_eq(answers[CALL_open].called, 100);
    for (int i = 0; i < 100; i++)
        for (int k = 0; k < i; k++)
            cr_assert_str_neq(path_ends[i], path_ends[k], "%d and %d", i, k);
    cr_expect_str_empty(annot_dump_writer_path(writer), "not that of the dump before");
}

/* Written, synced, completed, synced, and given the name. */
Test(os_dump, a_dump_that_does_not_get_to_the_disk_leaves_no_file)
{
    static const struct {
        enum call call;
        unsigned after;
        bool is_named;
    } cases[] = {{CALL_write, 0, false}, {CALL_write, 1, false}, {CALL_write, 2, false},
                 {CALL_fsync, 0, false}, {CALL_fsync, 1, false}, {CALL_fsync, 2, true},
                 {CALL_write, 3, false}, {CALL_lseek, 3, false}};
    const int next = next_descriptor();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        answer(cases[i].call, cases[i].after, 1, EIO, 0);
        const annot_result result = annot_dump_write_file(writer, NULL, path);
        cr_expect_eq(result, cases[i].is_named ? ANNOT_OK : ANNOT_ERROR_IO, "%zu", i);
        cr_expect_eq(exists(path), cases[i].is_named, "%zu", i);
        cr_expect_str_eq(annot_dump_writer_path(writer), cases[i].is_named ? path : "", "%zu", i);
        cr_expect_eq(unlink(path), cases[i].is_named ? 0 : -1);
        cr_expect_eq(rmdir(folder), 0, "%zu: nothing is left", i);
        cr_assert_eq(mkdir(folder, 0700), 0);
        answer(cases[i].call, 0, 0, 0, 0);
    }
    cr_expect_eq(next_descriptor(), next);
}

/* ---- memory that may not be there ---- */

enum { LARGE = 3 * 4096 + 5 };
static char from[LARGE], to[LARGE + 1];

static bool is_read(size_t size)
{
    for (size_t i = 0; i < LARGE; i++)
        from[i] = (char)(i * 7 + i / 256);
    memset(to, 0x55, sizeof to);
    return annot__memory_read(to, from, size);
}

static bool is_copied(size_t size)
{
    bool is_same = is_read(size) && to[size] == 0x55;
    for (size_t i = 0; i < size; i++)
        is_same &= to[i] == (char)(i * 7 + i / 256);
    return is_same;
}

/* At once, or through a pipe where a sandbox forbids that. */
Test(os_posix, memory_is_copied_whole_by_either_way)
{
    static const size_t sizes[] = {0, 1, 4095, 4096, 4097, 8192, LARGE};
    const int next = next_descriptor();
    are_pipes_small = true;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (unsigned is_by_pipe = 0; is_by_pipe < 2; is_by_pipe++) {
            answer(CALL_process_vm_readv, 0, is_by_pipe, EPERM, 0);
            answers[CALL_pipe].called = 0;
            cr_expect(is_copied(sizes[i]), "%zu bytes, %u", sizes[i], is_by_pipe);
            cr_expect_eq(answers[CALL_pipe].called, is_by_pipe);
        }
    cr_expect_eq(next_descriptor(), next);
}

Test(os_posix, memory_that_is_not_there_is_no_crash_by_either_way)
{
    char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq(pages, MAP_FAILED);
    munmap(pages + 4096, 4096);
    const int next = next_descriptor();
    for (unsigned is_by_pipe = 0; is_by_pipe < 2; is_by_pipe++) {
        answer(CALL_process_vm_readv, 0, 0, 0, 0);
        for (int i = 0; i < 2; i++) {
            answer(CALL_process_vm_readv, 0, is_by_pipe, EPERM, 0);
            answers[CALL_pipe].called = 0;
            cr_expect_not(annot__memory_read(to, pages + (i ? 4096 : 4000), 200));
            cr_expect_eq(answers[CALL_pipe].called, is_by_pipe);
        }
        answer(CALL_process_vm_readv, 0, is_by_pipe, EPERM, 0);
        cr_expect(annot__memory_read(to, pages + 3896, 200));
    }
    cr_expect_eq(next_descriptor(), next);
    munmap(pages, 4096);
}

Test(os_posix, memory_that_is_copied_in_part_is_not_copied)
{
    const int next = next_descriptor();
    answer(CALL_process_vm_readv, 0, 1, 0, 99);
    cr_expect_not(is_read(100));
    answer(CALL_process_vm_readv, 0, 4, EPERM, 0);
    fail(CALL_pipe, EMFILE);
    cr_expect_not(is_read(100), "no descriptor is left");
    answer(CALL_write, 1, 1, 0, 0);
    cr_expect_not(is_read(4097), "the pipe takes nothing");
    answer(CALL_read, 1, 1, 0, 1);
    cr_expect_not(is_read(4098), "and gives less than it took");
    fail(CALL_read, EIO);
    cr_expect_not(is_read(4));
    cr_expect_eq(next_descriptor(), next);
}

Test(os_posix, only_large_pages_that_lie_in_the_memory_are_asked_for)
{
    const uintptr_t page = (uintptr_t)2 << 20;
    const struct {
        uintptr_t begin, end, first, last; /* 0: nothing is asked for */
    } cases[] = {
        {page, 2 * page, page, 2 * page},         {page, 2 * page - 1, 0, 0},
        {page + 1, 2 * page + 1, 0, 0},           {page + 1, 3 * page, 2 * page, 3 * page},
        {page, 4 * page - 1, page, 3 * page},     {page + 1, 4 * page - 1, 2 * page, 3 * page},
        {page - 1, 2 * page + 1, page, 2 * page}, {page + 1, 3 * page - 1, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        answer(CALL_madvise, 0, 1, ENOMEM, 0);
        answers[CALL_madvise].called = 0;
        advised_begin = advised_end = 0;
        errno = 77;
        annot__memory_expect((void *)cases[i].begin, cases[i].end - cases[i].begin);
        cr_expect_eq(errno, 77);
        cr_expect_eq(answers[CALL_madvise].called, cases[i].first > 0, "case %zu", i);
        cr_expect_eq(advised_begin, cases[i].first, "case %zu", i);
        cr_expect_eq(advised_end, cases[i].last, "case %zu", i);
        cr_expect(cases[i].first == 0 || advice == MADV_HUGEPAGE);
    }
}

/* ---- reading ---- */

Test(os_posix, a_file_is_opened_without_waiting_and_read_with_waiting)
{
    make_file("bytes");
    const int saved = dup(STDIN_FILENO);
    close(STDIN_FILENO); /* its number is as good as another */
    FILE *first = annot__file_open_to_read(path);
    const bool is_open = first && fclose(first) == 0;
    dup2(saved, STDIN_FILENO);
    close(saved);
    cr_expect(is_open);
    FILE *file = annot__file_open_to_read(path);
    cr_assert_not_null(file);
    cr_expect_eq(real_flags & O_NONBLOCK, 0);
    cr_expect_eq(fcntl(fileno(file), F_GETFL) & O_NONBLOCK, 0);
    cr_expect_eq(fcntl(fileno(file), F_GETFD), FD_CLOEXEC);
    char bytes[8] = "";
    cr_expect_eq(fread(bytes, 1, sizeof bytes, file), 5);
    cr_expect_str_eq(bytes, "bytes");
    fclose(file);
    cr_assert_eq(mkfifo(other, 0600), 0);
    file = annot__file_open_to_read(other); /* nobody writes, and it returns */
    cr_assert_not_null(file);
    fclose(file);
}

Test(os_posix, a_file_that_can_not_be_opened_to_be_read_says_why)
{
    static const struct {
        enum call call;
        unsigned after;
    } cases[] = {{CALL_open, 0}, {CALL_fcntl, 0}, {CALL_fcntl, 1}, {CALL_fdopen, 0}};
    make_file("bytes");
    const int next = next_descriptor();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        answer(cases[i].call, cases[i].after, 1, EMFILE, 0);
        cr_expect_null(annot__file_open_to_read(path), "case %zu", i);
        cr_expect_eq(errno, EMFILE, "case %zu", i);
        cr_expect_eq(next_descriptor(), next, "case %zu", i);
    }
    cr_expect_null(annot__file_open_to_read(other));
    cr_expect_eq(errno, ENOENT);
}

/* ---- clocks and waits ---- */

Test(os_posix, times_are_nanoseconds)
{
    now = 3000000005;
    answer(CALL_clock_gettime, 0, 2, 0, 0);
    cr_expect_eq(annot__clock_ns(), 3000000005);
    cr_expect_eq(annot__time_now(), 3000000005);
    fail(CALL_clock_gettime, EINVAL);
    cr_expect_eq(annot__time_now(), 0, "not known");
}

Test(os_posix, a_pause_is_some_microseconds_and_leaves_errno)
{
    now = 0;
    answer(CALL_nanosleep, 0, 1, EINTR, 0);
    errno = 77;
    annot__pause();
    cr_expect_eq(errno, 77);
    cr_expect(now >= 1000 && now < 1000000, "%llu ns", (unsigned long long)now);
}

Test(os_posix, a_mutex_that_is_held_is_waited_for_as_long_as_is_left)
{
    struct annot__mutex mutex;
    uint64_t left = 1000000;
    annot__mutex_init(&mutex);
    answer(CALL_clock_gettime, 0, 100000, 0, 0);
    answer(CALL_nanosleep, 0, 100000, EINTR, 0);
    now = 5;
    cr_expect(annot__mutex_try_for(&mutex, &left));
    cr_expect_eq(left, 1000000, "a free one costs nothing");
    cr_expect_eq(now, 5);
    cr_expect_not(annot__mutex_try(&mutex), "it is held now");
    cr_expect_not(annot__mutex_try_for(&mutex, &left));
    cr_expect_eq(left, 0);
    cr_expect(now >= 1000005 && now < 1100000, "%llu ns", (unsigned long long)now);
    const uint64_t before = now;
    cr_expect_not(annot__mutex_try_for(&mutex, &left));
    cr_expect_eq(now, before, "nothing is left to wait");
    left = 1000000;
    let_go = &mutex;
    let_go_at = before + 100000;
    cr_expect(annot__mutex_try_for(&mutex, &left));
    cr_expect_eq(left, 1000000 - (now - before), "what was waited is taken off");
    cr_expect_lt(now, before + 200000);
    annot__mutex_unlock(&mutex);
    cr_expect(annot__mutex_try_for(&mutex, &left), "a free one is had all the same");
    annot__mutex_unlock(&mutex);
    annot__mutex_lock(&mutex);
    cr_expect_not(annot__mutex_try(&mutex));
    annot__mutex_unlock(&mutex);
    annot__mutex_finish(&mutex);
}

/* ---- the process ---- */

Test(os_posix, a_process_is_described_as_far_as_the_system_knows_it)
{
    static char long_name[1400];
    memset(long_name, 'n', sizeof long_name - 1);
    const struct {
        const char *path, *name;
    } cases[] = {{"/usr/bin/game", "game"}, {"game", "game"}, {"/a", "a"}, {"a", "a"}, {"", ""}};
    struct annot__process process;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        own_path = cases[i].path;
        answer(CALL_readlink, 0, 1, 0, 0);
        memset(&process, 'z', sizeof process);
        annot__process_describe(&process);
        cr_expect_str_eq(process.name, cases[i].name);
    }
    own_path = long_name;
    answer(CALL_readlink, 0, 1, 0, 0);
    annot__process_describe(&process);
    cr_expect_eq(strlen(process.name), sizeof process.name - 1, "it is cut");
    fail(CALL_readlink, EACCES);
    fail(CALL_uname, EFAULT);
    annot__process_describe(&process);
    cr_expect_str_empty(process.name);
    cr_expect_str_empty(process.system);
    cr_expect_eq(atol(process.id), (long)getpid());
    struct utsname system;
    char expected[200];
    uname(&system);
    snprintf(expected, sizeof expected, "%s %s %s", system.sysname, system.release, system.machine);
    annot__process_describe(&process);
    cr_expect_str_eq(process.system, expected);
}

Test(os_posix, forks_are_followed_once_and_from_the_first_call_that_could)
{
    fail(CALL_pthread_atfork, ENOMEM);
    answers[CALL_pthread_atfork].called = 0;
    cr_expect_not(annot__process_follow_forks());
    for (int i = 0; i < 3; i++)
        cr_expect(annot__process_follow_forks());
    cr_expect_eq(answers[CALL_pthread_atfork].called, 2);
}
