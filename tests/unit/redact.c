/* Dumps without names [ANN-RPT-02]: what is removed, what stays, and that damage is not
 * repaired. */
#include "dump_builder.h"
#include "sink.h"

#include "redact/keyed_hash.h"

#include <annot/dump.h>
#include <annot/fleet.h>
#include <annot/pix.h>

TestSuite(redact, .fini = guarded_expect_nothing_left);

static const unsigned char first_key[ANNOT_REDACT_KEY_SIZE] = {1, 2, 3, 4, 5, 6, 7, 8};
static const unsigned char second_key[ANNOT_REDACT_KEY_SIZE] = {9};

/* The vectors of SipHash's authors: key 00 01 .. 0f, input 00 01 .. of each length. */
Test(keyed_hash, is_siphash_2_4)
{
    unsigned char key[16], data[64];
    for (unsigned char i = 0; i < 64; i++)
        data[i] = i;
    memcpy(key, data, 16);
    const struct annot__key made = annot__key_from(key);
    cr_assert_eq(annot__keyed_hash(&made, data, 0), 0x726fdb47dd0e0e31);
    cr_assert_eq(annot__keyed_hash(&made, data, 1), 0x74f839c593dc67fd);
    cr_assert_eq(annot__keyed_hash(&made, data, 7), 0xab0200f58b01d137);
    cr_assert_eq(annot__keyed_hash(&made, data, 8), 0x93f5f5799a932462);
    cr_assert_eq(annot__keyed_hash(&made, data, 15), 0xa129ca6149be45e5);
    cr_assert_eq(annot__keyed_hash(&made, data, 63), 0x958a324ceb064572);
}

/* ---- a dump with everything ---- */

static struct kept redact_as(const void *data, size_t size, const unsigned char *key,
                             const annot_redact_options *options)
{
    annot_reader *reader;
    struct kept copy = {0};
    const annot_report_sink sink = kept_sink(&copy);
    annot_reader_open_memory(&guarded_memory, data, size, &reader);
    cr_assert(reader);
    cr_assert_eq(annot_redact_write_as(reader, key, options, &sink), ANNOT_OK);
    annot_reader_close(reader);
    return copy;
}

static struct kept redact(const void *data, size_t size, const unsigned char *key)
{
    return redact_as(data, size, key, NULL);
}

static annot_reader *open_copy(const struct kept *copy)
{
    annot_reader *reader;
    annot_reader_open_memory(&guarded_memory, copy->data, copy->size, &reader);
    cr_assert(reader);
    return reader;
}

static void put_marker(struct dump *dump, uint32_t metadata, uint64_t event_id, const void *data,
                       size_t size, uint32_t flags)
{
    dump_add_with(dump, SET, data, size, .event_id = event_id, .metadata = metadata,
                  .size = (uint32_t)size, .flags = flags);
}

static uint8_t pix[2][512];
static size_t pix_sizes[2];

static void encode(annot_pix_version version, const char *text)
{
    const annot_pix_desc desc = {.version = version,
                                 .kind = ANNOT_PIX_KIND_MARKER,
                                 .color_kind = ANNOT_PIX_COLOR_KIND_ARGB,
                                 .color = 0xff336699,
                                 .format = {.type = ANNOT_PIX_STR, .value = {.str = text}}};
    pix_sizes[version - 1] = annot_pix_encode(&desc, pix[version - 1], sizeof pix[0]);
}

static void build(struct dump *dump)
{
    static const uint16_t wide[] = {'S', 'e', 'k', 'r', 'i', 't', 'Q', 0};
    const struct annot__dump_KIND kind = {.kind = 7};
    encode(ANNOT_PIX_V1, "SecretV1");
    encode(ANNOT_PIX_V2, "SecretV2");
    dump_start_because(dump, ERROR_HUNG, "SecretReason 12");
    dump_text(dump, ANNOT__DUMP_TEXT_ADAPTER, "Adapter of 2026");
    dump_text(dump, ANNOT__DUMP_TEXT_DRIVER, "driver 1.2");
    dump_fact(dump, ANNOT_FACT_DEVICE, "SecretKey", "SecretValue");
    dump_fact(dump, ANNOT_FACT_LIBRARY, "system", "Linux 6.1");
    dump_fact(dump, ANNOT_FACT_LIBRARY, "process", "4711");
    dump_fact(dump, ANNOT_FACT_LIBRARY, "SecretOwn", "SecretThing");
    dump_section(dump, ANNOT__DUMP_SECTION_OBJECTS);
    dump_put_KIND(dump, &kind, "SecretKind", 10);
    dump_object(dump, 21, 0, "SecretQueue");
    dump_object(dump, 100, 0, "SecretList");
    dump_add_with(dump, SHADER, "SecretHlsl", 10, .object = 100, .name_size = 10);
    dump_recording(dump, 1, 100);
    /* more bytes than it announces */
    dump_add_with(dump, OPERATION, "8 bytes.SecretTail", 18, .kind = 6, .arguments = 1);
    const uint64_t frame = dump_begin(dump, "SecretFrame 7");
    dump_set(dump, "SecretFrame 8");
    dump_set(dump, "SecretFrame 7");
    dump_set(dump, "Plain");
    dump_end(dump);
    put_marker(dump, ANNOT_PIX_METADATA_UTF16, 0x700000010, wide, sizeof wide, 0);
    put_marker(dump, ANNOT_PIX_METADATA_V1, 0x700000020, pix[0], pix_sizes[0], 0);
    put_marker(dump, ANNOT_PIX_METADATA_V2, 0x700000030, pix[1], pix_sizes[1], 0);
    put_marker(dump, 99, 0x700000040, "SecretBytes", 11, 0);
    put_marker(dump, 1, 0x700000050, "", 0, 0);
    dump_submitted(dump);
    dump_row(dump, 21, 1, 0, 0, STARTED, frame, 0);
    dump_section(dump, ANNOT__DUMP_SECTION_EVIDENCE);
    dump_add_with(dump, BLOB, "SecretBl", 8, .size = 8, .kind = 1);
    dump_finish(dump);
}

static const char *name_of(const annot_reader *reader, uint32_t entry)
{
    static char names[8][256];
    static unsigned next;
    char *name = names[next++ % 8];
    annot_reader_entry_name(reader, entry, name, sizeof names[0]);
    return name;
}

Test(redact, leaves_no_secret)
{
    AT_END(dump_free) struct dump dump;
    build(&dump);
    struct kept copy = redact(dump.data, dump.size, first_key);
    for (size_t i = 0; i + 6 <= copy.size; i++)
        cr_assert(memcmp(copy.data + i, "Secret", 6) != 0, "at byte %zu", i);
    for (size_t i = 0; i + 8 <= copy.size; i++)
        cr_assert(memcmp(copy.data + i, "S\0e\0k\0r\0", 8) != 0, "at byte %zu", i);
    for (size_t i = 0; i + 4 <= copy.size; i++)
        cr_assert(memcmp(copy.data + i, "4711", 4) != 0, "a process's number");
    free(copy.data);
}

Test(redact, keeps_equal_names_equal_and_others_apart)
{
    AT_END(dump_free) struct dump dump;
    char folded[3][256];
    build(&dump);
    struct kept copy = redact(dump.data, dump.size, first_key);
    struct kept other = redact(dump.data, dump.size, second_key);
    annot_reader *reader = open_copy(&copy), *under_other = open_copy(&other);
    const char *seven = name_of(reader, 0), *eight = name_of(reader, 1);
    cr_assert_str_eq(seven, name_of(reader, 2));
    cr_assert_str_neq(seven, eight);
    cr_assert_str_neq(seven, name_of(reader, 3));
    cr_assert_str_neq(seven, name_of(under_other, 0), "another owner's words are others");
    annot_fold_name(seven, strlen(seven), folded[0], sizeof folded[0]);
    annot_fold_name(eight, strlen(eight), folded[1], sizeof folded[1]);
    cr_assert_str_eq(folded[0], folded[1], "names that differ in numbers still do only in them");
    cr_assert_eq(strlen(folded[0]), 16 + 2);
    cr_assert_eq(strspn(folded[0], "abcdefghijklmnop"), 16);
    cr_assert_eq(strlen(name_of(reader, 3)), 16, "a name without a number has none");
    const struct annot__key key = annot__key_from(first_key);
    uint64_t word = annot__keyed_hash(&key, "Plain", 5);
    for (int i = 0; i < 16; i++, word >>= 4)
        cr_assert_eq(name_of(reader, 3)[i], 'a' + (int)(word & 15),
                     "the keyed hash, four bits a letter");
    char number[16];
    snprintf(number, sizeof number, " %u", (uint32_t)annot__keyed_hash(&key, "SecretFrame 7", 13));
    cr_assert_str_eq(name_of(reader, 0) + 16, number);
    annot_reader_close(reader);
    annot_reader_close(under_other);
    free(copy.data);
    free(other.data);
}

/* A layer's scopes around calls are told from the program's without what the call was given. */
Test(redact, keeps_the_commands_of_a_layer_s_own_scopes)
{
    static const struct {
        const char *level, *name, *kept; /* NULL: a word */
    } rows[] = {{"exact", "Dispatch(1, 1, 1) in Secret", "Dispatch()"},
                {"exact", "SetMarker(7)", "SetMarker()"},
                {"exact", "vkCmdDispatch", "vkCmdDispatch"},
                {"exact", "Dispatch", NULL},
                {"exact", "Dispatcher(1)", NULL},
                {"exact", "Secret Dispatch(1, 1, 1)", NULL},
                {"exact", "vkCmdDraw of Secret", NULL},
                {"labels", "Dispatch(1, 1, 1)", NULL},
                {"labels", "vkCmdDispatch", NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
        dump_fact(&dump, ANNOT_FACT_DEVICE, "level", rows[i].level);
        dump_section(&dump, ANNOT__DUMP_SECTION_OBJECTS);
        dump_recording(&dump, 1, 100);
        dump_begin(&dump, rows[i].name);
        dump_finish(&dump);
        struct kept copy = redact(dump.data, dump.size, first_key);
        annot_reader *reader = open_copy(&copy);
        const char *name = name_of(reader, 0);
        if (rows[i].kept)
            cr_expect_str_eq(name, rows[i].kept);
        else
            cr_expect_eq(strspn(name, "abcdefghijklmnop"), 16, "%s: %s", rows[i].name, name);
        annot_reader_close(reader);
        free(copy.data);
    }
}

/* ---- the signature ---- */

static annot_identity signature_of(const void *data, size_t size)
{
    annot_reader *reader;
    annot_identity identity;
    annot_reader_open_memory(&guarded_memory, data, size, &reader);
    cr_assert(reader && !annot_reader_is_damaged(reader));
    cr_assert_eq(annot_reader_identity(reader, &identity), ANNOT_OK);
    annot_reader_close(reader);
    return identity;
}

static annot_identity signature_as(const struct dump *dump, const unsigned char *key,
                                   const annot_redact_options *options)
{
    struct kept copy = redact_as(dump->data, dump->size, key, options);
    const annot_identity signature = signature_of(copy.data, copy.size);
    free(copy.data);
    return signature;
}

/* Anybody can compute the public signature of names that he guesses [ANN-RPT-02]. */
Test(redact, signature_is_equal_for_one_key_and_says_nothing_without_it)
{
    AT_END(dump_free) struct dump dump;
    build(&dump);
    const annot_identity open = signature_of(dump.data, dump.size),
                         first = signature_as(&dump, first_key, NULL),
                         again = signature_as(&dump, first_key, NULL),
                         second = signature_as(&dump, second_key, NULL);
    cr_expect(!open.is_redacted && first.is_redacted);
    cr_expect_eq(first.quality, ANNOT_SIGNATURE_WEAK_OPERATION);
    cr_expect_eq(strncmp(first.id, "k2-", 3), 0, "%s", first.id);
    cr_expect_eq(strlen(first.id), 19);
    cr_expect_eq(strspn(first.id + 3, "0123456789abcdef"), 16);
    cr_expect_str_eq(first.id, again.id);
    cr_expect_str_neq(first.id, second.id);
    cr_expect_str_neq(first.id + 3, open.id + 3);
    const annot_redact_options keep = {.keep_signature = true};
    const annot_identity kept = signature_as(&dump, first_key, &keep);
    cr_expect_str_eq(kept.id, open.id);
    cr_expect(kept.is_redacted);
}

Test(redact, signature_of_a_redacted_dump_is_keyed_once)
{
    AT_END(dump_free) struct dump dump;
    const annot_redact_options keep = {.keep_signature = true};
    build(&dump);
    struct kept once = redact(dump.data, dump.size, first_key);
    struct kept twice = redact(once.data, once.size, second_key);
    struct kept public = redact_as(dump.data, dump.size, second_key, &keep);
    struct kept keyed = redact(public.data, public.size, first_key);
    const annot_identity first = signature_of(once.data, once.size),
                         second = signature_of(twice.data, twice.size),
                         open = signature_of(public.data, public.size),
                         made = signature_of(keyed.data, keyed.size);
    cr_expect_eq(strncmp(first.id, "k2-", 3), 0, "%s", first.id);
    cr_expect_eq(strncmp(open.id, "v2-", 3), 0, "%s", open.id);
    cr_expect_str_eq(second.id, first.id);
    cr_expect_str_eq(made.id, first.id, "a public one that was stored does not survive either");
    for (unsigned i = 0; i < ANNOT_IDENTITY_PARTS; i++) {
        const uint64_t hash = first.parts[i].hash;
        cr_expect(hash == second.parts[i].hash && hash == made.parts[i].hash, "part %u", i);
        cr_expect(hash == 0 ? open.parts[i].hash == 0 : hash != open.parts[i].hash, "part %u", i);
    }
    annot_reader *readers[2] = {open_copy(&once), open_copy(&twice)};
    cr_assert_eq(annot_reader_fact_count(readers[0]), annot_reader_fact_count(readers[1]));
    annot_reader_close(readers[0]);
    annot_reader_close(readers[1]);
    free(once.data);
    free(twice.data);
    free(public.data);
    free(keyed.data);
}

Test(redact, a_stored_signature_that_is_none_is_not_kept)
{
    static const annot_redact_options all = {.keep_signature = true, .keep_system = true};
    AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
    dump_fact(&dump, ANNOT_FACT_LIBRARY, "annot.identity.v2", "SecretName");
    dump_finish(&dump);
    struct kept copy = redact_as(dump.data, dump.size, first_key, &all);
    cr_expect(!memmem(copy.data, copy.size, "Secret", 6));
    free(copy.data);
}

/* ---- what may stay ---- */

/* The library writes no value of more than ANNOT_FACT_VALUE_MAX bytes: who did is not the library.
 */
Test(redact, keeps_no_value_that_the_library_can_not_have_written)
{
    for (size_t size = ANNOT_FACT_VALUE_MAX; size <= ANNOT_FACT_VALUE_MAX + 1; size++) {
        AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
        char text[6 + ANNOT_FACT_VALUE_MAX + 1];
        memcpy(text, "system", 6);
        memset(text + 6, 'v', size);
        dump_add_with(&dump, FACT, text, 6 + size, .source = ANNOT_FACT_LIBRARY, .key_size = 6);
        dump_finish(&dump);
        const annot_redact_options keep = {.keep_system = true};
        struct kept copy = redact_as(dump.data, dump.size, first_key, &keep);
        const bool is_kept = memmem(copy.data, copy.size, text + 6, size);
        cr_expect_eq(is_kept, size == ANNOT_FACT_VALUE_MAX, "%zu", size);
        free(copy.data);
    }
}

/* Facts that the report's first line and the layer's scopes need stay where they hold no names. */
Test(redact, keeps_facts_of_the_hang_that_hold_no_names)
{
    static const struct {
        const char *key, *value;
        bool is_kept;
    } rows[] = {{"level", "exact", true},
                {"level", "Secret", false},
                {"Secret", "exact", false},
                {ANNOT_FACT_RESET_OF, "another process, pid 17", true},
                {ANNOT_FACT_RESET_OF, "another process, pid 17 Secret", false},
                {ANNOT_FACT_RESET_OF, "Secret, pid 17", false},
                {"Secret", "another process, pid 17", false},
                {ANNOT_FACT_SLOW, "3.2 s", true},
                {ANNOT_FACT_SLOW, "3.2 s, Secret", false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
        annot_reader_fact fact;
        dump_fact(&dump, ANNOT_FACT_DEVICE, rows[i].key, rows[i].value);
        dump_finish(&dump);
        struct kept copy = redact(dump.data, dump.size, first_key);
        annot_reader *reader = open_copy(&copy);
        cr_assert(annot_reader_fact_at(reader, 0, &fact));
        cr_expect_eq(fact.key.size == strlen(rows[i].key) &&
                         memcmp(fact.key.data, rows[i].key, fact.key.size) == 0 &&
                         fact.value.size == strlen(rows[i].value) &&
                         memcmp(fact.value.data, rows[i].value, fact.value.size) == 0,
                     rows[i].is_kept, "row %zu", i);
        annot_reader_close(reader);
        free(copy.data);
    }
}

/* ---- nothing but the dump ---- */

enum { CANARY = 0xc5 };

/* Leaves canaries where the stack of what is called next will be. */
static void poison_stack(void)
{
    volatile unsigned char bytes[1 << 16];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = CANARY;
}

static uint64_t little(const char *at, int size)
{
    uint64_t value = 0;
    for (int i = 0; i < size; i++)
        value |= (uint64_t)(unsigned char)at[i] << (8 * i);
    return value;
}

/* Fixed fields of each record: they were 1 in every byte, and what is said of sizes is 0 or 1. */
static void expect_fields(const char *at, uint64_t size)
{
    for (const char *end = at + size; at < end;) {
        const uint64_t kind = little(at, 2), fixed = little(at + 2, 2),
                       variable = little(at + 4, 4);
        const bool is_added = kind == ANNOT__DUMP_FACT && variable > 0;
        for (uint64_t i = 0; i < fixed && !is_added && kind != ANNOT__DUMP_END; i++)
            cr_expect((unsigned char)at[8 + i] <= 1, "record %llu, byte %llu: %#x",
                      (unsigned long long)kind, (unsigned long long)i, (unsigned char)at[8 + i]);
        at += (8 + fixed + variable + 7) & ~(uint64_t)7;
    }
}

/* A record of each kind with all fields that the format has: one that redaction forgets to write
 * shows what was in its memory before. */
Test(redact, writes_no_byte_of_a_field_that_is_not_from_the_dump)
{
    AT_END(dump_free) struct dump dump;
    struct kept copy = {0};
    const annot_report_sink sink = kept_sink(&copy);
    char fields[256];
    memset(fields, 1, sizeof fields);
    dump_start_device(&dump, memcpy(&(struct annot__dump_DEVICE){0}, fields,
                                    sizeof(struct annot__dump_DEVICE)));
    dump_new_section(&dump, ANNOT__DUMP_SECTION_LISTS);
#define PUT(name, kind, doc, variable)                                                             \
    if (kind != ANNOT__DUMP_END)                                                                   \
        dump_record(&dump, kind, fields, ANNOT__DUMP_##name##_FIXED, NULL, 0);
    ANNOT__DUMP_RECORDS(PUT)
#undef PUT
    annot_reader *reader = dump_open(&dump, ANNOT_OK);
    poison_stack();
    cr_assert_eq(annot_redact_write(reader, first_key, &sink), ANNOT_OK);
    size_t sections = 0;
    for (size_t at = ANNOT__DUMP_HEADER_SIZE; at + ANNOT__DUMP_SECTION_HEADER <= copy.size;) {
        const uint64_t size = little(copy.data + at + 16, 8);
        if (sections++ > 0) /* the first has texts */
            expect_fields(copy.data + at + ANNOT__DUMP_SECTION_HEADER, size);
        at += (ANNOT__DUMP_SECTION_HEADER + size + 7) & ~(uint64_t)7;
    }
    cr_assert_eq(sections, 3);
    annot_reader_close(reader);
    free(copy.data);
}

/* ---- damage ---- */

static uint64_t damage_count(const annot_reader *reader)
{
    annot_finding finding;
    uint64_t count = 0;
    for (size_t i = 0; annot_reader_finding(reader, i, &finding); i++)
        count += finding.finding_class == ANNOT_FINDING_DAMAGE;
    return count;
}

/* No state of damaged bytes becomes more certain, and damage stays damage. */
static void expect_no_better(const void *data, size_t size)
{
    annot_reader *before, *after;
    annot_reader_open_memory(&guarded_memory, data, size, &before);
    if (!before)
        return;
    struct kept copy = redact(data, size, first_key);
    after = open_copy(&copy);
    cr_assert(!annot_reader_is_damaged(before) || damage_count(after) > 0);
    cr_assert_eq(annot_reader_stop_count(before), annot_reader_stop_count(after));
    annot_reader_execution executions[2];
    for (uint32_t i = 0; annot_reader_execution_at(before, i, &executions[0]); i++) {
        cr_assert(annot_reader_execution_at(after, i, &executions[1]));
        cr_assert_eq(executions[0].state, executions[1].state);
    }
    annot_identity signature;
    cr_assert_eq(annot_reader_identity(before, &signature), ANNOT_OK);
    if (!signature.id[0]) {
        cr_assert_eq(annot_reader_identity(after, &signature), ANNOT_OK);
        cr_assert_str_eq(signature.id, "");
    }
    annot_reader_close(before);
    annot_reader_close(after);
    free(copy.data);
}

Test(redact, mends_no_cut)
{
    AT_END(dump_free) struct dump dump;
    build(&dump);
    for (size_t size = 40; size < dump.size; size += 8)
        expect_no_better(dump.data, size);
}

Test(redact, mends_no_changed_byte)
{
    AT_END(dump_free) struct dump dump;
    build(&dump);
    for (size_t at = 0; at < dump.size; at += 3) {
        dump.data[at] ^= 0x41;
        expect_no_better(dump.data, dump.size);
        dump.data[at] ^= 0x41;
    }
}

/* Nothing but its first header: no byte of any section. */
Test(redact, a_dump_without_records_gets_no_better)
{
    AT_END(dump_free) struct dump dump;
    build(&dump);
    expect_no_better(dump.data, 64);
    expect_no_better(dump.data, 72);
}

Test(redact, needs_a_reader_a_key_and_a_sink)
{
    AT_END(dump_free) struct dump dump;
    struct kept copy = {0};
    const annot_report_sink sink = kept_sink(&copy), no_write = {&copy, NULL};
    build(&dump);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    cr_expect_eq(annot_redact_write(NULL, first_key, &sink), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(annot_redact_write(reader, NULL, &sink), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(annot_redact_write(reader, first_key, NULL), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(annot_redact_write(reader, first_key, &no_write), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(copy.size, 0u);
}

struct refusing {
    unsigned left, after;
};

static bool refuse(void *user, const void *data, size_t size)
{
    struct refusing *of = user;
    (void)data;
    cr_expect_gt(size, 0);
    of->after += of->left == 0;
    return of->left > 0 && of->left-- > 0;
}

Test(redact, asks_a_sink_that_has_refused_nothing_more)
{
    AT_END(dump_free) struct dump dump;
    annot_result result = ANNOT_ERROR_IO;
    build(&dump);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    for (unsigned calls = 0; result == ANNOT_ERROR_IO; calls++) {
        struct refusing of = {.left = calls};
        const annot_report_sink sink = {&of, refuse};
        result = annot_redact_write(reader, first_key, &sink);
        cr_assert(result == ANNOT_OK || result == ANNOT_ERROR_IO);
        cr_expect_eq(of.after, result == ANNOT_OK ? 0 : 1, "after %u calls", calls);
    }
}

Test(redact, ends_when_the_sink_refuses)
{
    AT_END(dump_free) struct dump dump;
    build(&dump);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    for (unsigned calls = 0; calls < 8; calls++) {
        unsigned left = calls;
        const annot_report_sink sink = full_sink(&left);
        cr_assert_eq(annot_redact_write(reader, first_key, &sink), ANNOT_ERROR_IO);
    }
}
