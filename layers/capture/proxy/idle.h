/*
 * Whether the GPU has completed all work of the program, as far as fences have told the program so.
 * While other work is under way, the contents of mapped memory differ from run to run and are not
 * recorded.
 */
#pragma once

#include "../../intercept/object.h"

/* Any thread, like all of these. */
void idle_submitted(const struct object *queue);
void idle_signals(const struct object *queue, const struct object *fence, uint64_t value);
/* Notes that the program was told that the fence has this value. */
void idle_reached(const struct object *fence, uint64_t value);
/* Notes that the program was told that all work has ended. */
void idle_reached_all(void);
/* The queue or fence ends. */
void idle_forget(const struct object *object);

bool idle_is(void);
