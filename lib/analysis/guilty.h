/* The word of the kernel and of its driver on who is guilty. */
#pragma once

#include "dump_read/dump_model.h"

/* The queue's identity: the driver's word, or that of which the kernel reset the engine; 0: none.
 */
uint64_t annot__guilty_queue(const annot_reader *reader);
