/* State objects made of others: collections within pipelines, and additions to pipelines. */
#include "state_object/rays.h"

#define ASSOCIATION   D3D12_STATE_SUBOBJECT_TYPE_SUBOBJECT_TO_EXPORTS_ASSOCIATION
#define SHADER_CONFIG D3D12_STATE_SUBOBJECT_TYPE_RAYTRACING_SHADER_CONFIG
#define DEFERRED      D3D12_STATE_OBJECT_FLAG_ALLOW_LOCAL_DEPENDENCIES_ON_EXTERNAL_DEFINITIONS
#define SHARED        D3D12_STATE_OBJECT_FLAG_ALLOW_EXTERNAL_DEPENDENCIES_ON_LOCAL_DEFINITIONS
#define ADDITIONS     D3D12_STATE_OBJECT_FLAG_ALLOW_STATE_OBJECT_ADDITIONS

/* ---- collections ---- */

static ID3D12StateObject *collection(const struct rays *rays, struct plan *plan)
{
    ID3D12StateObject *object = NULL;
    plan->type = D3D12_STATE_OBJECT_TYPE_COLLECTION;
    MUST(rays_create(rays, plan, &object));
    return object;
}

/* A pipeline of a collection alone. */
static void plan_collection(struct plan *plan, D3D12_EXISTING_COLLECTION_DESC *desc,
                            ID3D12StateObject *existing)
{
    *plan = (struct plan){.type = D3D12_STATE_OBJECT_TYPE_RAYTRACING_PIPELINE};
    *desc = (D3D12_EXISTING_COLLECTION_DESC){.pExistingCollection = existing};
    plan_add(plan, D3D12_STATE_SUBOBJECT_TYPE_EXISTING_COLLECTION, desc);
}

static const void *identifier(ID3D12StateObject *object, const WCHAR *name)
{
    ID3D12StateObjectProperties *properties = rays_properties(object);
    const void *found = ID3D12StateObjectProperties_GetShaderIdentifier(properties, name);
    ID3D12StateObjectProperties_Release(properties);
    cr_assert(found);
    return found;
}

Test(collection, becomes_part_of_a_pipeline)
{
    AT_END(rays_end) struct rays rays = rays_begin();
    struct plan plan;
    D3D12_EXISTING_COLLECTION_DESC desc;
    OWNED ID3D12StateObject *object = NULL;
    rays_plan(&rays, &plan);
    ID3D12StateObject *existing = collection(&rays, &plan);
    cr_assert(rays_identified(existing, L"hits"));
    ID3D12StateObjectProperties *properties = rays_properties(existing);
    cr_assert_eq(ID3D12StateObjectProperties_GetPipelineStackSize(properties), 0);
    ID3D12StateObjectProperties_SetPipelineStackSize(properties, 64);
    cr_assert_eq(ID3D12StateObjectProperties_GetPipelineStackSize(properties), 0);
    const UINT64 any = ID3D12StateObjectProperties_GetShaderStackSize(properties, L"hits::anyhit");
    ID3D12StateObjectProperties_Release(properties);
    kit_clear(rays.device);

    plan_collection(&plan, &desc, existing);
    MUST(rays_create(&rays, &plan, &object));
    cr_assert_eq(ID3D12StateObject_Release(existing), 0); /* the pipeline has what it needs */
    cr_assert(rays_identified(object, L"hits") && rays_identified(object, L"generate"));
    properties = rays_properties(object);
    cr_assert_eq(ID3D12StateObjectProperties_GetShaderStackSize(properties, L"hits::anyhit"), any);
    cr_assert(ID3D12StateObjectProperties_GetPipelineStackSize(properties) > any);
    ID3D12StateObjectProperties_Release(properties);
    cr_assert_eq(kit_messages(rays.device), 0);
}

/* Shader tables that were filled with a collection's identifiers go on to be good. */
Test(collection, gives_its_identifiers_to_pipelines)
{
    AT_END(rays_end) struct rays rays = rays_begin();
    struct plan plan;
    D3D12_EXISTING_COLLECTION_DESC desc;
    OWNED ID3D12StateObject *object = NULL;
    rays_plan(&rays, &plan);
    OWNED ID3D12StateObject *existing = collection(&rays, &plan);
    plan_collection(&plan, &desc, existing);
    MUST(rays_create(&rays, &plan, &object));
    static const WCHAR *const names[] = {L"generate", L"miss", L"call", L"hits"};
    for (int i = 0; i < 4; i++)
        cr_assert_mem_eq(identifier(existing, names[i]), identifier(object, names[i]),
                         D3D12_SHADER_IDENTIFIER_SIZE_IN_BYTES);
}

Test(collection, gives_what_is_listed)
{
    AT_END(rays_end) struct rays rays = rays_begin();
    struct plan plan;
    D3D12_EXISTING_COLLECTION_DESC desc;
    D3D12_EXPORT_DESC exports[] = {{L"enter", L"generate", D3D12_EXPORT_FLAG_NONE},
                                   {L"hits", NULL, D3D12_EXPORT_FLAG_NONE}};
    OWNED ID3D12StateObject *object = NULL;
    rays_plan(&rays, &plan);
    OWNED ID3D12StateObject *existing = collection(&rays, &plan);
    plan_collection(&plan, &desc, existing);
    desc.NumExports = 2;
    desc.pExports = exports;
    MUST(rays_create(&rays, &plan, &object));
    cr_assert(rays_identified(object, L"enter") && rays_identified(object, L"hits"));
    cr_assert(!rays_identified(object, L"generate") && !rays_identified(object, L"miss"));
    kit_clear(rays.device);
    exports[1].Name = L"nobody";
    rays_refused(&rays, &plan, "what isn't there");
    exports[1].Name = NULL;
    rays_refused(&rays, &plan, "no name");
    desc.pExports = NULL;
    rays_refused(&rays, &plan, "no exports");
    plan_collection(&plan, &desc, object);
    rays_refused(&rays, &plan, "a pipeline");
    plan_collection(&plan, &desc, NULL);
    rays_refused(&rays, &plan, "no collection");
    plan_collection(&plan, &desc, (ID3D12StateObject *)rays.global);
    rays_refused(&rays, &plan, "something else");
    plan_collection(&plan, &desc, existing);
    plan.type = D3D12_STATE_OBJECT_TYPE_COLLECTION;
    rays_refused(&rays, &plan, "a collection within a collection");
    plan_collection(&plan, &desc, existing);
    plan_add(&plan, D3D12_STATE_SUBOBJECT_TYPE_EXISTING_COLLECTION, &desc);
    rays_refused(&rays, &plan, "the same names twice");
}

Test(collection, leaves_things_open_only_when_it_says_so)
{
    AT_END(rays_end) struct rays rays = rays_begin();
    struct plan open, plan;
    D3D12_EXISTING_COLLECTION_DESC desc;
    ID3D12StateObject *object = NULL;
    rays_plan(&rays, &open);
    open.type = D3D12_STATE_OBJECT_TYPE_COLLECTION;
    open.subobjects[PLAN_SHADER] = open.subobjects[PLAN_ROOT]; /* no shader config */
    rays_refused(&rays, &open, "a collection that lacks something");
    open.config.Flags = DEFERRED;
    OWNED ID3D12StateObject *existing = collection(&rays, &open);
    cr_assert(!rays_identified(existing, L"miss"));
    rays_told(&rays, D3D12_MESSAGE_ID_GET_SHADER_IDENTIFIER_ERROR);
    plan_collection(&plan, &desc, existing);
    rays_refused(&rays, &plan, "a pipeline that lacks something");
    const struct dxil_subobject config = {
        .kind = SHADER_CONFIG, .name = "config", .numbers = {16, 8}};
    const struct dxil_contents contents = {.subobjects = &config, .subobject_count = 1};
    D3D12_SHADER_BYTECODE code = dxil_library(&contents);
    const D3D12_DXIL_LIBRARY_DESC library = {.DXILLibrary = code};
    plan_add(&plan, D3D12_STATE_SUBOBJECT_TYPE_DXIL_LIBRARY, &library);
    D3D12_EXPORT_DESC miss_alone = {L"miss", NULL, D3D12_EXPORT_FLAG_NONE};
    desc.NumExports = 1;
    desc.pExports = &miss_alone;
    rays_refused(&rays, &plan, "what a library has is not for a collection");
    dxil_free(&code);
    plan.count--;
    desc.NumExports = 0;
    const D3D12_RAYTRACING_SHADER_CONFIG shader = {16, 8};
    plan_add(&plan, SHADER_CONFIG, &shader);
    MUST(rays_create(&rays, &plan, &object));
    cr_assert(rays_identified(object, L"miss"));
    cr_assert_eq(kit_messages(rays.device), 0);
    RELEASE(object, existing);
    /* what it has decided stays */
    rays_plan(&rays, &plan);
    existing = collection(&rays, &plan);
    plan_collection(&plan, &desc, existing);
    const D3D12_RAYTRACING_SHADER_CONFIG other = {64, 8};
    const UINT index = plan_add(&plan, SHADER_CONFIG, &other);
    rays_accepted(&rays, &plan, "a default for nobody");
    LPCWSTR miss[] = {L"miss"};
    const D3D12_SUBOBJECT_TO_EXPORTS_ASSOCIATION association =
        plan_associate(&plan, index, miss, 1);
    plan_add(&plan, ASSOCIATION, &association);
    rays_refused(&rays, &plan, "another config for an export that has one");
}

Test(collection, lets_others_depend_on_it_only_when_it_says_so)
{
    AT_END(rays_end) struct rays rays = rays_begin();
    for (int shared = 0; shared < 2; shared++) {
        struct plan plan;
        D3D12_EXISTING_COLLECTION_DESC desc;
        const D3D12_HIT_GROUP_DESC group = {L"outside", D3D12_HIT_GROUP_TYPE_TRIANGLES, NULL,
                                            L"closest", NULL};
        LPCWSTR nobody[] = {L"nobody"};
        rays_plan(&rays, &plan);
        plan.config.Flags = shared ? SHARED : D3D12_STATE_OBJECT_FLAG_NONE;
        OWNED ID3D12StateObject *existing = collection(&rays, &plan);
        const D3D12_SUBOBJECT_TO_EXPORTS_ASSOCIATION association =
            plan_associate(&plan, PLAN_ROOT, nobody, 1);
        plan_add(&plan, ASSOCIATION, &association);
        if (shared)
            rays_accepted(&rays, &plan, "an association with an export to come");
        else
            rays_refused(&rays, &plan, "an association with an export that isn't there");
        plan_collection(&plan, &desc, existing);
        plan_add(&plan, D3D12_STATE_SUBOBJECT_TYPE_HIT_GROUP, &group);
        if (shared)
            rays_accepted(&rays, &plan, "a hit group of a collection's shader");
        else
            rays_refused(&rays, &plan, "a hit group of a collection's shader");
    }
}

/* ---- additions ---- */

static const struct dxil_function more[] = {
    {"\x01?miss2@@YAXUPayload@@@Z", "miss2", DXIL_MISS, 16, 0},
    {"\x01?help@@YAHH@Z", "help", DXIL_FUNCTION, 0, 0},
    {"\x01?closest@@YAXUPayload@@@Z", "closest", DXIL_CLOSEST_HIT, 400, 8},
};

static void plan_addition(const struct rays *rays, struct plan *plan, D3D12_SHADER_BYTECODE code)
{
    rays_plan(rays, plan);
    plan->dxil.DXILLibrary = code;
    plan->hits.HitGroupExport = L"hits2";
    plan->hits.AnyHitShaderImport = NULL;
    plan->config.Flags = ADDITIONS;
}

Test(additions, keep_what_was_there)
{
    static const WCHAR *const old[] = {L"generate", L"miss", L"call", L"hits"};
    unsigned char identifiers[4][D3D12_SHADER_IDENTIFIER_SIZE_IN_BYTES];
    const struct dxil_contents contents = {.functions = more, .function_count = 3};
    AT_END(rays_end) struct rays rays = rays_begin();
    D3D12_SHADER_BYTECODE code = dxil_library(&contents);
    struct plan plan;
    ID3D12StateObject *object = NULL, *grown = NULL;
    rays_plan(&rays, &plan);
    plan.config.Flags = ADDITIONS;
    MUST(rays_create(&rays, &plan, &object));
    for (int i = 0; i < 4; i++)
        memcpy(identifiers[i], identifier(object, old[i]), sizeof identifiers[i]);
    ID3D12StateObjectProperties *properties = rays_properties(object);
    ID3D12StateObjectProperties_SetPipelineStackSize(properties, 4242);
    const UINT64 closest =
        ID3D12StateObjectProperties_GetShaderStackSize(properties, L"hits::closesthit");
    ID3D12StateObjectProperties_Release(properties);

    plan_addition(&rays, &plan, code);
    MUST(rays_grow(&rays, &plan, object, &grown));
    cr_assert(!rays_identified(object, L"miss2")); /* a new object, the old one is as it was */
    rays_told(&rays, D3D12_MESSAGE_ID_GET_SHADER_IDENTIFIER_ERROR);
    cr_assert_eq(ID3D12StateObject_Release(object), 0);
    for (int i = 0; i < 4; i++)
        cr_assert_mem_eq(identifier(grown, old[i]), identifiers[i], sizeof identifiers[i]);
    for (int i = 0; i < 4; i++)
        cr_assert(memcmp(identifier(grown, L"miss2"), identifiers[i], sizeof identifiers[i]) != 0);
    properties = rays_properties(grown);
    cr_assert_eq(ID3D12StateObjectProperties_GetPipelineStackSize(properties), 4242);
    cr_assert_eq(ID3D12StateObjectProperties_GetShaderStackSize(properties, L"hits::closesthit"),
                 closest);
    cr_assert(ID3D12StateObjectProperties_GetShaderStackSize(properties, L"hits2::closesthit") !=
              closest);
    ID3D12StateObjectProperties_Release(properties);
    cr_assert_eq(kit_messages(rays.device), 0);
    ID3D12StateObject_Release(grown);
    dxil_free(&code);
}

Test(additions, are_turned_down)
{
    const struct dxil_contents contents = {.functions = more, .function_count = 3};
    AT_END(rays_end) struct rays rays = rays_begin();
    D3D12_SHADER_BYTECODE code = dxil_library(&contents);
    struct plan plan;
    ID3D12StateObject *closed = NULL, *object = NULL, *grown = NULL;
    rays_plan(&rays, &plan);
    MUST(rays_create(&rays, &plan, &closed));
    plan.config.Flags = ADDITIONS;
    MUST(rays_create(&rays, &plan, &object));
#define TURNED_DOWN(from, change)                                                                  \
    do {                                                                                           \
        plan_addition(&rays, &plan, code);                                                         \
        change;                                                                                    \
        grown = object;                                                                            \
        EXPECT_HR(rays_grow(&rays, &plan, from, &grown), E_INVALIDARG);                            \
        cr_assert_eq(grown, NULL, #change);                                                        \
        rays_told(&rays, D3D12_MESSAGE_ID_ADD_TO_STATE_OBJECT_ERROR);                              \
    } while (0)
    TURNED_DOWN(NULL, (void)0);
    TURNED_DOWN((ID3D12StateObject *)rays.global, (void)0);
    TURNED_DOWN(closed, (void)0);
    TURNED_DOWN(object, plan.config.Flags = D3D12_STATE_OBJECT_FLAG_NONE);
    TURNED_DOWN(object, plan.type = D3D12_STATE_OBJECT_TYPE_COLLECTION);
    TURNED_DOWN(object, plan.pipeline.MaxTraceRecursionDepth = 3);
    TURNED_DOWN(object, plan.shader.MaxPayloadSizeInBytes = 17);
    TURNED_DOWN(object, plan.hits.HitGroupExport = L"hits");
    TURNED_DOWN(object, plan.hits.AnyHitShaderImport = L"any"); /* which only the old one has */
    TURNED_DOWN(object, plan.subobjects[PLAN_SHADER] = plan.subobjects[PLAN_ROOT]);
    TURNED_DOWN(object, plan.dxil.DXILLibrary = rays.code);
    plan.type = D3D12_STATE_OBJECT_TYPE_COLLECTION;
    ID3D12StateObject_Release(closed);
    closed = collection(&rays, &plan);
    TURNED_DOWN(closed, (void)0);
    REFUSES(E_INVALIDARG, ID3D12StateObject, rays.device7, AddToStateObject, NULL, object);
    RELEASE(closed, object);
    dxil_free(&code);
}

/* A collection must allow what the pipeline that takes it allows. */
Test(additions, are_allowed_by_collections_as_well)
{
    AT_END(rays_end) struct rays rays = rays_begin();
    for (int allowed = 0; allowed < 2; allowed++) {
        struct plan plan;
        D3D12_EXISTING_COLLECTION_DESC desc;
        const D3D12_STATE_OBJECT_CONFIG config = {ADDITIONS};
        rays_plan(&rays, &plan);
        plan.config.Flags = allowed ? ADDITIONS : D3D12_STATE_OBJECT_FLAG_NONE;
        OWNED ID3D12StateObject *existing = collection(&rays, &plan);
        plan_collection(&plan, &desc, existing);
        rays_accepted(&rays, &plan, "a pipeline that allows none");
        plan_add(&plan, D3D12_STATE_SUBOBJECT_TYPE_STATE_OBJECT_CONFIG, &config);
        if (allowed)
            rays_accepted(&rays, &plan, "both allow additions");
        else
            rays_refused(&rays, &plan, "the collection doesn't allow additions");
    }
}
