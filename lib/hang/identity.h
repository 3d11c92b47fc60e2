/* Private functions about the identity of a hang. The public functions are in annot/fleet.h. */
#pragma once

#include "reader/ask.h"

/* Returns true if no evidence of the dump was lost. Other data of the dump may be lost. */
bool annot__evidence_is_whole(const annot_reader *reader);

/* Working memory for annot__identity_value. annot__identity_room_make returns NULL if memory runs
 * out. NULL may be freed. */
struct annot__identity_room;
struct annot__identity_room *annot__identity_room_make(const annot_reader *reader);
void annot__identity_room_free(const annot_reader *reader, struct annot__identity_room *room);

/* Returns a number that is lower if more evidence names the suspect's place. Its low bits are a
 * hash of names and operation. The order of queues does not matter. */
uint64_t annot__identity_value(const annot_reader *reader, uint32_t suspect,
                               struct annot__identity_room *room);

/* Key of the fact that stores a hang's identity in a redacted dump. */
#define ANNOT__IDENTITY_FACT "annot.identity.v2"

/* Parses the text of ANNOT__IDENTITY_FACT: an ID and hashes of its parts, separated by blanks.
 * Returns false if the text has another form. */
struct annot_identity;
bool annot__identity_is_stored(annot_text text, struct annot_identity *out);
