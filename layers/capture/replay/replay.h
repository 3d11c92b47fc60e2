/* Makes the calls of a trace again, on one thread, in the order in which they began. A call that
 * waited is made where it returned, because the awaited work is submitted by then. Replay compares
 * the results of calls, and the readable mapped memory, with the trace. */
#pragma once

#include "../trace/read.h"
#include "options.h"

/* Replays the trace. False: nothing was replayed, and *why is a static text with the reason. The
 * library of the runtime stays loaded. */
bool replay_run(struct trace *trace, const struct replay_options *options,
                struct replay_outcome *outcome, const char **why);
