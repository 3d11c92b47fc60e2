/* The queries of a report to a database. */
#include "triage_db.h"
#include "triage_store.h"

#include "cli.h"
#include "grouping.h"
#include "json_writer.h"

#include <stdlib.h>
#include <string.h>

static void matches(sqlite3_context *context, int count, sqlite3_value **values)
{
    const struct filter *filter = sqlite3_user_data(context);
    const struct filtered of = {.time = (uint64_t)sqlite3_value_int64(values[0]),
                                .version = (const char *)sqlite3_value_text(values[1]),
                                .driver = (const char *)sqlite3_value_text(values[2]),
                                .application = (const char *)sqlite3_value_text(values[3]),
                                .adapter = (const char *)sqlite3_value_text(values[4]),
                                .facts = (const char *)sqlite3_value_text(values[5])};
    (void)count;
    sqlite3_result_int(context, filter_matches(filter, &of));
}

struct answer {
    char *buffer;
    size_t capacity;
    int rows;
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
    triage_ask(store, sql, about, 0, take_answer, &(struct answer){buffer, capacity, 0});
}

/* Keeps only hangs of this version that no earlier version in the database has. Without dates on
 * both sides, another version counts as earlier. */
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
                      "where app_version<>?1 and coalesce(first < "
                      "(select first from temp.version where app_version=?1), 1)))",
                      version, 0, take_answer, NULL);
}

bool triage_store_settle(struct triage_store *store, const struct triage_view *view)
{
    static const char every[] =
        "create temp table every as select file, cast(status as text) as status, "
        "case when status <> 'whole' then cast(coalesce(why, title) as text) end as why, "
        "cast(d.signature as text) as signature, "
        "coalesce(m.hang, d.signature) as hang, m.likely as likely, "
        "case when m.likely is null and m.likely_reason is not null then 'weak' else quality end "
        "as quality, "
        "title, "
        "cast(time as integer) as time, driver, application, app_version, adapter, shader, "
        "failure, annot_matches(time, app_version, driver, application, adapter, facts) as is_seen "
        "from main.dump d left join main.member m on m.signature=d.signature order by file;"
        "create temp table title as select hang, title, count(*) as n from temp.every "
        "where hang is not null group by hang, title;"
        "create index temp.title_hang on title(hang);"
        "create temp table version as select app_version, min(nullif(time, 0)) as first "
        "from temp.every where app_version is not null group by app_version;"
        "create temp table seen as select file, status, why, signature, hang, likely, quality, "
        "time, driver, application, app_version, adapter, shader, failure from temp.every where "
        "is_seen order by coalesce(likely, hang), file";
    store->filter = view->filter;
    store->rules = triage_read_rules(store);
    return store->rules &&
           triage_is_good(store,
                          sqlite3_create_function(store->database, "annot_matches", 6, SQLITE_UTF8,
                                                  &store->filter, matches, NULL, NULL)) &&
           triage_run(store, every) && keep_new(store, view->new_in) &&
           triage_number(store, "select coalesce(max(time), 0) from temp.seen", &store->last);
}

/* Adds a value to a line such as "reference (300), legacy (12)"; the line has four values. */
static bool take_count(void *user, sqlite3_stmt *row)
{
    struct answer *answer = user;
    const size_t used = strlen(answer->buffer);
    snprintf(answer->buffer + used, answer->capacity - used, "%s%s", used > 0 ? ", " : "",
             triage_text_at(row, 0));
    return ++answer->rows < 4;
}

/* Counts a column's values. A limit would make SQLite sort in a table instead of in memory. */
#define COUNT_VALUES(column, buffer)                                                               \
    triage_ask(store,                                                                              \
               "select substr(" column ", 1, 120) || ' (' || count(*) || ')' from temp.seen "      \
               "where hang=?1 and " column " is not null group by " column " "                     \
               "order by count(*) desc, " column,                                                  \
               hang, 0, take_count, &(struct answer){buffer, sizeof(buffer), 0})

static bool take_day(void *days, sqlite3_stmt *row)
{
    ((uint64_t *)days)[TRIAGE_DAYS - 1 - triage_number_at(row, 0)] = triage_number_at(row, 1);
    return true;
}

/* Makes a template of a title and one more: a star replaces the words in which they differ. */
static bool take_title(void *user, sqlite3_stmt *row)
{
    const struct answer *answer = user;
    char *title = answer->buffer;
    const char *other = triage_text_at(row, 0);
    size_t begin = 0, end = 0;
    const size_t size = strlen(title), other_size = strlen(other);
    if (!title[0])
        snprintf(title, answer->capacity, "%s", other);
    if (!size || strcmp(title, other) == 0)
        return true;
    for (size_t i = 0; title[i] && title[i] == other[i]; i++)
        begin = title[i] == ' ' ? i + 1 : begin;
    for (size_t i = 1; begin + i < size && begin + i <= other_size; i++) {
        if (title[size - i] != other[other_size - i])
            break;
        end = title[size - i] == ' ' ? i : end;
    }
    if (begin == size) /* there is no room for the star */
        return true;
    title[begin] = '*';
    memmove(title + begin + 1, title + size - end, end + 1);
    return true;
}

/* Finds a hang's title: from a person, from a rule, or a template of the dumps' titles. */
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
        triage_ask(store,
                   "select title from temp.title where hang=?1 order by n desc, title limit 256",
                   hang, 0, take_title, &(struct answer){title, capacity, 0});
}

static void describe(struct triage_store *store, struct triage_group *group)
{
    const char *hang = group->signature;
    COUNT_VALUES("driver", group->drivers);
    COUNT_VALUES("adapter", group->adapters);
    COUNT_VALUES("application", group->applications);
    COUNT_VALUES("app_version", group->versions);
    COUNT_VALUES("failure", group->kinds);
    find_title(store, hang, group->title, sizeof group->title);
    ask(store,
        "select shader from temp.seen where hang=?1 and shader is not null group by shader "
        "order by count(*) desc, shader",
        hang, group->shader, sizeof group->shader);
    triage_ask(store, "select count(*) from temp.seen where likely=?1", hang, 0,
               triage_take_numbers, &group->probably);
    triage_ask(store,
               "select ?2 / 86400000000000 - time / 86400000000000 as age, count(*)"
               " from temp.seen where hang=?1 and time > 0 group by age"
               " having age between 0 and 13",
               hang, store->last, take_day, group->days);
}

/* ---- lines of JSON ---- */

struct exporting {
    struct triage_store *store;
    FILE *file;
    char hang[ANNOT_SIGNATURE_ID_MAX], title[1024]; /* of the last line */
    size_t used;
    char text[1 << 14]; /* not yet written to the file */
};

/* Gathers text, because a file's lock takes longer than a short text. */
static bool gather(void *user, const void *data, size_t size)
{
    struct exporting *to = user;
    if (size > sizeof to->text - to->used) {
        fwrite(to->text, 1, to->used, to->file);
        to->used = 0;
    }
    if (size > sizeof to->text)
        return cli_write(to->file, data, size);
    memcpy(to->text + to->used, data, size);
    to->used += size;
    return true;
}

static void write_facts(struct annot__json *out, const char *facts)
{
    annot__json_open(out, "app", "{");
    while (*facts) {
        const size_t size = strcspn(facts, "\t\n"), end = strcspn(facts, "\n");
        const size_t value = size + (size < end);
        annot__json_bytes(out, NULL, facts, size);
        annot__json_raw(out, ":");
        out->needs_comma = false;
        annot__json_bytes(out, NULL, facts + value, end - value);
        facts += end + (facts[end] != 0);
    }
    annot__json_close(out, "}");
}

static void write_column(struct annot__json *out, sqlite3_stmt *row, int i)
{
    const char *key = sqlite3_column_name(row, i);
    const int type = sqlite3_column_type(row, i);
    if (type == SQLITE_INTEGER)
        annot__json_number(out, key, triage_number_at(row, i));
    else
        annot__json_string(out, key, type == SQLITE_NULL ? NULL : triage_text_at(row, i));
}

static bool export_row(void *user, sqlite3_stmt *row)
{
    struct exporting *to = user;
    struct annot__json *out = &(struct annot__json){gather, to, false};
    const int facts = sqlite3_column_count(row) - 1;
    annot__json_format(out, "{schema:%u", 2u);
    for (int i = 0; i < facts; i++) {
        const char *key = sqlite3_column_name(row, i);
        if (strcmp(key, "redacted") == 0)
            annot__json_format(out, "redacted:%d", sqlite3_column_int(row, i) != 0);
        else if (strstr(key, "_hash"))
            annot__json_hash(out, key, triage_number_at(row, i));
        else
            write_column(out, row, i);
        if (strcmp(key, "group") != 0)
            continue;
        const char *group = triage_text_at(row, i);
        if (group[0] && strcmp(group, to->hang) != 0) {
            snprintf(to->hang, sizeof to->hang, "%s", group);
            find_title(to->store, group, to->title, sizeof to->title);
        }
        annot__json_string(out, "group_title", group[0] ? to->title : NULL);
    }
    write_facts(out, triage_text_at(row, facts));
    annot__json_close(out, "}\n");
    return true;
}

bool triage_store_export(struct triage_store *store, FILE *file)
{
    static const char sql[] =
        "select d.file, d.size, d.status, d.why, d.signature, d.quality, d.title, d.redacted,"
        " case when d.time > 0 then strftime('%Y-%m-%d %H:%M:%S', d.time / 1000000000, 'unixepoch')"
        " || printf('.%09d', d.time % 1000000000) end as time, d.error, d.guid, d.application,"
        " d.app_version, d.adapter, d.driver, d.system, d.writer, d.reason, d.path, d.queues,"
        " d.lists, d.submissions, d.markers, d.stops, d.dropped, d.page_faults,"
        " d.error_kind, i.error as error_hash, d.operation, i.operation as operation_hash,"
        " d.shader, i.shader as shader_hash, d.place, i.place as place_hash,"
        " d.resource, i.resource as resource_hash, d.failure,"
        " coalesce(s.likely, s.hang) as \"group\", case when s.hang is not null then case when"
        " s.likely is not null then 'probably' when s.quality='full' then 'sure' else 'weak' end"
        " end as certainty, m.confidence, d.facts"
        " from temp.seen s cross join main.dump d using(file)"
        " left join main.identity i on i.signature=d.signature"
        " left join main.member m on m.signature=d.signature order by s.rowid";
    struct exporting to = {.store = store, .file = file};
    triage_ask(store, sql, NULL, 0, export_row, &to);
    fwrite(to.text, 1, to.used, file);
    return !store->has_failed && !ferror(file);
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
    return triage_run(store, "create index temp.seen_hang on seen(hang, time);"
                             "create index temp.seen_likely on seen(likely)") &&
           triage_ask(store,
                      "select hang, case when sum(quality='full') > 0 then 'full' else "
                      "min(quality) end, count(*) as n, min(nullif(time, 0)), max(time), "
                      "(select file from temp.seen n where n.hang=s.hang "
                      "order by time desc, file limit 1), max(likely), count(distinct signature)"
                      " from temp.seen s where hang is not null group by hang "
                      "order by n desc, hang limit ?1",
                      NULL, limit, take_group, &taking) &&
           !store->has_failed;
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
        NULL, 0, triage_take_numbers, totals);
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

/* Stores the first 64 facts of a dump. The facts message.N are the runtime's messages. */
static bool take_facts(void *user, sqlite3_stmt *row)
{
    struct triage_store *store = user;
    const char *at = triage_text_at(row, 1), *end;
    bool is_good = true;
    triage_bind(store->put_fact, 1, triage_text_at(row, 0));
    for (int i = 0; i < 64 && is_good && (end = strchr(at, '\n')); i++, at = end + 1) {
        const char *tab = memchr(at, '\t', (size_t)(end - at));
        if (!tab || tab == at || sqlite3_strnicmp(at, "message.", 8) == 0)
            continue;
        sqlite3_bind_text(store->put_fact, 2, at, (int)(tab - at), SQLITE_STATIC);
        sqlite3_bind_text(store->put_fact, 3, tab + 1, (int)(end - tab - 1), SQLITE_STATIC);
        is_good = triage_step(store, store->put_fact);
    }
    return is_good;
}

bool triage_store_detail(struct triage_store *store)
{
    static const char members[] =
        "create temp table part as select * from (select s.*, m.reason, m.confidence, "
        "m.likely_reason, row_number() over (partition by s.hang order by n desc, s.signature) "
        "as number from (select hang, signature, quality, file, count(*) over (partition by hang, "
        "signature) as n, row_number() over (partition by hang, signature order by time desc, "
        "file) as age from temp.seen where hang is not null) s "
        "left join main.member m on m.signature=s.signature where age=1) where number <= 32;"
        "create index temp.part_hang on part(hang, number);"
        "create temp table line(hang, key, value)";
    static const char facts[] =
        "create temp table fact as with counted as (select *, count(*) as n from temp.line "
        "group by hang, key, value), "
        "ranked as (select *, row_number() over (partition by hang, key order by n desc, value) "
        "as number, sum(n) over (partition by hang, key) as dumps from counted) "
        "select * from (select *, dense_rank() over (partition by hang order by dumps desc, key) "
        "as rank from ranked where number <= 8) where rank <= 8;"
        "create index temp.fact_hang on fact(hang, rank, number)";
    return triage_run(store, members) &&
           triage_prepare(store,
                          "insert into temp.line select ?1, ?2, substr(?3, 1, 120) "
                          "where ?2 not in ('application', 'version')",
                          &store->put_fact) &&
           triage_ask(store,
                      "select hang, facts from temp.seen cross join main.dump using(file) "
                      "where hang is not null and facts is not null",
                      NULL, 0, take_facts, store) &&
           !store->has_failed && triage_run(store, facts);
}

static bool write_element(void *json, sqlite3_stmt *row)
{
    annot__json_open(json, NULL, "{");
    for (int i = 0; i < sqlite3_column_count(row); i++)
        write_column(json, row, i);
    annot__json_close(json, "}");
    return true;
}

void triage_store_write_detail(struct triage_store *store, const char *hang,
                               struct annot__json *out)
{
    annot__json_open(out, "members", "[");
    triage_ask(store,
               "select signature, quality, n as dumps, file as dump, reason, max(0, min(100, "
               "cast(confidence as integer))) as confidence, likely_reason as probably_because "
               "from temp.part where hang=?1 order by number",
               hang, 0, write_element, out);
    annot__json_format(out, "] facts:[");
    triage_ask(store,
               "select key, value, n as dumps from temp.fact where hang=?1 order by rank, number",
               hang, 0, write_element, out);
    annot__json_close(out, "]");
}
