/*
 * For a layer that numbers the application's calls, as annot capture does. Dumps then name the call
 * that a GPU hung on [ANN-TRACE-05].
 */
#ifndef ANNOT_CALLS_H
#define ANNOT_CALLS_H

#include "export.h"

#include <stdint.h>

ANNOT_BEGIN_DECLS

/* Returns the number of the API call that this thread is making; 0: none. */
typedef uint64_t (*annot_call_counter)(void);

/* Sets the process's counter. Recordings that begin from now on keep its number, and dumps hold it.
 * NULL removes the counter. Other threads may still call the old counter. Any thread. */
ANNOT_API void annot_set_call_counter(annot_call_counter counter);

ANNOT_END_DECLS

#endif
