/* The order of suspects. */
#pragma once

#include "reader/ask.h"

/* The only place that puts suspects in order. False: reader->allocation. */
bool annot__order_suspects(annot_reader *reader);
