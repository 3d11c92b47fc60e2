#include "reference.h"

#include <string.h>

const emu_driver *emu_driver_find(const char *name)
{
    static const emu_driver *const drivers[] = {
        &emu__driver_reference,
        &emu__driver_reorder,
        &emu__driver_warp,
        &emu__driver_legacy,
    };
    for (size_t i = 0; i < sizeof drivers / sizeof drivers[0]; i++)
        if (strcmp(drivers[i]->annot.name, name) == 0)
            return drivers[i];
    return NULL;
}
