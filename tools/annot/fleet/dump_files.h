/* Lists the files of many dumps, and reads them with one thread for each processor. */
#pragma once

#include "summary.h"

#include <stddef.h>

struct dump_file {
    const char *path; /* absolute and without links, so that each file has one path */
    uint64_t size;
    int64_t modified; /* when the file last changed, in seconds or a finer unit */
};

struct dump_files {
    struct dump_file *files;
    size_t count, capacity, found; /* `found` also counts files that the list had */
    struct dump_path *paths;       /* a table of all paths that were added */
};

/* Adds a file, or every *.annotdmp in and below a folder. Links to folders are not followed. After
 * a failure, standard error has the reason. */
bool dump_files_add(struct dump_files *files, const char *command, const char *path);
void dump_files_free(struct dump_files *files);

/* A callback that gets one summary at a time, on any thread, in any order. If it returns false, the
 * reading ends. */
typedef bool dump_files_take(void *user, const struct dump_file *file,
                             const struct dump_summary *summary);

/* Reads all files on `threads` threads (0: one for each processor). Returns false if `take` ended
 * the reading, or memory ran out. On a terminal, standard error shows the progress. */
bool dump_files_read(const struct dump_files *files, const char *command, unsigned threads,
                     dump_files_take *take, void *user);
