/* Where the GPU stopped, for everything that names a hang. */
#pragma once

#include "reader/ask.h"

/* "hang", "page fault", "application" or "lost". */
const char *annot__error_word(uint32_t error);

/* The breadcrumbs of the bundle that the execution is in, or the execution's own; NONE. */
uint32_t annot__place_crumbs(const annot_reader *reader, const annot_reader_stop *stop);
/* The operation that is not done; ANNOT__NONE: not known, or none is left. */
uint32_t annot__place_operation(const annot_reader *reader, uint32_t crumbs);
/* Moves the stop to the scope that breadcrumbs tell. A BeginEvent that is not done counts as around
 * itself where `begin` asks for it: it gets the entry. False: they can't be counted. */
bool annot__place_refine(const annot_reader *reader, uint32_t crumbs, uint32_t op,
                         annot_reader_stop *stop, uint32_t *begin);
/* The BeginEvent that is not done, by breadcrumbs, where it is not known to have started; NONE. */
uint32_t annot__place_begin(const annot_reader *reader, const annot_reader_stop *stop);
/* The same stop where breadcrumbs tell it, and else where the driver does. */
annot_reader_stop annot__place_stop(const annot_reader *reader, const annot_reader_stop *stop);
/* The scopes around the place that the identity is of. */
void annot__place_path(const annot_reader *reader, const annot_reader_stop *stop,
                       struct annot__path *path);
/* Whether the innermost scope at the stop is known by what the driver or breadcrumbs follow. */
bool annot__place_is_exact(const annot_reader *reader, const annot_reader_stop *stop);
/* An operation that may hang: markers don't, and a bundle is what is in it. */
bool annot__op_is_work(uint32_t op);

/* False: evidence may be missing, which is a dump's last part. */
bool annot__evidence_is_whole(const annot_reader *reader);

/* Where a redacted dump keeps its identity: a fact of the library's. */
#define ANNOT__IDENTITY_FACT "annot.identity.v2"

/* Whether it is an identity as such a fact has it: an ID, and the parts' hashes behind blanks.
 * `out` gets them. */
struct annot_identity;
bool annot__identity_is_stored(annot_text text, struct annot_identity *out);

enum annot__certainty { ANNOT__NOT_KNOWN, ANNOT__AMONG_OTHERS, ANNOT__CERTAIN };

/* The operation that breadcrumbs or the scope in progress name. */
enum annot__certainty annot__answer_operation(const annot_reader *reader,
                                              const annot_reader_stop *stop,
                                              annot_reader_operation *out);

/* annot_reader_stop_operation. */
bool annot__stop_operation(const annot_reader *reader, const annot_reader_stop *stop,
                           annot_reader_operation *out);
