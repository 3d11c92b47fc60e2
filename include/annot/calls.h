/*
 * For layers that number the application's API calls, as annot capture does. Dumps then name the
 * call that the GPU hung on [ANN-TRACE-05].
 */
#ifndef ANNOT_CALLS_H
#define ANNOT_CALLS_H

#include "export.h"

#include <stdint.h>

ANNOT_BEGIN_DECLS

/* A layer's function that returns the number of this thread's current API call, or 0. */
typedef uint64_t (*annot_call_counter)(void);

/* Sets the function that numbers the calls of this process; NULL removes the function. Each
 * recording that begins from now on keeps the number of the call that began it, and dumps show the
 * number. Other threads may still be calling the old function. Any thread. */
ANNOT_API void annot_set_call_counter(annot_call_counter counter);

ANNOT_END_DECLS

#endif
