/* Lines of a tree: the lines that have room, and the line that stands for many. */
#pragma once

#include "report/report_page.h"

enum {
    ANNOT__TREE_DEPTH_SHOWN = 18, /* levels of a deep chain shown at its top */
    ANNOT__TREE_DEPTH_TAIL = 10,  /* and around its leaf */
    ANNOT__TREE_RUN_SHOWN = 4     /* alike siblings that are not folded */
};

/* False means that the line is not wanted any more, only counted. */
bool annot__tree_want_line(struct annot__page *page, bool is_needed);
/* Bounds the time that executions of one big recording can take together. */
void annot__tree_visit(struct annot__page *page, uint64_t entries);
/* In the middle of a chain deeper than anyone reads. */
bool annot__tree_is_too_deep(const struct annot__page *page, uint64_t depth);
/* "... 12 more finished ..." */
void annot__tree_write_more(struct annot__page *page, uint64_t depth, uint32_t count,
                            annot_state state);
