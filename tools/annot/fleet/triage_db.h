/* The declarations that the files of annot triage's database share. */
#pragma once

#include "dump_files.h"
#include "filter.h"
#include "rules.h"

#include <sqlite3.h>
#include <time.h>

enum {
    TRIAGE_SHAPES = 1024,     /* most kept shapes of an application: the shapes with the smallest
                                 hashes */
    TRIAGE_NAMES = 1 << 18,   /* most names that the database keeps */
    TRIAGE_LONGEST = 1 << 16, /* most bytes of a text; paths and rules need less than 4 KB */
    TRIAGE_GATHERED = 256     /* most dumps of one transaction */
};

struct gathered {
    const struct dump_file *file;
    struct dump_summary summary;
};

struct triage_store {
    sqlite3 *database;
    sqlite3_stmt *knows, *put, *put_identity, *put_shape, *put_name, *last_shape;
    const char *path;
    struct gathered *gathered;
    unsigned count;
    time_t since; /* time at which the first of the gathered dumps came */
    int64_t last; /* time of a report's newest dump, in nanoseconds */
    struct filter filter;
    struct rules *rules; /* the rules of a report */
    bool has_failed;
};

/* Opens store->path, and makes the database if `may_make`. If it fails, it prints the reason. */
bool triage_open_database(struct triage_store *store, bool may_make);
/* Runs SQL. If it fails, it prints the reason. */
bool triage_run(struct triage_store *store, const char *sql);
bool triage_prepare(struct triage_store *store, const char *sql, sqlite3_stmt **out);
/* Ends a statement after the last row. False: there were more rows, or an error, which was
 * printed. */
bool triage_finish(struct triage_store *store, sqlite3_stmt *statement);
/* Runs a statement without rows, and resets the statement for another step. */
bool triage_step(struct triage_store *store, sqlite3_stmt *statement);

typedef bool triage_take_row(void *user, sqlite3_stmt *row);
/* Gives `take` each row of a question until it wants no more. ?1 is the text unless it is NULL, and
 * the next parameter the number unless it is 0. If it fails, it prints the reason. */
bool triage_ask(struct triage_store *store, const char *sql, const char *text, int64_t number,
                triage_take_row *take, void *user);
bool triage_number(struct triage_store *store, const char *sql, int64_t *out);
void triage_say(struct triage_store *store);
void triage_no_memory(struct triage_store *store);

/* Reads the rules of the last edit that set rules. If it fails, it prints the reason. */
struct rules *triage_read_rules(struct triage_store *store);

void triage_bind(sqlite3_stmt *statement, int at, const char *text); /* NULL or "" binds NULL */
uint64_t triage_number_at(sqlite3_stmt *statement, int column);
/* Returns a column's text. It is "" for NULL, or if memory ran out, which the next step reports. */
const char *triage_text_at(sqlite3_stmt *statement, int column);
