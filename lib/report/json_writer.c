#include "report/json_writer.h"

#include <string.h>

void annot__json_separate(struct annot__json *json)
{
    if (json->needs_comma)
        annot__out_text(&json->out, ",");
    json->needs_comma = true;
}

void annot__json_key(struct annot__json *json, const char *name)
{
    annot__json_separate(json);
    annot__out_format(&json->out, "\"%s\":", name);
}

void annot__json_open(struct annot__json *json, const char *name, const char *bracket)
{
    if (name)
        annot__json_key(json, name);
    else
        annot__json_separate(json);
    annot__out_text(&json->out, bracket);
    json->needs_comma = false;
}

void annot__json_close(struct annot__json *json, const char *bracket)
{
    annot__out_text(&json->out, bracket);
    json->needs_comma = true;
}

void annot__json_element(struct annot__json *json)
{
    annot__json_separate(json);
    annot__out_text(&json->out, "\n{");
    json->needs_comma = false;
}

void annot__json_number(struct annot__json *json, const char *name, uint64_t value)
{
    annot__json_key(json, name);
    annot__out_format(&json->out, "%llu", (unsigned long long)value);
}

void annot__json_decimal(struct annot__json *json, const char *name, uint64_t value)
{
    annot__json_key(json, name);
    annot__out_format(&json->out, "\"%llu\"", (unsigned long long)value);
}

void annot__json_hex(struct annot__json *json, const char *name, uint64_t value)
{
    annot__json_key(json, name);
    annot__out_format(&json->out, "\"0x%llx\"", (unsigned long long)value);
}

void annot__json_hex16(struct annot__json *json, const char *name, uint64_t value)
{
    annot__json_key(json, name);
    annot__out_format(&json->out, "\"0x%016llx\"", (unsigned long long)value);
}

void annot__json_bool(struct annot__json *json, const char *name, bool value)
{
    annot__json_key(json, name);
    annot__out_text(&json->out, value ? "true" : "false");
}

void annot__json_string(struct annot__json *json, const char *name, const char *value)
{
    annot__json_key(json, name);
    annot__out_json(&json->out, value, strlen(value));
}
