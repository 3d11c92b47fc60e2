/* Finds the operation of a stop, if breadcrumbs prove it. */
#pragma once

#include "dump_read/dump_model.h"

/* The oldest operation of an execution that is not done. */
struct annot__stopped {
    uint32_t crumbs; /* the breadcrumbs that prove it: the list's or the bundle's */
    uint32_t stream; /* the stream in which it was recorded */
    uint32_t number;
};

/* Finds it. False: breadcrumbs are missing, count only markers, contradict stronger evidence, or
 * don't match the dump's recording. O(log n). */
bool annot__operation_of_stop(const annot_reader *reader, const annot_reader_stop *stop,
                              struct annot__stopped *out);

/* Gets an operation as the list `stream` noted it. Fails if these breadcrumbs have another kind for
 * this number. `crumbs` or `stream` may be ANNOT__NONE. */
bool annot__operation_at(const annot_reader *reader, uint32_t crumbs, uint32_t stream,
                         uint32_t number, annot_reader_operation *out);

/* How far the GPU came with an operation of the execution's recording (`bundle` is ANNOT__NONE), or
 * of the bundle that the BUNDLE entry `bundle` executes. O(log n). */
annot_operation_state annot__operation_state(const annot_reader *reader, uint32_t execution,
                                             uint32_t bundle,
                                             const annot_reader_operation *operation);
