#include "driver.h"

static void ANNOT_DDI_CALL queue_marker(D3D12DDI_HCOMMANDQUEUE queue, uint32_t metadata,
                                        const void *data, uint32_t size, uint64_t id)
{
    (void)queue, (void)metadata, (void)data, (void)size, (void)id;
}

static void ANNOT_DDI_CALL queue_end(D3D12DDI_HCOMMANDQUEUE queue, uint64_t id)
{
    (void)queue, (void)id;
}

static void ANNOT_DDI_CALL list_marker(D3D12DDI_HCOMMANDLIST list, uint32_t metadata,
                                       const void *data, uint32_t size, uint64_t id)
{
    (void)list, (void)metadata, (void)data, (void)size, (void)id;
}

static void ANNOT_DDI_CALL list_end(D3D12DDI_HCOMMANDLIST list, uint64_t id)
{
    (void)list, (void)id;
}

static void ANNOT_DDI_CALL set_name(D3D12DDI_HANDLE_AND_TYPE object, const ANNOT_DDI_WCHAR *name)
{
    (void)object, (void)name;
}

static struct bench_driver_marker *collected;
static uint64_t collected_count, collected_capacity;

void bench_driver_collect(struct bench_driver_marker *markers, uint64_t capacity)
{
    collected = markers;
    collected_count = 0;
    collected_capacity = capacity;
}

static void ANNOT_DDI_CALL collect(D3D12DDI_HCOMMANDLIST list, uint32_t metadata, const void *data,
                                   uint32_t size, uint64_t id)
{
    (void)list, (void)metadata, (void)size;
    if (collected_count < collected_capacity)
        collected[collected_count] = (struct bench_driver_marker){id, data};
    collected_count++;
}

static const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 empty = {
    queue_marker, queue_end, queue_marker, list_marker, list_end, list_marker, set_name,
};

static const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 collecting = {
    queue_marker, queue_end, queue_marker, collect, list_end, collect, set_name,
};

const annot_driver bench_driver_empty = {
    "empty", D3D12DDI_FEATURE_VERSION_USER_DEFINED_ANNOTATIONS_0121_0, &empty, 0};

const annot_driver bench_driver_collecting = {
    "collecting", D3D12DDI_FEATURE_VERSION_USER_DEFINED_ANNOTATIONS_0121_0, &collecting, 0};
