/* The database of annot triage; it has a row for each dump that was read. */
#pragma once

#include "dump_files.h"
#include "filter.h"

#include <stdio.h>

struct annot__json;
struct triage_store;

/* Opens the database of a command at `path`, or in memory if `path` is NULL. If `may_make`, makes a
 * missing database. After a failure, standard error has the reason. */
struct triage_store *triage_store_open(const char *command, const char *path, bool may_make);
/* Closes the database. Returns false after a failure; standard error has the reason. */
bool triage_store_close(struct triage_store *store);

/* Reads the new and changed dumps of files and folders. *read: how many. */
bool triage_store_read(struct triage_store *store, char **paths, int count, unsigned threads,
                       size_t *read);

/* Groups the dumps of the database by its rules and edits, and stores the groups. Reads no dump
 * files. Prints the reason of a failure. */
bool triage_store_regroup(struct triage_store *store);

/* Selects hangs from the filtered dumps. A member that is NULL or 0 selects all hangs. */
struct triage_view {
    struct filter filter;
    const char *new_in; /* a version: list only hangs that no earlier version had */
};

/* Takes a snapshot of the database for the functions below, so that writers need not wait. Prints
 * the reason of a failure. */
bool triage_store_settle(struct triage_store *store, const struct triage_view *view);

enum { TRIAGE_DAYS = 14 };

/* A hang and its dumps. The signature of one of these dumps is the hang's name. Texts are valid
 * until the callback returns. */
struct triage_group {
    const char *signature, *quality;
    const char *likely; /* the hang to which this hang probably belongs; "": no other hang */
    uint64_t count, signatures;
    uint64_t probably;    /* dumps of other hangs that probably belong to this hang */
    uint64_t first, last; /* nanoseconds; 0: unknown */
    /* "name (count), ..."; the most frequent name is first. */
    char drivers[640], adapters[640], kinds[160], applications[640], versions[640];
    char title[1024];
    char shader[512];    /* the most frequent pipeline, and hashes of its shaders; "": unknown */
    const char *example; /* path of the newest dump of this hang */
    /* Numbers of dumps on each of the last days, up to the newest dump. */
    uint64_t days[TRIAGE_DAYS];
};

typedef void triage_take_group(void *user, const struct triage_group *group);
/* Lists at most `limit` groups (-1: all), the largest first. Prints the reason of a failure. */
bool triage_store_groups(struct triage_store *store, int64_t limit, triage_take_group *take,
                         void *user);

/* Writes the dumps as lines of JSON, in the order of their groups. */
bool triage_store_export(struct triage_store *store, FILE *file);

struct triage_totals {
    uint64_t dumps, signed_dumps, groups, damaged, unreadable, unsigned_dumps;
    uint64_t probably; /* dumps with a signature that are probably part of another group */
};
bool triage_store_totals(struct triage_store *store, struct triage_totals *totals);

enum { TRIAGE_TEXTS = 4 };
typedef void triage_take_texts(void *user, const char *const *texts);
/* Makes the tables for the next function. */
bool triage_store_detail(struct triage_store *store);
/* Writes two members of a hang's object: its 32 largest signatures, and 8 values of each of its 8
 * most frequent facts. */
void triage_store_write_detail(struct triage_store *store, const char *hang,
                               struct annot__json *out);
/* Lists dumps. `take` gets each dump's path, its hang, the hang to which it probably belongs (or
 * ""), and the quality of its signature. */
bool triage_store_files(struct triage_store *store, triage_take_texts *take, void *user);
/* Lists damaged and unreadable dumps by path. `take` gets each dump's path, status and reason. */
bool triage_store_damaged(struct triage_store *store, int64_t limit, triage_take_texts *take,
                          void *user);
