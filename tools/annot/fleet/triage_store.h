/* The database of annot triage: a row for each dump that was read. */
#pragma once

#include "dump_files.h"
#include "filter.h"

struct triage_store;

/* Opens the database; `path` NULL: in memory. If `may_make`, a missing database is made. If it
 * fails, standard error has the reason. */
struct triage_store *triage_store_open(const char *path, bool may_make);
/* Closes the database. False: something failed, and standard error has the reason. */
bool triage_store_close(struct triage_store *store);

/* Whether this file was read before and hasn't changed since then. */
bool triage_store_knows(struct triage_store *store, const struct dump_file *file);
/* Replaces the row of this file. Rows are written after every few files and by triage_store_flush,
 * so that a killed process loses little. *file must stay valid until the row is written. If it
 * fails, it prints the reason. */
bool triage_store_put(struct triage_store *store, const struct dump_file *file,
                      const struct dump_summary *summary);

bool triage_store_flush(struct triage_store *store);

/* Groups the dumps of the database by the database's rules and edits, and stores the groups. It
 * reads no dump files. If it fails, it prints the reason. */
bool triage_store_regroup(struct triage_store *store);

/* Chooses the hangs that are shown, among the filtered dumps. NULL or 0: all hangs. */
struct triage_view {
    struct filter filter;
    const char *new_in; /* only hangs of this version that no earlier version had */
};

/* Takes a snapshot of the database for the functions below, so that no writer has to wait. If it
 * fails, it prints the reason. */
bool triage_store_settle(struct triage_store *store, const struct triage_view *view);

enum { TRIAGE_DAYS = 14 };

/* The dumps of one hang. One of its signatures is the hang's name. Texts are valid until the
 * callback returns. */
struct triage_group {
    const char *signature, *quality;
    const char *likely; /* another hang to which this one probably belongs; "": none */
    uint64_t count, signatures;
    uint64_t probably;    /* number of other hangs' dumps that are probably this hang */
    uint64_t first, last; /* nanoseconds; 0: unknown */
    char drivers[640], adapters[640], kinds[160], applications[640],
        versions[640]; /* "name (count), ..." with the most frequent first */
    char title[1024];
    char shader[512];    /* the pipeline of most dumps, and hashes of its shaders; "": unknown */
    const char *example; /* the path of one of its dumps */
    uint64_t days[TRIAGE_DAYS]; /* dumps on each of the last days before the newest dump */
};

typedef void triage_take_group(void *user, const struct triage_group *group);
/* Lists at most `limit` groups, the largest first; -1: all. If it fails, it prints the reason. */
bool triage_store_groups(struct triage_store *store, int64_t limit, triage_take_group *take,
                         void *user);

struct triage_totals {
    uint64_t dumps, signed_dumps, groups, damaged, unreadable, unsigned_dumps;
    uint64_t probably; /* dumps with a signature that probably belong to another group */
};
bool triage_store_totals(struct triage_store *store, struct triage_totals *totals);

enum { TRIAGE_TEXTS = 4 };
typedef void triage_take_texts(void *user, const char *const *texts);
/* Lists dumps: each one's path, its hang, the hang to which it probably belongs (or ""), and the
 * quality of its signature. */
bool triage_store_files(struct triage_store *store, triage_take_texts *take, void *user);
/* Lists damaged and unreadable dumps, by path: each one's path, its status, and why. */
bool triage_store_damaged(struct triage_store *store, int64_t limit, triage_take_texts *take,
                          void *user);
