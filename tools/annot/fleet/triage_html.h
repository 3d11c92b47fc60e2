/* The overview of annot triage as a page without script. */
#ifndef ANNOT_TOOL_TRIAGE_HTML_H
#define ANNOT_TOOL_TRIAGE_HTML_H

#include "triage_store.h"

#include <stdio.h>

/* False: said why. */
bool triage_write_html(struct triage_store *store, const struct triage_totals *totals,
                       uint64_t limit, FILE *file);

#endif
