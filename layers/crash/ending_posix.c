#include "ending.h"

#include "claim.h"
#include "environment.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Signals that end a process without a handler: faults of its own, and requests from others. */
static const int faults[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
static const int wishes[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
enum { FAULTS = sizeof faults / sizeof *faults, WISHES = sizeof wishes / sizeof *wishes };

/* The handlers that this layer replaced. Another crash layer, or the program, may put its own
 * handler in front, which may call this layer's handler later. */
static struct sigaction before[FAULTS + WISHES];
static _Atomic bool is_ours[FAULTS + WISHES];
static _Atomic long holder; /* the process whose signals are held; 0: none */

static int signal_at(unsigned which)
{
    return which < FAULTS ? faults[which] : wishes[which - FAULTS];
}

/* Sends the signal with its data to this thread again; it arrives when the handler returns. */
static void send_again(int number, siginfo_t *info)
{
#ifdef SYS_rt_tgsigqueueinfo
    if (syscall(SYS_rt_tgsigqueueinfo, (long)getpid(), syscall(SYS_gettid), number, info) == 0)
        return;
#else
    (void)info;
#endif
    raise(number);
}

/* Whether the fault will come again, because the instruction is executed again. */
static bool is_of_instruction(int number, const siginfo_t *info)
{
    return number != SIGABRT && info->si_code > 0 && info->si_code != SI_KERNEL;
}

static void wait_and_go_on(int number, siginfo_t *info, void *context)
{
    const int error = errno;
    (void)context;
    crash_claim_wait_all();
    for (unsigned i = 0; i < FAULTS + WISHES; i++)
        if (signal_at(i) == number) {
            sigaction(number, &before[i], NULL);
            is_ours[i] = false;
        }
    if (!is_of_instruction(number, info))
        send_again(number, info);
    errno = error;
}

static bool leads_to_us(const struct sigaction *action)
{
    return action->sa_flags & SA_SIGINFO && action->sa_sigaction == wait_and_go_on;
}

/* Installs the handlers once; twice, the program's own handler would never be called. */
static void hold_signals(void)
{
    struct sigaction ours;
    memset(&ours, 0, sizeof ours);
    ours.sa_sigaction = wait_and_go_on;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&ours.sa_mask);
    for (unsigned i = 0; i < FAULTS + WISHES; i++) {
        struct sigaction now;
        if (is_ours[i] || sigaction(signal_at(i), NULL, &now) != 0 || now.sa_handler == SIG_IGN ||
            leads_to_us(&now))
            continue;
        before[i] = now;
        is_ours[i] = sigaction(signal_at(i), &ours, NULL) == 0;
    }
}

/* Restores the handlers, except those that the program has set meanwhile. */
static void give_back_signals(void)
{
    for (unsigned i = 0; i < FAULTS + WISHES; i++) {
        struct sigaction now;
        if (is_ours[i] && sigaction(signal_at(i), NULL, &now) == 0 && leads_to_us(&now))
            is_ours[i] = sigaction(signal_at(i), &before[i], NULL) != 0;
    }
}

void crash_ending_hold(struct crash_ending *ending)
{
    long other = atomic_load(&holder);
    sigset_t set;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &ending->cancel);
    sigemptyset(&set);
    for (unsigned i = 0; i < WISHES; i++)
        sigaddset(&set, wishes[i]);
    pthread_sigmask(SIG_BLOCK, &set, &ending->mask);
    ending->has_signals =
        other != (long)getpid() && atomic_compare_exchange_strong(&holder, &other, (long)getpid());
    if (ending->has_signals)
        hold_signals();
}

void crash_ending_release(struct crash_ending *ending)
{
    if (ending->has_signals) {
        give_back_signals();
        atomic_store(&holder, 0);
    }
    pthread_sigmask(SIG_SETMASK, &ending->mask, NULL);
    pthread_setcancelstate(ending->cancel, NULL);
}

static void (*at_end)(void);

/* Runs after other handlers of exit, which take time in which a thread may meet the loss. */
__attribute__((destructor)) static void leave_at_last(void)
{
    if (at_end)
        at_end();
}

void crash_ending_register(void (*leave)(void), void (*forget)(void))
{
    static atomic_flag is_done = ATOMIC_FLAG_INIT;
    if (atomic_flag_test_and_set(&is_done))
        return;
    at_end = leave;
    atexit(leave);
    at_quick_exit(leave);
    pthread_atfork(NULL, NULL, forget);
}

static char witness[1024]; /* "": nobody is told */

void crash_tell_prepare(void)
{
    const char *path = os_environment_borrow("ANNOT_FRONT_WITNESS");
    if (!*witness && path && strlen(path) < sizeof witness)
        strcpy(witness, path);
}

void crash_tell(const char *path)
{
    char line[1400];
    const int size = snprintf(line, sizeof line, "%s\n", path);
    const int file = *witness && (size_t)size < sizeof line
                         ? open(witness, O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
                         : -1;
    if (file == -1)
        return;
    (void)!write(file, line, (size_t)size);
    close(file);
}
