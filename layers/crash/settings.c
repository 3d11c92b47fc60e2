#include "settings.h"

#include "duration.h"
#include "environment.h"
#include "live_file.h"
#include "say.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The settings and their values, then the other variables with these prefixes. A number's row has
 * the member's place, the largest number, and the member's value for 1. */
#define AT(member) offsetof(struct crash_settings, member)
#define NONE       0, 0, 0
#define DURATION   "milliseconds, or a time such as 500ms or 2s, up to 86400s"
static const struct {
    const char *key, *values;
    size_t at;
    uint64_t most, unit;
} keys[] = {
    {"level", "low, labels or exact", NONE},
    {"evidence", "auto", NONE},
    {"timeout", DURATION, AT(timeout), DURATION_MAX, DURATION_MS},
    {"wait", DURATION, AT(wait), DURATION_MAX, DURATION_MS},
    {"memory", "MiB, up to 1048576", AT(memory), 1u << 20, 1u << 20},
    {"recover", "MiB, up to 256", AT(recover), LIVE_FILE_MAX >> 20, 1u << 20},
    {"dump", "a path below 1024 bytes", NONE},
    {"quiet", "0 or 1", NONE},
    {"a setting", "level, evidence, timeout, wait, memory, dump, quiet or recover", NONE},
    {"runtime", NULL, NONE},
    {"probe", NULL, NONE},
    {"unknown", NULL, NONE},
    {"dred", NULL, NONE},
    {"enable", NULL, NONE},
    {"disable", NULL, NONE},
};
enum { KEYS = 8, NAMES = sizeof keys / sizeof *keys };

static const char *const level_words[] = {"low", "labels", "exact"};

const char *crash_level_text(enum crash_level level)
{
    return level_words[level];
}

/* Returns the word's place; -1: it is none of the words. */
static int find_word(const char *value, const char *const *words, int count)
{
    while (count-- > 0 && strcmp(value, words[count]) != 0)
        continue;
    return count;
}

static bool read_number(const char *value, uint64_t limit, uint64_t *number)
{
    char *end;
    errno = 0;
    const unsigned long long read = strtoull(value, &end, 10);
    if (!isdigit((unsigned char)*value) || *end || errno || read > limit)
        return false;
    *number = read;
    return true;
}

void crash_settings_init(struct crash_settings *settings)
{
    *settings = (struct crash_settings){
        .level = CRASH_LEVEL_LOW,
        .evidence = CRASH_EVIDENCE_AUTO,
        .timeout = (uint64_t)8 * 1000000000u,
        .wait = (uint64_t)2 * 1000000000u,
        .memory = (uint64_t)256 << 20,
        .dump = "annot-%p.annotdmp",
    };
}

/* Sets a value. False: there is no such setting or value, and nothing changes. */
static bool set(struct crash_settings *settings, const struct crash_evidence_words *known,
                const char *key, const char *value)
{
    const int level = find_word(value, level_words, 3);
    const int evidence = find_word(value, known->words, known->count);
    uint64_t number;
    size_t i = 0;
    while (i < KEYS && (keys[i].most == 0 || strcmp(key, keys[i].key) != 0))
        i++;
    if (strcmp(key, "level") == 0 && level >= 0)
        settings->level = (enum crash_level)level;
    else if (strcmp(key, "evidence") == 0 && strcmp(value, "auto") == 0)
        settings->evidence = CRASH_EVIDENCE_AUTO;
    else if (strcmp(key, "evidence") == 0 && evidence >= 0)
        settings->evidence = evidence;
    else if (i < KEYS && keys[i].unit == DURATION_MS && duration_read(value, DURATION_MS, &number))
        memcpy((char *)settings + keys[i].at, &number, sizeof number);
    else if (i < KEYS && keys[i].unit != DURATION_MS && read_number(value, keys[i].most, &number))
        memcpy((char *)settings + keys[i].at, &(uint64_t){number * keys[i].unit}, sizeof number);
    else if (strcmp(key, "dump") == 0 && *value && strlen(value) < sizeof settings->dump)
        strcpy(settings->dump, value);
    else if (strcmp(key, "quiet") == 0 && read_number(value, 1, &number))
        settings->is_quiet = number != 0;
    else
        return false;
    return true;
}

void crash_settings_take(struct crash_settings *settings, const struct crash_evidence_words *known,
                         const char *where, const char *key, const char *value)
{
    char line[384];
    size_t i = 0;
    if (set(settings, known, key, value))
        return;
    while (i < KEYS && strcmp(keys[i].key, key) != 0)
        i++;
    int size = snprintf(line, sizeof line, "%.80s: '%.80s' is ignored: %s must be %s", where,
                        i < KEYS ? value : key, keys[i].key, keys[i].values);
    for (int k = 0; strcmp(keys[i].key, "evidence") == 0 && k < known->count; k++)
        size += snprintf(line + size, sizeof line - (size_t)size, " or %s", known->words[k]);
    crash_say(settings->is_quiet, line);
}

static bool is_name(const char *name, size_t size)
{
    size_t i = 0;
    while (i < NAMES && (strlen(keys[i].key) != size || strncasecmp(keys[i].key, name, size) != 0))
        i++;
    return i < NAMES;
}

void crash_settings_read(struct crash_settings *settings, const struct crash_evidence_words *known,
                         const char *prefix, const char *(*get)(const char *name))
{
    const size_t start = strlen(prefix);
    char name[64];
    for (size_t i = 0; i < KEYS; i++) {
        snprintf(name, sizeof name, "%s%s", prefix, keys[i].key);
        for (size_t at = start; name[at]; at++)
            name[at] = (char)toupper((unsigned char)name[at]);
        const char *value = get(name);
        if (value && *value)
            crash_settings_take(settings, known, name, keys[i].key, value);
    }
    for (char **all = os_environment_all(); all && *all; all++) {
        const size_t size = strcspn(*all, "=");
        if (strncmp(*all, prefix, start) != 0 || is_name(*all + start, size - start))
            continue;
        snprintf(name, sizeof name, "%.*s", (int)size, *all);
        crash_settings_take(settings, known, name, name + start, "");
    }
}
