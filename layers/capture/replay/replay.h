/* Makes the calls of a trace again, on one thread, in the order in which they began. A call that
 * waited is made at the place of its return, when the awaited work was submitted. The results of
 * calls and the readable mapped memory are compared with the trace. */
#pragma once

#include "../trace/read.h"
#include "options.h"

/* Replays the trace. False means that nothing was replayed; *why is a static reason. The runtime's
 * library stays loaded. */
bool replay_run(struct trace *trace, const struct replay_options *options,
                struct replay_outcome *outcome, const char **why);

/* Removes the files of a replay. For `late`, which ends the process. */
void replay_abandon(void);

/* Limits this process's memory to so many bytes; a call that needs more fails. False: the system
 * has no such limit. */
bool replay_limit_memory(uint64_t bytes);
