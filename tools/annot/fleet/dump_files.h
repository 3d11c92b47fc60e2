/* Many dumps: lists their files, and reads them with one thread for each processor. */
#pragma once

#include "summary.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dump_file {
    char *path;
    uint64_t size;
    int64_t modified; /* time of the last change, in seconds or a finer unit of the system */
};

struct dump_files {
    struct dump_file *files;
    size_t count, capacity;
};

/* Adds a file, or every *.annotdmp in and below a folder. Links to folders are not followed. If it
 * fails, standard error has the reason. */
bool dump_files_add(struct dump_files *files, const char *command, const char *path);
void dump_files_free(struct dump_files *files);

/* Gets the summaries one at a time, on any thread, in no order. False ends the reading. */
typedef bool dump_files_take(void *user, const struct dump_file *file,
                             const struct dump_summary *summary);

/* Reads all files with `threads` threads (0: as many as processors). False when `take` ended it, or
 * memory ran out. On a terminal, standard error has a line of progress meanwhile. */
bool dump_files_read(const struct dump_files *files, const char *command, unsigned threads,
                     dump_files_take *take, void *user);
