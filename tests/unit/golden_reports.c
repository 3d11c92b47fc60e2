/* Reports of stored dumps, with each option and in each form: the dumps are in
 * tests/golden/reports, as is what is printed of NAME, in NAME.txt. Each of its parts begins at a
 * line "==== FORM OPTION...". REPORTS_RENEW=1 stores what is printed now; tests/golden/README.md
 * says when that is right. */
#include "dump_builder.h"
#include "golden_dumps.h"
#include "sink.h"

#include "dxdmp/dxdmp_model.h"

#include <annot/dxdmp.h>
#include <annot/fleet.h>
#include <annot/timeline.h>

#include <stddef.h>

TestSuite(golden_reports, .fini = guarded_expect_nothing_left);

struct opened {
    annot_reader *reader;
};

typedef void (*form)(const struct opened *of, const annot_report_options *options,
                     const annot_report_sink *sink);

/* ---- forms ---- */

static void text(const struct opened *of, const annot_report_options *options,
                 const annot_report_sink *sink)
{
    cr_expect_eq(annot_report_text(of->reader, options, sink), ANNOT_OK);
}

static void json(const struct opened *of, const annot_report_options *options,
                 const annot_report_sink *sink)
{
    cr_expect_eq(annot_report_json(of->reader, options, sink), ANNOT_OK);
}

static void say(const annot_report_sink *sink, const char *label, const char *words)
{
    sink->write(sink->user, label, strlen(label));
    sink->write(sink->user, words, strlen(words));
    sink->write(sink->user, "\n", 1);
}

/* The first call of a queue that is not done, and the last before it of its submission. */
static bool find_stop(const annot_timeline *timeline, uint32_t queue, uint32_t *unfinished,
                      uint32_t *done)
{
    annot_timeline_slice slice;
    uint64_t submission = 0;
    *done = ANNOT_READER_NONE;
    for (uint32_t i = 0; annot_timeline_slice_at(timeline, i, &slice); i++) {
        if (slice.kind != ANNOT_SLICE_CALL || slice.queue != queue)
            continue;
        if (slice.submission != submission)
            *done = ANNOT_READER_NONE;
        submission = slice.submission;
        *(slice.is_unfinished ? unfinished : done) = i;
        if (slice.is_unfinished)
            return true;
    }
    return false;
}

/* The calls that each queue stopped between. */
static void say_stops(const annot_reader *reader, const annot_timeline *timeline,
                      const annot_report_sink *sink)
{
    uint32_t unfinished, done;
    char name[64], words[160];
    for (uint32_t i = 0; i < annot_reader_stream_count(reader); i++) {
        if (!find_stop(timeline, i, &unfinished, &done))
            continue;
        annot_timeline_slice_name(timeline, unfinished, name, sizeof name);
        snprintf(words, sizeof words, "%u: slice %u, %s", i, unfinished, name);
        say(sink, "stopped, stream ", words);
        snprintf(words, sizeof words, done == ANNOT_READER_NONE ? "none" : "slice %u", done);
        say(sink, "  done before: ", words);
    }
}

static void timeline_in(const struct opened *of, const annot_report_options *options,
                        const annot_report_sink *sink, bool is_json)
{
    annot_timeline *timeline;
    cr_assert_eq(annot_timeline_create(of->reader, &timeline), ANNOT_OK);
    cr_expect_eq(is_json ? annot_timeline_json(timeline, sink)
                         : annot_timeline_text(timeline, options, sink),
                 ANNOT_OK);
    if (!is_json)
        say_stops(of->reader, timeline, sink);
    annot_timeline_destroy(timeline);
}

static void timeline(const struct opened *of, const annot_report_options *options,
                     const annot_report_sink *sink)
{
    timeline_in(of, options, sink, false);
}

static void trace_events(const struct opened *of, const annot_report_options *options,
                         const annot_report_sink *sink)
{
    timeline_in(of, options, sink, true);
}

/* What programs ask for in place of a report. */
static void answers(const struct opened *of, const annot_report_options *options,
                    const annot_report_sink *sink)
{
    char words[4096];
    annot_identity identity;
    (void)options;
    annot_reader_answer(of->reader, words, sizeof words);
    say(sink, "answer ", words);
    for (size_t i = 0; annot_reader_advice(of->reader, i, words, sizeof words) > 0; i++)
        say(sink, "advice ", words);
    for (size_t i = 0; i < annot_reader_stop_count(of->reader); i++) {
        annot_reader_stop_path(of->reader, i, words, sizeof words);
        say(sink, "stop ", words);
    }
    cr_expect_eq(annot_reader_identity(of->reader, &identity), ANNOT_OK);
    say(sink, "identity ", identity.id);
    say(sink, "title ", identity.title);
    say(sink, "path ", identity.path);
    for (unsigned i = 0; i < ANNOT_IDENTITY_PARTS; i++) {
        say(sink, "part ", annot_part_word((annot_part)i));
        say(sink, "  ", identity.parts[i].text);
    }
}

static void of_dump(const struct kept *dump, const annot_report_options *options,
                    const annot_report_sink *sink)
{
    struct opened made = {0};
    annot_reader_open_memory(&guarded_memory, dump->data, dump->size, &made.reader);
    cr_assert_not_null(made.reader);
    text(&made, options, sink);
    json(&made, options, sink);
    annot_reader_close(made.reader);
}

/* Where each section of a DirectX dump file is, and a hash of its bytes (FNV-1a). */
static void say_sections(const struct dxdmp *file, const annot_report_sink *sink)
{
    char words[128];
    for (uint32_t i = 0; i < file->section_count; i++) {
        const struct dxdmp_section *section = &file->sections[i];
        uint64_t hash = UINT64_C(14695981039346656037);
        for (size_t k = 0; k < section->size; k++)
            hash = (hash ^ file->bytes[section->data + k]) * UINT64_C(1099511628211);
        snprintf(words, sizeof words, "%08x %08x, key %llx, at %zu, %zu bytes: %016llx",
                 (unsigned)(section->is_memory ? DXDMP_MEMORY : section->type),
                 (unsigned)(section->is_memory ? section->type : 0),
                 (unsigned long long)section->key, section->header, section->size,
                 (unsigned long long)hash);
        say(sink, "section ", words);
    }
}

/* The dump that is made of a DirectX dump file. */
static struct kept dump_of(const void *bytes, size_t size)
{
    struct kept kept = {0};
    const annot_report_sink to = kept_sink(&kept);
    cr_assert_eq(annot_dxdmp_as_dump(&guarded_memory, bytes, size, &to), ANNOT_OK);
    return kept;
}

/* A DirectX dump file made of a dump, and what it says without the dump inside. */
static void directx(const struct opened *of, const annot_report_options *options,
                    const annot_report_sink *sink)
{
    struct kept kept = {0};
    struct dxdmp *file;
    const annot_report_sink to = kept_sink(&kept);
    cr_assert_eq(annot_dxdmp_write(of->reader, &to), ANNOT_OK);
    cr_assert_eq(dxdmp_open(&guarded_memory, kept.data, kept.size, &file), ANNOT_OK);
    say_sections(file, sink);
    const struct dxdmp_section *inner = dxdmp_inner(file);
    if (inner)
        kept.data[inner->data] = 'N'; /* of its magic */
    dxdmp_close(file);
    struct kept made = dump_of(kept.data, kept.size);
    of_dump(&made, options, sink);
    free(made.data);
    free(kept.data);
}

static void redacted(const struct opened *of, const annot_report_options *options,
                     const annot_report_sink *sink)
{
    static const unsigned char key[ANNOT_REDACT_KEY_SIZE] = "sixteen letters";
    struct kept kept = {0};
    const annot_report_sink to = kept_sink(&kept);
    cr_assert_eq(annot_redact_write(of->reader, key, &to), ANNOT_OK);
    of_dump(&kept, options, sink);
    free(kept.data);
}

static form form_of(const char *word)
{
    static const struct {
        const char *word;
        form form;
    } forms[] = {{"text", text},         {"json", json},
                 {"timeline", timeline}, {"trace-events", trace_events},
                 {"answers", answers},   {"directx", directx},
                 {"redacted", redacted}};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (strcmp(forms[i].word, word) == 0)
            return forms[i].form;
    cr_assert(false, "no form '%s'", word);
    return NULL;
}

/* ---- options ---- */

/* One of annot_report_options, a flag or NAME=NUMBER. */
static void set_option(annot_report_options *options, const char *word)
{
    static const struct {
        const char *word;
        size_t at;
    } flags[] = {{"all", offsetof(annot_report_options, all)},
                 {"color", offsetof(annot_report_options, color)},
                 {"truecolor", offsetof(annot_report_options, truecolor)},
                 {"branches", offsetof(annot_report_options, branches)},
                 {"no_ids", offsetof(annot_report_options, no_ids)},
                 {"operations", offsetof(annot_report_options, operations)},
                 {"outline", offsetof(annot_report_options, outline)}};
    const char *value = strchr(word, '=');
    const unsigned long number = value ? strtoul(value + 1, NULL, 10) : 0;
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        if (strcmp(flags[i].word, word) == 0) {
            *(bool *)((char *)options + flags[i].at) = true;
            return;
        }
    cr_assert_not_null(value, "no option '%s'", word);
    if (strncmp(word, "width=", 6) == 0)
        options->width = (uint32_t)number;
    else if (strncmp(word, "node_limit=", 11) == 0)
        options->node_limit = number;
    else if (strncmp(word, "size_limit=", 11) == 0)
        options->size_limit = number;
    else
        cr_assert(false, "no option '%s'", word);
}

/* What the part behind the heading "FORM OPTION..." has to be; the caller frees it. */
static struct kept print(const struct opened *of, const char *heading)
{
    struct kept kept = {0};
    const annot_report_sink sink = kept_sink(&kept);
    annot_report_options options = {0};
    char words[128], *word;
    cr_assert_lt(strlen(heading), sizeof words);
    strcpy(words, heading);
    char *rest = strchr(words, ' ');
    if (rest)
        *rest++ = 0;
    while ((word = rest) && *word) {
        rest = strchr(word, ' ');
        if (rest)
            *rest++ = 0;
        set_option(&options, word);
    }
    form_of(words)(of, &options, &sink);
    return kept;
}

/* ---- a dump ---- */

static void compare(const char *name, const char *heading, const char *expected, size_t size,
                    const struct kept *kept)
{
    size_t at = 0, line = 1;
    while (at < size && at < kept->size && expected[at] == kept->data[at])
        line += expected[at++] == '\n';
    cr_expect_eqs(at, size, at, kept->size, "%s, %s, line %zu: %.120s\nexpected: %.120s", name,
                  heading, line, kept->size > at ? kept->data + at : "", expected + at);
}

static void renew(const char *name, const struct kept *kept)
{
    char path[256];
    snprintf(path, sizeof path, GOLDEN_DIR "/reports/%s.txt", name);
    FILE *renewed = getenv("REPORTS_RENEW") ? fopen(path, "wb") : NULL;
    if (!renewed)
        return;
    fwrite(kept->data, 1, kept->size, renewed);
    fclose(renewed);
}

static void check(const char *name, const char *suffix)
{
    char path[256], heading[128];
    struct opened of = {0};
    struct kept all = {0}, made = {0};
    const annot_report_sink gather = kept_sink(&all);
    snprintf(path, sizeof path, "../reports/%s", name);
    struct golden_file dump = golden_read(path, suffix), parts = golden_read(path, ".txt");
    if (strcmp(suffix, ".dxdmp") == 0)
        made = dump_of(dump.bytes, dump.size);
    annot_reader_open_memory(&guarded_memory, made.data ? (void *)made.data : dump.bytes,
                             made.data ? made.size : dump.size, &of.reader);
    cr_assert(of.reader, "%s", name);
    for (const char *at = (const char *)parts.bytes, *next; *at; at = next) {
        const char *body = strchr(at, '\n') + 1;
        cr_assert_eq(sscanf(at, "==== %127[^\n]", heading), 1, "%s: %.40s", name, at);
        next = strstr(body - 1, "\n==== ");
        next = next ? next + 1 : body + strlen(body);
        struct kept kept = print(&of, heading);
        if (!getenv("REPORTS_RENEW"))
            compare(name, heading, body, (size_t)(next - body), &kept);
        say(&gather, "==== ", heading);
        gather.write(&all, kept.data, kept.size);
        free(kept.data);
    }
    renew(name, &all);
    annot_reader_close(of.reader);
    free(made.data);
    free(all.data);
    free(dump.bytes);
    free(parts.bytes);
}

static void check_dump(const char *name)
{
    check(name, ".annotdmp");
}

static void check_directx(const char *name)
{
    check(name, ".dxdmp");
}

Test(golden_reports, of_dumps_are_printed_as_they_were_in_each_form_and_with_each_option)
{
    cr_assert_geq(golden_each_of("reports", ".annotdmp", check_dump), 8);
}

Test(golden_reports, of_directx_dump_files_are_printed_as_they_were)
{
    cr_assert_geq(golden_each_of("reports", ".dxdmp", check_directx), 2);
}

/* ---- names that are folded ---- */

/* What is behind a name in memory is none of it. */
static void expect_end(const char *name, size_t size, const char *folded)
{
    static const char *const behind[] = {"0",
                                         "a",
                                         "Z",
                                         "f",
                                         ".5",
                                         ",5",
                                         "'",
                                         "\"",
                                         ")",
                                         "]",
                                         "}",
                                         "-1",
                                         "e9",
                                         "x7",
                                         "px",
                                         " 3",
                                         "/",
                                         "\\",
                                         ":",
                                         "_9",
                                         "s\"",
                                         "cafe",
                                         "-12ab-4cd3-a0f1-0123456789ab"};
    char longer[512], again[256];
    for (size_t i = 0; i < sizeof behind / sizeof behind[0]; i++) {
        snprintf(longer, sizeof longer, "%.*s%s", (int)size, name, behind[i]);
        annot_fold_name(longer, size, again, sizeof again);
        cr_expect_str_eq(again, folded, "'%s' of %zu bytes", longer, size);
    }
}

/* Lines "NAME TAB as it is folded". */
Test(golden_reports, names_fold_as_they_did)
{
    struct kept kept = {0};
    const annot_report_sink sink = kept_sink(&kept);
    struct golden_file expected = golden_read("../reports/folded", ".txt");
    char folded[256], line[1024];
    for (const char *at = (const char *)expected.bytes; *at; at = strchr(at, '\n') + 1) {
        const size_t size = strcspn(at, "\t");
        annot_fold_name(at, size, folded, sizeof folded);
        expect_end(at, size, folded);
        snprintf(line, sizeof line, "%.*s\t%s", (int)size, at, folded);
        say(&sink, "", line);
    }
    renew("folded", &kept);
    compare("folded", "all", (const char *)expected.bytes, expected.size, &kept);
    free(expected.bytes);
    free(kept.data);
}

/* ---- what a report says of each kind of evidence, on each kind of device ---- */

enum {
    SET = 0,
    BEGIN = 1,
    END = 2,
    DISPATCH = 6,
    QUEUE = 21,
    OTHER_QUEUE = 22,
    PIPELINE = 300,
    LOG = 5,
    FAULT = 0x70000
};

/* A device, and what is the same whatever its work shows. */
static const struct device {
    const char *name;
    uint32_t error, has_report, takes_markers, order_window, mode;
    const char *adapter, *driver, *key, *value; /* NULL: not said; the fact "evidence", too */
    const char *evidence;
    uint32_t range; /* bytes from its begin to the fault, and 1; 0: none; of 4,096 bytes */
    uint32_t range_flags;
    uint32_t guilty; /* the kernel's queue */
    uint32_t queue_kind, queue_type, list_type;
    enum { WHOLE, CUT, LOST } damage; /* its end; the record of the device */
} devices[] = {
    {.name = "plain", .error = 7, .has_report = 1, .takes_markers = 1, .mode = 2, .queue_kind = 19},
    {"emulator", 7, 0, 1, 0, 2, "libannot emulator", "reference", "EMU_HANG", "draw 3", NULL, 0, 0,
     0, 19, 0, 3, WHOLE},
    {"emulator without marker support", 9, 1, 0, 0, 1, "libannot emulator", NULL, "replayed by",
     "annot replay", NULL, 17, 0, 0, 19, 0, 0, WHOLE},
    {"reordering", 9, 1, 1, 8, 2, NULL, NULL, NULL, NULL, NULL, 5001, 1, OTHER_QUEUE, 19, 0, 3,
     WHOLE},
    {"layer", 7, 1, 1, 0, 2, "adapter", "annot d3d12", "level", "low", "marks", 0, 0, 0, 19, 0, 0,
     WHOLE},
    {"layer without marks", 0x88000000u, 0, 1, 0, 2, "adapter", "annot d3d12", "level", "labels",
     "completed submissions only", 0, 0, QUEUE, 19, 0, 0, WHOLE},
    {"vulkan", 7, 1, 1, 0, 2, "adapter", NULL, "level", "labels", "marks", 0, 0, 0, 4, 1, 0, WHOLE},
    {"cut", 7, 1, 1, 0, 2, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, 19, 0, 0, CUT},
    {.name = "lost record", .mode = 1, .queue_kind = 19, .damage = LOST},
    {"live", 0, 1, 1, 0, 2, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, 19, 0, 0, WHOLE},
};

static void put_queue_object(struct dump *dump, const struct device *of, uint64_t id,
                             const char *name)
{
    dump_section(dump, ANNOT__DUMP_SECTION_OBJECTS);
    dump_add_with(dump, OBJECT, name, strlen(name), .id = id, .kind = of->queue_kind,
                  .list_type = of->list_type, .flags = 2, .name_size = (uint32_t)strlen(name),
                  .type = of->queue_type);
}

static void put_noted(struct dump *dump, uint32_t number, bool has_pipeline)
{
    uint8_t bytes[24] = {(uint8_t)(number + 1)};
    bytes[8] = PIPELINE & 0xFF;
    bytes[9] = PIPELINE >> 8;
    bytes[16] = 1; /* pipeline */
    dump_add_with(dump, OPERATION, bytes, has_pipeline ? 24 : 8,
                  .parent = dump->depth ? dump->scopes[dump->depth - 1] : 0, .number = number,
                  .kind = DISPATCH, .arguments = 1, .objects = has_pipeline);
}

/* The device, two queues, a pipeline with a shader, and recordings:
 *
 *     1  Frame { Shadow { mark } Light { dispatch } Both { dispatch, dispatch } } tail
 *     2  nothing    3  Open {    4  }    5  a marker of which others were dropped
 *     6  ExecuteBundle of 1
 */
static void begin(struct dump *dump, const struct device *of, uint64_t markers[8])
{
    dump_start_device(dump, &(struct annot__dump_DEVICE){.error = of->error,
                                                         .mode = of->mode,
                                                         .driver_supported = of->takes_markers,
                                                         .has_report = of->has_report,
                                                         .order_window = of->order_window,
                                                         .time = UINT64_C(1781740800000000000),
                                                         .pointer_size = 8});
    if (of->damage == LOST)
        memset(dump->data + ANNOT__DUMP_HEADER_SIZE + ANNOT__DUMP_SECTION_HEADER, 0x7E, 2);
    dump_text(dump, ANNOT__DUMP_TEXT_ADAPTER, of->adapter);
    dump_text(dump, ANNOT__DUMP_TEXT_DRIVER, of->driver);
    dump_fact(dump, 3, of->key, of->value);
    dump_fact(dump, 3, "evidence", of->evidence);
    put_queue_object(dump, of, QUEUE, "Graphics");
    put_queue_object(dump, of, OTHER_QUEUE, "Other \"one\"");
    dump_object(dump, 100, 22, "List");
    dump_object(dump, 50, 34, "Buffer");
    dump_object(dump, PIPELINE, 20, "Spin");
    dump_add(dump, SHADER, .object = PIPELINE, .xxh3 = 0x1234, .form = 2, .stage = 6);
    dump_recording(dump, 1, 100);
    markers[0] = dump_begin(dump, "Frame");
    markers[1] = dump_begin(dump, "Shadow");
    markers[2] = dump_set(dump, "mark");
    dump_end(dump);
    markers[3] = dump_begin(dump, "Light");
    put_noted(dump, 5, true);
    dump_end(dump);
    markers[4] = dump_begin(dump, "Both");
    put_noted(dump, 8, true);
    put_noted(dump, 9, false);
    dump_end(dump);
    dump_end(dump);
    markers[5] = dump_set(dump, "tail");
    dump_recording(dump, 2, 100);
    dump_recording(dump, 3, 100);
    markers[6] = dump_begin(dump, "Open");
    dump_recording(dump, 4, 100);
    dump_end(dump);
    dump_add(dump, RECORDING, .id = 5, .object = 100, .dropped = 3);
    markers[7] = dump_set(dump, "kept");
    dump_recording(dump, 6, 100);
    dump_bundle(dump, 1, 1, 100);
}

static void finish(struct dump *dump, const struct device *of)
{
    if (of->error == ERROR_PAGE_FAULT) {
        dump_section(dump, ANNOT__DUMP_SECTION_EVIDENCE);
        dump_put_FAULT(dump, &(struct annot__dump_FAULT){.address = FAULT}, NULL, 0);
        dump_section(dump, ANNOT__DUMP_SECTION_CRUMBS);
        dump_add(dump, RANGE, .address = FAULT - of->range, .size = 4096, .object = 50, .kind = 34,
                 .flags = of->range_flags);
    }
    if (of->guilty) {
        dump_section(dump, ANNOT__DUMP_SECTION_TDR);
        dump_add(dump, TDR, .queue = of->guilty, .type = 6, .reason = 0x141);
    }
    if (of->damage != CUT)
        dump_finish(dump);
}

/* How one submission ended: the lists that it has, a row of the driver for each, breadcrumbs. */
static const struct end {
    const char *name;
    uint64_t lists[2];         /* recordings; 0: was not kept */
    uint32_t count;            /* 0: the submission itself was not kept */
    uint32_t rows, states[2];  /* what the driver says of each */
    int started[2], completed; /* markers, and 1 */
    int bundle_started;        /* of a bundle in the first one */
    uint32_t crumbs, done;     /* operations; 0: there are none */
} ends[] = {
    {"all is done", {1}, 1, 1, {FINISHED}, {0}, 0, 0, 0, 0},
    {"nothing is said", {1, 2}, 2, 0, {0}, {0}, 0, 0, 0, 0},
    {"inside a scope", {1}, 1, 1, {STARTED}, {2}, 0, 0, 0, 0},
    {"inside a scope with one operation", {1}, 1, 1, {STARTED}, {4}, 2, 0, 0, 0},
    {"inside a scope with two operations", {1}, 1, 1, {STARTED}, {5}, 4, 0, 0, 0},
    {"behind all scopes", {1}, 1, 1, {STARTED}, {6}, 5, 0, 0, 0},
    {"at a beginning", {1}, 1, 1, {STARTED}, {0}, 0, 0, 0, 0},
    {"between two lists", {1, 2}, 2, 2, {FINISHED, NOT_STARTED}, {0}, 0, 0, 0, 0},
    {"before the first list", {1, 2}, 2, 2, {NOT_STARTED, NOT_STARTED}, {0}, 0, 0, 0, 0},
    {"in a list without markers", {2}, 1, 1, {STARTED}, {0}, 0, 0, 0, 0},
    {"in a list that was not kept", {0}, 1, 1, {STARTED}, {0}, 0, 0, 0, 0},
    {"in a list with dropped markers", {5}, 1, 1, {STARTED}, {8}, 0, 0, 0, 0},
    {"in a scope of an earlier list", {3, 4}, 2, 2, {FINISHED, STARTED}, {0}, 0, 0, 0, 0},
    {"in or after an earlier list", {1, 5}, 2, 2, {0, STARTED}, {0, 8}, 0, 0, 0, 0},
    {"in a bundle", {6}, 1, 1, {STARTED}, {0}, 0, 4, 0, 0},
    {"in a submission that was not kept", {0}, 0, 1, {STARTED}, {0}, 0, 0, 0, 0},
    {"by breadcrumbs", {1}, 1, 0, {0}, {0}, 0, 0, 13, 5},
    {"by breadcrumbs, at a BeginEvent", {1}, 1, 0, {0}, {0}, 0, 0, 13, 1},
    {"by breadcrumbs, behind it all", {1}, 1, 0, {0}, {0}, 0, 0, 13, 13},
    {"by breadcrumbs, disputed", {1}, 1, 1, {FINISHED}, {0}, 0, 0, 13, 8},
    {"by breadcrumbs of what was not kept", {0}, 0, 0, {0}, {0}, 0, 0, 13, 5},
    {"nothing was kept", {0}, 0, 0, {0}, {0}, 0, 0, 0, 0},
};

static void put_end(struct dump *dump, const struct end *how, const uint64_t markers[8])
{
    static const uint8_t ops[13] = {BEGIN, BEGIN,    SET,      END, BEGIN, DISPATCH, END,
                                    BEGIN, DISPATCH, DISPATCH, END, END,   SET};
    dump_queue(dump, QUEUE, 3, 1);
    dump_submit(dump, 1, 1, (uint64_t[]){2});
    dump_begin(dump, "Queue scope");
    if (how->count > 0) {
        dump_submit(dump, 2, how->count, how->lists);
        dump_submit(dump, 3, 1, (uint64_t[]){1});
    }
    dump_queue(dump, OTHER_QUEUE, 1, 0);
    if (how->count > 0)
        dump_submit(dump, 1, 1, (uint64_t[]){2});
    for (uint32_t i = 0; i < how->rows; i++)
        dump_row(dump, QUEUE, 2, i, 0, how->states[i],
                 how->started[i] ? markers[how->started[i] - 1] : 0,
                 how->completed ? markers[how->completed - 1] : 0);
    if (how->bundle_started)
        dump_row(dump, QUEUE, 2, 0, 1, STARTED, markers[how->bundle_started - 1], 0);
    if (how->crumbs == 0)
        return;
    dump_section(dump, ANNOT__DUMP_SECTION_CRUMBS);
    dump_add(dump, CRUMBS, .queue = QUEUE, .submission = 2, .log = LOG, .count = how->crumbs,
             .done = how->done, .markers = 10);
    dump_put_OPS(dump, &(struct annot__dump_OPS){.log = LOG}, ops, sizeof ops);
}

/* Answers of each end on each device; whole first screens of some. */
static void say_end(const struct device *device, const struct end *how, bool is_whole,
                    const annot_report_sink *sink)
{
    static const annot_report_options outline = {.outline = true};
    AT_END(dump_free) struct dump made;
    uint64_t markers[8];
    char heading[128];
    struct opened of = {0};
    begin(&made, device, markers);
    put_end(&made, how, markers);
    finish(&made, device);
    annot_reader_open_memory(&guarded_memory, made.data, made.size, &of.reader);
    cr_assert_not_null(of.reader, "%s, %s", how->name, device->name);
    snprintf(heading, sizeof heading, "%s, %s", how->name, device->name);
    say(sink, "==== ", heading);
    answers(&of, NULL, sink);
    if (is_whole)
        text(&of, &outline, sink);
    annot_reader_close(of.reader);
}

Test(golden_reports, of_each_end_on_each_device_say_what_they_did)
{
    enum { DEVICES = sizeof devices / sizeof devices[0], ENDS = sizeof ends / sizeof ends[0] };
    struct kept kept = {0};
    const annot_report_sink sink = kept_sink(&kept);
    for (size_t i = 0; i < ENDS; i++)
        for (size_t k = 0; k < DEVICES; k++)
            if (k < DEVICES - 3 || k % 3 == i % 3) /* the last ones differ least */
                say_end(&devices[k], &ends[i], k == i % DEVICES, &sink);
    renew("ends", &kept);
    struct golden_file expected = golden_read("../reports/ends", ".txt");
    compare("ends", "all", (const char *)expected.bytes, expected.size, &kept);
    free(expected.bytes);
    free(kept.data);
}
