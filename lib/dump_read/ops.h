/* The operations of recordings, which breadcrumbs count. Every question takes logarithmic time. */
#pragma once

#include "dump_read/dump_model.h"

/* Once, before the questions below. */
void annot__ops_prepare(annot_reader *reader);

/* D3D12_AUTO_BREADCRUMB_OP of this operation of the recording `log`, or ANNOT__NONE: the dump
 * doesn't hold it. */
uint32_t annot__op_at(const annot_reader *reader, uint64_t log, uint32_t number);

/* Whether the GPU has nothing to do there: markers, state, and where a submission or a list begins
 * or ends. Barriers, the halves of split ones too, wait, and are not idle. */
bool annot__op_is_idle(uint32_t op);

/* How many of the operations from `first` up to `end` are markers. False means that the dump
 * doesn't hold all of them. */
bool annot__ops_markers(const annot_reader *reader, uint64_t log, uint32_t first, uint32_t end,
                        uint32_t *markers);
