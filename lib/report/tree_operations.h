/* Operations in the tree, while one execution's entries are written. */
#pragma once

#include "report/report_page.h"

/* Begins an execution; `depth` is that of the list's outermost entries. */
void annot__tree_operations_begin(struct annot__page *page, uint32_t execution, uint32_t stream,
                                  uint64_t depth);
void annot__tree_operations_enter(struct annot__page *page, const struct annot__node *bundle);
/* Writes the operations in front of this entry, also the rest of bundles that ended; `frames` is
 * the walk's. With ANNOT__NONE and 0 it writes all. */
void annot__tree_operations_before(struct annot__page *page, uint32_t frames, uint32_t entry,
                                   uint32_t base);
/* Hides the operations in scopes among these entries. */
void annot__tree_operations_hide(struct annot__page *page, uint32_t first, uint32_t last);

/* An operation directly in the scope `parent`, an EventID, in front of this place in the file. It
 * is behind the operation `from`, or behind `entry` if `from` is ANNOT__NONE. ANNOT__NONE: there is
 * none. */
uint32_t annot__tree_operation_between(struct annot__page *page, uint32_t from, uint32_t entry,
                                       uint64_t parent, uint64_t limit);
/* Notes that operations are written up to `noted`, or if it is ANNOT__NONE, up to `entry`. */
void annot__tree_operations_pass(struct annot__page *page, uint32_t noted, uint32_t entry);

bool annot__tree_operation_at(struct annot__page *page, uint32_t noted,
                              annot_reader_operation *operation, annot_state *state);
annot_state annot__tree_operation_state(annot_operation_state state);
void annot__tree_write_operation(struct annot__page *page, const annot_reader_operation *operation,
                                 annot_state state, uint32_t base);
