/* Settles what hangs. */
#pragma once

#include "reader/ask.h"

/* At the end of loading: fills reader->suspects, waits and hang, and moves reader->stops to their
 * order and places. False: reader->allocation. */
bool annot__settle(annot_reader *reader);
