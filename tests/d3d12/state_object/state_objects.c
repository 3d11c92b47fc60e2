/* State objects: creation, what is refused, identifiers and stack sizes. */
#include "state_object/rays.h"

#define IDENTIFIER D3D12_SHADER_IDENTIFIER_SIZE_IN_BYTES
#define NO_SIZE    UINT64_C(0xffffffff)

static ID3D12StateObject *pipeline(const struct rays *rays)
{
    struct plan plan;
    ID3D12StateObject *object = NULL;
    rays_plan(rays, &plan);
    MUST(rays_create(rays, &plan, &object));
    return object;
}

Test(state_object, is_one_object_with_two_faces)
{
    AT_END(rays_end) struct rays rays = rays_begin();
    ID3D12StateObject *object = pipeline(&rays);
    ID3D12StateObjectProperties *properties = rays_properties(object);
    static const IID *const known[] = {&IID_IUnknown, &IID_ID3D12Object, &IID_ID3D12DeviceChild,
                                       &IID_ID3D12Pageable, &IID_ID3D12StateObject};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        void *there = NULL, *back = NULL;
        MUST(ID3D12StateObject_QueryInterface(object, known[i], &there));
        MUST(ID3D12StateObjectProperties_QueryInterface(properties, known[i], &back));
        cr_assert_eqs(there, object, back, object);
        RELEASE(object, object);
    }
    void *none = object;
    EXPECT_HR(ID3D12StateObjectProperties_QueryInterface(properties, &IID_ID3D12Fence, &none),
              E_NOINTERFACE);
    cr_assert(!none);
    ID3D12Device *device = GOT(ID3D12Device, object, GetDevice);
    cr_assert_eq(device, rays.device);
    ID3D12Device_Release(device);
    cr_assert_eq(ID3D12StateObjectProperties_AddRef(properties), 3);
    cr_assert_eq(ID3D12StateObjectProperties_Release(properties), 2);
    cr_assert_eq(ID3D12StateObject_Release(object), 1); /* the other face holds it */
    cr_assert(ID3D12StateObjectProperties_GetShaderIdentifier(properties, L"miss"));
    cr_assert_eq(ID3D12StateObjectProperties_Release(properties), 0);
}

Test(state_object, can_be_had_by_its_other_face_or_not_at_all)
{
    AT_END(rays_end) struct rays rays = rays_begin();
    struct plan plan;
    rays_plan(&rays, &plan);
    const D3D12_STATE_OBJECT_DESC desc = {plan.type, plan.count, plan.subobjects};
    ID3D12StateObjectProperties *properties =
        MADE(ID3D12StateObjectProperties, rays.device7, CreateStateObject, &desc);
    ID3D12StateObjectProperties_Release(properties);
    REFUSES(E_NOINTERFACE, ID3D12PipelineState, rays.device7, CreateStateObject, &desc);
    EXPECT_HR(ID3D12Device7_CreateStateObject(rays.device7, &desc, &IID_ID3D12StateObject, NULL),
              S_FALSE);
    REFUSES(E_INVALIDARG, ID3D12StateObject, rays.device7, CreateStateObject, NULL);
    rays_told(&rays, D3D12_MESSAGE_ID_CREATE_STATE_OBJECT_ERROR);
}

Test(state_object, needs_nothing_of_what_it_was_made_of)
{
    AT_END(rays_end) struct rays rays = rays_begin();
    OWNED ID3D12StateObject *object = pipeline(&rays);
    OWNED ID3D12StateObjectProperties *properties = rays_properties(object);
    ID3D12RootSignature *global = rays.global;
    cr_assert_eq(ID3D12RootSignature_Release(global), 0);
    memset((void *)(uintptr_t)rays.code.pShaderBytecode, 0x5a, rays.code.BytecodeLength);
    cr_assert(ID3D12StateObjectProperties_GetShaderIdentifier(properties, L"generate"));
    rays.global = rays_signature(rays.device, D3D12_ROOT_SIGNATURE_FLAG_NONE, 1);
}

/* ---- identifiers and stacks ---- */

Test(state_object, identifies_what_rays_can_enter)
{
    static const WCHAR *const entries[] = {L"generate", L"miss", L"call", L"hits"};
    static const WCHAR *const others[] = {L"closest", L"any", L"cut",      L"?help@@YAHH@Z",
                                          L"Miss",    L"",    L"hits::any"};
    static const unsigned char zeros[IDENTIFIER];
    AT_END(rays_end) struct rays rays = rays_begin();
    ID3D12StateObject *objects[2] = {pipeline(&rays), pipeline(&rays)};
    ID3D12StateObjectProperties *properties = rays_properties(objects[0]);
    const void *found[4];
    unsigned char copies[4][IDENTIFIER];
    for (int i = 0; i < 4; i++) {
        found[i] = ID3D12StateObjectProperties_GetShaderIdentifier(properties, entries[i]);
        cr_assert(found[i] && memcmp(found[i], zeros, IDENTIFIER) != 0);
        memcpy(copies[i], found[i], IDENTIFIER);
        for (int k = 0; k < i; k++)
            cr_assert(memcmp(copies[i], copies[k], IDENTIFIER) != 0);
    }
    ID3D12StateObject_Release(objects[1]);
    for (int i = 0; i < 4; i++) {
        cr_assert_eq(ID3D12StateObjectProperties_GetShaderIdentifier(properties, entries[i]),
                     found[i]);
        cr_assert_mem_eq(copies[i], found[i], IDENTIFIER);
    }
    cr_assert_eq(kit_messages(rays.device), 0);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        cr_assert(!ID3D12StateObjectProperties_GetShaderIdentifier(properties, others[i]));
        rays_told(&rays, D3D12_MESSAGE_ID_GET_SHADER_IDENTIFIER_ERROR);
    }
    cr_assert(!ID3D12StateObjectProperties_GetShaderIdentifier(properties, NULL));
    rays_told(&rays, D3D12_MESSAGE_ID_GET_SHADER_IDENTIFIER_ERROR);
    RELEASE(properties, objects[0]);
}

Test(state_object, tells_stack_sizes_of_entries_and_of_hit_groups_shaders)
{
    static const WCHAR *const sized[] = {L"generate", L"miss", L"call", L"hits::anyhit",
                                         L"hits::closesthit"};
    static const WCHAR *const unsized[] = {L"hits",         L"any",
                                           L"closest",      L"hits::intersection",
                                           L"hits::AnyHit", L"x::anyhit",
                                           L"::anyhit",     L"miss::anyhit",
                                           L"none"};
    AT_END(rays_end) struct rays rays = rays_begin();
    OWNED ID3D12StateObject *object = pipeline(&rays);
    OWNED ID3D12StateObjectProperties *properties = rays_properties(object);
    for (size_t i = 0; i < sizeof sized / sizeof sized[0]; i++)
        cr_assert(ID3D12StateObjectProperties_GetShaderStackSize(properties, sized[i]) < NO_SIZE);
    cr_assert(ID3D12StateObjectProperties_GetShaderStackSize(properties, L"hits::anyhit") !=
              ID3D12StateObjectProperties_GetShaderStackSize(properties, L"hits::closesthit"));
    cr_assert_eq(kit_messages(rays.device), 0);
    for (size_t i = 0; i < sizeof unsized / sizeof unsized[0]; i++) {
        cr_assert_eq(ID3D12StateObjectProperties_GetShaderStackSize(properties, unsized[i]),
                     NO_SIZE);
        rays_told(&rays, D3D12_MESSAGE_ID_GET_SHADER_STACK_SIZE_ERROR);
    }
    cr_assert_eq(ID3D12StateObjectProperties_GetShaderStackSize(properties, NULL), NO_SIZE);
    rays_told(&rays, D3D12_MESSAGE_ID_GET_SHADER_STACK_SIZE_ERROR);
}

static UINT64 stack(ID3D12StateObjectProperties *properties, const WCHAR *name)
{
    const UINT64 size = ID3D12StateObjectProperties_GetShaderStackSize(properties, name);
    cr_assert(size < NO_SIZE);
    return size;
}

static UINT64 larger(UINT64 a, UINT64 b)
{
    return a > b ? a : b;
}

/* DXR specification, "Pipeline stack". */
Test(state_object, has_the_specifications_default_stack_size)
{
    AT_END(rays_end) struct rays rays = rays_begin();
    for (UINT depth = 0; depth < 4; depth++) {
        const D3D12_HIT_GROUP_DESC boxes = {L"boxes", D3D12_HIT_GROUP_TYPE_PROCEDURAL_PRIMITIVE,
                                            NULL, L"closest2", L"cut"};
        struct plan plan;
        OWNED ID3D12StateObject *object = NULL;
        rays_plan(&rays, &plan);
        plan.pipeline.MaxTraceRecursionDepth = depth;
        plan_add(&plan, D3D12_STATE_SUBOBJECT_TYPE_HIT_GROUP, &boxes);
        MUST(rays_create(&rays, &plan, &object));
        OWNED ID3D12StateObjectProperties *p = rays_properties(object);
        const UINT64 closest =
            larger(stack(p, L"hits::closesthit"), stack(p, L"boxes::closesthit"));
        const UINT64 traced = larger(closest, stack(p, L"miss"));
        const UINT64 searched = stack(p, L"boxes::intersection") + stack(p, L"hits::anyhit");
        cr_assert_eq(ID3D12StateObjectProperties_GetPipelineStackSize(p),
                     stack(p, L"generate") + larger(traced, searched) * (depth ? 1 : 0) +
                         traced * (depth ? depth - 1 : 0) + 2 * stack(p, L"call"));
    }
}

Test(state_object, takes_another_stack_size_below_32_bits)
{
    AT_END(rays_end) struct rays rays = rays_begin();
    OWNED ID3D12StateObject *object = pipeline(&rays);
    OWNED ID3D12StateObjectProperties *p = rays_properties(object);
    ID3D12StateObjectProperties_SetPipelineStackSize(p, 12345);
    cr_assert_eq(ID3D12StateObjectProperties_GetPipelineStackSize(p), 12345);
    ID3D12StateObjectProperties_SetPipelineStackSize(p, NO_SIZE - 1);
    cr_assert_eq(kit_messages(rays.device), 0);
    static const UINT64 wrong[] = {NO_SIZE, NO_SIZE + 1, 3 * NO_SIZE, UINT64_MAX};
    for (int i = 0; i < 4; i++) {
        ID3D12StateObjectProperties_SetPipelineStackSize(p, wrong[i]);
        cr_assert_eq(ID3D12StateObjectProperties_GetPipelineStackSize(p), NO_SIZE - 1);
        rays_told(&rays, D3D12_MESSAGE_ID_SET_PIPELINE_STACK_SIZE_ERROR);
    }
}

/* ---- what is turned down ---- */

Test(state_object, of_a_bad_description_is_turned_down)
{
    AT_END(rays_end) struct rays rays = rays_begin();
    struct plan good, plan;
    rays_plan(&rays, &good);
#define REFUSED(change)                                                                            \
    do {                                                                                           \
        rays_plan(&rays, &plan);                                                                   \
        change;                                                                                    \
        rays_refused(&rays, &plan, #change);                                                       \
    } while (0)
    REFUSED(plan.type = (D3D12_STATE_OBJECT_TYPE)1);
    REFUSED(plan.type = (D3D12_STATE_OBJECT_TYPE)-1);
    REFUSED(plan.subobjects[PLAN_ROOT].Type = (D3D12_STATE_SUBOBJECT_TYPE)4);
    REFUSED(plan.subobjects[PLAN_ROOT].Type = D3D12_STATE_SUBOBJECT_TYPE_MAX_VALID);
    REFUSED(plan.subobjects[PLAN_ROOT].Type = (D3D12_STATE_SUBOBJECT_TYPE)-1);
    for (UINT i = 0; i < good.count; i++)
        REFUSED(plan.subobjects[i].pDesc = NULL);
    REFUSED(plan.config.Flags = (D3D12_STATE_OBJECT_FLAGS)8);
    REFUSED(plan.shader.MaxAttributeSizeInBytes = 33);
    REFUSED(plan.pipeline.MaxTraceRecursionDepth = 32);
    REFUSED(plan.root.pGlobalRootSignature = NULL);
    REFUSED(plan.root.pGlobalRootSignature = (ID3D12RootSignature *)rays.device);
    REFUSED(plan.root.pGlobalRootSignature = rays.local);
    REFUSED(plan.subobjects[PLAN_ROOT].Type = D3D12_STATE_SUBOBJECT_TYPE_LOCAL_ROOT_SIGNATURE);
    REFUSED(plan.dxil.DXILLibrary.pShaderBytecode = NULL);
    REFUSED(plan.dxil.DXILLibrary.BytecodeLength = 0);
    REFUSED(plan.dxil.NumExports = 1);
    REFUSED(plan.hits.HitGroupExport = NULL);
    REFUSED(plan.hits.HitGroupExport = L"");
    REFUSED(plan.hits.HitGroupExport = L"miss");
    REFUSED(plan.hits.Type = (D3D12_HIT_GROUP_TYPE)2);
    REFUSED(plan.hits.Type = D3D12_HIT_GROUP_TYPE_PROCEDURAL_PRIMITIVE);
    REFUSED(plan.hits.IntersectionShaderImport = L"cut");
    REFUSED(plan.hits.AnyHitShaderImport = L"closest");
    REFUSED(plan.hits.AnyHitShaderImport = L"nothing");
    REFUSED(plan.subobjects[PLAN_SHADER] = plan.subobjects[PLAN_ROOT]);
    REFUSED(plan.subobjects[PLAN_PIPELINE] = plan.subobjects[PLAN_ROOT]);
    REFUSED(plan_add(&plan, D3D12_STATE_SUBOBJECT_TYPE_DXIL_LIBRARY, &plan.dxil));
    const D3D12_NODE_MASK mask = {2};
    REFUSED(plan_add(&plan, D3D12_STATE_SUBOBJECT_TYPE_NODE_MASK, &mask));
    const D3D12_RAYTRACING_PIPELINE_CONFIG1 nothing = {2, (D3D12_RAYTRACING_PIPELINE_FLAGS)0x300};
    const D3D12_RAYTRACING_PIPELINE_CONFIG1 unknown = {2, (D3D12_RAYTRACING_PIPELINE_FLAGS)0x800};
    REFUSED((plan.subobjects[PLAN_PIPELINE] = (D3D12_STATE_SUBOBJECT){
                 D3D12_STATE_SUBOBJECT_TYPE_RAYTRACING_PIPELINE_CONFIG1, &nothing}));
    REFUSED((plan.subobjects[PLAN_PIPELINE] = (D3D12_STATE_SUBOBJECT){
                 D3D12_STATE_SUBOBJECT_TYPE_RAYTRACING_PIPELINE_CONFIG1, &unknown}));
}

Test(state_object, counts_are_not_believed)
{
    AT_END(rays_end) struct rays rays = rays_begin();
    struct plan plan;
    const D3D12_STATE_OBJECT_DESC none = {D3D12_STATE_OBJECT_TYPE_RAYTRACING_PIPELINE, UINT_MAX,
                                          NULL};
    REFUSES(E_INVALIDARG, ID3D12StateObject, rays.device7, CreateStateObject, &none);
    rays_told(&rays, D3D12_MESSAGE_ID_CREATE_STATE_OBJECT_ERROR);
    /* it ends at the first that is wrong, with no memory for as many as are claimed */
    rays_plan(&rays, &plan);
    plan_add(&plan, D3D12_STATE_SUBOBJECT_TYPE_NODE_MASK, NULL);
    plan.count = UINT_MAX;
    rays_refused(&rays, &plan, "UINT_MAX subobjects");
    D3D12_EXPORT_DESC exports[2] = {{L"miss", NULL, D3D12_EXPORT_FLAG_NONE}, {NULL, NULL, 0}};
    rays_plan(&rays, &plan);
    plan.dxil.NumExports = UINT_MAX;
    plan.dxil.pExports = exports;
    rays_refused(&rays, &plan, "UINT_MAX exports");
    const D3D12_STATE_OBJECT_DESC empty = {D3D12_STATE_OBJECT_TYPE_COLLECTION, 0, NULL};
    OWNED ID3D12StateObject *object =
        MADE(ID3D12StateObject, rays.device7, CreateStateObject, &empty);
}

Test(state_object, is_not_made_by_a_removed_device)
{
    AT_END(rays_end) struct rays rays = rays_begin();
    struct plan plan;
    OWNED ID3D12Resource *buffer = kit_buffer(rays.device, D3D12_HEAP_TYPE_DEFAULT, 256);
    OWNED ID3D12RootSignature *signature = kit_root_signature(rays.device);
    OWNED ID3D12PipelineState *spin = kit_pipeline(rays.device, signature, EMU_KERNEL_SPIN);
    OWNED ID3D12CommandQueue *queue = kit_queue(rays.device, DIRECT);
    OWNED ID3D12CommandAllocator *allocator = kit_allocator(rays.device, DIRECT);
    OWNED ID3D12GraphicsCommandList *list = kit_list(rays.device, allocator, DIRECT);
    ID3D12StateObject *object = pipeline(&rays), *out = object;
    kit_dispatch(list, signature, spin, buffer, NULL, 1, 4);
    kit_execute(queue, list);
    emu_run_until_idle(rays.device);
    rays_plan(&rays, &plan);
    EXPECT_HR(rays_create(&rays, &plan, &out), DXGI_ERROR_DEVICE_REMOVED);
    cr_assert(!out);
    out = object;
    EXPECT_HR(rays_grow(&rays, &plan, object, &out), DXGI_ERROR_DEVICE_REMOVED);
    cr_assert(!out);
    ID3D12StateObject_Release(object);
}
