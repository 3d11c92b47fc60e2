/* A file for `annot recover`, because SIGKILL leaves no time for a dump [ANN-LEAVE]. A crash
 * layer's watchdog stores a dump of the running program here at each check, if the setting
 * `recover` is set. The program's threads do nothing for it. What happened after the last check is
 * lost.
 *
 * The file has a header and two places. A new dump takes the place of the older dump, and the
 * header names the new dump when it is whole. So a process that is killed at any time leaves the
 * newest whole dump. The file is not mapped: a store to a map ends the process if the disk is full.
 */
#pragma once

#include "os_file.h"

#define LIVE_FILE_MAGIC "ANNOTLIV"
#define LIVE_FILE_MAX   ((size_t)256 << 20) /* limit in bytes of the two stored dumps together */

struct live_header {
    char magic[8];
    uint64_t capacity; /* size of each of the two places for dumps, after the header */
    struct live_place {
        uint64_t number; /* number of the dump stored here, from 1; 0: no dump is stored here */
        uint64_t size;   /* bytes of the dump */
    } places[2];
};

struct live_file {
    char *path; /* the file's absolute path; NULL: not open */
    void *dump; /* buffer in which the next dump is written first */
    os_file file;
    unsigned long process; /* ID of the process that made the file */
    struct live_header header;
};

/* Makes PATH.1.live, or PATH.2.live if this name is taken, and so on. Returns NULL, or why not. */
const char *live_file_open(struct live_file *live, const char *path, uint64_t capacity);
/* Stores `dump`. Returns NULL, or why it was not stored; the file then keeps the older dump. */
const char *live_file_store(struct live_file *live, uint64_t size);
/* Removes the file, unless another file has its path. A child of fork leaves the file. */
void live_file_remove(struct live_file *live);

/* Finds the newer (0) or the older (1) dump in a file's bytes, which nobody has checked. NULL: the
 * file has no such dump. */
const char *live_file_find(const char *bytes, size_t size, unsigned age, size_t *dump_size);
