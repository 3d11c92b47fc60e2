/* Times of submissions: to which submission they belong, and whether they are possible. */
#pragma once

#include "dump_read/dump_model.h"

/* Sorts times and histories, and joins them with the submissions that the dump holds. */
void annot__hear_histories(annot_reader *reader);

/* Marks finished submissions that were not executed (NullRendering). */
void annot__mark_not_executed(annot_reader *reader);
/* Marks the lists of these submissions, after everything else was inferred from them. */
void annot__mark_lists_not_executed(annot_reader *reader);
