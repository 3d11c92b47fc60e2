/* What the library knows about a hang; annot/hang.h has the public part. */
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

/* The suspect of the report's first line: it is at work, or may be. */
static inline const annot_reader_suspect *annot__known_suspect(const annot_reader *reader)
{
    const annot_reader_suspect *first = annot__first_suspect(reader);
    return first && first->role < ANNOT_SUSPECT_WAITING ? first : NULL;
}

/* Whether the suspect is at a BeginEvent that, by all evidence, has not started. */
static inline bool annot__is_before_begin(const annot_reader_stop *stop,
                                          const annot_reader_suspect *suspect)
{
    return suspect->begin != ANNOT__NONE && suspect->begin != stop->entry &&
           suspect->begin != stop->bundle_entry;
}

/* Finds the scopes that are open at a suspect. If the front end ran ahead, these are the scopes of
 * the oldest unfinished work; with `is_front`, those of the front end. */
void annot__suspect_path(const annot_reader *reader, const annot_reader_suspect *suspect,
                         bool is_front, struct annot__path *path);

/* Gets the suspect's operation, if one was noted. */
bool annot__suspect_operation(const annot_reader *reader, const annot_reader_suspect *suspect,
                              annot_reader_operation *out);

/* Whether it is the first that breadcrumbs count as not done, or none counts it. A later one is a
 * suspect's operation if the address of a page fault belongs to it. */
static inline bool annot__is_oldest(const annot_reader *reader,
                                    const annot_reader_operation *operation)
{
    return operation->crumbs == ANNOT__NONE ||
           operation->number == reader->crumbs[operation->crumbs].fields.done;
}

/* Gets the operation that breadcrumbs count to, noted or not: without a note only its kind is
 * known. */
bool annot__suspect_counted(const annot_reader *reader, const annot_reader_suspect *suspect,
                            annot_reader_operation *out);

/* The last of those that may have been in flight behind it, where one was noted. */
bool annot__suspect_last(const annot_reader *reader, const annot_reader_suspect *suspect,
                         annot_reader_operation *out);

/* Whether the innermost scope of the suspect's path is a layer's scope around the operation. */
bool annot__is_call(const annot_reader *reader, const annot_reader_suspect *suspect);

/* Why the path of a suspect that has a stop is empty. */
enum annot__no_path {
    ANNOT__NO_PATH_LOST,    /* the markers of the suspect's list are not in the dump */
    ANNOT__NO_PATH_BEGIN,   /* the suspect is at the beginning of a scope */
    ANNOT__NO_PATH_OUTSIDE, /* the suspect is in no scope */
    ANNOT__NO_PATH_UNKNOWN, /* the suspect's scope is not known */
    ANNOT__NO_PATH_NO_MARKER
};
enum annot__no_path annot__no_path_of(const annot_reader *reader,
                                      const annot_reader_suspect *suspect);

/* Whether the list has markers, but their states are not known. */
bool annot__is_opaque(const annot_reader *reader, const struct annot__execution *execution);
