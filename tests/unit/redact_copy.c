/* A redacted dump byte by byte [ANN-RPT-02, annot-redact(1)]: one scene is told twice, as it is and
 * as its copy has to be, with a word in each name's place and every number as it was. */
#include "dump_builder.h"
#include "sink.h"

#include "redact/keyed_hash.h"

#include <annot/fleet.h>
#include <annot/pix.h>

#include <inttypes.h>

TestSuite(redact_copy, .fini = guarded_expect_nothing_left);

static const unsigned char copy_key[ANNOT_REDACT_KEY_SIZE] = {11, 22, 33, 44, 55, 66, 77, 88, 99};

/* ---- who tells it ---- */

/* The scene is told twice: `is_copy` says words for names. */
struct teller {
    struct dump dump;
    annot_redact_options options;
    struct annot__key key;
    bool is_copy;
    bool has_all;  /* also each record with any numbers, which make it damaged */
    uint32_t next; /* a value of its own for each field */
    char word[128];
};

/* 16 letters of the folded name's hash, and a number of the name's where folding took something. */
static const char *word_of(struct teller *teller, const char *name, size_t size)
{
    char folded[256];
    const size_t kept = annot_fold_name(name, size, folded, sizeof folded);
    uint64_t hash = annot__keyed_hash(&teller->key, folded, kept);
    for (int i = 0; i < 16; i++, hash >>= 4)
        teller->word[i] = "abcdefghijklmnop"[hash & 15];
    teller->word[16] = 0;
    if (kept != size || memcmp(folded, name, size) != 0)
        sprintf(teller->word + 16, " %" PRIu32,
                (uint32_t)annot__keyed_hash(&teller->key, name, size));
    return teller->word;
}

static const char *say(struct teller *teller, const char *name)
{
    return teller->is_copy && *name ? word_of(teller, name, strlen(name)) : name;
}

static uint32_t next_value(struct teller *teller)
{
    return teller->next += 0x01010101;
}

#define FILL_U32(name, doc) fields.name = next_value(teller);
#define FILL_U64(name, doc) fields.name = (uint64_t)next_value(teller) << 32 | 0x5a6b7c8d;
#define FILLED(name, kind, doc, variable)                                                          \
    __attribute__((unused)) static struct annot__dump_##name filled_##name(struct teller *teller)  \
    {                                                                                              \
        struct annot__dump_##name fields;                                                          \
        ANNOT__DUMP_FIELDS_##name(FILL_U32, FILL_U64) return fields;                               \
    }
ANNOT__DUMP_RECORDS(FILLED)

/* A record whose variable bytes are a name, whole, or cut where `missing` bytes more are said. */
#define TELL_NAMED(NAME)                                                                           \
    static void tell_##NAME(struct teller *teller, const char *name, uint32_t missing)             \
    {                                                                                              \
        struct annot__dump_##NAME fields = filled_##NAME(teller);                                  \
        const char *said = say(teller, name);                                                      \
        const uint32_t size = (uint32_t)strlen(said);                                              \
        fields.name_size = size + (teller->is_copy ? missing > 0 : missing);                       \
        dump_put_##NAME(&teller->dump, &fields, said, size);                                       \
    }
TELL_NAMED(OBJECT)
TELL_NAMED(BUNDLE)
TELL_NAMED(NAME)
TELL_NAMED(SHADER)

/* A record of numbers whose variable bytes are numbers, too, or may be anything. */
#define TELL(NAME, is_kept)                                                                        \
    do {                                                                                           \
        const struct annot__dump_##NAME fields = filled_##NAME(teller);                            \
        const bool is_there = (is_kept) || !teller->is_copy;                                       \
        dump_put_##NAME(&teller->dump, &fields, "Secret bytes...!", is_there ? 16 : 0);            \
    } while (0)

static void tell_text(struct teller *teller, uint32_t role, const char *text, bool is_kept)
{
    const char *said = is_kept ? text : say(teller, text);
    dump_add_with(&teller->dump, TEXT, said, strlen(said), .role = role);
}

static void tell_fact(struct teller *teller, uint32_t source, const char *key, bool keeps_key,
                      const char *value, bool keeps_value)
{
    char said_key[128];
    snprintf(said_key, sizeof said_key, "%s", keeps_key ? key : say(teller, key));
    dump_fact(&teller->dump, source, said_key, keeps_value ? value : say(teller, value));
}

/* ---- markers ---- */

static uint32_t tell_payload(struct teller *teller, uint32_t metadata, bool is_begin,
                             const char *name, uint8_t *bytes)
{
    const char *said = say(teller, name);
    const uint32_t size = (uint32_t)strlen(said);
    if (metadata == ANNOT_PIX_METADATA_V1 || metadata == ANNOT_PIX_METADATA_V2) {
        const annot_pix_desc desc = {
            .version = metadata == ANNOT_PIX_METADATA_V1 ? ANNOT_PIX_V1 : ANNOT_PIX_V2,
            .kind = is_begin ? ANNOT_PIX_KIND_BEGIN : ANNOT_PIX_KIND_MARKER,
            .color_kind = ANNOT_PIX_COLOR_KIND_ARGB,
            .color = 0xff5080f0,
            .format = {.type = ANNOT_PIX_STR, .value = {.str = said}}};
        return (uint32_t)annot_pix_encode(&desc, bytes, 512);
    }
    for (uint32_t i = 0; metadata == ANNOT_PIX_METADATA_UTF16 && i < size; i++) {
        bytes[2 * i] = (uint8_t)said[i];
        bytes[2 * i + 1] = 0;
    }
    if (metadata == ANNOT_PIX_METADATA_UTF16)
        return 2 * size;
    memcpy(bytes, said, size);
    return size;
}

static void tell_marker(struct teller *teller, uint32_t metadata, bool is_begin, const char *name,
                        uint32_t missing, uint32_t flags)
{
    uint8_t bytes[512];
    const uint32_t size = tell_payload(teller, metadata, is_begin, name, bytes);
    struct annot__dump_BEGIN fields = filled_BEGIN(teller);
    fields.metadata = metadata;
    fields.flags = flags;
    fields.size = size + (teller->is_copy ? missing > 0 : missing);
    if (is_begin) {
        dump_put_BEGIN(&teller->dump, &fields, bytes, size);
        return;
    }
    struct annot__dump_SET set;
    memcpy(&set, &fields, sizeof set);
    dump_put_SET(&teller->dump, &set, bytes, size);
}

static void tell_markers(struct teller *teller)
{
    static const uint32_t encodings[] = {ANNOT_PIX_METADATA_UTF16, ANNOT_PIX_METADATA_UTF8,
                                         ANNOT_PIX_METADATA_V1, ANNOT_PIX_METADATA_V2, 99};
    for (uint32_t is_begin = 0; is_begin < 2; is_begin++)
        for (size_t i = 0; i < sizeof encodings / sizeof encodings[0]; i++) {
            tell_marker(teller, encodings[i], is_begin, "Cascade 2", 0, 0);
            tell_marker(teller, encodings[i], is_begin, "Shadow pass", 0, 7);
        }
    tell_marker(teller, 1, true, "", 0, ANNOT__DUMP_MARKER_CLOSED);
    tell_marker(teller, 1, false, "Frame 12", 1, 0);
    tell_marker(teller, 1, false, "Frame 12", 40000, 0);
    /* one whose memory was gone has its size, and no bytes that count */
    dump_add_with(&teller->dump, SET, "Secret", teller->is_copy ? 0 : 6, .event_id = 5,
                  .metadata = 1, .size = 77, .flags = 10);
}

/* ---- operations ---- */

static void tell_operation(struct teller *teller, uint32_t arguments, uint32_t objects,
                           size_t stored, bool is_whole)
{
    static const uint8_t bytes[2048] = {1, 2, 3, 4, 5};
    struct annot__dump_OPERATION fields = filled_OPERATION(teller);
    fields.arguments = arguments;
    fields.objects = objects;
    const size_t whole = 8 * (size_t)arguments + 16 * (size_t)objects;
    dump_put_OPERATION(&teller->dump, &fields, bytes,
                       !teller->is_copy ? stored
                       : is_whole       ? whole
                                        : 0);
}

/* Parts of its objects stay; what is none, or of an object that it hasn't, goes with all behind it.
 */
static void tell_parts(struct teller *teller)
{
    uint8_t bytes[5 * 16] = {1, 2, 3};
    struct annot__dump_OPERATION fields = filled_OPERATION(teller);
    fields.arguments = 0;
    fields.objects = 1;
    bytes[16 + 8] = bytes[32 + 8] = bytes[48 + 8] = bytes[64 + 8] = ANNOT_BOUND_PART;
    bytes[48 + 12] = 1;
    dump_put_OPERATION(&teller->dump, &fields, bytes, teller->is_copy ? 48 : 80);
    bytes[32 + 8] = ANNOT_BOUND_PART + 1;
    dump_put_OPERATION(&teller->dump, &fields, bytes, teller->is_copy ? 32 : 71);
}

static void tell_operations(struct teller *teller)
{
    const uint32_t arguments = ANNOT_OPERATION_ARGUMENTS, objects = ANNOT_OPERATION_OBJECTS;
    const size_t most = 8 * (size_t)arguments + 16 * (size_t)objects;
    tell_operation(teller, 0, 0, 0, true);
    tell_operation(teller, 2, 3, 64, true);
    tell_operation(teller, 2, 3, 63, false);
    tell_operation(teller, 2, 3, 100, true);
    tell_operation(teller, arguments, objects, most, true);
    tell_operation(teller, arguments + 1, 0, most, false);
    tell_operation(teller, 0, objects + 1, most, false);
    tell_parts(teller);
}

/* ---- the scene ---- */

static void tell_about(struct teller *teller)
{
    const annot_redact_options *options = &teller->options;
    struct annot__dump_DEVICE device = filled_DEVICE(teller);
    device.error = ERROR_HUNG;
    dump_start_device(&teller->dump, &device);
    teller->dump.size = ANNOT__DUMP_HEADER_SIZE + ANNOT__DUMP_SECTION_HEADER; /* without texts */
    teller->dump.records = 0;
    dump_put_DEVICE(&teller->dump, &device, NULL, 0);
    tell_text(teller, ANNOT__DUMP_TEXT_APPLICATION, "Game 3", false);
    tell_text(teller, ANNOT__DUMP_TEXT_ADAPTER, "Adapter of 2026", !options->drop_adapter);
    tell_text(teller, ANNOT__DUMP_TEXT_DRIVER, "driver 1.2", !options->drop_driver);
    tell_text(teller, ANNOT__DUMP_TEXT_REASON, "timeout in Cave", false);
    tell_text(teller, ANNOT__DUMP_TEXT_WRITER, "writer 9.9", true);
    tell_text(teller, 6, "a newer text", false);
    tell_text(teller, ANNOT__DUMP_TEXT_ADAPTER, "", true);
    tell_fact(teller, ANNOT_FACT_LIBRARY, "system", true, "Linux 6", options->keep_system);
    tell_fact(teller, ANNOT_FACT_DEVICE, "system", false, "Linux 6", false);
    tell_fact(teller, ANNOT_FACT_LIBRARY, "process", true, "4711", false);
    tell_fact(teller, ANNOT_FACT_DEVICE, "process", false, "4711", false);
    tell_fact(teller, ANNOT_FACT_LIBRARY, "processes", false, "2", false);
    tell_fact(teller, ANNOT_FACT_LIBRARY, "proces", false, "s", false);
    tell_fact(teller, ANNOT_FACT_LIBRARY, "prozess", false, "4712", false);
    tell_fact(teller, ANNOT_FACT_DUMP, "level", false, "", false);
    tell_fact(teller, ANNOT_FACT_DUMP, "annot.identity.v2", false, "v2-0123456789abcdef", false);
    if (teller->has_all)
        TELL(LOSS, false);
}

/* The copy has an identity more, which only the key makes. */
static void tell_signatures(struct teller *teller, const annot_reader *original)
{
    annot_identity identity;
    char text[256], value[256];
    cr_assert_eq(annot_reader_identity(original, &identity), ANNOT_OK);
    if (!identity.id[0]) {
        dump_fact(&teller->dump, ANNOT_FACT_LIBRARY, "annot.identity.v2", "none");
        return;
    }
    const char *const words[] = {"id", "error", "operation", "shader", "place", "resource"};
    strcpy(value, teller->options.keep_signature ? "v2-" : "k2-");
    for (unsigned i = 0; i < 6; i++) {
        uint64_t hash = i == 0 ? strtoull(identity.id + 3, NULL, 16) : identity.parts[i - 1].hash;
        snprintf(text, sizeof text, "annot.identity.v2 %s %016" PRIx64, words[i], hash);
        if (hash && !teller->options.keep_signature)
            hash = annot__keyed_hash(&teller->key, text, strlen(text));
        sprintf(value + strlen(value), "%s%016" PRIx64, i > 0 ? " " : "", hash);
    }
    dump_fact(&teller->dump, ANNOT_FACT_LIBRARY, "annot.identity.v2", value);
}

/* A record of another version: fewer fields, which stay as many, or more, which go. */
static void tell_other_version(struct teller *teller, uint32_t kind, size_t known, bool is_kept)
{
    static const char bytes[] = "Secret fields of any version, behind which there are names";
    const size_t sizes[] = {0, 1, known - 1, known + 1};
    for (size_t i = 0; i < 4; i++)
        for (size_t size = 0; size < 3; size++)
            dump_record(&teller->dump, kind, bytes,
                        teller->is_copy && sizes[i] > known ? known : sizes[i], "Secret",
                        is_kept || !teller->is_copy ? size : 0);
}

/* Work that hangs, so that there is something to name, and then each record with any numbers. */
static void tell_rest(struct teller *teller)
{
    struct dump *dump = &teller->dump;
    dump_object(dump, 21, 0, say(teller, "Queue 1"));
    dump_object(dump, 100, 0, say(teller, "List"));
    dump_recording(dump, 1, 100);
    const uint64_t frame = dump_begin(dump, say(teller, "Frame 7"));
    dump_begin(dump, say(teller, "Shadow pass"));
    dump_submitted(dump);
    dump_row(dump, 21, 1, 0, 0, STARTED, frame, 0);
    if (!teller->has_all)
        return;
    dump_section(dump, 777); /* of a newer format: the same records, and nobody reads them */
    tell_OBJECT(teller, "Texture 17", 0);
    tell_OBJECT(teller, "Texture", 1);
    tell_OBJECT(teller, "", 0);
    tell_BUNDLE(teller, "Trees", 0);
    tell_BUNDLE(teller, "Trees 2", 500);
    tell_NAME(teller, "Once", 0);
    tell_NAME(teller, "Once 1", 3);
    tell_SHADER(teller, "hlsl/blur.hlsl", 0);
    tell_SHADER(teller, "hlsl/blur_4.hlsl", 9);
    tell_markers(teller);
    tell_operations(teller);
    TELL(SUBMISSION, true);
    TELL(OPS, true);
    TELL(HISTORY, true);
    TELL(RECORDING, false);
    TELL(SURPLUS_END, false);
    TELL(QUEUE, false);
    TELL(PROGRESS, false);
    TELL(FAULT, false);
    TELL(BLOB, false);
    TELL(KIND, false);
    TELL(CRUMBS, false);
    TELL(RANGE, false);
    TELL(SUBMITTED, false);
    TELL(CLOCK, false);
    TELL(TIMES, false);
    TELL(TDR, false);
    TELL(RESOURCE, false);
    tell_other_version(teller, ANNOT__DUMP_OPS, ANNOT__DUMP_OPS_FIXED, true);
    tell_other_version(teller, ANNOT__DUMP_RANGE, ANNOT__DUMP_RANGE_FIXED, false);
    dump_record(dump, 999, "Secret", teller->is_copy ? 0 : 6, "Secret", teller->is_copy ? 0 : 6);
}

static void tell_all(struct teller *teller, const annot_reader *original)
{
    teller->key = annot__key_from(copy_key);
    teller->next = 0x10203040;
    tell_about(teller);
    if (original)
        tell_signatures(teller, original);
    tell_rest(teller);
    dump_finish(&teller->dump);
}

/* ---- what is compared ---- */

static void expect_copy(const struct dump *original, const struct dump *expected,
                        const annot_redact_options *options)
{
    struct kept copy = {0};
    const annot_report_sink sink = kept_sink(&copy);
    annot_reader *reader = NULL;
    annot_reader_open_memory(&guarded_memory, original->data, original->size, &reader);
    cr_assert_not_null(reader);
    cr_assert_eq(annot_redact_write_as(reader, copy_key, options, &sink), ANNOT_OK);
    annot_reader_close(reader);
    size_t at = 0;
    while (at < copy.size && at < expected->size && (uint8_t)copy.data[at] == expected->data[at])
        at++;
    cr_expect_eq(at, expected->size, "byte %zu is %#x, not %#x", at, (uint8_t)copy.data[at],
                 expected->data[at < expected->size ? at : 0]);
    cr_expect_eq(copy.size, expected->size);
    free(copy.data);
}

Test(redact_copy, is_the_dump_with_a_word_in_each_names_place_whatever_may_stay)
{
    for (unsigned i = 0; i < 32; i++) {
        const annot_redact_options options = {.keep_signature = i & 1,
                                              .drop_adapter = i & 2,
                                              .drop_driver = i & 4,
                                              .keep_system = i & 8};
        struct teller original = {.options = options, .has_all = i & 16}, copy = original;
        copy.is_copy = true;
        tell_all(&original, NULL);
        annot_reader *reader = dump_open(&original.dump, ANNOT_OK);
        cr_assert_eq(annot_reader_is_damaged(reader), original.has_all);
        tell_all(&copy, reader);
        annot_reader_close(reader);
        expect_copy(&original.dump, &copy.dump, &options);
        dump_free(&original.dump);
        dump_free(&copy.dump);
    }
}

/* ---- damage ---- */

/* Offset of this section's header. */
static size_t section_at(const struct dump *dump, uint32_t index)
{
    size_t at = ANNOT__DUMP_HEADER_SIZE;
    while (index-- > 0)
        at += ANNOT__DUMP_SECTION_HEADER + dump->data[at + 16] + 256u * dump->data[at + 17];
    return at;
}

static void flip(uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        bytes[i] ^= 0xff;
}

/* The scene and its copy. `keeps_about`: the first section has no signature put in. */
static void tell_both(struct teller *original, struct teller *copy, bool keeps_about,
                      void (*damage)(struct dump *dump))
{
    *original = (struct teller){0};
    *copy = (struct teller){.is_copy = true};
    tell_all(original, NULL);
    damage(&original->dump);
    AT_END(at_end_close) annot_reader *reader = NULL;
    annot_reader_open_memory(&guarded_memory, original->dump.data, original->dump.size, &reader);
    cr_assert_not_null(reader);
    tell_all(copy, keeps_about ? NULL : reader);
}

static void end_both(struct teller *original, struct teller *copy)
{
    expect_copy(&original->dump, &copy->dump, NULL);
    dump_free(&original->dump);
    dump_free(&copy->dump);
}

static void damage_header(struct dump *dump)
{
    dump->data[24] ^= 1;
}

static void forget_magic(struct dump *dump)
{
    memset(dump->data, 0, 8);
}

static void damage_first(struct dump *dump)
{
    dump->data[section_at(dump, 0) + 24] ^= 1;
}

static void damage_second(struct dump *dump)
{
    dump->data[section_at(dump, 1) + 24] ^= 1;
}

Test(redact_copy, has_the_headers_damage)
{
    struct teller original, copy;
    tell_both(&original, &copy, false, damage_header);
    flip(copy.dump.data + 24, 8);
    end_both(&original, &copy);
    tell_both(&original, &copy, false, forget_magic);
    forget_magic(&copy.dump);
    end_both(&original, &copy);
}

/* A first section that is damaged may lack the facts that it had: it gets none. */
Test(redact_copy, has_a_wrong_hash_where_the_section_has)
{
    struct teller original, copy;
    tell_both(&original, &copy, true, damage_first);
    flip(copy.dump.data + section_at(&copy.dump, 0) + 24, 8);
    end_both(&original, &copy);
    tell_both(&original, &copy, false, damage_second);
    flip(copy.dump.data + section_at(&copy.dump, 1) + 24, 8);
    end_both(&original, &copy);
}

static void put_broken(struct dump *dump, bool is_copy)
{
    const size_t at = dump->size;
    dump_record(dump, is_copy ? 0 : ANNOT__DUMP_TEXT, NULL, 0, "Secret", is_copy ? 0 : 6);
    memset(dump->data + at + 4, is_copy ? 0xff : 0x7f, 4);
}

static void tell_broken(struct teller *teller)
{
    teller->key = annot__key_from(copy_key);
    teller->next = 1;
    tell_about(teller);
    put_broken(&teller->dump, teller->is_copy);
    dump_new_section(&teller->dump, ANNOT__DUMP_SECTION_OBJECTS);
    dump_object(&teller->dump, 21, 0, say(teller, "Queue 1"));
    put_broken(&teller->dump, teller->is_copy);
    dump_finish(&teller->dump);
}

Test(redact_copy, keeps_a_broken_record_in_its_place)
{
    struct teller original = {0}, copy = {.is_copy = true};
    tell_broken(&original);
    tell_broken(&copy);
    end_both(&original, &copy);
}

/* Bytes that belong to no section become a damaged one of no kind; those behind it move up. */
Test(redact_copy, has_a_damaged_section_in_the_place_of_bytes_between_sections)
{
    static const uint8_t nothing[16] = {1, 2, 3};
    struct teller original = {0}, copy = {.is_copy = true};
    tell_all(&original, NULL);
    struct dump *dump = &original.dump;
    const size_t at = section_at(dump, 1);
    dump->data = realloc(dump->data, dump->size + sizeof nothing);
    memmove(dump->data + at + sizeof nothing, dump->data + at, dump->size - at);
    memcpy(dump->data + at, nothing, sizeof nothing);
    dump->size += sizeof nothing;
    annot_reader *reader = dump_open(dump, ANNOT_OK);
    copy.key = annot__key_from(copy_key);
    copy.next = 0x10203040;
    tell_about(&copy);
    tell_signatures(&copy, reader);
    annot_reader_close(reader);
    dump_new_section(&copy.dump, UINT32_MAX);
    tell_rest(&copy);
    dump_finish(&copy.dump);
    flip(copy.dump.data + section_at(&copy.dump, 1) + 24, 8);
    end_both(&original, &copy);
}

/* As another writer may have it: the signature stands in the first. */
Test(redact_copy, has_one_signature_where_two_sections_are_about_the_device)
{
    struct teller original = {0}, copy = {.is_copy = true};
    annot_reader *reader = NULL;
    for (unsigned i = 0; i < 2; i++) {
        struct teller *teller = i ? &copy : &original;
        teller->key = annot__key_from(copy_key);
        teller->next = 0x10203040;
        tell_about(teller);
        if (reader)
            tell_signatures(teller, reader);
        dump_new_section(&teller->dump, ANNOT__DUMP_SECTION_ABOUT);
        tell_text(teller, 6, "a newer text", false);
        tell_rest(teller);
        dump_finish(&teller->dump);
        if (i == 0)
            reader = dump_open(&original.dump, ANNOT_OK);
    }
    annot_reader_close(reader);
    end_both(&original, &copy);
}
