/* The guilty queue, as the kernel and its driver name it. */
#pragma once

#include "dump_read/dump_model.h"

/* The queue that the driver names as guilty, or else the queue of the engine that was reset; 0:
 * none. */
uint64_t annot__guilty_queue(const annot_reader *reader);
