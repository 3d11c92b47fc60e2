/* annot triage regroup|merge|split|name|why|undo: what a person says about groups. */
#pragma once

#include <stdbool.h>

/* Whether this word is one of them. */
bool triage_is_edit(const char *word);
/* argv[1] is. Returns the exit code. */
int triage_edit(int argc, char **argv);
