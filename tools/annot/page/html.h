/* The page of one dump. */
#pragma once

#include <stdbool.h>

/* Writes the page of a dump, unless the file exists already. False means that there is no page. */
bool html_write_report(const char *dump, const char *path);
