/* The word of the kernel and of its driver on who is guilty. */
#pragma once

#include "dump_read/dump_model.h"

/* The guilty queue: the driver's answer, else the queue whose engine was reset; 0: none.
 */
uint64_t annot__guilty_queue(const annot_reader *reader);
