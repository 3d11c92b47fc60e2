/* Declarations that are common to the files of annot triage's database. */
#pragma once

#include "dump_files.h"
#include "filter.h"
#include "rules.h"

#include <sqlite3.h>
#include <time.h>

enum {
    /* Limit of an application's shapes; the shapes with the smallest hashes are kept. */
    TRIAGE_SHAPES = 1024,
    TRIAGE_NAMES = 1 << 18,   /* limit of the names in the database */
    TRIAGE_LONGEST = 1 << 16, /* limit of a text's bytes; paths and rules need less than 4 KB */
    TRIAGE_GATHERED = 256     /* dumps that are written in one transaction, at most */
};

struct gathered {
    const struct dump_file *file;
    struct dump_summary summary;
};

struct triage_store {
    sqlite3 *database;
    sqlite3_stmt *knows, *put, *put_identity, *put_shape, *put_name, *last_shape, *put_fact;
    const char *command, *path;
    struct gathered *gathered;
    unsigned count;
    time_t since; /* when the transaction got its first dump */
    int64_t last; /* time of the report's newest dump, in ns */
    struct filter filter;
    struct rules *rules; /* rules for the report */
    bool has_failed;
};

/* Opens store->path; if `may_make`, makes a missing database. Prints the reason of a failure. */
bool triage_open_database(struct triage_store *store, bool may_make);
/* Runs SQL without results. Prints the reason of a failure. */
bool triage_run(struct triage_store *store, const char *sql);
/* Prepares a statement, which lives as long as the database is open. */
bool triage_prepare(struct triage_store *store, const char *sql, sqlite3_stmt **out);
/* Runs a statement without result rows, and resets it for the next use. */
bool triage_step(struct triage_store *store, sqlite3_stmt *statement);

typedef bool triage_take_row(void *user, sqlite3_stmt *row);
/* Calls `take` with each row of a query until `take` returns false. The query's parameters are
 * `text`, unless it is NULL, and then `number`, unless it is 0. Prints the reason of a failure. */
bool triage_ask(struct triage_store *store, const char *sql, const char *text, int64_t number,
                triage_take_row *take, void *user);
/* Copies the columns of a query's first row to as many uint64_t. */
triage_take_row triage_take_numbers;
bool triage_number(struct triage_store *store, const char *sql, int64_t *out);
/* Whether a call of SQLite succeeded. Prints the reason of a failure. */
bool triage_is_good(struct triage_store *store, int code);
void triage_no_memory(struct triage_store *store);

/* Reads the rules of the last edit that changed the rules. Prints the reason of a failure. */
bool triage_rules_text(struct triage_store *store, char text[RULES_TEXT_MAX + 1]);
struct rules *triage_read_rules(struct triage_store *store);

/* Returns how near two signatures are under the rules of `text`: 0 = two groups, 1 = one group,
 * 2 = also the same end of the path. Writes nothing. A failure sets store->has_failed. */
int triage_nearness(struct triage_store *store, const char *text, const char *a, const char *b);

void triage_bind(sqlite3_stmt *statement, int at, const char *text); /* NULL or "" binds NULL */
uint64_t triage_number_at(sqlite3_stmt *statement, int column);
/* Returns a column's text. The text is "" if the value is NULL, or if memory ran out. A lack of
 * memory makes the next step report an error. */
const char *triage_text_at(sqlite3_stmt *statement, int column);
