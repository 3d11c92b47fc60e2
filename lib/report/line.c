/* Writes a sentence into a buffer. */
#include "report/line.h"
#include "hang/hang.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    NAME_SHOWN = 80, /* bytes */
    OUTER_SHOWN = 2, /* number of outer scopes shown of a long path */
    INNER_SHOWN = 5
};

void annot__line_init(struct annot__line *line, const annot_reader *reader, char *to,
                      size_t capacity)
{
    *line = (struct annot__line){
        .reader = reader, .words = annot__words_of(reader), .to = to, .capacity = capacity};
    to[0] = 0;
}

static void put(struct annot__line *line, const char *text, size_t size)
{
    annot__printable_add(line->to, &line->capacity, &line->size, text, size);
}

void annot__line_say(struct annot__line *line, const char *words)
{
    put(line, words, strlen(words));
}

void annot__line_format(struct annot__line *line, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    const int size = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (size > 0)
        put(line, text, (size_t)size < sizeof text ? (size_t)size : sizeof text - 1);
}

static void put_name(struct annot__line *line, const struct annot__name *name)
{
    char shown[NAME_SHOWN + 1];
    char piece[ANNOT_ESCAPED_MAX];
    size_t piece_size, at = 0, size = 0;
    while (at < name->size) {
        const size_t taken = annot_text_escape(ANNOT_ESCAPE_TEXT, name->text + at, name->size - at,
                                               piece, &piece_size);
        if (line->is_in_quotes &&
            *piece == '"') { /* a name's quote must not end the line's quotes */
            piece[0] = '\\';
            piece[1] = '"';
            piece_size = 2;
        }
        if (size + piece_size > NAME_SHOWN)
            break;
        memcpy(shown + size, piece, piece_size);
        size += piece_size;
        at += taken;
    }
    put(line, shown, size);
    if (at < name->size || name->is_cut)
        put(line, "...", 3);
}

void annot__line_text(struct annot__line *line, annot_text text)
{
    char buffer[1024];
    struct annot__name name;
    annot__name_of_text(text, buffer, sizeof buffer, &name);
    put_name(line, &name);
}

void annot__line_entry(struct annot__line *line, uint32_t entry)
{
    char buffer[1024];
    struct annot__name name;
    annot__name_of_entry(line->reader, entry, buffer, sizeof buffer, &name);
    put_name(line, &name);
    if (name.payload == ANNOT_PAYLOAD_CHANGED)
        annot__line_say(line, " (changed since it was recorded)");
}

static void quote(struct annot__line *line, bool is_open)
{
    line->is_in_quotes = is_open && !line->is_typographic;
    const char *typographic = is_open ? "\xe2\x80\x9c" : "\xe2\x80\x9d";
    annot__line_say(line, line->is_typographic ? typographic : "\"");
}

void annot__line_quoted_entry(struct annot__line *line, uint32_t entry)
{
    quote(line, true);
    annot__line_entry(line, entry);
    quote(line, false);
}

void annot__line_called(struct annot__line *line, struct annot__called_object object)
{
    if (object.name.size == 0) {
        annot__line_format(line, "#%llu", (unsigned long long)object.id);
        return;
    }
    quote(line, true);
    annot__line_text(line, object.name);
    annot__line_say(line, object.is_name_cut ? "..." : "");
    quote(line, false);
}

static void say_path(struct annot__line *line, const struct annot__path *path, uint32_t first)
{
    const uint32_t shown = first + OUTER_SHOWN + INNER_SHOWN;
    const uint32_t left_out = path->count > shown ? path->count - shown : 0;
    for (uint32_t i = first; i < path->count; i++) {
        if (left_out > 0 && i == first + OUTER_SHOWN) {
            annot__line_format(line, " / ... %llu more ...",
                               (unsigned long long)(path->gap + left_out));
            i += left_out;
        }
        annot__line_say(line, i > first ? " / " : "");
        annot__line_entry(line, path->entries[i]);
    }
}

bool annot__line_path(struct annot__line *line, const annot_reader_suspect *suspect, bool is_front)
{
    struct annot__path path, oldest;
    uint32_t first = 0;
    annot__suspect_path(line->reader, suspect, is_front, &path);
    if (path.count > 0 && suspect->is_call)
        path.count--;
    bool is_said = path.count > 0;
    if (is_front && annot__stop_of(line->reader, suspect)->oldest != ANNOT__NONE) {
        annot__suspect_path(line->reader, suspect, false, &oldest);
        say_path(line, &oldest, 0);
        while (first < path.count && first < oldest.count &&
               path.entries[first] == oldest.entries[first])
            first++;
        annot__line_say(line, ", or in later work");
        annot__line_say(line, first == path.count ? "" : " up to ");
        is_said = true;
    }
    say_path(line, &path, first);
    return is_said;
}
