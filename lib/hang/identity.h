/* Private functions about the identity of a hang; annot/fleet.h has the public functions. */
#pragma once

#include "reader/ask.h"

/* Returns "hang", "page fault", "application" or "lost". */
const char *annot__error_word(uint32_t error);

/* Returns true if the dump has all evidence; other data of the dump may be cut. */
bool annot__evidence_is_whole(const annot_reader *reader);

/* Working memory for annot__identity_value. annot__identity_room_make returns NULL if memory runs
 * out. NULL may be freed. */
struct annot__identity_room;
struct annot__identity_room *annot__identity_room_make(const annot_reader *reader);
void annot__identity_room_free(const annot_reader *reader, struct annot__identity_room *room);

/* Returns a value that is lower if more evidence names the suspect's place; its other bits are a
 * hash of names and operation. The value doesn't depend on the order of queues. */
uint64_t annot__identity_value(const annot_reader *reader, uint32_t suspect,
                               struct annot__identity_room *room);

/* The key of the fact in which a redacted dump has its identity. */
#define ANNOT__IDENTITY_FACT "annot.identity.v2"

/* Reads the text of ANNOT__IDENTITY_FACT: an ID and the parts' hashes, separated by blanks. Returns
 * false if the text has another form. */
struct annot_identity;
bool annot__identity_is_stored(annot_text text, struct annot_identity *out);
