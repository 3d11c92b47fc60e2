/*
 * Several triages may use one database, and any of them may stop or be killed: what was read is
 * gathered in memory and written in one short transaction, and a report is made from a copy of what
 * it needs. Readers and writers of a database in WAL mode don't wait for each other.
 *
 * A database is a file that people send each other: only one whose schema is ours, word by word, is
 * used, and nothing in it that SQLite would run [ANN-HOST-01, ANN-SEC-06].
 */
#include "triage_store.h"

#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#ifdef ANNOT_HAVE_SQLITE
#include <sqlite3.h>

enum {
    SCHEMA = 1,
    APPLICATION = 0x414e4e54, /* "ANNT" */
    GATHERED = 256,           /* dumps of one transaction */
    WAIT_MS = 60000,          /* for other triages, each of which writes for milliseconds */
    LONGEST = 1 << 16         /* bytes of a text; ours are below 1 KB, and paths */
};

struct gathered {
    const struct dump_file *file;
    struct dump_summary summary;
};

struct triage_store {
    sqlite3 *database;
    sqlite3_stmt *knows, *put;
    const char *path;
    struct gathered *gathered;
    unsigned count;
    time_t since; /* the first of them */
    int64_t last; /* nanoseconds: the newest dump of a report */
    bool has_failed;
};

/* As SQLite keeps them: what stands behind CREATE comes back byte by byte. */
static const struct {
    const char *type, *name, *sql;
} schema[] = {
    {"table", "dump",
     "CREATE TABLE dump(file text primary key, size integer, "
     "modified integer, status text, why text,"
     " signature text, quality text, title text, redacted integer, time "
     "integer, error integer, guid text, application text,"
     " app_version text, adapter text, driver text, system text, writer "
     "text, reason text, path text, queues integer,"
     " lists integer, submissions integer, markers integer, stops integer, "
     "dropped integer, page_faults integer) without rowid"},
    {"index", "by_signature", "CREATE INDEX by_signature on dump(signature, time)"},
};

enum { SCHEMA_ROWS = sizeof schema / sizeof schema[0] };

/* SQLite's messages quote names of the file. */
static void complain(struct triage_store *store, const char *why)
{
    if (store->has_failed)
        return;
    store->has_failed = true;
    fputs("annot triage: ", stderr);
    cli_print(stderr, store->path, strlen(store->path));
    fputs(": ", stderr);
    cli_print(stderr, why, strlen(why));
    fputs("; another file: --db FILE\n", stderr);
}

static void say(struct triage_store *store)
{
    if (sqlite3_errcode(store->database) == SQLITE_NOMEM)
        cli_fail("triage", store->path, ANNOT_ERROR_OUT_OF_MEMORY);
    else
        complain(store, sqlite3_errmsg(store->database));
    store->has_failed = true;
}

static bool run(struct triage_store *store, const char *sql)
{
    if (sqlite3_exec(store->database, sql, NULL, NULL, NULL) == SQLITE_OK)
        return true;
    say(store);
    return false;
}

static bool prepare(struct triage_store *store, const char *sql, sqlite3_stmt **out)
{
    if (sqlite3_prepare_v2(store->database, sql, -1, out, NULL) == SQLITE_OK)
        return true;
    say(store);
    return false;
}

/* After the last row. False: there were more, or it was said why. */
static bool finish(struct triage_store *store, sqlite3_stmt *statement)
{
    if (sqlite3_finalize(statement) == SQLITE_OK)
        return true;
    say(store);
    return false;
}

static uint64_t number_at(sqlite3_stmt *statement, int column)
{
    return (uint64_t)sqlite3_column_int64(statement, column);
}

/* "" for NULL, and without memory, which the next step reports. */
static const char *text_at(sqlite3_stmt *statement, int column)
{
    const unsigned char *text = sqlite3_column_text(statement, column);
    return text ? (const char *)text : "";
}

/* ---- opening ---- */

static bool is_file(const char *path)
{
    struct stat status;
    return stat(path, &status) != 0 || S_ISREG(status.st_mode);
}

/* Nothing in the file is code to us. */
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
    sqlite3_limit(database, SQLITE_LIMIT_LENGTH, LONGEST);
}

static bool number_of(struct triage_store *store, const char *sql, int64_t *out)
{
    sqlite3_stmt *statement = NULL;
    if (!prepare(store, sql, &statement))
        return false;
    if (sqlite3_step(statement) == SQLITE_ROW)
        *out = sqlite3_column_int64(statement, 0);
    return finish(store, statement);
}

/* Whether the schema is ours; *is_new: there is none. False: said why. */
static bool compare_schema(struct triage_store *store, bool *is_new)
{
    sqlite3_stmt *statement = NULL;
    int64_t version = -1, application = -1;
    unsigned rows = 0;
    bool is_ours = true;
    if (!number_of(store, "pragma user_version", &version) ||
        !number_of(store, "pragma application_id", &application) ||
        !prepare(store,
                 "select type, name, sql, tbl_name from main.sqlite_master order by type desc",
                 &statement))
        return false;
    for (; sqlite3_step(statement) == SQLITE_ROW; rows++)
        is_ours = is_ours && rows < SCHEMA_ROWS &&
                  strcmp(text_at(statement, 0), schema[rows].type) == 0 &&
                  strcmp(text_at(statement, 1), schema[rows].name) == 0 &&
                  strcmp(text_at(statement, 2), schema[rows].sql) == 0 &&
                  strcmp(text_at(statement, 3), "dump") == 0;
    if (!finish(store, statement))
        return false;
    *is_new = rows == 0 && version == 0 && application == 0;
    if (*is_new ||
        (is_ours && rows == SCHEMA_ROWS && version == SCHEMA && application == APPLICATION))
        return true;
    complain(store, "not a database of this version of annot triage");
    return false;
}

/* As at one moment: another triage may make the schema in between. */
static bool look_at_schema(struct triage_store *store, bool *is_new)
{
    return run(store, "begin") && compare_schema(store, is_new) && run(store, "commit");
}

/* In one transaction, since others may do the same. */
static bool make_schema(struct triage_store *store)
{
    char sql[128];
    bool is_new = false;
    if (!run(store, "begin immediate") || !compare_schema(store, &is_new))
        return false;
    for (int i = 0; i < SCHEMA_ROWS && is_new; i++)
        if (!run(store, schema[i].sql))
            return false;
    snprintf(sql, sizeof sql, "pragma application_id=%d; pragma user_version=%d", APPLICATION,
             SCHEMA);
    if ((is_new && !run(store, sql)) || !run(store, "commit"))
        return false;
    return true;
}

/* Where it can't be, on a file system without shared memory or while another triage uses the file,
 * the journal does. */
static void ask_for_wal(sqlite3 *database)
{
    sqlite3_busy_timeout(database, 0);
    sqlite3_exec(database, "pragma journal_mode=wal", NULL, NULL, NULL);
    sqlite3_busy_timeout(database, WAIT_MS);
}

static bool open_database(struct triage_store *store)
{
    bool is_new = false;
    if (!is_file(store->path)) {
        complain(store, "not a file");
        return false;
    }
    if (sqlite3_open(store->path, &store->database) != SQLITE_OK) {
        say(store);
        return false;
    }
    sqlite3_busy_timeout(store->database, WAIT_MS);
    distrust(store->database);
    if (!run(store, "pragma synchronous=normal; pragma cell_size_check=on; pragma mmap_size=0") ||
        !look_at_schema(store, &is_new) || (is_new && !make_schema(store)))
        return false;
    ask_for_wal(store->database);
    return prepare(store, "select 1 from main.dump where file=?1 and size=?2 and modified=?3",
                   &store->knows) &&
           prepare(store,
                   "insert or replace into main.dump "
                   "values(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17,?18,"
                   "?19,?20,?21,?22,?23,?24,?25,?26,?27)",
                   &store->put);
}

struct triage_store *triage_store_open(const char *path)
{
    struct triage_store *store = calloc(1, sizeof *store);
    if (store)
        store->gathered = malloc(GATHERED * sizeof *store->gathered);
    if (!store || !store->gathered) {
        cli_fail("triage", path ? path : "memory", ANNOT_ERROR_OUT_OF_MEMORY);
        free(store);
        return NULL;
    }
    store->path = path ? path : ":memory:";
    if (open_database(store))
        return store;
    triage_store_close(store);
    return NULL;
}

/* ---- reading and writing ---- */

static void bind(sqlite3_stmt *statement, int at, const char *text)
{
    if (text && text[0])
        sqlite3_bind_text(statement, at, text, -1, SQLITE_STATIC);
    else
        sqlite3_bind_null(statement, at);
}

static void bind_row(sqlite3_stmt *put, const struct dump_file *file, const struct dump_summary *of)
{
    const char *const texts[] = {of->guid,    of->application, of->app_version,
                                 of->adapter, of->driver,      of->system,
                                 of->writer,  of->reason,      of->identity.path};
    const uint64_t numbers[] = {of->queues, of->lists,   of->submissions, of->markers,
                                of->stops,  of->dropped, of->page_faults};
    sqlite3_bind_text(put, 1, file->path, -1, SQLITE_STATIC);
    sqlite3_bind_int64(put, 2, (int64_t)file->size);
    sqlite3_bind_int64(put, 3, file->modified);
    bind(put, 4, summary_status_text(of->status));
    bind(put, 5, of->why);
    bind(put, 6, of->identity.id);
    bind(put, 7,
         of->status == DUMP_UNREADABLE ? NULL : annot_signature_quality_word(of->identity.quality));
    bind(put, 8, of->identity.title);
    sqlite3_bind_int(put, 9, of->identity.is_redacted);
    sqlite3_bind_int64(put, 10, (int64_t)of->time);
    sqlite3_bind_int64(put, 11, of->error);
    for (int i = 0; i < 9; i++)
        bind(put, 12 + i, texts[i]);
    for (int i = 0; i < 7; i++)
        sqlite3_bind_int64(put, 21 + i, (int64_t)numbers[i]);
}

bool triage_store_flush(struct triage_store *store)
{
    if (store->count == 0 || store->has_failed)
        return !store->has_failed;
    if (!run(store, "begin immediate"))
        return false;
    for (unsigned i = 0; i < store->count; i++) {
        bind_row(store->put, store->gathered[i].file, &store->gathered[i].summary);
        const bool is_put = sqlite3_step(store->put) == SQLITE_DONE;
        if (!is_put)
            say(store);
        sqlite3_reset(store->put);
        if (!is_put)
            return false;
    }
    store->count = 0;
    return run(store, "commit");
}

bool triage_store_put(struct triage_store *store, const struct dump_file *file,
                      const struct dump_summary *of)
{
    const time_t now = time(NULL);
    if (store->count == 0)
        store->since = now;
    store->gathered[store->count++] = (struct gathered){file, *of};
    return (store->count < GATHERED && now - store->since < 2) || triage_store_flush(store);
}

bool triage_store_knows(struct triage_store *store, const struct dump_file *file)
{
    sqlite3_bind_text(store->knows, 1, file->path, -1, SQLITE_STATIC);
    sqlite3_bind_int64(store->knows, 2, (int64_t)file->size);
    sqlite3_bind_int64(store->knows, 3, file->modified);
    const bool is_known = sqlite3_step(store->knows) == SQLITE_ROW;
    sqlite3_reset(store->knows);
    return is_known;
}

bool triage_store_close(struct triage_store *store)
{
    const bool is_good = !store->has_failed;
    sqlite3_finalize(store->knows);
    sqlite3_finalize(store->put);
    sqlite3_close(store->database);
    free(store->gathered);
    free(store);
    return is_good;
}

/* ---- questions ---- */

bool triage_store_settle(struct triage_store *store)
{
    return run(store, "create temp table seen as select file, cast(status as text) as status, "
                      "cast(coalesce(why, title) as text) as why, "
                      "cast(signature as text) as signature, quality, title, "
                      "cast(time as integer) as time, driver, application, app_version "
                      "from main.dump;"
                      "create index temp.seen_signature on seen(signature, time)") &&
           number_of(store, "select coalesce(max(time), 0) from temp.seen", &store->last);
}

/* "reference (300), legacy (12)", of the dumps of one signature. */
static void say_counts(struct triage_store *store, const char *column, const char *signature,
                       char *buffer, size_t capacity)
{
    char sql[256];
    sqlite3_stmt *statement = NULL;
    size_t size = 0;
    buffer[0] = 0;
    snprintf(
        sql, sizeof sql,
        "select %s, count(*) as n from temp.seen where signature=?1 and %s is not null group by 1 "
        "order by n desc, 1 limit 4",
        column, column);
    if (!prepare(store, sql, &statement))
        return;
    sqlite3_bind_text(statement, 1, signature, -1, SQLITE_STATIC);
    while (sqlite3_step(statement) == SQLITE_ROW && size < capacity - 1) {
        const int written =
            snprintf(buffer + size, capacity - size, "%s%.120s (%llu)", size > 0 ? ", " : "",
                     text_at(statement, 0), (unsigned long long)number_at(statement, 1));
        size += written > 0 ? (size_t)written : 0;
    }
    finish(store, statement);
}

static void count_days(struct triage_store *store, struct triage_group *group)
{
    sqlite3_stmt *statement = NULL;
    if (!prepare(store,
                 "select ?2 / 86400000000000 - time / 86400000000000 as age, count(*)"
                 " from temp.seen where signature=?1 and time > 0 group by age"
                 " having age between 0 and 13",
                 &statement))
        return;
    sqlite3_bind_text(statement, 1, group->signature, -1, SQLITE_STATIC);
    sqlite3_bind_int64(statement, 2, store->last);
    while (sqlite3_step(statement) == SQLITE_ROW)
        group->days[TRIAGE_DAYS - 1 - number_at(statement, 0)] = number_at(statement, 1);
    finish(store, statement);
}

bool triage_store_groups(struct triage_store *store, uint64_t limit, triage_take_group *take,
                         void *user)
{
    char drivers[640], applications[640], versions[640];
    sqlite3_stmt *statement = NULL;
    if (!prepare(store,
                 "select signature, quality, title, count(*) as n, "
                 "min(nullif(time, 0)), max(time), max(file)"
                 " from temp.seen where signature is not null group by signature "
                 "order by n desc, signature limit ?1",
                 &statement))
        return false;
    sqlite3_bind_int64(statement, 1, limit > 0 ? (int64_t)limit : -1);
    while (sqlite3_step(statement) == SQLITE_ROW) {
        struct triage_group group = {.signature = text_at(statement, 0),
                                     .quality = text_at(statement, 1),
                                     .title = text_at(statement, 2),
                                     .count = number_at(statement, 3),
                                     .first = number_at(statement, 4),
                                     .last = number_at(statement, 5),
                                     .example = text_at(statement, 6),
                                     .drivers = drivers,
                                     .applications = applications,
                                     .versions = versions};
        say_counts(store, "driver", group.signature, drivers, sizeof drivers);
        say_counts(store, "application", group.signature, applications, sizeof applications);
        say_counts(store, "app_version", group.signature, versions, sizeof versions);
        count_days(store, &group);
        take(user, &group);
    }
    return finish(store, statement) && !store->has_failed;
}

bool triage_store_totals(struct triage_store *store, struct triage_totals *totals)
{
    sqlite3_stmt *statement = NULL;
    *totals = (struct triage_totals){0};
    if (!prepare(store,
                 "select count(*), count(signature), count(distinct signature), "
                 "coalesce(sum(status='damaged'),0),"
                 " coalesce(sum(status='unreadable'),0), coalesce(sum(status='whole' and signature "
                 "is null),0) from temp.seen",
                 &statement))
        return false;
    if (sqlite3_step(statement) == SQLITE_ROW)
        *totals = (struct triage_totals){number_at(statement, 0), number_at(statement, 1),
                                         number_at(statement, 2), number_at(statement, 3),
                                         number_at(statement, 4), number_at(statement, 5)};
    return finish(store, statement);
}

bool triage_store_damaged(struct triage_store *store, uint64_t limit, triage_take_file *take,
                          void *user)
{
    sqlite3_stmt *statement = NULL;
    if (!prepare(store,
                 "select file, status, why from temp.seen where status <> 'whole' "
                 "order by file limit ?1",
                 &statement))
        return false;
    sqlite3_bind_int64(statement, 1, limit > 0 ? (int64_t)limit : -1);
    while (sqlite3_step(statement) == SQLITE_ROW)
        take(user, text_at(statement, 0), text_at(statement, 1), text_at(statement, 2));
    return finish(store, statement);
}

#else /* a build without SQLite: opening says so, and nothing else is called */

struct triage_store *triage_store_open(const char *path)
{
    (void)path;
    fputs("annot triage: this build has no SQLite; install its development package "
          "(libsqlite3-dev) and build again\n",
          stderr);
    return NULL;
}

bool triage_store_close(struct triage_store *store)
{
    (void)store;
    return false;
}

bool triage_store_knows(struct triage_store *store, const struct dump_file *file)
{
    (void)store, (void)file;
    return false;
}

bool triage_store_put(struct triage_store *store, const struct dump_file *file,
                      const struct dump_summary *summary)
{
    (void)store, (void)file, (void)summary;
    return false;
}

bool triage_store_flush(struct triage_store *store)
{
    (void)store;
    return false;
}

bool triage_store_settle(struct triage_store *store)
{
    (void)store;
    return false;
}

bool triage_store_groups(struct triage_store *store, uint64_t limit, triage_take_group *take,
                         void *user)
{
    (void)store, (void)limit, (void)take, (void)user;
    return false;
}

bool triage_store_totals(struct triage_store *store, struct triage_totals *totals)
{
    (void)store, (void)totals;
    return false;
}

bool triage_store_damaged(struct triage_store *store, uint64_t limit, triage_take_file *take,
                          void *user)
{
    (void)store, (void)limit, (void)take, (void)user;
    return false;
}

#endif
