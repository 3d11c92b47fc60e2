/* Writes what queues and the CPU wait for, and who could end these waits [ANN-LEAVE-03]. */
#pragma once

#include "report/line.h"

void annot__line_wait(struct annot__line *line, const annot_reader_wait *wait);
/* Writes, after a colon, the wait or the circle of waits that the first line names, and what to do
 * about it. Returns false if there is no wait. */
bool annot__line_first_wait(struct annot__line *line);
bool annot__line_wait_advice(struct annot__line *line);
