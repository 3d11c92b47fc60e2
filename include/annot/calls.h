/*
 * For a layer that numbers the application's calls, as annot capture does: dumps then lead to the
 * call that a GPU hung on [ANN-TRACE-05].
 */
#ifndef ANNOT_CALLS_H
#define ANNOT_CALLS_H

#include "export.h"

#include <stdint.h>

ANNOT_BEGIN_DECLS

/* Returns the number of the call that the calling thread is making, 0: none. */
typedef uint64_t (*annot_call_counter)(void);

/* Recordings that begin from now on keep the number, and dumps hold it. NULL: none any more. One
 * for the process; `counter` stays callable. Any thread. */
ANNOT_API void annot_set_call_counter(annot_call_counter counter);

ANNOT_END_DECLS

#endif
