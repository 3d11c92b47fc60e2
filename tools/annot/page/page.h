/* The parts of annot html: what the page shows, packed, between the halves of the template. */
#pragma once

#include <annot/reader.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The whole page with the marks @ENCODING@ and @DATA@, and that of many dumps with @DATA@; made
 * from tools/annot/page and fleet/triage.html by the build. NUL-terminated. */
extern const char page_template[], triage_template[];

/* Writes a template up to `mark`; behind it is the rest. */
const char *page_write_up_to(const char *template, const char *mark, FILE *file);

/* Bytes that grow. `is_failed`: memory ran out, and nothing more is taken. */
struct page_bytes {
    char *data;
    size_t size, capacity;
    bool is_failed;
};

void page_bytes_add(struct page_bytes *bytes, const void *data, size_t size);
/* The same for a struct annot__json. */
bool page_bytes_write(void *bytes, const void *data, size_t size);
void page_bytes_free(struct page_bytes *bytes);

/* page_data.c: what the page's script reads, into `out`: u32 size of a JSON text, the text, and at
 * multiples of 8 the columns that it names, little-endian. `dump`: its path, for commands, or NULL.
 * False means out of memory. */
bool page_data(const annot_reader *reader, const char *dump, struct page_bytes *out);

/* page_pack.c: how page_pack packs: "deflate", or "identity" in a build without zlib. */
const char *page_encoding(void);
/* Packs the bytes and writes them to a file as base64. False means out of memory, or the file can't
 * be written. */
bool page_pack(const struct page_bytes *bytes, FILE *file);
