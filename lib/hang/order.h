/* Sorts the suspects. */
#pragma once

#include "reader/ask.h"

/* Sorts the suspects in the order in which reports show them. reader->allocation has the reason of
 * a failure. */
bool annot__order_suspects(annot_reader *reader);
