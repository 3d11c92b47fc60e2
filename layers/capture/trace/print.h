/*
 * A record as text or JSON. Texts out of the trace are made inert: no control or direction
 * characters.
 */
#pragma once

#include "read.h"

#include <stdio.h>

/* Text that grows, with a NUL behind it; zeros are an empty one, and free(data) ends it. */
struct trace_text {
    char *data; /* NULL: nothing was added yet */
    size_t size, capacity;
    bool has_failed; /* out of memory: nothing more is taken */
};

struct trace_printer {
    FILE *file;             /* NULL: only into `text` */
    struct trace_text text; /* without a file: the record that was printed last */
    bool is_json;
    uint64_t elements_max; /* of an array that are shown; 0: all */
    /* For people: returns the name that the program gave the object, or NULL. If it is NULL,
     * objects are numbers.
     */
    const char *(*name_of)(void *user, uint64_t object);
    /* To compare runs: gives the numbers of objects, addresses and handles that are shown, and
     * leaves out what differs in every run. NULL: all as recorded. */
#define TRACE_RENAME_NEW 0x80u /* in a kind: something new has this value now */
    uint64_t (*rename)(void *user, uint8_t kind, uint64_t value);
    void *user;
    bool is_result;            /* of a call that returned; the printer's own */
    bool has_failed;           /* that call; the printer's own */
    struct codec_arena *arena; /* trace_printer_init's */
};

/* False means out of memory. */
bool trace_printer_init(struct trace_printer *printer, FILE *file, bool is_json);
void trace_printer_finish(struct trace_printer *printer);

/* One line, or one JSON object without a line's end. False means that the record is damaged, and
 * only its whole part was printed. */
bool trace_print(struct trace_printer *printer, const struct trace_item *item);

/* "ID3D12Device::CreateFence"; for exports only the name; "?" if there is none. Static. */
void trace_method_name(int method, char *name, size_t size);

void trace_text_add(struct trace_text *text, const char *bytes, size_t size);
/* UTF-16 or UTF-8 text between quotes. */
void trace_text_add_wide(struct trace_text *text, const uint16_t *units, size_t length);
void trace_text_add_quoted(struct trace_text *text, const char *bytes, size_t size);
void trace_print_text(FILE *file, const char *bytes, size_t size);
