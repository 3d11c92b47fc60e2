/* A user's settings for a crash layer of any API. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Says for which markers the GPU writes breadcrumbs. The dump has the other markers, too, but their
 * state is unknown. */
enum crash_level {
    CRASH_LEVEL_LOW,    /* the outermost markers, and begin and end of lists */
    CRASH_LEVEL_LABELS, /* all markers */
    CRASH_LEVEL_EXACT   /* breadcrumbs for all markers, and for every command that does work */
};

enum { CRASH_EVIDENCE_AUTO = -1 };

struct crash_settings {
    enum crash_level level;
    int evidence; /* the strongest kind of evidence that the layer may use, as the layer's number,
                     or CRASH_EVIDENCE_AUTO */
    uint64_t timeout; /* ns without progress until a dump is written; 0: never */
    uint64_t wait;    /* longest time in ns that a thread waits for another thread's dump */
    uint64_t memory;  /* limit in bytes of all markers that the layer keeps */
    uint64_t recover; /* largest size in bytes of the file for `annot recover`; 0: no file */
    char dump[1024];  /* a pattern for annot_dump_path */
    bool is_quiet;    /* whether the layer writes nothing to stderr */
};

/* A user's words for the layer's kinds of evidence; the word for the best kind is first. */
struct crash_evidence_words {
    const char *const *words;
    int count;
};

void crash_settings_init(struct crash_settings *settings);

/* Applies a setting; `where` says where the setting was found. If the setting or its value doesn't
 * exist, nothing changes, and the function prints a line to stderr. */
void crash_settings_take(struct crash_settings *settings, const struct crash_evidence_words *known,
                         const char *where, const char *key, const char *value);

/* Takes all settings from the environment. `prefix` is "ANNOT_D3D12_" for ANNOT_D3D12_LEVEL. Prints
 * a line about unknown names with the prefix. `get` returns a variable or NULL. */
void crash_settings_read(struct crash_settings *settings, const struct crash_evidence_words *known,
                         const char *prefix, const char *(*get)(const char *name));

const char *crash_level_text(enum crash_level level); /* "low"; static */
