/* The guilty queue, as the kernel and its driver name it. */
#pragma once

#include "dump_read/dump_model.h"

/* The guilty queue: the driver's answer, else the queue whose engine was reset; 0: none.
 */
uint64_t annot__guilty_queue(const annot_reader *reader);
