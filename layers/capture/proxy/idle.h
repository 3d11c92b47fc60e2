/* Decides whether the GPU has completed all work of the program, as far as the program knows from
 * fences. Mapped memory is recorded only then, because its contents differ from run to run while
 * the GPU works. */
#pragma once

#include "../../intercept/object.h"

/* Notes a submission of the program. Any thread may call the functions of this header. */
void idle_submitted(const struct object *queue);
void idle_signals(const struct object *queue, const struct object *fence, uint64_t value);
/* Notes that the program has read the value `value` from the fence. */
void idle_reached(const struct object *fence, uint64_t value);
/* Notes that all GPU work has ended, and that the program knows it. */
void idle_reached_all(void);
/* Forgets a queue or a fence that the runtime destroys. */
void idle_forget(const struct object *object);

bool idle_is(void);
