/* Splits a settings file into lines. Reader and writer share this code, so the writer keeps exactly
 * the lines that the reader ignores. */
#pragma once

#include "d3dconfig.h"

enum config_line_kind {
    CONFIG_LINE_BLANK, /* an empty line, or a comment that begins with # or ; */
    CONFIG_LINE_CATEGORY,
    CONFIG_LINE_SETTING,
    CONFIG_LINE_APP,
    CONFIG_LINE_UNKNOWN, /* a valid line with a setting or category of a later version */
    CONFIG_LINE_SKIPPED  /* a line without key=value, or with a wrong value */
};

struct config_line {
    enum config_line_kind kind;
    const char *text; /* the text of the line, including its end of line */
    size_t size;
    unsigned number;   /* the line's number, from 1 */
    const char *value; /* the value of a SETTING, APP or UNKNOWN line; SKIPPED: the wrong part */
    size_t value_length;
    emu_category category; /* CATEGORY */
    emu_setting setting; /* the setting of a SETTING line or, if `has_setting`, of a SKIPPED line */
    uint32_t number_value; /* SETTING */
    bool has_setting;
};

struct config_cursor {
    const char *at, *end;
    unsigned number;
    int section; /* an emu_category, or a CONFIG_SECTION_ value */
};

#define CONFIG_SECTION_NONE    (-1) /* lines before the first section; they are for all categories */
#define CONFIG_SECTION_FOREIGN (-2)

/* Sets the cursor to the start of `text`, which must have no NUL bytes. */
void config_cursor_init(struct config_cursor *cursor, const char *text, size_t size);
bool config_cursor_next(struct config_cursor *cursor, struct config_line *line);
