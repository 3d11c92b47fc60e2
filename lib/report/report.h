/* Output and words that the text report and the JSON report share. */
#pragma once

#include "reader/ask.h"

/* ---- buffered output of a report; it remembers whether the sink refused data ---- */

struct annot__out {
    const annot_report_sink *sink;
    size_t used;
    uint64_t written; /* including the buffer */
    bool has_failed;
    char buffer[8192];
};

void annot__out_bytes(struct annot__out *out, const char *bytes, size_t size);
void annot__out_text(struct annot__out *out, const char *text);
ANNOT__PRINTF(2, 3)
void annot__out_format(struct annot__out *out, const char *format, ...); /* short: 512 bytes */
bool annot__out_flush(struct annot__out *out);

/* Returns the size in bytes at which a report stops showing markers. */
uint64_t annot__report_size_limit(const annot_reader *reader, const annot_report_options *options);

/* Returns how many entries, written or not, a report may visit in all executions. Without this
 * limit, a small dump that executes a large list many times would take too long. */
uint64_t annot__report_visit_limit(const annot_reader *reader);

/* ---- words.c: the vocabulary of the dump's API ---- */

struct annot__words {
    const char *list, *command_list, *marker, *bundle, *execute_bundle, *allocator;
    const char *begin, *end, *scope_calls, *direct, *fence, *driver;
    const char *no_report, *no_order; /* two sentences; no_order has only a sentence's beginning */
};

const struct annot__words *annot__words_of(const annot_reader *reader);

/* Writes escaped UTF-8 of at most `limit` bytes. Returns false if "..." replaces the rest. */
bool annot__out_printable(struct annot__out *out, const char *text, size_t size, size_t limit);
/* The write function of struct annot__json in a report. `out` points to a struct annot__out. */
bool annot__out_json(void *out, const void *data, size_t size);
