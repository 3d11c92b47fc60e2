/* A settings file as a sequence of lines. Reader and writer share this code, so the writer keeps
 * exactly the lines that the reader ignores. */
#pragma once

#include "d3dconfig.h"

enum config_line_kind {
    CONFIG_LINE_BLANK, /* an empty line, or a comment, which begins with # or ; */
    CONFIG_LINE_CATEGORY,
    CONFIG_LINE_SETTING,
    CONFIG_LINE_APP,
    CONFIG_LINE_UNKNOWN, /* well formed: a setting or category of a later version */
    CONFIG_LINE_SKIPPED  /* a line that isn't understood: no key=value, or a wrong value */
};

struct config_line {
    enum config_line_kind kind;
    const char *text; /* the line with its end of line */
    size_t size;
    unsigned number;   /* the line's number, from 1 */
    const char *value; /* SETTING, APP, UNKNOWN; SKIPPED: the wrong part */
    size_t value_length;
    emu_category category; /* CATEGORY */
    emu_setting setting;   /* for SETTING, and for SKIPPED if has_setting: its value is wrong */
    uint32_t number_value; /* SETTING */
    bool has_setting;
};

struct config_cursor {
    const char *at, *end;
    unsigned number;
    int section; /* an emu_category or one of the two below */
};

#define CONFIG_SECTION_NONE    (-1) /* before the first section: settings of all categories */
#define CONFIG_SECTION_FOREIGN (-2)

/* Sets the cursor to the start of a text, which has no NUL bytes. */
void config_cursor_init(struct config_cursor *cursor, const char *text, size_t size);
bool config_cursor_next(struct config_cursor *cursor, struct config_line *line);
