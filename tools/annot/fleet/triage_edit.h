/* annot triage regroup|merge|split|name|why|undo: lets a person edit the groups of dumps. */
#pragma once

#include <stdbool.h>

/* Whether the word is regroup, merge, split, name, why or undo. */
bool triage_is_edit(const char *word);
/* Performs the command of triage that argv[1] names. Returns the exit code. */
int triage_edit(int argc, char **argv);
