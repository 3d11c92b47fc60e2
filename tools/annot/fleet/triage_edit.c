/*
 * A person's words about groups are kept as a list of edits, of which the last one can be undone.
 * Groups are made anew of the same signatures with all of them; no dump is read again.
 */
#include "triage_edit.h"

#include "cli.h"
#include "options.h"
#include "triage_db.h"
#include "triage_store.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#ifdef ANNOT_HAVE_SQLITE

enum { SIGNATURE = ANNOT_SIGNATURE_ID_MAX, RESOLVED = 2 };

struct edit {
    const char *db, *rules;
    char **words;
    char signatures[RESOLVED][SIGNATURE]; /* of A and B */
};

/* ---- A and B ---- */

/* It may have any name. */
static bool is_same_file(const char *a, const char *b)
{
#ifdef _WIN32
    char whole[2][4096];
    return _fullpath(whole[0], a, sizeof whole[0]) && _fullpath(whole[1], b, sizeof whole[1]) &&
           _stricmp(whole[0], whole[1]) == 0;
#else
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
#endif
}

/* The first row that is it; "": none. */
static bool look_up(struct triage_store *store, const char *sql, const char *what, bool is_file,
                    char signature[SIGNATURE])
{
    sqlite3_stmt *statement = NULL;
    if (!triage_prepare(store, sql, &statement))
        return false;
    sqlite3_bind_text(statement, 1, what, -1, SQLITE_STATIC);
    while (!signature[0] && sqlite3_step(statement) == SQLITE_ROW)
        if (!is_file || is_same_file(what, triage_text_at(statement, 1)))
            snprintf(signature, SIGNATURE, "%s", triage_text_at(statement, 0));
    return triage_finish(store, statement);
}

static bool resolve(struct triage_store *store, const char *what, char signature[SIGNATURE])
{
    struct stat status;
    signature[0] = 0;
    if (!look_up(store,
                 "select signature from main.identity where signature=?1 union all "
                 "select signature from main.dump where file=?1 and signature is not null limit 1",
                 what, false, signature))
        return false;
    if (!signature[0] && stat(what, &status) == 0 &&
        !look_up(store, "select signature, file from main.dump where signature is not null", what,
                 true, signature))
        return false;
    if (signature[0])
        return true;
    cli_complain("triage", "no signature, group or dump with one in this database:", what);
    return false;
}

/* ---- edits ---- */

static bool add_edit(struct triage_store *store, const char *kind, const char *a, const char *b,
                     const char *words)
{
    sqlite3_stmt *statement = NULL;
    if (!triage_prepare(store, "insert into main.edit(kind, a, b, words) values(?1,?2,?3,?4)",
                        &statement))
        return false;
    triage_bind(statement, 1, kind);
    triage_bind(statement, 2, a);
    triage_bind(statement, 3, b);
    if (words) /* rules may be empty */
        sqlite3_bind_text(statement, 4, words, -1, SQLITE_STATIC);
    const bool is_good = triage_step(store, statement);
    sqlite3_finalize(statement);
    return is_good;
}

static char *read_rules_file(const char *path)
{
    errno = 0;
    FILE *file = cli_open_to_read(path);
    char *text = file ? malloc(RULES_TEXT_MAX + 1) : NULL;
    const size_t size = text ? fread(text, 1, RULES_TEXT_MAX + 1, file) : 0;
    if (text && !ferror(file) && size <= RULES_TEXT_MAX && !memchr(text, 0, size) &&
        cli_is_file(file))
        text[size] = 0;
    else if (file && text && !ferror(file)) {
        cli_complain("triage", "a file of rules is text of at most 60,000 bytes; not", path);
        free(text);
        text = NULL;
    } else {
        cli_fail("triage", path,
                 file && !ferror(file) ? ANNOT_ERROR_OUT_OF_MEMORY : ANNOT_ERROR_IO);
        free(text);
        text = NULL;
    }
    if (file)
        fclose(file);
    return text;
}

static bool add_rules(struct triage_store *store, const char *path)
{
    char *text = read_rules_file(path);
    struct rules *rules = text ? rules_parse(text, path) : NULL;
    const bool is_good = rules && add_edit(store, "rules", NULL, NULL, text);
    rules_free(rules);
    free(text);
    return is_good;
}

static int count_groups(struct triage_store *store)
{
    int64_t signatures = 0, groups = 0;
    if (!triage_number(store, "select count(*) from main.member", &signatures) ||
        !triage_number(store, "select count(distinct hang) from main.member", &groups))
        return EXIT_UNUSABLE;
    printf("%lld signatures in %lld groups\n", (long long)signatures, (long long)groups);
    return EXIT_FINE;
}

static int regroup(struct triage_store *store, const struct edit *edit)
{
    if (edit->rules && !add_rules(store, edit->rules))
        return EXIT_UNUSABLE;
    return triage_store_regroup(store) ? count_groups(store) : EXIT_UNUSABLE;
}

static int undo(struct triage_store *store, const struct edit *edit)
{
    int64_t count = 0;
    (void)edit;
    if (!triage_number(store, "select count(*) from main.edit", &count))
        return EXIT_UNUSABLE;
    if (count == 0) {
        fputs("annot triage: nothing to undo\n", stderr);
        return EXIT_UNUSABLE;
    }
    return triage_run(store, "delete from main.edit where number=(select max(number) from "
                             "main.edit)") &&
                   triage_store_regroup(store)
               ? count_groups(store)
               : EXIT_UNUSABLE;
}

static int merge(struct triage_store *store, const struct edit *edit)
{
    return add_edit(store, "merge", edit->signatures[0], edit->signatures[1], NULL) &&
                   triage_store_regroup(store)
               ? count_groups(store)
               : EXIT_UNUSABLE;
}

static int split(struct triage_store *store, const struct edit *edit)
{
    return add_edit(store, "split", edit->signatures[0], NULL, NULL) && triage_store_regroup(store)
               ? count_groups(store)
               : EXIT_UNUSABLE;
}

static int name(struct triage_store *store, const struct edit *edit)
{
    return add_edit(store, "name", edit->signatures[0], NULL, edit->words[1]) ? EXIT_FINE
                                                                              : EXIT_UNUSABLE;
}

/* ---- why ---- */

struct side {
    char signature[SIGNATURE], hang[SIGNATURE], likely[SIGNATURE], why_likely[128];
    int64_t parts[ANNOT_IDENTITY_PARTS];
    char texts[ANNOT_IDENTITY_PARTS][512];
};

static bool read_side(struct triage_store *store, const char *signature, struct side *side)
{
    sqlite3_stmt *statement = NULL;
    if (!triage_prepare(store,
                        "select m.hang, m.likely, m.likely_reason, i.error, i.operation, i.shader, "
                        "i.place, i.resource, d.error_kind, d.operation, d.shader, d.place, "
                        "d.resource from main.identity i join main.member m using(signature) "
                        "join main.dump d using(signature) where i.signature=?1 limit 1",
                        &statement))
        return false;
    sqlite3_bind_text(statement, 1, signature, -1, SQLITE_STATIC);
    *side = (struct side){.signature = ""};
    snprintf(side->signature, SIGNATURE, "%s", signature);
    if (sqlite3_step(statement) == SQLITE_ROW) {
        snprintf(side->hang, SIGNATURE, "%s", triage_text_at(statement, 0));
        snprintf(side->likely, SIGNATURE, "%s", triage_text_at(statement, 1));
        snprintf(side->why_likely, sizeof side->why_likely, "%s", triage_text_at(statement, 2));
        for (int i = 0; i < ANNOT_IDENTITY_PARTS; i++) {
            side->parts[i] = sqlite3_column_int64(statement, 3 + i);
            snprintf(side->texts[i], sizeof side->texts[i], "%s",
                     triage_text_at(statement, 3 + ANNOT_IDENTITY_PARTS + i));
        }
    }
    return triage_finish(store, statement);
}

static void print_text(const char *text)
{
    cli_print(stdout, text[0] ? text : "unknown", strlen(text[0] ? text : "unknown"));
}

static void print_part(const struct side *sides, annot_part part)
{
    const bool is_known = sides[0].parts[part] && sides[1].parts[part];
    const bool is_same = sides[0].parts[part] == sides[1].parts[part];
    printf("  %-10s %s\n", annot_part_word(part),
           is_same    ? sides[0].parts[part] ? "the same" : "not known of either"
           : is_known ? "differs"
                      : "known of one only");
    for (int i = 0; i < (is_same ? 1 : 2); i++) {
        fputs("               ", stdout);
        print_text(sides[i].texts[part]);
        putchar('\n');
    }
}

/* Edges of one group, and how each signature was come to. */
struct step {
    char a[SIGNATURE], b[SIGNATURE], reason[128];
    int confidence;
    int from; /* step before; -1: the first; -2: not come to */
};

static struct step *read_steps(struct triage_store *store, const char *hang, int *count)
{
    sqlite3_stmt *statement = NULL;
    struct step *steps = NULL;
    int capacity = 0;
    *count = 0;
    if (!triage_prepare(
            store,
            "select e.a, e.b, e.reason, e.confidence from main.edge e join main.member m "
            "on m.signature=e.a where m.hang=?1 order by e.a, e.b",
            &statement))
        return NULL;
    sqlite3_bind_text(statement, 1, hang, -1, SQLITE_STATIC);
    while (sqlite3_step(statement) == SQLITE_ROW) {
        if (*count == capacity) {
            capacity = capacity ? 2 * capacity : 64;
            struct step *larger = realloc(steps, (size_t)capacity * sizeof *steps);
            if (!larger) {
                triage_no_memory(store);
                break;
            }
            steps = larger;
        }
        struct step *step = &steps[(*count)++];
        *step = (struct step){.confidence = sqlite3_column_int(statement, 3), .from = -2};
        snprintf(step->a, SIGNATURE, "%s", triage_text_at(statement, 0));
        snprintf(step->b, SIGNATURE, "%s", triage_text_at(statement, 1));
        snprintf(step->reason, sizeof step->reason, "%s", triage_text_at(statement, 2));
    }
    sqlite3_finalize(statement);
    return steps;
}

/* Where the path from `start` has come to at the end of this step. */
static const char *end_of(const struct step *steps, int at, const char *start)
{
    const struct step *step = &steps[at];
    const char *before = step->from == -1 ? start : end_of(steps, step->from, start);
    return strcmp(step->a, before) == 0 ? step->b : step->a;
}

static bool touches(const struct step *step, const char *signature)
{
    return strcmp(step->a, signature) == 0 || strcmp(step->b, signature) == 0;
}

enum { PATH_MAX_STEPS = 64, STEPS_LOOKED_AT = 2000 };

/* The shortest way along edges; a group of very many is not looked through. */
static void print_way(struct triage_store *store, const struct side *sides)
{
    int count = 0, queue[STEPS_LOOKED_AT], first = 0, last = 0, way[PATH_MAX_STEPS], length = 0;
    struct step *steps = read_steps(store, sides[0].hang, &count);
    if (count > STEPS_LOOKED_AT) {
        printf("  by %d merges, too many to show the way\n", count);
        free(steps);
        return;
    }
    for (int i = 0; i < count; i++)
        if (touches(&steps[i], sides[0].signature)) {
            steps[i].from = -1;
            queue[last++] = i;
        }
    int found = -1;
    for (; first < last && found < 0; first++) {
        const char *end = end_of(steps, queue[first], sides[0].signature);
        if (strcmp(end, sides[1].signature) == 0)
            found = queue[first];
        for (int i = 0; i < count && found < 0; i++)
            if (steps[i].from == -2 && touches(&steps[i], end)) {
                steps[i].from = queue[first];
                queue[last++] = i;
            }
    }
    for (; found >= 0 && length < PATH_MAX_STEPS; found = steps[found].from)
        way[length++] = found;
    while (length-- > 0)
        printf("  %s and %s: %s (confidence %d of 100)\n", steps[way[length]].a,
               steps[way[length]].b, steps[way[length]].reason, steps[way[length]].confidence);
    free(steps);
}

static int why(struct triage_store *store, const struct edit *edit)
{
    struct side sides[2];
    for (int i = 0; i < 2; i++)
        if (!read_side(store, edit->signatures[i], &sides[i]))
            return EXIT_UNUSABLE;
    const bool is_one = strcmp(sides[0].hang, sides[1].hang) == 0;
    const bool is_signature = strcmp(sides[0].signature, sides[1].signature) == 0;
    printf("%s and %s are %s\n", sides[0].signature, sides[1].signature,
           is_signature ? "one signature"
           : is_one     ? "together"
                        : "apart");
    for (unsigned i = 0; i < ANNOT_IDENTITY_PARTS; i++)
        print_part(sides, (annot_part)i);
    if (is_one && !is_signature)
        print_way(store, sides);
    for (int i = 0; i < 2; i++)
        if (sides[i].likely[0])
            printf("  %s is probably of %s: %s\n", sides[i].hang, sides[i].likely,
                   sides[i].why_likely);
    return is_one ? EXIT_FINE : EXIT_DAMAGED;
}

/* ---- the commands ---- */

static const struct option table[] = {
    {"--db", "FILE", "the database", offsetof(struct edit, db), 0, OPTION_NEEDED},
    {"--rules", "FILE", "rules that count from now on, in the place of earlier ones",
     offsetof(struct edit, rules), 0, false},
};

#define SIGNATURES "A and B are signatures, names of groups, or dumps in the database. "
#define UNUSABLE   "2 wrong usage, or the database can't be used"
#define EDIT(word, operand_text, count, option_text, options_taken)                                \
    .name = "triage " word, .operands = (operand_text), .least = (count), .most = (count),         \
    .options = table, .option_count = (options_taken), .unexpected = "one argument too many:",     \
    .missing = "annot triage " word option_text " --db FILE; see annot triage " word " --help"

static const struct {
    struct command command;
    int resolved;
    int (*run)(struct triage_store *store, const struct edit *edit);
} edits[] = {
    {{EDIT("regroup", "", 0, "", 2),
      .text = "Makes the groups of a database anew, without reading a dump.",
      .end = "docs/FLEET.md has the rules.\n\nexit code: 0 done, " UNUSABLE},
     0,
     regroup},
    {{EDIT("merge", "A B", 2, " A B", 1),
      .text = "What A and B stand for is one hang. " SIGNATURES "No dump is read.",
      .end = "exit code: 0 done, " UNUSABLE},
     2,
     merge},
    {{EDIT("split", "A", 1, " A", 1),
      .text = "The signature of A is merged with no other one by what was learned. A is a "
              "signature, the name of a group, or a dump in the database. No dump is read.",
      .end = "exit code: 0 done, " UNUSABLE},
     1,
     split},
    {{EDIT("name", "A TEXT", 2, " A TEXT", 1),
      .text = "The group of A is called TEXT. A is a signature, the name of a group, or a dump in "
              "the database.",
      .end = "exit code: 0 done, " UNUSABLE},
     1,
     name},
    {{EDIT("why", "A B", 2, " A B", 1),
      .text = "Says whether A and B are together, part by part, and why. " SIGNATURES
              "No dump is read.",
      .end = "exit code: 0 together, 1 apart, " UNUSABLE},
     2,
     why},
    {{EDIT("undo", "", 0, "", 1), .text = "Takes the last merge, split, name or rules back.",
      .end = "exit code: 0 done, " UNUSABLE},
     0,
     undo}};
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
    struct edit edit = {.words = argv + 2};
    const size_t number = number_of(argv[1]);
    int count, code;
    if (!options_read(&edits[number].command, argc - 1, argv + 1, &edit, &count, &code))
        return code;
    struct triage_store *store = triage_store_open(edit.db, false);
    if (!store)
        return EXIT_UNUSABLE;
    for (int i = 0; i < edits[number].resolved && code == EXIT_FINE; i++)
        code = resolve(store, edit.words[i], edit.signatures[i]) ? EXIT_FINE : EXIT_UNUSABLE;
    if (code == EXIT_FINE)
        code = edits[number].run(store, &edit);
    code = triage_store_close(store) ? code : EXIT_UNUSABLE;
    return cli_finish("triage", code);
}

#else

bool triage_is_edit(const char *word)
{
    (void)word;
    return false;
}

int triage_edit(int argc, char **argv)
{
    (void)argc, (void)argv;
    return EXIT_UNUSABLE;
}

#endif
