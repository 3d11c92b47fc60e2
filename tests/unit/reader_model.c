/* The reader's answers about entries, executions, objects and queues, and about those that are not
 * there [annot/reader_model.h]. */
#include "dump_builder.h"
#include "unit_kit.h"
#include "reader/ask.h"

#include <annot/dump.h>

TestSuite(reader_model, .fini = guarded_expect_nothing_left);

enum { FAR = 0x7FFFFFFF };

/* A queue, a list and a bundle, whose names the dump cut; a row of the bundle's alone. */
static annot_reader *cut_names(struct dump *dump, uint32_t more, bool has_list_row)
{
    dump_start(dump, ERROR_HUNG, 0);
    dump_section(dump, ANNOT__DUMP_SECTION_OBJECTS);
    for (uint32_t i = 0; i < 3; i++)
        dump_add_with(dump, OBJECT, "cut", 3, .id = (const uint64_t[]){21, 100, 102}[i],
                      .kind = i == 0 ? 19 : 22, .flags = 2, .name_size = 3 + more);
    dump_recording(dump, 1, 100);
    const uint64_t scope = dump_begin(dump, "scope");
    dump_bundle(dump, 1, 3, 102);
    dump_set(dump, "mark");
    dump_end(dump);
    dump_end(dump);
    dump_new_section(dump, ANNOT__DUMP_SECTION_LISTS);
    dump_recording(dump, 3, 102);
    const uint64_t inside = dump_set(dump, "inside");
    dump_queue(dump, 21, 1, 0);
    dump_set(dump, "of the queue");
    dump_submit(dump, 1, 1, (uint64_t[]){1});
    if (has_list_row)
        dump_row(dump, 21, 1, 0, 0, STARTED, scope, 0);
    dump_row(dump, 21, 1, 0, 1, STARTED, inside, 0);
    return dump_open(dump, ANNOT_OK);
}

Test(reader_model, entries_have_what_their_kind_has)
{
    AT_END(dump_free) struct dump dump;
    AT_END(at_end_close) annot_reader *reader = cut_names(&dump, 0, true);
    annot_reader_entry entry;
    uint32_t count = 0;
    for (; annot_reader_entry_at(reader, count, &entry); count++) {
        const bool is_bundle = entry.kind == ANNOT_ENTRY_BUNDLE;
        const bool is_submission = entry.kind == ANNOT_ENTRY_SUBMISSION;
        const bool is_marker = entry.kind == ANNOT_ENTRY_BEGIN || entry.kind == ANNOT_ENTRY_SET;
        annot_reader_stream stream;
        annot_evidence evidence = ANNOT_EVIDENCE_FENCE;
        cr_expect_eq(entry.data != NULL, is_marker, "%u", count);
        cr_expect_eq(entry.stored > 0, is_marker, "%u", count);
        cr_expect_eq(entry.ordinal, is_bundle, "%u", count);
        cr_expect_eq(entry.bundle_name.size, is_bundle ? 3 : 0, "%u", count);
        if (is_bundle) {
            cr_expect(annot_reader_stream_at(reader, entry.link, &stream) && stream.object == 102);
            cr_expect_eq(annot_reader_state(reader, 0, ANNOT_READER_NONE, count, &evidence),
                         ANNOT_STATE_IN_PROGRESS);
            cr_expect(evidence != ANNOT_EVIDENCE_NONE && evidence != ANNOT_EVIDENCE_FENCE);
        } else
            cr_expect_eq(entry.link, is_submission ? 0 : ANNOT_READER_NONE, "%u", count);
        cr_assert(annot_reader_stream_at(reader, entry.stream, &stream));
        const annot_state state = annot_reader_queue_state(reader, count, &evidence);
        if (!stream.is_queue)
            cr_expect(state == ANNOT_STATE_UNKNOWN && evidence == ANNOT_EVIDENCE_NONE, "%u", count);
    }
    cr_expect_eq(count, 7);
    for (uint32_t at = count; at != FAR; at = at == count ? FAR - 1 : FAR) {
        annot_evidence evidence = ANNOT_EVIDENCE_CRUMBS;
        char name[8];
        cr_expect_eq(annot_reader_queue_state(reader, at, &evidence), ANNOT_STATE_UNKNOWN);
        cr_expect_eq(annot_reader_state(reader, 0, ANNOT_READER_NONE, at, &evidence),
                     ANNOT_STATE_UNKNOWN);
        cr_expect_eq(evidence, ANNOT_EVIDENCE_NONE);
        cr_expect_eq(annot_reader_state(reader, 0, at, 0, NULL), ANNOT_STATE_UNKNOWN);
        cr_expect_eq(annot_reader_entry_name(reader, at, name, sizeof name), 0);
        cr_expect_eq(annot_reader_operation_count(reader, at), 0);
    }
}

Test(reader_model, names_say_whether_they_are_cut)
{
    for (uint32_t more = 0; more < 2; more++) {
        AT_END(dump_free) struct dump dump;
        AT_END(at_end_close) annot_reader *reader = cut_names(&dump, more, false);
        annot_reader_entry entry = {.bundle_name = {NULL, 0}};
        annot_reader_execution execution;
        annot_reader_submission submission;
        annot_reader_object object;
        for (uint32_t i = 0; !entry.bundle_name.size; i++)
            cr_assert(annot_reader_entry_at(reader, i, &entry));
        cr_expect_eq(entry.is_bundle_name_cut, more);
        cr_assert(annot_reader_execution_at(reader, 0, &execution));
        cr_expect(execution.name.size == 3 && execution.is_name_cut == (more > 0));
        cr_expect(execution.started == 0 && execution.completed == 0, "the row is the bundle's");
        cr_assert(annot_reader_submission_at(reader, 0, &submission));
        cr_expect(submission.queue_name.size == 3 && submission.is_queue_name_cut == (more > 0));
        cr_assert(annot_reader_object_find(reader, 21, &object));
        cr_expect(object.is_name_cut == (more > 0) && object.type == (uint32_t)ANNOT_OBJECT_QUEUE);
        cr_expect_not(annot_reader_object_find(reader, 22, &object));
    }
}

/* ---- the report's words on them ---- */

/* As many bytes of a name in quotes as a report shows; each quote of its own has a backslash, and
 * what is left out dots, once. */
Test(reader_model, long_names_in_quotes_are_cut_behind_a_character)
{
    for (uint32_t letters = 0; letters < 402; letters += letters == 2 ? 394 : 1)
        for (uint32_t quotes = 0; quotes < 203; quotes += quotes == 3 ? 195 : 1) {
            char name[1024], expected[1024] = "queue \"";
            uint32_t used = 0;
            memset(name, 'a', letters);
            memset(name + letters, '"', quotes);
            name[letters + quotes] = 0;
            if (letters + quotes == 0)
                continue;
            bool is_whole = true;
            for (uint32_t i = 0; i < letters + quotes && is_whole; i++) {
                const char *piece = name[i] == '"' ? "\\\"" : "a";
                is_whole = used + strlen(piece) <= ANNOT_REPORT_NAME_LIMIT;
                strcat(expected, is_whole ? piece : "...");
                used += (uint32_t)strlen(piece);
            }
            strcat(expected, "\" (");
            AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
            dump_object(&dump, 21, 19, name);
            dump_queue(&dump, 21, 1, 1);
            dump_finish(&dump);
            OWNED char *text = dump_report(&dump, false, NULL);
            cr_expect_not_null(strstr(text, expected), "%u and %u: %s", letters, quotes, text);
            cr_expect_eq(strstr(text, "cut after 400 bytes") != NULL, !is_whole, "%u and %u",
                         letters, quotes);
        }
}

/* Escape sequences are asked for by `color`, whatever else is; guides are what `branches` draws. */
Test(reader_model, colours_are_those_that_are_asked_for)
{
    AT_END(dump_free) struct dump dump = dump_frame();
    OWNED char *plain = dump_report(&dump, false, &(annot_report_options){.truecolor = true});
    char *colored = dump_report(&dump, false, &(annot_report_options){.color = true});
    cr_expect_null(strchr(plain, '\x1b'), "%s", plain);
    cr_expect_not_null(strstr(colored, "\n  \x1b[32m[X]\x1b[0m submission 1"), "%s", colored);
    free(colored);
}

/* ---- JSON ---- */

Test(reader_model, json_tells_a_name_that_is_empty_or_cut_from_none)
{
    static char huge[(64 << 10) + 2];
    static const struct {
        const char *name;
        uint32_t flags, more;
        const char *json;
    } rows[] = {
        {"", 0, 0, "\"name\":null,\"name_cut\":false"},
        {"", 2, 0, "\"name\":\"\",\"name_cut\":false"},
        {"n", 2, 0, "\"name\":\"n\",\"name_cut\":false"},
        {"n", 0, 0, "\"name\":\"n\",\"name_cut\":false"},
        {"n", 2, 1, "\"name\":\"n\",\"name_cut\":true"},
        {huge, 2, 0, "hh\",\"name_cut\":true"},
    };
    memset(huge, 'h', sizeof huge - 1);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const size_t size = strlen(rows[i].name);
        AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
        dump_section(&dump, ANNOT__DUMP_SECTION_OBJECTS);
        dump_put_KIND(&dump, &(struct annot__dump_KIND){.kind = 7}, "K", 1);
        dump_add_with(&dump, OBJECT, rows[i].name, size, .id = 21, .kind = 7 + (uint32_t)i,
                      .flags = rows[i].flags, .name_size = (uint32_t)size + rows[i].more);
        dump_finish(&dump);
        OWNED char *json = dump_report(&dump, true, NULL);
        cr_expect_not_null(strstr(json, rows[i].json), "row %zu: %.2000s", i, json);
        cr_expect_eq(strstr(json, "\"kind_name\":\"K\"") != NULL, i == 0, "row %zu", i);
        cr_expect_eq(strstr(json, "\"kind_name\"") != NULL, i == 0, "row %zu", i);
    }
}

/* ---- what is no dump ---- */

Test(reader_model, opening_needs_a_place_for_the_reader_and_bytes)
{
    annot_reader *reader = (annot_reader *)&reader;
    cr_expect_eq(annot_reader_open_file(NULL, "/nowhere", NULL), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(annot_reader_open_memory(NULL, NULL, 1, &reader), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_null(reader);
    reader = (annot_reader *)&reader;
    cr_expect_neq(annot_reader_open_memory(NULL, NULL, 0, &reader), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_null(reader);
}
