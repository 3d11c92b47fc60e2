/*
 * Two traces of one program differ in the numbers of objects, addresses and handles. Each number is
 * replaced by the order in which it first appears; the first line that still differs is the result.
 * A path of the settings file in the one is equal to that in the other: messages name it, and
 * replay puts the file elsewhere.
 */
#include "trace_first.h"
#include "trace_diff.h"

#include "memory_text.h"
#include "table.h"
#include "cli.h"
#include "json_writer.h"

#include <capture/trace/print.h>
#include <capture/trace/schema.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct name {
    struct {
        uint64_t value, kind;
    } key;
    uint64_t number;
    UT_hash_handle hh;
};

#define SETTINGS_LEAST 8 /* bytes: a shorter path could be part of anything */

struct side {
    struct trace *trace;
    struct trace_item item;
    struct trace_printer printer;
    struct name *names;
    uint64_t counts[32]; /* by kind */
    char *line;
    size_t size;
    char settings[1024]; /* the path of the settings file, as ANNOT_CONFIG has it ... */
    char in_bytes[2048]; /* ... and as it is printed inside of bytes */
    bool has_item;
    bool is_odd;    /* a record could not be printed whole */
    bool is_failed; /* out of memory */
};

enum { LINE_USUAL = 1 << 16 };

static bool is_compared(const struct trace_item *item)
{
    return item->record.kind != RECORD_TEXT && item->record.kind != RECORD_VARIABLE;
}

static void note_settings(struct side *side)
{
    static const char name[] = "ANNOT_CONFIG=";
    const struct trace_item *item = &side->item;
    uint64_t length = 0;
    if (item->record.kind != RECORD_VARIABLE || item->size < sizeof length)
        return;
    memcpy(&length, item->data, sizeof length);
    const size_t skip = sizeof name - 1;
    if (length > item->size - sizeof length || length < skip ||
        length - skip >= sizeof side->settings ||
        memcmp(item->data + sizeof length, name, skip) != 0)
        return;
    const size_t path = (size_t)length - skip >= SETTINGS_LEAST ? (size_t)length - skip : 0;
    memcpy(side->settings, item->data + sizeof length + skip, path);
    side->settings[path] = side->in_bytes[2 * path] = '\0';
    for (size_t i = 0; i < path; i++)
        snprintf(side->in_bytes + 2 * i, 3, "%02x", (unsigned char)side->settings[i]);
}

/* The next record as a line, in side->line. False: out of memory. */
static bool next_line(struct side *side)
{
    do {
        side->has_item = trace_next(side->trace, &side->item);
        if (side->has_item)
            note_settings(side);
    } while (side->has_item && !is_compared(&side->item));
    if (!side->has_item)
        return true;
    rewind(side->printer.file);
    side->is_odd |= !trace_print(&side->printer, &side->item);
    fputc('\0', side->printer.file);
    return memory_text_flush(side->printer.file, &side->line, &side->size) && !side->is_failed;
}

/* Objects are compared by the order in which they appear, not by their addresses. */
static uint64_t rename_value(void *user, uint8_t kind, uint64_t value)
{
    struct side *side = user;
    const bool is_new = kind & TRACE_RENAME_NEW;
    kind &= (uint8_t)~TRACE_RENAME_NEW;
    struct name *name, key = {.key = {value, kind}};
    if (!value)
        return 0;
    HASH_FIND(hh, side->names, &key.key, sizeof key.key, name);
    if (name && !is_new)
        return name->number;
    if (name)
        HASH_DEL(side->names, name);
    free(name);
    const uint64_t number = ++side->counts[kind % 32];
    if ((name = calloc(1, sizeof *name))) {
        name->key = key.key;
        name->number = number;
        HASH_ADD(hh, side->names, key, sizeof name->key, name);
        if (!table_has(side->names, name)) {
            free(name);
            name = NULL;
        }
    }
    side->is_failed |= !name;
    return number;
}

static bool open_side(struct side *side, bool is_json)
{
    FILE *file = memory_text_open(&side->line, &side->size);
    if (!file || !trace_printer_init(&side->printer, file, is_json))
        return false;
    /* a stream that can't grow cuts its line and does not say so: the usual lines fit already */
    for (int i = 0; i < LINE_USUAL; i++)
        if (fputc(0, file) == EOF)
            return false;
    if (!memory_text_flush(file, &side->line, &side->size) || side->size < LINE_USUAL)
        return false;
    side->printer.rename = rename_value;
    side->printer.user = side;
    return true;
}

static void close_side(struct side *side)
{
    struct name *name, *next;
    HASH_ITER(hh, side->names, name, next)
    {
        HASH_DEL(side->names, name);
        free(name);
    }
    if (side->printer.arena)
        trace_printer_finish(&side->printer);
    if (side->printer.file)
        fclose(side->printer.file);
    free(side->line);
}

/* The length of `text`, where `at` begins with it. */
static size_t length_at(const char *at, const char *text)
{
    const size_t length = strlen(text);
    return strncmp(at, text, length) == 0 ? length : 0;
}

static size_t settings_at(const struct side *side, const char *at)
{
    const size_t length = length_at(at, side->settings);
    return length ? length : length_at(at, side->in_bytes);
}

static bool is_same(const struct side *a, const struct side *b)
{
    const char *x = a->line, *y = b->line;
    if (strcmp(x, y) == 0)
        return true;
    while (*x || *y) {
        const size_t of_x = settings_at(a, x), of_y = settings_at(b, y);
        if (!of_x || !of_y) {
            if (*x++ != *y++)
                return false;
            continue;
        }
        x += of_x;
        y += of_y;
    }
    return true;
}

/* The line is JSON already. */
static void json_side(struct annot__json *out, const char *key, const struct side *side)
{
    annot__json_key(out, key);
    annot__json_raw(out, side->has_item ? side->line : "null");
}

static int print_difference(const struct side *a, const struct side *b, uint64_t lines,
                            bool is_json)
{
    static const char ends[] = "(the trace ends)";
    const uint64_t call = a->has_item ? a->item.record.call : b->item.record.call;
    struct annot__json out = {cli_write, stdout, false};
    if (!is_json) {
        printf("the traces are alike for %" PRIu64 " records and differ at call %" PRIu64
               ":\n<  %s\n>  %s\n",
               lines, call, a->has_item ? a->line : ends, b->has_item ? b->line : ends);
        return 1;
    }
    annot__json_open(&out, NULL, "{");
    annot__json_bool(&out, "same", false);
    annot__json_number(&out, "records_before", lines);
    annot__json_number(&out, "call", call);
    json_side(&out, "first", a);
    json_side(&out, "second", b);
    annot__json_close(&out, "}");
    annot__json_raw(&out, "\n");
    return 1;
}

static void print_no_difference(bool is_whole, uint64_t lines, bool is_json)
{
    struct annot__json out = {cli_write, stdout, false};
    if (!is_json) {
        printf("no difference in %s%" PRIu64 " records%s\n", is_whole ? "" : "the ", lines,
               is_whole ? "" : " that can be read");
        return;
    }
    annot__json_open(&out, NULL, "{");
    annot__json_bool(&out, "same", is_whole);
    annot__json_number(&out, "records", lines);
    annot__json_close(&out, "}");
    annot__json_raw(&out, "\n");
}

int trace_first(struct trace *first, struct trace *second, bool is_json)
{
    struct side a = {.trace = first}, b = {.trace = second};
    uint64_t lines = 0;
    int status = 2;
    if (!open_side(&a, is_json) || !open_side(&b, is_json)) {
        fputs("annot trace diff: not enough memory, or no temporary file\n", stderr);
    } else {
        while (next_line(&a) && next_line(&b)) {
            if (!a.has_item && !b.has_item) {
                status = 0;
                print_no_difference(trace_diff_is_whole((struct trace *const[]){first, second}),
                                    lines, is_json);
                break;
            }
            if (a.has_item != b.has_item || !is_same(&a, &b)) {
                status = print_difference(&a, &b, lines, is_json);
                break;
            }
            lines++;
        }
        if (status == 2)
            fputs("annot trace diff: not enough memory\n", stderr);
        if (a.is_odd || b.is_odd)
            fputs("annot trace diff: some records are damaged, or there was not enough memory for "
                  "them\n",
                  stderr);
    }
    close_side(&a);
    close_side(&b);
    return status;
}
