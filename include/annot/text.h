/* Makes untrusted text safe to print, such as names, paths, and texts of drivers. */
#ifndef ANNOT_TEXT_H
#define ANNOT_TEXT_H

#include "export.h"

#include <stddef.h>

ANNOT_BEGIN_DECLS

typedef enum annot_escape {
    ANNOT_ESCAPE_TEXT, /* \n, \x1b, \u202e, \U000e0001 */
    ANNOT_ESCAPE_JSON  /* escapes of JSON strings: \n, \u001b, \udb40\udc01, \", \\ */
} annot_escape;

#define ANNOT_ESCAPED_MAX 16

/* Converts the first character of UTF-8 text to a form that is safe to print. A character that
 * could control a terminal, break or reorder a line, or be invisible becomes an escape (controls,
 * format and default ignorable characters, separators) [ANN-SEC-06]. Ill-formed bytes become
 * U+FFFD. The function stores at most ANNOT_ESCAPED_MAX bytes without a NUL. It returns the number
 * of bytes of `text` that it used, or 0 at the end. Reports use this function. */
ANNOT_API size_t annot_text_escape(annot_escape how, const char *text, size_t size,
                                   char out[ANNOT_ESCAPED_MAX], size_t *out_size);

ANNOT_END_DECLS

#endif
