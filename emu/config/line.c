/* The file's grammar, a line at a time:
 *
 *     # comment            ; comment
 *     [device]                              the lines below belong to a category
 *     force-warp=true                       the same words as on d3dconfig's command line
 *     [apps]
 *     app=/games/meadow/                    one line an application
 *
 * White space around lines, keys and values is ignored. Settings of any category may come before
 * the first section. */
#include "line.h"

#include <string.h>

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void trim(const char **text, size_t *length)
{
    while (*length > 0 && is_space(**text)) {
        ++*text;
        --*length;
    }
    while (*length > 0 && is_space((*text)[*length - 1]))
        --*length;
}

static bool has_control(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < 0x20 || text[i] == 0x7F)
            return true;
    return false;
}

void config_cursor_init(struct config_cursor *cursor, const char *text, size_t size)
{
    *cursor = (struct config_cursor){text, text + size, 0, CONFIG_SECTION_NONE};
}

static enum config_line_kind read_section(struct config_cursor *cursor, struct config_line *line)
{
    if (line->value_length < 2 || line->value[line->value_length - 1] != ']') {
        cursor->section = CONFIG_SECTION_FOREIGN;
        return CONFIG_LINE_SKIPPED;
    }
    line->value++;
    line->value_length -= 2;
    trim(&line->value, &line->value_length);
    if (!emu_category_find(line->value, line->value_length, &line->category)) {
        cursor->section = CONFIG_SECTION_FOREIGN;
        return CONFIG_LINE_UNKNOWN;
    }
    cursor->section = (int)line->category;
    return CONFIG_LINE_CATEGORY;
}

static bool may_stand(const struct config_cursor *cursor, emu_category category)
{
    return cursor->section == CONFIG_SECTION_NONE || cursor->section == (int)category;
}

static enum config_line_kind read_pair(const struct config_cursor *cursor, struct config_line *line)
{
    const char *key = line->value;
    const char *equals = memchr(key, '=', line->value_length);
    if (cursor->section == CONFIG_SECTION_FOREIGN)
        return CONFIG_LINE_UNKNOWN;
    if (!equals || equals == key)
        return CONFIG_LINE_SKIPPED;
    size_t key_length = (size_t)(equals - key), value_length = line->value_length - key_length - 1;
    const char *value = equals + 1;
    trim(&key, &key_length);
    trim(&value, &value_length);

    if (key_length == 3 && memcmp(key, "app", 3) == 0) {
        if (!may_stand(cursor, EMU_CATEGORY_APPS) || value_length == 0)
            return CONFIG_LINE_SKIPPED;
        line->value = value;
        line->value_length = value_length;
        return CONFIG_LINE_APP;
    }
    if (!emu_setting_find(key, key_length, &line->setting))
        return CONFIG_LINE_UNKNOWN;
    if (!may_stand(cursor, emu_setting_describe(line->setting)->category))
        return CONFIG_LINE_SKIPPED;
    line->has_setting = true;
    line->value = value;
    line->value_length = value_length;
    return emu_setting_parse(line->setting, value, value_length, &line->number_value)
               ? CONFIG_LINE_SETTING
               : CONFIG_LINE_SKIPPED;
}

bool config_cursor_next(struct config_cursor *cursor, struct config_line *line)
{
    if (cursor->at == cursor->end)
        return false;
    const char *newline = memchr(cursor->at, '\n', (size_t)(cursor->end - cursor->at));
    const char *next = newline != NULL ? newline + 1 : cursor->end;
    *line = (struct config_line){.text = cursor->at,
                                 .size = (size_t)(next - cursor->at),
                                 .number = ++cursor->number,
                                 .value = cursor->at,
                                 .value_length = (size_t)(next - cursor->at)};
    cursor->at = next;
    /* Skips an editor's byte order mark, on any line, because lines above may be removed. */
    if (line->size >= 3 && memcmp(line->text, "\xEF\xBB\xBF", 3) == 0) {
        line->value += 3;
        line->value_length -= 3;
    }
    trim(&line->value, &line->value_length);
    if (line->value_length == 0 || line->value[0] == '#' || line->value[0] == ';')
        line->kind = CONFIG_LINE_BLANK;
    else if (has_control(line->value, line->value_length))
        line->kind = CONFIG_LINE_SKIPPED;
    else if (line->value[0] == '[')
        line->kind = read_section(cursor, line);
    else
        line->kind = read_pair(cursor, line);
    return true;
}
