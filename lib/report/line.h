/* Writes a sentence into a buffer. Names are shortened and escaped. Text that doesn't fit is
 * cut. */
#pragma once

#include "report/report.h"

struct annot__line {
    const annot_reader *reader;
    const struct annot__words *words;
    bool is_typographic; /* quotes */
    bool is_in_quotes;   /* a plain quote (") is open, so names escape their quotes */
    char *to;
    size_t capacity, size;
};

/* Begins a line in the buffer `to` of `capacity` bytes, at least 1. */
void annot__line_init(struct annot__line *line, const annot_reader *reader, char *to,
                      size_t capacity);

void annot__line_say(struct annot__line *line, const char *words);
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void annot__line_format(struct annot__line *line, const char *format, ...);
/* Writes a text of the dump; a long text is cut. */
void annot__line_text(struct annot__line *line, annot_text text);
void annot__line_entry(struct annot__line *line, uint32_t entry);
void annot__line_quoted_entry(struct annot__line *line, uint32_t entry);
/* "Name" or #12. */
void annot__line_called(struct annot__line *line, struct annot__called_object object);
/* Writes the path of a suspect and, if `is_front`, how far ahead the GPU's front end is. Leaves out
 * the middle of a long path, and a scope that a layer put around the operation. Returns false if no
 * scope is left. */
bool annot__line_path(struct annot__line *line, const annot_reader_suspect *suspect, bool is_front);
