/* Makes a dump without names, which can be given to other people, record by record:
 *
 *     file -> section -> record -> changed record -> section -> file
 *
 * Numbers stay, possible names are replaced, and the rest is emptied.
 *
 * A keyed hash makes a word from the name's folded form, and a number from the whole name. So with
 * the same key, equal names stay equal, and names that differ only in numbers still differ only in
 * numbers:
 *
 *     Cascade 2     ->  kfmpcahbiodlenjg 2719405583
 *     Cascade 3     ->  kfmpcahbiodlenjg 904811276
 *
 * Damage stays damage, so the copy never proves more than the original: sections keep their index,
 * a section with a wrong hash gets a wrong hash, and a broken record becomes a broken record. */
#include "base/sized.h"
#include "base/utf.h"
#include "dump/dump_decode.h"
#include "dump/dump_encode.h"
#include "dump_read/dump_model.h"
#include "redact/keyed_hash.h"
#include "hang/identity.h"

#include "array.h"

#include <annot/fleet.h>
#include <annot/pix.h>

#include <ctype.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum {
    LETTERS = 16, /* letters */
    TOKEN_MAX = 64,
    OPS = 255, /* D3D12_AUTO_BREADCRUMB_OP */
    IDENTITY_MAX = 160
};

struct redactor {
    const annot_reader *reader;
    const annot_report_sink *sink;
    annot_redact_options options;
    struct annot__key key;
    char *payload; /* payload of the section that is being made */
    size_t size, capacity;
    uint32_t gaps; /* number of sections that were added */
    bool is_failed, has_memory;
    bool has_identity; /* the fact with it */
    size_t added;      /* records */
    char name[ANNOT__NAME_MAX + 1], folded[ANNOT__NAME_MAX + 1];
};

/* ---- output ---- */

static void write_out(struct redactor *redactor, const void *data, size_t size)
{
    if (!redactor->is_failed && size > 0 &&
        !redactor->sink->write(redactor->sink->user, data, size))
        redactor->is_failed = true;
}

/* Adds `size` zeroed bytes to the section. Returns NULL without memory. */
static char *extend(struct redactor *redactor, size_t size)
{
    if (!ARRAY_RESERVE(redactor->payload, redactor->capacity, redactor->size + size)) {
        redactor->has_memory = false;
        return NULL;
    }
    char *at = redactor->payload + redactor->size;
    memset(at, 0, size);
    redactor->size += size;
    return at;
}

static void put_record(struct redactor *redactor, uint32_t kind, const void *fixed,
                       size_t fixed_size, const void *variable, size_t size)
{
    const size_t whole = ANNOT__DUMP_RECORD_HEADER + fixed_size + size;
    char *at = extend(redactor, (whole + 7) & ~(size_t)7);
    if (!at)
        return;
    annot__put_u16(at, (uint16_t)kind);
    annot__put_u16(at + 2, (uint16_t)fixed_size);
    annot__put_u32(at + 4, (uint32_t)size);
    if (fixed_size > 0)
        memcpy(at + ANNOT__DUMP_RECORD_HEADER, fixed, fixed_size);
    if (size > 0)
        memcpy(at + ANNOT__DUMP_RECORD_HEADER + fixed_size, variable, size);
}

/* ---- tokens ---- */

/* Writes the word, a space and a number, which folding keeps and never makes equal to others.
 * Returns the bytes stored. */
static size_t make_token(struct redactor *redactor, const char *name, size_t size, char *token)
{
    const size_t folded = annot_fold_name(name, size, redactor->folded, sizeof redactor->folded);
    uint64_t word = annot__keyed_hash(&redactor->key, redactor->folded, folded);
    for (int i = 0; i < LETTERS; i++, word >>= 4)
        token[i] = (char)('a' + (word & 15));
    const bool has_number = folded != size || memcmp(redactor->folded, name, size) != 0;
    if (!has_number)
        return LETTERS;
    const uint32_t number = (uint32_t)annot__keyed_hash(&redactor->key, name, size);
    return LETTERS + (size_t)snprintf(token + LETTERS, TOKEN_MAX - LETTERS, " %u", number);
}

static size_t text_token(struct redactor *redactor, struct annot__bytes text, char *token)
{
    return text.size == 0 ? 0 : make_token(redactor, (const char *)text.data, text.size, token);
}

/* ---- markers ---- */

static size_t encode_utf16(const char *token, size_t size, char *out)
{
    for (size_t i = 0; i < size; i++) {
        out[2 * i] = token[i];
        out[2 * i + 1] = 0;
    }
    return 2 * size;
}

/* Makes a PIX event of the same version and colour. */
static size_t encode_pix(const struct annot__marker_view *marker, bool is_begin, char *token,
                         char *out, size_t capacity)
{
    annot_pix_event event;
    char name[8];
    annot_pix_desc desc = {
        .version = marker->metadata == ANNOT_PIX_METADATA_V1 ? ANNOT_PIX_V1 : ANNOT_PIX_V2,
        .kind = is_begin ? ANNOT_PIX_KIND_BEGIN : ANNOT_PIX_KIND_MARKER,
        .format = {.type = ANNOT_PIX_STR, .value = {.str = token}},
    };
    if (annot_pix_decode(marker->metadata, marker->bytes.data, marker->bytes.size, name,
                         sizeof name, &event) == ANNOT_PIX_OK) {
        desc.color_kind = event.color_kind;
        desc.color = event.color;
    }
    return annot_pix_encode(&desc, out, capacity);
}

static bool is_pix(uint32_t metadata)
{
    return metadata == ANNOT_PIX_METADATA_V1 || metadata == ANNOT_PIX_METADATA_V2;
}

/* At level "exact" a layer has a scope around each call. Its name without arguments stays, so that
 * readers tell it from scopes of the program. Returns its size; 0: the name is another one. */
static size_t call_name(const struct redactor *redactor, const struct annot__name *name,
                        char *token)
{
    static const char vulkan[] = "vkCmd";
    size_t size = 0;
    if (!annot__text_is(annot__fact_of(redactor->reader, "level"), "exact"))
        return 0;
    while (size < name->size && size < TOKEN_MAX - 3 && isalnum((unsigned char)name->text[size]))
        size++;
    memcpy(token, name->text, size);
    token[size] = 0;
    if (size == name->size && size >= sizeof vulkan &&
        memcmp(token, vulkan, sizeof vulkan - 1) == 0)
        return size;
    for (uint32_t op = 0; size < name->size && name->text[size] == '(' && op < OPS; op++)
        if (strcmp(annot_op_text(op), token) == 0)
            return size + (size_t)snprintf(token + size, 3, "()");
    return 0;
}

/* Makes the bytes that replace a payload. */
static size_t redact_payload(struct redactor *redactor, const struct annot__marker_view *marker,
                             bool is_begin, char *out, size_t capacity)
{
    char token[TOKEN_MAX];
    struct annot__name name;
    if (marker->bytes.size == 0)
        return 0;
    annot__name_of_marker(marker, redactor->name, sizeof redactor->name, &name);
    const bool has_text = marker->metadata == ANNOT_PIX_METADATA_UTF8 ||
                          marker->metadata == ANNOT_PIX_METADATA_UTF16 || is_pix(marker->metadata);
    size_t size = has_text && is_begin ? call_name(redactor, &name, token) : 0;
    if (size == 0)
        size = has_text ? make_token(redactor, name.text, name.size, token)
                        : text_token(redactor, marker->bytes, token);
    token[size] = 0;
    if (marker->metadata == ANNOT_PIX_METADATA_UTF16)
        return encode_utf16(token, size, out);
    if (is_pix(marker->metadata))
        return encode_pix(marker, is_begin, token, out, capacity);
    memcpy(out, token, size);
    return size;
}

/* The size of the whole text, if a record has it; a larger size means that the text is cut. */
static uint32_t whole_size(uint32_t said, size_t held, size_t now)
{
    return (uint32_t)(said > held ? now + 1 : now);
}

/* The copy keeps a new field unchanged, so the field must tell nothing about names. */
_Static_assert((int)ANNOT__DUMP_BEGIN_FIXED == 28, "may a copy without names have the new field?");

static void redact_marker(struct redactor *redactor, const struct annot__record_view *record)
{
    char fixed[ANNOT__DUMP_BEGIN_FIXED], out[1024];
    struct annot__dump_BEGIN fields;
    annot__decode_BEGIN(record->fixed, &fields);
    const bool is_gone = fields.flags & ANNOT__DUMP_MARKER_UNREADABLE;
    const struct annot__marker_view marker = {fields.metadata, fields.size, ANNOT_PAYLOAD_COPIED,
                                              record->variable};
    const size_t size =
        is_gone
            ? 0
            : redact_payload(redactor, &marker, record->kind == ANNOT__DUMP_BEGIN, out, sizeof out);
    if (!is_gone)
        fields.size = whole_size(fields.size, record->variable.size, size);
    annot__put_BEGIN(fixed, &fields);
    put_record(redactor, record->kind, fixed, sizeof fixed, out, size);
}

/* ---- other records ---- */

/* Redacts a record whose variable bytes are a name. Hashes of shaders stay, because they name no
 * files and connect dumps with the same shader. */
#define REDACT_NAMED(NAME, noun)                                                                   \
    static void redact_##noun(struct redactor *redactor, const struct annot__record_view *record)  \
    {                                                                                              \
        char fixed[ANNOT__DUMP_##NAME##_FIXED], token[TOKEN_MAX];                                  \
        struct annot__dump_##NAME fields;                                                          \
        annot__decode_##NAME(record->fixed, &fields);                                              \
        const size_t size = text_token(redactor, record->variable, token);                         \
        fields.name_size = whole_size(fields.name_size, record->variable.size, size);              \
        annot__put_##NAME(fixed, &fields);                                                         \
        put_record(redactor, record->kind, fixed, sizeof fixed, token, size);                      \
    }
REDACT_NAMED(OBJECT, object)
REDACT_NAMED(BUNDLE, bundle)
REDACT_NAMED(NAME, name)
REDACT_NAMED(FORMER, former)
REDACT_NAMED(SHADER, shader)

static void redact_text(struct redactor *redactor, const struct annot__record_view *record)
{
    char fixed[ANNOT__DUMP_TEXT_FIXED], token[TOKEN_MAX];
    struct annot__dump_TEXT fields;
    annot__decode_TEXT(record->fixed, &fields);
    annot__put_TEXT(fixed, &fields);
    const annot_redact_options *options = &redactor->options;
    if ((fields.role == ANNOT__DUMP_TEXT_ADAPTER && !options->drop_adapter) ||
        (fields.role == ANNOT__DUMP_TEXT_DRIVER && !options->drop_driver) ||
        fields.role == ANNOT__DUMP_TEXT_WRITER) {
        put_record(redactor, record->kind, fixed, sizeof fixed, record->variable.data,
                   record->variable.size);
        return;
    }
    const size_t size = text_token(redactor, record->variable, token);
    put_record(redactor, record->kind, fixed, sizeof fixed, token, size);
}

static bool is_part(struct annot__bytes bytes, size_t at, uint32_t objects)
{
    if (bytes.size - at < 16)
        return false;
    return annot__bytes_take(&bytes, at + 8) && annot__bytes_u32(&bytes) == ANNOT_BOUND_PART &&
           annot__bytes_u32(&bytes) < objects;
}

/* Redacts an operation: numbers stay, and bytes behind the announced numbers and parts go. */
static void redact_operation(struct redactor *redactor, const struct annot__record_view *record)
{
    char fixed[ANNOT__DUMP_OPERATION_FIXED];
    struct annot__dump_OPERATION fields;
    annot__decode_OPERATION(record->fixed, &fields);
    annot__put_OPERATION(fixed, &fields);
    const uint64_t announced = (uint64_t)fields.arguments * 8 + (uint64_t)fields.objects * 16;
    const bool is_whole = fields.arguments <= ANNOT_OPERATION_ARGUMENTS &&
                          fields.objects <= ANNOT_OPERATION_OBJECTS &&
                          announced <= record->variable.size;
    size_t kept = is_whole ? (size_t)announced : 0;
    while (is_whole && is_part(record->variable, kept, fields.objects))
        kept += 16;
    put_record(redactor, record->kind, fixed, sizeof fixed, record->variable.data, kept);
}

static bool is_text(struct annot__bytes bytes, const char *text)
{
    return bytes.size == strlen(text) && memcmp(bytes.data, text, bytes.size) == 0;
}

_Static_assert((int)IDENTITY_MAX <= (int)ANNOT_FACT_VALUE_MAX, "no value is longer");

/* Writes a fact. The key is a token or a key of the library; the value is a token or a value that
 * may stay. */
static void put_fact(struct redactor *redactor, uint32_t source, const char *key, size_t key_size,
                     const char *value, size_t size)
{
    char fixed[ANNOT__DUMP_FACT_FIXED], text[2 * TOKEN_MAX + ANNOT_FACT_VALUE_MAX];
    const struct annot__dump_FACT fields = {.source = source, .key_size = (uint32_t)key_size};
    annot__put_FACT(fixed, &fields);
    memcpy(text, key, key_size);
    memcpy(text + key_size, value, size);
    put_record(redactor, ANNOT__DUMP_FACT, fixed, sizeof fixed, text, key_size + size);
}

/* ---- the identity ---- */

/* Makes the stored form of an identity's ID and parts; unknown parts stay unknown. Anybody can
 * compute a public identity from guessed names and compare it. A keyed one is safe without its key,
 * and stays. */
static size_t identity_token(const struct redactor *redactor, const annot_identity *identity,
                             char *token)
{
    char text[IDENTITY_MAX];
    uint64_t hashes[1 + ANNOT_IDENTITY_PARTS] = {0};
    const bool is_kept = redactor->options.keep_signature || identity->id[0] == 'k';
    size_t used = 3;
    if (!identity->id[0])
        return (size_t)snprintf(token, IDENTITY_MAX, "none");
    hashes[0] = strtoull(identity->id + 3, NULL, 16);
    for (unsigned i = 0; i < ANNOT_IDENTITY_PARTS; i++)
        hashes[1 + i] = identity->parts[i].hash;
    snprintf(token, IDENTITY_MAX, "%s", is_kept ? identity->id : "k2-");
    for (unsigned i = 0; i <= ANNOT_IDENTITY_PARTS; i++) {
        const char *part = i == 0 ? "id" : annot_part_word((annot_part)(i - 1));
        const int size = snprintf(text, sizeof text, "%s %s %016llx", ANNOT__IDENTITY_FACT, part,
                                  (unsigned long long)hashes[i]);
        if (!is_kept && hashes[i])
            hashes[i] = annot__keyed_hash(&redactor->key, text, (size_t)size);
        used += (size_t)snprintf(token + used, IDENTITY_MAX - used, "%s%016llx", i > 0 ? " " : "",
                                 (unsigned long long)hashes[i]);
    }
    return used;
}

static void put_identity(struct redactor *redactor, const annot_identity *identity)
{
    char token[IDENTITY_MAX];
    put_fact(redactor, ANNOT_FACT_LIBRARY, ANNOT__IDENTITY_FACT, strlen(ANNOT__IDENTITY_FACT),
             token, identity_token(redactor, identity, token));
}

/* ---- facts ---- */

/* Returns true if the report's first line needs the fact, which holds no names. */
static bool is_of_the_hang(struct annot__bytes key, struct annot__bytes value)
{
    static const char process[] = "another process, pid ";
    if (is_text(key, "level") && is_text(value, "exact"))
        return true; /* only the layer makes scopes around calls */
    const size_t size = sizeof process - 1;
    const bool is_reset = is_text(key, ANNOT_FACT_RESET_OF) && value.size > size &&
                          memcmp(value.data, process, size) == 0;
    if (!is_reset && !is_text(key, ANNOT_FACT_SLOW))
        return false;
    for (size_t i = is_reset ? size : 0; i < value.size; i++)
        if (!strchr(is_reset ? "0123456789" : "0123456789. s", value.data[i]) || !value.data[i])
            return false;
    return true;
}

/* Redacts a fact. Keys of the library stay, and values that come from the system. */
static void redact_fact(struct redactor *redactor, const struct annot__record_view *record)
{
    char key_token[TOKEN_MAX], value_token[TOKEN_MAX];
    struct annot__dump_FACT fields;
    annot__decode_FACT(record->fixed, &fields);
    const size_t split =
        fields.key_size < record->variable.size ? fields.key_size : record->variable.size;
    const struct annot__bytes key = {record->variable.data, split};
    const struct annot__bytes value = {record->variable.data + split,
                                       record->variable.size - split};
    const bool is_own = fields.source == ANNOT_FACT_LIBRARY;
    if (is_own && is_text(key, ANNOT__IDENTITY_FACT)) {
        annot_identity identity = {.version = ANNOT_IDENTITY_VERSION};
        annot__identity_is_stored((annot_text){(const char *)value.data, value.size}, &identity);
        put_identity(redactor, &identity);
        return;
    }
    const bool is_system = is_own && is_text(key, "system");
    const bool is_hang = is_of_the_hang(key, value);
    const bool is_kept = (is_hang || (is_system && redactor->options.keep_system)) &&
                         value.size <= ANNOT_FACT_VALUE_MAX;
    const bool has_known_key = is_hang || is_system || (is_own && is_text(key, "process"));
    const size_t key_size = has_known_key ? split : text_token(redactor, key, key_token);
    const size_t value_size = is_kept ? value.size : text_token(redactor, value, value_token);
    put_fact(redactor, fields.source, has_known_key ? (const char *)key.data : key_token, key_size,
             is_kept ? (const char *)value.data : value_token, value_size);
}

static void redact_end(struct redactor *redactor, const struct annot__record_view *record)
{
    char fixed[ANNOT__DUMP_END_FIXED];
    struct annot__dump_END fields;
    annot__decode_END(record->fixed, &fields);
    fields.sections += redactor->gaps;
    fields.records += redactor->added;
    annot__put_END(fixed, &fields);
    put_record(redactor, record->kind, fixed, sizeof fixed, NULL, 0);
}

#define FIXED_SIZE(name, kind, doc, variable)                                                      \
    case ANNOT__DUMP_##name:                                                                       \
        return ANNOT__DUMP_##name##_FIXED;

/* Returns the size of the fixed fields that this version knows, or 0 for unknown records. */
static size_t fixed_size(uint32_t kind)
{
    switch (kind) {
        ANNOT__DUMP_RECORDS(FIXED_SIZE)
    default:
        return 0;
    }
}

/* Keeps the known fixed fields, which are numbers, and `size` bytes behind them. */
static void keep(struct redactor *redactor, const struct annot__record_view *record, size_t size)
{
    const size_t known = fixed_size(record->kind);
    put_record(redactor, record->kind, record->fixed.data,
               record->fixed.size < known ? record->fixed.size : known, record->variable.data,
               size);
}

static void keep_all(struct redactor *redactor, const struct annot__record_view *record)
{
    keep(redactor, record, record->variable.size);
}

/* Redacts a record. Records without a rule keep only numbers. */
static void redact_record(struct redactor *redactor, const struct annot__record_view *record)
{
    static const struct {
        uint32_t kind;
        void (*copy)(struct redactor *redactor, const struct annot__record_view *record);
    } kinds[] = {{ANNOT__DUMP_BEGIN, redact_marker},
                 {ANNOT__DUMP_SET, redact_marker},
                 {ANNOT__DUMP_OPERATION, redact_operation},
                 {ANNOT__DUMP_SUBMISSION, keep_all},
                 {ANNOT__DUMP_NAME, redact_name},
                 {ANNOT__DUMP_BUNDLE, redact_bundle},
                 {ANNOT__DUMP_OBJECT, redact_object},
                 {ANNOT__DUMP_FORMER, redact_former},
                 {ANNOT__DUMP_SHADER, redact_shader},
                 {ANNOT__DUMP_TEXT, redact_text},
                 {ANNOT__DUMP_FACT, redact_fact},
                 {ANNOT__DUMP_END, redact_end},
                 {ANNOT__DUMP_OPS, keep_all},
                 {ANNOT__DUMP_WAIT, keep_all},
                 {ANNOT__DUMP_HISTORY, keep_all}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].kind == record->kind) {
            kinds[i].copy(redactor, record);
            return;
        }
    keep(redactor, record, 0);
}

/* ---- the file ---- */

static void add_identity(struct redactor *redactor)
{
    annot_identity identity;
    if (redactor->has_identity)
        return;
    if (annot_reader_identity(redactor->reader, &identity) != ANNOT_OK)
        redactor->has_memory = false;
    if (identity.is_redacted)
        return;
    put_identity(redactor, &identity);
    redactor->has_identity = true;
    redactor->added++;
}

static void write_section(struct redactor *redactor, const struct annot__section *section,
                          uint32_t index)
{
    char header[ANNOT__DUMP_SECTION_HEADER];
    const uint64_t hash =
        XXH64(redactor->payload, redactor->size, (uint64_t)index << 32 | section->kind);
    memcpy(header, ANNOT__DUMP_SECTION_MAGIC, ANNOT__DUMP_MAGIC_SIZE);
    annot__put_u32(header + 8, section->kind);
    annot__put_u32(header + 12, index);
    annot__put_u64(header + 16, redactor->size);
    annot__put_u64(header + 24, section->is_damaged ? ~hash : hash);
    write_out(redactor, header, sizeof header);
    write_out(redactor, redactor->payload, redactor->size);
}

static void redact_section(struct redactor *redactor, const struct annot__section *section,
                           uint32_t index)
{
    struct annot__record_walk walk;
    struct annot__record_view record;
    redactor->size = 0;
    annot__record_walk_init(&walk, redactor->reader->file, section);
    while (annot__record_walk_next(&walk, &record))
        redact_record(redactor, &record);
    if (section->kind == ANNOT__DUMP_SECTION_ABOUT && !section->is_damaged && !walk.is_broken)
        add_identity(redactor);
    char *broken = walk.is_broken ? extend(redactor, ANNOT__DUMP_RECORD_HEADER) : NULL;
    if (broken)
        annot__put_u32(broken + 4, UINT32_MAX);
    if (redactor->has_memory)
        write_section(redactor, section, index);
}

static void write_header(struct redactor *redactor, bool is_complete, bool is_damaged)
{
    char header[ANNOT__DUMP_HEADER_SIZE] = {0};
    if (is_complete)
        memcpy(header, ANNOT__DUMP_MAGIC, ANNOT__DUMP_MAGIC_SIZE);
    annot__put_u16(header + 8, ANNOT__DUMP_MAJOR);
    annot__put_u16(header + 10, ANNOT__DUMP_MINOR);
    annot__put_u32(header + 12, ANNOT__DUMP_HEADER_SIZE);
    const uint64_t hash = XXH64(header + 8, 16, 0);
    annot__put_u64(header + 24, is_damaged ? ~hash : hash);
    write_out(redactor, header, sizeof header);
}

/* Replaces bytes outside sections with a damaged section of no kind, so that readers of the copy
 * don't know the stream of the next records, either. */
static void write_gap(struct redactor *redactor, uint32_t index)
{
    const struct annot__section gap = {.kind = UINT32_MAX, .is_damaged = true};
    redactor->size = 0;
    write_section(redactor, &gap, index + redactor->gaps++);
}

static void redact_file(struct redactor *redactor)
{
    struct annot__section_walk walk;
    struct annot__section section;
    size_t sections;
    uint64_t next = 0;
    struct annot__findings findings = {0};
    const annot_result result = annot__dump_header(redactor->reader->file, &findings, &sections);
    write_header(redactor, result == ANNOT_OK, findings.of[ANNOT__FINDING_SLOT_HEADER].count > 0);
    annot__section_walk_init(&walk, redactor->reader->file, sections, NULL);
    while (redactor->has_memory && !redactor->is_failed &&
           annot__section_walk_next(&walk, &section)) {
        const uint64_t index = walk.index - 1;
        if (section.is_detached && index == next)
            write_gap(redactor, (uint32_t)index);
        redact_section(redactor, &section, (uint32_t)(index + redactor->gaps));
        next = walk.index;
    }
}

static struct redactor *begin(const annot_reader *reader, const annot_report_sink *sink)
{
    struct redactor *redactor = malloc(sizeof *redactor);
    if (!redactor)
        return NULL;
    memset(redactor, 0, offsetof(struct redactor, name));
    redactor->reader = reader;
    redactor->sink = sink;
    redactor->has_memory = true;
    return redactor;
}

static annot_result end(struct redactor *redactor)
{
    const annot_result result = !redactor->has_memory ? ANNOT_ERROR_OUT_OF_MEMORY
                                : redactor->is_failed ? ANNOT_ERROR_IO
                                                      : ANNOT_OK;
    free(redactor->payload);
    free(redactor);
    return result;
}

annot_result annot_redact_write_as_sized(const annot_reader *reader,
                                         const unsigned char key[ANNOT_REDACT_KEY_SIZE],
                                         const annot_redact_options *options, size_t options_size,
                                         const annot_report_sink *sink)
{
    annot_redact_options known = {0};
    if (!reader || !key || !sink || !sink->write || !ANNOT__TAKE(known, options, options_size))
        return ANNOT_ERROR_INVALID_ARGUMENT;
    struct redactor *redactor = begin(reader, sink);
    if (!redactor)
        return ANNOT_ERROR_OUT_OF_MEMORY;
    redactor->options = known;
    redactor->key = annot__key_from(key);
    redact_file(redactor);
    return end(redactor);
}

annot_result annot_redact_write(const annot_reader *reader,
                                const unsigned char key[ANNOT_REDACT_KEY_SIZE],
                                const annot_report_sink *sink)
{
    return annot_redact_write_as_sized(reader, key, NULL, 0, sink);
}

/* ---- more facts ---- */

static void put_section(struct redactor *redactor, uint32_t kind, uint32_t index)
{
    if (redactor->has_memory)
        write_section(redactor, &(struct annot__section){.kind = kind}, index + redactor->gaps);
    redactor->gaps++;
    redactor->size = 0;
}

/* All bytes before the END section stay. The new sections replace the END section. */
annot_result annot_dump_write_with(const annot_reader *reader, const annot_fact *facts,
                                   size_t fact_count, uint64_t fault, const annot_report_sink *sink)
{
    struct annot__findings findings = {0};
    struct annot__section_walk walk;
    struct annot__section last = {0};
    size_t sections;
    char fixed[ANNOT__DUMP_FAULT_FIXED];
    if (!reader || (!facts && fact_count) || fact_count > ANNOT_FACTS_MAX || !sink || !sink->write)
        return ANNOT_ERROR_INVALID_ARGUMENT;
    if (annot_reader_is_damaged(reader))
        return ANNOT_ERROR_INCOMPLETE;
    struct redactor *redactor = begin(reader, sink);
    if (!redactor)
        return ANNOT_ERROR_OUT_OF_MEMORY;
    annot__dump_header(reader->file, &findings, &sections);
    annot__section_walk_init(&walk, reader->file, sections, NULL);
    while (last.kind != ANNOT__DUMP_SECTION_END && annot__section_walk_next(&walk, &last))
        ;
    const uint32_t index = (uint32_t)(walk.index - 1);
    write_out(redactor, reader->file.data, last.offset - ANNOT__DUMP_SECTION_HEADER);
    for (const annot_fact *fact = facts; fact < facts + fact_count; fact++)
        put_fact(redactor, ANNOT_FACT_DUMP, fact->key,
                 annot__utf8_prefix(fact->key, strnlen(fact->key, ANNOT_FACT_KEY_MAX)), fact->value,
                 annot__utf8_prefix(fact->value, strnlen(fact->value, ANNOT_FACT_VALUE_MAX)));
    put_section(redactor, ANNOT__DUMP_SECTION_ABOUT, index);
    annot__put_FAULT(fixed,
                     &(struct annot__dump_FAULT){.address = fault, .source = ANNOT_FAULT_KERNEL});
    if (fault) {
        put_record(redactor, ANNOT__DUMP_FAULT, fixed, sizeof fixed, NULL, 0);
        put_section(redactor, ANNOT__DUMP_SECTION_EVIDENCE, index);
    }
    redactor->added = fact_count + (fault != 0);
    redact_section(redactor, &last, index + redactor->gaps);
    return end(redactor);
}
