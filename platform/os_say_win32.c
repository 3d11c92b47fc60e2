#include "os_say.h"

#include "inert_line.h"

#include <io.h>

void os_say_begin(void)
{
}

void os_say_describe(char *to, size_t size)
{
    (void)size;
    *to = '\0';
}

const char *os_say_obstacle(void)
{
    return _get_osfhandle(2) < 0 ? "stderr is closed" : NULL;
}

/* Without a buffer, which a thread that has crashed may hold. */
const char *os_say(const char *format, ...)
{
    char line[2048];
    va_list arguments;
    va_start(arguments, format);
    const size_t size = inert_line(line, sizeof line, format, arguments);
    va_end(arguments);
    return _write(2, line, (unsigned)size) < 0 ? "stderr can't be written" : NULL;
}
