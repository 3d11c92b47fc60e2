#include "settings.h"

#include "say.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const level_words[] = {"low", "labels", "exact"};

const char *crash_level_text(enum crash_level level)
{
    return level_words[level];
}

static bool find_word(const char *value, const char *const *words, int count, int *found)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(value, words[i]) == 0) {
            *found = i;
            return true;
        }
    }
    return false;
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

/* False, and nothing changes: there is no such setting, or no such value. */
static bool set(struct crash_settings *settings, const struct crash_evidence_words *known,
                const char *key, const char *value)
{
    int word;
    uint64_t number;
    if (strcmp(key, "level") == 0 && find_word(value, level_words, 3, &word)) {
        settings->level = (enum crash_level)word;
        return true;
    }
    if (strcmp(key, "evidence") == 0 && strcmp(value, "auto") == 0) {
        settings->evidence = CRASH_EVIDENCE_AUTO;
        return true;
    }
    if (strcmp(key, "evidence") == 0 && find_word(value, known->words, known->count, &word)) {
        settings->evidence = word;
        return true;
    }
    if (strcmp(key, "timeout") == 0 && read_number(value, 86400000, &number)) {
        settings->timeout = number * 1000000u;
        return true;
    }
    if (strcmp(key, "wait") == 0 && read_number(value, 86400000, &number)) {
        settings->wait = number * 1000000u;
        return true;
    }
    if (strcmp(key, "memory") == 0 && read_number(value, 1u << 20, &number)) {
        settings->memory = number << 20;
        return true;
    }
    if (strcmp(key, "dump") == 0 && *value && strlen(value) < sizeof settings->dump) {
        strcpy(settings->dump, value);
        return true;
    }
    if (strcmp(key, "quiet") == 0 && read_number(value, 1, &number)) {
        settings->is_quiet = number != 0;
        return true;
    }
    return false;
}

void crash_settings_take(struct crash_settings *settings, const struct crash_evidence_words *known,
                         const char *where, const char *key, const char *value)
{
    char line[256];
    if (set(settings, known, key, value))
        return;
    snprintf(line, sizeof line, "%s: no setting '%.40s' takes the value '%.80s'; it is ignored",
             where, key, value);
    crash_say(settings->is_quiet, line);
}

void crash_settings_read(struct crash_settings *settings, const struct crash_evidence_words *known,
                         const char *prefix, const char *(*get)(const char *name))
{
    static const char *const keys[] = {"level",  "evidence", "timeout", "wait",
                                       "memory", "dump",     "quiet"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char name[64];
        const size_t length = (size_t)snprintf(name, sizeof name, "%s%s", prefix, keys[i]);
        for (size_t at = strlen(prefix); at < length && at < sizeof name; at++)
            name[at] = (char)toupper((unsigned char)name[at]);
        const char *value = get(name);
        if (value && *value)
            crash_settings_take(settings, known, name, keys[i], value);
    }
}
