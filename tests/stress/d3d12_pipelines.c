/* Eight threads create, name, fill and destroy pipelines, pipeline libraries and state objects on
 * one device, some of them shared, while one turns the annotation mode round and another writes
 * dumps of the live device. */
#include "d3d12_beside.h"

enum { THREADS = 8, ROUNDS = 40 };

static ID3D12Device7 *device;
static ID3D12RootSignature *signature;
static ID3D12PipelineLibrary1 *library;
static ID3D12StateObject *collection, *pipeline;
static struct beside beside;

/* ---- what is made ---- */

static D3D12_COMPUTE_PIPELINE_STATE_DESC compute(emu_kernel kernel)
{
    D3D12_COMPUTE_PIPELINE_STATE_DESC desc = {.pRootSignature = signature};
    desc.CS.pShaderBytecode = emu_kernel_bytecode(kernel, &desc.CS.BytecodeLength);
    return desc;
}

static ID3D12StateObject *make_rays(D3D12_STATE_OBJECT_TYPE type)
{
    const D3D12_STATE_OBJECT_CONFIG config = {D3D12_STATE_OBJECT_FLAG_ALLOW_STATE_OBJECT_ADDITIONS};
    const D3D12_STATE_SUBOBJECT part = {D3D12_STATE_SUBOBJECT_TYPE_STATE_OBJECT_CONFIG, &config};
    const D3D12_STATE_OBJECT_DESC desc = {type, 1, &part};
    return MADE(ID3D12StateObject, device, CreateStateObject, &desc);
}

/* ---- one round of one thread ---- */

static void rays(LPCWSTR name)
{
    ID3D12StateObject *alone = make_rays(D3D12_STATE_OBJECT_TYPE_RAYTRACING_PIPELINE);
    MUST(ID3D12StateObject_SetName(pipeline, name));
    MUST(ID3D12StateObject_SetName(collection, NULL));
    MUST(ID3D12StateObject_SetPrivateData(pipeline, &IID_ID3D12Device, 4, "data"));
    RELEASE(alone);
}

static void programs(LPCWSTR name, emu_kernel kernel)
{
    const D3D12_COMPUTE_PIPELINE_STATE_DESC desc = compute(kernel);
    ID3D12PipelineState *made = NULL, *loaded = NULL;
    made = MADE(ID3D12PipelineState, device, CreateComputePipelineState, &desc);
    MUST(ID3D12PipelineState_SetName(made, name));
    MUST(ID3D12PipelineLibrary1_StorePipeline(library, name, made));
    MUST(ID3D12PipelineLibrary1_SetName(library, name));
    loaded = MADE(ID3D12PipelineState, library, LoadComputePipeline, name, &desc);
    RELEASE(made, loaded);
}

static void *work(void *argument)
{
    const unsigned thread = (unsigned)(uintptr_t)argument;
    for (unsigned round = 0; round < ROUNDS; round++) {
        const WCHAR name[] = {(WCHAR)('a' + thread), (WCHAR)('0' + round), 0};
        programs(name, round % 2 ? EMU_KERNEL_ADD : EMU_KERNEL_FILL);
        rays(name);
    }
    atomic_fetch_sub(&beside.running, 1);
    return NULL;
}

int main(void)
{
    MUST(D3D12CreateDevice(NULL, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device7, (void **)&device));
    const D3D12_ROOT_SIGNATURE_DESC desc = {0};
    signature = kit_root_signature_of((ID3D12Device *)device, &desc);
    library = MADE(ID3D12PipelineLibrary1, device, CreatePipelineLibrary, NULL, 0);
    collection = make_rays(D3D12_STATE_OBJECT_TYPE_COLLECTION);
    pipeline = make_rays(D3D12_STATE_OBJECT_TYPE_RAYTRACING_PIPELINE);
    beside.device = AS(ID3D12Device, device);
    beside_run(&beside, work, THREADS);
    ID3D12Device_Release(beside.device);
    RELEASE(pipeline, collection, library, signature);
    const ULONG left = ID3D12Device7_Release(device);
    printf("%d threads, %d rounds each; %u references left\n", THREADS, ROUNDS, (unsigned)left);
    return left == 0 ? 0 : 1;
}
