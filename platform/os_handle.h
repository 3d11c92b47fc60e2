/* Makes and uses handles, mostly handles of events. On Linux a handle is a descriptor. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Makes an event for fences; at first the event is not set. Returns 0 or -1 on failure. */
intptr_t os_event_create(void);
/* Duplicates an event of the application, because the application may close its handle at once. On
 * Linux the handle is an eventfd, as in every D3D12 on Linux; on Windows it is an event. Returns
 * false if `handle` is not such a handle, or if the system has no more handles. */
bool os_event_duplicate(void *handle, intptr_t *out);
void os_event_signal(intptr_t event);
void os_event_close(intptr_t event);

bool os_has_handle(uint64_t handle);
/* Returns an identity that a handle and its duplicates have in common. If the system has no
 * identity, returns the handle itself. */
uint64_t os_handle_identity(uint64_t handle);
