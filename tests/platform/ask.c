/* Requests for a dump, among neighbours that mean no good [ANN-LEAVE-04]. */
#include "asserts.h"
#include "folder.h"

#include "os_ask.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char requests[128], request[160];

/* This process may be asked, in a folder of the test's own. */
static void begin(void)
{
    folder_make();
    setenv("XDG_RUNTIME_DIR", folder, 1);
    snprintf(requests, sizeof requests, "%s/annot", folder);
    snprintf(request, sizeof request, "%s/%ld", requests, (long)getpid());
    mkdir(requests, 0700);
    os_ask_prepare();
}

TestSuite(ask, .init = begin, .fini = folder_remove, .timeout = 30);

/* As the asker leaves it. `holder`: the descriptor that holds the lock. */
static int write_request(const char *path)
{
    const char question[OS_ASK_ANSWER] = "?";
    const int holder = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    cr_assert_eq(write(holder, question, sizeof question), (ssize_t)sizeof question);
    cr_assert_eq(flock(holder, LOCK_EX | LOCK_NB), 0);
    return holder;
}

static bool is_taken(void)
{
    const int taken = os_ask_take();
    if (taken != -1)
        close(taken);
    return taken != -1;
}

Test(ask, only_a_whole_request_of_a_living_asker_is_taken)
{
    cr_expect(!is_taken());
    int holder = write_request(request);
    cr_expect(is_taken());
    close(holder);
    cr_expect(!is_taken(), "its asker is gone");
    holder = write_request(request);
    chmod(requests, 0750);
    cr_expect(!is_taken(), "others reach the folder");
    chmod(requests, 0700);
    running_as = 12345;
    cr_expect(!is_taken(), "another user's");
    running_as = UINT32_MAX;
    char other[200];
    snprintf(other, sizeof other, "%s/other", folder);
    cr_assert_eq(link(request, other), 0);
    cr_expect(!is_taken(), "it has another name");
    unlink(other);
    cr_assert_eq(rename(request, other), 0);
    cr_assert_eq(symlink(other, request), 0);
    cr_expect(!is_taken(), "a link");
    unlink(request);
    cr_assert_eq(mkfifo(request, 0600), 0);
    cr_expect(!is_taken(), "a pipe");
    unlink(request);
    cr_assert_eq(rename(other, request), 0);
    snprintf(other, sizeof other, "%s/moved", folder);
    cr_assert_eq(rename(requests, other), 0);
    cr_assert_eq(symlink(other, requests), 0);
    cr_expect(!is_taken(), "the folder is a link");
    unlink(requests);
    cr_assert_eq(rename(other, requests), 0);
    cr_expect(is_taken());
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    cr_expect(!is_taken(), "the process may not be dumped");
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    close(holder);
}

Test(ask, the_child_of_a_fork_does_not_answer)
{
    int status;
    const int holder = write_request(request);
    const pid_t child = fork();
    if (child == 0)
        _exit(is_taken());
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect_eq(status, 0);
    close(holder);
}

static void *ask(void *answer)
{
    return os_ask((uint32_t)getpid(), UINT64_MAX, answer) ? answer : NULL;
}

static void answer_next(const char *const *paths, unsigned count)
{
    int taken;
    while ((taken = os_ask_take()) == -1)
        sched_yield();
    os_ask_answer(taken, paths, count, "the disk is full");
}

/* Two at once: each gets an answer of its own. */
Test(ask, each_asker_is_answered)
{
    char answers[2][OS_ASK_ANSWER];
    pthread_t askers[2];
    void *written[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&askers[i], NULL, ask, answers[i]);
    answer_next((const char *[]){"a.annotdmp"}, 1);
    answer_next(NULL, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(askers[i], &written[i]);
    const int first = written[0] ? 0 : 1;
    cr_expect(written[first] && !written[1 - first]);
    cr_expect_str_eq(answers[first], "a.annotdmp");
    cr_expect_str_eq(answers[1 - first], "the disk is full");
    cr_expect_neq(access(request, F_OK), 0, "nothing is left");
}

Test(ask, a_path_that_does_not_fit_is_left_out)
{
    char answer[OS_ASK_ANSWER], path[OS_ASK_ANSWER];
    pthread_t asker;
    memset(path, 'p', sizeof path);
    path[sizeof path - 3] = '\0';
    pthread_create(&asker, NULL, ask, answer);
    answer_next((const char *[]){"a", path, "b"}, 3);
    pthread_join(asker, NULL);
    cr_expect_str_eq(answer, "a\nb");
}

/* Whom it asks, and where; what its answer begins with. */
Test(ask, an_asker_says_why_there_is_no_dump)
{
    char answer[OS_ASK_ANSWER], other[200];
    cr_expect(!os_ask((uint32_t)getpid(), 50, answer));
    cr_expect_not_null(strstr(answer, "XDG_RUNTIME_DIR"), "%s", answer);
    cr_expect(!os_ask(0x7FFFFFFF, 50, answer));
    cr_expect_not_null(strstr(answer, "no such process"), "%s", answer);
    const int holder = write_request(request);
    cr_expect(!os_ask((uint32_t)getpid(), 50, answer));
    cr_expect_not_null(strstr(answer, "another annot ask"), "%s", answer);
    close(holder);
    failing_pwrite = (struct failing){.times = UINT32_MAX, .error = ENOSPC};
    cr_expect(!os_ask((uint32_t)getpid(), 50, answer));
    cr_expect_not_null(strstr(answer, "can't be written"), "%s", answer);
    failing_pwrite = (struct failing){0};
    snprintf(other, sizeof other, "%s/moved", folder);
    cr_assert_eq(rename(requests, other), 0);
    cr_assert_eq(symlink(other, requests), 0);
    cr_expect(!os_ask((uint32_t)getpid(), 50, answer));
    cr_expect_not_null(strstr(answer, "only this user can use"), "%s", answer);
}
