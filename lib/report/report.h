/* Shared by the text and the JSON report: output, and words. */
#pragma once

#include "reader/ask.h"

#include "base/compiler.h"

#include <stdarg.h>

/* ---- output: buffered, remembers that the sink refused ---- */

struct annot__out {
    const annot_report_sink *sink;
    size_t used;
    uint64_t written; /* what is in the buffer, too */
    bool has_failed;
    char buffer[8192];
};

void annot__out_bytes(struct annot__out *out, const char *bytes, size_t size);
void annot__out_text(struct annot__out *out, const char *text);
ANNOT__PRINTF(2, 3)
void annot__out_format(struct annot__out *out, const char *format, ...); /* short: 512 bytes */
void annot__out_arguments(struct annot__out *out, const char *format, va_list arguments);
bool annot__out_flush(struct annot__out *out);

/* Bytes behind which no more markers are written. */
uint64_t annot__report_size_limit(const annot_reader *reader, const annot_report_options *options);

/* Entries that are looked at, whether they are written or not, in all executions together: a small
 * dump can execute a large list many times. */
uint64_t annot__report_visit_limit(const annot_reader *reader);

/* ---- words.c: what the dump's API calls the things that sentences are about ---- */

struct annot__words {
    const char *list, *command_list, *marker, *bundle, *execute_bundle, *allocator;
    const char *begin, *end, *scope_calls, *direct, *driver;
    const char *no_report, *no_order; /* sentences; the second without its end */
};

const struct annot__words *annot__words_of(const annot_reader *reader);

/* Writes UTF-8 with annot_text_escape, at most `limit` bytes; false: "..." stands for the rest.
 * */
bool annot__out_printable(struct annot__out *out, const char *text, size_t size, size_t limit);
/* Where a report's struct annot__json writes: `out` is its struct annot__out. */
bool annot__out_json(void *out, const void *data, size_t size);
