/*
 * Linked against the emulator and loaded by annot-bench, which has a libannot of its own: a command
 * list of the emulator, called through its COM interface.
 */
#define COBJMACROS
#define INITGUID
#include <unknwn.h>
#include <directx/d3d12.h>
#include <directx/d3d12sdklayers.h>
#include <annot/d3d12.h>
#include <emu/emu.h>

#include "emulator_lane.h"

#include <stdlib.h>

typedef struct emulator_lane {
    ID3D12Device *device;
    ID3D12CommandAllocator *allocator;
    ID3D12GraphicsCommandList *list;
} emulator_lane;

static bool make_device(emulator_lane *lane)
{
    ID3D12DeviceTools2 *tools;
    if (FAILED(D3D12CreateDevice(NULL, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device,
                                 (void **)&lane->device)) ||
        FAILED(ID3D12Device_QueryInterface(lane->device, &IID_ID3D12DeviceTools2, (void **)&tools)))
        return false;
    ID3D12DeviceTools2_SetUserDefinedAnnotationMode(
        tools, D3D12_USER_DEFINED_ANNOTATION_MODE_DRIVER_RETAIL);
    ID3D12DeviceTools2_Release(tools);
    return true;
}

void *bench_emulator_open(const annot_driver *annotation)
{
    const D3D12_COMMAND_LIST_TYPE direct = D3D12_COMMAND_LIST_TYPE_DIRECT;
    emu_config config = EMU_CONFIG_INIT;
    config.order = EMU_ORDER_SEEDED;
    config.memory_budget = ANNOT_BUDGET_NONE;
    config.annotation = annotation;
    emulator_lane *lane = calloc(1, sizeof *lane);
    if (!lane || emu_configure(&config) != ANNOT_OK || !make_device(lane) ||
        FAILED(ID3D12Device_CreateCommandAllocator(
            lane->device, direct, &IID_ID3D12CommandAllocator, (void **)&lane->allocator)) ||
        FAILED(ID3D12Device_CreateCommandList(lane->device, 0, direct, lane->allocator, NULL,
                                              &IID_ID3D12GraphicsCommandList,
                                              (void **)&lane->list))) {
        free(lane);
        return NULL;
    }
    return lane;
}

void bench_emulator_close(void *state)
{
    emulator_lane *lane = state;
    ID3D12GraphicsCommandList_Release(lane->list);
    ID3D12CommandAllocator_Release(lane->allocator);
    ID3D12Device_Release(lane->device);
    free(lane);
}

void bench_emulator_rewind(void *state)
{
    emulator_lane *lane = state;
    ID3D12GraphicsCommandList_Close(lane->list);
    ID3D12CommandAllocator_Reset(lane->allocator);
    ID3D12GraphicsCommandList_Reset(lane->list, lane->allocator, NULL);
}

void bench_emulator_markers(void *state, uint32_t calls, const void *data, uint32_t size)
{
    emulator_lane *lane = state;
    for (uint32_t i = calls; i != 0; i--)
        ID3D12GraphicsCommandList_SetMarker(lane->list, 2, data, size);
}
