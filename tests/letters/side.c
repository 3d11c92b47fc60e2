/* A library that was written to one letter: the published header, or, with ANNOT_D3D12_SPEC_V006,
 * the specification v0.06. It knows its own names only. */
#define COBJMACROS
#ifndef ANNOT_D3D12_SPEC_V006
#define INITGUID /* for all of the program */
#endif
#include <unknwn.h>
#include <directx/d3d12.h>
#include <annot/d3d12.h>

#include "letters.h"

#ifdef ANNOT_D3D12_SPEC_V006
#define SIDE specified_set
static const char *refuses(ID3D12DeviceTools2 *tools, unsigned wrong)
{
    ID3D12DeviceTools2_SetUserDefinedAnnotationMode(tools,
                                                    (D3D12_USER_DEFINED_ANNOTATION_MODE)wrong);
    return NULL;
}
enum { NEITHER = 0 };
#else
#define SIDE published_set
static const char *refuses(ID3D12DeviceTools2 *tools, unsigned wrong)
{
    return FAILED(ID3D12DeviceTools2_SetUserDefinedAnnotationMode(
               tools, (D3D12_USER_DEFINED_ANNOTATION_MODE)wrong))
               ? NULL
               : "a wrong mode is taken";
}
enum { NEITHER = 2 };
#endif

static const char *use(ID3D12DeviceTools2 *tools, D3D12_USER_DEFINED_ANNOTATION_MODE mode)
{
    const char *error = refuses(tools, NEITHER);
    ID3D12DeviceTools2_SetUserDefinedAnnotationMode(tools, mode);
    if (!error && ID3D12DeviceTools2_GetUserDefinedAnnotationMode(tools) != mode)
        error = "the mode is not what was set";
    if (!error)
        error = refuses(tools, 7);
    if (!error && ID3D12DeviceTools2_GetUserDefinedAnnotationMode(tools) != mode)
        error = "a wrong mode changes it";
    return error;
}

static ULONG count(ID3D12Device *device)
{
    ID3D12Device_AddRef(device);
    return ID3D12Device_Release(device);
}

/* The interface is had from an object of the device and from its creation, and has the device's
 * references. */
static const char *look_round(ID3D12Device *device)
{
    const D3D12_QUERY_HEAP_DESC desc = {D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 1, 0};
    ID3D12DeviceTools2 *tools = NULL;
    ID3D12QueryHeap *heap = NULL;
    IUnknown *one = NULL, *other = NULL;
    if (FAILED(ID3D12Device_CreateQueryHeap(device, &desc, &IID_ID3D12QueryHeap, (void **)&heap)))
        return "no query heap";
    const ULONG before = count(device);
    if (FAILED(ID3D12QueryHeap_GetDevice(heap, &IID_ID3D12DeviceTools2, (void **)&tools)))
        return "an object's device is no ID3D12DeviceTools2";
    if (count(device) != before + 1 || ID3D12DeviceTools2_Release(tools) != before)
        return "references are counted wrong";
    ID3D12QueryHeap_Release(heap);
    const ULONG without = count(device);
    if (FAILED(D3D12CreateDevice(NULL, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12DeviceTools2, NULL)) ||
        FAILED(D3D12CreateDevice(NULL, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12DeviceTools2,
                                 (void **)&tools)))
        return "no device is made as ID3D12DeviceTools2";
    IUnknown_QueryInterface((IUnknown *)(void *)tools, &IID_IUnknown, (void **)&one);
    ID3D12Device_QueryInterface(device, &IID_IUnknown, (void **)&other);
    if (!one || one != other) /* devices are one for each adapter */
        return "a device that is made as ID3D12DeviceTools2 is another one";
    IUnknown_Release(one);
    IUnknown_Release(other);
    return ID3D12DeviceTools2_Release(tools) == without ? NULL : "references are left behind";
}

const char *SIDE(ID3D12Device *device, int is_on)
{
    D3D12_FEATURE_DATA_USER_DEFINED_ANNOTATION data = {FALSE};
    ID3D12DeviceTools2 *tools = NULL;
    if (FAILED(ID3D12Device_CheckFeatureSupport(
            device, (D3D12_FEATURE)D3D12_FEATURE_USER_DEFINED_ANNOTATION, &data, sizeof data)) ||
        !data.Supported)
        return "the feature is not supported";
    if (FAILED(ID3D12Device_QueryInterface(device, &IID_ID3D12DeviceTools2, (void **)&tools)))
        return "there is no ID3D12DeviceTools2";
    const char *error = look_round(device);
    if (!error)
        error = use(tools, is_on ? D3D12_USER_DEFINED_ANNOTATION_MODE_DRIVER_RETAIL
                                 : D3D12_USER_DEFINED_ANNOTATION_MODE_RUNTIME_ONLY);
    ID3D12DeviceTools2_Release(tools);
    return error;
}
