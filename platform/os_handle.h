/* Handles, of events above all. A handle is a descriptor on Linux. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Makes an event, reset, that fences can set. 0 or -1: the system gave none. */
intptr_t os_event_create(void);
/* An event of our own that signals the application's: the application may close its handle at once.
 * On Linux the handle is an eventfd as in every D3D12 on Linux, on Windows an event. False means
 * not a handle, or no more of them. */
bool os_event_duplicate(void *handle, intptr_t *out);
void os_event_signal(intptr_t event);
void os_event_close(intptr_t event);

bool os_has_handle(uint64_t handle);
/* The identity that all duplicates of a handle share, where that can be told; else the handle. */
uint64_t os_handle_identity(uint64_t handle);
