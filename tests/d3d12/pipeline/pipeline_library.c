/* Pipeline libraries: names, loading, and their bytes. */
#include "kit.h"

#include <pthread.h>

struct fixture {
    ID3D12Device *device;
    ID3D12RootSignature *signature;
    ID3D12PipelineState *fill, *add;
};

static struct fixture begin_on(const char *driver)
{
    emu_config config = kit_config();
    config.driver = driver;
    struct fixture f = {.device = kit_device_with(&config)};
    f.signature = kit_root_signature(f.device);
    f.fill = kit_pipeline(f.device, f.signature, EMU_KERNEL_FILL);
    f.add = kit_pipeline(f.device, f.signature, EMU_KERNEL_ADD);
    return f;
}

static struct fixture begin(void)
{
    return begin_on("reference");
}

static void end(struct fixture *f)
{
    RELEASE(f->fill, f->add, f->signature);
    kit_close(f->device);
}

static HRESULT create(ID3D12Device *device, const void *blob, SIZE_T size,
                      ID3D12PipelineLibrary1 **out)
{
    OWNED ID3D12Device1 *device1 = AS(ID3D12Device1, device);
    HRESULT hr = TRY(ID3D12PipelineLibrary1, out, device1, CreatePipelineLibrary, blob, size);
    return hr;
}

static ID3D12PipelineLibrary1 *empty(ID3D12Device *device)
{
    ID3D12PipelineLibrary1 *library = NULL;
    MUST(create(device, NULL, 0, &library));
    return library;
}

static D3D12_COMPUTE_PIPELINE_STATE_DESC compute(const struct fixture *f, emu_kernel kernel)
{
    D3D12_COMPUTE_PIPELINE_STATE_DESC desc = {.pRootSignature = f->signature};
    desc.CS.pShaderBytecode = emu_kernel_bytecode(kernel, &desc.CS.BytecodeLength);
    return desc;
}

static D3D12_GRAPHICS_PIPELINE_STATE_DESC graphics(const struct fixture *f)
{
    return kit_graphics_desc(f->signature, (D3D12_SHADER_BYTECODE)KIT_SHADER(VS));
}

static HRESULT load(const struct fixture *f, ID3D12PipelineLibrary1 *library, const WCHAR *name,
                    emu_kernel kernel)
{
    const D3D12_COMPUTE_PIPELINE_STATE_DESC desc = compute(f, kernel);
    ID3D12PipelineState *state = (ID3D12PipelineState *)library;
    HRESULT hr = TRY(ID3D12PipelineState, &state, library, LoadComputePipeline, name, &desc);
    cr_assert_eq(hr == S_OK, !!state);
    if (state)
        ID3D12PipelineState_Release(state);
    return hr;
}

static void told(const struct fixture *f, int id)
{
    EXPECT_MESSAGES(f->device, 1, id);
    kit_clear(f->device);
}

Test(pipeline_library, is_a_device_child)
{
    ID3D12Device *device = kit_heard_device(MODE_RETAIL), *same = NULL;
    ID3D12PipelineLibrary1 *library = empty(device);
    IUnknown *unknown = NULL, *none = (IUnknown *)device;
    ID3D12PipelineLibrary *older = AS(ID3D12PipelineLibrary, library);
    unknown = AS(IUnknown, library);
    cr_assert_eqs((void *)older, (void *)unknown, (void *)older, (void *)library);
    RELEASE(older, unknown);
    EXPECT_HR(ID3D12PipelineLibrary1_QueryInterface(library, &IID_ID3D12Pageable, (void **)&none),
              E_NOINTERFACE); /* nothing of it is in the GPU's memory */
    cr_assert(!none);
    MUST(ID3D12PipelineLibrary1_GetDevice(library, &IID_ID3D12Device, (void **)&same));
    cr_assert_eq(same, device);
    ID3D12Device_Release(same);
    MUST(ID3D12PipelineLibrary1_SetName(library, L"pipelines"));
    cr_assert_eqs(heard_count, 1, heard[0].type, D3D12DDI_HT_PIPELINE_LIBRARY);
    ID3D12PipelineLibrary1_Release(library);
    D3D12_FEATURE_DATA_SHADER_CACHE cache = {0};
    MUST(
        ID3D12Device_CheckFeatureSupport(device, D3D12_FEATURE_SHADER_CACHE, &cache, sizeof cache));
    cr_assert((cache.SupportFlags & D3D12_SHADER_CACHE_SUPPORT_LIBRARY) != 0);
    kit_close(device);
}

Test(pipeline_library, stores_a_name_once)
{
    AT_END(end) struct fixture f = begin();
    OWNED ID3D12PipelineLibrary1 *library = empty(f.device);
    EXPECT_HR(ID3D12PipelineLibrary1_StorePipeline(library, L"fill", f.fill), S_OK);
    EXPECT_HR(ID3D12PipelineLibrary1_StorePipeline(library, L"filler", f.fill), S_OK);
    EXPECT_HR(ID3D12PipelineLibrary1_StorePipeline(library, L"", f.add), S_OK);
    cr_assert_eq(kit_messages(f.device), 0);
    EXPECT_HR(ID3D12PipelineLibrary1_StorePipeline(library, L"fill", f.add), E_INVALIDARG);
    told(&f, D3D12_MESSAGE_ID_STOREPIPELINE_DUPLICATENAME);
    EXPECT_HR(ID3D12PipelineLibrary1_StorePipeline(library, NULL, f.fill), E_INVALIDARG);
    told(&f, D3D12_MESSAGE_ID_STOREPIPELINE_NONAME);
    EXPECT_HR(ID3D12PipelineLibrary1_StorePipeline(library, L"none", NULL), E_INVALIDARG);
    told(&f, EMU_MESSAGE_INVALID_ARGUMENT);
    EXPECT_HR(ID3D12PipelineLibrary1_StorePipeline(library, L"strange",
                                                   (ID3D12PipelineState *)(void *)f.signature),
              E_INVALIDARG);
    told(&f, EMU_MESSAGE_INVALID_ARGUMENT);
    MUST(load(&f, library, L"fill", EMU_KERNEL_FILL)); /* as before the second try */
}

Test(pipeline_library, of_one_device_takes_no_state_of_another)
{
    AT_END(end) struct fixture f = begin(), other = begin_on("warp");
    OWNED ID3D12PipelineLibrary1 *library = empty(f.device);
    EXPECT_HR(ID3D12PipelineLibrary1_StorePipeline(library, L"fill", other.fill), E_INVALIDARG);
    told(&f, EMU_MESSAGE_INVALID_ARGUMENT);
}

Test(pipeline_library, loads_what_the_name_and_the_description_say)
{
    AT_END(end) struct fixture f = begin();
    OWNED ID3D12PipelineLibrary1 *library = empty(f.device);
    const D3D12_GRAPHICS_PIPELINE_STATE_DESC draw = graphics(&f);
    D3D12_GRAPHICS_PIPELINE_STATE_DESC other = draw;
    ID3D12PipelineState *state = NULL, *loaded = NULL;
    state = MADE(ID3D12PipelineState, f.device, CreateGraphicsPipelineState, &draw);
    MUST(ID3D12PipelineLibrary1_StorePipeline(library, L"draw", state));
    MUST(ID3D12PipelineLibrary1_StorePipeline(library, L"fill", f.fill));
    ID3D12PipelineState_Release(state); /* the library doesn't need it */
    loaded = MADE(ID3D12PipelineState, library, LoadGraphicsPipeline, L"draw", &draw);
    ID3D12PipelineState_Release(loaded);
    MUST(load(&f, library, L"fill", EMU_KERNEL_FILL));
    cr_assert_eq(kit_messages(f.device), 0);

    EXPECT_HR(load(&f, library, L"Fill", EMU_KERNEL_FILL), E_INVALIDARG);
    told(&f, D3D12_MESSAGE_ID_LOADPIPELINE_NAMENOTFOUND);
    EXPECT_HR(load(&f, library, NULL, EMU_KERNEL_FILL), E_INVALIDARG);
    told(&f, D3D12_MESSAGE_ID_LOADPIPELINE_NAMENOTFOUND);
    EXPECT_HR(load(&f, library, L"fill", EMU_KERNEL_ADD), E_INVALIDARG);
    told(&f, D3D12_MESSAGE_ID_LOADPIPELINE_INVALIDDESC);
    EXPECT_HR(load(&f, library, L"draw", EMU_KERNEL_FILL), E_INVALIDARG);
    told(&f, D3D12_MESSAGE_ID_LOADPIPELINE_INVALIDDESC);
    other.RasterizerState.FillMode = D3D12_FILL_MODE_WIREFRAME;
    loaded = (ID3D12PipelineState *)library;
    REFUSES(E_INVALIDARG, ID3D12PipelineState, library, LoadGraphicsPipeline, L"draw", &other);
    told(&f, D3D12_MESSAGE_ID_LOADPIPELINE_INVALIDDESC);
    other.VS.BytecodeLength = 0; /* no description at all */
    REFUSES(E_INVALIDARG, ID3D12PipelineState, library, LoadGraphicsPipeline, L"draw", &other);
    kit_clear(f.device);
    REFUSES(E_INVALIDARG, ID3D12PipelineState, library, LoadComputePipeline, L"fill", NULL);
    told(&f, EMU_MESSAGE_INVALID_ARGUMENT);
    const D3D12_COMPUTE_PIPELINE_STATE_DESC fill = compute(&f, EMU_KERNEL_FILL);
    EXPECT_HR(TRY(ID3D12PipelineState, NULL, library, LoadComputePipeline, L"fill", &fill),
              S_FALSE);
}

/* A library gives one state for each name. It keeps it: a program that has released the state gets
 * it again, which another implementation's tests, which pass on D3D12, expect. */
Test(pipeline_library, gives_the_state_that_there_is)
{
    AT_END(end) struct fixture f = begin();
    ID3D12PipelineLibrary1 *library = empty(f.device);
    const D3D12_COMPUTE_PIPELINE_STATE_DESC fill = compute(&f, EMU_KERNEL_FILL);
    ID3D12PipelineState *loaded[2] = {NULL};
    MUST(ID3D12PipelineLibrary1_StorePipeline(library, L"fill", f.fill));
    MUST(TRY(ID3D12PipelineState, loaded, library, LoadComputePipeline, L"fill", &fill));
    cr_assert_eqs(loaded[0], f.fill, kit_references(f.fill), 2);
    ID3D12PipelineState_Release(loaded[0]);
    cr_assert_eq(kit_references(f.fill), 1, "the library's is none of the application's");
    cr_assert_eq(ID3D12PipelineState_Release(f.fill), 0);
    for (int i = 0; i < 2; i++) {
        loaded[i] = MADE(ID3D12PipelineState, library, LoadComputePipeline, L"fill", &fill);
        cr_assert_eqs(loaded[i], f.fill, kit_references(f.fill), (ULONG)i + 1);
    }
    cr_assert_eq(ID3D12PipelineState_Release(loaded[1]), 1);
    ID3D12PipelineLibrary1_Release(library);
    cr_assert_eq(kit_references(f.fill), 1); /* without the library */
}

Test(pipeline_library, loads_by_stream)
{
    AT_END(end) struct fixture f = begin();
    OWNED ID3D12PipelineLibrary1 *library = empty(f.device);
    const D3D12_COMPUTE_PIPELINE_STATE_DESC fill = compute(&f, EMU_KERNEL_FILL);
    struct {
        _Alignas(void *) D3D12_PIPELINE_STATE_SUBOBJECT_TYPE signature_type;
        ID3D12RootSignature *signature;
        _Alignas(void *) D3D12_PIPELINE_STATE_SUBOBJECT_TYPE cs_type;
        D3D12_SHADER_BYTECODE cs;
    } stream = {D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_ROOT_SIGNATURE, f.signature,
                D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_CS, fill.CS};
    D3D12_PIPELINE_STATE_STREAM_DESC desc = {sizeof stream, &stream};
    MUST(ID3D12PipelineLibrary1_StorePipeline(library, L"fill", f.fill));
    ID3D12PipelineState *state = MADE(ID3D12PipelineState, library, LoadPipeline, L"fill", &desc);
    ID3D12PipelineState_Release(state);
    cr_assert_eq(kit_messages(f.device), 0);
    REFUSES(E_INVALIDARG, ID3D12PipelineState, library, LoadPipeline, L"add", &desc);
    told(&f, D3D12_MESSAGE_ID_LOADPIPELINE_NAMENOTFOUND);
    desc.SizeInBytes = 0;
    REFUSES(E_INVALIDARG, ID3D12PipelineState, library, LoadPipeline, L"fill", &desc);
    told(&f, D3D12_MESSAGE_ID_CREATEPIPELINESTATE_ZERO_SIZE_STREAM);
}

/* ---- bytes ---- */

enum { BYTES = 512 };

/* A library that has a state, in bytes of its own. */
static SIZE_T stored(const struct fixture *f, unsigned char bytes[BYTES])
{
    OWNED ID3D12PipelineLibrary1 *library = empty(f->device);
    MUST(ID3D12PipelineLibrary1_StorePipeline(library, L"fill", f->fill));
    const SIZE_T size = ID3D12PipelineLibrary1_GetSerializedSize(library);
    memset(bytes, 0x5a, BYTES);
    EXPECT_HR(ID3D12PipelineLibrary1_Serialize(library, bytes, size - 1), E_INVALIDARG);
    told(f, D3D12_MESSAGE_ID_PIPELINELIBRARY_SERIALIZE_NOTENOUGHMEMORY);
    cr_assert_eq(bytes[0], 0x5a);
    EXPECT_HR(ID3D12PipelineLibrary1_Serialize(library, NULL, size), E_INVALIDARG);
    told(f, D3D12_MESSAGE_ID_PIPELINELIBRARY_SERIALIZE_NOTENOUGHMEMORY);
    MUST(ID3D12PipelineLibrary1_Serialize(library, bytes, BYTES));
    cr_assert_eq(bytes[size], 0x5a);
    return size;
}

/* Nothing is compiled, so nothing is kept for a later process: a program makes its states again. */
Test(pipeline_library, that_comes_from_bytes_is_empty)
{
    unsigned char bytes[BYTES];
    AT_END(end) struct fixture f = begin();
    stored(&f, bytes);
    OWNED ID3D12PipelineLibrary1 *library = NULL;
    MUST(create(f.device, bytes, sizeof bytes, &library)); /* the rest is not looked at */
    cr_assert_eq(kit_messages(f.device), 0);
    EXPECT_HR(load(&f, library, L"fill", EMU_KERNEL_FILL), E_INVALIDARG);
    told(&f, D3D12_MESSAGE_ID_LOADPIPELINE_NAMENOTFOUND);
    MUST(ID3D12PipelineLibrary1_StorePipeline(library, L"fill", f.fill));
    MUST(load(&f, library, L"fill", EMU_KERNEL_FILL));
}

Test(pipeline_library, damage_is_noticed)
{
    unsigned char bytes[BYTES];
    AT_END(end) struct fixture f = begin();
    const SIZE_T size = stored(&f, bytes);
    ID3D12PipelineLibrary1 *library;
    for (SIZE_T cut = 1; cut < size; cut++) {
        AT_END(at_end_free) void *copy = malloc(cut);
        cr_assert(copy);
        memcpy(copy, bytes, cut);
        library = (ID3D12PipelineLibrary1 *)f.device;
        EXPECT_HR(create(f.device, copy, cut, &library), E_INVALIDARG);
        cr_assert(!library);
    }
    for (SIZE_T at = 0; at < size; at++)
        for (int bit = 0; bit < 8; bit++) {
            bytes[at] ^= (unsigned char)(1 << bit);
            EXPECT_HR(create(f.device, bytes, size, &library), E_INVALIDARG);
            bytes[at] ^= (unsigned char)(1 << bit);
        }
    EXPECT_HR(create(f.device, NULL, size, &library), E_INVALIDARG);
    cr_assert_eq(kit_count(f.device, D3D12_MESSAGE_ID_CREATEPIPELINELIBRARY_INVALIDLIBRARYBLOB),
                 kit_messages(f.device));
    OWNED ID3DBlob *state = NULL; /* whole, but no library */
    MUST(ID3D12PipelineState_GetCachedBlob(f.fill, &state));
    EXPECT_HR(create(f.device, ID3D10Blob_GetBufferPointer(state), ID3D10Blob_GetBufferSize(state),
                     &library),
              E_INVALIDARG);
}

Test(pipeline_library, is_of_one_driver_and_adapter)
{
    AT_END(end) struct fixture f = begin(), legacy = begin_on("legacy"), warp = begin_on("warp");
    unsigned char bytes[BYTES];
    const SIZE_T size = stored(&f, bytes);
    ID3D12PipelineLibrary1 *library = (ID3D12PipelineLibrary1 *)f.device;
    EXPECT_HR(create(legacy.device, bytes, size, &library), D3D12_ERROR_DRIVER_VERSION_MISMATCH);
    cr_assert(!library);
    told(&legacy, D3D12_MESSAGE_ID_CREATEPIPELINELIBRARY_DRIVERVERSIONMISMATCH);
    EXPECT_HR(create(warp.device, bytes, size, &library), D3D12_ERROR_ADAPTER_NOT_FOUND);
    told(&warp, D3D12_MESSAGE_ID_CREATEPIPELINELIBRARY_ADAPTERVERSIONMISMATCH);
}

/* ---- threads ---- */

#define THREADS 4
#define EACH    100

struct worker {
    const struct fixture *fixture;
    ID3D12PipelineLibrary1 *library;
    WCHAR letter;
};

static void *store_and_load(void *data)
{
    const struct worker *worker = data;
    for (int i = 0; i < EACH; i++) {
        const WCHAR name[] = {worker->letter, (WCHAR)(L'0' + i), 0};
        ID3D12PipelineState *state = i % 2 ? worker->fixture->add : worker->fixture->fill;
        MUST(ID3D12PipelineLibrary1_StorePipeline(worker->library, name, state));
        MUST(
            load(worker->fixture, worker->library, name, i % 2 ? EMU_KERNEL_ADD : EMU_KERNEL_FILL));
        (void)ID3D12PipelineLibrary1_GetSerializedSize(worker->library);
    }
    return NULL;
}

Test(pipeline_library, is_used_by_threads_at_once)
{
    AT_END(end) struct fixture f = begin();
    OWNED ID3D12PipelineLibrary1 *library = empty(f.device);
    pthread_t threads[THREADS];
    struct worker workers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){&f, library, (WCHAR)(L'a' + i)};
        cr_assert_eq(pthread_create(&threads[i], NULL, store_and_load, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        for (int k = 0; k < EACH; k++) {
            const WCHAR name[] = {(WCHAR)(L'a' + i), (WCHAR)(L'0' + k), 0};
            MUST(load(&f, library, name, k % 2 ? EMU_KERNEL_ADD : EMU_KERNEL_FILL));
        }
    cr_assert_eq(kit_messages(f.device), 0);
}
