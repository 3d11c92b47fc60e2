/* Restores the inputs of the runtime that the recording found outside of its calls. */
#ifndef REPLAY_SURROUNDINGS_H
#define REPLAY_SURROUNDINGS_H

#include "../trace/read.h"

/* A variable. Those that name files for output are left as they are. */
void surroundings_set_variable(const struct trace_item *item);

/* The settings file, written to a folder of its own. */
void surroundings_put_file(const struct trace_item *item);
void surroundings_remove_file(void);

/* An adapter that has this LUID and nothing else, for good. NULL: out of memory. */
void *surroundings_adapter(uint64_t luid, uint64_t which);

/* Has the runtime list its adapters: it knows those of DXCore and DXGI by LUID once they were
 * listed, as the recorded program had done. */
void surroundings_list_adapters(void *library);

#endif
