/* Bytes between the sections of a dump that belong to none. */
#include "dump_builder.h"
#include "unit_kit.h"

enum { GAP = 24, MAGIC = 8 };

/* Where the last section's header is. */
static size_t last_section(const struct dump *dump)
{
    size_t at = dump->size - MAGIC;
    while (at > 0 && memcmp(dump->data + at, ANNOT__DUMP_SECTION_MAGIC, MAGIC) != 0)
        at--;
    return at;
}

Test(dump_read, a_gap_between_sections_is_told_with_its_place)
{
    AT_END(dump_free) struct dump dump = dump_hung();
    const uint64_t marker = dump_set(&dump, "draw");
    dump_finish(&dump);
    const size_t at = last_section(&dump);
    dump.data = realloc(dump.data, dump.size + GAP);
    cr_assert(dump.data && at > 0);
    memmove(dump.data + at + GAP, dump.data + at, dump.size - at);
    memset(dump.data + at, 'A', GAP); /* the first letter of a section's magic */
    dump.size += GAP;
    dump.capacity = dump.size;
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    annot_finding finding = {.name = ""};
    for (size_t i = 0; strcmp(finding.name, "SECTION_FRAME") != 0; i++)
        cr_assert(annot_reader_finding(reader, i, &finding), "there is no such finding");
    cr_expect_eq(finding.offset, at);
    cr_expect_eq(finding.count, 1);
    cr_expect_neq(annot_reader_entry_find(reader, marker), ANNOT_READER_NONE);
}
