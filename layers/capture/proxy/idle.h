/*
 * Says whether the GPU has completed all work of the program, as far as fences told the program.
 * While the GPU works, the contents of mapped memory differ from run to run, so they are not
 * recorded.
 */
#pragma once

#include "../../intercept/object.h"

/* Notes a submission. Any thread may call these functions. */
void idle_submitted(const struct object *queue);
void idle_signals(const struct object *queue, const struct object *fence, uint64_t value);
/* Notes that the program knows that the fence has this value. */
void idle_reached(const struct object *fence, uint64_t value);
/* Notes that the program knows that all work has ended. */
void idle_reached_all(void);
/* Forgets a queue or fence that ends. */
void idle_forget(const struct object *object);

bool idle_is(void);
