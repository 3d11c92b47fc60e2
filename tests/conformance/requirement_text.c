#include "requirement_text.h"

#include <string.h>

const char *requirement_text(const char *id, size_t length)
{
    static const struct {
        const char *id, *text;
    } requirements[] = {
#include "requirement_table.inc" /* made of requirements.md */
    };
    for (size_t i = 0; i < sizeof requirements / sizeof requirements[0]; i++)
        if (strlen(requirements[i].id) == length && memcmp(requirements[i].id, id, length) == 0)
            return requirements[i].text;
    return NULL;
}
