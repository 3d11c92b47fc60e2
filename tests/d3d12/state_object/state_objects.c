/* State objects of a device without raytracing: they can be created, or are refused. */
#include "kit.h"

#define COLLECTION D3D12_STATE_OBJECT_TYPE_COLLECTION
#define PIPELINE   D3D12_STATE_OBJECT_TYPE_RAYTRACING_PIPELINE

struct scene {
    ID3D12Device *device;
    ID3D12Device7 *device7;
};

static struct scene begin(void)
{
    struct scene s = {.device = kit_device()};
    s.device7 = AS(ID3D12Device7, s.device);
    return s;
}

static void end(struct scene *s)
{
    ID3D12Device7_Release(s->device7);
    kit_close(s->device);
}

static HRESULT create(const struct scene *s, D3D12_STATE_OBJECT_TYPE type,
                      D3D12_STATE_OBJECT_FLAGS flags, ID3D12StateObject **out)
{
    const D3D12_STATE_OBJECT_CONFIG config = {flags};
    const D3D12_STATE_SUBOBJECT part = {D3D12_STATE_SUBOBJECT_TYPE_STATE_OBJECT_CONFIG, &config};
    const D3D12_STATE_OBJECT_DESC desc = {type, 1, &part};
    return TRY(ID3D12StateObject, out, s->device7, CreateStateObject, &desc);
}

static ID3D12StateObject *make(const struct scene *s, D3D12_STATE_OBJECT_TYPE type)
{
    ID3D12StateObject *object = NULL;
    MUST(create(s, type, D3D12_STATE_OBJECT_FLAG_ALLOW_STATE_OBJECT_ADDITIONS, &object));
    return object;
}

static void told(const struct scene *s, int id)
{
    EXPECT_MESSAGES(s->device, 1, id);
    kit_clear(s->device);
}

Test(state_object, has_no_properties)
{
    AT_END(end) struct scene s = begin();
    OWNED ID3D12StateObject *object = make(&s, PIPELINE);
    void *properties = object;
    EXPECT_HR(ID3D12StateObject_QueryInterface(object, &IID_ID3D12StateObjectProperties,
                                               &properties),
              E_NOINTERFACE);
    cr_assert(!properties);
}

/* Flags of debug breaks: one of them at most, and the same in all parts. */
Test(state_object, halts_at_debug_breaks_as_a_whole_or_not_at_all)
{
    enum { HALT = 0x80, NOP = 0x100 };
    static const unsigned flags[] = {0, HALT, NOP};
    AT_END(end) struct scene s = begin();
    for (int i = 0; i < 9; i++) {
        ID3D12StateObject *collection = NULL, *out = NULL;
        const unsigned own = flags[i / 3], other = flags[i % 3];
        const HRESULT expected = own == other ? S_OK : E_INVALIDARG;
        MUST(create(&s, COLLECTION, (D3D12_STATE_OBJECT_FLAGS)other, &collection));
        const D3D12_EXISTING_COLLECTION_DESC existing = {collection, 0, NULL};
        const D3D12_STATE_OBJECT_CONFIG config = {(D3D12_STATE_OBJECT_FLAGS)own};
        const D3D12_STATE_SUBOBJECT parts[] = {
            {D3D12_STATE_SUBOBJECT_TYPE_EXISTING_COLLECTION, &existing},
            {D3D12_STATE_SUBOBJECT_TYPE_STATE_OBJECT_CONFIG, &config}};
        const D3D12_STATE_OBJECT_DESC desc = {PIPELINE, 2, parts};
        EXPECT_HR(TRY(ID3D12StateObject, &out, s.device7, CreateStateObject, &desc), expected);
        RELEASE(collection);
        if (out)
            RELEASE(out);
    }
    ID3D12StateObject *both = NULL;
    EXPECT_HR(create(&s, PIPELINE, (D3D12_STATE_OBJECT_FLAGS)(HALT | NOP), &both), E_INVALIDARG);
}

/* ---- what is turned down ---- */

static void part_refused(const struct scene *s, D3D12_STATE_SUBOBJECT_TYPE type, const void *desc)
{
    const D3D12_STATE_SUBOBJECT part = {type, desc};
    const D3D12_STATE_OBJECT_DESC object = {PIPELINE, 1, &part};
    REFUSES(E_INVALIDARG, ID3D12StateObject, s->device7, CreateStateObject, &object);
    told(s, D3D12_MESSAGE_ID_CREATE_STATE_OBJECT_ERROR);
}

Test(state_object, of_a_bad_subobject_is_turned_down)
{
    AT_END(end) struct scene s = begin(), other = begin();
    const D3D12_ROOT_SIGNATURE_DESC local_desc = {
        .Flags = D3D12_ROOT_SIGNATURE_FLAG_LOCAL_ROOT_SIGNATURE};
    OWNED ID3D12RootSignature *global = kit_root_signature(s.device),
                              *local = kit_root_signature_of(s.device, &local_desc),
                              *foreign = kit_root_signature(other.device);
    OWNED ID3D12StateObject *pipeline = make(&s, PIPELINE), *strange = make(&other, COLLECTION);
    ID3D12RootSignature *const signatures[] = {NULL, (ID3D12RootSignature *)s.device, foreign,
                                               local, global};
    ID3D12StateObject *const objects[] = {NULL, (ID3D12StateObject *)s.device, strange, pipeline};
    const D3D12_STATE_OBJECT_CONFIG flags = {(D3D12_STATE_OBJECT_FLAGS)8};
    const D3D12_NODE_MASK mask = {2};
    for (int i = 0; i < 5; i++) {
        const D3D12_GLOBAL_ROOT_SIGNATURE desc = {signatures[i]};
        if (signatures[i] != global)
            part_refused(&s, D3D12_STATE_SUBOBJECT_TYPE_GLOBAL_ROOT_SIGNATURE, &desc);
        if (signatures[i] != local)
            part_refused(&s, D3D12_STATE_SUBOBJECT_TYPE_LOCAL_ROOT_SIGNATURE, &desc);
    }
    for (int i = 0; i < 4; i++) {
        const D3D12_EXISTING_COLLECTION_DESC desc = {.pExistingCollection = objects[i]};
        part_refused(&s, D3D12_STATE_SUBOBJECT_TYPE_EXISTING_COLLECTION, &desc);
    }
    part_refused(&s, D3D12_STATE_SUBOBJECT_TYPE_STATE_OBJECT_CONFIG, &flags);
    part_refused(&s, D3D12_STATE_SUBOBJECT_TYPE_NODE_MASK, &mask);
    part_refused(&s, D3D12_STATE_SUBOBJECT_TYPE_HIT_GROUP, NULL);
}

/* A layer that doesn't know it either says so itself, without the runtime. */
Test(state_object, of_an_unknown_subobject_is_turned_down)
{
    AT_END(end) struct scene s = begin();
    static const int types[] = {4, 1000, -1};
    const D3D12_NODE_MASK mask = {1};
    for (int i = 0; i < 3; i++) {
        ID3D12StateObject *object = NULL;
        const D3D12_STATE_SUBOBJECT part = {(D3D12_STATE_SUBOBJECT_TYPE)types[i], &mask};
        const D3D12_STATE_OBJECT_DESC desc = {PIPELINE, 1, &part};
        EXPECT_HR(TRY(ID3D12StateObject, &object, s.device7, CreateStateObject, &desc),
                  E_INVALIDARG);
        cr_assert(!object);
    }
}

Test(state_object, of_a_bad_description_is_turned_down)
{
    AT_END(end) struct scene s = begin();
    const D3D12_STATE_SUBOBJECT none = {D3D12_STATE_SUBOBJECT_TYPE_NODE_MASK, NULL};
    const D3D12_STATE_OBJECT_DESC wrong[] = {{(D3D12_STATE_OBJECT_TYPE)1, 0, NULL},
                                             {(D3D12_STATE_OBJECT_TYPE)-1, 0, NULL},
                                             {PIPELINE, UINT_MAX, NULL},
                                             {PIPELINE, UINT_MAX, &none}}; /* it ends there */
    for (int i = 0; i < 4; i++) {
        REFUSES(E_INVALIDARG, ID3D12StateObject, s.device7, CreateStateObject, &wrong[i]);
        told(&s, D3D12_MESSAGE_ID_CREATE_STATE_OBJECT_ERROR);
    }
    REFUSES(E_INVALIDARG, ID3D12StateObject, s.device7, CreateStateObject, NULL);
    told(&s, D3D12_MESSAGE_ID_CREATE_STATE_OBJECT_ERROR);
}

Test(state_object, is_not_made_by_a_removed_device)
{
    AT_END(end) struct scene s = begin();
    OWNED ID3D12StateObject *object = make(&s, PIPELINE);
    ID3D12StateObject *out = object;
    kit_remove(s.device);
    EXPECT_HR(create(&s, PIPELINE, D3D12_STATE_OBJECT_FLAG_NONE, &out), DXGI_ERROR_DEVICE_REMOVED);
    cr_assert(!out);
}

/* ---- what else a device without raytracing is asked ---- */

Test(acceleration_structure, has_no_size_and_no_driver)
{
    AT_END(end) struct scene s = begin();
    const D3D12_BUILD_RAYTRACING_ACCELERATION_STRUCTURE_INPUTS inputs = {.NumDescs = 1};
    static const D3D12_RAYTRACING_ACCELERATION_STRUCTURE_PREBUILD_INFO zero;
    D3D12_RAYTRACING_ACCELERATION_STRUCTURE_PREBUILD_INFO info = {1, 2, 3};
    ID3D12Device7_GetRaytracingAccelerationStructurePrebuildInfo(s.device7, &inputs, &info);
    cr_assert_mem_eq(&info, &zero, sizeof zero);
    told(&s, EMU_MESSAGE_NOT_MODELLED);
    ID3D12Device7_GetRaytracingAccelerationStructurePrebuildInfo(s.device7, NULL, NULL);
    cr_assert_eq(ID3D12Device7_CheckDriverMatchingIdentifier(
                     s.device7, D3D12_SERIALIZED_DATA_RAYTRACING_ACCELERATION_STRUCTURE, NULL),
                 D3D12_DRIVER_MATCHING_IDENTIFIER_UNSUPPORTED_TYPE);
}
