/*
 * Names as signatures compare them. Two runs of one program usually differ in numbers, however
 * these are written:
 *
 *     Cascade 2                                          Cascade #
 *     Tile (3, 7), -1.5e-07 ms                           Tile (#, #), # ms
 *     Mesh 0x7ffe1234, {0c8a…-…}, 01f2a3b4c5             Mesh #, {#}, #
 *     frame_00017.draw12                                 frame_#.draw#
 *
 * Version 1 of the signature uses these rules: a changed rule needs a new version.
 */
#include "base/utf.h"

#include <annot/fleet.h>

#include <string.h>

enum { HASH_DIGITS = 8, GUID_SIZE = 36 };

struct text {
    const char *at, *end;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_hex(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* Letters and digits, and every byte of a character beyond ASCII. */
static bool is_word(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80);
}

static bool is_space(char c)
{
    return (unsigned char)c <= ' ' || c == 0x7f;
}

/* The word that begins here. */
static size_t word_size(struct text text)
{
    size_t size = 0;
    do
        size++;
    while (text.at + size < text.end && is_word(text.at[size]));
    return size;
}

/* 8-4-4-4-12 */
static bool is_guid(struct text text)
{
    if (text.end - text.at < GUID_SIZE)
        return false;
    for (int i = 0; i < GUID_SIZE; i++) {
        const bool is_dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (is_dash ? text.at[i] != '-' : !is_hex(text.at[i]))
            return false;
    }
    return text.end - text.at == GUID_SIZE || !is_word(text.at[GUID_SIZE]);
}

/* 0x1f, or at least eight hexadecimal digits with a decimal one among them. */
static bool is_address(const char *word, size_t size)
{
    const bool has_prefix = size > 2 && word[0] == '0' && (word[1] == 'x' || word[1] == 'X');
    bool has_digit = has_prefix;
    for (size_t i = has_prefix ? 2 : 0; i < size; i++) {
        if (!is_hex(word[i]))
            return false;
        has_digit |= is_digit(word[i]);
    }
    return has_digit && (has_prefix || size >= HASH_DIGITS);
}

/* Bytes of the number that begins here: digits, parts of them behind . , : and ', an exponent. */
static size_t number_size(struct text text)
{
    const size_t left = (size_t)(text.end - text.at);
    size_t size = 1;
    bool has_part = false;
    for (; size < left; size++) {
        if (is_digit(text.at[size]))
            continue;
        if (!memchr(".,:'", text.at[size], 4) || size + 1 == left || !is_digit(text.at[size + 1]))
            break;
        has_part = true;
    }
    if (size == left || (text.at[size] | 0x20) != 'e')
        return size;
    size_t digits = size + 1;
    const bool has_sign = digits < left && (text.at[digits] == '-' || text.at[digits] == '+');
    digits += has_sign;
    if (digits == left || !is_digit(text.at[digits]) || (!has_sign && !has_part))
        return size;
    while (digits < left && is_digit(text.at[digits]))
        digits++;
    return digits;
}

struct out {
    char *buffer;
    size_t size, capacity; /* without the NUL */
    bool is_full, has_space;
};

static void put(struct out *out, char c)
{
    if (is_space(c)) {
        out->has_space = out->size > 0;
        return;
    }
    if (out->has_space && out->size < out->capacity)
        out->buffer[out->size++] = ' ';
    out->has_space = false;
    if (out->size == out->capacity)
        out->is_full = true;
    else
        out->buffer[out->size++] = c;
}

/* A sign counts to the number behind it, unless it stands between two words. */
static bool is_sign(struct text text, char before)
{
    return (*text.at == '-' || *text.at == '+') && text.at + 1 < text.end && is_digit(text.at[1]) &&
           !is_word(before) && before != '#' && before != ')';
}

static size_t fold_word(struct text text, struct out *out)
{
    const size_t size = word_size(text);
    if (is_guid(text)) {
        put(out, '#');
        return GUID_SIZE;
    }
    if (is_address(text.at, size)) {
        put(out, '#');
        return size;
    }
    size_t i = 0;
    while (i < size) {
        if (!is_digit(text.at[i])) {
            put(out, text.at[i++]);
            continue;
        }
        put(out, '#');
        i += number_size((struct text){text.at + i, text.end}); /* beyond the word: 1.5 */
    }
    return i;
}

size_t annot_fold_name(const char *name, size_t size, char *buffer, size_t capacity)
{
    if (capacity == 0)
        return 0;
    struct text text = {name, name + size};
    struct out out = {.buffer = buffer, .capacity = capacity - 1};
    char before = ' ';
    while (text.at < text.end && !out.is_full) {
        if (is_sign(text, before))
            text.at++;
        if (is_word(*text.at))
            text.at += fold_word(text, &out);
        else
            put(&out, *text.at++);
        before = text.at[-1];
    }
    if (out.is_full)
        out.size = annot__utf8_prefix(out.buffer, out.size);
    buffer[out.size] = 0;
    return out.size;
}
