/* Lists the files of many dumps, and reads the dumps with one thread for each processor. */
#pragma once

#include "summary.h"

#include <stddef.h>

struct dump_file {
    char *path;
    uint64_t size;
    int64_t modified; /* time of the file's last change, in seconds or a finer unit */
};

struct dump_files {
    struct dump_file *files;
    size_t count, capacity;
};

/* Adds a file, or every *.annotdmp in and below a folder. Links to folders are not followed. If it
 * fails, standard error has the reason. */
bool dump_files_add(struct dump_files *files, const char *command, const char *path);
void dump_files_free(struct dump_files *files);

/* A function that gets the summaries one at a time, on any thread, in any order. If it returns
 * false, the reading ends. */
typedef bool dump_files_take(void *user, const struct dump_file *file,
                             const struct dump_summary *summary);

/* Reads all files with `threads` threads (0: as many as processors). Returns false if `take` ended
 * the reading, or memory ran out. If standard error is a terminal, it shows the progress. */
bool dump_files_read(const struct dump_files *files, const char *command, unsigned threads,
                     dump_files_take *take, void *user);
