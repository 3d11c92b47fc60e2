/* A report's questions to a database. */
#include "triage_db.h"
#include "triage_store.h"

#include "cli.h"
#include "rules.h"

#include <stdlib.h>
#include <string.h>

struct triage_texts {
    char drivers[640], adapters[640], kinds[160], applications[640], versions[640], title[1024],
        shader[512];
};

static void matches(sqlite3_context *context, int count, sqlite3_value **values)
{
    const struct filter *filter = sqlite3_user_data(context);
    const struct filtered of = {.time = (uint64_t)sqlite3_value_int64(values[0]),
                                .version = (const char *)sqlite3_value_text(values[1]),
                                .driver = (const char *)sqlite3_value_text(values[2]),
                                .application = (const char *)sqlite3_value_text(values[3]),
                                .adapter = (const char *)sqlite3_value_text(values[4])};
    (void)count;
    sqlite3_result_int(context, filter_matches(filter, &of));
}

/* A question's first answer about a hang or a version; "" without one. */
static void ask(struct triage_store *store, const char *sql, const char *about, char *buffer,
                size_t capacity)
{
    sqlite3_stmt *statement = NULL;
    buffer[0] = 0;
    if (!triage_prepare(store, sql, &statement))
        return;
    sqlite3_bind_text(statement, 1, about, -1, SQLITE_STATIC);
    if (sqlite3_step(statement) == SQLITE_ROW)
        snprintf(buffer, capacity, "%s", triage_text_at(statement, 0));
    triage_finish(store, statement);
}

/* Keeps only hangs of this version that no earlier version in the database has. */
static bool keep_new(struct triage_store *store, const char *version)
{
    sqlite3_stmt *statement = NULL;
    char found[8];
    if (!version)
        return true;
    ask(store, "select 1 from temp.version where app_version=?1", version, found, sizeof found);
    if (!found[0])
        cli_complain("triage", "no dump has the version of --new-in:", version);
    if (!triage_prepare(store,
                        "delete from temp.seen where hang is not null and (hang not in "
                        "(select hang from temp.seen where app_version=?1 and hang is not null) "
                        "or hang in (select hang from temp.every natural join temp.version "
                        "where first < (select first from temp.version where app_version=?1)))",
                        &statement))
        return false;
    sqlite3_bind_text(statement, 1, version, -1, SQLITE_STATIC);
    const bool is_good = triage_step(store, statement);
    sqlite3_finalize(statement);
    return is_good;
}

bool triage_store_settle(struct triage_store *store, const struct triage_view *view)
{
    static const char every[] =
        "create temp table every as select file, cast(status as text) as status, "
        "cast(coalesce(why, title) as text) as why, cast(d.signature as text) as signature, "
        "coalesce(m.hang, d.signature) as hang, m.likely as likely, quality, title, "
        "cast(time as integer) as time, driver, application, app_version, adapter, shader, "
        "failure from main.dump d left join main.member m on m.signature=d.signature;"
        "create index temp.every_hang on every(hang, time);"
        "create temp table version as select app_version, min(nullif(time, 0)) as first "
        "from temp.every where app_version is not null group by app_version;"
        "create temp table seen as select * from temp.every "
        "where annot_matches(time, app_version, driver, application, adapter);"
        "create index temp.seen_hang on seen(hang, time);"
        "create index temp.seen_likely on seen(likely)";
    store->filter = view->filter;
    if (sqlite3_create_function(store->database, "annot_matches", 5, SQLITE_UTF8, &store->filter,
                                matches, NULL, NULL) != SQLITE_OK) {
        triage_say(store);
        return false;
    }
    store->rules = triage_read_rules(store);
    return store->rules && triage_run(store, every) && keep_new(store, view->new_in) &&
           triage_number(store, "select coalesce(max(time), 0) from temp.seen", &store->last);
}

/* "reference (300), legacy (12)", of its dumps. */
static void say_counts(struct triage_store *store, const char *column, const char *hang,
                       char *buffer, size_t capacity)
{
    char sql[320];
    snprintf(sql, sizeof sql,
             "select group_concat(said, ', ') from (select substr(%s, 1, 120) || ' (' || count(*) "
             "|| ')' as said from temp.seen where hang=?1 and %s is not null group by %s "
             "order by count(*) desc, %s limit 4)",
             column, column, column, column);
    ask(store, sql, hang, buffer, capacity);
}

static void count_days(struct triage_store *store, struct triage_group *group)
{
    sqlite3_stmt *statement = NULL;
    if (!triage_prepare(store,
                        "select ?2 / 86400000000000 - time / 86400000000000 as age, count(*)"
                        " from temp.seen where hang=?1 and time > 0 group by age"
                        " having age between 0 and 13",
                        &statement))
        return;
    sqlite3_bind_text(statement, 1, group->signature, -1, SQLITE_STATIC);
    sqlite3_bind_int64(statement, 2, store->last);
    while (sqlite3_step(statement) == SQLITE_ROW)
        group->days[TRIAGE_DAYS - 1 - triage_number_at(statement, 0)] =
            triage_number_at(statement, 1);
    triage_finish(store, statement);
}

/* Its name by a person, or by a rule, or by most of its dumps. */
static void find_title(struct triage_store *store, const char *hang, char *title, size_t capacity)
{
    char application[SUMMARY_TEXT_MAX], names[ANNOT_IDENTITY_NAMES_MAX];
    ask(store,
        "select e.words from main.edit e join main.member m on m.signature=e.a "
        "where e.kind='name' and m.hang=?1 order by e.number desc limit 1",
        hang, title, capacity);
    if (title[0])
        return;
    ask(store, "select application from main.identity where signature=?1", hang, application,
        sizeof application);
    ask(store, "select names from main.identity where signature=?1", hang, names, sizeof names);
    const char *found = rules_title(store->rules, application, names);
    if (found)
        snprintf(title, capacity, "%s", found);
    else
        ask(store,
            "select title from temp.seen where hang=?1 group by title order by count(*) desc, "
            "title limit 1",
            hang, title, capacity);
}

static void describe(struct triage_store *store, struct triage_group *group,
                     struct triage_texts *texts)
{
    char probably[24];
    say_counts(store, "driver", group->signature, texts->drivers, sizeof texts->drivers);
    say_counts(store, "adapter", group->signature, texts->adapters, sizeof texts->adapters);
    say_counts(store, "application", group->signature, texts->applications,
               sizeof texts->applications);
    say_counts(store, "app_version", group->signature, texts->versions, sizeof texts->versions);
    say_counts(store, "failure", group->signature, texts->kinds, sizeof texts->kinds);
    find_title(store, group->signature, texts->title, sizeof texts->title);
    ask(store,
        "select shader from temp.seen where hang=?1 and shader is not null group by shader "
        "order by count(*) desc, shader limit 1",
        group->signature, texts->shader, sizeof texts->shader);
    ask(store, "select count(*) from temp.seen where likely=?1", group->signature, probably,
        sizeof probably);
    group->title = texts->title;
    group->drivers = texts->drivers;
    group->kinds = texts->kinds;
    group->adapters = texts->adapters;
    group->applications = texts->applications;
    group->shader = texts->shader;
    group->versions = texts->versions;
    group->probably = strtoull(probably, NULL, 10);
    count_days(store, group);
}

bool triage_store_groups(struct triage_store *store, uint64_t limit, triage_take_group *take,
                         void *user)
{
    struct triage_texts texts;
    sqlite3_stmt *statement = NULL;
    if (!triage_prepare(store,
                        "select hang, case when sum(quality='full') > 0 then 'full' else "
                        "min(quality) end, count(*) as n, min(nullif(time, 0)), max(time), "
                        "max(file), max(likely), count(distinct signature)"
                        " from temp.seen where hang is not null group by hang "
                        "order by n desc, hang limit ?1",
                        &statement))
        return false;
    sqlite3_bind_int64(statement, 1, limit > 0 ? (int64_t)limit : -1);
    while (sqlite3_step(statement) == SQLITE_ROW) {
        struct triage_group group = {.signature = triage_text_at(statement, 0),
                                     .quality = triage_text_at(statement, 1),
                                     .count = triage_number_at(statement, 2),
                                     .first = triage_number_at(statement, 3),
                                     .last = triage_number_at(statement, 4),
                                     .example = triage_text_at(statement, 5),
                                     .likely = triage_text_at(statement, 6),
                                     .signatures = triage_number_at(statement, 7)};
        describe(store, &group, &texts);
        take(user, &group);
    }
    return triage_finish(store, statement) && !store->has_failed;
}

bool triage_store_totals(struct triage_store *store, struct triage_totals *totals)
{
    sqlite3_stmt *statement = NULL;
    *totals = (struct triage_totals){0};
    if (!triage_prepare(
            store,
            "select count(*), count(signature), count(distinct hang), "
            "coalesce(sum(status='damaged'),0),"
            " coalesce(sum(status='unreadable'),0), coalesce(sum(status='whole' and signature "
            "is null),0), count(likely) from temp.seen",
            &statement))
        return false;
    if (sqlite3_step(statement) == SQLITE_ROW)
        *totals =
            (struct triage_totals){triage_number_at(statement, 0), triage_number_at(statement, 1),
                                   triage_number_at(statement, 2), triage_number_at(statement, 3),
                                   triage_number_at(statement, 4), triage_number_at(statement, 5),
                                   triage_number_at(statement, 6)};
    return triage_finish(store, statement);
}

bool triage_store_damaged(struct triage_store *store, uint64_t limit, triage_take_file *take,
                          void *user)
{
    sqlite3_stmt *statement = NULL;
    if (!triage_prepare(store,
                        "select file, status, why from temp.seen where status <> 'whole' "
                        "order by file limit ?1",
                        &statement))
        return false;
    sqlite3_bind_int64(statement, 1, limit > 0 ? (int64_t)limit : -1);
    while (sqlite3_step(statement) == SQLITE_ROW)
        take(user, triage_text_at(statement, 0), triage_text_at(statement, 1),
             triage_text_at(statement, 2));
    return triage_finish(store, statement);
}

bool triage_store_files(struct triage_store *store, triage_take_member *take, void *user)
{
    sqlite3_stmt *statement = NULL;
    if (!triage_prepare(store,
                        "select file, hang, likely, quality from temp.seen where hang is not null "
                        "order by hang, file",
                        &statement))
        return false;
    while (sqlite3_step(statement) == SQLITE_ROW)
        take(user, triage_text_at(statement, 0), triage_text_at(statement, 1),
             triage_text_at(statement, 2), triage_text_at(statement, 3));
    return triage_finish(store, statement);
}
