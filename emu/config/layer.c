/* Changing a settings file means: parse it into a layer, change the layer, then go over the old
 * lines once more. A line is copied unless the layer says otherwise. A setting that has no line yet
 * goes behind its section's header. The layer remembers for each of its entries the number of the
 * entry's old line; nothing else connects the two. */
#include "layer.h"
#include "array.h"

#include "line.h"

#include <stdio.h>

/* ---- text to model ---- */

static void quote(const struct config_line *line, char *buffer, size_t capacity)
{
    size_t size = 0;
    for (; size < line->value_length && size + 1 < capacity; size++) {
        const unsigned char c = (unsigned char)line->value[size];
        buffer[size] = c < 0x20 || c == 0x7F ? '?' : (char)c;
    }
    buffer[size] = '\0';
}

static void note_skipped(struct config_layer *layer, const struct config_line *line)
{
    char text[48], values[64];
    if (layer->skipped++ > 0)
        return;
    quote(line, text, sizeof text);
    if (line->has_setting) {
        emu_setting_values(line->setting, values, sizeof values);
        snprintf(layer->problem, sizeof layer->problem,
                 "line %u: %s takes %s, not '%s'; the line is ignored", line->number,
                 emu_setting_describe(line->setting)->key, values, text);
    } else {
        snprintf(layer->problem, sizeof layer->problem,
                 "line %u: '%s' is not a setting; the line is ignored: correct or delete it",
                 line->number, text);
    }
}

static bool read_line(struct config_layer *layer, const struct config_line *line)
{
    switch (line->kind) {
    case CONFIG_LINE_BLANK:
        break;
    case CONFIG_LINE_CATEGORY:
        if (line->category == EMU_CATEGORY_APPS)
            layer->has_apps = true;
        break;
    case CONFIG_LINE_SETTING:
        layer->has[line->setting] = true;
        layer->value[line->setting] = line->number_value;
        layer->line[line->setting] = line->number;
        break;
    case CONFIG_LINE_APP:
        return config_layer_add_app(layer, line->value, line->value_length, line->number, false);
    case CONFIG_LINE_UNKNOWN:
        layer->unknown++;
        break;
    case CONFIG_LINE_SKIPPED:
        note_skipped(layer, line);
        break;
    }
    return true;
}

static enum config_layer_result give_up(struct config_layer *layer, enum config_layer_result result,
                                        const char *why, unsigned line)
{
    config_layer_finish(layer);
    memset(layer, 0, sizeof *layer);
    if (line > 0)
        snprintf(layer->problem, sizeof layer->problem, "line %u: %s", line, why);
    else
        snprintf(layer->problem, sizeof layer->problem, "%s", why);
    return result;
}

enum config_layer_result config_layer_parse(struct config_layer *layer, const char *text,
                                            size_t size)
{
    struct config_cursor cursor;
    struct config_line line;
    memset(layer, 0, sizeof *layer);
    if (size > EMU_CONFIG_MAX_FILE_SIZE)
        return give_up(layer, CONFIG_LAYER_DAMAGED,
                       "a settings file must have at most 1 MiB; move this file away", 0);
    if (size > 0 && memchr(text, '\0', size))
        return give_up(layer, CONFIG_LAYER_DAMAGED,
                       "a settings file must have no NUL bytes; move this file away", 0);
    config_cursor_init(&cursor, text, size);
    while (config_cursor_next(&cursor, &line)) {
        if (line.size > EMU_CONFIG_MAX_LINE)
            return give_up(layer, CONFIG_LAYER_DAMAGED,
                           "longer than 8192 bytes; correct or delete it", line.number);
        if (read_line(layer, &line))
            continue;
        if (layer->app_count == EMU_CONFIG_MAX_APPS)
            return give_up(layer, CONFIG_LAYER_DAMAGED,
                           "the list may have at most 1024 entries; use folders", line.number);
        return give_up(layer, CONFIG_LAYER_OUT_OF_MEMORY, "out of memory", 0);
    }
    return CONFIG_LAYER_OK;
}

/* ---- the list of applications ---- */

void config_layer_clear_apps(struct config_layer *layer)
{
    for (size_t i = 0; i < layer->app_count; i++)
        free(layer->apps[i].name);
    layer->app_count = 0;
}

void config_layer_finish(struct config_layer *layer)
{
    config_layer_clear_apps(layer);
    free(layer->apps);
}

static size_t find_app(const struct config_layer *layer, const char *name, size_t length)
{
    size_t i = 0;
    while (i < layer->app_count && (strlen(layer->apps[i].name) != length ||
                                    memcmp(layer->apps[i].name, name, length) != 0))
        i++;
    return i;
}

bool config_layer_has_app(const struct config_layer *layer, const char *name)
{
    return find_app(layer, name, strlen(name)) < layer->app_count;
}

bool config_layer_add_app(struct config_layer *layer, const char *name, size_t length,
                          unsigned line, bool in_front)
{
    layer->has_apps = true;
    if (find_app(layer, name, length) < layer->app_count)
        return true;
    const bool has_room = layer->app_count < EMU_CONFIG_MAX_APPS &&
                          ARRAY_ROOM(layer->apps, layer->app_count, layer->app_capacity);
    char *copy = has_room ? malloc(length + 1) : NULL;
    if (!copy)
        return false;
    memcpy(copy, name, length);
    copy[length] = '\0';
    const size_t at = in_front ? 0 : layer->app_count;
    memmove(layer->apps + at + 1, layer->apps + at, (layer->app_count - at) * sizeof *layer->apps);
    layer->apps[at] = (emu_app){copy, line};
    layer->app_count++;
    return true;
}

void config_layer_remove_app(struct config_layer *layer, const char *name)
{
    const size_t at = find_app(layer, name, strlen(name));
    if (at == layer->app_count)
        return;
    free(layer->apps[at].name);
    layer->app_count--;
    memmove(layer->apps + at, layer->apps + at + 1, (layer->app_count - at) * sizeof *layer->apps);
}

/* ---- model to text ---- */

struct text {
    char *bytes;
    size_t size, capacity;
    bool failed;
};

static void append(struct text *text, const char *bytes, size_t size)
{
    if (text->failed)
        return;
    if (!ARRAY_RESERVE(text->bytes, text->capacity, text->size + size)) {
        text->failed = true;
        return;
    }
    if (size > 0)
        memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
}

struct rewriting {
    const struct config_layer *layer;
    struct text out;
    const char *end_of_line;
    bool has_section[EMU_CATEGORY_COUNT]; /* and the new lines of the category in the section */
};

static void append_text(struct rewriting *r, const char *text)
{
    append(&r->out, text, strlen(text));
}

static void append_line(struct rewriting *r, const char *key, const char *value)
{
    append_text(r, key);
    append_text(r, "=");
    append_text(r, value);
    append_text(r, r->end_of_line);
}

static void append_setting(struct rewriting *r, emu_setting setting)
{
    char value[32];
    emu_setting_format(setting, r->layer->value[setting], value, sizeof value);
    append_line(r, emu_setting_describe(setting)->key, value);
}

static bool is_new(const struct config_layer *layer, emu_category category, int setting)
{
    return emu_setting_describe((emu_setting)setting)->category == category &&
           layer->has[setting] && layer->line[setting] == 0;
}

static void append_new(struct rewriting *r, emu_category category)
{
    const struct config_layer *layer = r->layer;
    if (r->has_section[category])
        return;
    r->has_section[category] = true;
    for (size_t i = 0; category == EMU_CATEGORY_APPS && i < layer->app_count; i++)
        if (layer->apps[i].line == 0)
            append_line(r, "app", layer->apps[i].name);
    for (int i = 0; i < EMU_SETTING_COUNT; i++)
        if (is_new(layer, category, i))
            append_setting(r, (emu_setting)i);
}

static bool has_new(const struct config_layer *layer, emu_category category)
{
    bool has = category == EMU_CATEGORY_APPS && layer->has_apps &&
               (layer->app_count == 0 || layer->apps[0].line == 0);
    for (int i = 0; i < EMU_SETTING_COUNT; i++)
        has |= is_new(layer, category, i);
    return has;
}

static void append_section(struct rewriting *r, emu_category category)
{
    if (r->out.size > 0)
        append_text(r, r->end_of_line);
    append_text(r, "[");
    append_text(r, emu_category_name(category));
    append_text(r, "]");
    append_text(r, r->end_of_line);
    append_new(r, category);
}

static void keep(struct rewriting *r, const struct config_line *line)
{
    append(&r->out, line->text, line->size);
    if (line->size > 0 && line->text[line->size - 1] != '\n')
        append_text(r, r->end_of_line);
}

static bool is_app_of_line(const struct config_layer *layer, unsigned number)
{
    for (size_t i = 0; i < layer->app_count; i++)
        if (layer->apps[i].line == number)
            return true;
    return false;
}

static void rewrite_line(struct rewriting *r, const struct config_line *line)
{
    const struct config_layer *layer = r->layer;
    switch (line->kind) {
    case CONFIG_LINE_CATEGORY:
        if (line->category == EMU_CATEGORY_APPS && !layer->has_apps)
            break;
        keep(r, line);
        append_new(r, line->category);
        break;
    case CONFIG_LINE_SETTING:
        if (!layer->has[line->setting])
            break;
        if (layer->line[line->setting] == line->number &&
            layer->value[line->setting] != line->number_value)
            append_setting(r, line->setting);
        else
            keep(r, line);
        break;
    case CONFIG_LINE_APP:
        if (is_app_of_line(layer, line->number))
            keep(r, line);
        break;
    case CONFIG_LINE_SKIPPED:
        if (!line->has_setting || !layer->touched[line->setting])
            keep(r, line);
        break;
    case CONFIG_LINE_BLANK:
    case CONFIG_LINE_UNKNOWN:
        keep(r, line);
        break;
    }
}

char *config_layer_rewrite(const struct config_layer *layer, const char *old, size_t old_size,
                           size_t *size)
{
    struct rewriting r = {.layer = layer, .end_of_line = "\n"};
    struct config_cursor cursor;
    struct config_line line;
    append(&r.out, "", 1); /* so that an empty file is not NULL */
    r.out.size = 0;
    config_cursor_init(&cursor, old, old_size);
    while (config_cursor_next(&cursor, &line)) {
        if (line.number == 1 && line.size >= 2 && line.text[line.size - 2] == '\r')
            r.end_of_line = "\r\n";
        rewrite_line(&r, &line);
    }
    for (int i = 0; i < EMU_CATEGORY_COUNT; i++)
        if (!r.has_section[i] && has_new(layer, (emu_category)i))
            append_section(&r, (emu_category)i);
    if (r.out.failed) {
        free(r.out.bytes);
        return NULL;
    }
    *size = r.out.size;
    return r.out.bytes;
}
