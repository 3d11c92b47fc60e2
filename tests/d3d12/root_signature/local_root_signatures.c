/* Local root signatures, whose arguments are in shader records and not on command lists. */
#include "kit.h"

#define LOCAL D3D12_ROOT_SIGNATURE_FLAG_LOCAL_ROOT_SIGNATURE

enum { MANY = 300 };

static D3D12_ROOT_PARAMETER parameters[1025];

static HRESULT serialize(D3D12_ROOT_SIGNATURE_FLAGS flags, UINT count, ID3DBlob **out)
{
    const D3D12_ROOT_SIGNATURE_DESC desc = {
        .NumParameters = count, .pParameters = parameters, .Flags = flags};
    for (UINT i = 0; i < 1025; i++) {
        parameters[i].ParameterType = D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS;
        parameters[i].Constants = (D3D12_ROOT_CONSTANTS){i, 0, 2};
    }
    *out = (ID3DBlob *)out;
    return D3D12SerializeRootSignature(&desc, D3D_ROOT_SIGNATURE_VERSION_1_0, out, NULL);
}

static void refused(D3D12_ROOT_SIGNATURE_FLAGS flags, UINT count, const char *what)
{
    ID3DBlob *blob;
    const HRESULT hr = serialize(flags, count, &blob);
    cr_assert_eqs(hr, E_INVALIDARG, blob, NULL, "%s: 0x%08x", what, (unsigned)hr);
}

/* "Local root signatures don't have restrictions on the number of root parameters that root
 * signatures do". */
Test(local_root_signatures, may_have_many_parameters)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    ID3DBlob *blob = NULL;
    refused(D3D12_ROOT_SIGNATURE_FLAG_NONE, 33, "33 pairs of constants for a command list");
    MUST(serialize(LOCAL, MANY, &blob));
    ID3D12RootSignature *signature =
        MADE(ID3D12RootSignature, device, CreateRootSignature, 0, ID3D10Blob_GetBufferPointer(blob),
             ID3D10Blob_GetBufferSize(blob));
    RELEASE(blob);
    ID3D12RootSignature_Release(signature);
    refused(LOCAL, 1025, "more parameters than a shader record holds");
}

/* "This flag cannot be combined with other root signature flags ... related to the graphics
 * pipeline". */
Test(local_root_signatures, have_nothing_of_the_graphics_pipeline)
{
    OWNED ID3DBlob *blob = NULL;
    for (UINT flag = 1; flag <= 0x200; flag <<= 1)
        if (flag != (UINT)LOCAL)
            refused((D3D12_ROOT_SIGNATURE_FLAGS)(flag | LOCAL), 1,
                    "a flag of the graphics pipeline");
    MUST(serialize(LOCAL | D3D12_ROOT_SIGNATURE_FLAG_CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED, 1, &blob));
    ID3D10Blob_Release(blob);
    parameters[1].ShaderVisibility = D3D12_SHADER_VISIBILITY_PIXEL;
    refused(LOCAL, 2, "a parameter for pixel shaders");
    MUST(serialize(LOCAL, 1, &blob));
    ID3D10Blob_Release(blob);
    MUST(serialize(D3D12_ROOT_SIGNATURE_FLAG_NONE, 2, &blob));
}

Test(local_root_signatures, are_for_state_objects_only)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    const D3D12_ROOT_SIGNATURE_DESC local = {.Flags = LOCAL};
    OWNED ID3D12RootSignature *signature = kit_root_signature_of(device, &local);
    D3D12_COMPUTE_PIPELINE_STATE_DESC desc = {.pRootSignature = signature};
    desc.CS.pShaderBytecode = emu_kernel_bytecode(EMU_KERNEL_FILL, &desc.CS.BytecodeLength);
    REFUSES(E_INVALIDARG, ID3D12PipelineState, device, CreateComputePipelineState, &desc);
    EXPECT_MESSAGES(device, 1, EMU_MESSAGE_INVALID_ARGUMENT);
}
