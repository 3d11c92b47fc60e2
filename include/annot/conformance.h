/*
 * For other runtimes than this project's emulator: the functions that a library exports so that
 * annot-conformance can test more of it than a D3D12 program sees. Nothing here is needed to use
 * libannot, and libannot does not export it: the runtime does.
 *
 * Both exports are looked up by name in the library given to --runtime. A runtime that has neither
 * is still tested; cases that listen to the driver, or resolve EventIDs, are then skipped and say
 * so.
 *
 *     annot_result annot_conformance_set_driver(const annot_driver *driver)
 *     {
 *         test_driver = driver;      // D3D12CreateDevice uses it in place of the real driver
 *         return ANNOT_OK;
 *     }
 */
#ifndef ANNOT_CONFORMANCE_H
#define ANNOT_CONFORMANCE_H

#include "annot.h"

ANNOT_BEGIN_DECLS

#define ANNOT_CONFORMANCE_SET_DRIVER "annot_conformance_set_driver"
#define ANNOT_CONFORMANCE_DEVICE     "annot_conformance_device"

/* Devices created from now on make their annotation calls, markers and names, to `driver` in place
 * of their own driver's table, which gets none; all other calls go to the runtime's own driver.
 * `driver` is static data with all seven entries, a table with holes on purpose, or
 * annotation_version 0 [ANN-CAPS-02, -04]. NULL restores the runtime's own driver. Devices that
 * exist keep what they were created with. Handles are the runtime's own, whatever it would give its
 * driver. Called before D3D12CreateDevice on the same thread. Anything but ANNOT_OK fails the
 * case. */
typedef annot_result (*annot_conformance_set_driver_fn)(const annot_driver *driver);

/* The annotation device behind an ID3D12Device, for a runtime that is built on libannot: borrowed,
 * valid as long as the D3D12 device. NULL: the D3D12 device has none. The functions of annot.h are
 * then looked up in the same library and in the libraries that it loads. */
typedef annot_device *(*annot_conformance_device_fn)(void *d3d12_device);

ANNOT_END_DECLS

#endif
