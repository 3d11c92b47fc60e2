/* annot_dump_write_with: a copy of a dump with more facts; and what a fault's address is called. */
#include "dump_builder.h"
#include "sink.h"

#include <annot/dump.h>
#include <annot/fleet.h>

TestSuite(more_facts, .fini = guarded_expect_nothing_left);

static const annot_fact two[] = {{"kernel added", "2 lines"}, {"added 1", "\xc3\xa4 line"}};

static annot_result add(const struct dump *dump, const annot_fact *facts, size_t count,
                        uint64_t fault, struct kept *copy)
{
    annot_reader *reader;
    const annot_report_sink sink = kept_sink(copy);
    annot_reader_open_memory(&guarded_memory, dump->data, dump->size, &reader);
    const annot_result result = annot_dump_write_with(reader, facts, count, fault, &sink);
    annot_reader_close(reader);
    return result;
}

static void expect_fact(const annot_reader *reader, size_t index, const char *key,
                        const char *value)
{
    annot_reader_fact fact;
    cr_assert(annot_reader_fact_at(reader, index, &fact));
    cr_expect(annot_fact_source_text(fact.source) != NULL);
    cr_expect(fact.key.size == strlen(key) && memcmp(fact.key.data, key, fact.key.size) == 0);
    cr_expect(fact.value.size == strlen(value) &&
              memcmp(fact.value.data, value, fact.value.size) == 0);
}

Test(more_facts, are_behind_all_that_the_dump_had)
{
    static const struct {
        size_t count;
        uint64_t fault;
    } rows[] = {{2, 0x1234}, {2, 0}, {0, 0x1234}, {0, 0}, {1, 0}};
    AT_END(dump_free) struct dump dump = dump_started(ERROR_PAGE_FAULT, 0);
    dump_finish(&dump);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct kept copy = {0};
        AT_END(at_end_close) annot_reader *reader = NULL;
        annot_reader_device device;
        cr_assert_eq(add(&dump, two, rows[i].count, rows[i].fault, &copy), ANNOT_OK);
        cr_assert_eq(memcmp(copy.data, dump.data, dump.size - 64), 0, "all but the end");
        cr_assert_eq(annot_reader_open_memory(&guarded_memory, copy.data, copy.size, &reader),
                     ANNOT_OK);
        cr_expect(!annot_reader_is_damaged(reader));
        annot_reader_get_device(reader, &device);
        cr_expect_eq(device.fault_count, rows[i].fault != 0);
        for (size_t k = 0; k < rows[i].count; k++)
            expect_fact(reader, annot_reader_fact_count(reader) - rows[i].count + k, two[k].key,
                        two[k].value);
        free(copy.data);
    }
}

/* A copy is a dump like any other. */
Test(more_facts, can_be_added_to_a_copy_again)
{
    AT_END(dump_free) struct dump dump = dump_frame();
    struct dump again = {0};
    struct kept first = {0}, second = {0};
    AT_END(at_end_close) annot_reader *reader = NULL;
    cr_assert_eq(add(&dump, two, 1, 1, &first), ANNOT_OK);
    again.data = (uint8_t *)first.data;
    again.size = first.size;
    cr_assert_eq(add(&again, two + 1, 1, 2, &second), ANNOT_OK);
    cr_assert_eq(annot_reader_open_memory(&guarded_memory, second.data, second.size, &reader),
                 ANNOT_OK);
    cr_expect(!annot_reader_is_damaged(reader));
    expect_fact(reader, annot_reader_fact_count(reader) - 1, two[1].key, two[1].value);
    free(first.data);
    free(second.data);
}

Test(more_facts, are_cut_at_a_character_s_border)
{
    char key[200], value[3000];
    memset(key, 'k', sizeof key - 1);
    memset(value, 'v', sizeof value - 1);
    key[sizeof key - 1] = value[sizeof value - 1] = 0;
    memcpy(value + ANNOT_FACT_VALUE_MAX - 1, "\xc3\xa4", 2);
    AT_END(dump_free) struct dump dump = dump_frame();
    struct kept copy = {0};
    AT_END(at_end_close) annot_reader *reader = NULL;
    annot_reader_fact fact;
    cr_assert_eq(add(&dump, &(annot_fact){key, value}, 1, 0, &copy), ANNOT_OK);
    annot_reader_open_memory(&guarded_memory, copy.data, copy.size, &reader);
    cr_assert(annot_reader_fact_at(reader, annot_reader_fact_count(reader) - 1, &fact));
    cr_expect_eqs(fact.key.size, ANNOT_FACT_KEY_MAX, fact.value.size, ANNOT_FACT_VALUE_MAX - 1,
                  "cut");
    free(copy.data);
}

/* Nothing is added where the end is missing, damaged or not the end. */
Test(more_facts, are_refused_where_the_dump_is_damaged)
{
    AT_END(dump_free) struct dump dump = dump_frame();
    const size_t whole = dump.size;
    for (size_t cut = 1; cut < 200; cut += 7) {
        struct kept copy = {0};
        dump.size = whole - cut;
        cr_expect_eq(add(&dump, two, 2, 1, &copy), ANNOT_ERROR_INCOMPLETE, "cut by %zu", cut);
        cr_expect_eq(copy.size, 0);
    }
    dump.size = whole;
    dump.data[whole - 1] ^= 1;
    struct kept copy = {0};
    cr_expect_eq(add(&dump, two, 2, 1, &copy), ANNOT_ERROR_INCOMPLETE);
}

Test(more_facts, wants_a_reader_facts_and_a_sink_that_takes)
{
    AT_END(dump_free) struct dump dump = dump_frame();
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    struct kept copy = {0};
    const annot_report_sink sink = kept_sink(&copy), no_write = {0};
    const annot_result invalid = ANNOT_ERROR_INVALID_ARGUMENT;
    cr_expect_eq(annot_dump_write_with(NULL, two, 2, 0, &sink), invalid);
    cr_expect_eq(annot_dump_write_with(reader, NULL, 2, 0, &sink), invalid);
    cr_expect_eq(annot_dump_write_with(reader, two, ANNOT_FACTS_MAX + 1, 0, &sink), invalid);
    cr_expect_eq(annot_dump_write_with(reader, two, 2, 0, NULL), invalid);
    cr_expect_eq(annot_dump_write_with(reader, two, 2, 0, &no_write), invalid);
    for (unsigned calls = 0; calls < 4; calls++) {
        unsigned left = calls;
        const annot_report_sink full = full_sink(&left);
        cr_expect_eq(annot_dump_write_with(reader, two, 2, 0, &full), ANNOT_ERROR_IO);
    }
    cr_expect_eq(copy.size, 0);
}

/* A pointer of 0 with an offset: below 64 KiB, and nobody's. */
Test(more_facts, a_fault_below_64_kib_is_called_a_null_address)
{
    static const struct {
        uint64_t fault, range; /* 0: none */
        bool is_null;
    } rows[] = {{0x40, 0, true},     {0xffff, 0, true},         {0x10000, 0, false},
                {0x40, 0x40, false}, {0x40, 0x100000000, true}, {0x100000040, 0, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        AT_END(dump_free) struct dump dump = dump_started(ERROR_PAGE_FAULT, 0);
        dump_section(&dump, ANNOT__DUMP_SECTION_EVIDENCE);
        dump_add(&dump, FAULT, .address = rows[i].fault, .source = 1);
        dump_section(&dump, ANNOT__DUMP_SECTION_CRUMBS);
        if (rows[i].range)
            dump_add(&dump, RANGE, .address = rows[i].range, .size = 16);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        char answer[256];
        annot_reader_answer(reader, answer, sizeof answer);
        AT_END(at_end_free) char *text = report_of(reader, false, NULL);
        cr_expect_eq(strstr(answer, " (a null address)") != NULL, rows[i].is_null, "%s", answer);
        cr_expect_eq(strstr(text, "address      a null address: ") != NULL, rows[i].is_null, "%s",
                     text);
    }
}

/* Who can't read the kernel's log is told what fetches its lines. */
Test(more_facts, the_command_for_the_kernel_s_lines_is_advised_until_they_are_there)
{
    static const struct {
        const char *key, *value, *more;
        uint64_t time;
        bool is_advised;
    } rows[] = {
        {"kernel", "not read: /dev/kmsg: no permission to read this file", NULL,
         1764375053000000000, true},
        {"kernel", "0 lines of GPU drivers in the 1.0 s before this dump", NULL,
         1764375053000000000, false},
        {"kernel", "not read: /dev/kmsg: no permission to read this file", "kernel added",
         1764375053000000000, false},
        {"kernel", "not read: /dev/kmsg: no permission to read this file", NULL, 1000000000000,
         false},
        {"kernel", "not read: /dev/kmsg: no permission to read this file", NULL, 0, false},
        {"other", "not read: /dev/kmsg: no permission to read this file", NULL, 1764375053000000000,
         false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        AT_END(dump_free) struct dump dump = {0};
        dump_start_device(&dump,
                          &(struct annot__dump_DEVICE){.error = ERROR_HUNG, .time = rows[i].time});
        dump_fact(&dump, 2, rows[i].key, rows[i].value);
        dump_fact(&dump, 2, rows[i].more, rows[i].value);
        AT_END(at_end_free) char *text = dump_report(&dump, true, NULL);
        cr_expect_eq(
            strstr(text,
                   "sudo journalctl -k -o short-unix --since @1764374993 --until @1764375173 | "
                   "annot kernel DUMP -o NEW") != NULL,
            rows[i].is_advised, "%s", text);
    }
}
