/*
 * Reports of stored dumps, with each option and in each form: the dumps are in
 * tests/golden/reports, as is what is printed of NAME, in NAME.txt. Each of its parts begins at a
 * line "==== FORM OPTION...". REPORTS_RENEW=1 stores what is printed now; tests/golden/README.md
 * says when that is right.
 */
#include "golden_dumps.h"
#include "guarded.h"
#include "sink.h"

#include <annot/dxdmp.h>
#include <annot/fleet.h>
#include <annot/timeline.h>

#include <criterion/criterion.h>

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(golden_reports, .fini = guarded_expect_nothing_left);

struct opened {
    annot_reader *reader;
    annot_dxdmp *file; /* one of both */
};

typedef void (*form)(const struct opened *of, const annot_report_options *options,
                     const annot_report_sink *sink);

/* ---- forms ---- */

static void text(const struct opened *of, const annot_report_options *options,
                 const annot_report_sink *sink)
{
    cr_expect_eq(of->reader ? annot_report_text(of->reader, options, sink)
                            : annot_dxdmp_report_text(of->file, options, sink),
                 ANNOT_OK);
}

static void json(const struct opened *of, const annot_report_options *options,
                 const annot_report_sink *sink)
{
    cr_expect_eq(of->reader ? annot_report_json(of->reader, options, sink)
                            : annot_dxdmp_report_json(of->file, options, sink),
                 ANNOT_OK);
}

static void say(const annot_report_sink *sink, const char *label, const char *words)
{
    sink->write(sink->user, label, strlen(label));
    sink->write(sink->user, words, strlen(words));
    sink->write(sink->user, "\n", 1);
}

/* The calls that each queue stopped between. */
static void say_stops(const annot_reader *reader, const annot_timeline *timeline,
                      const annot_report_sink *sink)
{
    uint32_t unfinished, done;
    char name[64], words[160];
    for (uint32_t i = 0; i < annot_reader_stream_count(reader); i++) {
        if (!annot_timeline_stop(timeline, i, &unfinished, &done))
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
    annot_signature signature;
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
    annot_reader_signature(of->reader, &signature);
    say(sink, "signature ", signature.id);
    say(sink, "title ", signature.title);
    cr_expect_eq(annot_reader_identity(of->reader, &identity), ANNOT_OK);
    say(sink, "identity ", identity.id);
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

/* A DirectX dump file made of a dump. */
static void directx(const struct opened *of, const annot_report_options *options,
                    const annot_report_sink *sink)
{
    struct kept kept = {0};
    struct opened made = {0};
    const annot_report_sink to = kept_sink(&kept);
    cr_assert_eq(annot_dxdmp_write(of->reader, &to), ANNOT_OK);
    cr_assert_eq(annot_dxdmp_open_memory(&guarded_memory, kept.data, kept.size, &made.file),
                 ANNOT_OK);
    text(&made, options, sink);
    json(&made, options, sink);
    annot_dxdmp_close(made.file);
    free(kept.data);
}

/* A dump made of a DirectX dump file. */
static void dump(const struct opened *of, const annot_report_options *options,
                 const annot_report_sink *sink)
{
    struct kept kept = {0};
    const annot_report_sink to = kept_sink(&kept);
    cr_assert_eq(annot_dxdmp_as_dump(of->file, &to), ANNOT_OK);
    of_dump(&kept, options, sink);
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
                 {"dump", dump},         {"redacted", redacted}};
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
    cr_expect(at == size && at == kept->size, "%s, %s, line %zu: %.120s\nexpected: %.120s", name,
              heading, line, kept->size > at ? kept->data + at : "", expected + at);
}

static void check(const char *name, const char *suffix)
{
    char path[256], heading[128];
    struct opened of = {0};
    snprintf(path, sizeof path, "../reports/%s", name);
    struct golden_file dump = golden_read(path, suffix), parts = golden_read(path, ".txt");
    FILE *renewed = NULL;
    if (getenv("REPORTS_RENEW")) {
        snprintf(path, sizeof path, GOLDEN_DIR "/reports/%s.txt", name);
        renewed = fopen(path, "wb");
    }
    if (strcmp(suffix, ".dxdmp") == 0)
        annot_dxdmp_open_memory(&guarded_memory, dump.bytes, dump.size, &of.file);
    else
        annot_reader_open_memory(&guarded_memory, dump.bytes, dump.size, &of.reader);
    cr_assert(of.reader || of.file, "%s", name);
    for (const char *at = (const char *)parts.bytes, *next; *at; at = next) {
        const char *body = strchr(at, '\n') + 1;
        cr_assert_eq(sscanf(at, "==== %127[^\n]", heading), 1, "%s: %.40s", name, at);
        next = strstr(body - 1, "\n==== ");
        next = next ? next + 1 : body + strlen(body);
        struct kept kept = print(&of, heading);
        if (renewed)
            fprintf(renewed, "==== %s\n%s", heading, kept.data);
        else
            compare(name, heading, body, (size_t)(next - body), &kept);
        free(kept.data);
    }
    if (renewed)
        fclose(renewed);
    annot_reader_close(of.reader);
    annot_dxdmp_close(of.file);
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
