#include "dump_file/folder.h"

#include "os_file.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#define EXTENSION   ".annotdmp"
#define STAMP       19u /* "2026-11-22-08-15-30" */
#define FILES_MAX   4096u
#define PATH_LENGTH 4096

bool dump_folder_is(const char *path)
{
    const size_t size = strlen(path);
    return size > 0 && (path[size - 1] == '/' || path[size - 1] == '\\');
}

void dump_folder_make(const char *folder)
{
    char path[PATH_LENGTH];
    for (size_t i = 0; folder[i] != '\0' && i + 1 < sizeof path; i++) {
        path[i] = folder[i];
        path[i + 1] = '\0';
        if (i > 0 && dump_folder_is(path))
            os_folder_make(path);
    }
}

static size_t stem_of(const char *application)
{
    const char *dot = strrchr(application, '.');
    return dot && dot != application ? (size_t)(dot - application) : strlen(application);
}

void dump_folder_name(const char *folder, const char *application, uint64_t time_ns, char *out,
                      size_t capacity)
{
    const time_t seconds = (time_t)(time_ns / 1000000000u);
    struct tm moment = {0};
    char stamp[STAMP + 1] = "1970-01-01-00-00-00";
#ifdef _WIN32
    gmtime_s(&moment, &seconds);
#else
    gmtime_r(&seconds, &moment);
#endif
    strftime(stamp, sizeof stamp, "%Y-%m-%d-%H-%M-%S", &moment);
    snprintf(out, capacity, "%s%.*s-%s" EXTENSION, folder, (int)stem_of(application), application,
             stamp);
}

/* ---- removal of the oldest files ---- */

struct file {
    char name[256];
    char stamp[STAMP + 1];
    uint64_t size;
};

/* Parses "NAME-yyyy-mm-dd-hh-mm-ss.annotdmp", or a name with "-2" before the extension. */
static bool parse(const char *name, struct file *file)
{
    static const char pattern[] = "dddd-dd-dd-dd-dd-dd";
    const size_t size = strlen(name), extension = sizeof EXTENSION - 1;
    if (size >= sizeof file->name || size < STAMP + 1 + extension ||
        strcmp(name + size - extension, EXTENSION) != 0)
        return false;
    for (const char *at = name + size - extension - STAMP; at > name; at--) {
        size_t i = 0;
        while (i < STAMP && (pattern[i] == 'd' ? at[i] >= '0' && at[i] <= '9' : at[i] == '-'))
            i++;
        const char *rest = at + STAMP;
        if (i < STAMP || at[-1] != '-')
            continue;
        if (*rest == '-')
            rest += 1 + strspn(rest + 1, "0123456789");
        if (strcmp(rest, EXTENSION) != 0)
            return false;
        memcpy(file->stamp, at, STAMP);
        file->stamp[STAMP] = '\0';
        memcpy(file->name, name, size + 1);
        return true;
    }
    return false;
}

static int newest_first(const void *a, const void *b)
{
    const struct file *x = a, *y = b;
    const int order = strcmp(y->stamp, x->stamp);
    return order != 0 ? order : strcmp(y->name, x->name);
}

static size_t list(const char *folder, struct file *files)
{
    char path[PATH_LENGTH];
    struct stat info;
    size_t count = 0;
    DIR *directory = opendir(folder);
    for (const struct dirent *entry;
         directory && count < FILES_MAX && (entry = readdir(directory)) != NULL;) {
        if (!parse(entry->d_name, &files[count]))
            continue;
        snprintf(path, sizeof path, "%s%s", folder, entry->d_name);
        if (stat(path, &info) == 0 && S_ISREG(info.st_mode))
            files[count++].size = (uint64_t)info.st_size;
    }
    if (directory)
        closedir(directory);
    return count;
}

void dump_folder_make_room(const char *folder)
{
    char path[PATH_LENGTH];
    uint64_t bytes = 0;
    struct file *files = malloc(FILES_MAX * sizeof *files);
    if (!files)
        return;
    const size_t count = list(folder, files);
    qsort(files, count, sizeof *files, newest_first);
    for (size_t i = 0; i < count; i++) {
        bytes += files[i].size;
        if (i + 1 < DUMP_FOLDER_KEPT && bytes <= DUMP_FOLDER_BYTES)
            continue;
        snprintf(path, sizeof path, "%s%s", folder, files[i].name);
        os_file_remove(path);
    }
    free(files);
}
