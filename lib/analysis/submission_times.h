/* Times of submissions: which submission they are of, and whether they can be believed. */
#pragma once

#include "dump_read/dump_model.h"

/* Sorts times and histories, and joins them with the submissions that the dump holds. */
void annot__hear_histories(annot_reader *reader);

/* Submissions that are finished and were not executed (NullRendering) are said to be that. */
void annot__mark_not_executed(annot_reader *reader);
/* The same of their lists, when nothing else is inferred from those. */
void annot__mark_lists_not_executed(annot_reader *reader);
