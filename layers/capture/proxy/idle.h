/* Decides whether the GPU has completed all work of the program, as far as the program knows from
 * fences. Mapped memory is recorded only then, because its contents differ from run to run while
 * the GPU works. */
#pragma once

#include "../../intercept/object.h"

/* Notes a submission. Any thread may call these functions. */
void idle_submitted(const struct object *queue);
void idle_signals(const struct object *queue, const struct object *fence, uint64_t value);
/* Notes that the program has read this value from the fence. */
void idle_reached(const struct object *fence, uint64_t value);
/* Notes that the program has learned the end of all work. */
void idle_reached_all(void);
/* Forgets a queue or a fence whose life ends. */
void idle_forget(const struct object *object);

bool idle_is(void);
