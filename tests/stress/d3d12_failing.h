/* A D3D12 program whose n-th allocation fails, or each from the n-th on (failing_malloc.h). The
 * answers are S_OK and E_OUTOFMEMORY, and nothing else. */
#pragma once

#define INITGUID
#include "../d3d12_objects.h"
#include "failing_malloc.h"

static long failing; /* for the complaint */

static void complain(const char *what)
{
    fprintf(stderr, "allocation or call %ld: %s\n", failing, what);
    exit(1);
}

static bool ok(HRESULT hr, const char *what)
{
    if (SUCCEEDED(hr))
        return true;
    if (hr != E_OUTOFMEMORY)
        complain(what);
    return false;
}
#define OK(call)                ok(call, #call)
#define MADE_OK(Interface, ...) OK(TRY(Interface, __VA_ARGS__))

/* A root signature and a pipeline of this kernel. */
static bool make_pipeline(ID3D12Device *device, emu_kernel kernel, ID3D12RootSignature **signature,
                          ID3D12PipelineState **pipeline)
{
    D3D12_COMPUTE_PIPELINE_STATE_DESC compute = {0};
    ID3DBlob *blob = NULL;
    if (!OK(D3D12SerializeRootSignature(kit_root_signature_desc(), D3D_ROOT_SIGNATURE_VERSION_1_0,
                                        &blob, NULL)))
        return false;
    const bool done = MADE_OK(ID3D12RootSignature, signature, device, CreateRootSignature, 0,
                              ID3D10Blob_GetBufferPointer(blob), ID3D10Blob_GetBufferSize(blob));
    ID3D10Blob_Release(blob);
    compute.pRootSignature = *signature;
    compute.CS.pShaderBytecode = emu_kernel_bytecode(kernel, &compute.CS.BytecodeLength);
    return done &&
           MADE_OK(ID3D12PipelineState, pipeline, device, CreateComputePipelineState, &compute);
}

/* DRED may lose what it would have told, and nothing else [ANN-DRED]. */
static void record_all(void)
{
    ID3D12DeviceRemovedExtendedDataSettings1 *settings = NULL;
    const D3D12_DRED_ENABLEMENT on = D3D12_DRED_ENABLEMENT_FORCED_ON;
    D3D12GetDebugInterface(&IID_ID3D12DeviceRemovedExtendedDataSettings1, (void **)&settings);
    ID3D12DeviceRemovedExtendedDataSettings1_SetAutoBreadcrumbsEnablement(settings, on);
    ID3D12DeviceRemovedExtendedDataSettings1_SetBreadcrumbContextEnablement(settings, on);
    ID3D12DeviceRemovedExtendedDataSettings1_SetPageFaultEnablement(settings, on);
    ID3D12DeviceRemovedExtendedDataSettings1_Release(settings);
}

static void release_any(void *const objects[], size_t number)
{
    for (size_t i = 0; i < number; i++)
        if (objects[i])
            IUnknown_Release((IUnknown *)objects[i]);
}

/* Calls `round` while the n-th allocation fails. Returns whether that existed. */
static bool fail_in(void (*round)(void), long n, bool from_there_on)
{
    failing = n;
    atomic_store(&keep_failing, from_there_on);
    atomic_store(&countdown, n);
    round();
    return atomic_exchange(&countdown, 0) == (from_there_on ? 1 : 0);
}
