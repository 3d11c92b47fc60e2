/* Finds operations of recordings by their numbers, as breadcrumbs count. Takes logarithmic time. */
#pragma once

#include "dump_read/dump_model.h"

/* Prepares the search for operations. Call this function once, before the other functions. */
void annot__ops_prepare(annot_reader *reader);

/* Returns the D3D12_AUTO_BREADCRUMB_OP of operation `number` in the recording `log`, or ANNOT__NONE
 * if the dump lacks this operation. */
uint32_t annot__op_at(const annot_reader *reader, uint64_t log, uint32_t number);

/* Returns true if an operation gives the GPU no work: a marker, a change of state, or the begin or
 * end of a submission or list. Barriers and halves of split barriers make the GPU wait, so they are
 * work. */
bool annot__op_is_idle(uint32_t op);
bool annot__op_is_marker(uint32_t op);

/* Counts the markers among the operations from `first` to `end - 1`. Returns false if the dump
 * lacks some of these operations. */
bool annot__ops_markers(const annot_reader *reader, uint64_t log, uint32_t first, uint32_t end,
                        uint32_t *markers);
