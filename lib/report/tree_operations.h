/* Writes the operations of one execution into the tree, between the execution's entries. */
#pragma once

#include "report/report_page.h"

/* Begins an execution in the tree; `depth` is the depth of its list's outermost entries. */
void annot__tree_operations_begin(struct annot__page *page, uint32_t execution, uint32_t stream,
                                  uint64_t depth);
void annot__tree_operations_enter(struct annot__page *page, const struct annot__node *bundle);
/* Writes the operations before `entry`, and the rest of bundles that have ended. `frames` comes
 * from the walk. With `frames` 0 and `entry` ANNOT__NONE, writes all operations that are left. */
void annot__tree_operations_before(struct annot__page *page, uint32_t frames, uint32_t entry,
                                   uint32_t base);
/* Hides the operations in the scopes from the entry `first` to the entry `last` in the report. */
void annot__tree_operations_hide(struct annot__page *page, uint32_t first, uint32_t last);

/* Returns an operation directly inside the scope with EventID `parent`, or ANNOT__NONE. It
 * comes after the operation `from` (or after `entry` if `from` is NONE), and before `limit` in
 * the file. */
uint32_t annot__tree_operation_between(struct annot__page *page, uint32_t from, uint32_t entry,
                                       uint64_t parent, uint64_t limit);
/* Notes that all operations up to `noted` (or up to `entry` if `noted` is NONE) are written. */
void annot__tree_operations_pass(struct annot__page *page, uint32_t noted, uint32_t entry);

bool annot__tree_operation_at(struct annot__page *page, uint32_t noted,
                              annot_reader_operation *operation, annot_state *state);
void annot__tree_write_operation(struct annot__page *page, const annot_reader_operation *operation,
                                 annot_state state, uint32_t base);
