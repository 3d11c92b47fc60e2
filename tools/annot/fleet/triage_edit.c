/* A person's edits of groups are kept in a list, and the last edit can be undone. Groups are made
 * again from the same signatures and all edits; no dump is read. */
#include "triage_edit.h"

#include "cli.h"
#include "json_writer.h"
#include "options.h"
#include "triage_db.h"
#include "triage_why.h"

#include <stdlib.h>

enum { SIGNATURE = ANNOT_SIGNATURE_ID_MAX, RESOLVED = 2 };

struct edit {
    const char *db, *rules, *output;
    const char *kind, *if_none; /* `if_none`: why no dump moves, for edits that move dumps */
    char **words;
    int count;                            /* number of words */
    char signatures[RESOLVED][SIGNATURE]; /* the signatures of A and B */
};

/* Only groups that have a signature can be merged or named. */
static bool resolve(struct triage_store *store, const char *what, char signature[SIGNATURE])
{
    struct triage_found found;
    if (!triage_find(store, what, &found))
        return false;
    snprintf(signature, SIGNATURE, "%s", found.signature);
    if (!signature[0])
        cli_complain("triage", "this dump has no signature; see annot triage why:", what);
    return signature[0] != 0;
}

/* ---- edits ---- */

static bool add_edit(struct triage_store *store, const char *kind, const char *a, const char *b,
                     const char *words)
{
    sqlite3_stmt *statement = NULL;
    /* the largest number of all has no successor: SQLite then refuses the row */
    if (!triage_prepare(store,
                        "insert into main.edit values((select coalesce(max(number), 0) + 1 "
                        "from main.edit), ?1,?2,?3,?4)",
                        &statement))
        return false;
    triage_bind(statement, 1, kind);
    triage_bind(statement, 2, a);
    triage_bind(statement, 3, b);
    if (words) /* only rules may be empty */
        sqlite3_bind_text(statement, 4, words, -1, SQLITE_STATIC);
    return triage_step(store, statement);
}

static bool add_rules(struct triage_store *store, const char *path)
{
    char *text = cli_read_text("triage", path, RULES_TEXT_MAX,
                               "a rules file must be text of at most 60,000 bytes");
    struct rules *rules = text ? rules_parse(text, path) : NULL;
    const bool is_good = rules && add_edit(store, "rules", NULL, NULL, text);
    rules_free(rules);
    free(text);
    return is_good;
}

/* ---- the effects of an edit ---- */

enum { MOVES_SHOWN = 20, MOVES_WRITTEN = 1000 };

struct moved {
    /* as the query's columns; `changed`: signatures with another group or probable group;
     * `sides`: groups of the edit's signatures */
    uint64_t signatures, groups, groups_before, dumps, moves, changed, sides;
};

/* Makes the groups again. */
static bool move(struct triage_store *store, int64_t number, struct moved *moved)
{
    return triage_run(store,
                      "create temp table before as select signature, hang, likely from main.member;"
                      "create index temp.before_signature on before(signature)") &&
           triage_store_regroup(store) &&
           triage_run(store,
                      "create temp table move as select b.hang as a, m.hang as b, count(*) as n "
                      "from temp.before b join main.member m using(signature) "
                      "join main.dump d using(signature) where b.hang <> m.hang group by 1, 2") &&
           triage_ask(store,
                      "select (select count(*) from main.member), "
                      "(select count(distinct hang) from main.member), "
                      "(select count(distinct hang) from temp.before), "
                      "coalesce(sum(n), 0), count(*), (select count(*) from main.member m "
                      "left join temp.before b using(signature) "
                      "where (m.hang, m.likely) is not (b.hang, b.likely)), "
                      "(select count(distinct m.hang) from main.edit e join main.member m "
                      "on m.signature in (e.a, e.b) where e.number=?1) from temp.move",
                      NULL, number, triage_take_numbers, moved);
}

/* A row of temp.move: the groups, its dumps, and what the dumps of the second one show. */
static bool print_move(void *user, sqlite3_stmt *row)
{
    struct annot__json *out = user;
    const char *from = triage_text_at(row, 0), *to = triage_text_at(row, 1),
               *title = triage_text_at(row, 3);
    const uint64_t dumps = triage_number_at(row, 2);
    if (out)
        annot__json_format(out, "{from:%s to:%s dumps:" JSON_U64 " title:%-s}", from, to, dumps,
                           title);
    else
        cli_format(stdout, "  %s -> %s (%llu)  %s\n", from, to, (unsigned long long)dumps, title);
    return true;
}

static bool print_moves(struct triage_store *store, int limit, struct annot__json *out)
{
    return triage_ask(store,
                      "select a, b, n, (select title from main.dump where signature=b limit 1) "
                      "from temp.move order by n desc, a, b limit ?1",
                      NULL, limit, print_move, out);
}

static bool count_rules(void *rules, sqlite3_stmt *row)
{
    uint64_t parts[ANNOT_IDENTITY_PARTS];
    for (int i = 0; i < ANNOT_IDENTITY_PARTS; i++)
        parts[i] = triage_number_at(row, 3 + i);
    rules_count(rules, triage_text_at(row, 0), triage_text_at(row, 1), parts,
                triage_number_at(row, 2));
    return true;
}

static bool print_rules(struct triage_store *store, struct annot__json *out)
{
    struct rules *rules = triage_read_rules(store);
    const bool is_good =
        rules && triage_ask(store,
                            "select i.application, i.names, count(*), i.error, i.operation, "
                            "i.shader, i.place, i.resource from main.dump d join main.identity i "
                            "using(signature) group by signature",
                            NULL, 0, count_rules, rules);
    if (is_good)
        rules_print(rules, out);
    rules_free(rules);
    return is_good;
}

/* Prints the moves, and the rules if `has_rules` or in JSON. `out`: NULL for text. */
static bool print_moved(struct triage_store *store, const struct moved *moved, bool has_rules,
                        struct annot__json *out)
{
    if (out)
        annot__json_format(out,
                           "{version:%u signatures:" JSON_U64 " groups:" JSON_U64
                           " groups_before:" JSON_U64 " dumps_moved:" JSON_U64
                           " move_count:" JSON_U64 " moves:[",
                           1u, moved->signatures, moved->groups, moved->groups_before, moved->dumps,
                           moved->moves);
    else
        cli_format(stdout, "%llu signature%s in %llu group%s (%llu before); %llu dump%s moved%s\n",
                   (unsigned long long)moved->signatures, moved->signatures == 1 ? "" : "s",
                   (unsigned long long)moved->groups, moved->groups == 1 ? "" : "s",
                   (unsigned long long)moved->groups_before, (unsigned long long)moved->dumps,
                   moved->dumps == 1 ? "" : "s", moved->moves > 0 ? ":" : "");
    const bool is_good = print_moves(store, out ? MOVES_WRITTEN : MOVES_SHOWN, out);
    if (out)
        annot__json_format(out, "] rules:[");
    else if (moved->moves > MOVES_SHOWN)
        cli_format(stdout, "  ... %llu more moves; --output json has up to %d\n",
                   (unsigned long long)moved->moves - MOVES_SHOWN, MOVES_WRITTEN);
    return is_good && (!(out || has_rules) || print_rules(store, out));
}

/* Makes the groups again, and prints the moved dumps. Takes the edit `number` back if it changes
 * nothing; 0: no edit was added. */
static int regroup_and_say(struct triage_store *store, const struct edit *edit, int64_t number)
{
    struct moved moved = {0};
    char sql[64];
    if (!move(store, number, &moved))
        return EXIT_UNUSABLE;
    const bool is_refused = number != 0 && moved.changed == 0;
    if (is_refused) {
        snprintf(sql, sizeof sql, "delete from main.edit where number=%lld", (long long)number);
        if (!triage_run(store, sql) || !triage_store_regroup(store))
            return EXIT_UNUSABLE;
        fprintf(stderr, "annot triage: nothing moved, and the edit isn't kept: %s\n",
                moved.sides > 1 ? "a rule says never merge" : edit->if_none);
    }
    struct annot__json json = {cli_write, stdout, false};
    const bool is_json = cli_wants_json(edit->output);
    const bool is_good = print_moved(store, &moved, !edit->if_none, is_json ? &json : NULL);
    if (is_json)
        annot__json_close(&json, "]}\n");
    return !is_good ? EXIT_UNUSABLE : is_refused ? EXIT_DAMAGED : EXIT_FINE;
}

static int regroup(struct triage_store *store, const struct edit *edit)
{
    if (edit->rules && !add_rules(store, edit->rules))
        return EXIT_UNUSABLE;
    return regroup_and_say(store, edit, 0);
}

static bool say_undone(void *user, sqlite3_stmt *row)
{
    (void)user;
    cli_format(stdout, "undone: %s%s %s\n", triage_text_at(row, 0), triage_text_at(row, 1),
               triage_text_at(row, 2));
    return false;
}

static int undo(struct triage_store *store, const struct edit *edit)
{
    int64_t count = 0;
    if (!triage_number(store, "select count(*) from main.edit", &count))
        return EXIT_UNUSABLE;
    if (count == 0) {
        fputs("annot triage: nothing to undo\n", stderr);
        return EXIT_UNUSABLE;
    }
    const bool is_said =
        cli_wants_json(edit->output) ||
        triage_ask(store,
                   "select kind, coalesce(' ' || a, ';'), case kind when 'rules' then 'the earlier "
                   "rules apply, if there are any' when 'name' then words else b end "
                   "from main.edit order by number desc limit 1",
                   NULL, 0, say_undone, NULL);
    return is_said && triage_run(store, "delete from main.edit where number=(select max(number) "
                                        "from main.edit)")
               ? regroup_and_say(store, edit, 0)
               : EXIT_UNUSABLE;
}

/* Adds a merge, a split or a name. */
static int change(struct triage_store *store, const struct edit *edit)
{
    if (!add_edit(store, edit->kind, edit->signatures[0], edit->signatures[1],
                  edit->if_none ? NULL : edit->words[1]))
        return EXIT_UNUSABLE;
    return edit->if_none ? regroup_and_say(store, edit, sqlite3_last_insert_rowid(store->database))
                         : EXIT_FINE;
}

static int why(struct triage_store *store, const struct edit *edit)
{
    return triage_why(store, edit->words[0], edit->count > 1 ? edit->words[1] : NULL, edit->output);
}

/* ---- the commands ---- */

static const struct option table[] = {
    {"--db", "FILE", "the database", offsetof(struct edit, db), 0, OPTION_NEEDED},
    {"--output", "text|json", "text for people (default), or JSON for programs",
     offsetof(struct edit, output), 0, 0},
    {"--rules", "FILE", "a file with rules, which replace the earlier rules",
     offsetof(struct edit, rules), 0, false},
};

#define SIGNATURES "A and B are signatures, names of groups, or dumps in the database. "
#define UNUSABLE   "2 = wrong usage, or the database can't be used"
#define EDIT(word, operand_text, fewest, count, option_text, options_taken)                        \
    .name = "triage " word, .operands = (operand_text), .least = (fewest), .most = (count),        \
    .options = table, .option_count = (options_taken), .unexpected = "unexpected argument",        \
    .missing = "an argument is missing; usage: annot triage " word option_text " --db FILE"

static const struct {
    struct command command;
    int resolved;
    int (*run)(struct triage_store *store, const struct edit *edit);
    const char *if_none;
} edits[] = {
    {{EDIT("regroup", "", 0, 0, "", 3),
      .text = "Makes the groups of a database again without reading a dump, and prints how many "
              "dumps moved from group to group.",
      .end = "docs/TRIAGE.md has the rules.\n\nexit code: 0 = done; " UNUSABLE},
     .run = regroup},
    {{EDIT("merge", "A B", 2, 2, " A B", 2),
      .text = "Merges the group of A and the group of B. " SIGNATURES "No dump is read.",
      .end = "exit code: 0 = done; 1 = nothing to merge; " UNUSABLE},
     .resolved = 2,
     .run = change,
     .if_none = "A and B are already in one group"},
    {{EDIT("split", "A", 1, 1, " A", 2),
      .text = "Stops triage from merging the signature of A with other signatures, and takes "
              "earlier merges of this signature back. A is a signature, the name of a group, or a "
              "dump in the database. No dump is read.",
      .end = "exit code: 0 = done; 1 = nothing to split; " UNUSABLE},
     .resolved = 1,
     .run = change,
     .if_none = "the group of A has only one signature"},
    {{EDIT("name", "A TEXT", 2, 2, " A TEXT", 1),
      .text = "Gives the group of A the name TEXT. A is a signature, the name of a group, or a "
              "dump in the database.",
      .end = "exit code: 0 = done; " UNUSABLE},
     .resolved = 1,
     .run = change},
    {{EDIT("why", "A [B]", 1, 2, " A [B]", 2),
      .text = "Says whether A and B are one group. Shows the rule that decides, a comparison of "
              "each part, and the merges. Without B, compares A with the first signature of A's "
              "group. " SIGNATURES "No dump is read.",
      .end = "exit code: 0 = in one group; 1 = in two groups; " UNUSABLE},
     .run = why},
    {{EDIT("undo", "", 0, 0, "", 2), .text = "Undoes the last change: merge, split, name or rules.",
      .end = "exit code: 0 = done; " UNUSABLE},
     .run = undo}};
enum { EDITS = sizeof edits / sizeof edits[0] };

static size_t number_of(const char *word)
{
    size_t i = 0;
    while (i < EDITS && strcmp(edits[i].command.name + strlen("triage "), word) != 0)
        i++;
    return i;
}

bool triage_is_edit(const char *word)
{
    return number_of(word) < EDITS;
}

int triage_edit(int argc, char **argv)
{
    const size_t number = number_of(argv[1]);
    struct edit edit = {.kind = argv[1], .if_none = edits[number].if_none, .words = argv + 2};
    int code;
    if (!options_read(&edits[number].command, argc - 1, argv + 1, &edit, &edit.count, &code))
        return code;
    struct triage_store *store = triage_store_open("triage", edit.db, false);
    if (!store)
        return EXIT_UNUSABLE;
    for (int i = 0; i < edits[number].resolved && code == EXIT_FINE; i++)
        code = resolve(store, edit.words[i], edit.signatures[i]) ? EXIT_FINE : EXIT_UNUSABLE;
    if (code == EXIT_FINE)
        code = edits[number].run(store, &edit);
    code = triage_store_close(store) ? code : EXIT_UNUSABLE;
    return cli_finish("triage", code);
}
