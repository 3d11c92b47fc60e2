/* Finds the operation at which a queue stopped, if breadcrumbs show it. */
#pragma once

#include "dump_read/dump_model.h"

/* Where an execution stopped: its oldest operation that is not done. */
struct annot__stopped {
    uint32_t crumbs; /* index of the breadcrumbs of the list or bundle that stopped */
    uint32_t stream; /* index of the stream that contains the operation */
    uint32_t number;
};

/* Finds the operation at a stop. Returns false if breadcrumbs are missing, count only markers,
 * contradict stronger evidence, or don't match the recording. O(log n). */
bool annot__operation_of_stop(const annot_reader *reader, const annot_reader_stop *stop,
                              struct annot__stopped *out);

/* Gets operation `number` from the records of the list `stream`. Returns false if the breadcrumbs
 * `crumbs` show another kind for this number. `crumbs` or `stream` may be ANNOT__NONE. */
bool annot__operation_at(const annot_reader *reader, uint32_t crumbs, uint32_t stream,
                         uint32_t number, annot_reader_operation *out);

/* Returns how far the GPU got in an operation. If a bundle has the operation, `bundle` is the
 * list's BUNDLE entry; if the list itself has the operation, `bundle` is ANNOT__NONE. O(log n). */
annot_operation_state annot__operation_state(const annot_reader *reader, uint32_t execution,
                                             uint32_t bundle,
                                             const annot_reader_operation *operation);
