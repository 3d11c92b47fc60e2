/* The tests of DRED share settings of the process, a device that has latched them, and one that
 * hangs or faults. */
#pragma once

#include "kit.h"

#include <unistd.h>

typedef ID3D12DeviceRemovedExtendedDataSettings2 dred_settings;
typedef ID3D12DeviceRemovedExtendedData2 dred_data;

static inline dred_settings *dred_settings_get(void)
{
    dred_settings *settings = NULL;
    MUST(D3D12GetDebugInterface(&IID_ID3D12DeviceRemovedExtendedDataSettings2, (void **)&settings));
    return settings;
}

static inline void dred_set(D3D12_DRED_ENABLEMENT crumbs, D3D12_DRED_ENABLEMENT contexts,
                            D3D12_DRED_ENABLEMENT faults, BOOL markers_only)
{
    dred_settings *settings = dred_settings_get();
    settings->lpVtbl->SetAutoBreadcrumbsEnablement(settings, crumbs);
    settings->lpVtbl->SetBreadcrumbContextEnablement(settings, contexts);
    settings->lpVtbl->SetPageFaultEnablement(settings, faults);
    settings->lpVtbl->UseMarkersOnlyAutoBreadcrumbs(settings, markers_only);
    settings->lpVtbl->Release(settings);
}

#define DRED_ON  D3D12_DRED_ENABLEMENT_FORCED_ON
#define DRED_OFF D3D12_DRED_ENABLEMENT_FORCED_OFF

/* One test's means to make a GPU stop. */
struct scene {
    KIT_SCENE;
    ID3D12RootSignature *signature;
    ID3D12PipelineState *fill, *spin, *touch;
    ID3D12Resource *buffer, *other; /* 64 KiB */
    dred_data *data;
};

static inline void scene_open_with(struct scene *s, const emu_config *config)
{
    KIT_SCENE_OPEN(s, kit_device_with(config), DIRECT);
    s->signature = kit_root_signature(s->device);
    s->fill = kit_pipeline(s->device, s->signature, EMU_KERNEL_FILL);
    s->spin = kit_pipeline(s->device, s->signature, EMU_KERNEL_SPIN);
    s->touch = kit_pipeline(s->device, s->signature, EMU_KERNEL_TOUCH);
    s->buffer = kit_buffer(s->device, D3D12_HEAP_TYPE_DEFAULT, 65536);
    s->other = kit_buffer(s->device, D3D12_HEAP_TYPE_DEFAULT, 65536);
    s->data = AS(ID3D12DeviceRemovedExtendedData2, s->device);
}

static inline void scene_open(struct scene *s)
{
    const emu_config config = kit_config();
    scene_open_with(s, &config);
}

static inline void scene_close(struct scene *s)
{
    s->data->lpVtbl->Release(s->data);
    if (s->other)
        ID3D12Resource_Release(s->other);
    KIT_SCENE_CLOSE(s, s->buffer, s->touch, s->spin, s->fill, s->signature);
}

static inline void scene_hang_here(struct scene *s, ID3D12GraphicsCommandList *list)
{
    kit_dispatch(list, s->signature, s->spin, s->buffer, NULL, 0, 0);
}

/* Executes the list and lets the clock run out. */
static inline void scene_run(struct scene *s)
{
    kit_execute(s->queue, s->list);
    emu_run_until_idle(s->device);
    cr_assert(ID3D12Device_GetDeviceRemovedReason(s->device) != S_OK);
}

static inline void scene_hang(struct scene *s)
{
    scene_hang_here(s, s->list);
    scene_run(s);
}

/* A write to an address, as the operation that comes next. */
static inline void scene_touch(struct scene *s, UINT64 address)
{
    const UINT constants[2] = {(UINT)address, (UINT)(address >> 32)};
    kit_dispatch(s->list, s->signature, s->touch, s->buffer, NULL, constants[0], constants[1]);
}

/* This test's own dump: tests run beside each other. */
static inline const char *dred_dump(void)
{
    static char path[64];
    snprintf(path, sizeof path, "dred-%d.annotdmp", (int)getpid());
    return path;
}

/* The dump is removed. */
static inline annot_reader *dred_dump_read(void)
{
    annot_reader *reader;
    cr_assert_eq(annot_reader_open_file(NULL, dred_dump(), &reader), ANNOT_OK);
    unlink(dred_dump());
    return reader;
}

/* A report, as far as there is room. */
struct text {
    char bytes[65536];
    size_t size;
};

static inline bool text_append(void *user, const void *data, size_t size)
{
    struct text *text = user;
    if (size > sizeof text->bytes - 1 - text->size)
        size = sizeof text->bytes - 1 - text->size;
    memcpy(text->bytes + text->size, data, size);
    text->size += size;
    text->bytes[text->size] = '\0';
    return true;
}
