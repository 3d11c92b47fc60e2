/* Writes a sentence into a buffer. Names are shortened and escaped; text that doesn't fit is
 * cut. */
#pragma once

#include "report/report.h"

struct annot__line {
    const annot_reader *reader;
    const struct annot__words *words;
    bool is_typographic; /* quotes */
    bool is_in_quotes;   /* whether the line is inside plain quotes, so that quotes in names are
                            escaped */
    char *to;
    size_t capacity, size;
};

/* Begins a line in the buffer `to`. `capacity` is not 0. */
void annot__line_init(struct annot__line *line, const annot_reader *reader, char *to,
                      size_t capacity);

void annot__line_say(struct annot__line *line, const char *words);
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void annot__line_format(struct annot__line *line, const char *format, ...);
/* Writes the beginning of a dump's text. */
void annot__line_text(struct annot__line *line, annot_text text);
void annot__line_entry(struct annot__line *line, uint32_t entry);
void annot__line_quoted_entry(struct annot__line *line, uint32_t entry);
/* "Name" or #12. */
void annot__line_called(struct annot__line *line, struct annot__called_object object);
/* Writes the scopes around a suspect, and if `is_front`, how far the front end is ahead. The middle
 * of a long path, and a layer's scope around the operation, are left out. Returns false if no scope
 * is left. */
bool annot__line_path(struct annot__line *line, const annot_reader_suspect *suspect, bool is_front);
