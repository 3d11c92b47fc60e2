/* Connects the dump's times with submissions, and checks whether the times are possible. */
#pragma once

#include "dump_read/dump_model.h"

/* Sorts the dump's time stamps, and connects them with the dump's submissions. */
void annot__hear_histories(annot_reader *reader);

/* Marks the finished submissions that the GPU did not execute (NullRendering). */
void annot__mark_not_executed(annot_reader *reader);
/* Marks the lists of the submissions that the GPU did not execute. Call this last: later steps
 * infer nothing from these lists. */
void annot__mark_lists_not_executed(annot_reader *reader);
