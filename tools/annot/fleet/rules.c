#include "rules.h"

#include "cli.h"
#include "filter.h"

#include <stdlib.h>
#include <string.h>

#ifdef ANNOT_HAVE_PCRE2
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#endif

enum {
    RULES_MAX = 1000,
    MATCHES = 16,        /* of one rule in one name */
    MATCH_LIMIT = 10000, /* steps of one match: a name has 200 bytes */
    DEPTH_LIMIT = 1000,
    HEAP_LIMIT = 1024 /* KiB */
};

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
    const char *glob, *text, *application; /* in `words` */
#ifdef ANNOT_HAVE_PCRE2
    pcre2_code *code;
#endif
};

struct rules {
    char *words; /* the file, cut up */
    struct rule *rules;
    size_t count;
#ifdef ANNOT_HAVE_PCRE2
    pcre2_match_data *data;
    pcre2_match_context *context;
#endif
};

static bool is_for(const struct rule *rule, const char *application)
{
    return !rule->application || cli_glob(rule->application, application);
}

/* ---- the file ---- */

static bool complain(const char *name, unsigned line, const char *why, const char *what)
{
    fputs("annot triage: ", stderr);
    cli_print(stderr, name, strlen(name));
    fprintf(stderr, ":%u: %s", line, why);
    if (what) {
        fputs(" ", stderr);
        cli_print(stderr, what, strlen(what));
    }
    fputc('\n', stderr);
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

/* "A = B": false without the sign, or without one of the two. */
static bool cut_at_sign(char *line, const char **left, const char **right)
{
    char *sign = strstr(line, " = ");
    if (!sign || sign == line || !sign[3])
        return false;
    *sign = '\0';
    *left = line;
    *right = sign + 3;
    return true;
}

static const char *behind(char *line, const char *word)
{
    const size_t size = strlen(word);
    return strncmp(line, word, size) == 0 ? line + size : NULL;
}

#ifdef ANNOT_HAVE_PCRE2
static bool compile(struct rule *rule, const char *name, unsigned line)
{
    int error;
    PCRE2_SIZE offset;
    PCRE2_UCHAR why[128];
    rule->code = pcre2_compile((PCRE2_SPTR)rule->glob, PCRE2_ZERO_TERMINATED,
                               PCRE2_UTF | PCRE2_NO_AUTO_CAPTURE | PCRE2_NEVER_BACKSLASH_C, &error,
                               &offset, NULL);
    if (rule->code)
        return true;
    pcre2_get_error_message(error, why, sizeof why);
    return complain(name, line, (const char *)why, rule->glob);
}
#else
static bool compile(struct rule *rule, const char *name, unsigned line)
{
    return complain(name, line, "fold needs PCRE2, which this build does not have:", rule->glob);
}
#endif

/* False: no such rule. */
static bool parse_rule(char *line, struct rule *rule)
{
    const char *rest;
    if ((rest = behind(line, "fold ")) && *rest) {
        *rule = (struct rule){.kind = RULE_FOLD, .glob = rest};
        return true;
    }
    if ((rest = behind(line, "ignore scope ")) && *rest) {
        *rule = (struct rule){.kind = RULE_IGNORE_SCOPE, .glob = rest};
        return true;
    }
    if ((rest = behind(line, "same "))) {
        *rule = (struct rule){.kind = RULE_SAME};
        return cut_at_sign(line + 5, &rule->glob, &rule->text);
    }
    if ((rest = behind(line, "title "))) {
        *rule = (struct rule){.kind = RULE_TITLE};
        return cut_at_sign(line + 6, &rule->glob, &rule->text);
    }
    if ((rest = behind(line, "ignore ")) || (rest = behind(line, "split by "))) {
        *rule = (struct rule){.kind = line[0] == 'i' ? RULE_IGNORE : RULE_SPLIT};
        return part_of(rest, &rule->part);
    }
    rest = behind(line, "never merge");
    *rule = (struct rule){.kind = RULE_NEVER, .glob = rest && *rest == ' ' ? rest + 1 : "*"};
    return rest && (!*rest || rest[1]);
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
        return complain(name, number, "too many rules", NULL);
    struct rule *rule = &rules->rules[rules->count];
    if (!parse_rule(line, rule))
        return complain(name, number, "unknown rule:", line);
    if (rule->text && strlen(rule->text) >= RULES_NAME_MAX)
        return complain(name, number, "the name is too long", NULL);
    rule->application = *application;
    rules->count++;
    return rule->kind != RULE_FOLD || compile(rule, name, number);
}

static bool parse_lines(struct rules *rules, const char *name)
{
    const char *application = NULL;
    char *line = rules->words;
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

static bool make_matcher(struct rules *rules)
{
#ifdef ANNOT_HAVE_PCRE2
    rules->data = pcre2_match_data_create(1, NULL);
    rules->context = pcre2_match_context_create(NULL);
    if (!rules->data || !rules->context)
        return false;
    pcre2_set_match_limit(rules->context, MATCH_LIMIT);
    pcre2_set_depth_limit(rules->context, DEPTH_LIMIT);
    pcre2_set_heap_limit(rules->context, HEAP_LIMIT);
#else
    (void)rules;
#endif
    return true;
}

struct rules *rules_parse(const char *text, const char *name)
{
    struct rules *rules = calloc(1, sizeof *rules);
    if (rules) {
        rules->words = strdup(text);
        rules->rules = calloc(RULES_MAX, sizeof *rules->rules);
    }
    if (!rules || !rules->words || !rules->rules || !make_matcher(rules)) {
        cli_fail("triage", name, ANNOT_ERROR_OUT_OF_MEMORY);
        rules_free(rules);
        return NULL;
    }
    if (parse_lines(rules, name))
        return rules;
    rules_free(rules);
    return NULL;
}

void rules_free(struct rules *rules)
{
    if (!rules)
        return;
#ifdef ANNOT_HAVE_PCRE2
    for (size_t i = 0; rules->rules && i < RULES_MAX; i++)
        pcre2_code_free(rules->rules[i].code);
    pcre2_match_data_free(rules->data);
    pcre2_match_context_free(rules->context);
#endif
    free(rules->words);
    free(rules->rules);
    free(rules);
}

/* ---- what they say ---- */

#ifdef ANNOT_HAVE_PCRE2
/* A match that takes too long is none. */
static void fold(const struct rules *rules, const struct rule *rule, char name[RULES_NAME_MAX])
{
    PCRE2_SIZE from = 0;
    for (int i = 0; i < MATCHES; i++) {
        const size_t size = strlen(name);
        const int found =
            pcre2_match(rule->code, (PCRE2_SPTR)name, size, from, 0, rules->data, rules->context);
        const PCRE2_SIZE *at = pcre2_get_ovector_pointer(rules->data);
        if (found < 0 || at[1] <= at[0])
            return;
        memmove(name + at[0] + 1, name + at[1], size - at[1] + 1);
        name[at[0]] = '#';
        from = at[0] + 1;
    }
}
#else
static void fold(const struct rules *rules, const struct rule *rule, char name[RULES_NAME_MAX])
{
    (void)rules, (void)rule, (void)name;
}
#endif

bool rules_name(const struct rules *rules, const char *application, const char *name,
                char out[RULES_NAME_MAX])
{
    snprintf(out, RULES_NAME_MAX, "%s", name);
    for (size_t i = 0; i < rules->count; i++) {
        const struct rule *rule = &rules->rules[i];
        if (rule->kind > RULE_IGNORE_SCOPE || !is_for(rule, application))
            continue;
        if (rule->kind == RULE_FOLD)
            fold(rules, rule, out);
        else if (!cli_glob(rule->glob, out))
            continue;
        else if (rule->kind == RULE_IGNORE_SCOPE)
            return false;
        else
            snprintf(out, RULES_NAME_MAX, "%s", rule->text);
    }
    return true;
}

static bool has_part(const struct rules *rules, enum rule_kind kind, const char *application,
                     annot_part part)
{
    for (size_t i = 0; i < rules->count; i++)
        if (rules->rules[i].kind == kind && rules->rules[i].part == part &&
            is_for(&rules->rules[i], application))
            return true;
    return false;
}

bool rules_ignore(const struct rules *rules, const char *application, annot_part part)
{
    return has_part(rules, RULE_IGNORE, application, part);
}

bool rules_split(const struct rules *rules, const char *application, annot_part part)
{
    return has_part(rules, RULE_SPLIT, application, part);
}

bool rules_may_merge(const struct rules *rules, const char *application, const char *name)
{
    for (size_t i = 0; i < rules->count; i++) {
        const struct rule *rule = &rules->rules[i];
        if (rule->kind == RULE_NEVER && is_for(rule, application) && cli_glob(rule->glob, name))
            return false;
    }
    return true;
}

const char *rules_title(const struct rules *rules, const char *application, const char *names)
{
    char name[RULES_NAME_MAX], ruled[RULES_NAME_MAX];
    for (size_t i = 0; i < rules->count; i++) {
        const struct rule *rule = &rules->rules[i];
        if (rule->kind != RULE_TITLE || !is_for(rule, application))
            continue;
        for (const char *at = names; *at;) {
            const size_t size = strcspn(at, "\n");
            snprintf(name, sizeof name, "%.*s", (int)(size < 255 ? size : 255), at);
            if (rules_name(rules, application, name, ruled) && cli_glob(rule->glob, ruled))
                return rule->text;
            at += size + (at[size] == '\n');
        }
    }
    return NULL;
}
