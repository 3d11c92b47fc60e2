/* Makes foreign text safe to print: names and payloads of applications, paths, words of drivers. */
#ifndef ANNOT_TEXT_H
#define ANNOT_TEXT_H

#include "export.h"

#include <stddef.h>

ANNOT_BEGIN_DECLS

typedef enum annot_escape {
    ANNOT_ESCAPE_TEXT, /* \n, \x1b, \u202e, \U000e0001 */
    ANNOT_ESCAPE_JSON /* for JSON strings: \n, \u001b, \udb40\udc01; also for quotes and backslashes
                       */
} annot_escape;

#define ANNOT_ESCAPED_MAX 16

/* Converts the first character of UTF-8 text to a form that is safe to print. A character that
 * would control a terminal, break or reorder a line, or be invisible becomes an escape (controls,
 * format and default ignorable characters, separators) [ANN-SEC-06]. Ill-formed parts become
 * U+FFFD. Stores at most ANNOT_ESCAPED_MAX bytes without a NUL; returns how many bytes of the text
 * it used, or 0 at the end. Every report of this library uses it. */
ANNOT_API size_t annot_text_escape(annot_escape how, const char *text, size_t size,
                                   char out[ANNOT_ESCAPED_MAX], size_t *out_size);

ANNOT_END_DECLS

#endif
