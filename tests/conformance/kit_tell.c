#include "kit_tell.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { NAME_LIMIT = 128, TEXT_MAX = 1 << 20 };

/* ---- entries ---- */

static uint32_t find_entry(const annot_reader *reader, const char *name)
{
    annot_reader_entry entry;
    for (uint32_t i = 0; annot_reader_entry_at(reader, i, &entry); i++) {
        char own[NAME_LIMIT];
        if (entry.kind != ANNOT_ENTRY_BEGIN && entry.kind != ANNOT_ENTRY_SET)
            continue;
        annot_reader_entry_name(reader, i, own, sizeof own);
        if (strcmp(own, name) == 0)
            return i;
    }
    return ANNOT_READER_NONE;
}

bool kit_has_entry(const annot_reader *reader, const char *name)
{
    return find_entry(reader, name) != ANNOT_READER_NONE;
}

uint32_t kit_entry(const annot_reader *reader, const char *name)
{
    const uint32_t entry = find_entry(reader, name);
    if (entry == ANNOT_READER_NONE)
        case_note("no marker is called \"%s\"", name);
    REQUIRE(entry != ANNOT_READER_NONE);
    return entry;
}

annot_state kit_state(const annot_reader *reader, uint32_t execution, const char *name)
{
    return annot_reader_state(reader, execution, ANNOT_READER_NONE, kit_entry(reader, name), NULL);
}

annot_state kit_queue_state(const annot_reader *reader, const char *name)
{
    return annot_reader_queue_state(reader, kit_entry(reader, name), NULL);
}

uint64_t kit_finding(const annot_reader *reader, annot_finding_kind kind)
{
    annot_finding finding;
    for (size_t i = 0; annot_reader_finding(reader, i, &finding); i++)
        if (finding.kind == kind)
            return finding.count;
    return 0;
}

/* ---- telling ---- */

struct telling {
    const annot_reader *reader;
    char *text;
    size_t size;
    size_t count[4]; /* entries by state */
};

#if defined(__MINGW32__)
__attribute__((format(gnu_printf, 3, 4)))
#elif defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static void
line(struct telling *to, uint32_t indent, const char *format, ...)
{
    va_list arguments;
    char words[2048];
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    REQUIRE(to->size + indent + sizeof words + 2 < TEXT_MAX);
    to->size += (size_t)snprintf(to->text + to->size, TEXT_MAX - to->size, "%*s%s\n", (int)indent,
                                 "", words);
}

static char sign(struct telling *to, annot_state state, bool is_entry)
{
    if (is_entry && (unsigned)state < 4)
        to->count[state]++;
    return state == ANNOT_STATE_FINISHED      ? 'X'
           : state == ANNOT_STATE_IN_PROGRESS ? '>'
           : state == ANNOT_STATE_NOT_STARTED ? '.'
                                              : '?';
}

static const char *name_of(annot_text text, char name[NAME_LIMIT])
{
    snprintf(name, NAME_LIMIT, "%.*s", text.size ? (int)text.size : 9,
             text.size ? text.data : "(unnamed)");
    return name;
}

static const char *object_name(const annot_reader *reader, uint64_t id, char name[NAME_LIMIT])
{
    annot_reader_object object;
    const bool is_named = annot_reader_object_find(reader, id, &object) && object.is_named;
    return name_of(is_named ? object.name : (annot_text){NULL, 0}, name);
}

/* Through the parents, not the depth: a flat tree is told flat. */
static uint32_t depth_of(const annot_reader *reader, annot_reader_entry entry)
{
    uint32_t depth = 0;
    for (; entry.parent != ANNOT_READER_NONE; depth++)
        REQUIRE(annot_reader_entry_at(reader, entry.parent, &entry));
    return depth;
}

/* An EventID is one marker's and never 0, and nothing but markers has one [ANN-MARK-04]. */
static void expect_identity(const annot_reader *reader, uint32_t index,
                            const annot_reader_entry *entry)
{
    const bool is_marker = entry->kind == ANNOT_ENTRY_BEGIN || entry->kind == ANNOT_ENTRY_SET;
    EXPECT_EQ(entry->event_id != 0, is_marker);
    if (is_marker)
        EXPECT_EQ(annot_reader_entry_find(reader, entry->event_id), index);
}

/* A finished whole has only finished parts, and one that has not started has no part that has
 * [ANN-TRUTH-01]. */
static void expect_within(annot_state whole, annot_state part)
{
    if (whole == ANNOT_STATE_FINISHED)
        EXPECT(part == ANNOT_STATE_FINISHED || part == ANNOT_STATE_NOT_EXECUTED);
    else if (whole == ANNOT_STATE_NOT_STARTED)
        EXPECT(part == ANNOT_STATE_NOT_STARTED || part == ANNOT_STATE_NOT_EXECUTED);
}

static void tell_stream(struct telling *to, uint32_t execution, uint32_t bundle, uint32_t stream,
                        uint32_t indent);
static void tell_submission(struct telling *to, uint32_t index, uint32_t indent);

static void tell_entry(struct telling *to, uint32_t execution, uint32_t bundle, uint32_t index,
                       uint32_t indent)
{
    char name[NAME_LIMIT];
    annot_reader_entry entry;
    annot_reader_stream stream;
    annot_reader_execution around;
    REQUIRE(annot_reader_entry_at(to->reader, index, &entry));
    expect_identity(to->reader, index, &entry);
    indent += depth_of(to->reader, entry);
    if (entry.kind == ANNOT_ENTRY_SUBMISSION) {
        tell_submission(to, entry.link, indent);
        return;
    }
    if (entry.kind == ANNOT_ENTRY_SURPLUS_END) {
        line(to, indent, "end");
        return;
    }
    const annot_state state = execution == ANNOT_READER_NONE
                                  ? annot_reader_queue_state(to->reader, index, NULL)
                                  : annot_reader_state(to->reader, execution, bundle, index, NULL);
    const bool goes_on = entry.kind == ANNOT_ENTRY_BEGIN && !entry.is_closed; /* [ANN-CRASH-06] */
    if (!goes_on && annot_reader_execution_at(to->reader, execution, &around))
        expect_within(around.state, state);
    if (entry.kind == ANNOT_ENTRY_BUNDLE) {
        const bool is_kept = annot_reader_stream_at(to->reader, entry.link, &stream);
        line(to, indent, "%c bundle %s", sign(to, state, true),
             is_kept ? object_name(to->reader, stream.object, name) : "(lost)");
        tell_stream(to, execution, index, entry.link, indent + 1);
        return;
    }
    annot_reader_entry_name(to->reader, index, name, sizeof name);
    line(to, indent, "%c %s%s", sign(to, state, true), name,
         entry.kind == ANNOT_ENTRY_BEGIN && !entry.is_closed ? " (open)" : "");
}

static void tell_stream(struct telling *to, uint32_t execution, uint32_t bundle, uint32_t stream,
                        uint32_t indent)
{
    annot_reader_stream info;
    if (!annot_reader_stream_at(to->reader, stream, &info))
        return;
    for (uint32_t i = 0; i < info.entry_count; i++)
        tell_entry(to, execution, bundle, info.first_entry + i, indent);
}

static void tell_submission(struct telling *to, uint32_t index, uint32_t indent)
{
    annot_reader_submission submission;
    annot_reader_execution execution;
    char name[NAME_LIMIT];
    REQUIRE(annot_reader_submission_at(to->reader, index, &submission));
    if (submission.execution_count == 0)
        return; /* a runtime's own, for the queue's markers */
    line(to, indent, "%c #%u", sign(to, submission.state, false), (unsigned)submission.serial);
    for (uint32_t i = 0; i < submission.execution_count; i++) {
        const uint32_t at = submission.first_execution + i;
        REQUIRE(annot_reader_execution_at(to->reader, at, &execution));
        expect_within(submission.state, execution.state);
        line(to, indent + 1, "%c %s", sign(to, execution.state, false),
             name_of(execution.name, name));
        tell_stream(to, at, ANNOT_READER_NONE, execution.stream, indent + 2);
    }
}

static void tell_stop(struct telling *to, size_t index, const annot_reader_stop *stop)
{
    annot_reader_submission submission;
    annot_reader_execution execution;
    char path[1024], queue_name[NAME_LIMIT], list_name[NAME_LIMIT];
    REQUIRE(annot_reader_submission_at(to->reader, stop->submission, &submission));
    REQUIRE(annot_reader_execution_at(to->reader, stop->execution, &execution));
    annot_reader_stop_path(to->reader, index, path, sizeof path);
    line(to, 0, "stop %s #%u %s%s: %s", name_of(submission.queue_name, queue_name),
         (unsigned)submission.serial, stop->is_between ? "before " : "",
         name_of(execution.name, list_name), path);
}

static void tell(struct telling *to)
{
    static const char *const verdicts[] = {"idle", "waiting", "stopped", "unknown"};
    annot_reader_stop stop;
    annot_reader_stream stream;
    char name[NAME_LIMIT];
    for (size_t i = 0; annot_reader_stop_at(to->reader, i, &stop); i++)
        tell_stop(to, i, &stop);
    for (uint32_t i = 0; annot_reader_stream_at(to->reader, i, &stream); i++) {
        if (!stream.is_queue)
            continue;
        line(to, 0, "queue %s %s",
             stream.has_name ? name_of(stream.name, name)
                             : object_name(to->reader, stream.object, name),
             verdicts[annot_reader_queue_verdict(to->reader, i)]);
        tell_stream(to, ANNOT_READER_NONE, ANNOT_READER_NONE, i, 1);
    }
}

const char *kit_tell(const annot_reader *reader)
{
    static char text[TEXT_MAX];
    struct telling to = {.reader = reader, .text = text};
    text[0] = '\0';
    tell(&to);
    return text;
}

size_t kit_count_state(const annot_reader *reader, annot_state state)
{
    static char unused[TEXT_MAX];
    struct telling to = {.reader = reader, .text = unused};
    tell(&to);
    return to.count[state];
}

void kit_expect_text(const char *got, const char *wanted, const char *file, int line_number)
{
    if (strcmp(got, wanted) == 0)
        return;
    case_check(false, file, line_number, "what the dump tells");
    case_note("told:\n%.1000s", got);
    case_note("expected:\n%.1000s", wanted);
}

/* ---- the report ---- */

struct page {
    char text[TEXT_MAX];
    size_t size;
};

static bool write_page(void *user, const void *data, size_t size)
{
    struct page *page = user;
    if (size >= sizeof page->text - page->size)
        return false;
    memcpy(page->text + page->size, data, size);
    page->size += size;
    page->text[page->size] = '\0';
    return true;
}

const char *kit_report(const annot_reader *reader)
{
    static struct page page;
    const annot_report_sink sink = {&page, write_page};
    page.size = 0;
    page.text[0] = '\0';
    REQUIRE_EQ(annot_report_text(reader, NULL, &sink), ANNOT_OK);
    return page.text;
}
