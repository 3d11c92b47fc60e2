/* The declarations that the files of annot triage's database share. */
#pragma once

#include "dump_files.h"
#include "filter.h"
#include "rules.h"

#include <sqlite3.h>
#include <time.h>

enum {
    TRIAGE_SHAPES = 1024,   /* limit of the kept shapes of an application: those with the smallest
                               hashes are kept */
    TRIAGE_NAMES = 1 << 18, /* limit of the names that the database keeps */
    TRIAGE_LONGEST =
        1 << 16,          /* limit of the bytes of a text; paths and rules need less than 4 KB */
    TRIAGE_GATHERED = 256 /* limit of the dumps in one transaction */
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
    time_t since; /* time at which the first dump of the transaction was put */
    int64_t last; /* time of a report's newest dump, in nanoseconds */
    struct filter filter;
    struct rules *rules; /* the rules that apply to a report */
    bool has_failed;
};

/* Opens store->path, and makes the database if `may_make`. If it fails, it prints the reason. */
bool triage_open_database(struct triage_store *store, bool may_make);
/* Runs SQL. If it fails, it prints the reason. */
bool triage_run(struct triage_store *store, const char *sql);
bool triage_prepare(struct triage_store *store, const char *sql, sqlite3_stmt **out);
/* Ends a statement after the last row. Returns false if there were more rows, or after an error,
 * which it prints. */
bool triage_finish(struct triage_store *store, sqlite3_stmt *statement);
/* Runs a statement without rows, and resets the statement for another use. */
bool triage_step(struct triage_store *store, sqlite3_stmt *statement);

typedef bool triage_take_row(void *user, sqlite3_stmt *row);
/* Calls `take` with each row of a query until `take` returns false. If `text` is not NULL, it is
 * ?1; if `number` is not 0, it is the next parameter. If it fails, it prints the reason. */
bool triage_ask(struct triage_store *store, const char *sql, const char *text, int64_t number,
                triage_take_row *take, void *user);
bool triage_number(struct triage_store *store, const char *sql, int64_t *out);
void triage_say(struct triage_store *store);
void triage_no_memory(struct triage_store *store);

/* Reads the rules of the last edit that set rules. If it fails, it prints the reason. */
struct rules *triage_read_rules(struct triage_store *store);

void triage_bind(sqlite3_stmt *statement, int at, const char *text); /* NULL or "" binds NULL */
uint64_t triage_number_at(sqlite3_stmt *statement, int column);
/* Returns a column's text. The text is "" if the value is NULL, or if memory ran out; the next step
 * then reports this. */
const char *triage_text_at(sqlite3_stmt *statement, int column);
