/* The report as one JSON document. */
#include "report.h"

#include <stdio.h>
#include <string.h>

static void print_string(const char *text, size_t length)
{
    putchar('"');
    report_print(stdout, ANNOT_ESCAPE_JSON, text, length);
    putchar('"');
}

static void print_member(const char *name, const char *text)
{
    printf(", \"%s\": ", name);
    print_string(text, strlen(text));
}

static void print_requirements(const char *ids)
{
    const char *comma = "";
    printf(", \"requirements\": [");
    for (ids += strspn(ids, " "); *ids; ids += strspn(ids, " ")) {
        const size_t length = strcspn(ids, " ");
        fputs(comma, stdout);
        print_string(ids, length);
        comma = ", ";
        ids += length;
    }
    putchar(']');
}

static void print_case(const struct planned *planned, bool listed)
{
    static const char *const verdicts[] = {"none", "passed", "failed", "skipped"};
    printf("    {\"name\": ");
    print_string(planned->name, strlen(planned->name));
    if (planned->driver)
        print_member("driver", planned->driver);
    if (planned->test) {
        print_requirements(planned->test->requirements);
        print_member("wrong", planned->test->wrong);
    }
    if (!listed) {
        print_member("result", planned->verdict == FAILED && planned->waiver
                                   ? "skipped"
                                   : verdicts[planned->verdict]);
        printf(", \"seconds\": %.3f", planned->seconds);
    }
    if (planned->waiver)
        print_member("waiver", planned->waiver);
    if (planned->reason)
        print_member("reason", planned->reason);
    if (planned->verdict == FAILED && planned->output && planned->output[0])
        print_member("output", planned->output);
    putchar('}');
}

static void print_cases(const struct plan *plan, bool listed)
{
    printf("  \"cases\": [\n");
    for (size_t i = 0; i < plan->count; i++) {
        print_case(&plan->cases[i], listed);
        puts(i + 1 < plan->count ? "," : "");
    }
    printf("  ]");
}

static void print_counts(struct report_counts counts)
{
    printf("{\"passed\": %zu, \"failed\": %zu, \"skipped\": %zu}", counts.passed, counts.failed,
           counts.skipped);
}

void report_json(const struct plan *plan, const char *runtime)
{
    struct report_requirement all[REQUIREMENTS_MAX];
    const size_t count = report_requirements(plan, all);
    printf("{\n  \"runtime\": ");
    print_string(runtime, strlen(runtime));
    printf(",\n");
    print_cases(plan, false);
    printf(",\n  \"requirements\": {\n");
    for (size_t i = 0; i < count; i++) {
        printf("    \"%s\": ", all[i].id);
        print_counts(all[i].counts);
        puts(i + 1 < count ? "," : "");
    }
    printf("  },\n  \"summary\": ");
    print_counts(report_count(plan));
    printf("\n}\n");
}

void report_list_json(const struct plan *plan)
{
    printf("{\n");
    print_cases(plan, true);
    printf("\n}\n");
}
