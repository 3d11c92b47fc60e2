/* Makes the calls of a trace again, on one thread, in the order in which they began. A call that
 * waited is made at the place where it returned, because the awaited work is then submitted. The
 * results of calls and the readable mapped memory are compared with the trace. */
#pragma once

#include "../trace/read.h"
#include "options.h"

/* Replays the trace. False: nothing was replayed, and *why is a static text with the reason. The
 * runtime's library stays loaded. */
bool replay_run(struct trace *trace, const struct replay_options *options,
                struct replay_outcome *outcome, const char **why);
