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
    const char *error = use(tools, is_on ? D3D12_USER_DEFINED_ANNOTATION_MODE_DRIVER_RETAIL
                                         : D3D12_USER_DEFINED_ANNOTATION_MODE_RUNTIME_ONLY);
    ID3D12DeviceTools2_Release(tools);
    return error;
}
