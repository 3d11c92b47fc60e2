/* Makes the timeline's slices for the GPU's work on one queue. */
#pragma once

#include "timeline/timeline_model.h"

/* Adds the slices of a queue's submissions from `first` to `end - 1`, on the newest track. */
void annot__timeline_queue(struct annot_timeline *timeline, uint32_t first, uint32_t end);
