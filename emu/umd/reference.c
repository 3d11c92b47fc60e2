/* The reference driver: every marker is a packet with its EventID in the command stream. The crash
 * report has only what the GPU wrote about these packets. */
#include "umd/types.h"

EMU_MARKER_CALLS(queue, D3D12DDI_HCOMMANDQUEUE, emu__reference_queue_mark)
EMU_MARKER_CALLS(list, D3D12DDI_HCOMMANDLIST, emu__reference_list_mark)

const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 emu__reference_annotation = {
    queue_begin, queue_end, queue_set, list_begin, list_end, list_set, emu__reference_set_name,
};

EMU_DEVICE_CREATE(true, 0)

const emu_driver emu__driver_reference = {
    .annot = {"reference", D3D12DDI_FEATURE_VERSION_USER_DEFINED_ANNOTATIONS_0121_0,
              &emu__reference_annotation, sizeof(ANNOT_DDI_WCHAR)},
    .dump_file = &emu__reference_dump_file,
    .dump_file_options = D3D12DDI_DUMP_FILE_OPTION_NO_OVERHEAD | D3D12DDI_DUMP_FILE_OPTION_NO_DATA |
                         D3D12DDI_DUMP_FILE_OPTION_EVENT_MARKERS,
    .device_create = device_create,
    EMU_REFERENCE_COMMON,
};
