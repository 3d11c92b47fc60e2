/* Tells the runtime of a new device about the trace, so that dumps of an annotated runtime name the
 * trace. */
#pragma once

void device_note_trace(void *real_device);
