/* The IDL's tokens, and the constants and expressions in it. */
#include "generate.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *text;
char *at;
static const char *path;
char token[512];
bool is_string;

_Noreturn void fail(const char *format, ...)
{
    unsigned line = 1;
    for (const char *p = text; p < at; p++)
        line += *p == '\n';
    va_list args;
    va_start(args, format);
    fprintf(stderr, "%s:%u: ", path, line);
    vfprintf(stderr, format, args);
    fprintf(stderr, " (at '%s')\n", token);
    exit(1);
}

static void skip_blank(void)
{
    for (;;) {
        while (isspace((unsigned char)*at))
            at++;
        if (at[0] == '/' && at[1] == '/') {
            while (*at && *at != '\n')
                at++;
        } else if (at[0] == '/' && at[1] == '*') {
            char *end = strstr(at + 2, "*/");
            if (!end)
                fail("comment without an end");
            at = end + 2;
        } else if (*at == '#') {
            while (*at && *at != '\n')
                at++;
        } else {
            return;
        }
    }
}

bool next(void)
{
    skip_blank();
    size_t n = 0;
    is_string = false;
    if (!*at) {
        token[0] = '\0';
        return false;
    }
    if (*at == '"') {
        is_string = true;
        for (at++; *at && *at != '"'; at++) {
            if (*at == '\\' && at[1])
                at++;
            if (n + 1 < sizeof token)
                token[n++] = *at;
        }
        at += *at == '"';
    } else if (isalnum((unsigned char)*at) || *at == '_') {
        while (isalnum((unsigned char)*at) || *at == '_')
            token[n++] = *at++;
    } else if ((at[0] == '<' && at[1] == '<') || (at[0] == '.' && at[1] == '.')) {
        token[n++] = *at++;
        token[n++] = *at++;
    } else {
        token[n++] = *at++;
    }
    token[n] = '\0';
    return true;
}

bool is(const char *what)
{
    return !is_string && strcmp(token, what) == 0;
}

bool take(const char *what)
{
    if (!is(what))
        return false;
    next();
    return true;
}

void want(const char *what)
{
    if (!take(what))
        fail("'%s' is missing", what);
}

void set(char *to, const char *from)
{
    if (strlen(from) >= NAME)
        fail("name too long: %s", from);
    strcpy(to, from);
}

void tokens_begin(const char *file)
{
    FILE *f = fopen(file, "rb");
    path = file;
    if (!f || fseek(f, 0, SEEK_END)) {
        perror(file);
        exit(1);
    }
    const long size = ftell(f);
    rewind(f);
    text = at = calloc(1, (size_t)size + 1);
    if (fread(text, 1, (size_t)size, f) != (size_t)size)
        exit(1);
    fclose(f);
    next();
}

/* ---- constants ---- */

const struct constant *constant(const char *name)
{
    for (unsigned i = constant_count; i-- > 0;)
        if (strcmp(constants[i].name, name) == 0)
            return &constants[i];
    return NULL;
}

void add_constant(const char *owner, const char *name, long long value)
{
    set(constants[constant_count].name, name);
    set(constants[constant_count].owner, owner);
    constants[constant_count++].value = value;
}

static long long primary(void)
{
    long long value = 0;
    if (take("(")) {
        value = expression();
        want(")");
        return value;
    }
    if (take("-"))
        return -primary();
    if (take("~"))
        return ~primary();
    if (isdigit((unsigned char)token[0])) {
        value = (long long)strtoull(token, NULL, 0);
    } else {
        const struct constant *c = constant(token);
        if (!c)
            fail("unknown constant");
        value = c->value;
    }
    next();
    return value;
}

long long expression(void)
{
    long long value = primary();
    for (;;)
        if (take("|"))
            value |= primary();
        else if (take("&"))
            value &= primary();
        else if (take("+"))
            value += primary();
        else if (take("-"))
            value -= primary();
        else if (take("<<"))
            value <<= primary();
        else
            return value;
}
