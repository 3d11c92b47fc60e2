/* A driver older than annotations: it takes none, and its crash report is empty. */
#include "umd/types.h"

EMU_DEVICE_CREATE(false, 0)

const emu_driver emu__driver_legacy = {
    .annot = {"legacy", 0, NULL, 0},
    .device_create = device_create,
    EMU_REFERENCE_COMMON,
};
