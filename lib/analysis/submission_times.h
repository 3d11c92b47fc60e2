/* Finds the submission that each time belongs to, and whether the time is possible. */
#pragma once

#include "dump_read/dump_model.h"

/* Sorts times and histories, and connects them with the submissions in the dump. */
void annot__hear_histories(annot_reader *reader);

/* Marks finished submissions that were not executed (NullRendering). */
void annot__mark_not_executed(annot_reader *reader);
/* Marks the lists of these submissions, after everything else was inferred from them. */
void annot__mark_lists_not_executed(annot_reader *reader);
