/* Finds the queues that wait, and the fences for which they wait. */
#pragma once

#include "reader/ask.h"

/* Finds which queues wait, and for which fence, if the kernel or the layer reported this. */
void annot__hold_queues(annot_reader *reader);

/* Returns true if the queue certainly waits for a fence before this submission, so that the
 * submission has not begun. */
bool annot__is_held(const annot_reader *reader, uint32_t queue, uint64_t serial);

/* Returns true if the suspect's list waits for a fence, by breadcrumbs, or waits for ever. */
bool annot__waits_inside(const annot_reader *reader, const annot_reader_suspect *suspect);

/* Finds the waits between queues, and stores them in reader->waits. The suspects must be sorted. */
void annot__find_waits(annot_reader *reader);
