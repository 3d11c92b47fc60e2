#include "os_ask.h"

#include "environment.h"
#include "os_file.h"
#include "os_process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

static char prepared[1024]; /* "": requests are not taken */

static void find_folder(char *path, size_t size)
{
    const char *runtime = os_environment_borrow("XDG_RUNTIME_DIR");
    if (runtime && *runtime == '/' && strlen(runtime) + sizeof "/annot" <= size)
        snprintf(path, size, "%s/annot", runtime);
    else
        snprintf(path, size, "/tmp/annot-%lu", (unsigned long)geteuid());
}

static bool may_be_dumped(void)
{
#ifdef __linux__
    return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 1;
#else
    return true;
#endif
}

void os_ask_prepare(void)
{
    if (os_environment_is_trusted() && may_be_dumped())
        find_folder(prepared, sizeof prepared);
}

/* -1: it is not this user's alone. */
static int open_folder(const char *path)
{
    struct stat about;
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder != -1 && fstat(folder, &about) == 0 && about.st_uid == geteuid() &&
        (about.st_mode & 077) == 0)
        return folder;
    if (folder != -1)
        close(folder);
    return -1;
}

/* The file for requests to a process. -1: it is not a plain file of this user. */
static int open_request(int folder, uint32_t process, int flags)
{
    char name[24];
    struct stat about;
    snprintf(name, sizeof name, "%lu", (unsigned long)process);
    const int file =
        openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | flags, 0600);
    if (file != -1 && fstat(file, &about) == 0 && S_ISREG(about.st_mode) &&
        about.st_uid == geteuid() && about.st_nlink <= 1)
        return file;
    if (file != -1)
        close(file);
    return -1;
}

/* ---- the program ---- */

int os_ask_take(void)
{
    char mark = 0;
    const int folder = *prepared && may_be_dumped() ? open_folder(prepared) : -1;
    const int file = folder == -1 ? -1 : open_request(folder, os_process_id(), 0);
    if (folder != -1)
        close(folder);
    if (file == -1)
        return -1;
    if (pread(file, &mark, 1, 0) == 1 && mark == '?' && flock(file, LOCK_EX | LOCK_NB) == -1 &&
        errno == EWOULDBLOCK)
        return file;
    close(file);
    return -1;
}

/* Overwrites what the asker wrote, so that a full disk is no obstacle. */
void os_ask_answer(int request, const char *const *paths, unsigned count, const char *why_none)
{
    char answer[OS_ASK_ANSWER] = "", full[PATH_MAX];
    size_t size = 1;
    for (unsigned i = 0; i < count || i == 0; i++) {
        const char *line = count == 0 ? why_none : realpath(paths[i], full) ? full : paths[i];
        if (size + strlen(line) + 2 <= sizeof answer)
            size += (size_t)sprintf(answer + size, i == 0 ? "%s" : "\n%s", line);
    }
    answer[0] = count > 0 ? '!' : '-';
    if (pwrite(request, answer + 1, sizeof answer - 1, 1) == (ssize_t)sizeof answer - 1)
        (void)!pwrite(request, answer, 1, 0);
    close(request);
}

/* ---- the asker ---- */

/* Another user's process, or one with more rights than its user: its /proc is not this user's. */
static const char *refusal(uint32_t process)
{
    char path[32];
    struct stat about;
    snprintf(path, sizeof path, "/proc/%lu", (unsigned long)process);
    if (stat(path, &about) != 0)
        return "there is no such process";
    return about.st_uid == geteuid()
               ? NULL
               : "the process is another user's, or has more rights than its user";
}

/* Returns a file of /proc about the process (malloc'd); NULL: it can't be read. */
static char *read_about(uint32_t process, const char *name)
{
    char path[40], *text;
    const char *why;
    size_t size;
    snprintf(path, sizeof path, "/proc/%lu/%s", (unsigned long)process, name);
    os_read_file(path, false, 64 << 20, &text, &size, &why);
    if (text)
        text[size] = '\0';
    return text;
}

const char *os_ask_refusal(uint32_t process)
{
    const char *why = refusal(process);
    char *maps = why ? NULL : read_about(process, "maps");
    char *about = why ? NULL : read_about(process, "stat");
    const char *name_end = about ? strrchr(about, ')') : NULL;
    if (maps && !strstr(maps, "libVkLayer_annot_crash") && !strstr(maps, "libd3d12"))
        why = "it has loaded no crash layer of annot; ask the process that uses the GPU, and start "
              "the program with annot vulkan or annot d3d12";
    else if (name_end && (strncmp(name_end, ") T", 3) == 0 || strncmp(name_end, ") t", 3) == 0))
        why = "it is stopped, so it can't answer; let it go on first, for example with kill -CONT";
    free(maps);
    free(about);
    return why;
}

/* Opens and locks the file. False: another asker has it, or it is gone. */
static bool begin(int folder, uint32_t process, int *file)
{
    struct stat about;
    static const char question[OS_ASK_ANSWER] = "?";
    *file = open_request(folder, process, O_CREAT);
    return *file != -1 && flock(*file, LOCK_EX | LOCK_NB) == 0 && fstat(*file, &about) == 0 &&
           about.st_nlink == 1 && ftruncate(*file, 0) == 0 &&
           pwrite(*file, question, sizeof question, 0) == (ssize_t)sizeof question;
}

bool os_ask(uint32_t process, uint64_t milliseconds, char answer[OS_ASK_ANSWER])
{
    char path[1024];
    int file = -1;
    bool is_asked = false, is_answered = false;
    find_folder(path, sizeof path);
    mkdir(path, 0700);
    const int folder = open_folder(path);
    const char *why =
        folder == -1 ? "annot ask needs a folder that only this user can use" : refusal(process);
    for (uint64_t i = 0; !why && !is_answered && i < milliseconds; i++) {
        if (!is_asked && !(is_asked = begin(folder, process, &file)) && file != -1)
            close(file);
        is_answered =
            is_asked && pread(file, answer, OS_ASK_ANSWER, 0) == OS_ASK_ANSWER && answer[0] != '?';
        why = is_answered ? NULL : refusal(process);
        os_sleep_millisecond();
    }
    if (is_asked) {
        snprintf(path, sizeof path, "%lu", (unsigned long)process);
        unlinkat(folder, path, 0);
        close(file);
    }
    if (folder != -1)
        close(folder);
    const bool is_written = is_answered && answer[0] == '!';
    if (is_answered)
        memmove(answer, answer + 1, OS_ASK_ANSWER - 1);
    else
        snprintf(answer, OS_ASK_ANSWER, "%s",
                 why ? why
                 : is_asked
                     ? "the process did not answer: it has no GPU device, its setting timeout is "
                       "0, or its XDG_RUNTIME_DIR is not that of annot ask"
                     : "the request can't be written, or another annot ask is waiting");
    answer[OS_ASK_ANSWER - 1] = 0;
    return is_written;
}
