/* Private functions about a hang. The public functions are in annot/hang.h. */
#pragma once

#include "reader/ask.h"

/* Returns the stop (place of unfinished work) of a suspect, or NULL if the suspect has none. */
static inline const annot_reader_stop *annot__stop_of(const annot_reader *reader,
                                                      const annot_reader_suspect *suspect)
{
    return suspect->stop == ANNOT__NONE ? NULL : &reader->stops[suspect->stop];
}

/* Returns the suspect that the signature describes, or NULL. It may be a queue that only waits. */
static inline const annot_reader_suspect *annot__first_suspect(const annot_reader *reader)
{
    return reader->suspect_count > 0 ? &reader->suspects[0] : NULL;
}

/* Returns the suspect in the report's first line, or NULL. The suspect may still be at work. */
static inline const annot_reader_suspect *annot__known_suspect(const annot_reader *reader)
{
    const annot_reader_suspect *first = annot__first_suspect(reader);
    return first && first->role < ANNOT_SUSPECT_WAITING ? first : NULL;
}

/* Returns true if all evidence says that the suspect is at a BeginEvent that has not started. */
static inline bool annot__is_before_begin(const annot_reader_stop *stop,
                                          const annot_reader_suspect *suspect)
{
    return suspect->begin != ANNOT__NONE && suspect->begin != stop->entry &&
           suspect->begin != stop->bundle_entry;
}

/* Finds the open scopes around a suspect. If the GPU's front end is ahead of unfinished work, finds
 * the scopes around the oldest unfinished work; with `is_front`, around the front end. */
void annot__suspect_path(const annot_reader *reader, const annot_reader_suspect *suspect,
                         bool is_front, struct annot__path *path);

/* Gets the suspect's operation. Returns false if the dump has no record of this operation. */
bool annot__suspect_operation(const annot_reader *reader, const annot_reader_suspect *suspect,
                              annot_reader_operation *out);

/* Returns true if breadcrumbs show no unfinished operation before the suspect's operation, or don't
 * count this operation. The suspect's operation may be a later operation, which uses the address of
 * a page fault. */
static inline bool annot__is_oldest(const annot_reader *reader,
                                    const annot_reader_operation *operation)
{
    return operation->crumbs == ANNOT__NONE ||
           operation->number == reader->crumbs[operation->crumbs].fields.done;
}

/* Gets the suspect's operation from breadcrumbs: without a record, only the operation's kind. */
bool annot__suspect_counted(const annot_reader *reader, const annot_reader_suspect *suspect,
                            annot_reader_operation *out);

/* Gets the last recorded operation that may be in flight after the suspect's operation. */
bool annot__suspect_last(const annot_reader *reader, const annot_reader_suspect *suspect,
                         annot_reader_operation *out);

/* Returns true if a layer made the innermost scope of the suspect's path. Such a scope is around
 * one operation. */
bool annot__is_call(const annot_reader *reader, const annot_reader_suspect *suspect);

/* Why the path of a suspect is empty, although the suspect has a stop. */
enum annot__no_path {
    ANNOT__NO_PATH_LOST,    /* the dump lost the markers of the suspect's list */
    ANNOT__NO_PATH_BEGIN,   /* the suspect stopped where a scope begins */
    ANNOT__NO_PATH_OUTSIDE, /* no scope is open where the suspect stopped */
    ANNOT__NO_PATH_UNKNOWN, /* it is unknown which scopes are open at the suspect */
    ANNOT__NO_PATH_NO_MARKER
};
enum annot__no_path annot__no_path_of(const annot_reader *reader,
                                      const annot_reader_suspect *suspect);

/* Returns true if the execution's list has markers whose state is not known. */
bool annot__is_opaque(const annot_reader *reader, const struct annot__execution *execution);
