/* Settles what hangs. */
#pragma once

#include "reader/ask.h"

/* Runs at the end of loading: fills reader->suspects, waits and hang, and sorts reader->stops in
 * the same way. After a failure reader->allocation has the reason. */
bool annot__settle(annot_reader *reader);
