/* The hooked runtime, which refuses every driver. */
#include <emu/emu.h>

#define ANNOT_OK (test_driver ? ANNOT_ERROR_INVALID_ARGUMENT : 0)
#include "hooked_runtime.c"
