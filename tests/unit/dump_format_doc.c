/* docs/DUMP_FORMAT.md has a row for each section, record and field of lib/dump/dump_format.h, word
 * for word, and no other. */
#include "asserts.h"
#include "dump/dump_format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_document(void)
{
    FILE *file = fopen(GOLDEN_DIR "/../../docs/DUMP_FORMAT.md", "rb");
    cr_assert_not_null(file);
    char *text = calloc(1, 1 << 20);
    size_t size = fread(text, 1, (1 << 20) - 1, file);
    cr_assert(size > 0);
    fclose(file);
    return text;
}

struct rows {
    char *document;
    const char *at; /* behind the last row found */
    unsigned count;
};

static void expect_row(struct rows *rows, const char *row)
{
    const char *found = strstr(rows->at, row);
    cr_assert_not_null(found, "missing, or not in the table's order: %s", row);
    rows->at = found + strlen(row);
    rows->count++;
}

static void expect_field(struct rows *rows, unsigned *offset, const char *type, unsigned size,
                         const char *name, const char *doc)
{
    char row[2048];
    snprintf(row, sizeof row, "\n| `%u` | %s | `%s` | %s |\n", *offset, type, name, doc);
    row[strlen(row) - 1] = 0; /* the next row begins with this newline */
    expect_row(rows, row);
    *offset += size;
}

static void expect_heading(struct rows *rows, const char *name, unsigned kind, unsigned size,
                           const char *doc, const char *variable)
{
    char row[2048];
    const bool has_bytes = strcmp(variable, "none") != 0;
    snprintf(row, sizeof row, "\n### %s (%u), fixed size %u\n\nThe record %s.%s%s%s\n", name, kind,
             size, doc, has_bytes ? " Variable bytes: " : "", has_bytes ? variable : "",
             has_bytes ? "." : "");
    expect_row(rows, row);
    rows->at--;
}

static unsigned rows_in(const char *document)
{
    unsigned count = 0;
    for (const char *at = document; (at = strstr(at, "\n| `")); at++)
        count++;
    for (const char *at = document; (at = strstr(at, "\n### ")); at++)
        count++;
    return count;
}

Test(dump_format, the_document_agrees_with_the_table)
{
    struct rows rows = {.document = read_document()};
    rows.at = rows.document;
#define SECTION(name, kind, doc)                                                                   \
    {                                                                                              \
        char row[256];                                                                             \
        snprintf(row, sizeof row, "\n| `%u` | %s | %s |", kind, #name, doc);                       \
        expect_row(&rows, row);                                                                    \
    }
    ANNOT__DUMP_SECTIONS(SECTION)
#define FIELD_U32(name, doc) expect_field(&rows, &offset, "u32", 4, #name, doc);
#define FIELD_U64(name, doc) expect_field(&rows, &offset, "u64", 8, #name, doc);
#define RECORD(name, kind, doc, variable)                                                          \
    expect_heading(&rows, #name, kind, ANNOT__DUMP_##name##_FIXED, doc, variable);                 \
    if (kind != ANNOT__DUMP_SET) { /* its fields are those of BEGIN */                             \
        unsigned offset = 0;                                                                       \
        ANNOT__DUMP_FIELDS_##name(FIELD_U32, FIELD_U64)                                            \
            cr_assert_eq(offset, (unsigned)ANNOT__DUMP_##name##_FIXED);                            \
    }
    ANNOT__DUMP_RECORDS(RECORD)
    cr_expect_eq(rows.count, rows_in(rows.document), "rows that the format doesn't have");
    free(rows.document);
}
