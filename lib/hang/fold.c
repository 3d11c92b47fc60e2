/* Folds names, so that identities can compare them. A scope's name is a template that a program
 * fills in. The filled-in parts differ between runs, and folding removes them:
 *
 *     Cascade 2, Cascade B, Cascade two, Cascade_II     Cascade #
 *     12 lights, 1 light                                # light
 *     Bloom (half res), Bloom HQ, Bloom                 Bloom
 *     Shadow map 2048x2048, 4K, 512 KB                  Shadow map #
 *     cs_3fa91c2, {0c8a…-…}, BP_Lamp_UAID_04A1…         cs_#, #, BP_Lamp_UAID_#
 *     upload /Game/Maps/T_Brick.uasset                  upload T_Brick.uasset
 *
 * Every character except letters and digits ends a word of the name. The rules look at each word
 * alone. A changed rule needs a new version. */
#include "base/utf.h"

#include <annot/fleet.h>

#include <string.h>

enum {
    GUID_SIZE = 36,
    WORD_MAX = 48,
    HASH_LETTERS = 7,
    HASH_DIGITS = 6,
    HASH_SHORT = 4,
    RUNS_OF_HASHES = 4
};

struct source {
    const char *at, *end;
};

struct output {
    char *buffer;
    size_t size, capacity; /* without the NUL */
    size_t folded;         /* bytes up to the end of the last "#"; 0: none */
    bool is_counted;       /* the last word was a number */
    bool is_full;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80);
}

static bool is_hex(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool is_word(char c)
{
    return is_digit(c) || is_letter(c);
}

static bool is_blank(char c)
{
    return (unsigned char)c <= ' ' || c == 0x7f;
}

/* ---- what is written ---- */

static void put(struct output *out, const char *text, size_t size)
{
    if (size > out->capacity - out->size) {
        size = out->capacity - out->size;
        out->is_full = true;
    }
    memcpy(out->buffer + out->size, text, size);
    out->size += size;
}

/* Returns true if the output is between two numbers, where no text distinguishes templates. */
static bool is_between_numbers(const struct output *out)
{
    for (size_t i = out->folded; i < out->size; i++)
        if (!strchr(" ,xX:/\\-._*@+=|%'", out->buffer[i]))
            return false;
    return out->folded > 0;
}

static void put_number(struct output *out)
{
    if (is_between_numbers(out))
        out->size = out->folded;
    else
        put(out, "#", 1);
    out->folded = out->size;
    out->is_counted = true;
}

static void put_other(struct output *out, char c)
{
    if (is_blank(c)) {
        if (out->size > 0 && out->buffer[out->size - 1] != ' ')
            put(out, " ", 1);
    } else {
        put(out, &c, 1);
    }
}

/* ---- words ---- */

static bool is_one_of(const char *word, size_t size, const char *const *words, size_t count)
{
    char lower[WORD_MAX];
    if (size >= sizeof lower)
        return false;
    for (size_t i = 0; i < size; i++)
        lower[i] =
            (char)(word[i] | 0x20); /* lower case of a letter; the compared words are ASCII */
    lower[size] = 0;
    for (size_t i = 0; i < count; i++)
        if (strcmp(lower, words[i]) == 0)
            return true;
    return false;
}

#define IS_ONE_OF(word, size, words) is_one_of(word, size, words, sizeof(words) / sizeof *(words))

static bool is_counting_word(const char *word, size_t size)
{
    static const char *const words[] = {"one",    "two",     "three",  "four",  "five",   "six",
                                        "seven",  "eight",   "nine",   "ten",   "zero",   "eleven",
                                        "twelve", "first",   "second", "third", "fourth", "fifth",
                                        "sixth",  "seventh", "eighth", "ninth", "tenth",  "ii",
                                        "iii",    "iv",      "vi",     "vii",   "viii",   "ix",
                                        "xi",     "xii"};
    return IS_ONE_OF(word, size, words);
}

/* Returns true for the name of a setting, which a player chooses. */
static bool is_setting(const char *word, size_t size)
{
    static const char *const words[] = {
        "on",          "off",       "true",  "false",   "enabled",  "disabled",   "low",
        "lowest",      "medium",    "mid",   "high",    "highest",  "ultra",      "epic",
        "cinematic",   "very",      "half",  "quarter", "full",     "quality",    "hq",
        "lq",          "hd",        "fhd",   "qhd",     "uhd",      "sd",         "balanced",
        "performance", "ultraperf", "fast",  "default", "windowed", "fullscreen", "borderless",
        "sdr",         "hdr",       "hdr10", "fp16",    "fp32"};
    return IS_ONE_OF(word, size, words);
}

/* Behind digits. */
static bool is_unit(const char *word, size_t size)
{
    static const char *const words[] = {"k",   "m",    "g",     "b",   "kb", "mb", "gb",  "kib",
                                        "mib", "gib",  "s",     "ms",  "us", "ns", "min", "h",
                                        "hz",  "khz",  "mhz",   "fps", "px", "p",  "i",   "x",
                                        "bit", "bits", "bpp",   "deg", "st", "nd", "rd",  "th",
                                        "d",   "tris", "verts", "f"};
    return IS_ONE_OF(word, size, words);
}

/* Returns the number of runs of letters and of digits in a word. */
static unsigned runs_of(const char *word, size_t size)
{
    unsigned runs = 1;
    for (size_t i = 1; i < size; i++)
        runs += is_digit(word[i]) != is_digit(word[i - 1]);
    return runs;
}

/* Returns true for digits that no person chose: a hash, an ID, an address. `is_part`: another word
 * is in front, with _ - or : between. Digits alone, and 0x, are measures and don't come here. */
static bool is_hash(const char *word, size_t size, bool is_part)
{
    size_t digits = 0, hex = 0;
    for (size_t i = 0; i < size; i++) {
        if (word[i] & 0x80)
            return false;
        digits += is_digit(word[i]);
        hex += is_hex(word[i]);
    }
    if (hex == size && digits == 0)
        return size > HASH_LETTERS || (size == HASH_LETTERS && is_part);
    if (word[0] == '0' && (word[1] | 0x20) == 'x')
        return hex + 1 == size;
    if (hex == size && size >= HASH_DIGITS)
        return true;
    if (hex == size && size >= HASH_SHORT && is_digit(word[0]))
        return true;
    return runs_of(word, size) >= RUNS_OF_HASHES && (is_part || size >= HASH_DIGITS);
}

/* Returns true for digits with a unit (12k, 3rd), or with an x between (1920x1080, 64x64x32). */
static bool is_measure(const char *word, size_t size)
{
    size_t at = 0;
    while (at < size) {
        const size_t begin = at;
        while (at < size && is_digit(word[at]))
            at++;
        if (at == begin)
            return false;
        const size_t unit = at;
        while (at < size && !is_digit(word[at]))
            at++;
        const bool is_times = at - unit == 1 && (word[unit] | 0x20) == 'x';
        if (at > unit && !is_times && !(at == size && is_unit(word + unit, at - unit)))
            return false;
    }
    return true;
}

/* Returns the word's size without the plural, for light(s) and lights behind a number. */
static size_t without_plural(const char *word, size_t size)
{
    return size > 2 && word[size - 1] == 's' && word[size - 2] != 's' ? size - 1 : size;
}

/* Writes letters unchanged, and "#" for each run of digits. */
static void put_mixed(struct output *out, const char *word, size_t size)
{
    for (size_t i = 0; i < size;) {
        const size_t begin = i;
        const bool is_number = is_digit(word[i]);
        while (i < size && is_digit(word[i]) == is_number)
            i++;
        if (is_number)
            put_number(out);
        else
            put(out, word + begin, i - begin);
    }
}

static bool is_single_letter(const char *word, size_t size)
{
    return size == 1 && !(word[0] & 0x80);
}

static void put_word(struct output *out, const char *word, size_t size, char before)
{
    const bool is_part = before == '_' || before == '-' || before == ':';
    const bool was_counted = out->is_counted;
    out->is_counted = false;
    if (is_measure(word, size) || is_hash(word, size, is_part) ||
        (out->size > 0 && !memchr("'/\\", before, 3) &&
         (is_single_letter(word, size) || is_counting_word(word, size))) ||
        (was_counted && before == ' ' && is_unit(word, size)))
        put_number(out);
    else if (!is_setting(word, size))
        put_mixed(out, word, was_counted ? without_plural(word, size) : size);
}

/* ---- what is more than a word ---- */

/* 8-4-4-4-12 */
static bool is_guid(struct source from)
{
    if (from.end - from.at < GUID_SIZE)
        return false;
    for (int i = 0; i < GUID_SIZE; i++) {
        const bool is_dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (is_dash ? from.at[i] != '-' : !is_hex(from.at[i]))
            return false;
    }
    return from.end - from.at == GUID_SIZE || !is_word(from.at[GUID_SIZE]);
}

/* Returns the closing bracket for the bracket at this place, or NULL. */
static const char *closing(struct source from)
{
    static const char opening[] = "([{", ending[] = ")]}";
    const char *open = memchr(opening, *from.at, strlen(opening));
    unsigned depth = 0;
    if (!open)
        return NULL;
    for (const char *at = from.at; at < from.end; at++) {
        depth += *at == *open;
        if (*at == ending[open - opening] && --depth == 0)
            return at;
    }
    return NULL;
}

/* Returns the end of the quote at this place, or NULL; an apostrophe is no quote. */
static const char *unquoting(struct source from, char before)
{
    if ((*from.at != '"' && *from.at != '\'') || is_word(before))
        return NULL;
    return memchr(from.at + 1, *from.at, (size_t)(from.end - from.at) - 1);
}

/* Returns the begin of the last part of a file's path at this place, up to the next blank, or
 * NULL. */
static const char *last_part(struct source from, char before)
{
    const char *slash = NULL;
    unsigned slashes = 0;
    if (!is_blank(before))
        return NULL;
    for (const char *at = from.at; at < from.end && !is_blank(*at); at++)
        if (*at == '/' || *at == '\\') {
            slashes++;
            slash = at;
        }
    if (!slash || slash + 1 == from.end || !is_word(slash[1]))
        return NULL;
    const bool is_rooted =
        *from.at == '/' || *from.at == '\\' || *from.at == '.' || from.at[1] == ':';
    if (slashes < 2 && !is_rooted)
        return NULL;
    return slash + 1;
}

/* Returns true for the sign of a number. A sign behind a word is no number's. */
static bool is_sign(struct source from, char before)
{
    return (*from.at == '-' || *from.at == '+') && from.end - from.at > 1 && is_digit(from.at[1]) &&
           !is_word(before) && !memchr(")]}", before, 3);
}

/* Returns the size of the word at this place. */
static size_t word_size(struct source from)
{
    size_t size = 0;
    do
        size++;
    while (from.at + size < from.end && is_word(from.at[size]));
    return size;
}

/* Returns the size of a number's part behind its first digits: 1.5, 12,000, 3'400, 1e-5. */
static size_t decimals_size(struct source from)
{
    size_t size = 0;
    const size_t left = (size_t)(from.end - from.at);
    while (size + 1 < left && memchr(".,'", from.at[size], 3) && is_digit(from.at[size + 1])) {
        size++;
        while (size < left && is_digit(from.at[size]))
            size++;
    }
    return size;
}

static void fold(struct source from, struct output *out, bool keeps_brackets)
{
    char before = ' ';
    while (from.at < from.end && !out->is_full) {
        const char *end = keeps_brackets ? NULL : closing(from);
        const char *path = last_part(from, before);
        if (is_guid(from) && !is_word(before)) {
            put_number(out);
            from.at += GUID_SIZE;
        } else if (end) {
            from.at = end + 1;
        } else if (!keeps_brackets && (end = unquoting(from, before)) != NULL) {
            put_number(out);
            out->is_counted = false;
            from.at = end + 1;
        } else if (is_sign(from, before)) {
            from.at++;
        } else if (path) {
            from.at = path;
        } else if (is_word(*from.at)) {
            const size_t size = word_size(from);
            put_word(out, from.at, size, before);
            from.at += size;
            if (out->is_counted)
                from.at += decimals_size(from);
        } else {
            put_other(out, *from.at++);
        }
        before = from.at[-1];
    }
}

/* Removes the blanks and punctuation around a part that was left out. */
static void trim(struct output *out)
{
    size_t size = 0;
    for (size_t i = 0; i < out->size; i++) {
        const char c = out->buffer[i];
        if (size > 0 && out->buffer[size - 1] == ' ' && (c == ',' || c == ';'))
            size--;
        out->buffer[size++] = c;
    }
    while (size > 0 && strchr(" ,;:_-./=@|", out->buffer[size - 1]))
        size--;
    out->size = size;
}

size_t annot_fold_name(const char *name, size_t size, char *buffer, size_t capacity)
{
    if (capacity == 0)
        return 0;
    struct output out = {.buffer = buffer, .capacity = capacity - 1};
    const struct source from = {name, name + size};
    fold(from, &out, false);
    trim(&out);
    if (out.size == 0) { /* the name has only brackets, quotes or settings */
        out = (struct output){.buffer = buffer, .capacity = capacity - 1};
        fold(from, &out, true);
        trim(&out);
    }
    if (out.size == 0 && size > 0)
        put(&out, "#", 1);
    if (out.is_full)
        out.size = annot__utf8_prefix(buffer, out.size);
    buffer[out.size] = 0;
    return out.size;
}
