/* What hangs, as everything says it: annot/hang.h. */
#pragma once

#include "reader/ask.h"

/* The stop of a suspect; NULL: it has none. */
static inline const annot_reader_stop *annot__stop_of(const annot_reader *reader,
                                                      const annot_reader_suspect *suspect)
{
    return suspect->stop == ANNOT__NONE ? NULL : &reader->stops[suspect->stop];
}

/* The suspect that the signature describes, perhaps a queue that only waits. NULL: there is none.
 */
static inline const annot_reader_suspect *annot__first_suspect(const annot_reader *reader)
{
    return reader->suspect_count > 0 ? &reader->suspects[0] : NULL;
}

/* The suspect that the first line is of: one that is known to be at work, or may be. */
static inline const annot_reader_suspect *annot__known_suspect(const annot_reader *reader)
{
    const annot_reader_suspect *first = annot__first_suspect(reader);
    return first && first->role < ANNOT_SUSPECT_WAITING ? first : NULL;
}

/* Whether the suspect is at a BeginEvent that nobody saw start. */
static inline bool annot__is_before_begin(const annot_reader_stop *stop,
                                          const annot_reader_suspect *suspect)
{
    return suspect->begin != ANNOT__NONE && suspect->begin != stop->entry &&
           suspect->begin != stop->bundle_entry;
}

/* The scopes that are open at a suspect: those that the front end has left, where it ran ahead of
 * the oldest that is not done; to `is_front` those where it was. */
void annot__suspect_path(const annot_reader *reader, const annot_reader_suspect *suspect,
                         bool is_front, struct annot__path *path);

/* Its operation, where one was noted. */
bool annot__suspect_operation(const annot_reader *reader, const annot_reader_suspect *suspect,
                              annot_reader_operation *out);

/* Whether the innermost scope of the suspect's path is the scope that a layer puts around the
 * operation. */
bool annot__is_call(const annot_reader *reader, const annot_reader_suspect *suspect);

/* Why the path of a suspect that has a stop is empty. */
enum annot__no_path {
    ANNOT__NO_PATH_LOST,    /* its list's markers are not in the dump */
    ANNOT__NO_PATH_BEGIN,   /* it is at the beginning of a scope */
    ANNOT__NO_PATH_OUTSIDE, /* it is known to be in none */
    ANNOT__NO_PATH_UNKNOWN, /* it is in one that is not known */
    ANNOT__NO_PATH_NO_MARKER
};
enum annot__no_path annot__no_path_of(const annot_reader *reader,
                                      const annot_reader_suspect *suspect);

/* Whether nothing is known of markers that the list has. */
bool annot__is_opaque(const annot_reader *reader, const struct annot__execution *execution);
