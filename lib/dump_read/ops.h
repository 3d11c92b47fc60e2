/* The operations of recordings, which breadcrumbs count. Each function takes logarithmic time. */
#pragma once

#include "dump_read/dump_model.h"

/* Call it once, before the functions below. */
void annot__ops_prepare(annot_reader *reader);

/* D3D12_AUTO_BREADCRUMB_OP of this operation of the recording `log`, or ANNOT__NONE: the dump
 * doesn't hold it. */
uint32_t annot__op_at(const annot_reader *reader, uint64_t log, uint32_t number);

/* Whether the operation gives the GPU no work: markers, state, and the begin or end of a submission
 * or list. Barriers, also halves of split barriers, wait, so they are not idle. */
bool annot__op_is_idle(uint32_t op);
bool annot__op_is_marker(uint32_t op);

/* How many of the operations from `first` up to `end` are markers. False means that the dump
 * doesn't hold all of them. */
bool annot__ops_markers(const annot_reader *reader, uint64_t log, uint32_t first, uint32_t end,
                        uint32_t *markers);
