/* Lines on the stderr of a process that is not ours [ANN-LEAVE-05]: whatever its descriptors are,
 * nothing waits, ends it, or lands in its files. */
#include "asserts.h"

#include "os_say.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

static int kept;
static char heard[4096];

static void begin(void)
{
    fflush(stderr);
    kept = dup(STDERR_FILENO);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
}

static void end(void)
{
    dup2(kept, STDERR_FILENO);
    close(kept);
}

TestSuite(say, .init = begin, .fini = end, .timeout = 30);

/* `descriptor` is the stderr that the process was started with. */
static void start_with(int descriptor)
{
    dup2(descriptor, STDERR_FILENO);
    close(descriptor);
    os_say_begin();
}

static const char *hear(int from)
{
    const ssize_t size = read(from, heard, sizeof heard - 1);
    heard[size > 0 ? size : 0] = '\0';
    return heard;
}

Test(say, a_pipe_gets_the_line)
{
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    start_with(ends[1]);
    cr_expect(!os_say("wrote %s", "a dump"));
    cr_expect_str_eq(hear(ends[0]), "wrote a dump\n");
    dup2(kept, STDERR_FILENO);
    cr_expect_eq(read(ends[0], heard, 1), 0, "no end of it is kept");
}

Test(say, a_pipe_that_nobody_reads_raises_no_signal)
{
    int ends[2];
    sigset_t pending;
    cr_assert_eq(pipe(ends), 0);
    start_with(ends[1]);
    close(ends[0]);
    errno = 77;
    const char *obstacle = os_say_obstacle(), *why = os_say("a line");
    cr_expect_eq(errno, 77);
    dup2(kept, STDERR_FILENO);
    cr_expect_str_eq(why ? why : "", "nobody reads stderr");
    cr_expect_str_eq(obstacle ? obstacle : "", "nobody reads stderr");
    sigpending(&pending);
    cr_expect(!sigismember(&pending, SIGPIPE));
}

Test(say, a_full_pipe_is_not_waited_for_and_keeps_its_flags)
{
    int ends[2];
    char byte = 0;
    cr_assert_eq(pipe(ends), 0);
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    while (write(ends[1], &byte, 1) == 1)
        ;
    fcntl(ends[1], F_SETFL, 0);
    start_with(ends[1]);
    const int flags = fcntl(STDERR_FILENO, F_GETFL);
    const char *obstacle = os_say_obstacle(), *why = os_say("a line");
    const int after = fcntl(STDERR_FILENO, F_GETFL);
    dup2(kept, STDERR_FILENO);
    cr_expect_eq(flags, after);
    cr_expect_str_eq(why ? why : "", "stderr is full");
    cr_expect_str_eq(obstacle ? obstacle : "", "stderr is full");
}

static int file_of(int flags)
{
    char path[] = "platform-say-XXXXXX";
    const int file = mkostemp(path, flags);
    cr_assert(file >= 0);
    unlink(path);
    return file;
}

static off_t size_of(int file)
{
    return lseek(file, 0, SEEK_END);
}

/* fd 2 was closed, and the program's next file took its number. */
Test(say, nothing_lands_in_a_file_that_took_its_number)
{
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    start_with(ends[1]);
    const int file = file_of(O_APPEND);
    dup2(file, STDERR_FILENO);
    const char *why = os_say("a line");
    dup2(kept, STDERR_FILENO);
    cr_expect_str_eq(why ? why : "", "the program uses descriptor 2 for something else");
    cr_expect_eq(size_of(file), 0);
    close(ends[0]);
    close(file);
}

Test(say, a_closed_stderr_is_no_place_for_what_comes_there_later)
{
    close(STDERR_FILENO);
    os_say_begin();
    const char *closed = os_say("a line");
    const int low = file_of(O_APPEND), file = fcntl(low, F_DUPFD, 10); /* 2 is free, and taken */
    cr_expect_eq(low, STDERR_FILENO);
    const char *reused = os_say("a line");
    dup2(kept, STDERR_FILENO);
    cr_expect_str_eq(closed ? closed : "", "stderr is closed");
    cr_expect_str_eq(reused ? reused : "", "the program uses descriptor 2 for something else");
    cr_expect_eq(size_of(file), 0);
    close(file);
}

/* A library that is loaded later than the file was opened. */
Test(say, a_file_of_data_is_none_even_if_it_was_there_first)
{
    const int file = file_of(0), other = dup(file);
    start_with(file);
    const char *why = os_say("a line");
    dup2(kept, STDERR_FILENO);
    cr_expect_not_null(why);
    cr_expect_eq(size_of(other), 0);
    close(other);
}

/* ... unless the command that started the program has said that this is its stderr. */
Test(say, a_file_that_the_command_names_gets_the_line)
{
    char text[48];
    const int file = file_of(0), other = dup(file);
    dup2(file, STDERR_FILENO);
    os_say_describe(text, sizeof text);
    setenv(OS_SAY_VARIABLE, text, 1);
    start_with(file);
    const char *why = os_say("a line");
    dup2(kept, STDERR_FILENO);
    cr_expect(!why, "%s", why);
    cr_expect_eq(size_of(other), 7);
    close(other);
}

Test(say, a_file_at_its_limit_raises_no_signal)
{
    const int file = file_of(O_APPEND), other = dup(file);
    const struct rlimit limit = {3, RLIM_INFINITY};
    struct rlimit before;
    start_with(file);
    getrlimit(RLIMIT_FSIZE, &before);
    setrlimit(RLIMIT_FSIZE, &limit);
    const char *why = os_say("a line");
    setrlimit(RLIMIT_FSIZE, &before);
    dup2(kept, STDERR_FILENO);
    cr_expect_str_eq(why ? why : "", "stderr's file has reached its limit");
    cr_expect_eq(size_of(other), 0);
    close(other);
}

Test(say, a_socket_is_not_waited_for)
{
    int ends[2];
    char block[4096] = "";
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    start_with(ends[1]);
    const char *why = os_say("a line");
    cr_expect(!why);
    cr_expect_str_eq(hear(ends[0]), "a line\n");
    while (send(STDERR_FILENO, block, sizeof block, MSG_DONTWAIT) > 0)
        ;
    const char *full = os_say("a line");
    close(ends[0]);
    const char *gone = os_say("a line");
    dup2(kept, STDERR_FILENO);
    cr_expect_str_eq(full ? full : "", "stderr is full");
    cr_expect_str_eq(gone ? gone : "", "nobody reads stderr");
}

Test(say, a_terminal_obeys_nothing)
{
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    start_with(ends[1]);
    os_say("a\033[31mb\x9b"
           "c\xc2\x9b"
           "d\r\n\te\xff\xe2\x80\xae \xc3\xa9\xe2\x82\xac");
    dup2(kept, STDERR_FILENO);
    cr_expect_str_eq(hear(ends[0]), "a?[31mb?c??d???e???? \xc3\xa9\xe2\x82\xac\n");
}

Test(say, a_long_line_is_cut_and_ends)
{
    int ends[2];
    char text[4000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    cr_assert_eq(pipe(ends), 0);
    start_with(ends[1]);
    os_say("%s", text);
    dup2(kept, STDERR_FILENO);
    hear(ends[0]);
    cr_expect(strlen(heard) > 1000 && heard[strlen(heard) - 1] == '\n');
}
