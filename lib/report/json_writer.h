/* JSON's syntax, for the reports of both dump formats: members, brackets, commas. Strings go
 * through annot__out_json. */
#ifndef ANNOT_LIB_JSON_WRITER_H
#define ANNOT_LIB_JSON_WRITER_H

#include "report/report.h"

struct annot__json {
    struct annot__out out;
    bool needs_comma;
};

/* In front of an element or a member: the comma, where one is needed. */
void annot__json_separate(struct annot__json *json);
/* `"name":`, separated from what is before. Names are the library's own and need no escape. */
void annot__json_key(struct annot__json *json, const char *name);
/* `bracket` is "{" or "[", `name` the member's, or NULL for an element. */
void annot__json_open(struct annot__json *json, const char *name, const char *bracket);
void annot__json_close(struct annot__json *json, const char *bracket);
/* Opens an element of an array that is worth a line of its own. */
void annot__json_element(struct annot__json *json);

/* Up to 53 bits: what every reader's numbers can hold. */
void annot__json_number(struct annot__json *json, const char *name, uint64_t value);
/* 64 bits, in a string: "1234". */
void annot__json_decimal(struct annot__json *json, const char *name, uint64_t value);
/* An EventID as every report spells it, and other numbers that are looked for in tools:
 * "0x500006097". */
void annot__json_hex(struct annot__json *json, const char *name, uint64_t value);
/* The same with 16 digits. */
void annot__json_hex16(struct annot__json *json, const char *name, uint64_t value);
void annot__json_bool(struct annot__json *json, const char *name, bool value);
void annot__json_string(struct annot__json *json, const char *name, const char *value);

#endif
