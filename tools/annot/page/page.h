/* The parts of annot html: a template, and the packed data that is put into it. */
#pragma once

#include "cli.h"

/* The templates, NUL-terminated: the page of one dump with the marks @ENCODING@ and @DATA@, and
 * that of many dumps with @DATA@. The build makes them from tools/annot/page and
 * fleet/triage.html. */
extern const char page_template[], triage_template[];

/* Writes a template up to `mark`, and returns the rest behind it. */
const char *page_write_up_to(const char *template, const char *mark, FILE *file);

/* page_data.c: makes the data of the page's script: u32 size of a JSON text, the text, and at
 * multiples of 8 the columns that it names, little-endian. `dump` is the dump's path for commands,
 * or NULL. False means out of memory. */
bool page_data(const annot_reader *reader, const char *dump, struct cli_bytes *out);

/* page_pack.c: how page_pack encodes: "deflate", or "identity" in a build without zlib. */
const char *page_encoding(void);
/* Packs the bytes and writes them to a file as base64. False means out of memory, or the file can't
 * be written. */
bool page_pack(const struct cli_bytes *bytes, FILE *file);
