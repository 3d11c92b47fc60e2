/* Writes a dump's HTML page into a file. */
#pragma once

#include <stdbool.h>

/* Writes a dump's page to `path`, which must not exist yet. False: no page was written. */
bool html_write_report(const char *dump, const char *path);
