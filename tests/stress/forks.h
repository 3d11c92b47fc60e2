/* Forks beside threads at work, and what their children find. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LIMIT = 20 /* seconds until a child counts as hung */ };

static unsigned failed; /* in a child */

static inline void check(bool ok, const char *what)
{
    if (ok)
        return;
    failed++;
    printf("in the child: %s\n", what);
}

/* Ends a child. */
static inline _Noreturn void leave(bool at_once)
{
    fflush(stdout);
    if (at_once)
        _exit(failed != 0);
    exit(failed != 0);
}

/* Forks as often, unless children hang. How many children had an error, or hung. */
static inline int fork_often(int forks, void (*be_child)(int number))
{
    int wrong = 0, hung = 0;
    for (int i = 0; i < forks && hung < 3; i++) {
        int status = 0;
        fflush(stdout);
        const pid_t child = fork();
        if (child == 0) {
            alarm(LIMIT);
            be_child(i);
            leave(i % 4);
        }
        if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
            printf("child %d ends with 0x%x\n", i, (unsigned)status);
            wrong++;
            hung += WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
        }
    }
    printf("%d forks, %d children with an error, %d of them hung\n", forks, wrong, hung);
    return wrong;
}
