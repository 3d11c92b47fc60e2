#include "rules.h"

#include "cli.h"
#include "filter.h"
#include "json_writer.h"

#include <stdlib.h>
#include <string.h>

enum { RULES_MAX = 1000 };

enum rule_kind {
    RULE_FOLD,
    RULE_SAME,
    RULE_IGNORE_SCOPE,
    RULE_IGNORE,
    RULE_SPLIT,
    RULE_NEVER,
    RULE_TITLE
};

struct rule {
    enum rule_kind kind;
    annot_part part;
    const char *glob, *text, *application; /* texts in `words`; for FOLD the parts in front of and
                                              behind the star */
    uint64_t dumps;
    bool fits; /* a name of the signature that rules_count counts */
};

struct rules {
    char *words; /* the file's text, cut into words */
    struct rule *rules;
    size_t count;
};

/* The words of each kind of rule, and the sign between its two texts. "ignore scope" comes before
 * "ignore", with which it begins. */
static const struct {
    const char *word, *sign;
} rows[] = {[RULE_FOLD] = {"fold ", "*"},
            [RULE_SAME] = {"same ", " = "},
            [RULE_IGNORE_SCOPE] = {"ignore scope ", NULL},
            [RULE_IGNORE] = {"ignore ", NULL},
            [RULE_SPLIT] = {"split by ", NULL},
            [RULE_NEVER] = {"never merge ", NULL},
            [RULE_TITLE] = {"title ", " = "}};

static bool is_for(const struct rule *rule, const char *application)
{
    return !rule->application || glob_fits(rule->application, application);
}

/* ---- the file ---- */

static bool complain(const char *name, unsigned line, const char *rule, const char *why)
{
    cli_format(stderr, "annot triage: %s:%u: %s: %s\n", name, line, rule, why);
    return false;
}

static bool part_of(const char *word, annot_part *part)
{
    for (unsigned i = 0; i < ANNOT_IDENTITY_PARTS; i++)
        if (strcmp(word, annot_part_word((annot_part)i)) == 0) {
            *part = (annot_part)i;
            return true;
        }
    return false;
}

/* Cuts "A = B" at the sign. False: the sign, or a side, is missing. */
static bool cut_at(char *line, const char *sign, const char **left, const char **right)
{
    char *at = strstr(line, sign);
    if (!at || at == line || !at[strlen(sign)])
        return false;
    *at = '\0';
    *left = line;
    *right = at + strlen(sign);
    return true;
}

static char *behind(char *line, const char *word)
{
    const size_t size = strlen(word);
    return strncmp(line, word, size) == 0 ? line + size : NULL;
}

/* Parses a rule. False: there is no such rule. */
static bool parse_rule(char *line, struct rule *rule)
{
    char *rest;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if ((rest = behind(line, rows[i].word))) {
            *rule = (struct rule){.kind = (enum rule_kind)i, .glob = rest};
            return rows[i].sign
                       ? cut_at(rest, rows[i].sign, &rule->glob, &rule->text)
                       : (i != RULE_IGNORE && i != RULE_SPLIT) || part_of(rest, &rule->part);
        }
    *rule = (struct rule){.kind = RULE_NEVER, .glob = "*"};
    return strcmp(line, "never merge") == 0;
}

static char *trimmed(char *line)
{
    while (*line == ' ' || *line == '\t')
        line++;
    size_t size = strlen(line);
    while (size > 0 && (line[size - 1] == ' ' || line[size - 1] == '\t' || line[size - 1] == '\r'))
        line[--size] = '\0';
    return line;
}

static bool parse_line(struct rules *rules, char *line, const char **application, const char *name,
                       unsigned number)
{
    line = trimmed(line);
    if (!*line || *line == '#')
        return true;
    if (behind(line, "application ")) {
        *application = line + 12;
        return true;
    }
    if (rules->count == RULES_MAX)
        return complain(name, number, line, "too many rules");
    struct rule *rule = &rules->rules[rules->count];
    if (!parse_rule(line, rule))
        return complain(name, number, line,
                        "unknown rule; the forms are: application GLOB, fold A*B, same GLOB = "
                        "NAME, ignore scope GLOB, ignore PART, split by PART, never merge [GLOB], "
                        "title GLOB = TEXT");
    if (rule->text && strlen(rule->text) >= RULES_NAME_MAX)
        return complain(name, number, rule->glob, "the other name is too long");
    rule->application = *application;
    rules->count++;
    return true;
}

static bool parse_lines(struct rules *rules, const char *name)
{
    const char *application = NULL;
    char *line = rules->words + (strncmp(rules->words, "\xef\xbb\xbf", 3) == 0 ? 3 : 0); /* a BOM */
    for (unsigned number = 1; line; number++) {
        char *end = strchr(line, '\n');
        if (end)
            *end = '\0';
        if (!parse_line(rules, line, &application, name, number))
            return false;
        line = end ? end + 1 : NULL;
    }
    return true;
}

struct rules *rules_parse(const char *text, const char *name)
{
    struct rules *rules = calloc(1, sizeof *rules);
    const bool has_memory = rules && (rules->words = strdup(text)) &&
                            (rules->rules = calloc(RULES_MAX, sizeof *rules->rules));
    if (!has_memory)
        cli_fail("triage", name, ANNOT_ERROR_OUT_OF_MEMORY);
    else if (parse_lines(rules, name))
        return rules;
    rules_free(rules);
    return NULL;
}

void rules_free(struct rules *rules)
{
    if (!rules)
        return;
    free(rules->words);
    free(rules->rules);
    free(rules);
}

/* ---- use of the rules ---- */

/* Folds each part from the first text to the next second text. False: there is none. */
static bool fold(const struct rule *rule, char *name)
{
    const size_t size = strlen(rule->glob);
    bool is_changed = false;
    for (char *from = name, *end; (from = strstr(from, rule->glob));) {
        if (!(end = strstr(from + size, rule->text)))
            break;
        end += strlen(rule->text);
        *from++ = '#';
        memmove(from, end, strlen(end) + 1);
        is_changed = true;
    }
    return is_changed;
}

bool rules_name(const struct rules *rules, const char *application, const char *name,
                char out[RULES_NAME_MAX])
{
    snprintf(out, RULES_NAME_MAX, "%s", name);
    for (struct rule *rule = rules->rules; rule < rules->rules + rules->count; rule++) {
        if (rule->kind > RULE_IGNORE_SCOPE || !is_for(rule, application) ||
            !(rule->kind == RULE_FOLD ? fold(rule, out) : glob_fits(rule->glob, out)))
            continue;
        rule->fits = true;
        if (rule->kind == RULE_IGNORE_SCOPE)
            return false;
        if (rule->kind == RULE_SAME)
            snprintf(out, RULES_NAME_MAX, "%s", rule->text);
    }
    return true;
}

bool rules_part(const struct rules *rules, bool is_split, const char *application, annot_part part)
{
    for (const struct rule *rule = rules->rules; rule < rules->rules + rules->count; rule++)
        if (rule->kind == (is_split ? RULE_SPLIT : RULE_IGNORE) && rule->part == part &&
            is_for(rule, application))
            return true;
    return false;
}

bool rules_may_merge(const struct rules *rules, const char *application, const char *name)
{
    for (const struct rule *rule = rules->rules; rule < rules->rules + rules->count; rule++)
        if (rule->kind == RULE_NEVER && is_for(rule, application) && glob_fits(rule->glob, name))
            return false;
    return true;
}

const char *rules_next(const char *names, char name[RULES_NAME_MAX])
{
    const size_t size = strcspn(names, "\n");
    snprintf(name, RULES_NAME_MAX, "%.*s", (int)(size < RULES_NAME_MAX ? size : RULES_NAME_MAX),
             names);
    return names + size + (names[size] == '\n');
}

const char *rules_title(const struct rules *rules, const char *application, const char *names)
{
    char name[RULES_NAME_MAX], ruled[RULES_NAME_MAX];
    for (const struct rule *rule = rules->rules; rule < rules->rules + rules->count; rule++) {
        if (rule->kind != RULE_TITLE || !is_for(rule, application))
            continue;
        for (const char *at = names; *at;) {
            at = rules_next(at, name);
            if (rules_name(rules, application, name, ruled) && glob_fits(rule->glob, ruled))
                return rule->text;
        }
    }
    return NULL;
}

void rules_count(struct rules *rules, const char *application, const char *names,
                 const uint64_t parts[ANNOT_IDENTITY_PARTS], uint64_t dumps)
{
    char name[RULES_NAME_MAX], ruled[RULES_NAME_MAX];
    for (const char *at = rules->count > 0 ? names : ""; *at;) {
        at = rules_next(at, name);
        if (!rules_name(rules, application, name, ruled))
            continue;
        for (struct rule *rule = rules->rules; rule < rules->rules + rules->count; rule++)
            rule->fits |= rule->kind >= RULE_NEVER && is_for(rule, application) &&
                          glob_fits(rule->glob, ruled);
    }
    for (struct rule *rule = rules->rules; rule < rules->rules + rules->count; rule++) {
        const bool has_part = rule->kind == RULE_IGNORE || rule->kind == RULE_SPLIT;
        if (rule->fits || (has_part && is_for(rule, application) && parts[rule->part]))
            rule->dumps += dumps;
        rule->fits = false;
    }
}

void rules_print(const struct rules *rules, struct annot__json *out)
{
    char text[2 * RULES_NAME_MAX];
    for (const struct rule *rule = rules->rules; rule < rules->rules + rules->count; rule++) {
        snprintf(text, sizeof text, "%s%s%s%s", rows[rule->kind].word, rule->glob,
                 rows[rule->kind].sign ? rows[rule->kind].sign : "", rule->text ? rule->text : "");
        if (out)
            annot__json_format(out, "{rule:%s application:%-s dumps:" JSON_U64 "}", text,
                               rule->application ? rule->application : "", rule->dumps);
        else
            cli_format(stdout, "  %llu dump%s: %s\n", (unsigned long long)rule->dumps,
                       rule->dumps == 1 ? "" : "s", text);
        if (rule->dumps == 0)
            cli_format(stderr, "annot triage: no dump matches the rule '%s'\n", text);
    }
}
