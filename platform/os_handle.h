/* Handles, mostly of events. On Linux a handle is a descriptor. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Makes an event that fences can set; it begins reset. 0 or -1: the system gave none. */
intptr_t os_event_create(void);
/* Makes a duplicate of the application's event, because the application may close its handle at
 * once. On Linux the handle is an eventfd, as in every D3D12 on Linux; on Windows it is an event.
 * False: it is no such handle, or there are no more handles. */
bool os_event_duplicate(void *handle, intptr_t *out);
void os_event_signal(intptr_t event);
void os_event_close(intptr_t event);

bool os_has_handle(uint64_t handle);
/* The identity that all duplicates of a handle share, if the system has one; else the handle. */
uint64_t os_handle_identity(uint64_t handle);
