/* Writes the HTML page of one dump. */
#pragma once

#include <stdbool.h>

/* Writes the page of a dump, unless the file exists already. False: no page was written. */
bool html_write_report(const char *dump, const char *path);
