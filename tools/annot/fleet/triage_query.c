/* A report's questions to a database. */
#include "triage_db.h"
#include "triage_store.h"

#include "rules.h"

#include <string.h>

struct triage_texts {
    char drivers[640], adapters[640], applications[640], versions[640], title[1024], shader[512];
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

static bool keep_hangs(struct triage_store *store, const char *sql, const char *version,
                       uint64_t time)
{
    sqlite3_stmt *statement = NULL;
    if (!version && !time)
        return true;
    if (!triage_prepare(store, sql, &statement))
        return false;
    if (version)
        sqlite3_bind_text(statement, 1, version, -1, SQLITE_STATIC);
    else
        sqlite3_bind_int64(statement, 1, (int64_t)time);
    const bool is_good = triage_step(store, statement);
    sqlite3_finalize(statement);
    return is_good;
}

/* Versions are in the order in which the database saw them first. */
static bool keep_shown(struct triage_store *store, const struct triage_view *view)
{
    return keep_hangs(store,
                      "delete from temp.seen where hang is not null and (hang not in "
                      "(select hang from temp.seen where app_version=?1 and hang is not null) "
                      "or hang in (select hang from temp.every natural join temp.version "
                      "where first < (select first from temp.version where app_version=?1)))",
                      view->new_in, 0) &&
           keep_hangs(store,
                      "delete from temp.seen where hang is not null and (hang in "
                      "(select hang from temp.every natural join temp.version "
                      "where first >= (select first from temp.version where app_version=?1)) "
                      "or not exists (select 1 from temp.version where app_version=?1))",
                      view->gone_in, 0) &&
           keep_hangs(store,
                      "delete from temp.seen where hang in "
                      "(select hang from temp.every where time > 0 and time < ?1)",
                      NULL, view->new_since) &&
           keep_hangs(store,
                      "delete from temp.seen where hang in "
                      "(select hang from temp.every where time >= ?1)",
                      NULL, view->gone_since);
}

bool triage_store_settle(struct triage_store *store, const struct triage_view *view)
{
    static const char every[] =
        "create temp table every as select file, cast(status as text) as status, "
        "cast(coalesce(why, title) as text) as why, cast(d.signature as text) as signature, "
        "coalesce(m.hang, d.signature) as hang, m.likely as likely, quality, title, "
        "cast(time as integer) as time, driver, application, app_version, adapter, shader "
        "from main.dump d left join main.member m on m.signature=d.signature;"
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
    return store->rules && triage_run(store, every) && keep_shown(store, view) &&
           triage_number(store, "select coalesce(max(time), 0) from temp.seen", &store->last);
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
             "select %s, count(*) as n from temp.seen where hang=?1 and %s is not null group by 1 "
             "order by n desc, 1 limit 4",
             column, column);
    if (!triage_prepare(store, sql, &statement))
        return;
    sqlite3_bind_text(statement, 1, signature, -1, SQLITE_STATIC);
    while (sqlite3_step(statement) == SQLITE_ROW && size < capacity - 1) {
        const int written = snprintf(buffer + size, capacity - size, "%s%.120s (%llu)",
                                     size > 0 ? ", " : "", triage_text_at(statement, 0),
                                     (unsigned long long)triage_number_at(statement, 1));
        size += written > 0 ? (size_t)written : 0;
    }
    triage_finish(store, statement);
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
    static const char *const questions[] = {
        "select e.words from main.edit e join main.member m on m.signature=e.a "
        "where e.kind='name' and m.hang=?1 order by e.number desc limit 1",
        "select application, names from main.identity where signature=?1",
        "select title from temp.seen where hang=?1 group by title order by count(*) desc, title "
        "limit 1"};
    sqlite3_stmt *statement = NULL;
    title[0] = 0;
    for (int i = 0; i < 3 && !title[0]; i++) {
        if (!triage_prepare(store, questions[i], &statement))
            return;
        sqlite3_bind_text(statement, 1, hang, -1, SQLITE_STATIC);
        const char *found = NULL;
        if (sqlite3_step(statement) == SQLITE_ROW)
            found = i == 1 ? rules_title(store->rules, triage_text_at(statement, 0),
                                         triage_text_at(statement, 1))
                           : triage_text_at(statement, 0);
        snprintf(title, capacity, "%s", found ? found : "");
        if (!triage_finish(store, statement))
            return;
    }
}

static void find_shader(struct triage_store *store, const char *hang, char *shader, size_t capacity)
{
    sqlite3_stmt *statement = NULL;
    shader[0] = 0;
    if (!triage_prepare(store,
                        "select shader from temp.seen where hang=?1 and shader is not null "
                        "group by shader order by count(*) desc, shader limit 1",
                        &statement))
        return;
    sqlite3_bind_text(statement, 1, hang, -1, SQLITE_STATIC);
    if (sqlite3_step(statement) == SQLITE_ROW)
        snprintf(shader, capacity, "%s", triage_text_at(statement, 0));
    triage_finish(store, statement);
}

static uint64_t count_likely(struct triage_store *store, const char *hang)
{
    sqlite3_stmt *statement = NULL;
    uint64_t count = 0;
    if (!triage_prepare(store, "select count(*) from temp.seen where likely=?1", &statement))
        return 0;
    sqlite3_bind_text(statement, 1, hang, -1, SQLITE_STATIC);
    if (sqlite3_step(statement) == SQLITE_ROW)
        count = triage_number_at(statement, 0);
    triage_finish(store, statement);
    return count;
}

static void describe(struct triage_store *store, struct triage_group *group,
                     struct triage_texts *texts)
{
    say_counts(store, "driver", group->signature, texts->drivers, sizeof texts->drivers);
    say_counts(store, "adapter", group->signature, texts->adapters, sizeof texts->adapters);
    say_counts(store, "application", group->signature, texts->applications,
               sizeof texts->applications);
    say_counts(store, "app_version", group->signature, texts->versions, sizeof texts->versions);
    find_title(store, group->signature, texts->title, sizeof texts->title);
    find_shader(store, group->signature, texts->shader, sizeof texts->shader);
    group->title = texts->title;
    group->drivers = texts->drivers;
    group->adapters = texts->adapters;
    group->applications = texts->applications;
    group->shader = texts->shader;
    group->versions = texts->versions;
    group->probably = count_likely(store, group->signature);
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
