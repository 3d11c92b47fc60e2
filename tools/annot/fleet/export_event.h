/* A dump as an event for services that collect crashes. */
#pragma once

#include "json_writer.h"
#include "summary.h"

/* One object each; docs/TRIAGE.md says which members. */
void export_sentry(struct annot__json *out, const char *file, const struct dump_summary *summary);
void export_backtrace(struct annot__json *out, const char *file,
                      const struct dump_summary *summary);
