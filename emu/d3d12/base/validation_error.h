/* What is wrong with an argument: as D3D12 counts it, and as the emulator words it. */
#ifndef D3D12_MISTAKE_H
#define D3D12_MISTAKE_H

#include "base/com.h"

struct mistake {
    int id;
    const char *text; /* NULL: nothing is wrong */
};

static const struct mistake no_mistake = {0, NULL};

#define MISTAKE(number, what)                                                                      \
    (struct mistake)                                                                               \
    {                                                                                              \
        D3D12_MESSAGE_ID_##number, what                                                            \
    }

#endif
