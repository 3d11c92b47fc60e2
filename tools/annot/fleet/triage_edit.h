/* annot triage regroup|merge|split|name|why|undo: a person's edits of groups. */
#pragma once

#include <stdbool.h>

/* Whether this word is one of the edits above. */
bool triage_is_edit(const char *word);
/* Makes the edit argv[1]. Returns the exit code. */
int triage_edit(int argc, char **argv);
