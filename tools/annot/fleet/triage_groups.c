/* Makes the groups from the data in a database, and stores the groups. Reads no dump. */
#include "triage_db.h"
#include "triage_store.h"

#include "grouping.h"

#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

static bool take_rules(void *text, sqlite3_stmt *row)
{
    snprintf(text, RULES_TEXT_MAX + 1, "%s", triage_text_at(row, 0));
    return false;
}

bool triage_rules_text(struct triage_store *store, char text[RULES_TEXT_MAX + 1])
{
    text[0] = 0;
    return triage_ask(store,
                      "select words from main.edit where kind='rules' order by number desc limit 1",
                      NULL, 0, take_rules, text);
}

struct rules *triage_read_rules(struct triage_store *store)
{
    char text[RULES_TEXT_MAX + 1];
    struct rules *rules =
        triage_rules_text(store, text) ? rules_parse(text, "the database's rules") : NULL;
    store->has_failed |= !rules;
    return rules;
}

typedef bool take_row(struct grouping *grouping, sqlite3_stmt *row);

static bool take_name(struct grouping *grouping, sqlite3_stmt *row)
{
    return grouping_add_name(grouping, triage_number_at(row, 0), triage_text_at(row, 1));
}

static bool take_shape(struct grouping *grouping, sqlite3_stmt *row)
{
    return grouping_add_shape(grouping, triage_text_at(row, 0), triage_number_at(row, 1),
                              sqlite3_column_blob(row, 2), (size_t)sqlite3_column_bytes(row, 2));
}

static bool take_class(struct grouping *grouping, sqlite3_stmt *row)
{
    struct group_class class = {.signature = (char *)(uintptr_t)triage_text_at(row, 0),
                                .application = (char *)(uintptr_t)triage_text_at(row, 1),
                                .names = (char *)(uintptr_t)triage_text_at(row, 2)};
    for (int i = 0; i < ANNOT_IDENTITY_PARTS; i++)
        class.parts[i] = triage_number_at(row, 3 + i);
    /* a signature has a row for each of its senders */
    if ((grouping->count == 0 ||
         strcmp(grouping->classes[grouping->count - 1].signature, class.signature) != 0) &&
        !grouping_add_class(grouping, &class))
        return false;
    struct group_class *last = &grouping->classes[grouping->count - 1];
    last->dumps += triage_number_at(row, 8);
    last->senders |= UINT64_C(1) << (triage_number_at(row, 9) % 64);
    return true;
}

static bool take_edit(struct grouping *grouping, sqlite3_stmt *row)
{
    const char *b = triage_text_at(row, 1);
    return grouping_add_edit(grouping, triage_text_at(row, 0), b[0] ? b : NULL);
}

static bool read_rows(struct triage_store *store, struct grouping *grouping, const char *sql,
                      take_row *take)
{
    sqlite3_stmt *statement = NULL;
    bool has_memory = true;
    if (!triage_prepare(store, sql, &statement))
        return false;
    while (has_memory && sqlite3_step(statement) == SQLITE_ROW)
        has_memory = take(grouping, statement);
    if (!has_memory)
        triage_no_memory(store);
    return triage_is_good(store, sqlite3_reset(statement)) && has_memory;
}

/* The shapes to learn from. If an application has 16 senders, none counts with more than twice as
 * many shapes as the middle sender. */
static const char shapes[] =
    "with own as materialized (select *, row_number() over (partition by application, sender "
    "order by hash) as number from main.shape), "
    "level as materialized (select application, number, count(*) as senders from own group by 1, "
    "2) "
    "select o.application, o.sender, o.nodes from own o "
    "join level l on l.application=o.application and l.number=(o.number + 1) / 2 "
    "join level a on a.application=o.application and a.number=1 "
    "where a.senders < 16 or 2 * l.senders >= a.senders";

static bool read_all(struct triage_store *store, struct grouping *grouping)
{
    char sql[256];
    snprintf(sql, sizeof sql,
             "select hash, text from main.name where text is not null "
             "order by hash limit %d",
             TRIAGE_NAMES);
    return read_rows(store, grouping, sql, take_name) &&
           read_rows(store, grouping, shapes, take_shape) &&
           read_rows(
               store, grouping,
               "select i.signature, i.application, i.names, error, i.operation, i.shader, i.place, "
               "i.resource, d.n, d.sender from (select signature, sender, count(*) as n "
               "from main.dump where signature is not null group by 1, 2) d "
               "join main.identity i using(signature) order by i.signature",
               take_class) &&
           read_rows(store, grouping,
                     "select a, b from main.edit where kind in ('merge', 'split') order by number",
                     take_edit);
}

/* ---- groups keep their names ---- */

/* A group gets the name of the signature that founded it: the oldest signature in the group. */
typedef char founder[ANNOT_SIGNATURE_ID_MAX];

static bool read_founders(struct triage_store *store, const struct grouping *grouping,
                          founder *founders)
{
    sqlite3_stmt *statement = NULL;
    if (!triage_prepare(store, "select signature from main.founder order by number", &statement))
        return false;
    while (sqlite3_step(statement) == SQLITE_ROW) {
        const char *signature = triage_text_at(statement, 0);
        const struct group_class *class = grouping_find(grouping, signature);
        if (class && !founders[class->group][0])
            snprintf(founders[class->group], ANNOT_SIGNATURE_ID_MAX, "%s", signature);
    }
    return triage_is_good(store, sqlite3_reset(statement));
}

static bool found_groups(struct triage_store *store, const struct grouping *grouping,
                         founder *founders)
{
    sqlite3_stmt *statement = NULL;
    bool is_good =
        triage_prepare(store, "insert into main.founder(signature) values(?1)", &statement);
    for (uint32_t i = 0; is_good && i < grouping->count; i++) {
        if (grouping->classes[i].group != i || founders[i][0])
            continue;
        snprintf(founders[i], ANNOT_SIGNATURE_ID_MAX, "%s", grouping->classes[i].signature);
        triage_bind(statement, 1, founders[i]);
        is_good = triage_step(store, statement);
    }
    return is_good;
}

/* ---- writing ---- */

/* If nearly all dumps of a group have the same number of operations in the scope, the scope has no
 * loop. If they hang at different ones, the group may have different hangs. */
static const char weaken[] =
    "update main.member set likely_reason=coalesce(likely_reason, "
    "'the hangs are at different operations of the scope') where likely is null and "
    "reason <> 'merged by hand' and hang in (select hang from (select hang, step >> 32 as many, "
    "count(*) as n, sum(count(*)) over (partition by hang, step >> 32) as alike, "
    "sum(count(*)) over (partition by hang) as dumps from main.dump join main.member "
    "using(signature) where likely is null and step > 0 group by hang, step) where many > 1 and "
    "dumps >= 8 and 5 * alike >= 4 * dumps group by hang, many having 10 * max(n) <= 9 * alike)";

static bool write_members(struct triage_store *store, const struct grouping *grouping,
                          founder *founders)
{
    sqlite3_stmt *statement = NULL;
    bool is_good =
        triage_run(store, "delete from main.member") &&
        triage_prepare(store, "insert into main.member values(?1,?2,?3,?4,?5,?6)", &statement);
    for (uint32_t i = 0; is_good && i < grouping->count; i++) {
        const struct group_class *class = &grouping->classes[i];
        const bool is_likely = class->likely != class->group;
        triage_bind(statement, 1, class->signature);
        triage_bind(statement, 2, founders[class->group]);
        triage_bind(statement, 3, is_likely ? founders[class->likely] : "");
        triage_bind(statement, 4, group_reason_text(class->reason));
        triage_bind(statement, 5,
                    is_likely || class->likely_reason == GROUP_SEVERAL
                        ? group_reason_text(class->likely_reason)
                        : "");
        sqlite3_bind_int(statement, 6, (int)class->confidence);
        is_good = triage_step(store, statement);
    }
    return is_good && triage_run(store, weaken);
}

static bool write_edges(struct triage_store *store, const struct grouping *grouping)
{
    sqlite3_stmt *statement = NULL;
    bool is_good =
        triage_run(store, "delete from main.edge") &&
        triage_prepare(store, "insert or replace into main.edge values(?1,?2,?3,?4)", &statement);
    for (uint32_t i = 0; is_good && i < grouping->edge_count; i++) {
        const struct group_edge *edge = &grouping->edges[i];
        triage_bind(statement, 1, grouping->classes[edge->a].signature);
        triage_bind(statement, 2, grouping->classes[edge->b].signature);
        triage_bind(statement, 3, group_reason_text(edge->reason));
        sqlite3_bind_int(statement, 4, (int)edge->confidence);
        is_good = triage_step(store, statement);
    }
    return is_good;
}

static bool forget_shapes(struct triage_store *store)
{
    char sql[512];
    snprintf(sql, sizeof sql,
             "delete from main.shape where (application, sender, hash) in (select application, "
             "sender, hash from (select *, row_number() over (partition by application "
             "order by own, hash) as n from (select application, sender, hash, row_number() over "
             "(partition by application, sender order by hash) as own from main.shape)) "
             "where n > %d)",
             TRIAGE_SHAPES);
    return triage_run(store, sql);
}

static bool write_groups(struct triage_store *store, const struct grouping *grouping)
{
    founder *founders = calloc((size_t)grouping->count + 1, sizeof *founders); /* by class */
    if (!founders)
        triage_no_memory(store);
    const bool is_good = founders && read_founders(store, grouping, founders) &&
                         found_groups(store, grouping, founders) &&
                         write_members(store, grouping, founders) && write_edges(store, grouping);
    free(founders);
    return is_good;
}

/* ---- all steps ---- */

/* Groups the signatures by these rules. NULL: it failed, and a message has the reason. */
static struct grouping *compute(struct triage_store *store, const struct rules *rules)
{
    struct grouping *grouping = rules ? grouping_create(rules) : NULL;
    if (grouping && read_all(store, grouping) && grouping_compute(grouping))
        return grouping;
    if (rules)
        triage_no_memory(store);
    grouping_free(grouping);
    return NULL;
}

bool triage_store_regroup(struct triage_store *store)
{
    if (store->has_failed || !triage_run(store, "begin immediate") || !forget_shapes(store))
        return false;
    struct rules *rules = triage_read_rules(store);
    struct grouping *grouping = compute(store, rules);
    const bool is_good = grouping && write_groups(store, grouping);
    grouping_free(grouping);
    rules_free(rules);
    return is_good ? triage_run(store, "commit") : (triage_run(store, "rollback"), false);
}

int triage_nearness(struct triage_store *store, const char *text, const char *a, const char *b)
{
    struct rules *rules = rules_parse(text, "the database's rules");
    struct grouping *grouping = compute(store, rules);
    const struct group_class *x = grouping ? grouping_find(grouping, a) : NULL;
    const struct group_class *y = grouping ? grouping_find(grouping, b) : NULL;
    const int nearness = !x || !y || x->group != y->group ? 0 : x->place == y->place ? 2 : 1;
    store->has_failed |= !grouping;
    grouping_free(grouping);
    rules_free(rules);
    return nearness;
}
