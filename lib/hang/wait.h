/* Queues that wait, and what they wait for. */
#pragma once

#include "reader/ask.h"

/* Finds each queue's wait, if the kernel or the layer reports one. */
void annot__hold_queues(annot_reader *reader);

/* Whether this submission of the queue has certainly not begun: the queue waits before it. */
bool annot__is_held(const annot_reader *reader, uint32_t queue, uint64_t serial);

/* Fills reader->waits. Call it after the suspects are sorted. */
void annot__find_waits(annot_reader *reader);
