/* Writes the first line of a report, and advice for the person who reads it. */
#pragma once

#include "report/line.h"

/* Writes an operation, for example `Dispatch(1, 1, 1) with "Spin" (cs 3fa91c2d)`. */
void annot__line_operation(struct annot__line *line, const annot_reader_operation *operation);

void annot__line_answer(struct annot__line *line);

/* Defined in advice.c. Writes paragraph `index` of the advice. Returns false if the advice has
 * fewer paragraphs. */
bool annot__line_advice(struct annot__line *line, uint32_t index);
