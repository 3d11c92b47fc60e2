/* Decides which lines of the tree are written, and writes lines that replace many lines. */
#include "report/tree_line.h"

enum { LINES_SHOWN = 120 /* lines of an execution, plus lines in progress */ };

bool annot__tree_want_line(struct annot__page *page, bool is_needed)
{
    if (page->nodes_left == 0)
        return false;
    if (!page->options->all && !is_needed && page->lines >= LINES_SHOWN) {
        page->lines_cut++;
        return false;
    }
    annot__spend_line(page);
    page->lines++;
    return true;
}

void annot__tree_visit(struct annot__page *page, uint64_t entries)
{
    page->visits_left -= entries < page->visits_left ? entries : page->visits_left;
    if (page->visits_left == 0)
        page->nodes_left = 0;
}

bool annot__tree_is_too_deep(const struct annot__page *page, uint64_t depth)
{
    return !page->options->all && depth > ANNOT__TREE_DEPTH_SHOWN &&
           depth + ANNOT__TREE_DEPTH_TAIL < page->leaf_depth;
}

void annot__tree_write_more(struct annot__page *page, uint64_t depth, uint32_t count,
                            annot_state state)
{
    if (!annot__tree_want_line(page, false))
        return;
    annot__indent(page, depth);
    annot__say_state(page, state);
    annot__styled(page, DIM, "... %u more %s ...", count, annot_state_text(state));
    annot__say(page, "\n");
}
