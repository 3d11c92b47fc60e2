#include "device.h"

#include "../../intercept/runtime.h"
#include "recorder.h"

#include <annot/annot.h>

#include <string.h>

void device_note_trace(void *real_device)
{
    annot_device *(*annot_device_of)(void *);
    annot_result (*set_fact)(annot_device *, const char *, const char *);
    void *found = runtime_function("emu_annot_device");
    void *fact = runtime_function("annot_device_set_fact");
    memcpy(&annot_device_of, &found, sizeof found);
    memcpy(&set_fact, &fact, sizeof fact);
    annot_device *device = found && fact ? annot_device_of(real_device) : NULL;
    if (device)
        set_fact(device, "trace", recorder_path());
}
