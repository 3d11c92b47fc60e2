/* Settles what hangs. */
#pragma once

#include "reader/ask.h"

/* Fills reader->suspects, waits and hang, and sorts reader->stops like the suspects, at the end of
 * loading. After a failure reader->allocation has the reason. */
bool annot__settle(annot_reader *reader);
