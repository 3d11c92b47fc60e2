/* The order of suspects. */
#pragma once

#include "reader/ask.h"

/* Sorts the suspects; no other function does. After a failure reader->allocation has the reason. */
bool annot__order_suspects(annot_reader *reader);
