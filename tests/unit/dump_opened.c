/* Dumps that a test has built, as readers and reports give them. */
#include "device_dump.h"
#include "dump_builder.h"
#include "sink.h"

annot_reader *dump_open(struct dump *dump, annot_result expected)
{
    annot_reader *reader;
    if (dump->section)
        dump_finish(dump);
    annot_result result =
        annot_reader_open_memory(&guarded_memory, dump->data, dump->size, &reader);
    cr_assert_eq(result, expected, "opening answers %d (%s)", result, annot_result_text(result));
    return reader;
}

#define AT(name)                                                                                   \
    DUMP_AT(name)                                                                                  \
    {                                                                                              \
        annot_reader_##name found = {0};                                                           \
        cr_assert(annot_reader_##name##_at(reader, index, &found));                                \
        return found;                                                                              \
    }
AT(execution)
AT(stop)
AT(stream)
AT(submission)
AT(crumbs)

uint64_t dump_found(const annot_reader *reader, annot_finding_kind kind)
{
    annot_finding found;
    for (size_t i = 0; annot_reader_finding(reader, i, &found); i++)
        if (found.kind == kind)
            return found.count;
    return 0;
}

char *report_of(const annot_reader *reader, bool is_json, const annot_report_options *options)
{
    struct kept kept = {0};
    annot_report_sink sink = kept_sink(&kept);
    annot_result result = is_json ? annot_report_json(reader, options, &sink)
                                  : annot_report_text(reader, options, &sink);
    cr_assert_eq(result, ANNOT_OK);
    cr_assert_eq(strlen(kept.data), kept.size, "a NUL in a report");
    return kept.data;
}

char *dump_report(struct dump *dump, bool is_json, const annot_report_options *options)
{
    AT_END(at_end_close) annot_reader *reader = dump_open(dump, ANNOT_OK);
    return report_of(reader, is_json, options);
}

uint32_t report_count(const char *text, const char *part)
{
    uint32_t count = 0;
    while ((text = strstr(text, part))) {
        text++;
        count++;
    }
    return count;
}

char *device_dump_text(const annot_reader *reader, annot_report_format format)
{
    char *text;
    cr_assert_eq(annot_report_memory(reader, format, NULL, &text, NULL), ANNOT_OK);
    return text;
}
