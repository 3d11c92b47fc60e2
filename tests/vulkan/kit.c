#include "asserts.h"
#include "kit.h"

#include <glob.h>
#include <stdio.h>

/* ---- its dump ---- */

static char text[1 << 16];

static char sign(annot_state state)
{
    return "?->+"[state];
}

static void put(size_t *at, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    *at += (size_t)vsnprintf(text + *at, sizeof text - *at, format, arguments);
    va_end(arguments);
    cr_assert_lt(*at, sizeof text);
}

static void put_stream(const annot_reader *reader, uint32_t execution, uint32_t stream,
                       uint32_t bundle, size_t *at)
{
    annot_reader_stream about;
    if (!annot_reader_stream_at(reader, stream, &about))
        return;
    for (uint32_t i = about.first_entry; i < about.first_entry + about.entry_count; i++) {
        annot_reader_entry entry;
        char name[128];
        annot_reader_entry_at(reader, i, &entry);
        if (entry.kind == ANNOT_ENTRY_BUNDLE) {
            put(at, " (");
            const size_t before = *at;
            put_stream(reader, execution, entry.link, i, at);
            if (*at > before) { /* the first one's space */
                memmove(text + before, text + before + 1, *at - before);
                (*at)--;
            }
            put(at, ")");
        } else if (entry.kind == ANNOT_ENTRY_BEGIN || entry.kind == ANNOT_ENTRY_SET) {
            annot_reader_entry_name(reader, i, name, sizeof name);
            put(at, " %s%c", name, sign(annot_reader_state(reader, execution, bundle, i, NULL)));
        }
    }
}

const char *app_states(const struct app *app)
{
    annot_reader *reader;
    size_t at = 0;
    if (annot_reader_open_file(NULL, app->dump, &reader) != ANNOT_OK)
        return NULL;
    cr_expect_eq(annot_reader_finding_count(reader), 0, "the dump has findings");
    for (uint32_t i = 0; i < annot_reader_execution_count(reader); i++) {
        annot_reader_execution execution;
        annot_reader_execution_at(reader, i, &execution);
        put(&at, "%s%c", i ? " | " : "", sign(execution.state));
        put_stream(reader, i, execution.stream, ANNOT_READER_NONE, &at);
    }
    annot_reader_close(reader);
    text[at] = '\0';
    return text;
}

void app_expect_states(const struct app *app, const char *expected, const char *what)
{
    const char *states = app_states(app);
    cr_assert_not_null(states, "%s: there is no dump", what);
    cr_expect_str_eq(states, expected, "%s\n  expected: %s\n  is:       %s", what, expected,
                     states);
}

const char *app_report(const struct app *app)
{
    annot_reader *reader;
    char *report;
    cr_assert_eq(annot_reader_open_file(NULL, app->dump, &reader), ANNOT_OK);
    cr_assert_eq(annot_report_memory(reader, ANNOT_REPORT_TEXT, NULL, &report, NULL), ANNOT_OK);
    snprintf(text, sizeof text, "%s", report);
    annot_report_free(report);
    annot_reader_close(reader);
    return text;
}

unsigned app_dumps(const struct app *app)
{
    char pattern[80];
    glob_t found = {0};
    snprintf(pattern, sizeof pattern, "%.*s*.annotdmp", (int)(strlen(app->dump) - 9), app->dump);
    const unsigned count = glob(pattern, 0, NULL, &found) == 0 ? (unsigned)found.gl_pathc : 0;
    globfree(&found);
    return count;
}
