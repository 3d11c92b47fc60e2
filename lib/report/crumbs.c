/* Writes breadcrumbs into the text report. */
#include "report/report_page.h"

#include <annot/dump.h>
#include <string.h>

static void say_markers_only(struct annot__page *page, const struct annot__dump_CRUMBS *crumbs)
{
    if (crumbs->flags & ANNOT_CRUMBS_MARKERS_ONLY)
        annot__format(page, "  (%ss only)", page->words->marker);
    annot__say(page, "\n");
}

/* Writes the operation's name, unless its kind has none. */
static void say_name(struct annot__page *page, const annot_reader *reader, uint32_t index,
                     uint32_t stream, uint32_t number)
{
    char name[256];
    annot__operation_name(reader, index, stream, number, name, sizeof name);
    if (strcmp(name, "operation") != 0)
        annot__format(page, ": %s", name);
}

/* Writes "43 of 47 is not done: Dispatch; 42 is done: CopyResource". */
static void say_operation(struct annot__page *page, uint32_t index)
{
    const annot_reader *reader = page->reader;
    const struct annot__dump_CRUMBS *crumbs = &reader->crumbs[index].fields;
    const uint32_t execution = reader->crumbs[index].execution;
    const uint32_t stream =
        execution != ANNOT__NONE ? reader->executions[execution].stream : ANNOT__NONE;
    if (crumbs->done == ANNOT_CRUMBS_NOT_BEGUN) {
        annot__format(page, "none of %u operations is done\n", crumbs->count);
        return;
    }
    if (crumbs->done >= crumbs->count) {
        annot__format(page, "all %u done", crumbs->count);
        if (annot__crumbs_claim(crumbs) == ANNOT_STATE_IN_PROGRESS)
            annot__format(page, ", but the end of the %s is not done", page->words->list);
        say_markers_only(page, crumbs);
        return;
    }
    annot__format(page, "%llu of %u is not done", (unsigned long long)crumbs->done + 1,
                  crumbs->count);
    say_name(page, reader, index, stream, crumbs->done);
    if (crumbs->done > 0) {
        annot__format(page, "; %u is done", crumbs->done);
        say_name(page, reader, index, stream, crumbs->done - 1);
    }
    say_markers_only(page, crumbs);
}

void annot__write_counted(struct annot__page *page, uint32_t crumbs)
{
    if (crumbs == ANNOT__NONE)
        return;
    annot__begin(page, 2, "operation");
    say_operation(page, crumbs);
}

enum { SHOWN = 8 };

bool annot__write_disputes(struct annot__page *page)
{
    const annot_reader *reader = page->reader;
    uint32_t shown = 0;
    for (uint32_t i = 0; i < reader->execution_count && shown < SHOWN; i++) {
        const struct annot__execution *execution = &reader->executions[i];
        if (!execution->is_disputed)
            continue;
        const bool is_fenced = execution->evidence == ANNOT_EVIDENCE_FENCE;
        annot__item(page, 1, NULL, "submission %llu, ",
                    (unsigned long long)reader->submissions[execution->submission].serial);
        annot__say_list(page, i);
        annot__say(page, is_fenced ? ": its fence says " : ": breadcrumbs say ");
        annot__say(page, annot_state_text((annot_state)execution->state));
        if (!is_fenced) {
            annot__say(page, ", operation ");
            say_operation(page, execution->crumbs);
            annot__item(page, 2, NULL, "and the %s's report ", page->words->driver);
        } else {
            annot__say(page, ", breadcrumbs ");
        }
        annot__say(page, annot_state_text((annot_state)execution->overruled));
        annot__say(page, "\n");
        shown++;
    }
    return shown > 0;
}
