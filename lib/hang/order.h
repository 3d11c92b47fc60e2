/* Sorts the suspects. */
#pragma once

#include "reader/ask.h"

/* Sorts the suspects in the order of reports. A failure leaves its reason in reader->allocation. */
bool annot__order_suspects(annot_reader *reader);
