#include "report_author.h"

#include "report.h"
#include "requirement_text.h"

#include <annot/annot.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- text ---- */

/* Text of the runtime or of a person in a paragraph, cut: characters that Markdown or HTML take for
 * their own get a backslash. */
static void print_text(FILE *to, const char *text)
{
    const char *const end = text + strnlen(text, AUTHOR_LINE_MAX);
    while (text < end) {
        const size_t plain = strcspn(text, "<`[\\|");
        const size_t left = (size_t)(end - text);
        report_print(to, ANNOT_ESCAPE_TEXT, text, plain < left ? plain : left);
        if (plain < left)
            fprintf(to, "\\%c", text[plain]);
        text += plain < left ? plain + 1 : left;
    }
    if (*text)
        fputs("...", to);
}

/* The length of "cases_mark.c:12" at the begin of a line; 0: the suite didn't print the line. */
static size_t place_length(const char *line)
{
    size_t at = 0;
    while (islower((unsigned char)line[at]) || isdigit((unsigned char)line[at]) || line[at] == '_')
        at++;
    if (at == 0 || strncmp(line + at, ".c:", 3) != 0)
        return 0;
    const size_t digits = strspn(line + at + 3, "0123456789");
    return digits > 0 && strncmp(line + at + 3 + digits, ": ", 2) == 0 ? at + 3 + digits : 0;
}

static bool is_check(const char *line)
{
    return place_length(line) > 0;
}

static bool is_no_check(const char *line)
{
    return !is_check(line);
}

/* The heading and the wanted lines behind blanks, which makes them a block of code; nothing if
 * there is none. */
static void print_lines(FILE *to, const char *heading, const char *text,
                        bool (*is_wanted)(const char *line))
{
    size_t count = 0;
    while (text && *text) {
        const size_t length = strcspn(text, "\n");
        if (length > 0 && is_wanted(text) && count++ < AUTHOR_LINES_MAX) {
            fprintf(to, "%s        ", count == 1 ? heading : "");
            report_print(to, ANNOT_ESCAPE_TEXT, text,
                         length < AUTHOR_LINE_MAX ? length : AUTHOR_LINE_MAX);
            fputs(length > AUTHOR_LINE_MAX ? "...\n" : "\n", to);
        }
        text += length + (text[length] == '\n');
    }
    if (count > AUTHOR_LINES_MAX)
        fprintf(to, "        and %zu more lines\n", count - AUTHOR_LINES_MAX);
}

/* ---- what was tested ---- */

#if defined(_WIN32)
#define CONFORMANCE_PLATFORM "Windows"
#elif defined(EMU_D3D12_ABI_VKD3D)
#define CONFORMANCE_PLATFORM "Linux, structs returned as vkd3d-proton does"
#else
#define CONFORMANCE_PLATFORM "Linux, structs returned as DirectX-Headers do"
#endif

static const char *file_name(const char *path)
{
    const char *name = path;
    for (; *path; path++)
        if (*path == '/' || *path == '\\')
            name = path + 1;
    return name;
}

static void print_fact(FILE *to, const char *label, const char *text)
{
    const size_t length = text ? strlen(text) : 0;
    if (length == 0)
        return;
    fprintf(to, "    %-10s ", label);
    report_print(to, ANNOT_ESCAPE_TEXT, text, length < AUTHOR_LINE_MAX ? length : AUTHOR_LINE_MAX);
    fputc('\n', to);
}

static void print_subject(FILE *to, const struct report_subject *subject)
{
    static const struct {
        unsigned need;
        const char *words;
    } interfaces[] = {
        {PUBLISHED, "ID3D12DeviceTools2 as published"},
        {SPECIFIED, "ID3D12DeviceTools2 of the specification v0.06"},
        {MESSAGES, "ID3D12InfoQueue"},
        {DRED, "ID3D12DeviceRemovedExtendedDataSettings1 and Data1"},
        {PREVIEW, "ID3D12DevicePreview"},
        {NAMES, "names of SetName in GetPrivateData"},
        {VIDEO, "video command lists"},
        {SPY, "annot_conformance_set_driver, the suite's first hook"},
        {LOOKUP, "annot_conformance_device, the suite's second hook"},
    };
    fputs("## What was tested\n\n", to);
    print_fact(to, "runtime", file_name(subject->runtime));
    print_fact(to, "loaded", subject->library);
    print_fact(to, "driver", subject->driver ? file_name(subject->driver) : NULL);
    print_fact(to, "only", subject->filter);
    print_fact(to, "by", "D3D12 PIX Markers v0.06 and its published interface (Agility SDK 1.620)");
    print_fact(to, "suite", annot_version());
    print_fact(to, "platform", CONFORMANCE_PLATFORM);
    fputc('\n', to);
    for (size_t i = 0; subject->testable && i < sizeof interfaces / sizeof *interfaces; i++)
        fprintf(to, "    [%c] %s\n", subject->lacks & interfaces[i].need ? ' ' : 'x',
                interfaces[i].words);
}

/* ---- failures ---- */

struct cause {
    const struct planned *first;
    const char *key; /* not terminated */
    size_t key_length, runs;
};

static bool is_failure(const struct planned *planned)
{
    return planned->verdict == FAILED && !planned->waiver;
}

/* The first check that failed; without one, the reason; without both, the test. */
static struct cause cause_of(const struct planned *planned)
{
    struct cause cause = {.first = planned, .key = planned->name};
    const char *line = planned->output ? planned->output : "";
    while (*line && !is_check(line)) {
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    cause.key_length = strcspn(planned->name, "[@");
    if (*line) {
        cause.key = line;
        cause.key_length = place_length(line);
    } else if (planned->reason) {
        cause.key = planned->reason;
        cause.key_length = strlen(planned->reason);
    }
    return cause;
}

static bool is_same(const struct cause *a, const struct cause *b)
{
    return a->key_length == b->key_length && memcmp(a->key, b->key, a->key_length) == 0;
}

static void print_names(FILE *to, const struct plan *plan, const struct cause *cause)
{
    size_t printed = 0;
    for (size_t i = 0; i < plan->count; i++) {
        const struct cause of = cause_of(&plan->cases[i]);
        if (is_failure(&plan->cases[i]) && is_same(&of, cause) && printed++ < AUTHOR_LINES_MAX)
            fprintf(to, "        %s\n", plan->cases[i].name);
    }
    if (printed > AUTHOR_LINES_MAX)
        fprintf(to, "        and %zu more\n", printed - AUTHOR_LINES_MAX);
}

static void print_requirements(FILE *to, const char *ids)
{
    for (ids += strspn(ids, " "); *ids; ids += strspn(ids, " ")) {
        const size_t length = strcspn(ids, " ");
        const char *text = requirement_text(ids, length);
        fprintf(to, "- %.*s: %s\n", (int)length, ids, text ? text : "");
        ids += length;
    }
}

static void print_cause(FILE *to, const struct plan *plan, const struct cause *cause, size_t number)
{
    const struct planned *first = cause->first;
    fprintf(to, "\n### %zu. `%s`\n\n", number, first->name);
    if (first->reason) {
        fputs("- what happened: ", to);
        print_text(to, first->reason);
        fputc('\n', to);
    }
    if (first->test) {
        print_requirements(to, first->test->requirements);
        fprintf(to, "- meaning of the failure: %s\n", first->test->wrong);
    }
    print_lines(to, "- what was called, what came, and what was expected:\n\n", first->output,
                is_check);
    print_lines(to, "- other output:\n\n", first->output, is_no_check);
    if (cause->runs > 1) {
        fprintf(to, "- %zu runs fail here:\n\n", cause->runs);
        print_names(to, plan, cause);
    }
}

static size_t find_causes(const struct plan *plan, struct cause causes[AUTHOR_CAUSES_MAX],
                          size_t *left_out)
{
    size_t count = 0;
    *left_out = 0;
    for (size_t i = 0; i < plan->count; i++) {
        struct cause cause = cause_of(&plan->cases[i]);
        size_t at = 0;
        if (!is_failure(&plan->cases[i]))
            continue;
        while (at < count && !is_same(&causes[at], &cause))
            at++;
        if (at == AUTHOR_CAUSES_MAX)
            ++*left_out;
        else if (at == count)
            causes[count++] = cause;
        if (at < AUTHOR_CAUSES_MAX)
            causes[at].runs++;
    }
    return count;
}

static void print_failures(FILE *to, const struct plan *plan)
{
    struct cause causes[AUTHOR_CAUSES_MAX];
    size_t left_out;
    const size_t count = find_causes(plan, causes, &left_out);
    if (count == 0)
        return;
    fputs("\n## Failures\n\nThe first one is the likeliest cause: cases come before those that "
          "build on what they test.\nRuns that fail at one place stand together.\n",
          to);
    for (size_t i = 0; i < count; i++)
        print_cause(to, plan, &causes[i], i + 1);
    if (left_out > 0)
        fprintf(to, "\n%zu more runs fail at other places.\n", left_out);
}

/* ---- skips ---- */

struct skips {
    const char *reason;
    size_t runs;
};

static int by_runs(const void *a, const void *b)
{
    const struct skips *x = a, *y = b;
    return x->runs != y->runs ? (x->runs < y->runs) - (x->runs > y->runs)
                              : strcmp(x->reason, y->reason);
}

static const char *skip_reason(const struct planned *planned)
{
    if (planned->verdict == FAILED)
        return planned->waiver; /* or NULL */
    return planned->verdict != SKIPPED ? NULL : planned->reason ? planned->reason : "skipped";
}

static void print_skips(FILE *to, const struct plan *plan)
{
    struct skips skips[AUTHOR_CAUSES_MAX + 1];
    size_t count = 0;
    for (size_t i = 0; i < plan->count; i++) {
        const char *reason = skip_reason(&plan->cases[i]);
        size_t at = 0;
        while (reason && at < count && strcmp(skips[at].reason, reason) != 0)
            at++;
        if (reason && at == count && count <= AUTHOR_CAUSES_MAX)
            skips[count++] = (struct skips){at < AUTHOR_CAUSES_MAX ? reason : "other reasons", 0};
        if (reason)
            skips[at < count ? at : count - 1].runs++;
    }
    if (count == 0)
        return;
    qsort(skips, count, sizeof skips[0], by_runs);
    fputs("\n## Skipped\n\nThese runs say nothing about the runtime.\n\n", to);
    for (size_t i = 0; i < count; i++) {
        fprintf(to, "- %zu: ", skips[i].runs);
        print_text(to, skips[i].reason);
        fputc('\n', to);
    }
}

void report_author(FILE *to, const struct plan *plan, const struct report_subject *subject)
{
    const struct report_counts counts = report_count(plan);
    fputs("# PIX markers: ", to);
    print_text(to, file_name(subject->runtime));
    fprintf(to, "\n\n%zu passed, %zu failed, %zu skipped.\n\n", counts.passed, counts.failed,
            counts.skipped);
    print_subject(to, subject);
    print_failures(to, plan);
    print_skips(to, plan);
}
