/* Pipelines ask this of their shaders' containers: stage, signatures between stages and with the
 * input layout, bindings, wave size. Containers are laid out here as DirectXShaderCompiler and
 * Windows' reflection document them. */
#include "pipeline/pipeline_kit.h"

enum { NO_TYPE, UINTS, INTS, FLOATS };

struct element {
    const char *name;
    uint32_t index, system_value, type, place, mask, used;
};

/* A container that is built part by part. */
struct container {
    unsigned char bytes[2048];
    uint32_t size, parts[8], count;
};

static void put(struct container *c, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        c->bytes[c->size++] = (unsigned char)(value >> 8 * i);
}

static void set(struct container *c, uint32_t at, uint32_t value)
{
    const uint32_t size = c->size;
    c->size = at;
    put(c, value);
    c->size = size;
}

static uint32_t part_begin(struct container *c, const char *tag)
{
    c->parts[c->count++] = c->size;
    memcpy(c->bytes + c->size, tag, 4);
    c->size += 4;
    put(c, 0);
    return c->size;
}

static void part_end(struct container *c, uint32_t from)
{
    set(c, from - 4, c->size - from);
}

/* Room for the head, and the code. */
static void begin(struct container *c, int stage, bool is_dxil)
{
    memset(c, 0, sizeof *c);
    c->size = 32 + 8 * 4;
    const uint32_t from = part_begin(c, is_dxil ? "DXIL" : "SHEX");
    put(c, (uint32_t)stage << 16 | (is_dxil ? 0x60 : 0x50));
    put(c, 2);
    part_end(c, from);
}

static D3D12_SHADER_BYTECODE end(struct container *c)
{
    const uint32_t total = c->size;
    memcpy(c->bytes, "DXBC", 4);
    c->size = 20;
    put(c, 1);
    put(c, total);
    put(c, c->count);
    for (uint32_t i = 0; i < c->count; i++)
        put(c, c->parts[i]);
    c->size = total;
    return (D3D12_SHADER_BYTECODE){c->bytes, total};
}

/* `wide`: with streams and precisions, as DXIL has them. */
static void signature(struct container *c, const char *tag, bool wide,
                      const struct element *elements, uint32_t count)
{
    const uint32_t from = part_begin(c, tag), stride = wide ? 32 : 24;
    put(c, count);
    put(c, 8);
    uint32_t name = 8 + count * stride;
    for (uint32_t i = 0; i < count; i++) {
        const struct element *e = &elements[i];
        if (wide)
            put(c, 0);
        put(c, name);
        put(c, e->index);
        put(c, e->system_value);
        put(c, e->type);
        put(c, e->place);
        put(c, e->mask | e->used << 8);
        if (wide)
            put(c, 0);
        name += (uint32_t)strlen(e->name) + 1;
    }
    for (uint32_t i = 0; i < count; i++) {
        memcpy(c->bytes + c->size, elements[i].name, strlen(elements[i].name) + 1);
        c->size += (uint32_t)strlen(elements[i].name) + 1;
    }
    part_end(c, from);
}

/* ---- stages ---- */

static HRESULT draw(struct pipelines *f, const D3D12_GRAPHICS_PIPELINE_STATE_DESC *desc, int id)
{
    ID3D12PipelineState *state = NULL;
    kit_clear(f->device);
    const HRESULT hr = pipeline_create_graphics(f->device, desc, &state);
    if (state)
        ID3D12PipelineState_Release(state);
    cr_assert_eq(kit_messages(f->device), id != 0);
    cr_assert(id == 0 || kit_count(f->device, id) == 1, "another number than %d", id);
    return hr;
}

Test(shaders, suit_their_stages)
{
    AT_END(pipeline_end) struct pipelines f = pipeline_begin();
    const D3D12_GRAPHICS_PIPELINE_STATE_DESC good = pipeline_graphics(f.signature);
    const D3D12_SHADER_BYTECODE vs = KIT_SHADER(VS), ps = KIT_SHADER(PS), none = {"DXBC", 4};
    OWNED ID3D12PipelineState *out;
    D3D12_COMPUTE_PIPELINE_STATE_DESC compute = {.pRootSignature = f.signature, .CS = ps};
    REFUSED(D3D12_MESSAGE_ID_CREATEPIXELSHADER_INVALIDSHADERTYPE, desc.PS = vs);
    REFUSED(D3D12_MESSAGE_ID_CREATEVERTEXSHADER_INVALIDSHADERTYPE, desc.VS = ps);
    REFUSED(D3D12_MESSAGE_ID_CREATEGEOMETRYSHADER_INVALIDSHADERTYPE, desc.GS = ps);
    REFUSED(D3D12_MESSAGE_ID_CREATEPIXELSHADER_INVALIDSHADERBYTECODE, desc.PS = none);
    REFUSED(D3D12_MESSAGE_ID_CREATEVERTEXSHADER_INVALIDSHADERBYTECODE, desc.VS.BytecodeLength--);
    EXPECT_HR(pipeline_create_compute(f.device, &compute, &out), E_INVALIDARG);
    cr_assert_eq(kit_count(f.device, D3D12_MESSAGE_ID_CREATECOMPUTEPIPELINESTATE_INVALID_SHADER),
                 1);
    compute.CS = (D3D12_SHADER_BYTECODE)KIT_SHADER(CS);
    MUST(pipeline_create_compute(f.device, &compute, &out));
}

/* ---- signatures ---- */

Test(shaders, write_what_the_next_stage_reads)
{
    static const struct {
        const char *why;
        struct element writes, reads;
        int id;
    } cases[] = {
        /* clang-format off */
        {"the same", {"COLOR", 0, 0, FLOATS, 1, 15, 0}, {"color", 0, 0, FLOATS, 1, 15, 15}, 0},
        {"a part of it", {"COLOR", 0, 0, FLOATS, 1, 15, 0}, {"COLOR", 0, 0, FLOATS, 1, 3, 3}, 0},
        {"not read", {"A", 0, 0, FLOATS, 1, 15, 0}, {"B", 0, 0, FLOATS, 1, 15, 0}, 0},
        {"made by the hardware", {"A", 0, 0, FLOATS, 1, 15, 0},
         {"SV_IsFrontFace", 0, 9, UINTS, 2, 1, 1}, 0},
        {"another name", {"A", 0, 0, FLOATS, 1, 15, 0}, {"B", 0, 0, FLOATS, 1, 15, 15},
         GRAPHICS_ID(SHADER_LINKAGE_SEMANTICNAME_NOT_FOUND)},
        {"another index", {"A", 0, 0, FLOATS, 1, 15, 0}, {"A", 1, 0, FLOATS, 1, 15, 15},
         GRAPHICS_ID(SHADER_LINKAGE_SEMANTICNAME_NOT_FOUND)},
        {"another register", {"A", 0, 0, FLOATS, 1, 15, 0}, {"A", 0, 0, FLOATS, 2, 15, 15},
         GRAPHICS_ID(SHADER_LINKAGE_REGISTERINDEX)},
        {"another type", {"A", 0, 0, FLOATS, 1, 15, 0}, {"A", 0, 0, INTS, 1, 15, 15},
         GRAPHICS_ID(SHADER_LINKAGE_COMPONENTTYPE)},
        {"more of it", {"A", 0, 0, FLOATS, 1, 3, 0}, {"A", 0, 0, FLOATS, 1, 7, 7},
         GRAPHICS_ID(SHADER_LINKAGE_REGISTERMASK)},
        /* clang-format on */
    };
    AT_END(pipeline_end) struct pipelines f = pipeline_begin();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int wide = 0; wide < 2; wide++) {
            struct container vertex, pixel;
            D3D12_GRAPHICS_PIPELINE_STATE_DESC desc = pipeline_graphics(f.signature);
            begin(&vertex, KIT_VS, wide);
            signature(&vertex, wide ? "OSG1" : "OSGN", wide, &cases[i].writes, 1);
            begin(&pixel, KIT_PS, wide);
            signature(&pixel, wide ? "ISG1" : "ISGN", wide, &cases[i].reads, 1);
            desc.VS = end(&vertex);
            desc.PS = end(&pixel);
            cr_expect_eq(draw(&f, &desc, cases[i].id), cases[i].id ? E_INVALIDARG : S_OK, "%s",
                         cases[i].why);
        }
}

/* A geometry shader stands between them; a domain shader reads the hull shader's patch, too. */
Test(shaders, are_linked_in_the_order_of_the_pipeline)
{
    const struct element a = {"A", 0, 0, FLOATS, 0, 15, 15}, b = {"B", 0, 0, FLOATS, 0, 15, 15};
    AT_END(pipeline_end) struct pipelines f = pipeline_begin();
    struct container vertex, hull, domain, geometry, pixel;
    D3D12_GRAPHICS_PIPELINE_STATE_DESC desc = pipeline_graphics(f.signature);
    begin(&vertex, KIT_VS, false);
    signature(&vertex, "OSGN", false, &a, 1);
    begin(&geometry, KIT_GS, false);
    signature(&geometry, "ISGN", false, &a, 1);
    signature(&geometry, "OSGN", false, &b, 1);
    begin(&pixel, KIT_PS, false);
    signature(&pixel, "ISGN", false, &b, 1);
    desc.VS = end(&vertex);
    desc.PS = end(&pixel);
    EXPECT_HR(draw(&f, &desc, GRAPHICS_ID(SHADER_LINKAGE_SEMANTICNAME_NOT_FOUND)), E_INVALIDARG);
    desc.GS = end(&geometry);
    EXPECT_HR(draw(&f, &desc, 0), S_OK);
    desc.PrimitiveTopologyType = D3D12_PRIMITIVE_TOPOLOGY_TYPE_PATCH;
    begin(&hull, KIT_HS, false);
    signature(&hull, "ISGN", false, &a, 1);
    signature(&hull, "OSGN", false, &a, 1);
    signature(&hull, "PCSG", false, &b, 1);
    begin(&domain, KIT_DS, false);
    signature(&domain, "OSGN", false, &a, 1);
    signature(&domain, "PCSG", false, &b, 1);
    desc.HS = end(&hull);
    desc.DS = end(&domain);
    EXPECT_HR(draw(&f, &desc, 0), S_OK);
    begin(&domain, KIT_DS, false);
    signature(&domain, "OSGN", false, &a, 1);
    signature(&domain, "PCSG", false, &a, 1);
    desc.DS = end(&domain);
    EXPECT_HR(draw(&f, &desc, GRAPHICS_ID(SHADER_LINKAGE_SEMANTICNAME_NOT_FOUND)), E_INVALIDARG);
}

Test(shaders, read_vertices_that_the_input_layout_has)
{
    const struct element reads[] = {{"POSITION", 0, 0, FLOATS, 0, 15, 15},
                                    {"SV_VertexID", 0, 6, UINTS, 1, 1, 1},
                                    {"NORMAL", 0, 0, FLOATS, 2, 7, 0}};
    const D3D12_INPUT_ELEMENT_DESC position = {
        "Position", 0, DXGI_FORMAT_R32G32B32_FLOAT,
        0,          0, D3D12_INPUT_CLASSIFICATION_PER_VERTEX_DATA,
        0};
    D3D12_INPUT_ELEMENT_DESC second = position;
    AT_END(pipeline_end) struct pipelines f = pipeline_begin();
    struct container vertex;
    D3D12_GRAPHICS_PIPELINE_STATE_DESC desc = pipeline_graphics(f.signature);
    begin(&vertex, KIT_VS, false);
    signature(&vertex, "ISGN", false, reads, 3);
    desc.VS = end(&vertex);
    const int id = D3D12_MESSAGE_ID_CREATEINPUTLAYOUT_MISSINGELEMENT;
    EXPECT_HR(draw(&f, &desc, id), E_INVALIDARG);
    desc.InputLayout = (D3D12_INPUT_LAYOUT_DESC){&position, 1};
    EXPECT_HR(draw(&f, &desc, 0), S_OK);
    second.SemanticIndex = 1;
    desc.InputLayout = (D3D12_INPUT_LAYOUT_DESC){&second, 1};
    EXPECT_HR(draw(&f, &desc, id), E_INVALIDARG);
}

/* ---- bindings ---- */

struct used {
    int kind; /* of a descriptor range */
    uint32_t space, first, last;
};

/* As Windows' reflection has it, from shader model 5.1 on with spaces. */
static void definitions(struct container *c, const struct used *used, bool has_space)
{
    static const uint32_t types[] = {2, 4, 0, 3}; /* texture, RW texture, cbuffer, sampler */
    const uint32_t from = part_begin(c, "RDEF");
    const uint32_t count = used->last == UINT32_MAX ? 0 : used->last - used->first + 1;
    put(c, 0);
    put(c, 0);
    put(c, 1);
    put(c, 28);
    put(c, 0xFFFF0000u | (has_space ? 0x501 : 0x500));
    put(c, 0);
    put(c, 0);
    const uint32_t binding[] = {0, types[used->kind], 0, 0, 0, used->first, count,
                                0, used->space,       0};
    for (int i = 0; i < (has_space ? 10 : 8); i++)
        put(c, binding[i]);
    part_end(c, from);
}

/* As DirectXShaderCompiler's DxilPipelineStateValidation.h has it; `lanes` 0: any. */
static void validation(struct container *c, const struct used *used, uint32_t lanes)
{
    static const uint32_t types[] = {3, 6, 2, 1};
    const uint32_t from = part_begin(c, "PSV0");
    put(c, 24);
    for (int i = 0; i < 4; i++)
        put(c, 0);
    put(c, lanes);
    put(c, lanes != 0 ? lanes : UINT32_MAX);
    put(c, used != NULL);
    if (used) {
        put(c, 24);
        put(c, types[used->kind]);
        put(c, used->space);
        put(c, used->first);
        put(c, used->last);
        put(c, 0);
        put(c, 0);
    }
    part_end(c, from);
}

#define T D3D12_DESCRIPTOR_RANGE_TYPE_SRV
#define U D3D12_DESCRIPTOR_RANGE_TYPE_UAV
#define B D3D12_DESCRIPTOR_RANGE_TYPE_CBV
#define S D3D12_DESCRIPTOR_RANGE_TYPE_SAMPLER

/* Textures 0 to 3 and from 8 on in pixel shaders, a buffer for all, constants in space 1, a static
 * sampler. */
static ID3D12RootSignature *bound(ID3D12Device *device)
{
    static const D3D12_DESCRIPTOR_RANGE ranges[] = {
        {T, 2, 0, 0, 0}, {T, 2, 2, 0, 2}, {T, UINT32_MAX, 8, 0, 8}};
    const D3D12_ROOT_PARAMETER parameters[] = {
        {.ParameterType = D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE,
         .DescriptorTable = {3, ranges},
         .ShaderVisibility = D3D12_SHADER_VISIBILITY_PIXEL},
        {.ParameterType = D3D12_ROOT_PARAMETER_TYPE_UAV, .Descriptor = {5, 0}},
        {.ParameterType = D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS, .Constants = {0, 1, 4}}};
    const D3D12_STATIC_SAMPLER_DESC sampler = {.AddressU = D3D12_TEXTURE_ADDRESS_MODE_WRAP,
                                               .AddressV = D3D12_TEXTURE_ADDRESS_MODE_WRAP,
                                               .AddressW = D3D12_TEXTURE_ADDRESS_MODE_WRAP};
    const D3D12_ROOT_SIGNATURE_DESC desc = {3, parameters, 1, &sampler,
                                            D3D12_ROOT_SIGNATURE_FLAG_DENY_HULL_SHADER_ROOT_ACCESS};
    return kit_root_signature_of(device, &desc);
}

/* "Resource Binding in HLSL": an array is bound by one range; of an array without a size the first
 * register has to be there, since the shader's indices say how many follow. */
Test(shaders, use_what_the_root_signature_binds)
{
    static const struct {
        const char *why;
        struct used used;
        bool in_pixels, in_vertices;
    } cases[] = {
        {"a texture", {T, 0, 1, 1}, true, false},
        {"all of one range", {T, 0, 2, 3}, true, false},
        {"of two ranges", {T, 0, 0, 3}, false, false},
        {"one too many", {T, 0, 0, 4}, false, false},
        {"any number", {T, 0, 8, UINT32_MAX}, true, false},
        {"any number, too early", {T, 0, 7, UINT32_MAX}, false, false},
        {"any number, of a range of two", {T, 0, 1, UINT32_MAX}, true, false},
        {"any number, of one", {U, 0, 5, UINT32_MAX}, true, true},
        {"a far one", {T, 0, 1000, 2000}, true, false},
        {"another space", {T, 1, 0, 0}, false, false},
        {"for all", {U, 0, 5, 5}, true, true},
        {"beside it", {U, 0, 4, 4}, false, false},
        {"constants", {B, 1, 0, 0}, true, true},
        {"constants of none", {B, 0, 0, 0}, false, false},
        {"a sampler", {S, 0, 0, 0}, true, true},
        {"no sampler", {S, 0, 1, 1}, false, false},
    };
    AT_END(pipeline_end) struct pipelines f = pipeline_begin();
    OWNED ID3D12RootSignature *root = bound(f.device);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int is_dxil = 0; is_dxil < 2; is_dxil++)
            for (int in_pixels = 0; in_pixels < 2; in_pixels++) {
                struct container c;
                const bool good = in_pixels ? cases[i].in_pixels : cases[i].in_vertices;
                D3D12_GRAPHICS_PIPELINE_STATE_DESC desc = pipeline_graphics(root);
                begin(&c, in_pixels ? KIT_PS : KIT_VS, is_dxil);
                if (is_dxil)
                    validation(&c, &cases[i].used, 0);
                else
                    definitions(&c, &cases[i].used, true);
                *(in_pixels ? &desc.PS : &desc.VS) = end(&c);
                const int id = good        ? 0
                               : in_pixels ? GRAPHICS_ID(PS_ROOT_SIGNATURE_MISMATCH)
                                           : GRAPHICS_ID(VS_ROOT_SIGNATURE_MISMATCH);
                cr_expect_eq(draw(&f, &desc, id), good ? S_OK : E_INVALIDARG, "%s", cases[i].why);
            }
}

Test(shaders, of_older_models_bind_in_space_0_and_of_stages_without_access_nothing)
{
    const struct used buffer = {U, 0, 5, 5}, texture = {T, 0, 3, 3};
    AT_END(pipeline_end) struct pipelines f = pipeline_begin();
    OWNED ID3D12RootSignature *root = bound(f.device);
    struct container c;
    D3D12_GRAPHICS_PIPELINE_STATE_DESC desc = pipeline_graphics(root);
    begin(&c, KIT_PS, false);
    definitions(&c, &texture, false);
    desc.PS = end(&c);
    EXPECT_HR(draw(&f, &desc, 0), S_OK);
    begin(&c, KIT_HS, true);
    validation(&c, &buffer, 0);
    desc = pipeline_graphics(root);
    desc.PrimitiveTopologyType = D3D12_PRIMITIVE_TOPOLOGY_TYPE_PATCH;
    desc.HS = end(&c);
    desc.DS = (D3D12_SHADER_BYTECODE)KIT_SHADER(DS);
    EXPECT_HR(draw(&f, &desc, GRAPHICS_ID(HS_ROOT_SIGNATURE_MISMATCH)), E_INVALIDARG);
}

/* ---- waves, and two sources ---- */

/* The device has no wave operations, and so no size of waves. */
Test(shaders, need_waves_of_the_devices_size)
{
    AT_END(pipeline_end) struct pipelines f = pipeline_begin();
    for (uint32_t lanes = 0; lanes <= 32; lanes += 32) {
        struct container c;
        ID3D12PipelineState *out = NULL;
        begin(&c, KIT_CS, true);
        validation(&c, NULL, lanes);
        const D3D12_COMPUTE_PIPELINE_STATE_DESC desc = {.pRootSignature = f.signature,
                                                        .CS = end(&c)};
        EXPECT_HR(pipeline_create_compute(f.device, &desc, &out), lanes ? E_INVALIDARG : S_OK);
        if (out)
            ID3D12PipelineState_Release(out);
    }
    cr_assert_eq(kit_messages(f.device), 1);
}

/* "Dual-source color blending": one render target, in slot 0. */
Test(shaders, blend_two_sources_into_one_target)
{
    AT_END(pipeline_end) struct pipelines f = pipeline_begin();
    D3D12_GRAPHICS_PIPELINE_STATE_DESC good = pipeline_graphics(f.signature);
    ID3D12PipelineState *out;
    good.BlendState.RenderTarget[0] =
        (D3D12_RENDER_TARGET_BLEND_DESC){.BlendEnable = TRUE,
                                         .SrcBlend = D3D12_BLEND_SRC1_ALPHA,
                                         .DestBlend = D3D12_BLEND_ZERO,
                                         .BlendOp = D3D12_BLEND_OP_ADD,
                                         .SrcBlendAlpha = D3D12_BLEND_ONE,
                                         .DestBlendAlpha = D3D12_BLEND_ZERO,
                                         .BlendOpAlpha = D3D12_BLEND_OP_ADD};
    EXPECT_HR(draw(&f, &good, 0), S_OK);
    good.NumRenderTargets = 2;
    EXPECT_HR(draw(&f, &good, 0), S_OK);
    REFUSED(GRAPHICS_ID(OM_DUAL_SOURCE_BLENDING_CAN_ONLY_HAVE_RENDER_TARGET_0),
            desc.RTVFormats[1] = DXGI_FORMAT_R8_UNORM);
    good.RTVFormats[1] = DXGI_FORMAT_R8_UNORM;
    good.BlendState.RenderTarget[0].BlendEnable = FALSE;
    EXPECT_HR(draw(&f, &good, 0), S_OK);
}

/* ---- primitives ---- */

/* A geometry shader that reads this primitive, as its code or its validation part says; 0: neither
 * does. */
static D3D12_SHADER_BYTECODE geometry(struct container *c, uint32_t primitive, bool is_dxil)
{
    begin(c, KIT_GS, is_dxil);
    if (is_dxil) {
        const uint32_t from = c->size;
        validation(c, NULL, 0);
        set(c, from + 12, primitive);
        return end(c);
    }
    c->size -= 8; /* the code again, with declarations: comments, thread counts, the primitive */
    put(c, 2u << 16 | 0x50);
    put(c, 7);
    const uint32_t code[] = {53, 3, 0xDEADBEEF, 2u << 24 | 94, 8, 1u << 24 | 93 | primitive << 11};
    for (size_t i = 0; i < sizeof code / sizeof code[0]; i++)
        put(c, code[i]);
    part_end(c, c->parts[0] + 8);
    return end(c);
}

/* "The geometry shader's input primitive ... must match the topology type", of whose primitives
 * some have neighbours; D3D_PRIMITIVE's numbers. */
Test(shaders, of_geometry_read_what_the_topology_type_gives)
{
    static const struct {
        uint32_t primitive;
        D3D12_PRIMITIVE_TOPOLOGY_TYPE type;
    } rows[] = {
        {1, D3D12_PRIMITIVE_TOPOLOGY_TYPE_POINT},    {2, D3D12_PRIMITIVE_TOPOLOGY_TYPE_LINE},
        {3, D3D12_PRIMITIVE_TOPOLOGY_TYPE_TRIANGLE}, {6, D3D12_PRIMITIVE_TOPOLOGY_TYPE_LINE},
        {7, D3D12_PRIMITIVE_TOPOLOGY_TYPE_TRIANGLE}, {8, D3D12_PRIMITIVE_TOPOLOGY_TYPE_PATCH},
        {39, D3D12_PRIMITIVE_TOPOLOGY_TYPE_PATCH}};
    AT_END(pipeline_end) struct pipelines f = pipeline_begin();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (int type = 1; type <= 4; type++)
            for (int is_dxil = 0; is_dxil < 2; is_dxil++) {
                struct container c;
                D3D12_GRAPHICS_PIPELINE_STATE_DESC desc = pipeline_graphics(f.signature);
                const int id =
                    type == (int)rows[i].type ? 0 : GRAPHICS_ID(GS_INPUT_PRIMITIVE_MISMATCH);
                desc.PrimitiveTopologyType = (D3D12_PRIMITIVE_TOPOLOGY_TYPE)type;
                desc.GS = geometry(&c, rows[i].primitive, is_dxil);
                cr_expect_eq(draw(&f, &desc, id), id ? E_INVALIDARG : S_OK, "%u for %d",
                             rows[i].primitive, type);
                if (type != 4)
                    continue;
                desc.HS = (D3D12_SHADER_BYTECODE)KIT_SHADER(HS);
                desc.DS = (D3D12_SHADER_BYTECODE)KIT_SHADER(DS);
                cr_expect_eq(draw(&f, &desc, 0), S_OK, "the tessellator makes them");
            }
}

/* ---- damage ---- */

/* Each number of a container set to numbers that are hard to bear: refused, or taken, without a
 * byte being read that is not there. */
Test(shaders, damage_harms_nobody)
{
    static const uint32_t numbers[] = {0, 1, 8, 0x7FFFFFFF, 0x80000000, 0xFFFFFFF8, UINT32_MAX};
    const struct element a = {"A", 0, 0, FLOATS, 0, 15, 15};
    const struct used used = {T, 0, 1, 1};
    AT_END(pipeline_end) struct pipelines f = pipeline_begin();
    for (int is_dxil = 0; is_dxil < 2; is_dxil++) {
        struct container c;
        begin(&c, KIT_PS, is_dxil);
        signature(&c, is_dxil ? "ISG1" : "ISGN", is_dxil, &a, 1);
        if (is_dxil)
            validation(&c, &used, 0);
        else
            definitions(&c, &used, true);
        const D3D12_SHADER_BYTECODE whole = end(&c);
        for (size_t at = 20; at + 4 <= whole.BytecodeLength; at++)
            for (size_t n = 0; n < sizeof numbers / sizeof numbers[0]; n++) {
                unsigned char *copy = malloc(whole.BytecodeLength);
                D3D12_GRAPHICS_PIPELINE_STATE_DESC desc = pipeline_graphics(f.signature);
                ID3D12PipelineState *state = NULL;
                memcpy(copy, c.bytes, whole.BytecodeLength);
                memcpy(copy + at, &numbers[n], 4);
                desc.PS = (D3D12_SHADER_BYTECODE){copy, whole.BytecodeLength};
                const HRESULT hr = pipeline_create_graphics(f.device, &desc, &state);
                cr_assert(hr == S_OK || hr == E_INVALIDARG);
                if (state)
                    ID3D12PipelineState_Release(state);
                free(copy);
            }
    }
}
