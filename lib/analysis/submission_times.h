/* Times of submissions: which submission they are of, and whether they can be believed. */
#pragma once

#include "dump_read/dump_model.h"

/* Sorts times and histories, and joins them with the submissions that the dump holds. */
void annot__hear_histories(annot_reader *reader);

/* Marks finished submissions that were not executed (NullRendering). */
void annot__mark_not_executed(annot_reader *reader);
/* Marks their lists, after everything else was inferred from those. */
void annot__mark_lists_not_executed(annot_reader *reader);
