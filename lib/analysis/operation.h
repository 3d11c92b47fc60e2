/* Finds the operation of a stop, if breadcrumbs prove it. */
#pragma once

#include "dump_read/dump_model.h"

/* An execution's oldest operation that is not done. */
struct annot__stopped {
    uint32_t crumbs; /* index of the breadcrumbs that prove where the list or bundle stopped */
    uint32_t stream; /* index of the stream that has the operation */
    uint32_t number;
};

/* Finds the operation of a stop. Returns false if breadcrumbs are missing, count only markers,
 * contradict stronger evidence, or don't match the recording. O(log n). */
bool annot__operation_of_stop(const annot_reader *reader, const annot_reader_stop *stop,
                              struct annot__stopped *out);

/* Gets operation `number` as the list `stream` noted it. Returns false if `crumbs` have another
 * kind for this number. `crumbs` or `stream` may be ANNOT__NONE. */
bool annot__operation_at(const annot_reader *reader, uint32_t crumbs, uint32_t stream,
                         uint32_t number, annot_reader_operation *out);

/* Returns how far the GPU came with an operation of the execution's recording (`bundle` is
 * ANNOT__NONE), or of the bundle that the BUNDLE entry `bundle` executes. O(log n). */
annot_operation_state annot__operation_state(const annot_reader *reader, uint32_t execution,
                                             uint32_t bundle,
                                             const annot_reader_operation *operation);
