/* Tells a new device's runtime about the trace, so that the device's dumps name the trace. */
#pragma once

void device_note_trace(void *real_device);
