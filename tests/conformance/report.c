#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void count_in(struct report_counts *counts, const struct planned *planned)
{
    if (planned->verdict == PASSED)
        counts->passed++;
    else if (planned->verdict == FAILED && !planned->waiver)
        counts->failed++;
    else
        counts->skipped++;
}

struct report_counts report_count(const struct plan *plan)
{
    struct report_counts counts = {0};
    for (size_t i = 0; i < plan->count; i++)
        count_in(&counts, &plan->cases[i]);
    return counts;
}

static int by_id(const void *a, const void *b)
{
    return strcmp(((const struct report_requirement *)a)->id,
                  ((const struct report_requirement *)b)->id);
}

static struct report_requirement *entry(struct report_requirement *all, size_t *count,
                                        const char *id, size_t length)
{
    for (size_t i = 0; i < *count; i++)
        if (strlen(all[i].id) == length && memcmp(all[i].id, id, length) == 0)
            return &all[i];
    if (*count == REQUIREMENTS_MAX || length >= sizeof all->id)
        return NULL;
    all[*count] = (struct report_requirement){0};
    memcpy(all[*count].id, id, length);
    return &all[(*count)++];
}

size_t report_requirements(const struct plan *plan, struct report_requirement out[REQUIREMENTS_MAX])
{
    size_t count = 0;
    for (size_t i = 0; i < plan->count; i++) {
        const struct planned *planned = &plan->cases[i];
        const char *id = planned->test ? planned->test->requirements : "";
        for (id += strspn(id, " "); *id; id += strspn(id, " ")) {
            const size_t length = strcspn(id, " ");
            struct report_requirement *requirement = entry(out, &count, id, length);
            if (requirement)
                count_in(&requirement->counts, planned);
            id += length;
        }
    }
    qsort(out, count, sizeof out[0], by_id);
    return count;
}

/* ---- TAP ---- */

void report_print(FILE *to, annot_escape how, const char *text, size_t size)
{
    char piece[ANNOT_ESCAPED_MAX];
    size_t piece_size;
    for (size_t at = 0; at < size;) {
        at += annot_text_escape(how, text + at, size - at, piece, &piece_size);
        fwrite(piece, 1, piece_size, to);
    }
}

static void print_text(const char *text)
{
    report_print(stdout, ANNOT_ESCAPE_TEXT, text, strlen(text));
}

static void print_comment(const char *text)
{
    while (*text) {
        const size_t length = strcspn(text, "\n");
        fputs("#   ", stdout);
        report_print(stdout, ANNOT_ESCAPE_TEXT, text, length);
        putchar('\n');
        text += length + (text[length] == '\n');
    }
}

/* Which letters of the interface there are, and so which rows are judged. */
void report_tap_start(const struct plan *plan, const char *runtime, const char *library,
                      unsigned lacks)
{
    printf("TAP version 13\n1..%zu\n# ", plan->count);
    print_text(runtime);
    if (library[0] && strcmp(library, runtime) != 0) {
        fputs("\n# loaded: ", stdout);
        print_text(library);
    }
    printf("\n# ID3D12DeviceTools2: %s\n",
           lacks == REPORT_NO_DEVICE ? "not known: the runtime makes no device that can be tested"
           : !(lacks & (PUBLISHED | SPECIFIED)) ? "as published, and of the specification v0.06"
           : !(lacks & PUBLISHED)               ? "as published"
           : !(lacks & SPECIFIED)               ? "of the specification v0.06"
                                                : "none");
}

void report_tap_case(const struct planned *planned, size_t number, bool colour)
{
    const bool waived = planned->verdict == FAILED && planned->waiver;
    const bool bad = planned->verdict == FAILED && !waived;
    const char *paint = !colour                      ? ""
                        : bad                        ? "\033[31m"
                        : planned->verdict == PASSED ? "\033[32m"
                                                     : "\033[33m";
    printf("%s%s%s %zu - %s", paint, bad ? "not ok" : "ok", colour ? "\033[0m" : "", number,
           planned->name);
    if (waived || planned->verdict == SKIPPED)
        fputs(waived ? " # SKIP waived: " : " # SKIP ", stdout);
    if (waived)
        print_text(planned->waiver);
    else if (planned->verdict == SKIPPED && planned->reason)
        print_text(planned->reason);
    putchar('\n');
    if (planned->verdict == FAILED) {
        if (planned->reason)
            print_comment(planned->reason);
        if (planned->test)
            printf("#   %s: %s\n", planned->test->requirements, planned->test->wrong);
        if (planned->output)
            print_comment(planned->output);
    }
    if (planned->verdict == PASSED && planned->waiver) {
        fputs("#   passes; its waiver can be removed: ", stdout);
        print_text(planned->waiver);
        putchar('\n');
    }
    fflush(stdout);
}

void report_tap_end(const struct plan *plan)
{
    struct report_requirement all[REQUIREMENTS_MAX];
    const size_t count = report_requirements(plan, all);
    for (size_t i = 0; i < count; i++)
        printf("# %-13s %zu passed, %zu failed, %zu skipped\n", all[i].id, all[i].counts.passed,
               all[i].counts.failed, all[i].counts.skipped);
}

/* ---- lists ---- */

/* In the order of enum case_need; docs/CONFORMANCE.md counts by them. */
static const char *const need_words[] = {"spy",     "emulator",  "lookup",    "dump",
                                         "hang",    "kernels",   "messages",  "dred",
                                         "preview", "tools",     "names",     "uncopied",
                                         "video",   "published", "specified", "library"};
_Static_assert(sizeof need_words / sizeof *need_words == CASE_NEEDS, "a word for each need");

static void list_needs(const struct test_case *test)
{
    for (unsigned i = 0; i < CASE_NEEDS; i++)
        if (test->needs & 1u << i)
            printf(" %s", need_words[i]);
    if (test->drivers && !(test->drivers & REFERENCE))
        fputs(" drivers", stdout);
}

void report_list(const struct plan *plan)
{
    for (size_t i = 0; i < plan->count; i++) {
        printf("%s\t%s\t%s\t", plan->cases[i].name, plan->cases[i].test->requirements,
               plan->cases[i].test->wrong);
        list_needs(plan->cases[i].test);
        putchar('\n');
    }
}
