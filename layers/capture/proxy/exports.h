/* What the recording library needs of the real D3D12 library. */
#ifndef CAPTURE_EXPORTS_H
#define CAPTURE_EXPORTS_H

/* A new device, as the runtime knows it: the dumps of an annotated runtime then name the trace. */
void exports_note_device(void *real_device);

#endif
