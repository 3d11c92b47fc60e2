/* Connects times with submissions, and checks whether the times are possible. */
#pragma once

#include "dump_read/dump_model.h"

/* Sorts the times and histories, and connects them with the dump's submissions. */
void annot__hear_histories(annot_reader *reader);

/* Marks finished submissions that were not executed (NullRendering). */
void annot__mark_not_executed(annot_reader *reader);
/* Marks the lists of submissions that were not executed. Call it when nothing else is inferred from
 * these lists. */
void annot__mark_lists_not_executed(annot_reader *reader);
