/* A new device, as the runtime knows it: the dumps of an annotated runtime then name the trace. */
#ifndef CAPTURE_DEVICE_H
#define CAPTURE_DEVICE_H

void device_note_trace(void *real_device);

#endif
