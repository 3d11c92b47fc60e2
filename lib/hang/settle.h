/* Settles what hangs. */
#pragma once

#include "reader/ask.h"

/* At the end of loading: fills reader->suspects, waits and hang, and moves reader->stops to their
 * order and places. If it fails, reader->allocation says why. */
bool annot__settle(annot_reader *reader);
