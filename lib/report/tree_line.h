/* Decides which lines of a tree are written, and which line replaces many. */
#pragma once

#include "report/report_page.h"

enum {
    ANNOT__TREE_DEPTH_SHOWN = 18, /* levels of a deep chain shown at its top */
    ANNOT__TREE_DEPTH_TAIL = 10,  /* levels that are shown around its leaf */
    ANNOT__TREE_RUN_SHOWN = 4     /* largest number of equal siblings that are not folded */
};

/* Whether to write the next line. False means that it is only counted. */
bool annot__tree_want_line(struct annot__page *page, bool is_needed);
/* Limits the time for executions of one big recording. */
void annot__tree_visit(struct annot__page *page, uint64_t entries);
/* Whether an entry is in the middle of a very deep chain, which is left out. */
bool annot__tree_is_too_deep(const struct annot__page *page, uint64_t depth);
/* "... 12 more finished ..." */
void annot__tree_write_more(struct annot__page *page, uint64_t depth, uint32_t count,
                            annot_state state);
