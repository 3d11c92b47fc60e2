/* A driver that moves markers among the work, as real drivers do within a small range of GPU work.
 * It moves no marker by more than WINDOW markers, and reports this number. */
#include "umd/types.h"

#define WINDOW 4u

EMU_DEVICE_CREATE(true, WINDOW)

const emu_driver emu__driver_reorder = {
    .annot = {"reorder", D3D12DDI_FEATURE_VERSION_USER_DEFINED_ANNOTATIONS_0121_0,
              &emu__reference_annotation, sizeof(ANNOT_DDI_WCHAR)},
    .dump_file = &emu__reference_dump_file,
    .dump_file_options = D3D12DDI_DUMP_FILE_OPTION_NO_OVERHEAD | D3D12DDI_DUMP_FILE_OPTION_NO_DATA |
                         D3D12DDI_DUMP_FILE_OPTION_EVENT_MARKERS,
    .device_create = device_create,
    EMU_REFERENCE_COMMON,
};
