/* Finds why two dumps are in one group or not. The first true reason separates them: no signature,
 * another application, a different part, a split by hand, places that nothing joins. Merges join
 * the dumps, and the least sure merge decides. */
#include "triage_why.h"

#include "cli.h"
#include "json_writer.h"
#include "os_path.h"
#include "triage_db.h"

#include <stdlib.h>

enum {
    SIGNATURE = ANNOT_SIGNATURE_ID_MAX,
    TEXT = 512,
    STEPS_SHOWN = 64,
    STEPS_LOOKED_AT = 2000 /* most merges of a group that are searched */
};

/* ---- the dumps that the person names ---- */

bool triage_find(struct triage_store *store, const char *what, struct triage_found *out)
{
    sqlite3_stmt *statement = NULL;
    char *path = os_full_path(what);
    *out = (struct triage_found){.signature = ""};
    if (!triage_prepare(store,
                        "select signature, '' from main.dump where signature=?1 union all "
                        "select signature, file from main.dump where file in (?1, ?2) limit 1",
                        &statement)) {
        free(path);
        return false;
    }
    triage_bind(statement, 1, what);
    triage_bind(statement, 2, path);
    const bool is_found = sqlite3_step(statement) == SQLITE_ROW;
    if (is_found) {
        snprintf(out->signature, SIGNATURE, "%s", triage_text_at(statement, 0));
        snprintf(out->file, sizeof out->file, "%s", triage_text_at(statement, 1));
    }
    const bool is_good = triage_is_good(store, sqlite3_reset(statement));
    free(path);
    if (is_good && !is_found)
        cli_complain("triage", "the database has no such signature, group or dump:", what);
    return is_good && is_found;
}

/* ---- the two sides ---- */

struct side {
    struct triage_found is;
    char group[SIGNATURE], likely[SIGNATURE], why_likely[128];
    char application[TEXT], title[TEXT], status[16], why[TEXT];
    char program[TEXT]; /* the dump's application; `application` is the first application of the
                           dump's signature */
    uint64_t dumps;     /* number of dumps with the signature */
    bool is_split;
    int64_t parts[ANNOT_IDENTITY_PARTS];
    char texts[ANNOT_IDENTITY_PARTS][TEXT];
};

static void take_text(char *text, size_t capacity, sqlite3_stmt *row, int column)
{
    snprintf(text, capacity, "%s", triage_text_at(row, column));
}

static bool read_side(struct triage_store *store, struct side *side)
{
    static const char sql[] =
        "select m.hang, m.likely, m.likely_reason, coalesce(i.application, d.application), d.title,"
        " d.status, d.why, d.file, (select count(*) from main.dump where signature=?1),"
        " exists(select 1 from main.edit where kind='split' and a=?1),"
        " i.error, i.operation, i.shader, i.place, i.resource,"
        " d.error_kind, d.operation, d.shader, d.place, d.resource, d.application"
        " from main.dump d left join main.identity i on i.signature=d.signature"
        " left join main.member m on m.signature=d.signature"
        " where case when ?2 <> '' then d.file=?2 else d.signature=?1 end"
        " order by d.time desc, d.file limit 1";
    sqlite3_stmt *statement = NULL;
    if (!triage_prepare(store, sql, &statement))
        return false;
    triage_bind(statement, 1, side->is.signature);
    sqlite3_bind_text(statement, 2, side->is.file, -1, SQLITE_TRANSIENT);
    if (sqlite3_step(statement) == SQLITE_ROW) {
        take_text(side->group, SIGNATURE, statement, 0);
        take_text(side->likely, SIGNATURE, statement, 1);
        take_text(side->why_likely, sizeof side->why_likely, statement, 2);
        take_text(side->application, TEXT, statement, 3);
        take_text(side->title, TEXT, statement, 4);
        take_text(side->status, sizeof side->status, statement, 5);
        take_text(side->why, TEXT, statement, 6);
        take_text(side->is.file, sizeof side->is.file, statement, 7);
        side->dumps = triage_number_at(statement, 8);
        side->is_split = triage_number_at(statement, 9) != 0;
        for (int i = 0; i < ANNOT_IDENTITY_PARTS; i++) {
            side->parts[i] = sqlite3_column_int64(statement, 10 + i);
            take_text(side->texts[i], TEXT, statement, 10 + ANNOT_IDENTITY_PARTS + i);
        }
        take_text(side->program, TEXT, statement, 10 + 2 * ANNOT_IDENTITY_PARTS);
    }
    return triage_is_good(store, sqlite3_reset(statement));
}

/* ---- merges ---- */

struct step {
    char a[SIGNATURE], b[SIGNATURE], reason[128];
    int confidence;
};

struct way {
    struct step steps[STEPS_SHOWN]; /* the steps from A to B */
    int count;
};

/* Finds the way. Each merge made one group of two, so there is only one way. A forged database may
 * have more ways; the command shows one way. */
static void find_way(struct triage_store *store, const struct side *sides, struct way *way)
{
    static const char sql[] =
        "with recursive merge as materialized (select e.a, e.b, e.reason, e.confidence"
        "  from main.edge e join main.member m on m.signature=e.a where m.hang=?3),"
        " step as materialized (select a as here, b as there, * from merge"
        "  union all select b, a, * from merge),"
        " way(here, there, a, b, reason, confidence) as (select ?2, '', '', '', '', 0"
        "  union all select s.there, s.here, s.a, s.b, s.reason, s.confidence"
        "  from way w join step s on s.here=w.here and s.there <> w.there limit ?4),"
        " path(there, a, b, reason, confidence) as (select there, a, b, reason, confidence"
        "  from (select * from way where here=?1 limit 1)"
        "  union all select w.there, w.a, w.b, w.reason, w.confidence"
        "  from path p join way w on w.here=p.there and w.there <> '' limit ?5)"
        " select a, b, reason, confidence from path";
    sqlite3_stmt *statement = NULL;
    if (!triage_prepare(store, sql, &statement))
        return;
    sqlite3_bind_text(statement, 1, sides[0].is.signature, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 2, sides[1].is.signature, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 3, sides[0].group, -1, SQLITE_STATIC);
    sqlite3_bind_int(statement, 4, STEPS_LOOKED_AT);
    sqlite3_bind_int(statement, 5, STEPS_SHOWN);
    while (way->count < STEPS_SHOWN && sqlite3_step(statement) == SQLITE_ROW) {
        struct step *step = &way->steps[way->count++];
        take_text(step->a, SIGNATURE, statement, 0);
        take_text(step->b, SIGNATURE, statement, 1);
        take_text(step->reason, sizeof step->reason, statement, 2);
        step->confidence = sqlite3_column_int(statement, 3);
    }
    triage_is_good(store, sqlite3_reset(statement));
}

/* ---- the reason that decides ---- */

struct decision {
    const char *rule; /* a static text for programs */
    char words[512];
    const struct step *merge; /* the merge that decides; NULL: none */
};

static bool has_signature(const struct side *side)
{
    return side->is.signature[0] != 0;
}

static bool is_together(const struct side *sides)
{
    return has_signature(&sides[0]) && has_signature(&sides[1]) &&
           strcmp(sides[0].group, sides[1].group) == 0;
}

static void decide_together(const struct side *sides, const struct way *way,
                            struct decision *decision)
{
    decision->rule = "one signature";
    snprintf(decision->words, sizeof decision->words,
             "A and B have the same signature: no part differs");
    if (strcmp(sides[0].is.signature, sides[1].is.signature) == 0)
        return;
    decision->rule = "merged";
    snprintf(decision->words, sizeof decision->words, "the merges are too many to show all");
    for (int i = 0; i < way->count; i++)
        if (!decision->merge || way->steps[i].confidence < decision->merge->confidence)
            decision->merge = &way->steps[i];
    if (decision->merge)
        snprintf(decision->words, sizeof decision->words, "%s: %s and %s, confidence %d of 100%s",
                 decision->merge->reason, decision->merge->a, decision->merge->b,
                 decision->merge->confidence,
                 way->count > 1 ? ", the least certain of the merges between A and B" : "");
}

/* Finds the first part that differs, other than the place and the parts that rules ignore. */
static bool find_different(const struct rules *rules, const struct side *sides, annot_part *out)
{
    for (unsigned i = 0; i < ANNOT_IDENTITY_PARTS; i++) {
        *out = (annot_part)i;
        if (i != ANNOT_PART_PLACE && sides[0].parts[i] != sides[1].parts[i] &&
            !rules_part(rules, false, sides[0].application, *out))
            return true;
    }
    return false;
}

static void decide_apart(const struct rules *rules, const struct side *sides,
                         struct decision *decision)
{
    char *words = decision->words;
    const size_t size = sizeof decision->words;
    const struct side *side = !has_signature(&sides[0]) ? &sides[0] : &sides[1];
    annot_part part;
    if (!has_signature(side)) {
        decision->rule = "no signature";
        snprintf(words, size,
                 "%s has no signature, so no group has this dump; annot show says more",
                 side == &sides[0] ? "A" : "B");
    } else if (strcmp(sides[0].application, sides[1].application) != 0) {
        decision->rule = "application";
        snprintf(
            words, size,
            "the applications differ; only merges by hand put two applications into one group");
    } else if (find_different(rules, sides, &part)) {
        const bool is_known = sides[0].parts[part] && sides[1].parts[part];
        decision->rule = annot_part_word(part);
        snprintf(words, size, "%s %s: only an edit can merge the two signatures",
                 annot_part_word(part), is_known ? "differs" : "is known for only one signature");
    } else if (sides[0].is_split || sides[1].is_split) {
        decision->rule = "split by hand";
        snprintf(words, size, "%s was split by hand", sides[0].is_split ? "A" : "B");
    } else {
        decision->rule = annot_part_word(ANNOT_PART_PLACE);
        snprintf(words, size,
                 "the places differ, and neither rules nor other dumps say that both places are "
                 "one place");
    }
}

/* If a rule decides, makes it the reason. With the rules up to this one, A and B are as near as
 * with all rules; without it, they aren't. */
static void decide_by_rule(struct triage_store *store, const struct side *sides,
                           struct decision *decision)
{
    const char *a = sides[0].is.signature, *b = sides[1].is.signature;
    char text[RULES_TEXT_MAX + 1];
    if (strcmp(a, b) == 0 || !triage_rules_text(store, text) || !text[0])
        return;
    const int all = triage_nearness(store, text, a, b), none = triage_nearness(store, "", a, b);
    char *from = text, *end = text + strlen(text); /* the rule is between them */
    if (all == none || (all > 0 && none > all) || (all > 0) != is_together(sides))
        return;
    while (from + strcspn(from, "\n") + 1 < end) {
        char *middle = from + (end - from) / 2;
        while (middle > from && middle[-1] != '\n')
            middle--;
        if (middle == from)
            middle += strcspn(from, "\n") + 1;
        const char first = *middle;
        *middle = 0;
        *(triage_nearness(store, text, a, b) == all ? &end : &from) = middle;
        *middle = first;
    }
    from += strspn(from, " \t");
    decision->rule = "rule";
    snprintf(decision->words, sizeof decision->words, "this rule %s A and B: %.*s",
             all > 0 ? "joins" : "separates", (int)strcspn(from, "\r\n"), from);
}

/* ---- text ---- */

static void print_line(const char *label, const char *text)
{
    printf("  %-12s", label);
    cli_format(stdout, "%s\n", text[0] ? text : "unknown");
}

static void print_compared(const char *label, const char *how, bool is_same, const char *a,
                           const char *b)
{
    print_line(label, how);
    print_line("", a);
    if (!is_same)
        print_line("", b);
}

static const char *relation(const struct side *sides, annot_part part)
{
    const int64_t a = sides[0].parts[part], b = sides[1].parts[part];
    return a == b ? a ? "the same" : "none known" : a && b ? "differs" : "only one known";
}

static const char *name_of(const struct side *side)
{
    return has_signature(side) ? side->is.signature : side->is.file;
}

static void print_side(const struct side *side, const char *label)
{
    if (has_signature(side)) {
        printf("  %-12s", label);
        cli_format(stdout, "%s in group %s, with %llu dump%s\n", name_of(side), side->group,
                   (unsigned long long)side->dumps, side->dumps == 1 ? "" : "s");
    } else {
        print_line(label, name_of(side));
    }
    print_line("", side->title[0] ? side->title : side->why);
    if (has_signature(side))
        print_line("", side->is.file);
    if (strcmp(side->status, "whole") != 0)
        cli_format(stdout, "              this dump is %s%s%s\n", side->status,
                   side->why[0] ? ": " : "", side->why);
}

static void print_answer(const struct side *sides, const struct way *way,
                         const struct decision *decision)
{
    if (strcmp(name_of(&sides[0]), name_of(&sides[1])) == 0)
        cli_format(stdout, "%s is %s\n", name_of(&sides[0]),
                   has_signature(&sides[0]) ? "one signature" : "in no group");
    else
        cli_format(stdout, "%s and %s are %s\n", name_of(&sides[0]), name_of(&sides[1]),
                   is_together(sides) ? "together" : "apart");
    print_line("because", decision->words);
    print_side(&sides[0], "A");
    if (strcmp(sides[0].is.file, sides[1].is.file) != 0)
        print_side(&sides[1], "B");
    if (!has_signature(&sides[0]) || !has_signature(&sides[1]))
        return;
    const bool is_same = strcmp(sides[0].program, sides[1].program) == 0;
    print_compared("application", is_same ? "the same" : "differs", is_same, sides[0].program,
                   sides[1].program);
    for (unsigned i = 0; i < ANNOT_IDENTITY_PARTS; i++)
        print_compared(annot_part_word((annot_part)i), relation(sides, (annot_part)i),
                       sides[0].parts[i] == sides[1].parts[i], sides[0].texts[i],
                       sides[1].texts[i]);
    for (int i = 0; i < way->count; i++)
        cli_format(stdout, "  %s and %s: %s (confidence %d of 100)\n", way->steps[i].a,
                   way->steps[i].b, way->steps[i].reason, way->steps[i].confidence);
    for (int i = 0; i < 2; i++)
        if (sides[i].likely[0])
            cli_format(stdout, "  %s probably belongs to %s: %s\n", sides[i].group, sides[i].likely,
                       sides[i].why_likely);
        else if (sides[i].why_likely[0] &&
                 (i == 0 || strcmp(name_of(&sides[0]), name_of(&sides[1])) != 0))
            cli_format(stdout, "  %s may have different hangs: %s\n", sides[i].is.signature,
                       sides[i].why_likely);
}

/* ---- JSON ---- */

static void write_side(struct annot__json *out, const char *key, const struct side *side)
{
    annot__json_open(out, key, "{");
    annot__json_format(out,
                       "signature:%-s group:%-s dumps:" JSON_U64 " title:%-s application:%-s "
                       "dump:%s status:%s why:%-s probably_of:%-s probably_because:%-s}",
                       side->is.signature, side->group, side->dumps, side->title, side->program,
                       side->is.file, side->status, side->why, side->likely, side->why_likely);
}

static void write_step(struct annot__json *out, const struct step *step)
{
    annot__json_format(out, "{a:%s b:%s reason:%s confidence:%u}", step->a, step->b, step->reason,
                       (unsigned)step->confidence);
}

static void write_answer(const struct side *sides, const struct way *way,
                         const struct decision *decision)
{
    struct annot__json json = {cli_write, stdout, false}, *out = &json;
    annot__json_format(out, "{version:%u together:%d rule:%s because:%s merge:", 1u,
                       is_together(sides), decision->rule, decision->words);
    if (decision->merge)
        write_step(out, decision->merge);
    else
        annot__json_string(out, NULL, NULL);
    write_side(out, "a", &sides[0]);
    write_side(out, "b", &sides[1]);
    annot__json_open(out, "parts", "[");
    for (unsigned i = 0; i < ANNOT_IDENTITY_PARTS; i++)
        annot__json_format(out, "{part:%s relation:%s a:%-s b:%-s}", annot_part_word((annot_part)i),
                           relation(sides, (annot_part)i), sides[0].texts[i], sides[1].texts[i]);
    annot__json_format(out, "] merges:[");
    for (int i = 0; i < way->count; i++)
        write_step(out, &way->steps[i]);
    annot__json_close(out, "]}\n");
}

int triage_why(struct triage_store *store, const char *a, const char *b, const char *output)
{
    struct side sides[2] = {{.dumps = 0}, {.dumps = 0}};
    struct way way = {.count = 0};
    struct decision decision = {.rule = ""};
    if (!triage_find(store, a, &sides[0].is) || !read_side(store, &sides[0]))
        return EXIT_UNUSABLE;
    if (!b && !sides[0].group[0])
        sides[1].is = sides[0].is;
    else if (!triage_find(store, b ? b : sides[0].group, &sides[1].is))
        return EXIT_UNUSABLE;
    if (!read_side(store, &sides[1]))
        return EXIT_UNUSABLE;
    struct rules *rules = triage_read_rules(store);
    const bool is_one = is_together(sides);
    if (is_one && strcmp(sides[0].is.signature, sides[1].is.signature) != 0)
        find_way(store, sides, &way);
    if (is_one)
        decide_together(sides, &way, &decision);
    else if (rules)
        decide_apart(rules, sides, &decision);
    rules_free(rules);
    if (has_signature(&sides[0]) && has_signature(&sides[1]))
        decide_by_rule(store, sides, &decision);
    if (store->has_failed || !rules)
        return EXIT_UNUSABLE;
    if (cli_wants_json(output))
        write_answer(sides, &way, &decision);
    else
        print_answer(sides, &way, &decision);
    return is_one ? EXIT_FINE : EXIT_DAMAGED;
}
