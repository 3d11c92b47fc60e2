/* The GPU's work on one queue. */
#pragma once

#include "timeline/timeline_model.h"

/* The slices of the submissions from `first` to `end`, which are one queue's, on the last track. */
void annot__timeline_queue(struct annot_timeline *timeline, uint32_t first, uint32_t end);
