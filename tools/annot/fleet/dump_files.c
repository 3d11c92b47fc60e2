#include "dump_files.h"

#include "cli.h"
#include "environment.h"
#include "os_path.h"
#include "array.h"
#include "table.h"

#include <annot/dxdmp.h>

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- finding files ---- */

/* A path that the list has. */
struct dump_path {
    UT_hash_handle hh;
    bool is_listed;
    char key[];
};

static bool append(struct dump_files *files, const char *path, const struct stat *status)
{
    char *whole = os_full_path(path);
    struct dump_path *found = NULL;
    if (whole)
        TABLE_FIND_OR_ADD_BYTES(files->paths, whole, strlen(whole), found);
    free(whole);
    if (!found || !ARRAY_ROOM(files->files, files->count, files->capacity))
        return false;
    files->found++;
    if (found->is_listed)
        return true;
    found->is_listed = true;
    struct dump_file *file = &files->files[files->count++];
    *file = (struct dump_file){found->key, (uint64_t)status->st_size, (int64_t)status->st_mtime};
#if defined(__linux__)
    file->modified = (int64_t)status->st_mtim.tv_sec * 1000000000 + status->st_mtim.tv_nsec;
#endif
    return true;
}

static bool has_suffix(const char *name, const char *suffix)
{
    const size_t size = strlen(name), of_suffix = strlen(suffix);
    return size > of_suffix && strcmp(name + size - of_suffix, suffix) == 0;
}

/* Whether the file's first bytes are a dump's. */
static bool is_dump_inside(const char *path)
{
    char bytes[8];
    FILE *file = cli_open_to_read(path);
    const size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (file)
        fclose(file);
    return size == sizeof bytes &&
           (memcmp(bytes, "ANNOTDMP", sizeof bytes) == 0 || annot_dxdmp_is(bytes, size));
}

/* Whether a file is a dump: a dump's name is enough, even if the file is damaged. */
static bool is_dump(const char *path, const char *name)
{
    return has_suffix(name, ".annotdmp") || has_suffix(name, ".dxdmp") || is_dump_inside(path);
}

/* Folders that the search has not read yet. */
struct folders {
    char **paths;
    size_t count, capacity;
};

static bool push(struct folders *folders, const char *path)
{
    if (!ARRAY_ROOM(folders->paths, folders->count, folders->capacity))
        return false;
    folders->paths[folders->count] = strdup(path);
    return folders->paths[folders->count] && ++folders->count > 0;
}

static int status_of(const char *path, struct stat *status)
{
#ifdef _WIN32
    return stat(path, status);
#else
    return lstat(path, status);
#endif
}

static bool look_at(struct dump_files *files, struct folders *folders, const char *folder,
                    const char *name)
{
    struct stat status;
    const size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    if (!path)
        return false;
    snprintf(path, size, "%s%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/", name);
    bool is_good = true;
    if (status_of(path, &status) == 0) {
        if (S_ISDIR(status.st_mode))
            is_good = push(folders, path);
        else if (S_ISREG(status.st_mode) && is_dump(path, name))
            is_good = append(files, path, &status);
    }
    free(path);
    return is_good;
}

static bool walk(struct dump_files *files, const char *command, const char *top)
{
    struct folders folders = {NULL, 0, 0};
    bool is_good = push(&folders, top);
    while (is_good && folders.count > 0) {
        char *folder = folders.paths[--folders.count];
        errno = 0;
        DIR *directory = opendir(folder);
        if (!directory)
            cli_fail(command, folder, ANNOT_ERROR_IO); /* other folders are searched, too */
        for (const struct dirent *entry; is_good && directory && (entry = readdir(directory));)
            if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
                is_good = look_at(files, &folders, folder, entry->d_name);
        if (directory)
            closedir(directory);
        free(folder);
    }
    while (folders.count > 0)
        free(folders.paths[--folders.count]);
    free(folders.paths);
    return is_good;
}

bool dump_files_add(struct dump_files *files, const char *command, const char *path)
{
    struct stat status;
    errno = 0;
    if (stat(path, &status) != 0) {
        cli_fail(command, path, ANNOT_ERROR_IO);
        return false;
    }
    const size_t before = files->found;
    if (!(S_ISDIR(status.st_mode) ? walk(files, command, path) : append(files, path, &status))) {
        cli_fail(command, path, ANNOT_ERROR_OUT_OF_MEMORY);
        return false;
    }
    if (files->found > before)
        return true;
    cli_format(stderr,
               "annot %s: %s: this folder and its subfolders have no dumps (.annotdmp, .dxdmp)\n",
               command, path);
    return false;
}

void dump_files_free(struct dump_files *files)
{
    TABLE_FREE(struct dump_path, files->paths)
    free(files->files);
    *files = (struct dump_files){.files = NULL};
}

/* ---- progress ---- */

/* A line on standard error, if that is a terminal. */
struct progress {
    size_t all, done;
    int64_t started, shown; /* milliseconds */
    bool is_on;
};

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void progress_step(struct progress *progress)
{
    enum { WIDTH = 30, EVERY_MS = 100 };
    const int64_t at = now(), passed = at - progress->started;
    progress->done++;
    if (!progress->is_on || at - progress->shown < EVERY_MS || passed <= 0)
        return;
    progress->shown = at;
    const double rate = (double)progress->done * 1000 / (double)passed;
    const int filled = (int)(progress->done * WIDTH / progress->all);
    fprintf(stderr, "\r[%.*s%*s] %llu of %llu, %.0f/s, %.0f s left \033[K", filled,
            "##############################", WIDTH - filled, "",
            (unsigned long long)progress->done, (unsigned long long)progress->all, rate,
            (double)(progress->all - progress->done) / rate);
}

/* ---- reading ---- */

enum { THREADS_MAX = 256 };

struct reading {
    const char *command;
    const struct dump_files *files;
    dump_files_take *take;
    void *user;
    pthread_mutex_t lock; /* guards the other members, and is held while `take` runs */
    size_t next;          /* file that nobody reads yet */
    struct progress progress;
    bool has_failed;
};

static const struct dump_file *next_file(struct reading *reading)
{
    const struct dump_file *file = NULL;
    pthread_mutex_lock(&reading->lock);
    if (!reading->has_failed && reading->next < reading->files->count)
        file = &reading->files->files[reading->next++];
    pthread_mutex_unlock(&reading->lock);
    return file;
}

static void *read_files(void *argument)
{
    struct reading *reading = argument;
    struct dump_summary summary;
    for (const struct dump_file *file; (file = next_file(reading));) {
        summary_of_file(file->path, &summary);
        pthread_mutex_lock(&reading->lock);
        if (!reading->has_failed && summary.status == DUMP_NO_MEMORY)
            reading->has_failed =
                cli_fail(reading->command, file->path, ANNOT_ERROR_OUT_OF_MEMORY) != EXIT_FINE;
        if (!reading->has_failed) {
            progress_step(&reading->progress);
            reading->has_failed = !reading->take(reading->user, file, &summary);
        }
        pthread_mutex_unlock(&reading->lock);
    }
    return NULL;
}

static unsigned processors(void)
{
#ifdef _WIN32
    const char *count = os_environment_borrow("NUMBER_OF_PROCESSORS");
    return count && atoi(count) > 0 ? (unsigned)atoi(count) : 1;
#else
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (unsigned)count : 1;
#endif
}

/* Reads all dumps. This thread also reads, and reads alone if no other thread can be started. */
bool dump_files_read(const struct dump_files *files, const char *command, unsigned threads,
                     dump_files_take *take, void *user)
{
    pthread_t started[THREADS_MAX];
    unsigned count = 0;
    const char *term = os_environment_borrow("TERM");
    struct reading reading = {.command = command,
                              .files = files,
                              .take = take,
                              .user = user,
                              .progress = {.all = files->count, .started = now()}};
    reading.progress.is_on =
        files->count > 0 && cli_is_terminal(stderr) && !(term && strcmp(term, "dumb") == 0);
    if (threads == 0)
        threads = processors();
    if (threads > files->count)
        threads = (unsigned)files->count;
    pthread_mutex_init(&reading.lock, NULL);
    while (count + 1 < threads && count < THREADS_MAX &&
           pthread_create(&started[count], NULL, read_files, &reading) == 0)
        count++;
    read_files(&reading);
    for (unsigned i = 0; i < count; i++)
        pthread_join(started[i], NULL);
    pthread_mutex_destroy(&reading.lock);
    if (reading.progress.is_on)
        fputs("\r\033[K", stderr);
    return !reading.has_failed;
}
