/* The hooked runtime, which refuses every driver. */
#define annot_conformance_set_driver take_driver
#include "hooked_runtime.c"
#undef annot_conformance_set_driver

EXPORT annot_result annot_conformance_set_driver(const annot_driver *driver);
EXPORT annot_result annot_conformance_set_driver(const annot_driver *driver)
{
    return driver ? ANNOT_ERROR_INVALID_ARGUMENT : ANNOT_OK;
}
