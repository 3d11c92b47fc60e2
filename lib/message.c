#include "types.h"

#include <stdarg.h>
#include <stdio.h>

void annot__message(const annot_device *device, annot_message_id id, annot_severity severity,
                    const char *format, ...)
{
    if (!device->message)
        return;
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    device->message(device->message_user,
                    &(annot_message){.id = id, .severity = severity, .text = text});
}
