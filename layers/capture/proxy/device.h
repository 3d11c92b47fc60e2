/* A new device, as the runtime knows it: the dumps of an annotated runtime then name the trace. */
#pragma once

void device_note_trace(void *real_device);
