/* Writes a dump's HTML page into a file. */
#pragma once

/* Writes a dump's page to `path` for a command, unless a file is there. Returns EXIT_FINE,
 * EXIT_DAMAGED if the dump can't be read, or EXIT_UNUSABLE after a message if the page can't be
 * written. */
int html_write_report(const char *command, const char *dump, const char *path);
