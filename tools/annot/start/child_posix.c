#include "child.h"

#include "cli.h"
#include "../../program.h"
#include "environment.h"
#include "os_file.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

bool child_set_variable(const char *name, const char *value)
{
    return setenv(name, value, 1) == 0;
}

bool child_prepend(const char *name, const char *first, char separator)
{
    const char *old = os_environment_borrow(name);
    const size_t size = strlen(first) + (old ? strlen(old) : 0) + 2;
    char *list = malloc(size);
    if (!list)
        return false;
    snprintf(list, size, "%s%c%s", first, separator, old ? old : "");
    if (!old || !*old)
        list[strlen(first)] = '\0';
    const bool is_set = child_set_variable(name, list);
    free(list);
    return is_set;
}

static volatile sig_atomic_t running; /* the program's process */

/* Passes a signal on to the program, which this process outlives to show the dump. A terminal sends
 * its signals to the program as well. */
static void pass_on(int number, siginfo_t *info, void *context)
{
    const int error = errno;
    (void)context;
    if (info->si_code <= 0) /* a process sent it */
        kill(running, number);
    errno = error;
}

static int wait_for(pid_t child)
{
    static const int passed[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT};
    const struct sigaction action = {.sa_sigaction = pass_on, .sa_flags = SA_SIGINFO};
    int status;
    running = (sig_atomic_t)child;
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++)
        sigaction(passed[i], &action, NULL);
    while (waitid(P_PID, (id_t)child, &(siginfo_t){0}, WEXITED | WNOWAIT) < 0)
        if (errno != EINTR)
            return EXIT_UNUSABLE;
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++) /* the number may be used again */
        signal(passed[i], SIG_DFL);
    if (waitpid(child, &status, 0) < 0)
        return EXIT_UNUSABLE;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void become(const char *command, char **program, pid_t parent)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) /* the parent is gone already */
        _exit(EXIT_UNUSABLE);
#else
    (void)parent;
#endif
    program_leave();
    execvp(program[0], program);
    fprintf(stderr, "annot %s: %.200s: %s\n", command, program[0], strerror(errno));
    _exit(EXIT_UNUSABLE);
}

int child_run(const char *command, char **program)
{
    const pid_t self = getpid();
    fflush(NULL);
    const pid_t child = fork();
    if (child < 0)
        return cli_complain(command, "the system can't start a process for", program[0]);
    if (child == 0)
        become(command, program, self);
    return wait_for(child);
}

/* Makes a file to which the layer writes at the first call of the program. */
static bool make_witness(char *path, size_t size)
{
    const char *folder = os_environment_borrow("TMPDIR");
    const int length = snprintf(path, size, "%s/annot-XXXXXX", folder && *folder ? folder : "/tmp");
    const int file = length > 0 && (size_t)length < size ? mkstemp(path) : -1;
    if (file < 0)
        return false;
    close(file);
    return child_set_variable("ANNOT_FRONT_WITNESS", path);
}

static char *told; /* "seen", and paths, each in a line */

char *child_told(void)
{
    return told;
}

/* Returns why the run can't end with 0, or NULL. A recorder that lost calls removes the witness. */
static const char *fault_of(const char *unseen)
{
    return !told ? CHILD_LACKS_CALLS : *told ? NULL : unseen;
}

int child_run_watched(const char *command, char **program, const char *unseen)
{
    char own[PATH_MAX], outer[PATH_MAX];
    const char *why, *named = os_environment_borrow("ANNOT_FRONT_WITNESS");
    size_t size;
    snprintf(outer, sizeof outer, "%s", named ? named : "");
    const bool is_watched = make_witness(own, sizeof own);
    int code = child_run(command, program);
    if (is_watched)
        os_read_file(own, false, 1 << 20, &told, &size, &why);
    if (told)
        told[size] = '\0';
    /* an outer annot only learns that there are calls; it reports missing ones */
    FILE *witness = *outer && told && *told ? os_open_log(outer) : NULL;
    if (witness) {
        fputs("seen\n", witness);
        fclose(witness);
    }
    const char *fault = is_watched && code == 0 ? fault_of(*outer ? NULL : unseen) : NULL;
    if (fault) {
        fprintf(stderr, "annot %s: %s: %.200s\n", command, fault, program[0]);
        code = EXIT_DAMAGED;
    }
    if (is_watched)
        unlink(own);
    return code;
}

void *child_library_function(const char *name)
{
    void *library = dlopen("libd3d12.so", RTLD_NOW | RTLD_LOCAL);
    return library ? dlsym(library, name) : NULL;
}
