/* Whatever is made of a dump says so where its memory runs out, at each allocation, and leaves
 * nothing behind; with memory it is what it was before [ANN-LIFE-07, annot/reader.h]. */
#include "dump_builder.h"
#include "timed_dump.h"

#include <annot/dxdmp.h>
#include <annot/fleet.h>
#include <annot/timeline.h>

TestSuite(report_memory, .fini = guarded_expect_nothing_left);

/* The C library's memory (--wrap): arrays that grow, and reports that are handed out, have it. */
static unsigned failing; /* allocation, from 1 and from now on; 0: none */

static bool is_out_of_memory(void)
{
    return failing > 0 && --failing == 0;
}

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
    return is_out_of_memory() ? NULL : __real_malloc(size);
}

void *__real_realloc(void *memory, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_realloc(void *memory, size_t size)
{
    return is_out_of_memory() ? NULL : __real_realloc(memory, size);
}

struct output {
    char bytes[1 << 16];
    size_t size;
};

static bool put(void *user, const void *data, size_t size)
{
    struct output *output = user;
    cr_assert_leq(size, sizeof output->bytes - output->size);
    memcpy(output->bytes + output->size, data, size);
    output->size += size;
    return true;
}

/* ---- what is made of a dump ---- */

static annot_result make_text(const annot_reader *reader, const annot_report_sink *sink)
{
    return annot_report_text(reader, NULL, sink);
}

static annot_result make_json(const annot_reader *reader, const annot_report_sink *sink)
{
    return annot_report_json(reader, NULL, sink);
}

static annot_result make_copy(const annot_reader *reader, const annot_report_sink *sink)
{
    static const unsigned char key[ANNOT_REDACT_KEY_SIZE] = {1};
    return annot_redact_write(reader, key, sink);
}

/* One that is handed out, as text and as JSON. */
static annot_result make_report(const annot_reader *reader, const annot_report_sink *sink)
{
    for (int format = ANNOT_REPORT_TEXT; format <= ANNOT_REPORT_JSON; format++) {
        char *text = (char *)&text;
        size_t size = 77;
        const annot_result result =
            annot_report_memory(reader, (annot_report_format)format, NULL, &text, &size);
        cr_expect_eq(text != NULL, result == ANNOT_OK);
        if (result != ANNOT_OK) {
            cr_expect_eq(size, 0);
            return result;
        }
        cr_expect_eq(strlen(text), size);
        sink->write(sink->user, text, size);
        annot_report_free(text);
    }
    return ANNOT_OK;
}

static annot_result make_identity(const annot_reader *reader, const annot_report_sink *sink)
{
    annot_identity identity;
    memset(&identity, 0x77, sizeof identity);
    const annot_result result = annot_reader_identity(reader, &identity);
    if (result != ANNOT_OK) {
        cr_expect_str_empty(identity.id);
        cr_expect_str_empty(identity.title);
        cr_expect_eq(identity.version, ANNOT_IDENTITY_VERSION);
        cr_expect_eq(identity.stop, ANNOT_READER_NONE);
        return result;
    }
    sink->write(sink->user, identity.id, strlen(identity.id));
    return result;
}

static annot_result make_timeline(const annot_reader *reader, const annot_report_sink *sink)
{
    annot_timeline *timeline = (annot_timeline *)&timeline;
    annot_result result = annot_timeline_create(reader, &timeline);
    cr_expect_eq(timeline != NULL, result == ANNOT_OK);
    if (result == ANNOT_OK)
        result = annot_timeline_text(timeline, NULL, sink);
    if (result == ANNOT_OK)
        result = annot_timeline_json(timeline, sink);
    annot_timeline_destroy(timeline);
    return result;
}

/* A file of the other format, and back. */
static annot_result make_dxdmp(const annot_reader *reader, const annot_report_sink *sink)
{
    static struct output file;
    file.size = 0;
    const annot_result result = annot_dxdmp_write(reader, &(annot_report_sink){&file, put});
    return result == ANNOT_OK ? annot_dxdmp_as_dump(&guarded_memory, file.bytes, file.size, sink)
                              : result;
}

static const struct {
    const char *name;
    annot_result (*make)(const annot_reader *reader, const annot_report_sink *sink);
    unsigned least; /* allocations */
} kinds[] = {
    {"text", make_text, 2},          {"json", make_json, 2},
    {"redacted copy", make_copy, 3}, {"report in memory", make_report, 3},
    {"identity", make_identity, 1},  {"timeline", make_timeline, 3},
    {"dxdmp", make_dxdmp, 3},
};

/* With the C library's memory failing at this allocation, or the reader's. */
static annot_result make_without(size_t kind, const annot_reader *reader, bool is_library,
                                 unsigned allocation, struct output *output)
{
    const annot_report_sink sink = {output, put};
    output->size = 0;
    failing = is_library ? allocation : 0;
    guarded_fail_at(is_library ? 0 : allocation);
    const annot_result result = kinds[kind].make(reader, &sink);
    failing = 0;
    guarded_fail_at(0);
    return result;
}

/* Names that are kept, scopes of a list around the next, a timeline with what waits. */
static struct dump long_frame(void)
{
    char name[601] = "";
    struct dump made, *dump = &made;
    memset(name, 'n', sizeof name - 1);
    timed_record(dump, 1);
    timed_clocks(dump, 2, timed_even);
    timed_submitted(dump, 1, 10, 60, STAMPED | COMPLETED, 0);
    timed_history(dump, 1, 0, (uint64_t[]){20, 30, 40, 50});
    timed_submitted(dump, 2, 100, 0, STAMPED, 0);
    timed_history(dump, 2, 0, (uint64_t[]){120, 150, 0, 0});
    dump_new_section(dump, ANNOT__DUMP_SECTION_LISTS);
    dump_recording(dump, 2, 101);
    dump_set(dump, name);
    dump_begin(dump, name);
    return made;
}

static void expect_each_is_told(struct dump of)
{
    static struct output whole, again;
    AT_END(dump_free) struct dump dump = of;
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        unsigned count = 0;
        cr_assert_eq(make_without(i, reader, false, 0, &whole), ANNOT_OK, "%s", kinds[i].name);
        cr_expect_gt(whole.size, 0, "%s", kinds[i].name);
        for (int is_library = 0; is_library < 2; is_library++) {
            annot_result result = ANNOT_ERROR_OUT_OF_MEMORY;
            for (unsigned n = 1; result != ANNOT_OK && n < 1000; n++) {
                result = make_without(i, reader, is_library, n, &again);
                cr_assert(result == ANNOT_OK || result == ANNOT_ERROR_OUT_OF_MEMORY,
                          "%s without allocation %u: %d", kinds[i].name, n, result);
                count += result != ANNOT_OK;
            }
            cr_expect(again.size == whole.size && memcmp(again.bytes, whole.bytes, whole.size) == 0,
                      "%s: %zu bytes, %zu", kinds[i].name, again.size, whole.size);
        }
        cr_expect_geq(count, kinds[i].least, "%s", kinds[i].name);
    }
}

Test(report_memory, each_failing_allocation_is_told_and_leaves_nothing)
{
    expect_each_is_told(dump_frame());
    expect_each_is_told(long_frame());
}

/* Options that say more than this library knows are refused, and nothing is handed out. */
Test(report_memory, a_report_refuses_what_it_does_not_know)
{
    AT_END(timed_close) struct timed o = timed_open(timed_frame());
    for (int row = 0; row < 3; row++) {
        struct {
            annot_report_options known;
            char more;
        } options;
        memset(&options, 0, sizeof options); /* and what lies between the members */
        options.more = row == 1;
        AT_END(at_end_free_report) char *text = (char *)&text;
        size_t size = 77;
        const annot_result result =
            annot_report_memory_sized(row == 2 ? NULL : o.reader, ANNOT_REPORT_TEXT, &options.known,
                                      sizeof options, &text, &size);
        cr_expect_eq(result, row > 0 ? ANNOT_ERROR_INVALID_ARGUMENT : ANNOT_OK, "row %d", row);
        cr_expect_eq(text != NULL, row == 0);
        cr_expect_eq(size > 0, row == 0);
    }
}

/* A report in memory. */
Test(report_memory, a_report_tells_each_failing_allocation)
{
    AT_END(timed_close) struct timed o = timed_open(timed_frame());
    annot_result result = ANNOT_ERROR_OUT_OF_MEMORY;
    unsigned count = 0;
    for (unsigned n = 1; result != ANNOT_OK && n < 1000; n++) {
        AT_END(at_end_free_report) char *text = (char *)&text;
        size_t size = 77;
        failing = n;
        result = annot_report_memory(o.reader, ANNOT_REPORT_TEXT, NULL, &text, &size);
        failing = 0;
        cr_assert(result == ANNOT_OK || result == ANNOT_ERROR_OUT_OF_MEMORY, "allocation %u: %d", n,
                  result);
        cr_expect_eq(text != NULL, result == ANNOT_OK);
        count += result != ANNOT_OK;
    }
    cr_expect_geq(count, 1);
}
