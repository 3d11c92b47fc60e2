/* Private functions about a hang; annot/hang.h has the public functions. */
#pragma once

#include "reader/ask.h"

/* Returns the stop of a suspect, or NULL if the suspect has no stop. */
static inline const annot_reader_stop *annot__stop_of(const annot_reader *reader,
                                                      const annot_reader_suspect *suspect)
{
    return suspect->stop == ANNOT__NONE ? NULL : &reader->stops[suspect->stop];
}

/* Returns the suspect that the signature describes, which may be a queue that only waits; or NULL.
 */
static inline const annot_reader_suspect *annot__first_suspect(const annot_reader *reader)
{
    return reader->suspect_count > 0 ? &reader->suspects[0] : NULL;
}

/* Returns the suspect of the report's first line, which may be at work; or NULL. */
static inline const annot_reader_suspect *annot__known_suspect(const annot_reader *reader)
{
    const annot_reader_suspect *first = annot__first_suspect(reader);
    return first && first->role < ANNOT_SUSPECT_WAITING ? first : NULL;
}

/* Returns true if the suspect is at a BeginEvent that has not started, as all evidence says. */
static inline bool annot__is_before_begin(const annot_reader_stop *stop,
                                          const annot_reader_suspect *suspect)
{
    return suspect->begin != ANNOT__NONE && suspect->begin != stop->entry &&
           suspect->begin != stop->bundle_entry;
}

/* Finds the scopes that are open at a suspect. If the GPU's front end is ahead of the work, these
 * are the scopes around the oldest unfinished work, or if `is_front`, around the front end. */
void annot__suspect_path(const annot_reader *reader, const annot_reader_suspect *suspect,
                         bool is_front, struct annot__path *path);

/* Gets the suspect's operation, if the operation was noted. */
bool annot__suspect_operation(const annot_reader *reader, const annot_reader_suspect *suspect,
                              annot_reader_operation *out);

/* Returns true if the suspect's operation is the oldest that is not done by breadcrumbs, or if
 * breadcrumbs don't count the operation. The suspect's operation may be a later operation that uses
 * the address of a page fault. */
static inline bool annot__is_oldest(const annot_reader *reader,
                                    const annot_reader_operation *operation)
{
    return operation->crumbs == ANNOT__NONE ||
           operation->number == reader->crumbs[operation->crumbs].fields.done;
}

/* Gets the suspect's operation by breadcrumbs; if the list did not note the operation, only its
 * kind is known. */
bool annot__suspect_counted(const annot_reader *reader, const annot_reader_suspect *suspect,
                            annot_reader_operation *out);

/* Gets the last noted operation that may have been in flight after the suspect's operation. */
bool annot__suspect_last(const annot_reader *reader, const annot_reader_suspect *suspect,
                         annot_reader_operation *out);

/* Returns true if a layer made the innermost scope of the suspect's path, which is around one
 * operation. */
bool annot__is_call(const annot_reader *reader, const annot_reader_suspect *suspect);

/* The reason why a suspect with a stop has an empty path. */
enum annot__no_path {
    ANNOT__NO_PATH_LOST,    /* the dump lacks the markers of the suspect's list */
    ANNOT__NO_PATH_BEGIN,   /* the suspect is at the beginning of a scope */
    ANNOT__NO_PATH_OUTSIDE, /* the suspect is outside all scopes */
    ANNOT__NO_PATH_UNKNOWN, /* the suspect's scope is not known */
    ANNOT__NO_PATH_NO_MARKER
};
enum annot__no_path annot__no_path_of(const annot_reader *reader,
                                      const annot_reader_suspect *suspect);

/* Returns true if the list has markers, but the markers' states are not known. */
bool annot__is_opaque(const annot_reader *reader, const struct annot__execution *execution);
