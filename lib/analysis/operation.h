/* Finds the operation that a stop is at, where breadcrumbs prove it. */
#pragma once

#include "dump_read/dump_model.h"

/* The oldest operation of an execution that is not done. */
struct annot__stopped {
    uint32_t crumbs; /* that say so: the list's, or the bundle's */
    uint32_t stream; /* where it was recorded */
    uint32_t number;
};

/* False means breadcrumbs are missing, count only markers, contradict stronger evidence, or don't
 * match the dump's recording. O(log n). */
bool annot__operation_of_stop(const annot_reader *reader, const annot_reader_stop *stop,
                              struct annot__stopped *out);

/* An operation of the recording `stream` as the list noted it. Its kind must be the kind that these
 * breadcrumbs count at that number. `crumbs` or `stream` may be ANNOT__NONE. */
bool annot__operation_at(const annot_reader *reader, uint32_t crumbs, uint32_t stream,
                         uint32_t number, annot_reader_operation *out);

/* How far the execution came with an operation of its recording, or of the bundle that this BUNDLE
 * entry executes; `bundle` is ANNOT__NONE otherwise. O(log n). */
annot_operation_state annot__operation_state(const annot_reader *reader, uint32_t execution,
                                             uint32_t bundle,
                                             const annot_reader_operation *operation);
