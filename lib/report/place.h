/* Where the GPU stopped, for everything that names a hang. */
#pragma once

#include "report/report.h"

/* "hang", "page fault", "application" or "lost". */
const char *annot__error_word(uint32_t error);

/* The value of the first fact of this key; empty: there is none. */
annot_text annot__fact_of(const annot_reader *reader, const char *key);
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
