/* People send each other databases. So only a database with exactly triage's schema is used,
 * without anything that SQLite would run [ANN-HOST-01, ANN-SEC-06]. */
#include "triage_db.h"

#include "cli.h"

#include <string.h>
#include <sys/stat.h>

enum {
    SCHEMA = 5,
    APPLICATION = 0x414e4e54, /* "ANNT" */
    WAIT_MS = 60000           /* waits for other triages, which write for milliseconds */
};

/* The schema as SQLite keeps it: the text behind CREATE comes back byte by byte. */
static const struct {
    const char *type, *name, *sql;
} schema[] = {
    {"table", "dump",
     "CREATE TABLE dump(file text primary key, size integer, modified integer, status text, why "
     "text,"
     " signature text, quality text, title text, redacted integer, time integer, error text,"
     " guid text, application text, app_version text, adapter text, driver text, system text,"
     " writer text, reason text, path text, queues integer, lists integer, submissions integer,"
     " markers integer, stops integer, dropped integer, page_faults integer, step integer,"
     " error_kind text, operation text, shader text, place text, resource text, failure text,"
     " facts text,"
     " sender integer) "
     "without rowid"},
    {"table", "edge",
     "CREATE TABLE edge(a text, b text, reason text, confidence integer, primary key(a, b))"
     " without rowid"},
    {"table", "edit",
     "CREATE TABLE edit(number integer primary key, kind text, a text, b text, words text)"},
    {"table", "founder", "CREATE TABLE founder(number integer primary key, signature text)"},
    {"table", "identity",
     "CREATE TABLE identity(signature text primary key, application text, quality text, title text,"
     " names text, error integer, operation integer, shader integer, place integer,"
     " resource integer) without rowid"},
    {"table", "member",
     "CREATE TABLE member(signature text primary key, hang text, likely text, reason text,"
     " likely_reason text, confidence integer) without rowid"},
    {"table", "name", "CREATE TABLE name(hash integer primary key, text text)"},
    {"table", "shape",
     "CREATE TABLE shape(application text, sender integer, hash integer, nodes blob,"
     " primary key(application, sender, hash)) without rowid"},
    {"index", "by_signature", "CREATE INDEX by_signature on dump(signature, sender, step)"},
};

enum { SCHEMA_ROWS = sizeof schema / sizeof schema[0] };

/* Prints the reason, once, and escaped, because SQLite's messages quote names of the file. */
static void triage_complain(struct triage_store *store, const char *why)
{
    if (store->has_failed)
        return;
    store->has_failed = true;
    cli_format(stderr, "annot %s: %s: %s; name another file with --db FILE\n", store->command,
               store->path, why);
}

bool triage_is_good(struct triage_store *store, int code)
{
    if (code == SQLITE_OK)
        return true;
    if (sqlite3_errcode(store->database) == SQLITE_NOMEM)
        triage_no_memory(store);
    else
        triage_complain(store, sqlite3_errmsg(store->database));
    return false;
}

bool triage_run(struct triage_store *store, const char *sql)
{
    return triage_is_good(store, sqlite3_exec(store->database, sql, NULL, NULL, NULL));
}

bool triage_prepare(struct triage_store *store, const char *sql, sqlite3_stmt **out)
{
    return triage_is_good(store, sqlite3_prepare_v2(store->database, sql, -1, out, NULL));
}

bool triage_ask(struct triage_store *store, const char *sql, const char *text, int64_t number,
                triage_take_row *take, void *user)
{
    sqlite3_stmt *statement = sqlite3_next_stmt(store->database, NULL);
    while (statement && (sqlite3_stmt_busy(statement) || strcmp(sqlite3_sql(statement), sql) != 0))
        statement = sqlite3_next_stmt(store->database, statement);
    if (!statement && !triage_prepare(store, sql, &statement))
        return false;
    sqlite3_clear_bindings(statement);
    if (text)
        sqlite3_bind_text(statement, 1, text, -1, SQLITE_STATIC);
    if (number)
        sqlite3_bind_int64(statement, text ? 2 : 1, number);
    while (sqlite3_step(statement) == SQLITE_ROW && take(user, statement))
        ;
    return triage_is_good(store, sqlite3_reset(statement));
}

bool triage_take_numbers(void *out, sqlite3_stmt *row)
{
    for (int i = 0; i < sqlite3_column_count(row); i++)
        ((uint64_t *)out)[i] = triage_number_at(row, i);
    return false;
}

bool triage_number(struct triage_store *store, const char *sql, int64_t *out)
{
    return triage_ask(store, sql, NULL, 0, triage_take_numbers, out);
}

uint64_t triage_number_at(sqlite3_stmt *statement, int column)
{
    return (uint64_t)sqlite3_column_int64(statement, column);
}

const char *triage_text_at(sqlite3_stmt *statement, int column)
{
    const unsigned char *text = sqlite3_column_text(statement, column);
    return text ? (const char *)text : "";
}

bool triage_step(struct triage_store *store, sqlite3_stmt *statement)
{
    sqlite3_step(statement);
    return triage_is_good(store, sqlite3_reset(statement));
}

void triage_no_memory(struct triage_store *store)
{
    if (!store->has_failed)
        cli_fail(store->command, store->path, ANNOT_ERROR_OUT_OF_MEMORY);
    store->has_failed = true;
}

void triage_bind(sqlite3_stmt *statement, int at, const char *text)
{
    sqlite3_bind_text(statement, at, text && text[0] ? text : NULL, -1, SQLITE_STATIC);
}

/* ---- opening ---- */

/* Whether the database is a file; if not, a message has the reason. */
static bool is_file(struct triage_store *store, bool may_make)
{
    struct stat status;
    const bool is_there = stat(store->path, &status) == 0;
    if (is_there ? S_ISREG(status.st_mode) : may_make)
        return true;
    triage_complain(store, is_there ? "not a file" : "the database does not exist");
    return false;
}

/* Forbids SQLite to run code from the file. */
static void distrust(sqlite3 *database)
{
    sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
#ifdef SQLITE_DBCONFIG_ENABLE_VIEW
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
#endif
#ifdef SQLITE_DBCONFIG_TRUSTED_SCHEMA
    sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
#endif
    sqlite3_limit(database, SQLITE_LIMIT_LENGTH, TRIAGE_LONGEST);
}

struct compared {
    unsigned rows;
    bool is_other;
};

static bool compare_row(void *user, sqlite3_stmt *row)
{
    struct compared *c = user;
    const unsigned i = c->rows++;
    c->is_other |= i >= SCHEMA_ROWS || strcmp(triage_text_at(row, 0), schema[i].type) != 0 ||
                   strcmp(triage_text_at(row, 1), schema[i].name) != 0 ||
                   strcmp(triage_text_at(row, 2), schema[i].sql) != 0;
    return true;
}

/* Whether the schema is triage's; *is_new: there is none. False: a message has the reason. */
static bool compare_schema(struct triage_store *store, bool *is_new)
{
    int64_t version = -1, application = -1;
    struct compared compared = {0, false};
    if (!triage_number(store, "pragma user_version", &version) ||
        !triage_number(store, "pragma application_id", &application) ||
        !triage_ask(store,
                    "select type, name, sql from main.sqlite_master order by type desc, name", NULL,
                    0, compare_row, &compared))
        return false;
    *is_new = compared.rows == 0 && version == 0 && application == 0;
    if (*is_new || (!compared.is_other && compared.rows == SCHEMA_ROWS && version == SCHEMA &&
                    application == APPLICATION))
        return true;
    triage_complain(store, "the file is not a database of this version of annot triage");
    return false;
}

/* Reads the schema in one transaction, because another triage may be making it. */
static bool look_at_schema(struct triage_store *store, bool *is_new)
{
    return triage_run(store, "begin") && compare_schema(store, is_new) &&
           triage_run(store, "commit");
}

/* Makes the schema in one transaction, because others may do the same. */
static bool make_schema(struct triage_store *store)
{
    char sql[128];
    bool is_new = false;
    if (!triage_run(store, "begin immediate") || !compare_schema(store, &is_new))
        return false;
    for (int i = 0; i < SCHEMA_ROWS && is_new; i++)
        if (!triage_run(store, schema[i].sql))
            return false;
    snprintf(sql, sizeof sql, "pragma application_id=%d; pragma user_version=%d", APPLICATION,
             SCHEMA);
    return (!is_new || triage_run(store, sql)) && triage_run(store, "commit");
}

/* Asks for a write-ahead log. Without shared memory, or while another triage uses the file, SQLite
 * keeps the journal. */
static void ask_for_wal(sqlite3 *database)
{
    sqlite3_busy_timeout(database, 0);
    sqlite3_exec(database, "pragma journal_mode=wal", NULL, NULL, NULL);
    sqlite3_busy_timeout(database, WAIT_MS);
}

bool triage_open_database(struct triage_store *store, bool may_make)
{
    bool is_new = false;
    sqlite3_config(SQLITE_CONFIG_MULTITHREAD); /* one thread at a time uses the connection */
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    if (!is_file(store, may_make) ||
        !triage_is_good(store, sqlite3_open(store->path, &store->database)))
        return false;
    sqlite3_busy_timeout(store->database, WAIT_MS);
    distrust(store->database);
    if (!triage_run(store,
                    "pragma synchronous=normal; pragma cell_size_check=on; pragma mmap_size=0") ||
        !look_at_schema(store, &is_new) || (is_new && !make_schema(store)))
        return false;
    ask_for_wal(store->database);
    return true;
}
