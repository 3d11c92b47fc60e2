/* Every field of a record reaches the reader's functions [docs/DUMP_FORMAT.md], however many
 * records there are and in whatever order their identities come. */
#include "dump_builder.h"
#include "unit_kit.h"

enum { MANY = 3000 };

/* Different ones, of all sizes: each byte of the key decides somewhere. */
static uint64_t id_of(uint64_t number)
{
    const uint64_t mixed = (number + 1) * 0x9e3779b97f4a7c15u;
    return number % 3 == 0 ? mixed : number % 3 == 1 ? number + 1 : (number + 1) << 40;
}

static bool is_text(annot_text text, const char *words)
{
    return text.size == strlen(words) && memcmp(text.data, words, text.size) == 0;
}

/* ---- the device ---- */

Test(dump_fields, the_device_is_that_of_the_first_record)
{
    AT_END(dump_free) struct dump dump;
    annot_reader_device device;
    const struct annot__dump_DEVICE said = {.guid_low = 0x0807060504030201,
                                            .guid_high = 0x100f0e0d0c0b0a09,
                                            .time = 0x1122334455667788,
                                            .budget = 0x2122334455667788,
                                            .live_bytes = 0x3122334455667788,
                                            .error = 9,
                                            .mode = 2,
                                            .driver_supported = 1,
                                            .order_window = 17,
                                            .has_report = 1,
                                            .pointer_size = 4,
                                            .promises = 3};
    dump_start_device(&dump, &said);
    dump_add(&dump, DEVICE, .error = 7);
    for (uint32_t role = 0; role < 8; role++)
        dump_put_TEXT(&dump, &(struct annot__dump_TEXT){role}, &"01234567"[role], 1);
    for (uint32_t i = 3; i <= 4; i++)
        dump_put_LOSS(&dump, &(struct annot__dump_LOSS){.count = i, .what = 1000 + i}, NULL, 0);
    for (uint64_t i = 1; i <= 3; i++)
        dump_put_FAULT(&dump, &(struct annot__dump_FAULT){.address = i << 40}, NULL, 0);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    annot_reader_get_device(reader, &device);
    for (unsigned i = 0; i < 16; i++)
        cr_expect_eq(device.guid[i], i + 1);
    cr_expect_eq(device.time, said.time);
    cr_expect_eq(device.budget, said.budget);
    cr_expect_eq(device.live_bytes, said.live_bytes);
    cr_expect_eq(device.error, said.error);
    cr_expect_eq(device.mode, said.mode);
    cr_expect_eq(device.order_window, said.order_window);
    cr_expect_eq(device.promises, said.promises);
    cr_expect_eq(device.pointer_size, said.pointer_size);
    cr_expect(device.driver_supported && device.has_report && device.is_known);
    cr_expect_not(device.has_virtual_clock);
    cr_expect_eq(device.fault_count, 3);
    cr_expect_eq(device.fault_address, (uint64_t)1 << 40);
    cr_expect(is_text(device.application, "game"), "the first of a role counts");
    cr_expect(is_text(device.adapter, "2"));
    cr_expect(is_text(device.driver, "3"));
    cr_expect(is_text(device.reason, "GPU timeout after 2.0 s"));
    cr_expect(is_text(device.writer, "5"));
    cr_expect_eq(annot_reader_loss(reader, ANNOT_LOSS_UNKNOWN), 7, "of two newer kinds");
    for (uint32_t what = 1; what < 13; what++)
        cr_expect_eq(annot_reader_loss(reader, what), 0, "%u", what);
}

/* Format 1.0 had another number for it. */
Test(dump_fields, an_unknown_error_has_two_numbers)
{
    static const uint32_t errors[][2] = {
        {0x80000000u, 0x88000000u}, {0x88000000u, 0x88000000u}, {0x80000001u, 0x80000001u}, {0, 0}};
    for (size_t i = 0; i < 4; i++) {
        AT_END(dump_free) struct dump dump = dump_started(errors[i][0], 0);
        annot_reader_device device;
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        annot_reader_get_device(reader, &device);
        cr_expect_eq(device.error, errors[i][1], "0x%x", errors[i][0]);
    }
}

/* A key can't be longer than what is there. */
Test(dump_fields, facts_are_a_key_and_the_rest)
{
    AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
    annot_reader_fact fact;
    for (uint32_t size = 0; size <= 8; size++)
        dump_put_FACT(&dump, &(struct annot__dump_FACT){size % 3 + 1, size}, "keyvalu", 7);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    cr_assert_eq(annot_reader_fact_count(reader), 9);
    for (uint32_t i = 0; i <= 8; i++) {
        const uint32_t size = i > 7 ? 7 : i;
        cr_assert(annot_reader_fact_at(reader, i, &fact));
        cr_expect_eq(fact.source, i % 3 + 1);
        cr_expect_eq(fact.key.size, size);
        cr_expect_eq(fact.value.size, 7 - size);
        cr_expect_eq(memcmp(fact.key.data, "keyvalu", size), 0);
        cr_expect_eq(memcmp(fact.value.data, &"keyvalu"[size], 7 - size), 0);
    }
    cr_expect_not(annot_reader_fact_at(reader, 9, &fact));
}

/* ---- objects, shaders, resources ---- */

Test(dump_fields, objects_are_found_by_whatever_identity)
{
    AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
    annot_reader_object object;
    dump_section(&dump, ANNOT__DUMP_SECTION_OBJECTS);
    for (uint32_t kind = 1; kind <= 20; kind++)
        dump_add_with(&dump, KIND, &"abcdefghijklmnopqrst"[kind - 1], 1, 21 - kind);
    for (uint32_t i = 0; i < MANY; i++) {
        dump_add_with(&dump, OBJECT, "abc", 3, .id = id_of(i), .handle = id_of(i) + 5,
                      .kind = i % 24, .list_type = i * 7, .flags = i % 8, .name_size = 3 + i % 2,
                      .type = i % 6 + 1);
    }
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    cr_assert_eq(annot_reader_object_count(reader), (size_t)MANY);
    for (uint32_t i = 0; i < MANY; i++) {
        cr_assert(annot_reader_object_find(reader, id_of(i), &object), "%u", i);
        cr_assert_eq(object.id, id_of(i));
        cr_assert_eq(object.handle, id_of(i) + 5);
        cr_assert_eq(object.kind, i % 24);
        cr_assert_eq(object.list_type, i * 7);
        cr_assert_eq(object.is_destroyed, i % 2 != 0);
        cr_assert_eq(object.is_named, i % 4 / 2 != 0);
        cr_assert_eq(object.is_retail, i % 8 / 4 != 0);
        cr_assert_eq(object.is_name_cut, i % 2 != 0);
        cr_assert_eq(object.type, i % 6 + 1);
        cr_assert(is_text(object.name, "abc"));
        if (i % 24 >= 1 && i % 24 <= 20)
            cr_assert_eqs(object.kind_name.size, 1, *object.kind_name.data,
                          "abcdefghijklmnopqrst"[20 - i % 24]);
        else
            cr_assert_eq(object.kind_name.size, 0);
        cr_assert(annot_reader_object_at(reader, i, &object));
        cr_assert_eq(object.id, id_of(i));
    }
    cr_expect_not(annot_reader_object_at(reader, MANY, &object));
    for (uint64_t i = MANY; i < 2 * MANY; i++)
        cr_expect_not(annot_reader_object_find(reader, id_of(i), &object));
    cr_expect_not(annot_reader_object_find(reader, 0, &object));
    cr_expect_not(annot_reader_object_find(reader, UINT64_MAX, &object));
    cr_expect_eq(dump_found(reader, ANNOT_FINDING_ID_REPEATED), 0);
}

/* ---- operations ---- */

struct bytes {
    uint8_t at[8 * ANNOT_OPERATION_ARGUMENTS + 16 * ANNOT_OPERATION_OBJECTS + 24];
    size_t size;
};

static void add(struct bytes *bytes, uint64_t value, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        bytes->at[bytes->size++] = (uint8_t)(value >> 8 * i);
}

static struct bytes bytes_of(uint32_t arguments, uint32_t objects)
{
    struct bytes bytes = {.size = 0};
    for (uint32_t i = 0; i < arguments; i++)
        add(&bytes, (uint64_t)(-5 - (int64_t)i), 8);
    for (uint32_t i = 0; i < objects; i++) {
        add(&bytes, id_of(i), 8);
        add(&bytes, i % 12 + 1, 4);
        add(&bytes, i * 3, 4);
    }
    return bytes;
}

/* More than there may be, fewer bytes than announced, numbers that don't grow, no list around. */
Test(dump_fields, operations_that_cannot_be_are_none)
{
    static const struct {
        uint32_t number, arguments, objects;
        int missing;
        bool is_kept;
    } rows[] = {{5, 2, 3, 0, true},
                {5, 0, 0, 0, false},
                {4, 0, 0, 0, false},
                {6, ANNOT_OPERATION_ARGUMENTS + 1, 0, 0, false},
                {7, 0, ANNOT_OPERATION_OBJECTS + 1, 0, false},
                {8, 2, 3, 1, false},
                {9, 1, 0, 1, false},
                {10, 0, 1, 1, false},
                {11, UINT32_MAX, 0, 0, false},
                {12, 0, UINT32_MAX, 0, false},
                {13 | ANNOT_OPERATION_APART, 0, 0, 0, true},
                {14, ANNOT_OPERATION_ARGUMENTS, ANNOT_OPERATION_OBJECTS, 0, true}};
    static const uint32_t kept[] = {5, 13, 14};
    AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
    dump_section(&dump, ANNOT__DUMP_SECTION_LISTS);
    dump_put_OPERATION(&dump, &(struct annot__dump_OPERATION){.number = 1}, NULL, 0);
    for (uint64_t list = 1; list <= 2; list++) { /* numbers begin again in the second */
        dump_recording(&dump, list, 100);
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            const bool is_much = rows[i].arguments > 9 || rows[i].objects > 17;
            const struct bytes bytes =
                is_much ? bytes_of(0, 0) : bytes_of(rows[i].arguments % 9, rows[i].objects % 17);
            dump_add_with(&dump, OPERATION, bytes.at, bytes.size - (size_t)rows[i].missing, 0,
                          rows[i].number, 3, rows[i].arguments, rows[i].objects);
        }
    }
    dump_queue(&dump, 21, 0, 0);
    dump_put_OPERATION(&dump, &(struct annot__dump_OPERATION){.number = 1}, NULL, 0);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    cr_expect_eq(dump_found(reader, ANNOT_FINDING_RECORD_ORPHAN), 2);
    for (uint32_t stream = 0; stream < 2; stream++) {
        annot_reader_operation operation;
        cr_assert_eq(annot_reader_operation_count(reader, stream), 3);
        for (uint32_t i = 0; i < 3; i++) {
            cr_assert(annot_reader_operation_at(reader, stream, i, &operation));
            cr_expect_eq(operation.number, kept[i]);
        }
    }
}

/* ---- blobs ---- */

enum { BLOB = 40 };

/* A piece that reaches past the last number there is has no bytes; one that reaches up to it has.
 */
Test(dump_fields, the_end_of_the_largest_blob_can_be_read)
{
    for (size_t size = 2; size <= 4; size++) {
        char bytes[8] = "-------";
        AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
        dump_section(&dump, ANNOT__DUMP_SECTION_EVIDENCE);
        dump_add_with(&dump, BLOB, "abcd", size, .offset = UINT64_MAX - 3, .size = UINT64_MAX);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        cr_expect_eq(annot_reader_blob_read(reader, 0, UINT64_MAX - 3, bytes, 7), 3);
        cr_expect_arr_eq(bytes, size == 2 ? "ab\0----" : size == 3 ? "abc----" : "\0\0\0----", 7);
    }
}

/* ---- EventIDs ---- */

/* EventIDs that several markers have belong to none of them; all others stay found, wherever the
 * repeated ones stand. */
Test(dump_fields, repeated_event_ids_are_found_nowhere)
{
    for (uint32_t from = 0; from < 6; from++)
        for (uint32_t count = 1; count <= 3; count++) {
            AT_END(dump_free) struct dump dump = dump_hung();
            uint64_t ids[9];
            uint32_t repeated[9] = {0};
            for (uint32_t i = 0; i < 6; i++)
                ids[i] = dump_set(&dump, "m");
            dump.next_event = ids[from];
            for (uint32_t i = 0; i < count; i++) {
                ids[6 + i] = dump_set(&dump, "again");
                for (uint32_t k = 0; k < 6 + i; k++)
                    if (ids[k] == ids[6 + i])
                        repeated[k]++, repeated[6 + i]++;
            }
            AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
            uint64_t findings = 0;
            for (uint32_t i = 0; i < 6 + count; i++) {
                cr_expect_eq(annot_reader_entry_find(reader, ids[i]),
                             repeated[i] ? ANNOT_READER_NONE : i, "%u of %u from %u", i, count,
                             from);
                findings += i >= 6 && repeated[i];
            }
            cr_expect_eq(dump_found(reader, ANNOT_FINDING_EVENT_ID_REPEATED), findings);
        }
}

/* ---- the tree of scopes ---- */

/* ---- the closing record ---- */

Test(dump_fields, the_closing_record_is_held_against_the_dump)
{
    for (int wrong = 0; wrong < 4; wrong++) {
        AT_END(dump_free) struct dump dump = dump_frame();
        /* the END record is the last one: three u64 */
        uint8_t *end = dump.data + dump.size - 24;
        if (wrong > 0)
            end[8 * (wrong - 1)]++;
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        cr_expect_eq(dump_found(reader, ANNOT_FINDING_END_MISMATCH), wrong > 0, "field %d", wrong);
    }
}
