/* The page of one dump. */
#pragma once

#include <stdbool.h>

/* Writes the page of a dump, unless the file is there already. False: there is none. */
bool html_write_report(const char *dump, const char *path);
