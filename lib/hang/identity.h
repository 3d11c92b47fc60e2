/* The identity of a hang, inside of the library: annot/fleet.h. */
#pragma once

#include "reader/ask.h"

/* "hang", "page fault", "application" or "lost". */
const char *annot__error_word(uint32_t error);

/* Whether the dump has all evidence. Even then its end may be cut in other parts. */
bool annot__evidence_is_whole(const annot_reader *reader);

/* Working memory for the function below; NULL means out of memory. NULL may be freed. */
struct annot__identity_room;
struct annot__identity_room *annot__identity_room_make(const annot_reader *reader);
void annot__identity_room_free(const annot_reader *reader, struct annot__identity_room *room);

/* A hash of a suspect's names and operation, which doesn't depend on the order of queues. */
uint64_t annot__identity_value(const annot_reader *reader, uint32_t suspect,
                               struct annot__identity_room *room);

/* The library's fact in which a redacted dump keeps its identity. */
#define ANNOT__IDENTITY_FACT "annot.identity.v2"

/* Reads the text of such a fact: an ID, then the parts' hashes, separated by blanks. False: the
 * text has another form. */
struct annot_identity;
bool annot__identity_is_stored(annot_text text, struct annot_identity *out);
