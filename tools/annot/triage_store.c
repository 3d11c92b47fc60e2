#include "triage_store.h"

#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef ANNOT_HAVE_SQLITE
#include <sqlite3.h>

enum { SCHEMA = 1, APPLICATION = 0x414e4e54 /* "ANNT" */, DUMPS_PER_COMMIT = 512 };

struct triage_store {
    sqlite3 *database;
    sqlite3_stmt *knows, *put;
    const char *path;
    unsigned outstanding;
    bool has_failed;
};

static const char tables[] = "create table if not exists dump(file text primary key, size integer, "
                             "modified integer, status text, why text,"
                             " signature text, quality text, title text, redacted integer, time "
                             "integer, error integer, guid text, application text,"
                             " app_version text, adapter text, driver text, system text, writer "
                             "text, reason text, path text, queues integer,"
                             " lists integer, submissions integer, markers integer, stops integer, "
                             "dropped integer, page_faults integer) without rowid;"
                             "create index if not exists by_signature on dump(signature, time);";

static void say(struct triage_store *store)
{
    if (!store->has_failed)
        fprintf(stderr, "annot triage: %s: %s; another file: --db FILE\n", store->path,
                sqlite3_errmsg(store->database));
    store->has_failed = true;
}

static bool run(struct triage_store *store, const char *sql)
{
    if (sqlite3_exec(store->database, sql, NULL, NULL, NULL) == SQLITE_OK)
        return true;
    say(store);
    return false;
}

static int64_t pragma(struct triage_store *store, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    int64_t value = -1;
    if (sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
        value = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return value;
}

/* A file of ours or a new one; another program's database stays as it is. */
static bool check_schema(struct triage_store *store)
{
    char sql[128];
    const int64_t version = pragma(store, "pragma user_version");
    const int64_t application = pragma(store, "pragma application_id");
    const int64_t others = pragma(store, "select count(*) from sqlite_master");
    if (version < 0 || others < 0) {
        say(store);
        return false;
    }
    if (version == SCHEMA && application == APPLICATION)
        return true;
    if (others > 0) {
        fprintf(stderr,
                "annot triage: %s is not a database of this version of annot triage; another file: "
                "--db FILE\n",
                store->path);
        return false;
    }
    snprintf(sql, sizeof sql, "pragma application_id=%d; pragma user_version=%d", APPLICATION,
             SCHEMA);
    return run(store, sql);
}

static bool prepare(struct triage_store *store, const char *sql, sqlite3_stmt **out)
{
    if (sqlite3_prepare_v2(store->database, sql, -1, out, NULL) == SQLITE_OK)
        return true;
    say(store);
    return false;
}

struct triage_store *triage_store_open(const char *path)
{
    struct triage_store *store = calloc(1, sizeof *store);
    if (!store) {
        cli_fail("triage", path ? path : "memory", ANNOT_ERROR_OUT_OF_MEMORY);
        return NULL;
    }
    store->path = path ? path : ":memory:";
    if (sqlite3_open(store->path, &store->database) != SQLITE_OK)
        say(store);
    else
        sqlite3_busy_timeout(store->database, 10000);
    if (store->has_failed || !check_schema(store) ||
        !run(store, "pragma journal_mode=wal; pragma synchronous=normal") || !run(store, tables) ||
        !prepare(store, "select 1 from dump where file=?1 and size=?2 and modified=?3",
                 &store->knows) ||
        !prepare(store,
                 "insert or replace into dump "
                 "values(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17,?18,"
                 "?19,?20,?21,?22,?23,?24,?25,?26,?27)",
                 &store->put)) {
        triage_store_close(store);
        return NULL;
    }
    return store;
}

static bool commit(struct triage_store *store)
{
    if (store->outstanding == 0)
        return true;
    store->outstanding = 0;
    return run(store, "commit");
}

bool triage_store_close(struct triage_store *store)
{
    const bool is_good = !store->has_failed && commit(store);
    sqlite3_finalize(store->knows);
    sqlite3_finalize(store->put);
    sqlite3_close(store->database);
    free(store);
    return is_good;
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

static void bind(sqlite3_stmt *statement, int at, const char *text)
{
    if (text && text[0])
        sqlite3_bind_text(statement, at, text, -1, SQLITE_STATIC);
    else
        sqlite3_bind_null(statement, at);
}

bool triage_store_put(struct triage_store *store, const struct dump_file *file,
                      const struct dump_summary *of)
{
    sqlite3_stmt *put = store->put;
    if (store->outstanding == 0 && !run(store, "begin"))
        return false;
    const char *const texts[] = {of->guid,    of->application, of->app_version,
                                 of->adapter, of->driver,      of->system,
                                 of->writer,  of->reason,      of->path};
    const uint64_t numbers[] = {of->queues, of->lists,   of->submissions, of->markers,
                                of->stops,  of->dropped, of->page_faults};
    sqlite3_bind_text(put, 1, file->path, -1, SQLITE_STATIC);
    sqlite3_bind_int64(put, 2, (int64_t)file->size);
    sqlite3_bind_int64(put, 3, file->modified);
    bind(put, 4, summary_status_text(of->status));
    bind(put, 5, of->why);
    bind(put, 6, of->signature.id);
    bind(put, 7,
         of->status == DUMP_UNREADABLE ? NULL
                                       : annot_signature_quality_word(of->signature.quality));
    bind(put, 8, of->signature.title);
    sqlite3_bind_int(put, 9, of->signature.is_redacted);
    sqlite3_bind_int64(put, 10, (int64_t)of->time);
    sqlite3_bind_int64(put, 11, of->error);
    for (int i = 0; i < 9; i++)
        bind(put, 12 + i, texts[i]);
    for (int i = 0; i < 7; i++)
        sqlite3_bind_int64(put, 21 + i, (int64_t)numbers[i]);
    const bool is_put = sqlite3_step(put) == SQLITE_DONE;
    sqlite3_reset(put);
    if (!is_put) {
        say(store);
        return false;
    }
    return ++store->outstanding < DUMPS_PER_COMMIT || commit(store);
}

/* ---- questions ---- */

static uint64_t number_at(sqlite3_stmt *statement, int column)
{
    return (uint64_t)sqlite3_column_int64(statement, column);
}

static const char *text_at(sqlite3_stmt *statement, int column)
{
    const unsigned char *text = sqlite3_column_text(statement, column);
    return text ? (const char *)text : "";
}

/* "reference (300), legacy (12)", of the dumps of one signature. */
static void say_counts(struct triage_store *store, const char *column, const char *signature,
                       char *buffer, size_t capacity)
{
    char sql[256];
    sqlite3_stmt *statement = NULL;
    size_t size = 0;
    buffer[0] = 0;
    snprintf(sql, sizeof sql,
             "select %s, count(*) as n from dump where signature=?1 and %s is not null group by 1 "
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
    sqlite3_finalize(statement);
}

static void count_days(struct triage_store *store, struct triage_group *group)
{
    sqlite3_stmt *statement = NULL;
    if (!prepare(
            store,
            "select (select max(time) from dump) / 86400000000000 - time / 86400000000000 as age, "
            "count(*)"
            " from dump where signature=?1 and time > 0 group by age having age between 0 and 13",
            &statement))
        return;
    sqlite3_bind_text(statement, 1, group->signature, -1, SQLITE_STATIC);
    while (sqlite3_step(statement) == SQLITE_ROW)
        group->days[TRIAGE_DAYS - 1 - number_at(statement, 0)] = number_at(statement, 1);
    sqlite3_finalize(statement);
}

bool triage_store_groups(struct triage_store *store, uint64_t limit, triage_take_group *take,
                         void *user)
{
    char drivers[640], applications[640], versions[640];
    sqlite3_stmt *statement = NULL;
    if (!commit(store) || !prepare(store,
                                   "select signature, quality, title, count(*) as n, "
                                   "min(nullif(time, 0)), max(time), max(file)"
                                   " from dump where signature is not null group by signature "
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
    sqlite3_finalize(statement);
    return !store->has_failed;
}

bool triage_store_totals(struct triage_store *store, struct triage_totals *totals)
{
    sqlite3_stmt *statement = NULL;
    *totals = (struct triage_totals){0};
    if (!commit(store) ||
        !prepare(store,
                 "select count(*), count(signature), count(distinct signature), "
                 "coalesce(sum(status='damaged'),0),"
                 " coalesce(sum(status='unreadable'),0), coalesce(sum(status='whole' and signature "
                 "is null),0) from dump",
                 &statement))
        return false;
    if (sqlite3_step(statement) == SQLITE_ROW)
        *totals = (struct triage_totals){number_at(statement, 0), number_at(statement, 1),
                                         number_at(statement, 2), number_at(statement, 3),
                                         number_at(statement, 4), number_at(statement, 5)};
    sqlite3_finalize(statement);
    return true;
}

bool triage_store_damaged(struct triage_store *store, uint64_t limit, triage_take_file *take,
                          void *user)
{
    sqlite3_stmt *statement = NULL;
    if (!prepare(store,
                 "select file, status, coalesce(why, title) from dump where status <> 'whole' "
                 "order by file limit ?1",
                 &statement))
        return false;
    sqlite3_bind_int64(statement, 1, limit > 0 ? (int64_t)limit : -1);
    while (sqlite3_step(statement) == SQLITE_ROW)
        take(user, text_at(statement, 0), text_at(statement, 1), text_at(statement, 2));
    sqlite3_finalize(statement);
    return true;
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
