#include "state_object/rays.h"

const struct dxil_function rays_functions[8] = {
    {"\x01?generate@@YAXXZ", "generate", DXIL_RAY_GENERATION, 0, 0},
    {"\x01?miss@@YAXUPayload@@@Z", "miss", DXIL_MISS, 16, 0},
    {"\x01?call@@YAXUData@@@Z", "call", DXIL_CALLABLE, 8, 0},
    {"\x01?closest@@YAXUPayload@@@Z", "closest", DXIL_CLOSEST_HIT, 16, 8},
    {"\x01?closest2@@YAXUPayload@@@Z", "closest2", DXIL_CLOSEST_HIT, 200, 8},
    {"\x01?any@@YAXUPayload@@@Z", "any", DXIL_ANY_HIT, 100, 8},
    {"\x01?cut@@YAXXZ", "cut", DXIL_INTERSECTION, 0, 0},
    {"\x01?help@@YAHH@Z", "help", DXIL_FUNCTION, 0, 0},
};

ID3D12RootSignature *rays_signature(ID3D12Device *device, D3D12_ROOT_SIGNATURE_FLAGS flags,
                                    UINT constants)
{
    const D3D12_ROOT_PARAMETER parameter = {.ParameterType =
                                                D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS,
                                            .Constants = {.Num32BitValues = constants}};
    const D3D12_ROOT_SIGNATURE_DESC desc = {
        .NumParameters = 1, .pParameters = &parameter, .Flags = flags};
    return kit_root_signature_of(device, &desc);
}

struct rays rays_begin(void)
{
    const struct dxil_contents contents = {.functions = rays_functions, .function_count = 8};
    struct rays rays = {.device = kit_device(), .code = dxil_library(&contents)};
    rays.device7 = AS(ID3D12Device7, rays.device);
    rays.global = rays_signature(rays.device, D3D12_ROOT_SIGNATURE_FLAG_NONE, 4);
    rays.local = rays_signature(rays.device, D3D12_ROOT_SIGNATURE_FLAG_LOCAL_ROOT_SIGNATURE, 1);
    rays.other_local =
        rays_signature(rays.device, D3D12_ROOT_SIGNATURE_FLAG_LOCAL_ROOT_SIGNATURE, 2);
    return rays;
}

void rays_end(struct rays *rays)
{
    RELEASE(rays->global, rays->local, rays->other_local);
    dxil_free(&rays->code);
    ID3D12Device7_Release(rays->device7);
    kit_close(rays->device);
}

UINT plan_add(struct plan *plan, D3D12_STATE_SUBOBJECT_TYPE type, const void *desc)
{
    cr_assert(plan->count < RAYS_SUBOBJECTS);
    plan->subobjects[plan->count] = (D3D12_STATE_SUBOBJECT){type, desc};
    return plan->count++;
}

void rays_plan(const struct rays *rays, struct plan *plan)
{
    *plan = (struct plan){
        .type = D3D12_STATE_OBJECT_TYPE_RAYTRACING_PIPELINE,
        .dxil = {.DXILLibrary = rays->code},
        .hits = {.HitGroupExport = L"hits",
                 .Type = D3D12_HIT_GROUP_TYPE_TRIANGLES,
                 .AnyHitShaderImport = L"any",
                 .ClosestHitShaderImport = L"closest"},
        .shader = {16, 8},
        .pipeline = {2},
        .root = {rays->global},
    };
    plan_add(plan, D3D12_STATE_SUBOBJECT_TYPE_DXIL_LIBRARY, &plan->dxil);
    plan_add(plan, D3D12_STATE_SUBOBJECT_TYPE_HIT_GROUP, &plan->hits);
    plan_add(plan, D3D12_STATE_SUBOBJECT_TYPE_RAYTRACING_SHADER_CONFIG, &plan->shader);
    plan_add(plan, D3D12_STATE_SUBOBJECT_TYPE_RAYTRACING_PIPELINE_CONFIG, &plan->pipeline);
    plan_add(plan, D3D12_STATE_SUBOBJECT_TYPE_GLOBAL_ROOT_SIGNATURE, &plan->root);
    plan_add(plan, D3D12_STATE_SUBOBJECT_TYPE_STATE_OBJECT_CONFIG, &plan->config);
}

D3D12_SUBOBJECT_TO_EXPORTS_ASSOCIATION plan_associate(const struct plan *plan, UINT index,
                                                      LPCWSTR *exports, UINT count)
{
    return (D3D12_SUBOBJECT_TO_EXPORTS_ASSOCIATION){&plan->subobjects[index], count, exports};
}

HRESULT rays_create(const struct rays *rays, const struct plan *plan, ID3D12StateObject **out)
{
    const D3D12_STATE_OBJECT_DESC desc = {plan->type, plan->count, plan->subobjects};
    return ID3D12Device7_CreateStateObject(rays->device7, &desc, &IID_ID3D12StateObject,
                                           (void **)out);
}

HRESULT rays_grow(const struct rays *rays, const struct plan *plan, ID3D12StateObject *from,
                  ID3D12StateObject **out)
{
    const D3D12_STATE_OBJECT_DESC desc = {plan->type, plan->count, plan->subobjects};
    return ID3D12Device7_AddToStateObject(rays->device7, &desc, from, &IID_ID3D12StateObject,
                                          (void **)out);
}

ID3D12StateObjectProperties *rays_properties(ID3D12StateObject *object)
{
    return AS(ID3D12StateObjectProperties, object);
}

void rays_told(const struct rays *rays, int id)
{
    cr_assert_eqs(kit_messages(rays->device), 1, kit_count(rays->device, id), 1,
                  "not one message, or not number %d", id);
    kit_clear(rays->device);
}

void rays_refused(const struct rays *rays, const struct plan *plan, const char *what)
{
    ID3D12StateObject *object = (ID3D12StateObject *)rays->device;
    const HRESULT hr = rays_create(rays, plan, &object);
    cr_assert_eqs(hr, E_INVALIDARG, object, NULL, "%s: 0x%08x", what, (unsigned)hr);
    rays_told(rays, D3D12_MESSAGE_ID_CREATE_STATE_OBJECT_ERROR);
}

void rays_accepted(const struct rays *rays, const struct plan *plan, const char *what)
{
    OWNED ID3D12StateObject *object = NULL;
    const HRESULT hr = rays_create(rays, plan, &object);
    cr_assert(hr == S_OK && object && kit_messages(rays->device) == 0, "%s: 0x%08x", what,
              (unsigned)hr);
}

bool rays_identified(ID3D12StateObject *object, const WCHAR *name)
{
    OWNED ID3D12StateObjectProperties *properties = rays_properties(object);
    const bool found = ID3D12StateObjectProperties_GetShaderIdentifier(properties, name) != NULL;
    return found;
}
