/* Prints a record as text or JSON. In texts of the trace, it escapes control characters and
 * characters that change the direction. */
#pragma once

#include "read.h"

#include <stdio.h>

/* A text that can grow; a NUL ends it. The struct begins as zeros; free(data) frees the text. */
struct trace_text {
    char *data; /* the characters with a NUL; NULL: the text is still empty */
    size_t size, capacity;
    bool has_failed; /* whether memory ran out; additions are then ignored */
};

struct trace_printer {
    FILE *file;             /* the file for the output; NULL: only `text` gets the output */
    struct trace_text text; /* the text of the last printed record, if `file` is NULL */
    bool is_json;
    uint64_t elements_max; /* how many elements of an array are shown; 0: all */
    /* For readers: returns the program's name of the object, or NULL. If this callback is NULL,
     * objects are shown as numbers. */
    const char *(*name_of)(void *user, uint64_t object);
    /* For comparisons of runs: returns the number that the printer shows for an object, address or
     * handle. The printer then leaves out data that differs in every run. If this callback is NULL,
     * the printer shows everything as recorded. */
#define TRACE_RENAME_NEW 0x80u /* a bit of `kind`: the value belongs to a new object */
    uint64_t (*rename)(void *user, uint8_t kind, uint64_t value);
    /* For hashes: gets the text of each element of an unordered array: barriers, or objects that a
     * call makes resident. `text` is NULL where such an array begins. The record's text then leaves
     * out these elements, root constants (`rename` gets them), and the names of method and
     * parameters; it has numbers as bytes. */
    void (*element)(void *user, const char *text, size_t size);
    void *user;
    bool is_result;            /* whether the call has returned; set by the printer */
    bool has_failed;           /* whether the call failed; set by the printer */
    struct codec_arena *arena; /* the arena of trace_printer_init */
};

/* Prepares the printer. Returns false if memory runs out. */
bool trace_printer_init(struct trace_printer *printer, FILE *file, bool is_json);
void trace_printer_finish(struct trace_printer *printer);

/* Prints one line, or one JSON object without a newline. Returns false if the record is damaged, so
 * that only a part of it was printed. */
bool trace_print(struct trace_printer *printer, const struct trace_item *item);

/* Writes the name of a method, such as "ID3D12Device::CreateFence", or of an export; else "?". */
void trace_method_name(int method, char *name, size_t size);

void trace_text_add(struct trace_text *text, const char *bytes, size_t size);
/* Each function adds a text in UTF-16 or UTF-8, with quotes around the text. */
void trace_text_add_wide(struct trace_text *text, const uint16_t *units, size_t length);
void trace_text_add_quoted(struct trace_text *text, const char *bytes, size_t size);
void trace_print_text(FILE *file, const char *bytes, size_t size);
