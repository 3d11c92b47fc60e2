/* annot triage regroup|merge|split|name|why|undo: a person's edits of groups. */
#pragma once

#include <stdbool.h>

/* Whether this word is regroup, merge, split, name, why or undo. */
bool triage_is_edit(const char *word);
/* Makes the edit that argv[1] names. Returns the exit code. */
int triage_edit(int argc, char **argv);
