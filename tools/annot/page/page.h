/* Parts of annot html: a template, and the packed data that replaces a mark in the template. */
#pragma once

#include "cli.h"

/* The templates, which end in NUL. The page of one dump has the marks @ENCODING@ and @DATA@; the
 * page of many dumps has @DATA@. The build makes both from tools/annot/page and fleet/triage.html.
 */
extern const char page_template[], triage_template[];

/* Writes a template up to `mark`. Returns the template's rest after the mark. */
const char *page_write_up_to(const char *template, const char *mark, FILE *file);

/* Makes the data for the page's script: the size of a JSON text as u32, the text, and at multiples
 * of 8 the columns that the text names. Numbers are little-endian. `dump` is the dump's path for
 * commands, or NULL. Returns false if memory runs out. Defined in page_data.c. */
bool page_data(const annot_reader *reader, const char *dump, struct cli_bytes *out);

/* Returns how page_pack encodes bytes: "deflate", or "identity" in a build without zlib. */
const char *page_encoding(void);
/* Compresses the bytes and writes them to a file as base64. Returns false if memory ran out, or the
 * file could not be written. */
bool page_pack(const struct cli_bytes *bytes, FILE *file);
