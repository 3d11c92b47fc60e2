/* A sentence in a buffer: our words, and names of the dump, which are short and inert. Text that
 * doesn't fit is cut. */
#pragma once

#include "report/report.h"

struct annot__line {
    const annot_reader *reader;
    const struct annot__words *words;
    bool is_typographic; /* quotes */
    bool is_in_quotes;   /* plain ones, that names may have, too */
    char *to;
    size_t capacity, size;
};

/* `capacity` is not 0. */
void annot__line_init(struct annot__line *line, const annot_reader *reader, char *to,
                      size_t capacity);

void annot__line_say(struct annot__line *line, const char *words);
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void annot__line_format(struct annot__line *line, const char *format, ...);
/* The beginning of a name. */
void annot__line_text(struct annot__line *line, annot_text text);
void annot__line_entry(struct annot__line *line, uint32_t entry);
void annot__line_quoted_entry(struct annot__line *line, uint32_t entry);
/* "Name" or #12. */
void annot__line_called(struct annot__line *line, struct annot__called_object object);
/* The scopes around a suspect, of the front end to `is_front`, without the middle of a long path
 * and without a layer's own around the operation. False means none is left. */
bool annot__line_path(struct annot__line *line, const annot_reader_suspect *suspect, bool is_front);
