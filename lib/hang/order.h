/* Sorts the suspects. */
#pragma once

#include "reader/ask.h"

/* Sorts the suspects by their order in reports. After a failure reader->allocation has the
 * reason. */
bool annot__order_suspects(annot_reader *reader);
