/*
 * For runtimes other than this project's emulator: functions that a runtime exports for
 * annot-conformance. With these functions the suite tests more than a D3D12 program can see. The
 * runtime exports the functions, not libannot. Programs that use libannot don't need them.
 *
 * annot-conformance looks both functions up by name in the library given to --runtime. A runtime
 * without these functions is still tested; the cases that listen to the driver or resolve EventIDs
 * are then skipped with a message.
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
 * driver. All other calls go to the runtime's own driver. `driver` is static data. A test may pass
 * a table without some of the seven functions, or an annotation_version of 0 [ANN-CAPS-02, -04].
 * NULL restores the runtime's own driver. Existing devices keep their table. The test driver gets
 * the same handles as the runtime's own driver. The suite calls the function before
 * D3D12CreateDevice, on the same thread. The case fails if the result is not ANNOT_OK. */
typedef annot_result (*annot_conformance_set_driver_fn)(const annot_driver *driver);

/* Returns the annotation device of an ID3D12Device, for a runtime that is built on libannot; NULL
 * if it has no annotation device. The caller doesn't own the annotation device, which lives as long
 * as the D3D12 device. The suite then looks up the functions of annot.h in the same library and in
 * the libraries that it loads. */
typedef annot_device *(*annot_conformance_device_fn)(void *d3d12_device);

ANNOT_END_DECLS

#endif
