/* Finds a group in the database of annot triage when a person names it, and says why two dumps are
 * in one group. */
#pragma once

#include "triage_store.h"

#include <annot/fleet.h>

struct triage_found {
    /* The signature that was found; "": the dump has no signature. */
    char signature[ANNOT_SIGNATURE_ID_MAX];
    char file[4096]; /* path of the dump; "" if the user gave a signature */
};

/* Finds what a person names: a signature, or a dump by any path to its file. A group's name is a
 * signature, too. Prints the reason of a failure. */
bool triage_find(struct triage_store *store, const char *what, struct triage_found *out);

/* Prints why `a` and `b` are in one group. If `b` is NULL, the function takes the name of `a`'s
 * group. `output` is "text" or "json". Returns the exit code. */
int triage_why(struct triage_store *store, const char *a, const char *b, const char *output);
