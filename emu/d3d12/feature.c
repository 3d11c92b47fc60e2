/* ID3D12Device::CheckFeatureSupport: every answer has one right size [ANN-CAPS-03], checked before anything is
 * written. */
#include "device.h"

static HRESULT feature_levels(D3D12_FEATURE_DATA_FEATURE_LEVELS *data)
{
    if (data->NumFeatureLevels == 0 || data->pFeatureLevelsRequested == NULL)
        return E_INVALIDARG;
    D3D_FEATURE_LEVEL best = 0;
    for (UINT i = 0; i < data->NumFeatureLevels; i++) {
        const D3D_FEATURE_LEVEL level = data->pFeatureLevelsRequested[i];
        if (level <= D3D12_MAX_FEATURE_LEVEL && level > best)
            best = level;
    }
    data->MaxSupportedFeatureLevel = best;
    return best != 0 ? S_OK : DXGI_ERROR_UNSUPPORTED;
}

static HRESULT root_signature_version(D3D12_FEATURE_DATA_ROOT_SIGNATURE *data)
{
    if (data->HighestVersion < D3D_ROOT_SIGNATURE_VERSION_1_0)
        return E_INVALIDARG;
    if (data->HighestVersion > D3D_ROOT_SIGNATURE_VERSION_1_1)
        data->HighestVersion = D3D_ROOT_SIGNATURE_VERSION_1_1;
    return S_OK;
}

static HRESULT shader_model(D3D12_FEATURE_DATA_SHADER_MODEL *data)
{
    if (data->HighestShaderModel < D3D_SHADER_MODEL_5_1)
        return E_INVALIDARG;
    data->HighestShaderModel = D3D_SHADER_MODEL_5_1;
    return S_OK;
}

static HRESULT architecture(D3D12_FEATURE_DATA_ARCHITECTURE *data)
{
    if (data->NodeIndex != 0)
        return E_INVALIDARG;
    data->TileBasedRenderer = FALSE;
    data->UMA = TRUE;
    data->CacheCoherentUMA = TRUE;
    return S_OK;
}

static HRESULT architecture1(D3D12_FEATURE_DATA_ARCHITECTURE1 *data)
{
    if (data->NodeIndex != 0)
        return E_INVALIDARG;
    data->TileBasedRenderer = FALSE;
    data->UMA = TRUE;
    data->CacheCoherentUMA = TRUE;
    data->IsolatedMMU = FALSE;
    return S_OK;
}

/* Features of which nothing is supported: all zeros say so. 0: not one of these. */
static UINT unsupported_size(unsigned feature)
{
    switch (feature) {
    case D3D12_FEATURE_D3D12_OPTIONS:
        return sizeof(D3D12_FEATURE_DATA_D3D12_OPTIONS);
    case D3D12_FEATURE_D3D12_OPTIONS1:
        return sizeof(D3D12_FEATURE_DATA_D3D12_OPTIONS1);
    case D3D12_FEATURE_D3D12_OPTIONS2:
        return sizeof(D3D12_FEATURE_DATA_D3D12_OPTIONS2);
    case D3D12_FEATURE_SHADER_CACHE:
        return sizeof(D3D12_FEATURE_DATA_SHADER_CACHE);
    case D3D12_FEATURE_EXISTING_HEAPS:
        return sizeof(D3D12_FEATURE_DATA_EXISTING_HEAPS);
    case D3D12_FEATURE_D3D12_OPTIONS4:
        return sizeof(D3D12_FEATURE_DATA_D3D12_OPTIONS4);
    case D3D12_FEATURE_CROSS_NODE:
        return sizeof(D3D12_FEATURE_DATA_CROSS_NODE);
    case D3D12_FEATURE_D3D12_OPTIONS5:
        return sizeof(D3D12_FEATURE_DATA_D3D12_OPTIONS5);
    case D3D12_FEATURE_D3D12_OPTIONS6:
        return sizeof(D3D12_FEATURE_DATA_D3D12_OPTIONS6);
    case D3D12_FEATURE_D3D12_OPTIONS7:
        return sizeof(D3D12_FEATURE_DATA_D3D12_OPTIONS7);
    default:
        return 0;
    }
}

/* `data` has the right size. */
static HRESULT answer(struct d3d12_device *device, unsigned feature, void *data)
{
    switch (feature) {
    case D3D12_FEATURE_FEATURE_LEVELS:
        return feature_levels(data);
    case D3D12_FEATURE_ROOT_SIGNATURE:
        return root_signature_version(data);
    case D3D12_FEATURE_SHADER_MODEL:
        return shader_model(data);
    case D3D12_FEATURE_ARCHITECTURE:
        return architecture(data);
    case D3D12_FEATURE_ARCHITECTURE1:
        return architecture1(data);
    case D3D12_FEATURE_GPU_VIRTUAL_ADDRESS_SUPPORT: {
        D3D12_FEATURE_DATA_GPU_VIRTUAL_ADDRESS_SUPPORT *bits = data;
        bits->MaxGPUVirtualAddressBitsPerResource = 40;
        bits->MaxGPUVirtualAddressBitsPerProcess = 47;
        return S_OK;
    }
    case D3D12_FEATURE_D3D12_OPTIONS3: {
        D3D12_FEATURE_DATA_D3D12_OPTIONS3 *options = data;
        memset(options, 0, sizeof *options);
        options->WriteBufferImmediateSupportFlags =
            D3D12_COMMAND_LIST_SUPPORT_FLAG_DIRECT | D3D12_COMMAND_LIST_SUPPORT_FLAG_BUNDLE |
            D3D12_COMMAND_LIST_SUPPORT_FLAG_COMPUTE | D3D12_COMMAND_LIST_SUPPORT_FLAG_COPY;
        return S_OK;
    }
    case ANNOT_D3D12_FEATURE_USER_DEFINED_ANNOTATION:
        ((D3D12_FEATURE_DATA_USER_DEFINED_ANNOTATION *)data)->Supported =
            annot_device_is_supported(device->annot) ? TRUE : FALSE;
        return S_OK;
    default:
        memset(data, 0, unsupported_size(feature));
        return S_OK;
    }
}

/* 0: the emulator doesn't know the feature. */
static UINT feature_size(unsigned feature)
{
    switch (feature) {
    case D3D12_FEATURE_FEATURE_LEVELS:
        return sizeof(D3D12_FEATURE_DATA_FEATURE_LEVELS);
    case D3D12_FEATURE_ROOT_SIGNATURE:
        return sizeof(D3D12_FEATURE_DATA_ROOT_SIGNATURE);
    case D3D12_FEATURE_SHADER_MODEL:
        return sizeof(D3D12_FEATURE_DATA_SHADER_MODEL);
    case D3D12_FEATURE_ARCHITECTURE:
        return sizeof(D3D12_FEATURE_DATA_ARCHITECTURE);
    case D3D12_FEATURE_ARCHITECTURE1:
        return sizeof(D3D12_FEATURE_DATA_ARCHITECTURE1);
    case D3D12_FEATURE_GPU_VIRTUAL_ADDRESS_SUPPORT:
        return sizeof(D3D12_FEATURE_DATA_GPU_VIRTUAL_ADDRESS_SUPPORT);
    case D3D12_FEATURE_D3D12_OPTIONS3:
        return sizeof(D3D12_FEATURE_DATA_D3D12_OPTIONS3);
    case ANNOT_D3D12_FEATURE_USER_DEFINED_ANNOTATION:
        return sizeof(D3D12_FEATURE_DATA_USER_DEFINED_ANNOTATION);
    default:
        return unsupported_size(feature);
    }
}

HRESULT d3d12_device_check_feature(struct d3d12_device *device, D3D12_FEATURE feature, void *data,
                                   UINT size)
{
    const UINT right = feature_size((unsigned)feature);
    if (data == NULL || right == 0 || size != right)
        return E_INVALIDARG;
    return answer(device, (unsigned)feature, data);
}
