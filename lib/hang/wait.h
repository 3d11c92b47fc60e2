/* Finds the queues that wait, and the fences that they wait for. */
#pragma once

#include "reader/ask.h"

/* Finds the wait of each queue, if the kernel or the layer reports a wait. */
void annot__hold_queues(annot_reader *reader);

/* Returns true if the submission has certainly not begun, because the queue waits for a fence
 * before the submission. */
bool annot__is_held(const annot_reader *reader, uint32_t queue, uint64_t serial);

/* Fills reader->waits, after the suspects were sorted. */
void annot__find_waits(annot_reader *reader);
