/* The framing of a dump, whatever its bytes are [docs/DUMP_FORMAT.md]: which header makes a dump,
 * where its sections begin, and what is said of what does not fit. */
#include "dump_builder.h"
#include "unit_kit.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { HEADER = ANNOT__DUMP_HEADER_SIZE, FRAME = ANNOT__DUMP_SECTION_HEADER };

static void put(uint8_t *at, uint64_t value, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        at[i] = (uint8_t)(value >> (8 * i));
}

static annot_finding finding_of(const annot_reader *reader, annot_finding_kind kind)
{
    annot_finding finding;
    for (size_t i = 0; annot_reader_finding(reader, i, &finding); i++)
        if (finding.kind == kind)
            return finding;
    return (annot_finding){.count = 0};
}

static size_t findings(const annot_reader *reader)
{
    return reader ? annot_reader_finding_count(reader) : 0;
}

/* The bytes lie alone in memory of exactly their size. */
struct opened {
    annot_reader *reader;
    annot_result result;
    uint8_t *bytes;
};

static struct opened open_bytes(const uint8_t *bytes, size_t size)
{
    struct opened opened = {.bytes = malloc(size ? size : 1)};
    memcpy(opened.bytes, bytes, size);
    opened.result = annot_reader_open_memory(&guarded_memory, opened.bytes, size, &opened.reader);
    return opened;
}

static void close_bytes(struct opened *opened)
{
    annot_reader_close(opened->reader);
    free(opened->bytes);
}

static struct dump one_marker(void)
{
    struct dump dump = dump_hung();
    dump_set(&dump, "draw");
    dump_finish(&dump);
    return dump;
}

/* Bytes that are put in front of a section's header, or taken away (negative). */
static void move_sections(struct dump *dump, size_t at, int by)
{
    dump->data = realloc(dump->data, dump->size + FRAME);
    dump->capacity = dump->size + FRAME;
    if (by >= 0) {
        memmove(dump->data + at + by, dump->data + at, dump->size - at);
        memset(dump->data + at, 0x77, (size_t)by);
    } else {
        memmove(dump->data + at, dump->data + at - by, dump->size - at + (size_t)by);
    }
    dump->size = (size_t)((long)dump->size + by);
}

/* ---- the header ---- */

/* Magic, hash, version, the first section: a file is a dump by any of magic, hash and section, and
 * no dump by the version that a right hash vouches for. */
Test(dump_frames, a_dump_is_known_by_its_magic_its_hash_or_its_first_section)
{
    enum { RIGHT, ZEROS, WRONG };
    for (int magic = RIGHT; magic <= WRONG; magic++)
        for (int bits = 0; bits < 8; bits++) {
            const bool has_hash = bits & 1, has_section = bits & 2, is_newer = bits & 4;
            AT_END(dump_free) struct dump dump = one_marker();
            put(dump.data + 8, is_newer ? 2 : 1, 2);
            if (magic != RIGHT)
                memset(dump.data, magic == ZEROS ? 0 : 'x', 8);
            dump_sign_header(&dump);
            if (!has_hash)
                dump.data[31] ^= 0x80;
            if (!has_section)
                dump.data[HEADER] = 'x';
            AT_END(close_bytes) struct opened opened = open_bytes(dump.data, dump.size);
            const bool is_dump =
                (magic == RIGHT || has_hash || has_section) && !(has_hash && is_newer);
            cr_expect_eq(opened.result,
                         !is_dump         ? ANNOT_ERROR_NOT_A_DUMP
                         : magic == ZEROS ? ANNOT_ERROR_INCOMPLETE
                                          : ANNOT_OK,
                         "magic %d, bits %d: %d", magic, bits, opened.result);
            if (is_dump) {
                annot_reader_device device;
                annot_reader_get_device(opened.reader, &device);
                cr_expect_eq(finding_of(opened.reader, ANNOT_FINDING_HEADER).count,
                             !has_hash || magic == WRONG);
                cr_expect_eq(finding_of(opened.reader, ANNOT_FINDING_INCOMPLETE).count,
                             magic == ZEROS);
                cr_expect_eq(finding_of(opened.reader, ANNOT_FINDING_SECTION_FRAME).count,
                             !has_section);
                cr_expect_eq(device.is_known, has_section);
                cr_expect_eq(annot_reader_stream_count(opened.reader), 1u);
            }
        }
}

/* A larger header is skipped as far as it says, if it can be believed; a smaller one is none. */
Test(dump_frames, sections_begin_where_the_header_ends)
{
    static const struct {
        uint32_t said;
        int moved;
        bool has_hash;
        size_t gaps;
    } rows[] = {
        {HEADER, 0, true, 0},      {HEADER + 8, 8, true, 0}, {HEADER + 64, 0, true, 0},
        {HEADER + 8, 8, false, 1}, {HEADER - 1, 0, true, 0}, {0, 0, true, 0},
        {HEADER, 8, true, 1},      {0xFFFFFFFF, 0, true, 0}, {HEADER - 8, 0, true, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        AT_END(dump_free) struct dump dump = one_marker();
        const bool is_skipped = rows[i].said == HEADER + 64; /* into the first section */
        move_sections(&dump, HEADER, rows[i].moved);
        put(dump.data + 12, rows[i].said, 4);
        dump_sign_header(&dump);
        if (!rows[i].has_hash)
            dump.data[24] ^= 1;
        AT_END(close_bytes) struct opened opened = open_bytes(dump.data, dump.size);
        annot_reader_device device;
        cr_assert_eq(opened.result, ANNOT_OK, "row %zu", i);
        annot_reader_get_device(opened.reader, &device);
        cr_expect_eq(device.is_known, !is_skipped, "row %zu", i);
        cr_expect_eq(finding_of(opened.reader, ANNOT_FINDING_SECTION_FRAME).count,
                     rows[i].gaps + is_skipped, "row %zu", i);
        if (rows[i].gaps)
            cr_expect_eq(finding_of(opened.reader, ANNOT_FINDING_SECTION_FRAME).offset, HEADER);
    }
    /* up to the file's very end, and one byte further */
    for (uint32_t more = 0; more < 2; more++) {
        AT_END(dump_free) struct dump dump = one_marker();
        put(dump.data + 12, dump.size + more, 4);
        dump_sign_header(&dump);
        AT_END(close_bytes) struct opened opened = open_bytes(dump.data, dump.size);
        cr_assert_eq(opened.result, ANNOT_OK);
        cr_expect_eq(annot_reader_stream_count(opened.reader), more);
    }
}

/* ---- sections ---- */

/* A section written by hand: its number, and a payload that is no record of a known kind. */
static void raw_section(struct dump *dump, uint32_t kind, uint32_t index, const void *payload,
                        size_t size, uint64_t said, bool has_hash, size_t padding)
{
    dump->data = realloc(dump->data, dump->size + FRAME + size + padding);
    uint8_t *at = dump->data + dump->size;
    memcpy(at, ANNOT__DUMP_SECTION_MAGIC, 8);
    put(at + 8, kind, 4);
    put(at + 12, index, 4);
    put(at + 16, said, 8);
    if (size > 0)
        memcpy(at + FRAME, payload, size);
    put(at + 24, XXH64(at + FRAME, size, (uint64_t)index << 32 | kind) ^ !has_hash, 8);
    memset(at + FRAME + size, 0, padding);
    dump->size += FRAME + size + padding;
    dump->capacity = dump->size;
}

enum { UNKNOWN_KIND = 99 };

/* The file's header alone. */
static struct dump headed(void)
{
    struct dump dump = one_marker();
    dump.size = HEADER;
    return dump;
}

/* A DEVICE record of a version that knew no field. */
static const uint8_t device_record[8] = {1};

static bool is_device_known(const annot_reader *reader)
{
    annot_reader_device device;
    annot_reader_get_device(reader, &device);
    return device.is_known;
}

/* A payload of any size is followed by zeros up to a multiple of 8, or by the file's end. */
Test(dump_frames, payloads_of_any_size_lead_to_the_next_section)
{
    static const uint8_t payload[24];
    for (size_t size = 0; size <= 24; size++)
        for (size_t last = 0; last <= 24; last++) {
            AT_END(dump_free) struct dump dump = headed();
            raw_section(&dump, UNKNOWN_KIND, 0, payload, size, size, true, (0 - size) & 7);
            raw_section(&dump, ANNOT__DUMP_SECTION_ABOUT, 1, device_record, 8, 8, true, 0);
            raw_section(&dump, UNKNOWN_KIND, 2, payload, last, last, true,
                        size % 2 ? 0 : (0 - last) & 7);
            AT_END(close_bytes) struct opened opened = open_bytes(dump.data, dump.size);
            cr_assert_eq(opened.result, ANNOT_OK);
            cr_expect(is_device_known(opened.reader), "behind %zu bytes", size);
            cr_expect_eq(findings(opened.reader), 2u, "%zu and %zu bytes: NEWER and END_MISSING",
                         size, last);
            cr_expect_eq(finding_of(opened.reader, ANNOT_FINDING_NEWER).count, 2u);
        }
}

/* What is a section inside of a payload, a dump in a dump for example, is none of this file, even
 * where the section around it is damaged but ends where it says. */
Test(dump_frames, sections_inside_of_a_damaged_one_are_not_its_files)
{
    for (unsigned has_next = 0; has_next < 2; has_next++) {
        AT_END(dump_free) struct dump inner = headed(), dump = headed();
        raw_section(&inner, ANNOT__DUMP_SECTION_ABOUT, 1, device_record, 8, 8, true, 0);
        raw_section(&dump, UNKNOWN_KIND, 0, inner.data, inner.size, inner.size, false, 0);
        if (has_next)
            raw_section(&dump, UNKNOWN_KIND, 1, NULL, 0, 0, true, 0);
        AT_END(close_bytes) struct opened opened = open_bytes(dump.data, dump.size);
        cr_expect_not(is_device_known(opened.reader));
        cr_expect_eq(finding_of(opened.reader, ANNOT_FINDING_SECTION_HASH).count, 1);
        cr_expect_eq(finding_of(opened.reader, ANNOT_FINDING_NEWER).count, has_next);
    }
}

/* The last byte of a file can begin a section as little as any of its last seven. */
Test(dump_frames, a_magic_that_the_file_cuts_is_no_section)
{
    for (size_t size = 1; size < FRAME; size++) {
        AT_END(dump_free) struct dump dump = headed();
        raw_section(&dump, ANNOT__DUMP_SECTION_ABOUT, 0, device_record, 8, 8, true, 0);
        const size_t end = dump.size;
        raw_section(&dump, UNKNOWN_KIND, 1, NULL, 0, 0, true, 0);
        AT_END(close_bytes) struct opened opened = open_bytes(dump.data, end + size);
        const annot_finding cut = finding_of(opened.reader, ANNOT_FINDING_SECTION_CUT);
        const annot_finding frame = finding_of(opened.reader, ANNOT_FINDING_SECTION_FRAME);
        cr_expect(is_device_known(opened.reader));
        cr_expect_eq(cut.count, size >= 8, "%zu bytes", size);
        cr_expect_eq(frame.count, size < 8, "%zu bytes", size);
        cr_expect_eq(size < 8 ? frame.offset : cut.offset, end);
        if (size < 8)
            cr_expect_eq(frame.value, size);
    }
}

/* A damaged section is taken for the one that is expected, whatever its index says. */
Test(dump_frames, a_damaged_section_has_the_index_that_is_expected)
{
    AT_END(dump_free) struct dump dump = headed();
    raw_section(&dump, ANNOT__DUMP_SECTION_ABOUT, 0, device_record, 8, 8, true, 0);
    raw_section(&dump, ANNOT__DUMP_SECTION_ABOUT, 7, device_record, 8, 8, false, 0);
    raw_section(&dump, ANNOT__DUMP_SECTION_ABOUT, 2, device_record, 8, 8, true, 0);
    AT_END(close_bytes) struct opened opened = open_bytes(dump.data, dump.size);
    cr_expect_eq(finding_of(opened.reader, ANNOT_FINDING_SECTION_HASH).count, 1);
    cr_expect_eq(finding_of(opened.reader, ANNOT_FINDING_SECTION_MISSING).count, 0);
    cr_expect_eq(finding_of(opened.reader, ANNOT_FINDING_SECTION_REPEATED).count, 0);
}

/* ---- records ---- */

/* A record that reaches past its section ends it there, at whatever place and with whatever
 * sizes. */
Test(dump_frames, records_stay_inside_their_section)
{
    static const uint8_t zeros[16];
    for (uint32_t fixed = 0; fixed <= 40; fixed += 4)
        for (uint32_t variable = 0; variable <= 40; variable += 4)
            for (size_t room = 8; room <= 48; room += 8) {
                uint8_t payload[8 + 48] = {1}; /* a DEVICE of 8 bytes stands in front */
                AT_END(dump_free) struct dump dump = headed();
                put(payload + 8, ANNOT__DUMP_TEXT, 2);
                put(payload + 10, fixed, 2);
                put(payload + 12, variable, 4);
                raw_section(&dump, ANNOT__DUMP_SECTION_ABOUT, 0, payload, 8 + room, 8 + room, true,
                            0);
                raw_section(&dump, UNKNOWN_KIND, 1, zeros, 8, 8, true, 0);
                AT_END(close_bytes) struct opened opened = open_bytes(dump.data, dump.size);
                const annot_finding broken = finding_of(opened.reader, ANNOT_FINDING_RECORD_BROKEN);
                const bool fits = 8 + fixed + variable <= room;
                cr_expect_eq(broken.count, !fits, "%u and %u bytes in %zu", fixed, variable, room);
                if (!fits)
                    cr_expect_eq(broken.offset, HEADER + FRAME + 8);
                cr_expect(is_device_known(opened.reader));
            }
    static const uint64_t sizes[] = {0xFFFFFFFF, 0xFFFFFFF8, 0xFFFFFFF0, 0x80000000};
    for (size_t i = 0; i < 4; i++) {
        uint8_t payload[16] = {ANNOT__DUMP_TEXT};
        AT_END(dump_free) struct dump dump = headed();
        put(payload + 4, sizes[i], 4);
        raw_section(&dump, ANNOT__DUMP_SECTION_ABOUT, 0, payload, 16, 16, true, 0);
        AT_END(close_bytes) struct opened opened = open_bytes(dump.data, dump.size);
        cr_expect_eq(finding_of(opened.reader, ANNOT_FINDING_RECORD_BROKEN).count, 1);
    }
    for (size_t rest = 1; rest < 8; rest++) { /* less than a record's header */
        uint8_t payload[16] = {1};
        AT_END(dump_free) struct dump dump = headed();
        raw_section(&dump, ANNOT__DUMP_SECTION_ABOUT, 0, payload, 8 + rest, 8 + rest, true,
                    8 - rest);
        struct opened opened = open_bytes(dump.data, dump.size);
        cr_expect_eq(finding_of(opened.reader, ANNOT_FINDING_RECORD_BROKEN).count, 1, "%zu", rest);
        close_bytes(&opened);
    }
}
