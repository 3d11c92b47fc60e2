/* The queries of a report to a database. */
#include "triage_db.h"
#include "triage_store.h"

#include "cli.h"

#include <stdlib.h>
#include <string.h>

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

struct answer {
    char *buffer;
    size_t capacity;
};

static bool take_answer(void *user, sqlite3_stmt *row)
{
    const struct answer *answer = user;
    snprintf(answer->buffer, answer->capacity, "%s", triage_text_at(row, 0));
    return false;
}

/* A question's first answer about a hang or a version; "" without one. */
static void ask(struct triage_store *store, const char *sql, const char *about, char *buffer,
                size_t capacity)
{
    buffer[0] = 0;
    triage_ask(store, sql, about, 0, take_answer, &(struct answer){buffer, capacity});
}

/* Keeps only hangs of this version that no earlier version in the database has. */
static bool keep_new(struct triage_store *store, const char *version)
{
    char found[8];
    if (!version)
        return true;
    ask(store, "select 1 from temp.version where app_version=?1", version, found, sizeof found);
    if (!found[0])
        cli_complain("triage", "no dump has the version that --new-in names:", version);
    return triage_ask(store,
                      "delete from temp.seen where hang is not null and (hang not in "
                      "(select hang from temp.seen where app_version=?1 and hang is not null) "
                      "or hang in (select hang from temp.every natural join temp.version "
                      "where first < (select first from temp.version where app_version=?1)))",
                      version, 0, take_answer, NULL);
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

/* Writes a line such as "reference (300), legacy (12)" about the dumps of a hang. */
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

static bool take_day(void *days, sqlite3_stmt *row)
{
    ((uint64_t *)days)[TRIAGE_DAYS - 1 - triage_number_at(row, 0)] = triage_number_at(row, 1);
    return true;
}

/* Finds a hang's title: from a person, from a rule, or from most of the hang's dumps. */
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

static void describe(struct triage_store *store, struct triage_group *group)
{
    char probably[24];
    const char *hang = group->signature;
    say_counts(store, "driver", hang, group->drivers, sizeof group->drivers);
    say_counts(store, "adapter", hang, group->adapters, sizeof group->adapters);
    say_counts(store, "application", hang, group->applications, sizeof group->applications);
    say_counts(store, "app_version", hang, group->versions, sizeof group->versions);
    say_counts(store, "failure", hang, group->kinds, sizeof group->kinds);
    find_title(store, hang, group->title, sizeof group->title);
    ask(store,
        "select shader from temp.seen where hang=?1 and shader is not null group by shader "
        "order by count(*) desc, shader limit 1",
        hang, group->shader, sizeof group->shader);
    ask(store, "select count(*) from temp.seen where likely=?1", hang, probably, sizeof probably);
    group->probably = strtoull(probably, NULL, 10);
    triage_ask(store,
               "select ?2 / 86400000000000 - time / 86400000000000 as age, count(*)"
               " from temp.seen where hang=?1 and time > 0 group by age"
               " having age between 0 and 13",
               hang, store->last, take_day, group->days);
}

struct taking {
    struct triage_store *store;
    triage_take_group *take_group;
    triage_take_texts *take_texts;
    void *user;
};

static bool take_group(void *user, sqlite3_stmt *row)
{
    const struct taking *taking = user;
    struct triage_group group = {.signature = triage_text_at(row, 0),
                                 .quality = triage_text_at(row, 1),
                                 .count = triage_number_at(row, 2),
                                 .first = triage_number_at(row, 3),
                                 .last = triage_number_at(row, 4),
                                 .example = triage_text_at(row, 5),
                                 .likely = triage_text_at(row, 6),
                                 .signatures = triage_number_at(row, 7)};
    describe(taking->store, &group);
    taking->take_group(taking->user, &group);
    return true;
}

bool triage_store_groups(struct triage_store *store, int64_t limit, triage_take_group *take,
                         void *user)
{
    struct taking taking = {store, take, NULL, user};
    return triage_ask(store,
                      "select hang, case when sum(quality='full') > 0 then 'full' else "
                      "min(quality) end, count(*) as n, min(nullif(time, 0)), max(time), "
                      "max(file), max(likely), count(distinct signature)"
                      " from temp.seen where hang is not null group by hang "
                      "order by n desc, hang limit ?1",
                      NULL, limit, take_group, &taking) &&
           !store->has_failed;
}

static bool take_totals(void *out, sqlite3_stmt *row)
{
    *(struct triage_totals *)out =
        (struct triage_totals){triage_number_at(row, 0), triage_number_at(row, 1),
                               triage_number_at(row, 2), triage_number_at(row, 3),
                               triage_number_at(row, 4), triage_number_at(row, 5),
                               triage_number_at(row, 6)};
    return false;
}

bool triage_store_totals(struct triage_store *store, struct triage_totals *totals)
{
    *totals = (struct triage_totals){0};
    return triage_ask(
        store,
        "select count(*), count(signature), count(distinct hang), "
        "coalesce(sum(status='damaged'),0),"
        " coalesce(sum(status='unreadable'),0), coalesce(sum(status='whole' and signature "
        "is null),0), count(likely) from temp.seen",
        NULL, 0, take_totals, totals);
}

static bool take_texts(void *user, sqlite3_stmt *row)
{
    const struct taking *taking = user;
    const char *texts[TRIAGE_TEXTS];
    for (int i = 0; i < sqlite3_column_count(row); i++)
        texts[i] = triage_text_at(row, i);
    taking->take_texts(taking->user, texts);
    return true;
}

bool triage_store_damaged(struct triage_store *store, int64_t limit, triage_take_texts *take,
                          void *user)
{
    struct taking taking = {store, NULL, take, user};
    return triage_ask(store,
                      "select file, status, why from temp.seen where status <> 'whole' "
                      "order by file limit ?1",
                      NULL, limit, take_texts, &taking);
}

bool triage_store_files(struct triage_store *store, triage_take_texts *take, void *user)
{
    struct taking taking = {store, NULL, take, user};
    return triage_ask(store,
                      "select file, hang, likely, quality from temp.seen where hang is not null "
                      "order by hang, file",
                      NULL, 0, take_texts, &taking);
}
