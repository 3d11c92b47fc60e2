/*
 * Makes the calls of a trace again, on one thread, in the order in which they began. Calls that
 * waited are made at the place where they returned: by then, what they waited for has been
 * submitted. The results of calls, and the mapped memory that the program could read, are compared
 * with the trace.
 */
#pragma once

#include "../trace/read.h"
#include "options.h"

/* False means that nothing was replayed; *why is static. The runtime's library stays loaded. */
bool replay_run(struct trace *trace, const struct replay_options *options,
                struct replay_outcome *outcome, const char **why);

/* Removes the files of a replay that `late` ends. */
void replay_abandon(void);

/* Limits the process's own memory to so many bytes; a call that needs more fails. False means that
 * the system has no such limit. */
bool replay_limit_memory(uint64_t bytes);
