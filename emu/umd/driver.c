#include "umd/driver.h"

#include "umd/types.h"

#include <string.h>

const emu_driver *emu_driver_find(const char *name)
{
    static const emu_driver *const drivers[] = {
        &emu__driver_reference, &emu__driver_reorder, &emu__driver_warp,
        &emu__driver_legacy,    &emu__driver_hostile,
    };
    for (size_t i = 0; i < sizeof drivers / sizeof drivers[0]; i++)
        if (strcmp(drivers[i]->annot.name, name) == 0)
            return drivers[i];
    return NULL;
}

const emu_driver_host emu__driver_host = {
    .size = sizeof(emu_driver_host),
    .version = EMU_DRIVER_VERSION,
    .gpu_allocate = emu_gpu_allocate,
    .gpu_free = emu_gpu_free,
    .gpu_map = emu_gpu_translate,
    .reference = &emu__driver_reference,
};
