#include "record/record.h"
#include "base/utf.h"

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
    int size = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (size >= (int)sizeof text)
        text[annot__utf8_prefix(text, sizeof text - 1)] = 0;
    device->message(device->message_user,
                    &(annot_message){.id = id, .severity = severity, .text = text});
}

annot_result annot__misuse(const annot_device *device, const char *call, const char *what)
{
    if (device)
        annot__message(device, ANNOT_MESSAGE_MISUSE, ANNOT_SEVERITY_ERROR,
                       "%s: %s; the call is ignored", call, what);
    return ANNOT_ERROR_INVALID_ARGUMENT;
}
