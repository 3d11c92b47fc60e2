/*
 * The newest interface of each kind of object that D3D12 has in several versions. A newer version
 * of the headers is taken up here: the typedefs, the list of identifiers, and then the new methods
 * in table/.
 */
#pragma once

#include "base/com.h"

typedef ID3D12Device11 device_iface;
typedef ID3D12Device11Vtbl device_vtbl;
#define DEVICE_IIDS                                                                                \
    &IID_ID3D12Device, &IID_ID3D12Device1, &IID_ID3D12Device2, &IID_ID3D12Device3,                 \
        &IID_ID3D12Device4, &IID_ID3D12Device5, &IID_ID3D12Device6, &IID_ID3D12Device7,            \
        &IID_ID3D12Device8, &IID_ID3D12Device9, &IID_ID3D12Device10, &IID_ID3D12Device11

typedef ID3D12GraphicsCommandList8 list_iface;
typedef ID3D12GraphicsCommandList8Vtbl list_vtbl;
#define LIST_IIDS                                                                                  \
    &IID_ID3D12GraphicsCommandList, &IID_ID3D12GraphicsCommandList1,                               \
        &IID_ID3D12GraphicsCommandList2, &IID_ID3D12GraphicsCommandList3,                          \
        &IID_ID3D12GraphicsCommandList4, &IID_ID3D12GraphicsCommandList5,                          \
        &IID_ID3D12GraphicsCommandList6, &IID_ID3D12GraphicsCommandList7,                          \
        &IID_ID3D12GraphicsCommandList8

typedef ID3D12CommandQueue queue_iface;
typedef ID3D12CommandQueueVtbl queue_vtbl;
#define QUEUE_IIDS &IID_ID3D12CommandQueue
