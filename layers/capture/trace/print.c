#include "print.h"

#include "array.h"
#include "codec.h"
#include "codec_bytes.h"
#include "unicode.h"

#include <annot/shader.h>
#include <annot/text.h>

#include <inttypes.h>
#include <stdarg.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define FLUSHED 65536u /* bytes that a printer with a file gathers */

/* ---- text ---- */

void trace_text_add(struct trace_text *text, const char *bytes, size_t size)
{
    text->has_failed |= !ARRAY_RESERVE(text->data, text->capacity, text->size + size + 1);
    if (text->has_failed)
        return;
    memcpy(text->data + text->size, bytes, size);
    text->size += size;
    text->data[text->size] = '\0';
}

/* Escapes as in reports [ANN-SEC-06], but half a surrogate pair, and bytes that belong to no
 * character, are separate units. */
static void add_unit(struct trace_text *text, uint32_t c)
{
    char bytes[4], escaped[ANNOT_ESCAPED_MAX];
    size_t size;
    if (c >> 11 == 0x1B)
        size = (size_t)snprintf(escaped, sizeof escaped, "\\u%04x", c);
    else
        annot_text_escape(ANNOT_ESCAPE_JSON, bytes, unicode_encode(c, bytes), escaped, &size);
    trace_text_add(text, escaped, size);
}

void trace_text_add_wide(struct trace_text *text, const uint16_t *units, size_t length)
{
    trace_text_add(text, "\"", 1);
    for (size_t i = 0; i < length;)
        add_unit(text, unicode_next(units, sizeof *units, length, &i));
    trace_text_add(text, "\"", 1);
}

/* Escapes one character of UTF-8; a byte that begins no character becomes U+DC80 to U+DCFF. */
static size_t escape(const char **at, const char *end, char escaped[ANNOT_ESCAPED_MAX])
{
    static const char replacement[] = "\xEF\xBF\xBD"; /* U+FFFD */
    const char *text = *at;
    size_t size;
    const size_t used =
        annot_text_escape(ANNOT_ESCAPE_JSON, text, (size_t)(end - text), escaped, &size);
    const bool is_replaced = size == 3 && memcmp(escaped, replacement, 3) == 0 &&
                             (used != 3 || memcmp(text, replacement, 3) != 0);
    *at += is_replaced ? 1 : used;
    return is_replaced
               ? (size_t)snprintf(escaped, ANNOT_ESCAPED_MAX, "\\u%04x", 0xDC00u + (uint8_t)*text)
               : size;
}

void trace_text_add_quoted(struct trace_text *text, const char *bytes, size_t size)
{
    const char *at = bytes, *end = bytes + size;
    char escaped[ANNOT_ESCAPED_MAX];
    trace_text_add(text, "\"", 1);
    while (at < end)
        trace_text_add(text, escaped, escape(&at, end, escaped));
    trace_text_add(text, "\"", 1);
}

/* Prints a text without allocating memory. */
void trace_print_text(FILE *file, const char *bytes, size_t size)
{
    const char *at = bytes, *end = bytes + size;
    char escaped[ANNOT_ESCAPED_MAX];
    fputc('"', file);
    while (at < end)
        fwrite(escaped, 1, escape(&at, end, escaped), file);
    fputc('"', file);
}

/* ---- values ---- */

static void flush(struct trace_printer *p)
{
    if (p->file && p->text.size) {
        fwrite(p->text.data, 1, p->text.size, p->file);
        p->text.size = 0;
    }
}

static void put(struct trace_printer *p, const char *text)
{
    trace_text_add(&p->text, text, strlen(text));
    if (p->text.size > FLUSHED)
        flush(p);
}

/* A hash gets the format alone, which is faster. */
static void put_format(struct trace_printer *p, const char *format, ...)
{
    char piece[512]; /* names from the table, or numbers */
    va_list values;
    if (p->element) {
        put(p, format);
        return;
    }
    va_start(values, format);
    vsnprintf(piece, sizeof piece, format, values);
    va_end(values);
    put(p, piece);
}

struct place { /* between the values of an object or array */
    bool has_one;
};

static uint64_t shown(const struct trace_printer *p, uint8_t kind, uint64_t value)
{
    return p->rename ? p->rename(p->user, kind, value) : value;
}

static void put_comma(struct trace_printer *p, struct place *place)
{
    put(p, place->has_one ? ", " : "");
    place->has_one = true;
}

static void put_name(struct trace_printer *p, struct place *place, const char *name)
{
    put_comma(p, place);
    put_format(p, p->is_json ? "\"%s\": " : "%s=", name);
}

static void put_either(struct trace_printer *p, const char *json, const char *text)
{
    put(p, p->is_json ? json : text);
}

static void put_quote(struct trace_printer *p)
{
    put_either(p, "\"", "");
}

static void put_null(struct trace_printer *p)
{
    put_either(p, "null", "NULL");
}

/* Adds the bytes of a number to a text that becomes a hash. False: the text is for people. */
static bool put_raw(struct trace_printer *p, const void *memory, size_t size)
{
    if (p->element)
        trace_text_add(&p->text, memory, size);
    return p->element != NULL;
}

static void put_word(struct trace_printer *p, const char *format, uint64_t value)
{
    if (put_raw(p, &value, sizeof value))
        return;
    put_quote(p);
    put_format(p, format, value);
    put_quote(p);
}

static const struct schema_enumerator *enumerator(uint16_t type, int64_t value)
{
    const struct schema_enum *e = &schema_enums[type - SCHEMA_ENUM_FIRST];
    for (uint32_t i = 0; i < e->count; i++) {
        const int64_t candidate = schema_enumerators[e->first + i].value;
        if (candidate == value || (uint32_t)candidate == (uint32_t)value)
            return &schema_enumerators[e->first + i];
    }
    return NULL;
}

static bool is_one_bit(int64_t value)
{
    const uint32_t bits = (uint32_t)value;
    return bits && !(bits & (bits - 1));
}

/* Whether each bit of the value has a name, in an enumeration of flags. */
static bool is_sum_of_flags(uint16_t type, uint32_t value)
{
    const struct schema_enum *e = &schema_enums[type - SCHEMA_ENUM_FIRST];
    uint32_t named = 0;
    if (!strstr(e->name, "FLAG") && !strstr(e->name, "STATES"))
        return false;
    for (uint32_t i = 0; i < e->count; i++)
        if (is_one_bit(schema_enumerators[e->first + i].value))
            named |= (uint32_t)schema_enumerators[e->first + i].value;
    return value && !(value & ~named);
}

static void put_flags(struct trace_printer *p, uint16_t type, uint32_t value)
{
    bool has_one = false;
    put_quote(p);
    for (uint32_t bit = 1; bit; bit <<= 1) {
        if (!(value & bit))
            continue;
        put_format(p, "%s%s", has_one ? "|" : "", enumerator(type, (int32_t)bit)->name);
        has_one = true;
    }
    put_quote(p);
}

static void put_enum(struct trace_printer *p, uint16_t type, uint64_t value)
{
    const struct schema_enumerator *found = enumerator(type, (int32_t)value);
    if (found)
        put_format(p, p->is_json ? "\"%s\"" : "%s", found->name);
    else if (is_sum_of_flags(type, (uint32_t)value))
        put_flags(p, type, (uint32_t)value);
    else
        put_format(p, "%" PRIu64, value & 0xffffffffu);
}

static void put_real(struct trace_printer *p, double value)
{
    const bool is_finite = value - value == 0;
    if (is_finite)
        put_format(p, "%.9g", value);
    else
        put(p, value != value ? "\"nan\"" : value > 0 ? "\"inf\"" : "\"-inf\"");
}

static void put_guid(struct trace_printer *p, const uint8_t *bytes)
{
    const uint16_t type = schema_interface_of(bytes);
    put_quote(p);
    if (type != TYPE_NONE) {
        put(p, schema_interfaces[type - SCHEMA_INTERFACE_FIRST].name);
    } else {
        put_format(p, "%08x-%04x-%04x-", (unsigned)load(bytes, 4), (unsigned)load(bytes + 4, 2),
                   (unsigned)load(bytes + 6, 2));
        for (int i = 8; i < 16; i++)
            put_format(p, i == 10 ? "-%02x" : "%02x", bytes[i]);
    }
    put_quote(p);
}

static void put_scalar(struct trace_printer *p, uint8_t kind, uint16_t type, uint32_t size,
                       const void *memory)
{
    const uint64_t value = load(memory, size);
    float f;
    double d;
    if (put_raw(p, memory, size))
        return;
    switch (kind) {
    case KIND_U:
        if (size == 8 && value > 1ull << 53)
            put_word(p, "0x%" PRIx64, value);
        else
            put_format(p, "%" PRIu64, value);
        break;
    case KIND_I:
        put_format(p, "%" PRId64,
                   size == 8 ? (int64_t)value
                   : size == 4
                       ? (int32_t)value
                       : (int8_t)value); /* sample positions, quantizers; none has 2 bytes */
        break;
    case KIND_R:
        if (value)
            put_word(p, "0x%08" PRIx64, value & 0xffffffffu);
        else
            put_either(p, "\"S_OK\"", "S_OK");
        break;
    case KIND_B:
        put(p, value ? "true" : "false");
        break;
    case KIND_F:
        memcpy(&f, memory, sizeof f);
        if (size == 8)
            memcpy(&d, memory, sizeof d);
        put_real(p, size == 8 ? d : (double)f);
        break;
    case KIND_E:
        put_enum(p, type, value);
        break;
    case KIND_G:
        put_guid(p, memory);
        break;
    default:
        break;
    }
}

static void put_object(struct trace_printer *p, uint64_t number)
{
    if (!number)
        put_null(p);
    else
        put_word(p, number >> 63 ? "foreign#%" PRIu64 : "#%" PRIu64,
                 shown(p, KIND_O, number) & ~(1ull << 63));
    const char *name = number && p->name_of ? p->name_of(p->user, number) : NULL;
    if (name && !p->is_json) {
        put(p, " ");
        trace_text_add_quoted(&p->text, name, strlen(name));
    }
}

static void put_elements(struct trace_printer *p, uint8_t kind, uint16_t type, uint32_t size,
                         const void *memory, uint64_t count);

static void put_struct(struct trace_printer *p, uint16_t type, const uint8_t *memory);

static void put_text(struct trace_printer *p, const void *text, bool is_wide)
{
    const uint16_t *units = text;
    size_t length = 0;
    while (text && is_wide && units[length])
        length++;
    if (!text)
        put_null(p);
    else if (is_wide)
        trace_text_add_wide(&p->text, units, length);
    else
        trace_text_add_quoted(&p->text, text, strlen(text));
}

static void put_value(struct trace_printer *p, uint8_t kind, uint16_t type, uint32_t size,
                      const void *memory)
{
    const uint64_t word = load(memory, size);
    switch (kind) {
    case KIND_S:
        put_struct(p, type, memory);
        break;
    case KIND_O:
        put_object(p, word);
        break;
    case KIND_A:
    case KIND_C:
    case KIND_H:
        put_word(p, "0x%" PRIx64, shown(p, kind, word));
        break;
    case KIND_K: /* the system may give the value of a closed handle to another handle */
        put_word(p, "0x%" PRIx64, shown(p, p->is_result ? kind | TRACE_RENAME_NEW : kind, word));
        break;
    case KIND_Z:
    case KIND_W:
        put_text(p, pointer(word), kind == KIND_W);
        break;
    case KIND_X:
    case KIND_Y:
    case KIND_STREAM:
    case KIND_DESC:
    case KIND_SIBLING:
    case KIND_P:
        if (word)
            put_either(p, "\"*\"", "*");
        else
            put_null(p);
        break;
    default:
        put_scalar(p, kind, type, size, memory);
        break;
    }
}

/* Whether the runtime takes the elements as a set: barriers, or objects to make resident. */
static bool is_set(uint8_t kind, uint16_t type)
{
    return (kind == KIND_O && type == TYPE_ID3D12Pageable) ||
           (kind == KIND_S && strstr(schema_structs[type].name, "_BARRIER"));
}

static void put_array(struct trace_printer *p, uint8_t kind, uint16_t type, uint32_t size,
                      const uint8_t *memory, uint64_t count)
{
    struct place place = {false};
    const uint64_t most = p->elements_max && count > p->elements_max ? p->elements_max : count;
    const bool is_taken = p->element && is_set(kind, type);
    put(p, "[");
    if (is_taken)
        p->element(p->user, NULL, 0);
    for (uint64_t i = 0; i < most; i++) {
        put_comma(p, &place);
        const size_t from = p->text.size;
        put_value(p, kind, type, size, memory + i * size);
        if (!is_taken || p->text.has_failed)
            continue;
        p->element(p->user, p->text.data + from, p->text.size - from);
        p->text.size = from;
    }
    if (most < count) {
        put_comma(p, &place);
        put_word(p, "... %" PRIu64 " more", count - most);
    }
    put(p, "]");
}

/* Returns the length of the address at this place of a message's text; 0: there is no address. */
static uint64_t address_in_text(const uint8_t *memory, uint64_t left, uint64_t *address)
{
    uint64_t length = 2;
    if (left < 10 || memory[0] != '0' || memory[1] != 'x')
        return 0;
    for (*address = 0; length < left && length < 18; length++) {
        const uint8_t c = memory[length];
        const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
        if (digit < 0)
            break;
        *address = *address << 4 | (uint64_t)digit;
    }
    return length < 10 ? 0 : length;
}

/* Prints a shader by its hash if arrays are cut. False: the bytes are no shader. */
static bool put_shader(struct trace_printer *p, const uint8_t *memory, uint64_t count)
{
    static const char *const forms[] = {"", "DXBC", "DXIL", "SPIR-V"};
    annot_shader shader;
    if (!p->elements_max || count <= p->elements_max || p->rename ||
        !annot_shader_read(memory, (size_t)count, &shader) || shader.form == 0 ||
        shader.form >= sizeof forms / sizeof forms[0])
        return false;
    put_format(p, "\"%s %s", forms[shader.form], annot_shader_stage_text(shader.stage));
    for (size_t i = 0; (shader.flags & ANNOT_SHADER_HAS_DIGEST) && i < sizeof shader.digest; i++)
        put_format(p, i ? "%02x" : ", digest %02x", shader.digest[i]);
    for (size_t i = 0; (shader.flags & ANNOT_SHADER_HAS_HASH) && i < sizeof shader.hash; i++)
        put_format(p, i ? "%02x" : ", hash %02x", shader.hash[i]);
    put_format(p, ", XXH3 %016" PRIx64 ", %" PRIu64 " bytes\"", shader.xxh3, count);
    return true;
}

/* Bytes are shown as one run of hexadecimal digits. */
static void put_bytes(struct trace_printer *p, const uint8_t *memory, uint64_t count)
{
    const uint64_t most = p->elements_max && count > p->elements_max ? p->elements_max : count;
    uint64_t address, length;
    if (put_shader(p, memory, count))
        return;
    put(p, "\"");
    for (uint64_t i = 0; i < most; i++) {
        if (p->rename && (length = address_in_text(memory + i, most - i, &address))) {
            put_format(p, "<%" PRIu64 ">", shown(p, KIND_X, address));
            i += length - 1;
        } else if (!put_raw(p, &memory[i], 1)) {
            put_format(p, "%02x", memory[i]);
        }
    }
    put_format(p, most < count ? "... %" PRIu64 " bytes\"" : "\"", count);
}

static void put_elements(struct trace_printer *p, uint8_t kind, uint16_t type, uint32_t size,
                         const void *memory, uint64_t count)
{
    if (!memory)
        put_null(p);
    else if (kind == KIND_U && size == 1)
        put_bytes(p, memory, count);
    else if (count == 1)
        put_value(p, kind, type, size, memory);
    else
        put_array(p, kind, type, size, memory, count);
}

static void put_stream(struct trace_printer *p, const uint8_t *stream, uint64_t size)
{
    struct schema_subobject sub;
    struct place place = {false};
    uint64_t at = 0, value;
    put(p, "{");
    while (codec_stream_next(stream, size, &at, &value, &sub)) {
        const char *name = sub.type < SCHEMA_ENUM_FIRST ? schema_structs[sub.type].name
                           : sub.type >= SCHEMA_INTERFACE_FIRST && sub.type < TYPE_NONE
                               ? schema_interfaces[sub.type - SCHEMA_INTERFACE_FIRST].name
                           : sub.type < TYPE_NONE ? schema_enums[sub.type - SCHEMA_ENUM_FIRST].name
                                                  : "Value";
        put_name(p, &place, name);
        put_value(p, sub.kind, sub.type, sub.size, stream + value);
    }
    put(p, "}");
}

static void put_member(struct trace_printer *p, const struct schema_struct *s,
                       const struct schema_value *f, const uint8_t *memory)
{
    const uint8_t *place = memory + f->offset;
    const uint64_t word = load(place, f->size);
    struct schema_subobject sub;
    if (f->kind == KIND_P && word) {
        put_elements(p, f->elem, f->type, f->elem_size, pointer(word),
                     codec_member_count(s, f, memory));
    } else if (f->kind == KIND_STREAM && word) {
        put_stream(p, pointer(word), load(memory, 8));
    } else if (f->kind == KIND_DESC && word) {
        if (schema_state_subobject((uint32_t)load(memory, 4), &sub))
            put_value(p, sub.kind, sub.type, sub.size, pointer(word));
    } else if (f->array > 1) {
        put_array(p, f->kind, f->type, f->elem_size, place, f->array);
    } else {
        put_value(p, f->kind, f->type, f->elem_size, place);
    }
}

/* Whether the member differs in each run: the dump's path, and the process's number. A trace has no
 * functions of a kernel driver. */
static bool is_of_one_run(uint16_t type, const struct schema_value *f)
{
    return type == TYPE_emu_config &&
           (strcmp(f->name, "dump_path") == 0 || strcmp(f->name, "kernel_driver") == 0);
}

static void put_struct(struct trace_printer *p, uint16_t type, const uint8_t *memory)
{
    const struct schema_struct *s = &schema_structs[type];
    struct place place = {false};
    put(p, "{");
    for (uint32_t i = 0; i < s->count; i++) {
        const struct schema_value *f = &schema_fields[s->first + i];
        if (!schema_is_active(s, f, memory) || (p->rename && is_of_one_run(type, f)) ||
            (f->dir == DIR_WRITE && !p->is_result) || strncmp(f->name, "UnusedField", 11) == 0)
            continue;
        put_name(p, &place, f->name);
        put_member(p, s, f, memory);
    }
    put(p, "}");
}

/* ---- records ---- */

/* Whether private data may be a pointer: the data has a pointer's size. */
static bool is_address(const struct trace_printer *p, const struct schema_method_row *m,
                       uint64_t arg, uint64_t count, uint64_t *address)
{
    if (!p->rename || m != &schema_methods[METHOD_ID3D12Object_GetPrivateData] || count != 8)
        return false;
    *address = load(pointer(arg), 8);
    return *address > UINT32_MAX;
}

static bool is_time(const struct schema_method_row *m, const struct schema_value *written)
{
    return m == &schema_methods[METHOD_ID3D12CommandQueue_GetClockCalibration] && written->dir;
}

/* Whether a failed call left NULL, or wrote NULL: a comparison can't distinguish this. */
static bool is_left_null(const struct trace_printer *p, const struct schema_value *v, uint64_t arg)
{
    return p->rename && p->has_failed && v->elem == KIND_O && load(pointer(arg), 8) == 0;
}

/* Takes the numbers of an array of 32-bit constants, which the text of a hash lacks. */
static bool take_constants(struct trace_printer *p, const struct schema_value *v, uint64_t arg,
                           uint64_t count)
{
    if (!p->element || v->multiplier != 4)
        return false;
    for (uint64_t i = 0; i + 4 <= count; i += 4)
        (void)shown(p, KIND_U, load((const char *)pointer(arg) + i, 4));
    return true;
}

static void put_args(struct trace_printer *p, const struct schema_method_row *m,
                     const uint64_t *args, const uint64_t *counts, bool leave)
{
    struct place place = {false};
    uint64_t address;
    for (uint32_t i = 0; i < m->count; i++) {
        const struct schema_value shape = codec_shape(m, i, args), *v = &shape;
        if ((leave && !((v->dir & DIR_WRITE) && args[i])) || (p->rename && is_time(m, v)) ||
            (leave && v->kind == KIND_P && counts[i] == 1 && is_left_null(p, v, args[i])))
            continue;
        put_name(p, &place, v->name);
        if (v->kind != KIND_P)
            put_value(p, v->kind, v->type, v->size, &args[i]);
        else if (!args[i])
            put_null(p);
        else if (!leave && !(v->dir & DIR_READ))
            put_either(p, "\"*\"", "*");
        else if (is_address(p, m, args[i], counts[i], &address))
            put_word(p, "0x%" PRIx64, shown(p, KIND_X, address));
        else if (!take_constants(p, v, args[i], counts[i]))
            put_elements(p, v->elem, v->type, v->elem_size, pointer(args[i]), counts[i]);
    }
}

void trace_method_name(int method, char *name, size_t size)
{
    if (method < 0)
        snprintf(name, size, "?");
    else if (strcmp(schema_methods[method].iface, "NONE") == 0)
        snprintf(name, size, "%s", schema_methods[method].name);
    else
        snprintf(name, size, "%s::%s", schema_methods[method].iface, schema_methods[method].name);
}

static struct codec_in decoder(struct trace_printer *p, const struct trace_item *item, size_t skip)
{
    codec_arena_reset(p->arena);
    return (struct codec_in){.at = item->data + (skip < item->size ? skip : item->size),
                             .end = item->data + item->size,
                             .arena = p->arena,
                             .wchar_size = 2,
                             .only_data = true};
}

static bool print_enter(struct trace_printer *p, const struct trace_item *item)
{
    p->is_result = false;
    const struct schema_method_row *m = &schema_methods[item->method];
    uint64_t args[CODEC_ARGS] = {0};
    char name[160];
    struct codec_in in = decoder(p, item, 8);
    const bool ok = codec_decode(&in, m, args, false);
    if (!p->element)
        trace_method_name(item->method, name, sizeof name);
    if (p->is_json)
        put_format(p,
                   "{\"call\": %" PRIu64 ", \"thread\": %" PRIu32
                   ", \"method\": \"%s\", \"object\": ",
                   item->record.call, item->thread, name);
    else
        put_format(p, "%" PRIu64 " t%" PRIu32 " ", item->record.call, item->thread);
    const uint64_t self = word_at(item, 0);
    if (p->is_json || self)
        put_object(p, self);
    put_format(p, p->is_json ? ", \"arguments\": {" : self ? " %s(" : "%s(", name);
    if (ok)
        put_args(p, m, args, in.counts, false);
    put_either(p, "}}", ")");
    return ok;
}

static void put_result(struct trace_printer *p, const struct trace_item *item,
                       const struct schema_method_row *m, struct codec_in *in)
{
    const uint64_t word = word_at(item, 1);
    if (m->result.kind == KIND_S) {
        const void *memory = codec_take_struct(in, m->result.type);
        if (memory)
            put_struct(p, m->result.type, memory);
        else
            put_null(p);
        return;
    }
    put_value(p, m->result.kind, m->result.type, m->result.size < 8 ? m->result.size : 8, &word);
}

static bool print_leave(struct trace_printer *p, const struct trace_item *item)
{
    p->is_result = true;
    const struct schema_method_row *m = &schema_methods[item->method];
    p->has_failed = m->result.kind == KIND_R && (int32_t)word_at(item, 1) < 0;
    uint64_t args[CODEC_ARGS] = {0};
    struct codec_in in = decoder(p, item, 16);
    const bool ok = codec_decode(&in, m, args, true);
    if (p->is_json)
        put_format(p, "{\"returned\": %" PRIu64 ", \"thread\": %" PRIu32 ", \"result\": ",
                   item->record.call, item->thread);
    else
        put_format(p, "%" PRIu64 " t%" PRIu32 "   = ", item->record.call, item->thread);
    if (ok && m->has_result)
        put_result(p, item, m, &in);
    else
        put_null(p);
    put_either(p, ", \"written\": {", " ");
    if (ok)
        put_args(p, m, args, in.counts, true);
    put_either(p, "}}", "");
    return ok && !in.is_damaged;
}

static bool print_memory(struct trace_printer *p, const struct trace_item *item)
{
    struct trace_memory m;
    const bool is_check = item->record.kind == RECORD_CHECK;
    if (item->size < sizeof m)
        return false;
    memcpy(&m, item->data, sizeof m);
    const uint64_t there = item->size - sizeof m;
    if (!is_check && !m.hash)
        m.hash = XXH64(item->data + sizeof m, m.size < there ? m.size : there, 0);
    put_format(p, p->is_json ? "{\"%s\": " : "  %s ", is_check ? "read" : "memory");
    put_object(p, m.object);
    put_format(p,
               p->is_json ? ", \"offset\": %" PRIu64 ", \"size\": %" PRIu64
                            ", \"xxh64\": \"%016" PRIx64 "\"}"
                          : " bytes %" PRIu64 " + %" PRIu64 ", XXH64 %016" PRIx64,
               m.offset, m.size, m.hash);
    return true;
}

static bool print_other(struct trace_printer *p, const struct trace_item *item)
{
    const uint64_t first = word_at(item, 0);
    switch (item->record.kind) {
    case RECORD_MEMORY:
    case RECORD_CHECK:
        return print_memory(p, item);
    case RECORD_FENCES:
        put_either(p, "{\"fence\": ", "  fence ");
        put_object(p, first);
        put_either(p, ", \"reached\": ", " had reached ");
        put_format(p, "%" PRIu64, word_at(item, 1));
        break;
    case RECORD_ADDRESS:
        put_either(p, "{\"address\": ", "  address ");
        put_word(p, "0x%" PRIx64, shown(p, KIND_A, first));
        break;
    case RECORD_GIVEN:
        put_either(p, "{\"program_memory\": ", "  memory that the program passed: ");
        put_format(p, p->is_json ? "%" PRIu64 : "%" PRIu64 " bytes", first);
        break;
    case RECORD_VARIABLE:
        put_either(p, "{\"variable\": ", "  variable ");
        trace_text_add_quoted(&p->text, (const char *)item->data + 8,
                              item->size > 8 && first <= item->size - 8 ? (size_t)first : 0);
        break;
    case RECORD_FILE:
        put_either(p, "{\"settings_bytes\": ", "  settings file, ");
        put_format(p, p->is_json ? "%" PRIu64 : "%" PRIu64 " bytes", first & UINT32_MAX);
        break;
    case RECORD_ADAPTER:
        put_either(p, "{\"adapter\": ", "  adapter ");
        put_object(p, first);
        put_either(p, ", \"luid\": ", " has LUID ");
        put_word(p, "%016" PRIx64, word_at(item, 1));
        break;
    case RECORD_TEXT:
        put_either(p, "{\"message\": ", "  ");
        trace_text_add_quoted(&p->text, (const char *)item->data,
                              item->size ? strnlen((const char *)item->data, item->size) : 0);
        break;
    default:
        put_either(p, "{\"unknown\": ", "  record of unknown kind ");
        put_format(p, "%" PRIu32, item->record.kind);
    }
    put_either(p, "}", "");
    return true;
}

static bool print_record(struct trace_printer *p, const struct trace_item *item)
{
    const uint32_t kind = item->record.kind;
    if (kind != RECORD_ENTER && kind != RECORD_LEAVE)
        return print_other(p, item);
    if (item->method < 0) {
        put_format(p,
                   p->is_json ? "{\"call\": %" PRIu64 ", \"method\": \"?\", \"digest\": %" PRIu32
                                "}"
                              : "%" PRIu64 " unknown method, digest %" PRIu32,
                   item->record.call, item->record.method);
        return true;
    }
    return kind == RECORD_ENTER ? print_enter(p, item) : print_leave(p, item);
}

bool trace_print(struct trace_printer *p, const struct trace_item *item)
{
    p->text.size = 0;
    p->text.has_failed = false;
    const bool ok = print_record(p, item);
    flush(p);
    return ok && !p->text.has_failed;
}

bool trace_printer_init(struct trace_printer *p, FILE *file, bool is_json)
{
    *p = (struct trace_printer){.file = file, .is_json = is_json, .arena = codec_arena_create()};
    return p->arena != NULL;
}

void trace_printer_finish(struct trace_printer *p)
{
    codec_arena_destroy(p->arena);
    free(p->text.data);
}
