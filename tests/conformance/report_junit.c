/* The report as JUnit's XML, which most CI servers show. A failure that is waived is a skipped case
 * with the waiver's reason: those servers know no other word for it. */
#include "report.h"

#include <stdio.h>
#include <string.h>

/* Text for an attribute or an element: escaped for a terminal, which leaves no control characters,
 * then for XML. */
static void print_xml(const char *text, bool has_lines)
{
    char piece[ANNOT_ESCAPED_MAX];
    size_t size = strlen(text), piece_size;
    for (size_t at = 0; at < size;) {
        if (has_lines && text[at] == '\n') {
            putchar('\n');
            at++;
            continue;
        }
        at += annot_text_escape(ANNOT_ESCAPE_TEXT, text + at, size - at, piece, &piece_size);
        if (piece_size == 1 && piece[0] == '<')
            fputs("&lt;", stdout);
        else if (piece_size == 1 && piece[0] == '>')
            fputs("&gt;", stdout);
        else if (piece_size == 1 && piece[0] == '&')
            fputs("&amp;", stdout);
        else if (piece_size == 1 && piece[0] == '"')
            fputs("&quot;", stdout);
        else
            fwrite(piece, 1, piece_size, stdout);
    }
}

static void print_attribute(const char *name, const char *text)
{
    printf(" %s=\"", name);
    print_xml(text, false);
    putchar('"');
}

static void print_failure(const struct planned *planned)
{
    fputs("    <failure", stdout);
    print_attribute("message", planned->reason ? planned->reason : "failed");
    putchar('>');
    if (planned->test) {
        print_xml(planned->test->requirements, false);
        fputs(": ", stdout);
        print_xml(planned->test->wrong, false);
        putchar('\n');
    }
    if (planned->output)
        print_xml(planned->output, true);
    puts("</failure>");
}

static void print_case(const struct planned *planned)
{
    const bool is_waived = planned->verdict == FAILED && planned->waiver;
    fputs("  <testcase", stdout);
    print_attribute("classname", planned->area);
    print_attribute("name", planned->name);
    printf(" time=\"%.3f\">\n", planned->seconds);
    if (is_waived || planned->verdict == SKIPPED) {
        const char *reason = is_waived ? planned->waiver : planned->reason;
        fputs("    <skipped", stdout);
        print_attribute("message", reason ? reason : "skipped");
        puts("/>");
    } else if (planned->verdict != PASSED) {
        print_failure(planned);
    }
    puts("  </testcase>");
}

void report_junit(const struct plan *plan, const char *runtime)
{
    const struct report_counts counts = report_count(plan);
    double seconds = 0;
    for (size_t i = 0; i < plan->count; i++)
        seconds += plan->cases[i].seconds;
    puts("<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
    fputs("<testsuite name=\"annot-conformance\"", stdout);
    printf(" tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\" time=\"%.3f\">\n",
           plan->count, counts.failed, counts.skipped, seconds);
    fputs("  <properties><property name=\"runtime\"", stdout);
    print_attribute("value", runtime);
    puts("/></properties>");
    for (size_t i = 0; i < plan->count; i++)
        print_case(&plan->cases[i]);
    puts("</testsuite>");
}
