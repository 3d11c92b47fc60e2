/* Finds a group in a database of annot triage by the words of a person, and says why two dumps are
 * in one group. */
#pragma once

#include "triage_store.h"

#include <annot/fleet.h>

struct triage_found {
    char signature[ANNOT_SIGNATURE_ID_MAX]; /* the signature; "": the dump has no signature */
    char file[4096];                        /* the dump's path; "" if the user gave a signature */
};

/* Finds a signature, or a dump by any path to its file. A group is found by its name, which is a
 * signature. If it fails, it prints the reason. */
bool triage_find(struct triage_store *store, const char *what, struct triage_found *out);

/* Prints why `a` and `b` are in one group. If `b` is NULL, the name of `a`'s group takes its place.
 * `output` is text or json. Returns the exit code. */
int triage_why(struct triage_store *store, const char *a, const char *b, const char *output);
