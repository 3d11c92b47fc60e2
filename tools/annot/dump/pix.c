/* `annot pix`: PIX event blobs to text and back. The command answers every request line with one
 * line, in order, so that a script can keep the tool running. */
#include "array.h"
#include "cli.h"
#include "commands.h"
#include "options.h"
#include "json.h"
#include "json_writer.h"
#include "unicode.h"

#include <annot/pix.h>

#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#endif

struct arguments {
    bool is_jsonl;
};

static const struct option table[] = {
    OPTION("--jsonl", NULL, is_jsonl,
           "reads one JSON object per line from standard input, and answers each with one line, in "
           "order"),
};

const struct command command_pix = {
    .name = "pix",
    .about = "decode and encode PIX events",
    .operands = "decode|encode",
    .text =
        "Decodes payloads of PIX events (what BeginEvent or SetMarker got), or encodes payloads.",
    OPTIONS(table),
    .end =
        "decode reads  {\"metadata\":N,\"hex\":\"...\"}\n"
        "  metadata    0 UTF-16, 1 UTF-8, 2 PIX v1, 6345127 PIX v2\n"
        "  answers     {\"name\":\"...\",\"color\":N,\"truncated\":bool}\n"
        "              color is the 32-bit value in the blob, ARGB or an index, 0 where there is "
        "none\n"
        "encode reads  {\"version\":\"v1|v2\",\"api\":\"BeginEvent|SetMarker\",\"context\":N,\n"
        "               \"argb\":N or \"index\":N,\"text\":\"utf8|utf16\",\"format\":\"...\",\n"
        "               "
        "\"args\":[{\"type\":\"i32|u32|i64|u64|f32|f64|char|bool|ptr|str|wstr\",\"value\":...}]}"
        "\n"
        "  answers     {\"metadata\":N,\"hex\":\"...\"}\n"
        "  context     0, null or none: the event carries no context word\n"
        "  format      null is a null pointer, as for the value of str and wstr; in 8-bit text\n"
        "              \\udc80 to \\udcff stand for the bytes 0x80 to 0xff\n"
        "  value       64-bit integers may be strings, decimal or 0x; f32 and f64 take \"inf\", "
        "\"-inf\", \"nan\"\n"
        "  optional    \"timestamp\":N, \"limit\":N (bytes, 496), and \"chunk\":8|16 for the "
        "format or\n"
        "              an argument (v1: bytes per copy)\n"
        "either answers {\"error\":\"...\"} for a line that it can't use\n\n"
        "exit code: 0 = every line was answered; 2 = unusable input or wrong usage",
    .least = 1,
    .most = 1,
    .missing = "a subcommand is missing: decode or encode; try: annot pix --help",
    .unexpected = "unexpected argument",
    .run = cmd_pix,
};

/* ---- memory ---- */

/* A buffer that only grows. */
struct buffer {
    void *memory;
    size_t capacity; /* bytes */
};

static void *reserve(struct buffer *b, size_t bytes)
{
    if (bytes > b->capacity && !array_grow(&b->memory, 1, &b->capacity, bytes)) {
        fputs("annot pix: out of memory; shorten the input lines\n", stderr);
        exit(2);
    }
    return b->memory;
}

/* ---- lines ---- */

/* Reads a line of any length; a NUL replaces its end. False at the end of the input. */
static bool read_line(FILE *file, struct buffer *line, size_t *size)
{
    size_t count = 0;
    int c;
    char *text = reserve(line, 256);
    while ((c = getc(file)) != EOF && c != '\n') {
        if (count + 1 == line->capacity)
            text = reserve(line, count + 2);
        text[count++] = (char)c;
    }
    text[count] = '\0';
    *size = count;
    return c != EOF || count > 0;
}

/* A request's memory, which is kept from line to line. */
struct work {
    struct buffer blob;  /* bytes */
    struct buffer name;  /* UTF-8 */
    struct buffer text;  /* strings of a description, one after the other */
    struct buffer units; /* UTF-16 of one JSON string */
};

/* ---- decode ---- */

/* Decodes into w->name; the name may have any length. */
static annot_pix_status decode(struct work *w, uint32_t metadata, size_t size,
                               annot_pix_event *event)
{
    reserve(&w->name, 1024);
    annot_pix_status status =
        annot_pix_decode(metadata, w->blob.memory, size, w->name.memory, w->name.capacity, event);
    if (event->name_length >= w->name.capacity) {
        reserve(&w->name, event->name_length + 1);
        status = annot_pix_decode(metadata, w->blob.memory, size, w->name.memory, w->name.capacity,
                                  event);
    }
    return status;
}

static const char *decode_request(struct work *w, struct json_value request)
{
    struct json_value metadata, hex;
    bool is_negative;
    uint64_t number;
    if (!json_member(request, "metadata", &metadata) ||
        !json_integer(metadata, &is_negative, &number) || (is_negative && number > 0) ||
        number > UINT32_MAX)
        return "metadata must be the 32-bit number that BeginEvent or SetMarker got";
    if (!json_member(request, "hex", &hex) || json_type_of(hex) != JSON_STRING)
        return "hex must be the payload as a string of hexadecimal digits";
    const size_t length = (size_t)(hex.end - hex.at) - 2;
    if (!cli_hex(hex.at + 1, length, reserve(&w->blob, length / 2 + 1)))
        return "hex must have an even number of the digits 0-9 and a-f, and nothing else";
    annot_pix_event event;
    const annot_pix_status status = decode(w, (uint32_t)number, length / 2, &event);
    if (status != ANNOT_PIX_OK)
        return annot_pix_status_text(status);
    struct annot__json out = {cli_write, stdout, false};
    annot__json_open(&out, NULL, "{");
    annot__json_bytes(&out, "name", w->name.memory, event.name_length);
    annot__json_format(&out, "color:%u truncated:%d}\n", event.color,
                       (event.flags & ANNOT_PIX_TRUNCATED) != 0);
    return NULL;
}

/* ---- encode ---- */

/* Reads an optional integer of a request. If it is missing, *out keeps its value. */
static bool take_integer(struct json_value request, const char *name, uint64_t *out, bool *is_there)
{
    struct json_value value;
    bool is_negative;
    *is_there = json_member(request, name, &value) && json_type_of(value) != JSON_NULL;
    if (!*is_there)
        return true;
    if (!json_integer(value, &is_negative, out) || (is_negative && *out > (uint64_t)INT64_MAX + 1))
        return false;
    if (is_negative)
        *out = 0 - *out;
    return true;
}

/* Returns how many bytes a description's string needs at most as UTF-8 or UTF-16, with its NUL. */
static size_t text_room(struct json_value string)
{
    return 3 * (size_t)(string.end - string.at) + 4;
}

/* Stores UTF-16 as UTF-8. Lone units 0xdc80 to 0xdcff become the bytes that they escape. False for
 * other lone surrogates, for which UTF-8 has no bytes. */
static bool store_utf8(const uint16_t *units, size_t count, char *out)
{
    for (size_t i = 0; i < count;) {
        const uint32_t c = unicode_next(units, sizeof *units, count, &i);
        if (c >= 0xdc80 && c < 0xdd00)
            *out++ = (char)(c & 0xff);
        else if (c >> 11 == 0x1b)
            return false;
        else
            out += unicode_encode(c, out);
    }
    *out = '\0';
    return true;
}

/* Makes `arg` a string argument. `at` is the string's place in w->text, where room is reserved. */
static const char *take_string(struct work *w, struct json_value value, bool is_wide,
                               annot_pix_arg *arg, size_t *at)
{
    arg->type = is_wide ? ANNOT_PIX_WSTR : ANNOT_PIX_STR;
    if (json_type_of(value) == JSON_NULL) {
        arg->value.str = NULL;
        if (is_wide)
            arg->value.wstr = NULL;
        return NULL;
    }
    if (json_type_of(value) != JSON_STRING)
        return "format and the values of str and wstr must be strings or null";
    const size_t most = (size_t)(value.end - value.at);
    uint16_t *const units = reserve(&w->units, most * sizeof *units);
    const size_t count = json_units(value, units, most);
    char *const out = (char *)w->text.memory + *at;
    *at += (text_room(value) + 7) & ~(size_t)7;
    if (is_wide) {
        memcpy(out, units, count * sizeof *units);
        memset(out + count * sizeof *units, 0, sizeof *units);
        arg->value.wstr = (const uint16_t *)(const void *)out;
        return NULL;
    }
    arg->value.str = out;
    return store_utf8(units, count, out)
               ? NULL
               : "8-bit text can't hold this lone surrogate; use utf16 or wstr";
}

static const char *take_number(struct json_value value, bool is_signed, unsigned bits,
                               uint64_t *out)
{
    bool is_negative;
    if (!json_integer(value, &is_negative, out))
        return "the value of an integer argument must be an integer of at most 64 bits";
    const uint64_t most = UINT64_MAX >> (64 - bits);
    const bool fits = is_negative ? *out == 0 || (is_signed && *out <= (most >> 1) + 1)
                                  : *out <= (is_signed ? most >> 1 : most);
    if (!fits)
        return "an argument's value doesn't fit its type";
    if (is_negative)
        *out = 0 - *out;
    return NULL;
}

/* Reads a char: a number from -128 to 255, or a string of one ASCII character. */
static const char *take_char(struct json_value value, annot_pix_arg *arg)
{
    uint16_t unit[2] = {0, 0};
    uint64_t number = 0;
    if (json_type_of(value) == JSON_STRING && json_units(value, unit, 2) == 1 && unit[0] < 0x80) {
        arg->value.c = (signed char)unit[0];
        return NULL;
    }
    if (json_type_of(value) != JSON_NUMBER || take_number(value, true, 16, &number))
        return "the value of a char must be a number, or a string of one ASCII character";
    const int64_t c = (int64_t)number;
    if (c < -128 || c > 255)
        return "an argument's value doesn't fit its type";
    arg->value.c = (signed char)(c > 127 ? c - 256 : c);
    return NULL;
}

static const char *take_bool(struct json_value value, annot_pix_arg *arg)
{
    bool is_negative;
    uint64_t number;
    if (json_bool(value, &arg->value.b))
        return NULL;
    if (!json_integer(value, &is_negative, &number) || number > 1)
        return "the value of a bool must be true or false";
    arg->value.b = number == 1;
    return NULL;
}

static const struct {
    const char *name;
    annot_pix_type type;
} type_names[] = {
    {"i32", ANNOT_PIX_I32},   {"u32", ANNOT_PIX_U32},   {"i64", ANNOT_PIX_I64},
    {"u64", ANNOT_PIX_U64},   {"f32", ANNOT_PIX_F32},   {"f64", ANNOT_PIX_F64},
    {"char", ANNOT_PIX_CHAR}, {"bool", ANNOT_PIX_BOOL}, {"ptr", ANNOT_PIX_PTR},
    {"str", ANNOT_PIX_STR},   {"wstr", ANNOT_PIX_WSTR},
};

static bool find_type(struct json_value name, annot_pix_type *type)
{
    for (size_t i = 0; i < sizeof type_names / sizeof *type_names; i++) {
        if (json_is(name, type_names[i].name)) {
            *type = type_names[i].type;
            return true;
        }
    }
    return false;
}

/* Reads a value. A PTR has 64 bits, whatever this machine's pointers have. */
static const char *take_value(struct work *w, struct json_value value, annot_pix_arg *arg,
                              size_t *at)
{
    const bool is_single = arg->type == ANNOT_PIX_F32, is_wide = arg->type == ANNOT_PIX_WSTR;
    const bool is_signed = arg->type == ANNOT_PIX_I32 || arg->type == ANNOT_PIX_I64;
    const bool is_short = arg->type == ANNOT_PIX_I32 || arg->type == ANNOT_PIX_U32;
    uint64_t number = 0;
    double real = 0;
    const char *why = NULL;
    switch (arg->type) {
    case ANNOT_PIX_I32:
    case ANNOT_PIX_U32:
    case ANNOT_PIX_I64:
    case ANNOT_PIX_U64:
    case ANNOT_PIX_PTR:
        if (arg->type != ANNOT_PIX_PTR || json_type_of(value) != JSON_NULL)
            why = take_number(value, is_signed, is_short ? 32 : 64, &number);
        if (arg->type == ANNOT_PIX_PTR)
            arg->type = ANNOT_PIX_U64;
        if (is_short)
            arg->value.u32 = (uint32_t)number;
        else
            arg->value.u64 = number;
        return why;
    case ANNOT_PIX_F32:
    case ANNOT_PIX_F64:
        if (!json_double(value, is_single, &real))
            return "the value of a float argument must be a number, or \"inf\", \"-inf\" or "
                   "\"nan\"";
        if (is_single)
            arg->value.f32 = (float)real;
        else
            arg->value.f64 = real;
        return NULL;
    case ANNOT_PIX_CHAR:
        return take_char(value, arg);
    case ANNOT_PIX_BOOL:
        return take_bool(value, arg);
    case ANNOT_PIX_STR:
    case ANNOT_PIX_WSTR:
    case ANNOT_PIX_WCHARS:
        return take_string(w, value, is_wide, arg, at);
    }
    return "type must be a type that --help lists";
}

/* Reads an optional "chunk". */
static bool take_chunk(struct json_value object, annot_pix_arg *arg)
{
    uint64_t chunk = 0;
    bool is_there;
    if (!take_integer(object, "chunk", &chunk, &is_there) ||
        (is_there && chunk != 8 && chunk != 16))
        return false;
    arg->chunk = (uint32_t)chunk;
    return true;
}

static const char *take_args(struct work *w, struct json_value request, annot_pix_arg *args,
                             size_t *count, size_t *at)
{
    struct json_value list, element, member;
    const char *cursor = NULL;
    *count = 0;
    if (!json_member(request, "args", &list) || json_type_of(list) == JSON_NULL)
        return NULL;
    if (json_type_of(list) != JSON_ARRAY)
        return "args must be an array";
    while (json_next(list, &cursor, &element)) {
        if (*count == ANNOT_PIX_ARG_MAX)
            return "args must have at most 16 elements";
        annot_pix_arg *const arg = &args[(*count)++];
        if (!json_member(element, "type", &member) || !find_type(member, &arg->type))
            return "each element of args needs a type that --help lists";
        if (!take_chunk(element, arg))
            return "chunk: 8 or 16";
        if (!json_member(element, "value", &member))
            return "each element of args needs a value";
        const char *const why = take_value(w, member, arg, at);
        if (why)
            return why;
    }
    return NULL;
}

/* Reads the members that aren't text: version, API, colour and numbers. */
static const char *take_header(struct json_value request, annot_pix_desc *desc)
{
    struct json_value value;
    bool is_there, has_index;
    if (!json_member(request, "version", &value) || !(json_is(value, "v1") || json_is(value, "v2")))
        return "version: \"v1\" or \"v2\"";
    desc->version = json_is(value, "v2") ? ANNOT_PIX_V2 : ANNOT_PIX_V1;
    if (!json_member(request, "api", &value) ||
        !(json_is(value, "BeginEvent") || json_is(value, "SetMarker")))
        return "api must be \"BeginEvent\" or \"SetMarker\"";
    desc->kind = json_is(value, "SetMarker") ? ANNOT_PIX_KIND_MARKER : ANNOT_PIX_KIND_BEGIN;
    if (!take_integer(request, "argb", &desc->color, &is_there))
        return "argb must be an integer of at most 64 bits";
    if (!take_integer(request, "index", &desc->color, &has_index) ||
        (has_index && desc->color > 255))
        return "index must be a number from 0 to 255";
    if (is_there && has_index)
        return "give argb or index, not both";
    desc->color_kind = is_there    ? ANNOT_PIX_COLOR_KIND_ARGB
                       : has_index ? ANNOT_PIX_COLOR_KIND_INDEX
                                   : ANNOT_PIX_COLOR_KIND_NONE;
    if (!take_integer(request, "context", &desc->context, &is_there))
        return "context must be an integer of at most 64 bits; 0 means no context";
    desc->has_context = desc->context != 0;
    if (!take_integer(request, "timestamp", &desc->timestamp, &is_there) || desc->timestamp >> 44)
        return "timestamp must be an integer of at most 44 bits";
    uint64_t limit = 0;
    if (!take_integer(request, "limit", &limit, &is_there) ||
        (is_there && (limit % 8 || limit < 32 || limit > ANNOT_PIX_ENCODE_LIMIT_MAX)))
        return "limit must be a multiple of 8 from 32 to 1008, in bytes";
    desc->limit = (size_t)limit;
    return NULL;
}

static const char *take_format(struct work *w, struct json_value request, annot_pix_desc *desc,
                               size_t *at)
{
    struct json_value text, format;
    const bool has_text = json_member(request, "text", &text);
    if (has_text && !json_is(text, "utf8") && !json_is(text, "utf16"))
        return "text must be \"utf8\" or \"utf16\"";
    if (!json_member(request, "format", &format))
        return "format must be the event's name or format, or null";
    if (!take_chunk(request, &desc->format))
        return "chunk: 8 or 16";
    return take_string(w, format, has_text && json_is(text, "utf16"), &desc->format, at);
}

static const char *encode_request(struct work *w, struct json_value request)
{
    annot_pix_arg args[ANNOT_PIX_ARG_MAX];
    annot_pix_desc desc;
    memset(&desc, 0, sizeof desc);
    memset(args, 0, sizeof args);
    size_t at = 0;
    if (json_type_of(request) != JSON_OBJECT)
        return "a request must be a JSON object";
    /* All strings together need less room than this. */
    reserve(&w->text, text_room(request) + 16 * (ANNOT_PIX_ARG_MAX + 1));

    const char *why = take_header(request, &desc);
    if (!why)
        why = take_format(w, request, &desc, &at);
    if (!why)
        why = take_args(w, request, args, &desc.arg_count, &at);
    if (why)
        return why;
    desc.args = args;
    uint8_t blob[ANNOT_PIX_ENCODE_LIMIT_MAX + 8];
    const size_t size = annot_pix_encode(&desc, blob, sizeof blob);
    printf("{\"metadata\":%" PRIu32 ",\"hex\":\"", annot_pix_metadata(desc.version));
    for (size_t i = 0; i < size; i++)
        printf("%02x", blob[i]);
    fputs("\"}\n", stdout);
    return NULL;
}

/* ---- the modes ---- */

static int run_jsonl(const char *(*answer)(struct work *w, struct json_value request))
{
    struct work w = {0};
    struct buffer line = {0};
    size_t size;
#ifdef _WIN32
    _setmode(_fileno(stdin), _O_BINARY);
    _setmode(_fileno(stdout), _O_BINARY);
#endif
    while (!ferror(stdout) && read_line(stdin, &line, &size)) {
        struct json_value request;
        const char *why = NULL;
        if (strspn(line.memory, " \t\r") == size)
            continue;
        if (json_parse(line.memory, size, &request, &why))
            why = answer(&w, request);
        if (why) {
            struct annot__json out = {cli_write, stdout, false};
            annot__json_format(&out, "{error:%s}\n", why);
        }
        fflush(stdout);
    }
    free(line.memory);
    free(w.blob.memory);
    free(w.name.memory);
    free(w.text.memory);
    free(w.units.memory);
    if (ferror(stdin)) /* cli_finish reports a failure of standard output */
        fputs("annot pix: standard input can't be read; check the pipe\n", stderr);
    return ferror(stdin) || ferror(stdout) ? EXIT_UNUSABLE : EXIT_FINE;
}

int cmd_pix(int argc, char **argv)
{
    struct arguments a = {0};
    int count, code;
    if (!options_read(&command_pix, argc, argv, &a, &count, &code))
        return code;
    const bool is_decode = strcmp(argv[1], "decode") == 0;
    if (!is_decode && strcmp(argv[1], "encode") != 0)
        fprintf(stderr, "annot pix: %s\n", command_pix.missing);
    else if (!a.is_jsonl)
        cli_complain("pix", "--jsonl must follow", argv[1]);
    else
        return run_jsonl(is_decode ? decode_request : encode_request);
    return EXIT_UNUSABLE;
}
