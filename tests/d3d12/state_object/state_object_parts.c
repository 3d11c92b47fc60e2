/* State objects: associations, and the subobjects of libraries. */
#include "state_object/rays.h"

#define ASSOCIATION      D3D12_STATE_SUBOBJECT_TYPE_SUBOBJECT_TO_EXPORTS_ASSOCIATION
#define DXIL_ASSOCIATION D3D12_STATE_SUBOBJECT_TYPE_DXIL_SUBOBJECT_TO_EXPORTS_ASSOCIATION
#define LOCAL_ROOT       D3D12_STATE_SUBOBJECT_TYPE_LOCAL_ROOT_SIGNATURE
#define SHADER_CONFIG    D3D12_STATE_SUBOBJECT_TYPE_RAYTRACING_SHADER_CONFIG
#define PIPELINE_CONFIG  D3D12_STATE_SUBOBJECT_TYPE_RAYTRACING_PIPELINE_CONFIG
#define ADDITIONS        D3D12_STATE_OBJECT_FLAG_ALLOW_STATE_OBJECT_ADDITIONS

/* ---- associations ---- */

Test(associations, reach_the_exports_they_name)
{
    AT_END(rays_end) struct rays rays = rays_begin();
    struct plan plan;
    const D3D12_LOCAL_ROOT_SIGNATURE first = {rays.local}, second = {rays.other_local};
    LPCWSTR miss[] = {L"miss"}, mangled[] = {L"\x01?call@@YAXUData@@@Z"}, none[] = {L"nobody"};
    rays_plan(&rays, &plan);
    const UINT one = plan_add(&plan, LOCAL_ROOT, &first),
               two = plan_add(&plan, LOCAL_ROOT, &second);
    rays_accepted(&rays, &plan, "two that nobody names");
    D3D12_SUBOBJECT_TO_EXPORTS_ASSOCIATION association = plan_associate(&plan, two, miss, 1);
    plan_add(&plan, ASSOCIATION, &association);
    rays_accepted(&rays, &plan, "a default and one by name");
    D3D12_SUBOBJECT_TO_EXPORTS_ASSOCIATION again = plan_associate(&plan, one, miss, 1);
    plan_add(&plan, ASSOCIATION, &again);
    rays_refused(&rays, &plan, "two for one export");
    again.pExports = mangled;
    rays_accepted(&rays, &plan, "two for two exports, one by its compiler's name");
    again.pExports = none;
    rays_refused(&rays, &plan, "an export that isn't there");
    again = plan_associate(&plan, two, miss, 1);
    rays_accepted(&rays, &plan, "the same twice");
    again = plan_associate(&plan, one, NULL, 0);
    rays_accepted(&rays, &plan, "a default by a list of none");
    again = plan_associate(&plan, one, NULL, 1);
    rays_refused(&rays, &plan, "no exports where one is claimed");
    LPCWSTR unnamed[] = {NULL};
    again = plan_associate(&plan, one, unnamed, 1);
    rays_refused(&rays, &plan, "an export without a name");
}

/* Of several subobjects that nobody names none is anybody's, but one that is made the default
 * is. */
Test(associations, by_default_are_of_one_subobject)
{
    AT_END(rays_end) struct rays rays = rays_begin();
    struct plan plan;
    const D3D12_RAYTRACING_SHADER_CONFIG other = {32, 8};
    const D3D12_RAYTRACING_PIPELINE_CONFIG deeper = {3};
    const struct {
        D3D12_STATE_SUBOBJECT_TYPE type;
        const void *desc;
        UINT first;
    } rivals[] = {{SHADER_CONFIG, &other, PLAN_SHADER}, {PIPELINE_CONFIG, &deeper, PLAN_PIPELINE}};
    for (int i = 0; i < 2; i++) {
        rays_plan(&rays, &plan);
        const UINT second = plan_add(&plan, rivals[i].type, rivals[i].desc);
        rays_refused(&rays, &plan, "none of the two is the default");
        D3D12_SUBOBJECT_TO_EXPORTS_ASSOCIATION one =
            plan_associate(&plan, rivals[i].first, NULL, 0);
        plan_add(&plan, ASSOCIATION, &one);
        rays_accepted(&rays, &plan, "the first is the default");
        one = plan_associate(&plan, second, NULL, 0);
        rays_accepted(&rays, &plan, "the second is the default");
        D3D12_SUBOBJECT_TO_EXPORTS_ASSOCIATION two =
            plan_associate(&plan, rivals[i].first, NULL, 0);
        plan_add(&plan, ASSOCIATION, &two);
        rays_refused(&rays, &plan, "two are made the default");
    }
}

Test(associations, are_of_subobjects_of_the_description)
{
    AT_END(rays_end) struct rays rays = rays_begin();
    struct plan plan;
    const D3D12_STATE_SUBOBJECT outside = {SHADER_CONFIG, &plan.shader};
    LPCWSTR miss[] = {L"miss"};
    static const UINT wrong[] = {PLAN_LIBRARY, PLAN_HITS, 6};
    D3D12_SUBOBJECT_TO_EXPORTS_ASSOCIATION association = {&outside, 1, miss};
    rays_plan(&rays, &plan);
    plan_add(&plan, ASSOCIATION, &association);
    rays_refused(&rays, &plan, "another's");
    association.pSubobjectToAssociate = NULL;
    rays_refused(&rays, &plan, "none");
    association.pSubobjectToAssociate = &plan.subobjects[plan.count];
    rays_refused(&rays, &plan, "the one behind the last");
    association.pSubobjectToAssociate =
        (const D3D12_STATE_SUBOBJECT *)((const char *)&plan.subobjects[PLAN_SHADER] + 4);
    rays_refused(&rays, &plan, "the middle of one");
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        association.pSubobjectToAssociate = &plan.subobjects[wrong[i]];
        rays_refused(&rays, &plan, "a library, a hit group, an association");
    }
    association.pSubobjectToAssociate = &plan.subobjects[PLAN_SHADER];
    rays_refused(&rays, &plan, "a shader config for one export only");
    association.NumExports = 0;
    rays_accepted(&rays, &plan, "a shader config for all");
}

Test(associations, configs_must_be_the_same_for_all)
{
    AT_END(rays_end) struct rays rays = rays_begin();
    struct plan plan;
    const D3D12_RAYTRACING_SHADER_CONFIG other = {32, 8};
    const D3D12_RAYTRACING_PIPELINE_CONFIG deeper = {3};
    LPCWSTR miss[] = {L"miss"};
    rays_plan(&rays, &plan);
    D3D12_SUBOBJECT_TO_EXPORTS_ASSOCIATION association =
        plan_associate(&plan, plan_add(&plan, SHADER_CONFIG, &other), miss, 1);
    plan_add(&plan, ASSOCIATION, &association);
    rays_refused(&rays, &plan, "two shader configs");
    rays_plan(&rays, &plan);
    association = plan_associate(&plan, plan_add(&plan, PIPELINE_CONFIG, &deeper), miss, 1);
    plan_add(&plan, ASSOCIATION, &association);
    rays_refused(&rays, &plan, "two pipeline configs");
    const D3D12_NODE_MASK mask = {1};
    rays_plan(&rays, &plan);
    association = plan_associate(
        &plan, plan_add(&plan, D3D12_STATE_SUBOBJECT_TYPE_NODE_MASK, &mask), miss, 1);
    rays_accepted(&rays, &plan, "a node mask for all");
    plan_add(&plan, ASSOCIATION, &association);
    rays_refused(&rays, &plan, "a node mask for one");
    const D3D12_STATE_OBJECT_CONFIG config = {ADDITIONS};
    rays_plan(&rays, &plan);
    plan_add(&plan, D3D12_STATE_SUBOBJECT_TYPE_STATE_OBJECT_CONFIG, &config);
    rays_refused(&rays, &plan, "two object configs");
    plan.config = config;
    rays_accepted(&rays, &plan, "the same object config twice");
}

/* A hit group's subobjects are its shaders', and theirs are its own. */
Test(associations, of_a_hit_group_and_of_its_shaders_agree)
{
    AT_END(rays_end) struct rays rays = rays_begin();
    struct plan plan;
    const D3D12_LOCAL_ROOT_SIGNATURE first = {rays.local}, second = {rays.other_local};
    LPCWSTR group[] = {L"hits"}, closest[] = {L"closest"}, any[] = {L"any"};
    rays_plan(&rays, &plan);
    const UINT one = plan_add(&plan, LOCAL_ROOT, &first),
               two = plan_add(&plan, LOCAL_ROOT, &second);
    D3D12_SUBOBJECT_TO_EXPORTS_ASSOCIATION to_group = plan_associate(&plan, one, group, 1);
    D3D12_SUBOBJECT_TO_EXPORTS_ASSOCIATION to_shader = plan_associate(&plan, two, closest, 1);
    plan_add(&plan, ASSOCIATION, &to_group);
    plan_add(&plan, ASSOCIATION, &to_shader);
    rays_refused(&rays, &plan, "the group's differs from its shader's");
    to_shader.pSubobjectToAssociate = &plan.subobjects[one];
    to_group.pSubobjectToAssociate = &plan.subobjects[two];
    to_group.pExports = any;
    rays_refused(&rays, &plan, "a shader's differs from the other's");
    to_group.pSubobjectToAssociate = &plan.subobjects[one];
    plan.subobjects[two] = plan.subobjects[one];
    rays_accepted(&rays, &plan, "both shaders' are the same");
    /* as samples do it: configs for the entries by name, the group among them */
    LPCWSTR entries[] = {L"generate", L"miss", L"call", L"hits"};
    rays_plan(&rays, &plan);
    D3D12_SUBOBJECT_TO_EXPORTS_ASSOCIATION all = plan_associate(&plan, PLAN_SHADER, entries, 4);
    plan_add(&plan, ASSOCIATION, &all);
    rays_accepted(&rays, &plan, "by name");
    all.NumExports = 3;
    rays_refused(&rays, &plan, "all but the group");
    entries[2] = L"closest";
    all.NumExports = 3;
    rays_refused(&rays, &plan, "all but the callable shader");
    entries[3] = L"call";
    all.NumExports = 4;
    rays_accepted(&rays, &plan, "the group's by its shader");
}

/* ---- libraries ---- */

static D3D12_SHADER_BYTECODE library(const struct dxil_subobject *subobjects, size_t count)
{
    const struct dxil_contents contents = {rays_functions, 8, subobjects, count, 0};
    return dxil_library(&contents);
}

static const struct dxil_subobject whole[] = {
    {.kind = SHADER_CONFIG, .name = "shader", .numbers = {16, 8}},
    {.kind = PIPELINE_CONFIG, .name = "pipeline", .numbers = {1}},
    {.kind = D3D12_STATE_SUBOBJECT_TYPE_HIT_GROUP,
     .name = "group",
     .texts = {"any", "closest", NULL}},
    {.kind = D3D12_STATE_SUBOBJECT_TYPE_STATE_OBJECT_CONFIG, .name = "config"},
    {.kind = D3D12_STATE_SUBOBJECT_TYPE_LOCAL_ROOT_SIGNATURE,
     .name = "root",
     .bytes = "local",
     .size = 5},
    {.kind = D3D12_STATE_SUBOBJECT_TYPE_LOCAL_ROOT_SIGNATURE,
     .name = "root2",
     .bytes = "other",
     .size = 5},
    {.kind = D3D12_STATE_SUBOBJECT_TYPE_SUBOBJECT_TO_EXPORTS_ASSOCIATION,
     .name = "rooted",
     .texts = {"root2"},
     .exports = {"miss", "call"}},
};
#define WHOLE (sizeof whole / sizeof whole[0])

/* A plan of nothing but a library. */
static void plan_library(struct plan *plan, D3D12_SHADER_BYTECODE code)
{
    *plan = (struct plan){.type = D3D12_STATE_OBJECT_TYPE_RAYTRACING_PIPELINE,
                          .dxil = {.DXILLibrary = code}};
    plan_add(plan, D3D12_STATE_SUBOBJECT_TYPE_DXIL_LIBRARY, &plan->dxil);
}

Test(dxil_library, declares_subobjects_too)
{
    AT_END(rays_end) struct rays rays = rays_begin();
    struct plan plan;
    ID3D12StateObject *object = NULL;
    D3D12_SHADER_BYTECODE code = library(whole, WHOLE);
    plan_library(&plan, code);
    MUST(rays_create(&rays, &plan, &object));
    cr_assert(rays_identified(object, L"group") && rays_identified(object, L"miss"));
    ID3D12StateObject_Release(object);
    for (size_t i = 0; i < 2; i++) { /* without one of the configs */
        struct dxil_subobject fewer[WHOLE];
        memcpy(fewer, whole, sizeof whole);
        fewer[i] = fewer[3];
        fewer[i].name = "config2";
        D3D12_SHADER_BYTECODE less = library(fewer, WHOLE);
        plan_library(&plan, less);
        rays_refused(&rays, &plan, "a library without a config");
        dxil_free(&less);
    }
    dxil_free(&code);
}

Test(dxil_library, gives_what_is_listed)
{
    AT_END(rays_end) struct rays rays = rays_begin();
    struct plan plan;
    ID3D12StateObject *object = NULL;
    D3D12_SHADER_BYTECODE code = library(whole, WHOLE);
    D3D12_EXPORT_DESC exports[] = {{L"enter", L"generate", D3D12_EXPORT_FLAG_NONE},
                                   {L"miss", NULL, D3D12_EXPORT_FLAG_NONE},
                                   {L"again", L"\x01?miss@@YAXUPayload@@@Z",
                                    D3D12_EXPORT_FLAG_NONE},
                                   {L"shader", NULL, D3D12_EXPORT_FLAG_NONE},
                                   {L"pipeline", NULL, D3D12_EXPORT_FLAG_NONE}};
    plan_library(&plan, code);
    plan.dxil.NumExports = 5;
    plan.dxil.pExports = exports;
    MUST(rays_create(&rays, &plan, &object));
    cr_assert(rays_identified(object, L"enter") && rays_identified(object, L"miss") &&
              rays_identified(object, L"again"));
    cr_assert(!rays_identified(object, L"generate") && !rays_identified(object, L"call"));
    kit_clear(rays.device);
    ID3D12StateObject_Release(object);
    plan.dxil.NumExports = 4;
    rays_refused(&rays, &plan, "a subobject that wasn't listed");
    plan.dxil.NumExports = 5;
    exports[2].ExportToRename = L"nobody";
    rays_refused(&rays, &plan, "what isn't there");
    exports[2] = exports[1];
    rays_refused(&rays, &plan, "one name twice");
    exports[2].Name = NULL;
    rays_refused(&rays, &plan, "no name");
    exports[2] = (D3D12_EXPORT_DESC){L"again", L"miss", (D3D12_EXPORT_FLAGS)1};
    rays_refused(&rays, &plan, "flags");
    dxil_free(&code);
}

/* A library's defaults are for its own exports. */
Test(dxil_library, has_no_say_about_another)
{
    AT_END(rays_end) struct rays rays = rays_begin();
    struct plan plan;
    const struct dxil_subobject mine = {.kind = D3D12_STATE_SUBOBJECT_TYPE_LOCAL_ROOT_SIGNATURE,
                                        .name = "mine",
                                        .bytes = "first",
                                        .size = 5};
    struct dxil_subobject theirs = mine;
    theirs.bytes = "other";
    const struct dxil_contents miss = {&rays_functions[1], 1, &mine, 1, 0};
    const struct dxil_contents call = {&rays_functions[2], 1, &theirs, 1, 0};
    D3D12_SHADER_BYTECODE one = dxil_library(&miss), two = dxil_library(&call);
    const D3D12_DXIL_LIBRARY_DESC second = {.DXILLibrary = two};
    plan_library(&plan, one);
    plan.shader = (D3D12_RAYTRACING_SHADER_CONFIG){16, 8};
    plan_add(&plan, D3D12_STATE_SUBOBJECT_TYPE_DXIL_LIBRARY, &second);
    plan_add(&plan, SHADER_CONFIG, &plan.shader);
    plan_add(&plan, PIPELINE_CONFIG, &plan.pipeline);
    rays_accepted(&rays, &plan, "two libraries with a root signature each");
    dxil_free(&one);
    dxil_free(&two);
}

/* Its associations know its own names, whatever an export is called outside. */
Test(dxil_library, associates_what_is_renamed)
{
    AT_END(rays_end) struct rays rays = rays_begin();
    struct plan plan;
    const struct dxil_subobject parts[] = {
        whole[1],
        {.kind = SHADER_CONFIG, .name = "one", .numbers = {16, 8}},
        {.kind = SHADER_CONFIG, .name = "two", .numbers = {32, 8}},
        {.kind = D3D12_STATE_SUBOBJECT_TYPE_SUBOBJECT_TO_EXPORTS_ASSOCIATION,
         .name = "to_miss",
         .texts = {"one"},
         .exports = {"miss"}},
        {.kind = D3D12_STATE_SUBOBJECT_TYPE_SUBOBJECT_TO_EXPORTS_ASSOCIATION,
         .name = "to_call",
         .texts = {"two"},
         .exports = {"call"}}};
    D3D12_EXPORT_DESC exports[] = {{L"renamed", L"miss", D3D12_EXPORT_FLAG_NONE},
                                   {L"pipeline", NULL, D3D12_EXPORT_FLAG_NONE},
                                   {L"one", NULL, D3D12_EXPORT_FLAG_NONE},
                                   {L"two", NULL, D3D12_EXPORT_FLAG_NONE}};
    D3D12_SHADER_BYTECODE code = library(parts, 5);
    plan_library(&plan, code);
    plan.dxil.NumExports = 4;
    plan.dxil.pExports = exports;
    rays_accepted(&rays, &plan, "the miss shader under another name");
    exports[0] = (D3D12_EXPORT_DESC){L"miss", L"generate", D3D12_EXPORT_FLAG_NONE};
    rays_refused(&rays, &plan, "another shader under the miss shader's name");
    dxil_free(&code);
}

/* Two libraries with a shader of the same name each, and a root signature for it. */
Test(dxil_library, associates_its_own_shaders)
{
    AT_END(rays_end) struct rays rays = rays_begin();
    struct plan plan;
    struct dxil_subobject parts[2] = {
        {.kind = D3D12_STATE_SUBOBJECT_TYPE_LOCAL_ROOT_SIGNATURE,
         .name = "root",
         .bytes = "first",
         .size = 5},
        {.kind = D3D12_STATE_SUBOBJECT_TYPE_SUBOBJECT_TO_EXPORTS_ASSOCIATION,
         .name = "to_miss",
         .texts = {"root"},
         .exports = {"miss"}}};
    const struct dxil_contents contents = {&rays_functions[1], 1, parts, 2, 0};
    D3D12_SHADER_BYTECODE one = dxil_library(&contents);
    parts[0].bytes = "other";
    D3D12_SHADER_BYTECODE two = dxil_library(&contents);
    D3D12_EXPORT_DESC first[] = {{L"a", L"miss", D3D12_EXPORT_FLAG_NONE}, {L"root", NULL, 0}};
    D3D12_EXPORT_DESC second[] = {{L"b", L"miss", D3D12_EXPORT_FLAG_NONE}, {L"root", NULL, 0}};
    const D3D12_DXIL_LIBRARY_DESC other = {two, 2, second};
    plan_library(&plan, one);
    plan.dxil.NumExports = 2;
    plan.dxil.pExports = first;
    plan.shader = (D3D12_RAYTRACING_SHADER_CONFIG){16, 8};
    plan_add(&plan, D3D12_STATE_SUBOBJECT_TYPE_DXIL_LIBRARY, &other);
    plan_add(&plan, SHADER_CONFIG, &plan.shader);
    plan_add(&plan, PIPELINE_CONFIG, &plan.pipeline);
    rays_accepted(&rays, &plan, "a root signature for each");
    dxil_free(&one);
    dxil_free(&two);
}

/* What the state object says wins over what the library says. */
Test(dxil_library, is_overridden_by_the_state_object)
{
    AT_END(rays_end) struct rays rays = rays_begin();
    struct plan plan;
    const D3D12_RAYTRACING_SHADER_CONFIG other = {64, 8};
    const D3D12_LOCAL_ROOT_SIGNATURE root = {rays.local};
    LPCWSTR miss[] = {L"miss"};
    D3D12_SHADER_BYTECODE code = library(whole, WHOLE);
    plan_library(&plan, code);
    plan_add(&plan, SHADER_CONFIG, &other);
    const UINT index = plan_add(&plan, LOCAL_ROOT, &root);
    D3D12_SUBOBJECT_TO_EXPORTS_ASSOCIATION association = plan_associate(&plan, index, miss, 1);
    plan_add(&plan, ASSOCIATION, &association);
    rays_accepted(&rays, &plan, "another shader config, another root signature");
    /* its subobjects can be associated by name */
    D3D12_DXIL_SUBOBJECT_TO_EXPORTS_ASSOCIATION by_name = {L"root", 1, miss};
    const UINT last = plan_add(&plan, DXIL_ASSOCIATION, &by_name);
    rays_refused(&rays, &plan, "two root signatures");
    LPCWSTR call[] = {L"call"};
    by_name.pExports = call;
    rays_accepted(&rays, &plan, "a library's, for another export");
    by_name.SubobjectToAssociate = L"nobody";
    rays_refused(&rays, &plan, "what no library has");
    by_name.SubobjectToAssociate = NULL;
    rays_refused(&rays, &plan, "no name");
    plan.subobjects[last].pDesc = NULL;
    rays_refused(&rays, &plan, "no association");
    dxil_free(&code);
}

Test(dxil_library, with_damage_harms_nobody)
{
    AT_END(rays_end) struct rays rays = rays_begin();
    struct plan plan;
    D3D12_SHADER_BYTECODE code = library(whole, WHOLE);
    unsigned char *bytes = malloc(code.BytecodeLength);
    static const unsigned char values[] = {0, 1, 0x7f, 0x80, 0xff};
    size_t taken = 0, refused = 0;
    cr_assert(bytes);
    for (SIZE_T cut = 0; cut < code.BytecodeLength; cut++) {
        unsigned char *part = malloc(cut ? cut : 1);
        cr_assert(part);
        memcpy(part, code.pShaderBytecode, cut);
        plan_library(&plan, (D3D12_SHADER_BYTECODE){part, cut});
        rays_refused(&rays, &plan, "a part of a library");
        free(part);
    }
    for (SIZE_T at = 20; at < code.BytecodeLength; at++)
        for (size_t i = 0; i < sizeof values; i++) {
            ID3D12StateObject *object = NULL;
            memcpy(bytes, code.pShaderBytecode, code.BytecodeLength);
            bytes[at] = values[i];
            plan_library(&plan, (D3D12_SHADER_BYTECODE){bytes, code.BytecodeLength});
            const HRESULT hr = rays_create(&rays, &plan, &object);
            cr_assert((hr == S_OK && object) || (hr == E_INVALIDARG && !object));
            taken += hr == S_OK;
            refused += hr != S_OK;
            if (object)
                ID3D12StateObject_Release(object);
        }
    cr_assert(taken > 0 && refused > 0);
    bytes[0] = 'd';
    plan_library(&plan, (D3D12_SHADER_BYTECODE){bytes, code.BytecodeLength});
    kit_clear(rays.device);
    rays_refused(&rays, &plan, "no container");
    size_t size = 0;
    const void *kernel = emu_kernel_bytecode(EMU_KERNEL_FILL, &size);
    plan_library(&plan, (D3D12_SHADER_BYTECODE){kernel, size});
    rays_refused(&rays, &plan, "a shader that is no library");
    free(bytes);
    dxil_free(&code);
}
