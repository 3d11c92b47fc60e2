#include "duration.h"

#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool duration_read(const char *text, uint64_t unit, uint64_t *ns)
{
    uint64_t whole = 0, part = 0, scale = 1;
    bool rest = false; /* a digit behind the point is not 0 */
    const char *at = text;
    for (; is_digit(*at) && whole <= DURATION_MAX; at++)
        whole = 10 * whole + (uint64_t)(*at - '0');
    if (at == text)
        return false;
    for (at += *at == '.'; is_digit(*at); at++) {
        rest |= *at != '0';
        if (scale < DURATION_MS) {
            part = 10 * part + (uint64_t)(*at - '0');
            scale *= 10;
        }
    }
    if (strcmp(at, "ms") == 0)
        unit = DURATION_MS;
    else if (strcmp(at, "s") == 0)
        unit = DURATION_S;
    else if (*at)
        return false;
    if (whole > DURATION_MAX / unit)
        return false;
    *ns = whole * unit + part * (unit / scale);
    *ns += *ns == 0 && rest; /* 0 would mean never */
    return *ns <= DURATION_MAX;
}
