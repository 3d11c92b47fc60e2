/* Settles what hangs. */
#pragma once

#include "reader/ask.h"

/* Finds suspects, waits and the kind of failure when a dump was loaded, and sorts reader->stops
 * like the suspects. A failure leaves its reason in reader->allocation. */
bool annot__settle(annot_reader *reader);
