/* Decides which lines of a report's tree are written, and which are folded into one line. */
#pragma once

#include "report/report_page.h"

enum {
    ANNOT__TREE_DEPTH_SHOWN = 18, /* number of levels shown at the top of a deep chain */
    ANNOT__TREE_DEPTH_TAIL = 10,  /* number of levels shown around the leaf of a deep chain */
    ANNOT__TREE_RUN_SHOWN = 4     /* equal siblings above this number become one line */
};

/* Returns true if the report must write the next line, and false if it only counts the line. */
bool annot__tree_want_line(struct annot__page *page, bool is_needed);
/* Counts visited entries, so that a report of many executions can't take too long. */
void annot__tree_visit(struct annot__page *page, uint64_t entries);
/* Returns true if an entry is left out, because it is in the middle of a very deep chain. */
bool annot__tree_is_too_deep(const struct annot__page *page, uint64_t depth);
/* "... 12 more finished ..." */
void annot__tree_write_more(struct annot__page *page, uint64_t depth, uint32_t count,
                            annot_state state);
