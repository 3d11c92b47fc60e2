/* JSON to a file or to memory, by the rules of the library's reports: 64-bit numbers as strings,
 * texts by annot_text_escape. */
#ifndef ANNOT_TOOL_JSON_OUT_H
#define ANNOT_TOOL_JSON_OUT_H

#include <annot/reader.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct json_out {
    void (*write)(void *user, const char *bytes, size_t size);
    void *user;
    bool needs_comma;
};

struct json_out json_out_to_file(FILE *file);

/* `key` is NULL inside of arrays and for the outermost value; keys are plain ASCII. */
void json_out_open(struct json_out *out, const char *key, char bracket);
void json_out_close(struct json_out *out, char bracket);
/* The next element begins on a line of its own. */
void json_out_line(struct json_out *out);
void json_out_text(struct json_out *out, const char *key, const char *text, size_t size);
void json_out_word(struct json_out *out, const char *key, const char *text); /* NULL: null */
void json_out_number(struct json_out *out, const char *key, uint64_t value);
void json_out_long(struct json_out *out, const char *key, uint64_t value); /* a string of digits */
void json_out_hex(struct json_out *out, const char *key, uint64_t value);  /* "0x1f" */
void json_out_real(struct json_out *out, const char *key, double value);
void json_out_bool(struct json_out *out, const char *key, bool value);

#endif
