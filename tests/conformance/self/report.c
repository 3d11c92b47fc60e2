/* Prints a report of cases that nobody ran, one for each verdict, with hostile texts:
 *
 *     conformance-report tap|junit|json|list|list-json|author
 */
#include "../report.h"
#include "../report_author.h"

#include <string.h>

#define HOSTILE "\"<a href='x'>&amp;</a>\x1b[2J\xe2\x80\xae\xff\t\xc3\xa4"

static const struct test_case passes = {
    .name = "passes", .requirements = "ANN-MODE-01 ANN-MARK-02", .wrong = "it is well"};
static const struct test_case fails = {.name = "fails",
                                       .requirements = " ANN-MARK-02  ANN-MODE-03 ",
                                       .wrong = "1 < 2 & 3 > \"2\"",
                                       .needs = SPY | TOOLS,
                                       .drivers = LEGACY};

static char no_memory[] = "no memory", hostile[] = HOSTILE,
            lines[] = "line 1\n" HOSTILE "\nkit.c:12: line 3 is 2, not 3", exited[] = "exit code 3",
            nothing[] = "";

static struct planned cases[] = {
    {.name = "mode/passes", .area = "mode", .test = &passes, .verdict = PASSED, .seconds = 0.25},
    {.name = "mode/passes[row]@warp",
     .area = "mode",
     .test = &passes,
     .driver = "warp",
     .verdict = PASSED,
     .waiver = "needed once",
     .seconds = 1},
    {.name = "mark/fails",
     .area = "mark",
     .test = &fails,
     .verdict = FAILED,
     .output = lines,
     .seconds = 2.5},
    {.name = "mark/fails[1]",
     .area = "mark",
     .test = &fails,
     .verdict = FAILED,
     .reason = exited,
     .output = nothing},
    {.name = "mark/fails[2]",
     .area = "mark",
     .test = &fails,
     .verdict = FAILED,
     .waiver = HOSTILE,
     .output = lines},
    {.name = "life/skipped", .area = "life", .test = &passes, .verdict = SKIPPED},
    {.name = "life/skipped[1]",
     .area = "life",
     .test = &passes,
     .verdict = SKIPPED,
     .reason = no_memory},
    {.name = "ddi", .area = "ddi", .verdict = FAILED, .reason = hostile},
};

int main(int argc, char **argv)
{
    const struct plan plan = {.cases = cases, .count = sizeof cases / sizeof cases[0]},
                      tested = {.cases = cases, .count = plan.count - 1};
    const char *form = argc == 2 ? argv[1] : "";
    if (strcmp(form, "tap") == 0) {
        report_tap_start(&plan, HOSTILE, "C:\\d3d12.dll, which is Wine's own (Wine 9.0)", 0);
        for (size_t i = 0; i < plan.count; i++)
            report_tap_case(&cases[i], i + 1, i % 2);
        report_tap_end(&plan);
    } else if (strcmp(form, "junit") == 0) {
        report_junit(&plan, HOSTILE);
    } else if (strcmp(form, "json") == 0) {
        report_json(&plan, HOSTILE);
    } else if (strcmp(form, "list") == 0) {
        report_list(&tested);
    } else if (strcmp(form, "list-json") == 0) {
        report_list_json(&tested);
    } else if (strcmp(form, "author") == 0) {
        report_author(stdout, &plan,
                      &(struct report_subject){.runtime = "/home/me/" HOSTILE,
                                               .library = HOSTILE,
                                               .filter = HOSTILE,
                                               .lacks = SPY | LOOKUP | DRED,
                                               .testable = true});
    } else {
        fputs("usage: conformance-report tap|junit|json|list|list-json|author\n", stderr);
        return 2;
    }
    return 0;
}
