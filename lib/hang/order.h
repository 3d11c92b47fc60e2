/* The order of suspects. */
#pragma once

#include "reader/ask.h"

/* The only place that puts suspects in order. If it fails, reader->allocation says why. */
bool annot__order_suspects(annot_reader *reader);
