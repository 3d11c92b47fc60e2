/* The line that a report begins with, and what it tells its reader to do. */
#pragma once

#include "hang/place.h"
#include "report/line.h"

/* `Dispatch(1, 1, 1) with "Spin" (cs 3fa91c2d)` */
void annot__line_operation(struct annot__line *line, const annot_reader_operation *operation);

/* The first list that is being recorded; NULL: there is none. */
const struct annot__stream *annot__first_recorded(const annot_reader *reader);

void annot__line_answer(struct annot__line *line);

/* advice.c: paragraph `index`; false: there is none. */
bool annot__line_advice(struct annot__line *line, uint32_t index);
