/* The reference driver: every marker is a packet with its EventID in the command stream. The crash
 * report has only what the GPU wrote about these packets. */
#include "umd/types.h"

EMU_MARKER_CALLS(queue, D3D12DDI_HCOMMANDQUEUE, emu__reference_queue_mark)
EMU_MARKER_CALLS(list, D3D12DDI_HCOMMANDLIST, emu__reference_list_mark)

const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 emu__reference_annotation = {
    queue_begin, queue_end, queue_set, list_begin, list_end, list_set, emu__reference_set_name,
};

#define DEVICE_CREATE(name, has_markers, window)                                                   \
    static void *name##_create(emu_gpu *gpu, uint64_t seed)                                        \
    {                                                                                              \
        (void)seed;                                                                                \
        return emu__reference_device_create(gpu, has_markers, window);                             \
    }
#define ANNOTATING(name)                                                                           \
    .annot = {#name, D3D12DDI_FEATURE_VERSION_USER_DEFINED_ANNOTATIONS_0121_0,                     \
              &emu__reference_annotation, sizeof(ANNOT_DDI_WCHAR)},                                \
    .dump_file = &emu__reference_dump_file,                                                        \
    .dump_file_options = D3D12DDI_DUMP_FILE_OPTION_NO_OVERHEAD |                                   \
                         D3D12DDI_DUMP_FILE_OPTION_NO_DATA |                                       \
                         D3D12DDI_DUMP_FILE_OPTION_EVENT_MARKERS,                                  \
    .device_create = name##_create, EMU_REFERENCE_COMMON

DEVICE_CREATE(reference, true, 0)
const emu_driver emu__driver_reference = {ANNOTATING(reference)};

/* Moves markers among the work by at most this number of markers, as real drivers do within a small
 * range of GPU work, and reports the number. */
enum { WINDOW = 4 };
DEVICE_CREATE(reorder, true, WINDOW)
const emu_driver emu__driver_reorder = {ANNOTATING(reorder)};

/* Older than annotations: it takes none, and its crash report is empty. */
DEVICE_CREATE(legacy, false, 0)
const emu_driver emu__driver_legacy = {
    .annot = {"legacy", 0, NULL, 0}, .device_create = legacy_create, EMU_REFERENCE_COMMON};
