/*
 * For runtimes other than this project's emulator: functions that a runtime exports for
 * annot-conformance, which then tests more than a D3D12 program can see. The runtime exports them,
 * not libannot. Programs that use libannot don't need them.
 *
 * Both exports are looked up by name in the library given to --runtime. A runtime without them is
 * still tested; cases that listen to the driver, or resolve EventIDs, are then skipped with a
 * message.
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

/* Devices created from now on send markers and names to `driver` instead of the runtime's own
 * driver. All other calls go to the runtime's own driver. `driver` is static data. Its table has
 * all seven functions, or lacks some on purpose, or annotation_version is 0 [ANN-CAPS-02, -04].
 * NULL restores the runtime's own driver. Existing devices keep their table. The handles are those
 * that the runtime would give its own driver. The function is called before D3D12CreateDevice, on
 * the same thread. Any result except ANNOT_OK fails the case. */
typedef annot_result (*annot_conformance_set_driver_fn)(const annot_driver *driver);

/* Returns the annotation device of an ID3D12Device, for a runtime that is built on libannot. It is
 * borrowed and lives as long as the D3D12 device. NULL: the D3D12 device has none. The functions of
 * annot.h are then looked up in the same library and in the libraries that it loads. */
typedef annot_device *(*annot_conformance_device_fn)(void *d3d12_device);

ANNOT_END_DECLS

#endif
