/* Root signatures: what may be serialized, the bytes, and reading them. */
#include "kit.h"

#include <float.h>

#define V1_0     D3D_ROOT_SIGNATURE_VERSION_1_0
#define V1_1     D3D_ROOT_SIGNATURE_VERSION_1_1
#define TABLE    D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE
#define CONSTANT D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS
#define SRV      D3D12_DESCRIPTOR_RANGE_TYPE_SRV
#define UAV      D3D12_DESCRIPTOR_RANGE_TYPE_UAV
#define SAMPLER  D3D12_DESCRIPTOR_RANGE_TYPE_SAMPLER
#define APPEND   D3D12_DESCRIPTOR_RANGE_OFFSET_APPEND

/* ---- descriptions ---- */

static const D3D12_DESCRIPTOR_RANGE1 ranges1[] = {
    {SRV, 4, 0, 1, D3D12_DESCRIPTOR_RANGE_FLAG_DATA_STATIC, APPEND},
    {UAV, UINT32_MAX, 2, 0, D3D12_DESCRIPTOR_RANGE_FLAG_DESCRIPTORS_VOLATILE, 9},
};
static const D3D12_DESCRIPTOR_RANGE1 sampler1 = {SAMPLER, 2, 1, 0, D3D12_DESCRIPTOR_RANGE_FLAG_NONE,
                                                 APPEND};
static const D3D12_DESCRIPTOR_RANGE ranges0[] = {{SRV, 4, 0, 1, APPEND},
                                                 {UAV, UINT32_MAX, 2, 0, 9}};
static const D3D12_DESCRIPTOR_RANGE sampler0 = {SAMPLER, 2, 1, 0, APPEND};

static const D3D12_ROOT_PARAMETER1 parameters1[] = {
    {.ParameterType = TABLE,
     .DescriptorTable = {2, ranges1},
     .ShaderVisibility = D3D12_SHADER_VISIBILITY_PIXEL},
    {.ParameterType = CONSTANT, .Constants = {3, 4, 5}},
    {.ParameterType = D3D12_ROOT_PARAMETER_TYPE_CBV,
     .Descriptor = {7, 8, D3D12_ROOT_DESCRIPTOR_FLAG_DATA_STATIC}},
    {.ParameterType = TABLE, .DescriptorTable = {1, &sampler1}},
    {.ParameterType = TABLE},
};
static const D3D12_ROOT_PARAMETER parameters0[] = {
    {.ParameterType = TABLE,
     .DescriptorTable = {2, ranges0},
     .ShaderVisibility = D3D12_SHADER_VISIBILITY_PIXEL},
    {.ParameterType = CONSTANT, .Constants = {3, 4, 5}},
    {.ParameterType = D3D12_ROOT_PARAMETER_TYPE_CBV, .Descriptor = {7, 8}},
    {.ParameterType = TABLE, .DescriptorTable = {1, &sampler0}},
    {.ParameterType = TABLE},
};

static const D3D12_STATIC_SAMPLER_DESC sampler = {
    .Filter = D3D12_FILTER_ANISOTROPIC,
    .AddressU = D3D12_TEXTURE_ADDRESS_MODE_WRAP,
    .AddressV = D3D12_TEXTURE_ADDRESS_MODE_MIRROR,
    .AddressW = D3D12_TEXTURE_ADDRESS_MODE_BORDER,
    .MipLODBias = -0.5f,
    .MaxAnisotropy = 16,
    .ComparisonFunc = D3D12_COMPARISON_FUNC_LESS_EQUAL,
    .BorderColor = D3D12_STATIC_BORDER_COLOR_OPAQUE_WHITE,
    .MinLOD = 1,
    .MaxLOD = 10,
    .ShaderRegister = 5,
    .RegisterSpace = 6,
    .ShaderVisibility = D3D12_SHADER_VISIBILITY_VERTEX,
};

#define FLAGS D3D12_ROOT_SIGNATURE_FLAG_ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT

static const D3D12_VERSIONED_ROOT_SIGNATURE_DESC desc1 = {
    .Version = V1_1, .Desc_1_1 = {5, parameters1, 1, &sampler, FLAGS}};
static const D3D12_VERSIONED_ROOT_SIGNATURE_DESC desc0 = {
    .Version = V1_0, .Desc_1_0 = {5, parameters0, 1, &sampler, FLAGS}};

static ID3DBlob *serialize(const D3D12_VERSIONED_ROOT_SIGNATURE_DESC *desc)
{
    ID3DBlob *blob = NULL, *error = (ID3DBlob *)&blob;
    HRESULT hr = D3D12SerializeVersionedRootSignature(desc, &blob, &error);
    cr_assert_eqs(hr, S_OK, error, NULL, "0x%08x: %s", (unsigned)hr,
                  error ? (const char *)ID3D10Blob_GetBufferPointer(error) : "");
    return blob;
}

/* Exactly so many bytes, so that a sanitizer sees a read past them. */
static HRESULT create_copy(ID3D12Device *device, const void *data, SIZE_T size)
{
    void *copy = malloc(size ? size : 1), *out = copy;
    cr_assert(copy);
    memcpy(copy, data, size);
    HRESULT hr =
        ID3D12Device_CreateRootSignature(device, 0, copy, size, &IID_ID3D12RootSignature, &out);
    free(copy);
    cr_assert_eq(hr == S_OK, out != NULL);
    if (out)
        ID3D12RootSignature_Release((ID3D12RootSignature *)out);
    return hr;
}

/* ---- versions ---- */

Test(root_signatures, of_1_0_and_1_1_are_taken)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    for (int version = 0; version < 2; version++) {
        OWNED ID3DBlob *blob = serialize(version == 0 ? &desc0 : &desc1);
        MUST(
            create_copy(device, ID3D10Blob_GetBufferPointer(blob), ID3D10Blob_GetBufferSize(blob)));
    }
    cr_assert_eq(kit_messages(device), 0);
}

Test(root_signatures, are_not_given_back_as_descriptions)
{
    OWNED ID3DBlob *blob = serialize(&desc1);
    const void *data = ID3D10Blob_GetBufferPointer(blob);
    const SIZE_T size = ID3D10Blob_GetBufferSize(blob);
    void *out = blob;
    EXPECT_HR(D3D12CreateRootSignatureDeserializer(data, size, &IID_ID3D12RootSignatureDeserializer,
                                                   &out),
              E_NOTIMPL);
    cr_assert(!out);
    out = blob;
    EXPECT_HR(D3D12CreateVersionedRootSignatureDeserializer(
                  data, size, &IID_ID3D12VersionedRootSignatureDeserializer, &out),
              E_NOTIMPL);
    cr_assert(!out);
}

Test(root_signatures, of_1_1_are_none_of_the_older_function)
{
    const D3D12_ROOT_SIGNATURE_DESC desc = {0};
    OWNED ID3DBlob *blob = (ID3DBlob *)(uintptr_t)16;
    EXPECT_HR(D3D12SerializeRootSignature(&desc, V1_1, &blob, NULL), E_INVALIDARG);
    cr_assert_eq(blob, (ID3DBlob *)(uintptr_t)16, "as it was");
    MUST(D3D12SerializeRootSignature(&desc, V1_0, &blob, NULL));
}

/* 1.2 has flags of static samplers, and nothing else that is new. Headers don't have it yet. */
Test(root_signatures, of_1_2_have_samplers_with_flags)
{
    const D3D_ROOT_SIGNATURE_VERSION V1_2 = (D3D_ROOT_SIGNATURE_VERSION)3;
    struct {
        D3D12_STATIC_SAMPLER_DESC desc;
        UINT flags;
    } samplers[2] = {{sampler, 1}, {sampler, 0}};
    samplers[1].desc.ShaderRegister += 9;
    D3D12_VERSIONED_ROOT_SIGNATURE_DESC desc = desc1;
    desc.Version = V1_2;
    desc.Desc_1_1.NumStaticSamplers = 2;
    desc.Desc_1_1.pStaticSamplers = &samplers[0].desc;
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3DBlob *blob = serialize(&desc);
    MUST(create_copy(device, ID3D10Blob_GetBufferPointer(blob), ID3D10Blob_GetBufferSize(blob)));
    samplers[1].flags = 4;
    ID3DBlob *none = NULL;
    EXPECT_HR(D3D12SerializeVersionedRootSignature(&desc, &none, NULL), E_INVALIDARG);
    desc.Version = (D3D_ROOT_SIGNATURE_VERSION)4;
    EXPECT_HR(D3D12SerializeVersionedRootSignature(&desc, &none, NULL), E_INVALIDARG);
}

Test(root_signatures, without_anything_are_legal)
{
    const D3D12_VERSIONED_ROOT_SIGNATURE_DESC empty = {.Version = V1_0};
    OWNED ID3DBlob *blob = serialize(&empty);
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    MUST(create_copy(device, ID3D10Blob_GetBufferPointer(blob), ID3D10Blob_GetBufferSize(blob)));
}

/* ---- bytes ---- */

/* A signature that Microsoft's compiler wrote into a public project, with the checksum that it has
 * there. Its 212 bytes follow from the description, so an equal checksum says that all of them are
 * equal. */
Test(root_signatures, are_the_bytes_that_microsoft_s_compiler_writes)
{
    static const unsigned char checksum[16] = {7,   254, 234, 151, 223, 43,  244, 11,
                                               191, 216, 211, 110, 181, 160, 113, 139};
    const D3D12_DESCRIPTOR_RANGE1 range = {.NumDescriptors = 1,
                                           .OffsetInDescriptorsFromTableStart = APPEND};
    const D3D12_ROOT_PARAMETER1 parameters[] = {
        {.ParameterType = D3D12_ROOT_PARAMETER_TYPE_CBV,
         .ShaderVisibility = D3D12_SHADER_VISIBILITY_VERTEX},
        {.ParameterType = TABLE,
         .DescriptorTable = {1, &range},
         .ShaderVisibility = D3D12_SHADER_VISIBILITY_PIXEL},
        {.ParameterType = CONSTANT,
         .Constants = {1, 0, 2},
         .ShaderVisibility = D3D12_SHADER_VISIBILITY_VERTEX},
    };
    const D3D12_STATIC_SAMPLER_DESC point = {
        .AddressU = D3D12_TEXTURE_ADDRESS_MODE_CLAMP,
        .AddressV = D3D12_TEXTURE_ADDRESS_MODE_CLAMP,
        .AddressW = D3D12_TEXTURE_ADDRESS_MODE_CLAMP,
        .MaxAnisotropy = 16,
        .ComparisonFunc = D3D12_COMPARISON_FUNC_LESS_EQUAL,
        .MaxLOD = FLT_MAX,
        .ShaderVisibility = D3D12_SHADER_VISIBILITY_PIXEL,
    };
    const D3D12_VERSIONED_ROOT_SIGNATURE_DESC desc = {
        .Version = V1_1,
        .Desc_1_1 = {3, parameters, 1, &point,
                     D3D12_ROOT_SIGNATURE_FLAG_ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT |
                         D3D12_ROOT_SIGNATURE_FLAG_DENY_HULL_SHADER_ROOT_ACCESS |
                         D3D12_ROOT_SIGNATURE_FLAG_DENY_DOMAIN_SHADER_ROOT_ACCESS |
                         D3D12_ROOT_SIGNATURE_FLAG_DENY_GEOMETRY_SHADER_ROOT_ACCESS}};
    OWNED ID3DBlob *blob = serialize(&desc);
    const unsigned char *bytes = ID3D10Blob_GetBufferPointer(blob);
    cr_assert_eq(ID3D10Blob_GetBufferSize(blob), 212);
    cr_assert_mem_eq(bytes, "DXBC", 4);
    cr_assert_mem_eq(bytes + 36, "RTS0", 4);
    cr_assert_mem_eq(bytes + 4, checksum, sizeof checksum);
}

/* The checksum knows every length of the last block: a wrong one would not be read. */
Test(root_signatures, of_any_length_are_read)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    D3D12_ROOT_PARAMETER1 parameters[32] = {{.ParameterType = TABLE}};
    for (UINT i = 0; i < 32; i++)
        parameters[i].ParameterType = TABLE;
    for (UINT count = 0; count < 32; count++) {
        parameters[0] = (D3D12_ROOT_PARAMETER1){.ParameterType = CONSTANT, .Constants = {0, 0, 1}};
        const D3D12_VERSIONED_ROOT_SIGNATURE_DESC desc = {
            .Version = V1_1, .Desc_1_1 = {.NumParameters = count, .pParameters = parameters}};
        OWNED ID3DBlob *blob = serialize(&desc);
        MUST(
            create_copy(device, ID3D10Blob_GetBufferPointer(blob), ID3D10Blob_GetBufferSize(blob)));
    }
}

Test(root_signatures, damage_is_noticed)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3DBlob *blob = serialize(&desc1);
    unsigned char *bytes = ID3D10Blob_GetBufferPointer(blob);
    const SIZE_T size = ID3D10Blob_GetBufferSize(blob);
    MUST(create_copy(device, bytes, size));
    for (SIZE_T cut = 0; cut < size; cut++)
        EXPECT_HR(create_copy(device, bytes, cut), E_INVALIDARG);
    for (SIZE_T at = 0; at < size; at++) {
        bytes[at] ^= 0xff;
        EXPECT_HR(create_copy(device, bytes, size), E_INVALIDARG);
        bytes[at] ^= 0xff ^ 1;
        EXPECT_HR(create_copy(device, bytes, size), E_INVALIDARG);
        bytes[at] ^= 1;
    }
    cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_CREATE_ROOT_SIGNATURE_DESERIALIZE_FAILED),
                 kit_messages(device));
    cr_assert(kit_messages(device) > size);
}

/* Without checksum, as unsigned containers are: then the reader alone stands between the bytes and
 * the program. */
Test(root_signatures, damage_without_checksum_harms_nobody)
{
    static const unsigned char values[] = {0, 1, 2, 4, 0x7f, 0x80, 0xff};
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    for (int version = 0; version < 2; version++) {
        OWNED ID3DBlob *blob = serialize(version == 0 ? &desc0 : &desc1);
        unsigned char *bytes = ID3D10Blob_GetBufferPointer(blob);
        const SIZE_T size = ID3D10Blob_GetBufferSize(blob);
        memset(bytes + 4, 0, 16);
        MUST(create_copy(device, bytes, size));
        for (SIZE_T at = 0; at < size; at++)
            for (size_t k = 0; k < sizeof values; k++) {
                const unsigned char right = bytes[at];
                bytes[at] = values[k];
                const HRESULT made = create_copy(device, bytes, size);
                /* without a root signature: E_FAIL */
                cr_assert(made == S_OK || made == E_INVALIDARG || made == E_FAIL);
                bytes[at] = right;
            }
    }
}

static void put(unsigned char *at, UINT value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (unsigned char)(value >> 8 * i);
}

/* As shaders carry it: one chunk among several. */
Test(root_signatures, are_found_among_other_chunks)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3DBlob *blob = serialize(&desc1);
    unsigned char *bytes = ID3D10Blob_GetBufferPointer(blob), both[1024] = {0};
    const UINT size = (UINT)ID3D10Blob_GetBufferSize(blob), chunk = size - 36;
    memcpy(both, "DXBC", 4);
    put(both + 20, 1);
    put(both + 24, 40 + 12 + chunk);
    put(both + 28, 2);
    put(both + 32, 40);
    put(both + 36, 52);
    memcpy(both + 40, "SHDR", 4);
    put(both + 44, 4);
    memcpy(both + 52, bytes + 36, chunk);
    MUST(create_copy(device, both, sizeof both)); /* what follows is nobody's */
    cr_assert_eq(kit_messages(device), 0);
    memcpy(both + 52, "PSV0", 4);
    EXPECT_HR(create_copy(device, both, 52 + chunk), E_FAIL);
    cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_CREATE_ROOT_SIGNATURE_BLOB_NOT_FOUND), 1);
}

/* ---- what is not permitted ---- */

/* Refused with a text, and by the device when a container says it. */
static void refused(const D3D12_VERSIONED_ROOT_SIGNATURE_DESC *desc, const char *what)
{
    ID3DBlob *blob = (ID3DBlob *)&blob, *error = NULL;
    HRESULT hr = D3D12SerializeVersionedRootSignature(desc, &blob, &error);
    cr_assert(hr == E_INVALIDARG && !blob && error, "%s: 0x%08x", what, (unsigned)hr);
    const char *text = ID3D10Blob_GetBufferPointer(error);
    const SIZE_T size = ID3D10Blob_GetBufferSize(error);
    cr_assert(size > 1, "%s", what);
    cr_assert_eqs(text[size - 1], '\0', strlen(text), size - 1, "%s", what);
    ID3D10Blob_Release(error);
    EXPECT_HR(D3D12SerializeVersionedRootSignature(desc, &blob, NULL), E_INVALIDARG);
}

static void allowed(const D3D12_VERSIONED_ROOT_SIGNATURE_DESC *desc)
{
    OWNED ID3DBlob *blob = serialize(desc);
}

static void parameters_refused(UINT count, const D3D12_ROOT_PARAMETER1 *parameters,
                               const char *what)
{
    const D3D12_VERSIONED_ROOT_SIGNATURE_DESC desc = {
        .Version = V1_1, .Desc_1_1 = {.NumParameters = count, .pParameters = parameters}};
    refused(&desc, what);
}

static void parameters_allowed(UINT count, const D3D12_ROOT_PARAMETER1 *parameters)
{
    const D3D12_VERSIONED_ROOT_SIGNATURE_DESC desc = {
        .Version = V1_1, .Desc_1_1 = {.NumParameters = count, .pParameters = parameters}};
    allowed(&desc);
}

Test(root_signatures, must_have_a_shape)
{
    const D3D12_ROOT_PARAMETER1 table = {.ParameterType = TABLE, .DescriptorTable = {1, NULL}};
    const D3D12_ROOT_PARAMETER old_table = {.ParameterType = TABLE, .DescriptorTable = {1, NULL}};
    const D3D12_ROOT_PARAMETER1 endless = {.ParameterType = TABLE,
                                           .DescriptorTable = {UINT32_MAX, ranges1}};
    D3D12_VERSIONED_ROOT_SIGNATURE_DESC desc = {.Version = (D3D_ROOT_SIGNATURE_VERSION)4};
    refused(NULL, "no description");
    refused(&desc, "an unknown version");
    desc = (D3D12_VERSIONED_ROOT_SIGNATURE_DESC){.Version = V1_1, .Desc_1_1 = {.NumParameters = 1}};
    refused(&desc, "no parameters");
    desc.Desc_1_1 =
        (D3D12_ROOT_SIGNATURE_DESC1){.NumParameters = UINT32_MAX, .pParameters = parameters1};
    refused(&desc, "too many parameters");
    desc.Desc_1_1 = (D3D12_ROOT_SIGNATURE_DESC1){.NumStaticSamplers = 1};
    refused(&desc, "no samplers");
    desc.Desc_1_1 = (D3D12_ROOT_SIGNATURE_DESC1){.Flags = (D3D12_ROOT_SIGNATURE_FLAGS)0x1000};
    refused(&desc, "unknown flags");
    parameters_refused(1, &table, "no ranges");
    parameters_refused(1, &endless, "too many ranges");
    desc = (D3D12_VERSIONED_ROOT_SIGNATURE_DESC){
        .Version = V1_0, .Desc_1_0 = {.NumParameters = 1, .pParameters = &old_table}};
    refused(&desc, "no ranges in 1.0");
    ID3DBlob *blob = (ID3DBlob *)&desc;
    const D3D12_ROOT_SIGNATURE_DESC old = {0};
    EXPECT_HR(D3D12SerializeRootSignature(NULL, V1_0, &blob, NULL), E_INVALIDARG);
    cr_assert(!blob);
    EXPECT_HR(D3D12SerializeRootSignature(&old, V1_1, &blob, NULL), E_INVALIDARG);
    EXPECT_HR(D3D12SerializeRootSignature(&old, V1_0, NULL, NULL), E_INVALIDARG);
}

Test(root_signatures, parameters_cost_at_most_64)
{
    D3D12_ROOT_PARAMETER1 parameters[65];
    for (UINT i = 0; i < 65; i++)
        parameters[i] = (D3D12_ROOT_PARAMETER1){.ParameterType = TABLE};
    parameters_allowed(64, parameters);
    parameters_refused(65, parameters, "65 tables");
    parameters[0] = (D3D12_ROOT_PARAMETER1){.ParameterType = CONSTANT, .Constants = {0, 0, 64}};
    parameters_allowed(1, parameters);
    parameters_refused(2, parameters, "64 constants and a table");
    for (UINT i = 0; i < 33; i++)
        parameters[i] = (D3D12_ROOT_PARAMETER1){.ParameterType = D3D12_ROOT_PARAMETER_TYPE_SRV,
                                                .Descriptor = {.ShaderRegister = i}};
    parameters_allowed(32, parameters);
    parameters_refused(33, parameters, "33 descriptors");
    parameters[0] =
        (D3D12_ROOT_PARAMETER1){.ParameterType = CONSTANT, .Constants = {0, 0, UINT32_MAX}};
    parameters_refused(2, parameters, "endless constants");
}

static void range_refused(D3D12_DESCRIPTOR_RANGE1 range, const char *what)
{
    const D3D12_ROOT_PARAMETER1 table = {.ParameterType = TABLE, .DescriptorTable = {1, &range}};
    parameters_refused(1, &table, what);
}

Test(root_signatures, ranges_follow_the_rules)
{
    const D3D12_DESCRIPTOR_RANGE_FLAGS volatile_descriptors =
        D3D12_DESCRIPTOR_RANGE_FLAG_DESCRIPTORS_VOLATILE;
    const D3D12_DESCRIPTOR_RANGE_FLAGS static_data = D3D12_DESCRIPTOR_RANGE_FLAG_DATA_STATIC;
    const D3D12_DESCRIPTOR_RANGE_FLAGS volatile_data = D3D12_DESCRIPTOR_RANGE_FLAG_DATA_VOLATILE;
    range_refused((D3D12_DESCRIPTOR_RANGE1){.RangeType = 4, .NumDescriptors = 1}, "its type");
    range_refused((D3D12_DESCRIPTOR_RANGE1){SRV, 0, 0, 0, 0, 0}, "no descriptors");
    range_refused((D3D12_DESCRIPTOR_RANGE1){SRV, 2, UINT32_MAX, 0, 0, 0},
                  "beyond the last register");
    range_refused((D3D12_DESCRIPTOR_RANGE1){SRV, 1, 0, 0xfffffff0, 0, 0}, "a reserved space");
    range_refused((D3D12_DESCRIPTOR_RANGE1){SRV, 1, 0, 0, 0x100, 0}, "unknown flags");
    range_refused((D3D12_DESCRIPTOR_RANGE1){SRV, 1, 0, 0, volatile_descriptors | static_data, 0},
                  "static data behind volatile descriptors");
    range_refused((D3D12_DESCRIPTOR_RANGE1){SRV, 1, 0, 0, volatile_data | static_data, 0},
                  "two flags of the data");
    range_refused((D3D12_DESCRIPTOR_RANGE1){SAMPLER, 1, 0, 0, static_data, 0}, "a sampler's data");
    range_refused((D3D12_DESCRIPTOR_RANGE1){SRV, 2, 0, 0, 0, UINT32_MAX - 1}, "beyond the table");

    const D3D12_DESCRIPTOR_RANGE1 mixed[] = {{SRV, 1, 0, 0, 0, 0}, {SAMPLER, 1, 0, 0, 0, APPEND}};
    const D3D12_DESCRIPTOR_RANGE1 behind[] = {{SRV, UINT32_MAX, 0, 0, 0, 0},
                                              {UAV, 1, 0, 0, 0, APPEND}};
    const D3D12_DESCRIPTOR_RANGE1 beside[] = {{SRV, UINT32_MAX, 0, 0, 0, 1}, {UAV, 1, 0, 0, 0, 0}};
    D3D12_ROOT_PARAMETER1 table = {.ParameterType = TABLE, .DescriptorTable = {2, mixed}};
    parameters_refused(1, &table, "a sampler beside a view");
    table.DescriptorTable.pDescriptorRanges = behind;
    parameters_refused(1, &table, "appended to an unbounded range");
    table.DescriptorTable.pDescriptorRanges = beside;
    parameters_allowed(1, &table);
}

Test(root_signatures, parameters_follow_the_rules)
{
    const D3D12_ROOT_PARAMETER1 good = {.ParameterType = D3D12_ROOT_PARAMETER_TYPE_UAV};
    D3D12_ROOT_PARAMETER1 p = good;
    p.ParameterType = (D3D12_ROOT_PARAMETER_TYPE)5;
    parameters_refused(1, &p, "its type");
    p = good;
    p.ShaderVisibility = (D3D12_SHADER_VISIBILITY)8;
    parameters_refused(1, &p, "its visibility");
    p = good;
    p.Descriptor.RegisterSpace = UINT32_MAX;
    parameters_refused(1, &p, "a reserved space");
    p.Descriptor.RegisterSpace = 0xffffffef; /* the last that isn't */
    parameters_allowed(1, &p);
    p = good;
    p.Descriptor.Flags = (D3D12_ROOT_DESCRIPTOR_FLAGS)1;
    parameters_refused(1, &p, "unknown flags");
    p.Descriptor.Flags =
        D3D12_ROOT_DESCRIPTOR_FLAG_DATA_STATIC | D3D12_ROOT_DESCRIPTOR_FLAG_DATA_VOLATILE;
    parameters_refused(1, &p, "two flags");
    p = (D3D12_ROOT_PARAMETER1){.ParameterType = CONSTANT, .Constants = {0, UINT32_MAX, 1}};
    parameters_refused(1, &p, "constants in a reserved space");
}

Test(root_signatures, a_register_is_bound_once_where_it_is_seen)
{
    const D3D12_DESCRIPTOR_RANGE1 range = {SRV, 10, 5, 0, 0, APPEND};
    D3D12_ROOT_PARAMETER1 p[] = {
        {.ParameterType = TABLE, .DescriptorTable = {1, &range}},
        {.ParameterType = D3D12_ROOT_PARAMETER_TYPE_SRV, .Descriptor = {.ShaderRegister = 14}},
    };
    parameters_refused(2, p, "t14 twice");
    p[1].Descriptor.ShaderRegister = 15;
    parameters_allowed(2, p);
    p[1].Descriptor.ShaderRegister = 5;
    parameters_refused(2, p, "t5 twice");
    p[1].Descriptor.ShaderRegister = 4;
    parameters_allowed(2, p);
    p[1].Descriptor = (D3D12_ROOT_DESCRIPTOR1){5, 1, 0}; /* another space */
    parameters_allowed(2, p);
    p[1].Descriptor = (D3D12_ROOT_DESCRIPTOR1){5, 0, 0};
    p[1].ParameterType = D3D12_ROOT_PARAMETER_TYPE_UAV; /* another kind of register */
    parameters_allowed(2, p);
    p[1].ParameterType = D3D12_ROOT_PARAMETER_TYPE_SRV;
    p[0].ShaderVisibility = D3D12_SHADER_VISIBILITY_VERTEX;
    parameters_refused(2, p, "all see what the vertex shader sees");
    p[1].ShaderVisibility = D3D12_SHADER_VISIBILITY_PIXEL;
    parameters_allowed(2, p);
    p[0] = (D3D12_ROOT_PARAMETER1){.ParameterType = CONSTANT, .Constants = {0, 0, 1}};
    p[1] = (D3D12_ROOT_PARAMETER1){.ParameterType = D3D12_ROOT_PARAMETER_TYPE_CBV};
    parameters_refused(2, p, "b0 of constants and of a buffer");
    const D3D12_STATIC_SAMPLER_DESC twice[] = {sampler, sampler};
    const D3D12_VERSIONED_ROOT_SIGNATURE_DESC desc = {
        .Version = V1_1, .Desc_1_1 = {.NumStaticSamplers = 2, .pStaticSamplers = twice}};
    refused(&desc, "s5 twice");
}

/* Three bindings of all kinds, in any order, are refused where one stage sees two of one kind,
 * space and register. */
struct place {
    unsigned kind, space, first, count, visibility; /* kind 3: a static sampler */
};

static struct place place_of(unsigned dice)
{
    return (struct place){dice % 4, dice / 4 % 2, dice / 8 % 3, dice / 24 % 2 + 1, dice / 48 % 3};
}

static bool collide(const struct place *a, const struct place *b)
{
    return a->kind == b->kind && a->space == b->space && a->first < b->first + b->count &&
           b->first < a->first + a->count &&
           (a->visibility == b->visibility || a->visibility == 0 || b->visibility == 0);
}

Test(root_signatures, collide_where_a_register_of_one_kind_and_space_is_seen_twice)
{
    enum { COUNT = 3, PLACES = 144 };
    unsigned refusals = 0;
    for (uint32_t round = 0, dice = 1; round < 3000; round++) {
        D3D12_ROOT_PARAMETER1 parameters[COUNT] = {0};
        D3D12_DESCRIPTOR_RANGE1 ranges[COUNT] = {0};
        D3D12_STATIC_SAMPLER_DESC samplers[COUNT];
        struct place places[COUNT];
        UINT others = 0, sampler_count = 0;
        bool is_refused = false;
        for (unsigned i = 0; i < COUNT; i++) {
            dice = dice * 1664525 + 1013904223;
            struct place *place = &places[i];
            *place = place_of((dice >> 8) % PLACES);
            if (place->kind == 3) {
                place->count = 1;
                samplers[sampler_count] = sampler;
                samplers[sampler_count].ShaderRegister = place->first;
                samplers[sampler_count].RegisterSpace = place->space;
                samplers[sampler_count++].ShaderVisibility =
                    (D3D12_SHADER_VISIBILITY)place->visibility;
            } else {
                ranges[others] = (D3D12_DESCRIPTOR_RANGE1){(D3D12_DESCRIPTOR_RANGE_TYPE)place->kind,
                                                           place->count,
                                                           place->first,
                                                           place->space,
                                                           0,
                                                           APPEND};
                parameters[others] = (D3D12_ROOT_PARAMETER1){
                    .ParameterType = TABLE,
                    .DescriptorTable = {1, &ranges[others]},
                    .ShaderVisibility = (D3D12_SHADER_VISIBILITY)place->visibility};
                others++;
            }
            for (unsigned k = 0; k < i; k++)
                is_refused |= collide(place, &places[k]);
        }
        const D3D12_VERSIONED_ROOT_SIGNATURE_DESC desc = {
            .Version = V1_1,
            .Desc_1_1 = {others, parameters, sampler_count, samplers,
                         D3D12_ROOT_SIGNATURE_FLAG_NONE}};
        ID3DBlob *blob = NULL;
        EXPECT_HR(D3D12SerializeVersionedRootSignature(&desc, &blob, NULL),
                  is_refused ? E_INVALIDARG : S_OK);
        if (blob)
            ID3D10Blob_Release(blob);
        refusals += is_refused;
    }
    cr_expect(refusals > 300 && refusals < 2700, "%u", refusals);
}

Test(root_signatures, static_samplers_follow_the_rules)
{
    D3D12_STATIC_SAMPLER_DESC wrong = sampler;
    const D3D12_VERSIONED_ROOT_SIGNATURE_DESC desc = {
        .Version = V1_1, .Desc_1_1 = {.NumStaticSamplers = 1, .pStaticSamplers = &wrong}};
#define WRONG(member, value)                                                                       \
    do {                                                                                           \
        wrong.member = (value);                                                                    \
        refused(&desc, #member);                                                                   \
        wrong = sampler;                                                                           \
    } while (0)
    WRONG(AddressU, 0);
    WRONG(AddressV, 6);
    WRONG(AddressW, 0);
    WRONG(ComparisonFunc, 9);
    WRONG(BorderColor, 5);
    WRONG(MaxAnisotropy, 17);
    WRONG(ShaderVisibility, 8);
    WRONG(RegisterSpace, UINT32_MAX);
    allowed(&desc);
}

/* Container and checksum are right, what they say isn't: the device looks too. */
Test(root_signatures, the_device_checks_what_a_blob_says)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3DBlob *blob = serialize(&desc1);
    unsigned char *bytes = ID3D10Blob_GetBufferPointer(blob);
    memset(bytes + 4, 0, 16);
    put(bytes + 44 + 20, 0x1000); /* flags */
    EXPECT_HR(create_copy(device, bytes, ID3D10Blob_GetBufferSize(blob)), E_INVALIDARG);
    cr_assert_eq(kit_messages(device), 1);
    cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_CREATE_ROOT_SIGNATURE_INVALID_CONFIGURATION),
                 1);
}
