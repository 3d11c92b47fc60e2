/* Breaks lines at a terminal's width: at a space, or inside a word that is too long. The next row
 * has four more columns of indentation than the line, and repeats the guides of a drawn tree.
 * Escape sequences take no column, wide characters of East Asia take two. */
#include "report/wrap.h"
#include "base/utf.h"

#include <string.h>

enum { HANG = 4 };

static bool is_wide(uint32_t c)
{
    static const uint32_t ranges[][2] = {{0x1100, 0x115F},   {0x2E80, 0xA4CF},   {0xAC00, 0xD7A3},
                                         {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},
                                         {0xFFE0, 0xFFE6},   {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF},
                                         {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (c >= ranges[i][0] && c <= ranges[i][1])
            return true;
    return false;
}

uint32_t annot__wrap_step(const char *line, size_t size, size_t *at)
{
    if (line[*at] == '\x1b') {
        while (*at < size && line[*at] != 'm')
            ++*at;
        *at += *at < size;
        return 0;
    }
    return is_wide(annot__utf8_next(line, size, at)) ? 2 : 1;
}

/* Finds the line's indentation: spaces and a tree's guides. Returns the number of bytes. */
static size_t indentation(const char *line, size_t size, uint32_t *columns)
{
    static const char guide[] = "\xe2\x94\x82";
    size_t at = 0;
    *columns = 0;
    while (at < size) {
        bool is_guide = strncmp(line + at, guide, 3) == 0; /* UTF-8 is whole */
        if (line[at] != ' ' && line[at] != '\x1b' && !is_guide)
            break;
        *columns += annot__wrap_step(line, size, &at);
    }
    return at;
}

static bool put(struct annot__wrap *wrap, const char *bytes, size_t size)
{
    return size == 0 || wrap->to->write(wrap->to->user, bytes, size);
}

/* Writes the line's bytes from `from` to `to`, which end a row. */
static bool put_row(struct annot__wrap *wrap, size_t from, size_t to)
{
    while (to > from && wrap->line[to - 1] == ' ')
        to--;
    return put(wrap, wrap->line + from, to - from) && put(wrap, "\n", 1);
}

static bool put_line(struct annot__wrap *wrap)
{
    uint32_t indent, column = 0;
    while (wrap->used > 0 && wrap->line[wrap->used - 1] == ' ')
        wrap->used--;
    size_t prefix = indentation(wrap->line, wrap->used, &indent);
    size_t row = 0, space = 0;
    if (indent + HANG > wrap->width / 2)
        indent = 0, prefix = 0;
    for (size_t at = 0; at < wrap->used;) {
        size_t before = at;
        bool is_space = wrap->line[at] == ' ';
        uint32_t columns = annot__wrap_step(wrap->line, wrap->used, &at);
        if (is_space && column > indent + HANG) /* behind the indentation */
            space = before;
        if (column + columns <= wrap->width) {
            column += columns;
            continue;
        }
        size_t end = space > row ? space : before;
        if (!put_row(wrap, row, end) || !put(wrap, wrap->line, prefix) || !put(wrap, "    ", HANG))
            return false;
        for (row = end; wrap->line[row] == ' ';) /* the last byte is no space */
            row++;
        at = row;
        column = indent + HANG;
    }
    bool is_written = put(wrap, wrap->line + row, wrap->used - row) && put(wrap, "\n", 1);
    wrap->used = 0;
    return is_written;
}

bool annot__wrap_write(void *user, const void *data, size_t size)
{
    struct annot__wrap *wrap = user;
    const char *bytes = data;
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] == '\n') {
            if (!put_line(wrap))
                return false;
            continue;
        }
        if (wrap->used == sizeof wrap->line) {
            if (!put(wrap, wrap->line, wrap->used))
                return false;
            wrap->used = 0;
        }
        wrap->line[wrap->used++] = bytes[i];
    }
    return true;
}
