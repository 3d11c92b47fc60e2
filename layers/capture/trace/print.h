/* Prints a record as text or JSON. Escapes control characters and direction characters in the
 * trace's texts. */
#pragma once

#include "read.h"

#include <stdio.h>

/* A text that can grow, with a NUL at its end. The struct starts as zeros; free(data) frees it. */
struct trace_text {
    char *data; /* NULL: the text is still empty */
    size_t size, capacity;
    bool has_failed; /* whether memory ran out, so that nothing more is added */
};

struct trace_printer {
    FILE *file;             /* NULL: the printer writes only into `text` */
    struct trace_text text; /* the last printed record, if `file` is NULL */
    bool is_json;
    uint64_t elements_max; /* limit of the elements that are shown of an array; 0: all elements */
    /* For people: returns the program's name for the object, or NULL. Without this function objects
     * are shown as numbers. */
    const char *(*name_of)(void *user, uint64_t object);
    /* For comparisons of runs: returns the number to show for an object, address or handle. The
     * printer then leaves out data that differs in every run. NULL: it shows everything as
     * recorded. */
#define TRACE_RENAME_NEW 0x80u /* a bit of `kind`: the value belongs to a new object */
    uint64_t (*rename)(void *user, uint8_t kind, uint64_t value);
    /* For hashes: takes the text of each element of an array without an order: barriers, and
     * objects that one call makes resident. `text` NULL: such an array begins. The record's text
     * lacks these elements, root constants, which `rename` gets, and the names of method and
     * parameters; it has numbers as bytes. */
    void (*element)(void *user, const char *text, size_t size);
    void *user;
    bool is_result;            /* set by the printer: whether the call has returned */
    bool has_failed;           /* set by the printer: whether the call failed */
    struct codec_arena *arena; /* the arena of trace_printer_init */
};

/* Starts printing. False means out of memory. */
bool trace_printer_init(struct trace_printer *printer, FILE *file, bool is_json);
void trace_printer_finish(struct trace_printer *printer);

/* Prints one line, or one JSON object without a newline. False: the record is damaged, so only a
 * part was printed. */
bool trace_print(struct trace_printer *printer, const struct trace_item *item);

/* Writes a method's name, such as "ID3D12Device::CreateFence", of an export, or "?" for none. */
void trace_method_name(int method, char *name, size_t size);

void trace_text_add(struct trace_text *text, const char *bytes, size_t size);
/* The functions add a text from UTF-16 or UTF-8, with quotes around it. */
void trace_text_add_wide(struct trace_text *text, const uint16_t *units, size_t length);
void trace_text_add_quoted(struct trace_text *text, const char *bytes, size_t size);
void trace_print_text(FILE *file, const char *bytes, size_t size);
