/* The overview of annot triage as a page. */
#pragma once

#include "triage_store.h"

#include <stdio.h>

/* `reports`: a folder that gets the report of each group's newest dump, unless it has one; NULL:
 * none are written. False: said why. */
bool triage_write_html(struct triage_store *store, const struct triage_totals *totals,
                       uint64_t limit, const char *reports, FILE *file);
