/* What programs ask of a reader, for every stored dump: each list ends at its count, and a text
 * comes into a buffer of any size, as its beginning [annot/reader.h, annot/timeline.h]. */
#include "golden_dumps.h"
#include "sink.h"

#include <annot/fleet.h>
#include <annot/timeline.h>

TestSuite(reader_questions, .fini = guarded_expect_nothing_left);

struct asked {
    annot_reader *reader;
    annot_timeline *timeline;
};

/* ---- texts ---- */

enum { LONGEST = 1 << 16, ASKED_FOR = 5, FILLER = 0x77 };

typedef size_t (*asker)(const struct asked *of, size_t index, char *buffer, size_t capacity);

static size_t answer(const struct asked *of, size_t index, char *buffer, size_t capacity)
{
    return index > 0 ? 0 : annot_reader_answer(of->reader, buffer, capacity);
}

static size_t advice(const struct asked *of, size_t index, char *buffer, size_t capacity)
{
    return annot_reader_advice(of->reader, index, buffer, capacity);
}

static size_t entry_name(const struct asked *of, size_t index, char *buffer, size_t capacity)
{
    return annot_reader_entry_name(of->reader, (uint32_t)index, buffer, capacity);
}

static size_t stop_path(const struct asked *of, size_t index, char *buffer, size_t capacity)
{
    return annot_reader_stop_path(of->reader, index, buffer, capacity);
}

/* Operation `index` of the dump, of whatever recording. */
static bool operation_at(const annot_reader *reader, size_t index, annot_reader_operation *out)
{
    for (uint32_t i = 0; i < annot_reader_stream_count(reader); i++) {
        if (annot_reader_operation_at(reader, i, index, out))
            return true;
        const size_t count = annot_reader_operation_count(reader, i);
        index -= count < index ? count : index;
    }
    return false;
}

static size_t operation_text(const struct asked *of, size_t index, char *buffer, size_t capacity)
{
    annot_reader_operation operation;
    return operation_at(of->reader, index, &operation)
               ? annot_reader_operation_text(&operation, buffer, capacity)
               : 0;
}

static size_t operation_line(const struct asked *of, size_t index, char *buffer, size_t capacity)
{
    annot_reader_operation operation;
    return operation_at(of->reader, index, &operation)
               ? annot_reader_operation_line(of->reader, &operation, buffer, capacity)
               : 0;
}

static size_t track_name(const struct asked *of, size_t index, char *buffer, size_t capacity)
{
    return annot_timeline_track_name(of->timeline, index, buffer, capacity);
}

static size_t slice_name(const struct asked *of, size_t index, char *buffer, size_t capacity)
{
    return annot_timeline_slice_name(of->timeline, index, buffer, capacity);
}

static size_t folded(const struct asked *of, size_t index, char *buffer, size_t capacity)
{
    char name[1024];
    const size_t size = annot_reader_entry_name(of->reader, (uint32_t)index, name, sizeof name);
    return annot_fold_name(name, size, buffer, capacity);
}

#define TEXT(name)                                                                                 \
    {                                                                                              \
#name, name                                                                                \
    }
static const struct {
    const char *name;
    asker ask;
} texts[] = {TEXT(answer),         TEXT(advice),     TEXT(entry_name),
             TEXT(stop_path),      TEXT(track_name), TEXT(operation_text),
             TEXT(operation_line), TEXT(slice_name), TEXT(folded)};

static bool is_inside_a_character(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

/* A part is the text's beginning, ends at a character's border, is as long as there is room but for
 * one character or what stands for it, has a NUL behind it, and nothing is written behind that
 * room. */
static void check_part(const char *name, const char *whole, size_t size, size_t capacity,
                       const char *part, size_t stored)
{
    enum { CHARACTER = 6 /* \u202e */ };
    if (capacity == 0) {
        cr_expect_eqs(stored, 0, part[0], FILLER, "%s without room", name);
        return;
    }
    cr_expect_lt(stored, capacity, "%s in %zu", name, capacity);
    cr_expect(stored <= size && memcmp(part, whole, stored) == 0, "%s in %zu: %s", name, capacity,
              part);
    cr_expect_eqs(part[stored], 0, part[capacity], FILLER, "%s in %zu", name, capacity);
    cr_expect_not(is_inside_a_character(whole[stored]), "%s in %zu: %s", name, capacity, part);
    cr_expect(stored == (size < capacity ? size : stored) &&
                  stored + CHARACTER + 1 > (size < capacity ? size : capacity - 1),
              "%s of %zu in %zu: %zu", name, size, capacity, stored);
}

static void check_text(const char *name, asker ask, const struct asked *of, size_t index)
{
    static char whole[LONGEST], part[LONGEST + 1];
    whole[0] = 0;
    const size_t size = ask(of, index, whole, sizeof whole);
    cr_assert(size == strlen(whole) && size < 4096, "%s: %zu bytes", name, size);
    for (size_t capacity = 0; capacity <= size + 1 && size > 0;
         capacity += capacity > 24 && capacity + 8 < size ? 13 : 1) {
        memset(part, FILLER, capacity + 1);
        check_part(name, whole, size, capacity, part, ask(of, index, part, capacity));
    }
}

/* ---- lists ---- */

#define ENDS_AT(count, at, of, type)                                                               \
    do {                                                                                           \
        const uint32_t end = (uint32_t)(count);                                                    \
        type out, untouched;                                                                       \
        memset(&untouched, FILLER, sizeof untouched);                                              \
        for (uint32_t i = 0; i < end; i++)                                                         \
            cr_expect(at(of, i, &out), #at " of %u", i);                                           \
        memset(&out, FILLER, sizeof out);                                                          \
        cr_expect_not(at(of, end, &out), #at);                                                     \
        cr_expect_not(at(of, UINT32_MAX, &out), #at);                                              \
        cr_expect_mem_eq(&out, &untouched, sizeof out, #at);                                       \
    } while (0)

static void check_lists(const struct asked *of)
{
    const annot_reader *r = of->reader;
    annot_timeline_about about;
    annot_timeline_get_about(of->timeline, &about);
    ENDS_AT(annot_reader_finding_count(r), annot_reader_finding, r, annot_finding);
    ENDS_AT(annot_reader_object_count(r), annot_reader_object_at, r, annot_reader_object);
    ENDS_AT(annot_reader_shader_count(r), annot_reader_shader_at, r, annot_reader_shader);
    ENDS_AT(annot_reader_fact_count(r), annot_reader_fact_at, r, annot_reader_fact);
    ENDS_AT(annot_reader_blob_count(r), annot_reader_blob_at, r, annot_reader_blob);
    ENDS_AT(annot_reader_stream_count(r), annot_reader_stream_at, r, annot_reader_stream);
    ENDS_AT(annot_reader_submission_count(r), annot_reader_submission_at, r,
            annot_reader_submission);
    ENDS_AT(annot_reader_execution_count(r), annot_reader_execution_at, r, annot_reader_execution);
    ENDS_AT(annot_reader_crumbs_count(r), annot_reader_crumbs_at, r, annot_reader_crumbs);
    ENDS_AT(annot_reader_range_count(r), annot_reader_range_at, r, annot_reader_range);
    ENDS_AT(annot_reader_stop_count(r), annot_reader_stop_at, r, annot_reader_stop);
    ENDS_AT(about.tracks, annot_timeline_track_at, of->timeline, annot_timeline_track);
    ENDS_AT(about.slices, annot_timeline_slice_at, of->timeline, annot_timeline_slice);
    ENDS_AT(about.waiting, annot_timeline_waiting_at, of->timeline, annot_timeline_waiting);
}

/* ---- states ---- */

enum { EXECUTIONS = 12, ENTRIES = 200 };

/* Whether the execution runs the entry, or the bundle whose entry it is. */
static bool is_of(const annot_reader_execution *execution, const annot_reader_entry *bundle,
                  const annot_reader_entry *entry)
{
    if (!bundle)
        return entry->stream == execution->stream;
    return bundle->kind == ANNOT_ENTRY_BUNDLE && bundle->stream == execution->stream &&
           bundle->link == entry->stream;
}

/* Entries of other streams, and what is none, are unknown, and without evidence. */
static void check_states(const annot_reader *reader)
{
    annot_reader_execution execution;
    annot_reader_entry entry, around;
    annot_evidence evidence;
    for (uint32_t i = 0; i < EXECUTIONS && annot_reader_execution_at(reader, i, &execution); i++)
        for (uint32_t k = 0; k < ENTRIES && annot_reader_entry_at(reader, k, &entry); k++)
            for (uint32_t b = 0; b <= k; b++) {
                const uint32_t bundle = b == k ? ANNOT_READER_NONE : b;
                if (b < k && annot_reader_entry_at(reader, b, &around) &&
                    around.kind != ANNOT_ENTRY_BUNDLE && b % 16 != 0)
                    continue;
                const bool is_its = is_of(&execution, b == k ? NULL : &around, &entry);
                evidence = ANNOT_EVIDENCE_FENCE;
                const annot_state state = annot_reader_state(reader, i, bundle, k, &evidence);
                cr_expect_eq(annot_reader_state(reader, i, bundle, k, NULL), state);
                cr_expect(is_its ||
                              (state == ANNOT_STATE_UNKNOWN && evidence == ANNOT_EVIDENCE_NONE),
                          "execution %u, entry %u, bundle %u", i, k, bundle);
            }
    const uint32_t executions = (uint32_t)annot_reader_execution_count(reader);
    for (uint32_t i = 0; i < 2; i++) {
        evidence = ANNOT_EVIDENCE_FENCE;
        cr_expect_eq(annot_reader_state(reader, i ? executions : UINT32_MAX, ANNOT_READER_NONE, 0,
                                        &evidence),
                     ANNOT_STATE_UNKNOWN);
        cr_expect_eq(evidence, ANNOT_EVIDENCE_NONE);
        evidence = ANNOT_EVIDENCE_FENCE;
        cr_expect_eq(annot_reader_queue_state(reader, UINT32_MAX - i, &evidence),
                     ANNOT_STATE_UNKNOWN);
        cr_expect_eq(evidence, ANNOT_EVIDENCE_NONE);
    }
}

/* The same of operations. */
static void check_operations(const annot_reader *reader)
{
    annot_reader_execution execution;
    annot_reader_operation operation;
    annot_reader_entry around, of_operation = {0};
    for (uint32_t i = 0; i < EXECUTIONS && annot_reader_execution_at(reader, i, &execution); i++)
        for (size_t k = 0; operation_at(reader, k, &operation); k++) {
            of_operation.stream = operation.stream;
            for (uint32_t b = 0; b < 40 && annot_reader_entry_at(reader, b, &around); b++)
                cr_expect(is_of(&execution, &around, &of_operation) ||
                          annot_reader_operation_state(reader, i, b, &operation) ==
                              ANNOT_OPERATION_UNKNOWN);
            cr_expect(is_of(&execution, NULL, &of_operation) ||
                      annot_reader_operation_state(reader, i, ANNOT_READER_NONE, &operation) ==
                          ANNOT_OPERATION_UNKNOWN);
            cr_expect_eq(annot_reader_operation_state(reader, UINT32_MAX, ANNOT_READER_NONE,
                                                      &operation),
                         ANNOT_OPERATION_UNKNOWN);
            cr_expect_eq(annot_reader_operation_state(reader, i, UINT32_MAX - 1, &operation),
                         ANNOT_OPERATION_UNKNOWN);
        }
    cr_expect_eq(annot_reader_operation_count(reader, UINT32_MAX), 0);
    cr_expect_not(annot_reader_operation_at(reader, UINT32_MAX, 0, &operation));
}

/* ---- all dumps ---- */

static void with(const char *path, void (*check_of)(const struct asked *of))
{
    struct golden_file dump = golden_read(path, ".annotdmp");
    struct asked of = {0};
    annot_reader_open_memory(&guarded_memory, dump.bytes, dump.size, &of.reader);
    cr_assert_not_null(of.reader, "%s", path);
    cr_assert_eq(annot_timeline_create(of.reader, &of.timeline), ANNOT_OK);
    check_of(&of);
    annot_timeline_destroy(of.timeline);
    annot_reader_close(of.reader);
    free(dump.bytes);
}

static void (*checked)(const struct asked *of);

static void visit_dump(const char *name)
{
    with(name, checked);
}

static void visit_report(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "../reports/%s", name);
    with(path, checked);
}

static void check_every_dump(void (*check_of)(const struct asked *of))
{
    checked = check_of;
    golden_each(visit_dump);
    golden_each_of("reports", ".annotdmp", visit_report);
}

/* Each dump is asked for the first ones, and for some further on. */
static void check_texts(const struct asked *of, size_t first, size_t end)
{
    const size_t further = annot_reader_stream_count(of->reader) * 7 % 16;
    for (size_t i = first; i < end; i++)
        for (size_t k = 0; k < ASKED_FOR; k++)
            check_text(texts[i].name, texts[i].ask, of, k < 2 ? k : k + further);
}

enum { TEXTS = sizeof texts / sizeof texts[0], OF_READER = 5 };

static void check_texts_of_reader(const struct asked *of)
{
    check_texts(of, 0, OF_READER);
}

static void check_other_texts(const struct asked *of)
{
    check_texts(of, OF_READER, TEXTS);
}

static void check_all_states(const struct asked *of)
{
    check_states(of->reader);
    check_operations(of->reader);
}

Test(reader_questions, texts_come_into_a_buffer_of_any_size_as_their_beginning)
{
    check_every_dump(check_texts_of_reader);
}

Test(reader_questions, names_of_operations_times_and_directx_files_come_into_a_buffer_of_any_size)
{
    check_every_dump(check_other_texts);
}

Test(reader_questions, lists_end_at_their_counts)
{
    check_every_dump(check_lists);
}

Test(reader_questions, states_are_of_what_the_execution_runs)
{
    check_every_dump(check_all_states);
}

/* ---- what is not there ---- */

static void check_missing(const struct asked *of)
{
    const annot_reader *r = of->reader;
    const uint32_t streams = (uint32_t)annot_reader_stream_count(r);
    annot_timeline_about about;
    annot_reader_object object;
    annot_reader_shader shader;
    annot_resource resource;
    char text[8];
    annot_timeline_get_about(of->timeline, &about);
    memset(text, FILLER, sizeof text);
    cr_expect_eq(annot_timeline_track_name(of->timeline, about.tracks, text, 8), 0);
    cr_expect_str_eq(text, "");
    memset(text, FILLER, sizeof text);
    cr_expect_eq(annot_timeline_slice_name(of->timeline, about.slices, text, 8), 0);
    cr_expect_str_eq(text, "");
    cr_expect_eq(annot_reader_blob_read(r, annot_reader_blob_count(r), 0, text, 8), 0);
    cr_expect_eq(annot_reader_queue_verdict(r, streams), ANNOT_QUEUE_UNKNOWN);
    cr_expect_eq(annot_reader_queue_verdict(r, UINT32_MAX), ANNOT_QUEUE_UNKNOWN);
    cr_expect_eq(annot_reader_op(r, annot_reader_crumbs_count(r), 0), ANNOT_READER_NONE);
    cr_expect_eq(annot_reader_loss(r, UINT32_MAX), 0);
    cr_expect_not(annot_reader_object_find(r, UINT64_MAX - 7, &object));
    cr_expect_not(annot_reader_shader_of(r, UINT64_MAX - 7, 0, &shader));
    cr_expect_not(annot_reader_resource_of(r, UINT64_MAX - 7, &resource));
    cr_expect_eq(annot_reader_entry_find(r, UINT64_MAX - 7), ANNOT_READER_NONE);
    for (size_t i = 0; annot_reader_object_at(r, i, &object); i++) {
        uint32_t count = 0;
        while (annot_reader_shader_of(r, object.id, count, &shader)) {
            cr_expect_eq(shader.object, object.id);
            count++;
        }
        cr_expect_not(annot_reader_shader_of(r, object.id, UINT32_MAX, &shader));
    }
}

Test(reader_questions, what_a_dump_does_not_have_is_not_found)
{
    check_every_dump(check_missing);
}

Test(reader_questions, numbers_without_a_name_have_the_word_that_says_so)
{
    static const struct {
        const char *(*text)(uint32_t number);
        uint32_t known, unknown; /* the last that has a name, and the first behind */
        const char *last, *word;
    } rows[] = {{annot_fact_source_text, 3, 4, "library", "unknown"},
                {annot_blob_kind_text, 4, 5, "kernel-mode driver", "unknown"},
                {annot_tdr_type_text, 13, 14, "DISPLAY_ENGINE_FAULT", "UNKNOWN"},
                {annot_bound_role_text, 12, 13, "vertices", "object"},
                {annot_op_text, 66, 67, "FillBuffers", "operation"},
                {annot_op_text, 66, 255, "FillBuffers", "operation"},
                {annot_op_text, 49, 254, "EncodeFrame1", "operation"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cr_expect_str_eq(rows[i].text(rows[i].known), rows[i].last);
        cr_expect_str_eq(rows[i].text(rows[i].unknown), rows[i].word);
        cr_expect_str_eq(rows[i].text(UINT32_MAX), rows[i].word);
    }
    cr_expect_str_eq(annot_state_text((annot_state)(ANNOT_STATE_NOT_EXECUTED + 1)), "unknown");
    cr_expect_str_eq(annot_evidence_text(NULL, (annot_evidence)99), "");
    cr_expect_str_eq(annot_operation_state_text((annot_operation_state)99), "unknown");
    cr_expect_null(annot_dxgi_format_text(UINT32_MAX));
}

/* With something of a version to come, which this one does not know. */
static void check_refusals(const struct asked *of)
{
    static const annot_report_sink no_write = {0};
    struct kept bytes = {0};
    const annot_report_sink sink = kept_sink(&bytes);
    const struct {
        annot_report_options known;
        char more;
    } options = {.more = 1};
    annot_timeline *timeline = of->timeline;
    char *text = (char *)&bytes;
    size_t size = 7;
    enum { INVALID = ANNOT_ERROR_INVALID_ARGUMENT };
    cr_expect_eq(annot_timeline_create(of->reader, NULL), INVALID);
    cr_expect_eq(annot_timeline_create(NULL, &timeline), INVALID);
    cr_expect_null(timeline);
    cr_expect_eq(annot_report_text(NULL, NULL, &sink), INVALID);
    cr_expect_eq(annot_report_text(of->reader, NULL, NULL), INVALID);
    cr_expect_eq(annot_report_text(of->reader, NULL, &no_write), INVALID);
    cr_expect_eq(annot_report_text_sized(of->reader, &options.known, sizeof options, &sink),
                 INVALID);
    cr_expect_eq(annot_report_json(NULL, NULL, &sink), INVALID);
    cr_expect_eq(annot_report_json(of->reader, NULL, NULL), INVALID);
    cr_expect_eq(annot_report_json(of->reader, NULL, &no_write), INVALID);
    cr_expect_eq(annot_report_json_sized(of->reader, &options.known, sizeof options, &sink),
                 INVALID);
    cr_expect_eq(annot_report_memory(of->reader, ANNOT_REPORT_TEXT, NULL, NULL, &size), INVALID);
    cr_expect_eq(annot_report_memory(NULL, ANNOT_REPORT_TEXT, NULL, &text, &size), INVALID);
    cr_expect(!text && size == 0);
    cr_expect_eq(annot_report_memory_sized(of->reader, ANNOT_REPORT_JSON, &options.known,
                                           sizeof options, &text, &size),
                 INVALID);
    cr_expect_eq(annot_report_memory(of->reader, (annot_report_format)3, NULL, &text, &size),
                 INVALID);
    cr_expect_eq(bytes.size, 0, "nothing is written");
}

Test(reader_questions, arguments_that_are_missing_or_not_known_are_refused)
{
    with("demo_frame", check_refusals);
}
