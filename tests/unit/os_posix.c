/* The library's calls of a POSIX system that refuses, is interrupted or does less than it was asked
 * [base/os.h, base/process.h, ANN-HOST-02]. */
#include "unit_kit.h"
#include "os_system.h"

#include "base/process.h"

#include <annot/annot.h>

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

TestSuite(os_posix, .init = os_enter, .fini = os_leave);

static struct annot__file file_with(const char *bytes)
{
    struct annot__file file;
    cr_assert_eq(annot__file_create(&file, os_path), ANNOT__FILE_DONE);
    cr_assert(annot__file_append(&file, bytes, strlen(bytes)));
    return file;
}

static void make_file(const char *bytes)
{
    AT_END(annot__file_close) struct annot__file file = file_with(bytes);
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
    cr_expect_eq(os_next_descriptor(), descriptor);
}

Test(os_posix, a_file_that_can_not_be_made_says_why)
{
    struct annot__file file;
    const int next = os_next_descriptor();
    os_fail(CALL_open, EMFILE);
    cr_expect_eq(annot__file_create(&file, os_path), ANNOT__FILE_FAILED);
    cr_expect_eq(errno, EMFILE);
    os_fail(CALL_open, EEXIST);
    cr_expect_eq(annot__file_create(&file, os_path), ANNOT__FILE_EXISTS);
    cr_expect_eq(symlink("nowhere", os_path), 0);
    cr_expect_eq(annot__file_create(&file, os_path), ANNOT__FILE_EXISTS);
    cr_expect_eq(os_next_descriptor(), next);
}

/* Each standard stream that a program closed. */
Test(os_posix, a_file_never_has_a_standard_streams_number)
{
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
        for (int is_failing = 0; is_failing < 2; is_failing++) {
            const int saved = fcntl(stream, F_DUPFD, 100);
            struct annot__file file;
            close(stream);
            os_answer(CALL_fcntl, 0, (unsigned)is_failing, EMFILE, 0);
            const enum annot__file_outcome outcome = annot__file_create(&file, os_path);
            const int error = errno, flags = is_failing ? 0 : fcntl(file.descriptor, F_GETFD);
            const bool is_closed = fcntl(stream, F_GETFD) < 0;
            dup2(saved, stream);
            close(saved);
            cr_expect(is_closed, "%d", stream);
            cr_expect_eq(outcome, is_failing ? ANNOT__FILE_FAILED : ANNOT__FILE_DONE);
            cr_expect_eq(os_exists(os_path), !is_failing);
            if (is_failing) {
                cr_expect_eq(error, EMFILE);
                continue;
            }
            cr_expect_gt(file.descriptor, STDERR_FILENO);
            cr_expect_eq(flags, FD_CLOEXEC);
            annot__file_close(&file);
            unlink(os_path);
        }
}

/* base/os.h: a file of this size, and no link to it. A program that closed its standard input goes
 * on reading: not from the file. */
Test(os_posix, a_file_is_opened_again_if_it_is_the_same)
{
    static const uint64_t sizes[] = {3, 2, 4, 3};
    make_file("abc");
    cr_assert_eq(symlink(os_path, os_other), 0);
    const int saved = fcntl(STDIN_FILENO, F_DUPFD, 100), next = os_next_descriptor();
    for (int i = 0; i < 4; i++) {
        struct annot__file file;
        close(STDIN_FILENO);
        const bool is_open = annot__file_open_again(&file, i < 3 ? os_path : os_other, sizes[i]);
        const bool is_closed = fcntl(STDIN_FILENO, F_GETFD) < 0;
        dup2(saved, STDIN_FILENO);
        cr_expect_eqs(is_open, i == 0, is_closed, true, "%d", i);
        if (is_open)
            annot__file_close(&file);
        cr_expect_eq(os_next_descriptor(), next, "%d", i);
    }
    close(saved);
}

Test(os_posix, writing_goes_on_behind_signals_and_small_writes)
{
    AT_END(annot__file_close) struct annot__file file = file_with("");
    os_answer(CALL_write, 0, 3, EINTR, 0);
    cr_expect(annot__file_append(&file, "abc", 3));
    os_answer(CALL_write, 0, 3, 0, 1);
    cr_expect(annot__file_append(&file, "defgh", 5));
    cr_expect(annot__file_write_at(&file, 0, "A", 1));
    cr_expect(annot__file_append(&file, "", 0));
    cr_expect_str_eq(os_bytes_of(os_path), "Abcdefgh");
}

Test(os_posix, writing_ends_at_an_error_or_when_nothing_is_written)
{
    AT_END(annot__file_close) struct annot__file file = file_with("");
    os_fail(CALL_write, ENOSPC);
    cr_expect_not(annot__file_append(&file, "abc", 3));
    cr_expect_eq(errno, ENOSPC);
    os_answer(CALL_write, 0, 1, 0, 0);
    errno = EINTR;
    cr_expect_not(annot__file_append(&file, "abc", 3));
    os_answer(CALL_lseek, 1, 1, ESPIPE, 0);
    os_file_limit = (struct rlimit){RLIM_INFINITY - 1, RLIM_INFINITY};
    os_answer(CALL_getrlimit, 0, 2, 0, 0);
    cr_expect(annot__file_append(&file, "ab", 2));
    os_fail(CALL_lseek, ESPIPE);
    cr_expect_not(annot__file_write_at(&file, 0, "x", 1));
    cr_expect_str_eq(os_bytes_of(os_path), "ab");
}

/* Behind it the system would end the process. */
Test(os_posix, the_limit_of_file_sizes_is_an_error_and_no_signal)
{
    struct annot__file file = file_with("abcd");
    os_file_limit = (struct rlimit){6, 6};
    os_answer(CALL_getrlimit, 0, 2, 0, 0);
    cr_expect_not(annot__file_append(&file, "efg", 3), "a byte too many");
    cr_expect_eq(errno, EFBIG);
    cr_expect(annot__file_append(&file, "ef", 2), "up to the limit");
    os_file_limit = (struct rlimit){0, 0};
    os_fail(CALL_getrlimit, EPERM);
    cr_expect(annot__file_append(&file, "g", 1), "who can't know it tries");
    os_answer(CALL_getrlimit, 0, 1, 0, 0);
    os_fail(CALL_lseek, ESPIPE);
    cr_expect(annot__file_append(&file, "hh", 2), "a pipe has no size");
    os_file_limit.rlim_cur = RLIM_INFINITY;
    os_answer(CALL_getrlimit, 0, 1, 0, 0);
    cr_expect(annot__file_append(&file, "i", 1));
    cr_expect_str_eq(os_bytes_of(os_path), "abcdefghhi");
    os_file_limit.rlim_cur = 10;
    os_answer(CALL_getrlimit, 0, 2, 0, 0);
    cr_expect_not(annot__file_write_at(&file, 0, "0123456789+", 11));
    cr_expect(annot__file_write_at(&file, 0, "0123456789", 10));
    annot__file_close(&file);
    errno = ENOSPC;
    annot__file_close(&file);
    cr_expect_eq(errno, ENOSPC, "closing leaves what was wrong before");
}

Test(os_posix, only_real_errors_of_a_sync_count)
{
    static const struct {
        int error;
        unsigned times;
        bool is_synced;
    } cases[] = {{0, 0, true},     {EINTR, 3, true}, {EINVAL, 1, true},
                 {EROFS, 1, true}, {EIO, 1, false},  {ENOSPC, 1, false}};
    AT_END(annot__file_close) struct annot__file file = file_with("x");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        os_answers[CALL_fsync].called = 0;
        os_answer(CALL_fsync, 0, cases[i].times, cases[i].error, 0);
        cr_expect_eq(annot__file_sync(&file), cases[i].is_synced, "%s", strerror(cases[i].error));
        cr_expect_eq(os_answers[CALL_fsync].called, cases[i].error == EINTR ? 4 : 1, "%s",
                     strerror(cases[i].error));
    }
}

/* ---- the final name ---- */

/* Not every file system has renaming without replacing, and not every one has links. */
Test(os_posix, a_file_gets_its_name_by_either_way)
{
    for (int is_by_link = 0; is_by_link < 2; is_by_link++) {
        const int next = os_next_descriptor();
        make_file("new");
        os_answer(CALL_renameat2, 0, (unsigned)is_by_link, EINVAL, 0);
        os_answers[CALL_fsync].called = 0;
        cr_expect_eq(annot__file_publish(os_path, os_other), ANNOT__FILE_DONE);
        cr_expect_str_eq(os_bytes_of(os_other), "new");
        cr_expect_not(os_exists(os_path));
        cr_expect_eq(os_answers[CALL_fsync].called, 1, "the folder is made durable");
        cr_expect_eq(os_next_descriptor(), next);
        make_file("later");
        os_answer(CALL_renameat2, 0, (unsigned)is_by_link, EINVAL, 0);
        cr_expect_eq(annot__file_publish(os_path, os_other), ANNOT__FILE_EXISTS);
        cr_expect_str_eq(os_bytes_of(os_other), "new");
        cr_expect_str_eq(os_bytes_of(os_path), "later", "it keeps its name");
        unlink(os_path);
        unlink(os_other);
    }
}

Test(os_posix, a_file_whose_name_can_not_be_given_keeps_its_own)
{
    make_file("new");
    os_fail(CALL_renameat2, EINVAL);
    os_fail(CALL_link, EPERM);
    cr_expect_eq(annot__file_publish(os_path, os_other), ANNOT__FILE_FAILED);
    cr_expect_eq(errno, EPERM);
    cr_expect_str_eq(os_bytes_of(os_path), "new");
    cr_expect_not(os_exists(os_other));
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
    const int next = os_next_descriptor();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        os_answer(CALL_renameat2, 0, 1, 0, 0);
        os_opened[0] = 0;
        errno = 0;
        cr_expect_eq(annot__file_publish(os_path, cases[i].path), ANNOT__FILE_DONE);
        cr_expect(cases[i].folder && !*cases[i].folder ? true : os_opened_flags & O_CLOEXEC);
        if (cases[i].folder)
            cr_expect_str_eq(os_opened, cases[i].folder, "%zu", i);
        else
            cr_expect_eq(strlen(os_opened), 4095, "the longest one");
    }
    cr_expect_eq(os_next_descriptor(), next);
}

Test(os_posix, a_file_is_removed_and_errno_stays)
{
    make_file("x");
    for (int i = 0; i < 2; i++) { /* the second time it is not there */
        errno = 77;
        annot__file_remove(os_path);
        cr_expect_eq(errno, 77);
        cr_expect_not(os_exists(os_path));
    }
}

/* ---- reading ---- */

Test(os_posix, a_file_is_opened_without_waiting_and_read_with_waiting)
{
    make_file("bytes");
    const int saved = dup(STDIN_FILENO);
    close(STDIN_FILENO); /* its number is as good as another */
    FILE *first = annot__file_open_to_read(os_path);
    const bool is_open = first && fclose(first) == 0;
    dup2(saved, STDIN_FILENO);
    close(saved);
    cr_expect(is_open);
    FILE *file = annot__file_open_to_read(os_path);
    cr_assert_not_null(file);
    cr_expect_eq(os_real_flags & O_NONBLOCK, 0);
    cr_expect_eq(fcntl(fileno(file), F_GETFL) & O_NONBLOCK, 0);
    cr_expect_eq(fcntl(fileno(file), F_GETFD), FD_CLOEXEC);
    char bytes[8] = "";
    cr_expect_eq(fread(bytes, 1, sizeof bytes, file), 5);
    cr_expect_str_eq(bytes, "bytes");
    fclose(file);
    cr_assert_eq(mkfifo(os_other, 0600), 0);
    file = annot__file_open_to_read(os_other); /* nobody writes, and it returns */
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
    const int next = os_next_descriptor();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        os_answer(cases[i].call, cases[i].after, 1, EMFILE, 0);
        cr_expect_null(annot__file_open_to_read(os_path), "case %zu", i);
        cr_expect_eq(errno, EMFILE, "case %zu", i);
        cr_expect_eq(os_next_descriptor(), next, "case %zu", i);
    }
    cr_expect_null(annot__file_open_to_read(os_other));
    cr_expect_eq(errno, ENOENT);
}

/* ---- clocks and waits ---- */

Test(os_posix, times_are_nanoseconds)
{
    os_now = 3000000005;
    os_answer(CALL_clock_gettime, 0, 2, 0, 0);
    cr_expect_eq(annot__clock_ns(), 3000000005);
    cr_expect_eq(annot__time_now(), 3000000005);
    os_fail(CALL_clock_gettime, EINVAL);
    cr_expect_eq(annot__time_now(), 0, "not known");
}

Test(os_posix, a_pause_is_some_microseconds_and_leaves_errno)
{
    os_now = 0;
    os_answer(CALL_nanosleep, 0, 1, EINTR, 0);
    errno = 77;
    annot__pause();
    cr_expect_eq(errno, 77);
    cr_expect(os_now >= 1000 && os_now < 1000000, "%llu ns", (unsigned long long)os_now);
}

Test(os_posix, a_mutex_that_is_held_is_waited_for_as_long_as_is_left)
{
    struct annot__mutex mutex;
    uint64_t left = 1000000;
    annot__mutex_init(&mutex);
    os_answer(CALL_clock_gettime, 0, 100000, 0, 0);
    os_answer(CALL_nanosleep, 0, 100000, EINTR, 0);
    os_now = 5;
    cr_expect(annot__mutex_try_for(&mutex, &left));
    cr_expect_eq(left, 1000000, "a free one costs nothing");
    cr_expect_eq(os_now, 5);
    cr_expect_not(annot__mutex_try(&mutex), "it is held now");
    cr_expect_not(annot__mutex_try_for(&mutex, &left));
    cr_expect_eq(left, 0);
    cr_expect(os_now >= 1000005 && os_now < 1100000, "%llu ns", (unsigned long long)os_now);
    const uint64_t before = os_now;
    cr_expect_not(annot__mutex_try_for(&mutex, &left));
    cr_expect_eq(os_now, before, "nothing is left to wait");
    left = 1000000;
    os_let_go = &mutex;
    os_let_go_at = before + 100000;
    cr_expect(annot__mutex_try_for(&mutex, &left));
    cr_expect_eq(left, 1000000 - (os_now - before), "what was waited is taken off");
    cr_expect_lt(os_now, before + 200000);
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
        os_own_path = cases[i].path;
        os_answer(CALL_readlink, 0, 1, 0, 0);
        memset(&process, 'z', sizeof process);
        annot__process_describe(&process);
        cr_expect_str_eq(process.name, cases[i].name);
    }
    os_own_path = long_name;
    os_answer(CALL_readlink, 0, 1, 0, 0);
    annot__process_describe(&process);
    cr_expect_eq(strlen(process.name), sizeof process.name - 1, "it is cut");
    os_fail(CALL_readlink, EACCES);
    os_fail(CALL_uname, EFAULT);
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
    os_fail(CALL_pthread_atfork, ENOMEM);
    os_answers[CALL_pthread_atfork].called = 0;
    cr_expect_not(annot__process_follow_forks());
    const annot_device_desc desc = ANNOT_DEVICE_DESC_INIT;
    annot_device *made = (annot_device *)&desc;
    os_fail(CALL_pthread_atfork, ENOMEM);
    cr_expect_eq(annot_device_create(&desc, &made), ANNOT_ERROR_OUT_OF_MEMORY);
    cr_expect_null(made);
    for (int i = 0; i < 3; i++)
        cr_expect(annot__process_follow_forks());
    cr_expect_eq(os_answers[CALL_pthread_atfork].called, 3);
}
