/* Settles what hangs. */
#pragma once

#include "reader/ask.h"

/* Call it at the end of loading. It fills reader->suspects, waits and hang, and sorts reader->stops
 * as the suspects. After a failure reader->allocation has the reason. */
bool annot__settle(annot_reader *reader);
