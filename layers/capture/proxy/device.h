/* Tells the runtime of a new device about the trace: dumps of an annotated runtime then name it. */
#pragma once

void device_note_trace(void *real_device);
