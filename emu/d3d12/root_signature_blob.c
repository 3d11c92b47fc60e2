#include "root_signature_blob.h"

#include "blob.h"

#define TAG(a, b, c, d)                                                                            \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
#define TAG_CONTAINER  TAG('D', 'X', 'B', 'C')
#define TAG_ROOT       TAG('R', 'T', 'S', '0')
#define COUNT_MAX      4096u /* of ranges and samplers; more is damage */
#define CONTENT_OFFSET 44u   /* of a container with one chunk */

/* ---- reading ---- */

struct bytes {
    const unsigned char *data;
    size_t size;
};

/* The number at `offset`; false past the end. */
static bool read_u32(struct bytes bytes, size_t offset, uint32_t *out)
{
    if (offset > bytes.size || bytes.size - offset < 4)
        return false;
    const unsigned char *p = bytes.data + offset;
    *out = TAG(p[0], p[1], p[2], p[3]);
    return true;
}

static bool find_content(struct bytes container, struct bytes *content)
{
    uint32_t tag, size, chunks, offset;
    if (!read_u32(container, 0, &tag) || tag != TAG_CONTAINER || !read_u32(container, 24, &size) ||
        size > container.size || !read_u32(container, 28, &chunks))
        return false;
    container.size = size;
    for (uint32_t i = 0; i < chunks && read_u32(container, 32 + (size_t)i * 4, &offset); i++) {
        uint32_t length;
        if (!read_u32(container, offset, &tag) || !read_u32(container, (size_t)offset + 4, &length))
            return false;
        if (tag != TAG_ROOT)
            continue;
        const size_t start = (size_t)offset + 8;
        if (length > container.size - start)
            return false;
        *content = (struct bytes){container.data + start, length};
        return true;
    }
    return false;
}

static bool read_parameter(struct bytes content, size_t offset, struct root_layout *out)
{
    uint32_t type, body, constants = 0;
    if (!read_u32(content, offset, &type) || !read_u32(content, offset + 8, &body) ||
        type > D3D12_ROOT_PARAMETER_TYPE_UAV)
        return false;
    if (type == D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS &&
        (!read_u32(content, (size_t)body + 8, &constants) || constants > ROOT_PARAMETERS_MAX))
        return false;
    out->parameters[out->count].type = (D3D12_ROOT_PARAMETER_TYPE)type;
    out->parameters[out->count].constants = constants;
    out->count++;
    return true;
}

bool root_layout_read(const void *blob, size_t size, struct root_layout *out)
{
    struct bytes content;
    uint32_t version, count, offset;
    memset(out, 0, sizeof *out);
    if (blob == NULL || !find_content((struct bytes){blob, size}, &content) ||
        !read_u32(content, 0, &version) || version < D3D_ROOT_SIGNATURE_VERSION_1_0 ||
        version > D3D_ROOT_SIGNATURE_VERSION_1_1 || !read_u32(content, 4, &count) ||
        !read_u32(content, 8, &offset) || count > ROOT_PARAMETERS_MAX)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!read_parameter(content, (size_t)offset + (size_t)i * 12, out))
            return false;
    uint32_t flags;
    if (!read_u32(content, 20, &flags))
        return false;
    out->flags = (D3D12_ROOT_SIGNATURE_FLAGS)flags;
    return true;
}

/* ---- writing: once to count the words, once to fill them ---- */

struct writer {
    unsigned char *data; /* NULL: count only */
    size_t size;
};

static void put(struct writer *writer, uint32_t value)
{
    if (writer->data != NULL)
        for (int i = 0; i < 4; i++)
            writer->data[writer->size + (size_t)i] = (unsigned char)(value >> 8 * i);
    writer->size += 4;
}

static void put_float(struct writer *writer, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put(writer, bits);
}

/* Fills in a number that was put as 0. */
static void patch(struct writer *writer, size_t at, size_t value)
{
    struct writer there = {writer->data, at};
    put(&there, (uint32_t)value);
}

static void put_table(struct writer *writer, const D3D12_ROOT_DESCRIPTOR_TABLE *table)
{
    put(writer, table->NumDescriptorRanges);
    put(writer, (uint32_t)(writer->size + 4 - CONTENT_OFFSET));
    for (UINT i = 0; i < table->NumDescriptorRanges; i++) {
        const D3D12_DESCRIPTOR_RANGE *range = &table->pDescriptorRanges[i];
        put(writer, (uint32_t)range->RangeType);
        put(writer, range->NumDescriptors);
        put(writer, range->BaseShaderRegister);
        put(writer, range->RegisterSpace);
        put(writer, range->OffsetInDescriptorsFromTableStart);
    }
}

static void put_table1(struct writer *writer, const D3D12_ROOT_DESCRIPTOR_TABLE1 *table)
{
    put(writer, table->NumDescriptorRanges);
    put(writer, (uint32_t)(writer->size + 4 - CONTENT_OFFSET));
    for (UINT i = 0; i < table->NumDescriptorRanges; i++) {
        const D3D12_DESCRIPTOR_RANGE1 *range = &table->pDescriptorRanges[i];
        put(writer, (uint32_t)range->RangeType);
        put(writer, range->NumDescriptors);
        put(writer, range->BaseShaderRegister);
        put(writer, range->RegisterSpace);
        put(writer, (uint32_t)range->Flags);
        put(writer, range->OffsetInDescriptorsFromTableStart);
    }
}

static void put_constants(struct writer *writer, const D3D12_ROOT_CONSTANTS *constants)
{
    put(writer, constants->ShaderRegister);
    put(writer, constants->RegisterSpace);
    put(writer, constants->Num32BitValues);
}

static void put_body(struct writer *writer, const D3D12_ROOT_PARAMETER *parameter)
{
    if (parameter->ParameterType == D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE) {
        put_table(writer, &parameter->DescriptorTable);
    } else if (parameter->ParameterType == D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS) {
        put_constants(writer, &parameter->Constants);
    } else {
        put(writer, parameter->Descriptor.ShaderRegister);
        put(writer, parameter->Descriptor.RegisterSpace);
    }
}

static void put_body1(struct writer *writer, const D3D12_ROOT_PARAMETER1 *parameter)
{
    if (parameter->ParameterType == D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE) {
        put_table1(writer, &parameter->DescriptorTable);
    } else if (parameter->ParameterType == D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS) {
        put_constants(writer, &parameter->Constants);
    } else {
        put(writer, parameter->Descriptor.ShaderRegister);
        put(writer, parameter->Descriptor.RegisterSpace);
        put(writer, (uint32_t)parameter->Descriptor.Flags);
    }
}

static void put_parameters(struct writer *writer, const D3D12_VERSIONED_ROOT_SIGNATURE_DESC *desc,
                           UINT count)
{
    const bool is_1_0 = desc->Version == D3D_ROOT_SIGNATURE_VERSION_1_0;
    const size_t first = writer->size;
    for (UINT i = 0; i < count; i++) {
        put(writer, (uint32_t)(is_1_0 ? desc->Desc_1_0.pParameters[i].ParameterType
                                      : desc->Desc_1_1.pParameters[i].ParameterType));
        put(writer, (uint32_t)(is_1_0 ? desc->Desc_1_0.pParameters[i].ShaderVisibility
                                      : desc->Desc_1_1.pParameters[i].ShaderVisibility));
        put(writer, 0);
    }
    for (UINT i = 0; i < count; i++) {
        patch(writer, first + (size_t)i * 12 + 8, writer->size - CONTENT_OFFSET);
        if (is_1_0)
            put_body(writer, &desc->Desc_1_0.pParameters[i]);
        else
            put_body1(writer, &desc->Desc_1_1.pParameters[i]);
    }
}

static void put_sampler(struct writer *writer, const D3D12_STATIC_SAMPLER_DESC *sampler)
{
    put(writer, (uint32_t)sampler->Filter);
    put(writer, (uint32_t)sampler->AddressU);
    put(writer, (uint32_t)sampler->AddressV);
    put(writer, (uint32_t)sampler->AddressW);
    put_float(writer, sampler->MipLODBias);
    put(writer, sampler->MaxAnisotropy);
    put(writer, (uint32_t)sampler->ComparisonFunc);
    put(writer, (uint32_t)sampler->BorderColor);
    put_float(writer, sampler->MinLOD);
    put_float(writer, sampler->MaxLOD);
    put(writer, sampler->ShaderRegister);
    put(writer, sampler->RegisterSpace);
    put(writer, (uint32_t)sampler->ShaderVisibility);
}

/* Desc_1_0 and Desc_1_1 differ in their parameters only; the rest is read through either. */
static void put_container(struct writer *writer, const D3D12_VERSIONED_ROOT_SIGNATURE_DESC *desc)
{
    const D3D12_ROOT_SIGNATURE_DESC1 *common = &desc->Desc_1_1;
    put(writer, TAG_CONTAINER);
    for (int i = 0; i < 4; i++)
        put(writer, 0); /* checksum */
    put(writer, 1);
    put(writer, 0);
    put(writer, 1);
    put(writer, CONTENT_OFFSET - 8);
    put(writer, TAG_ROOT);
    put(writer, 0);
    put(writer, (uint32_t)desc->Version);
    put(writer, common->NumParameters);
    put(writer, 24);
    put(writer, common->NumStaticSamplers);
    put(writer, 0);
    put(writer, (uint32_t)common->Flags);
    put_parameters(writer, desc, common->NumParameters);
    patch(writer, CONTENT_OFFSET + 16, writer->size - CONTENT_OFFSET);
    for (UINT i = 0; i < common->NumStaticSamplers; i++)
        put_sampler(writer, &common->pStaticSamplers[i]);
    patch(writer, 24, writer->size);
    patch(writer, CONTENT_OFFSET - 4, writer->size - CONTENT_OFFSET);
}

static bool is_valid_parameter(D3D12_ROOT_PARAMETER_TYPE type, UINT ranges, bool has_ranges,
                               UINT constants)
{
    switch (type) {
    case D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE:
        return ranges == 0 || (has_ranges && ranges <= COUNT_MAX);
    case D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS:
        return constants <= ROOT_PARAMETERS_MAX;
    case D3D12_ROOT_PARAMETER_TYPE_CBV:
    case D3D12_ROOT_PARAMETER_TYPE_SRV:
    case D3D12_ROOT_PARAMETER_TYPE_UAV:
        return true;
    default:
        return false;
    }
}

static bool is_valid_1_0(const D3D12_ROOT_PARAMETER *p)
{
    const bool table = p->ParameterType == D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE;
    return is_valid_parameter(p->ParameterType, table ? p->DescriptorTable.NumDescriptorRanges : 0,
                              table && p->DescriptorTable.pDescriptorRanges != NULL,
                              table ? 0 : p->Constants.Num32BitValues);
}

static bool is_valid_1_1(const D3D12_ROOT_PARAMETER1 *p)
{
    const bool table = p->ParameterType == D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE;
    return is_valid_parameter(p->ParameterType, table ? p->DescriptorTable.NumDescriptorRanges : 0,
                              table && p->DescriptorTable.pDescriptorRanges != NULL,
                              table ? 0 : p->Constants.Num32BitValues);
}

static bool is_valid(const D3D12_VERSIONED_ROOT_SIGNATURE_DESC *desc)
{
    if (desc == NULL || (desc->Version != D3D_ROOT_SIGNATURE_VERSION_1_0 &&
                         desc->Version != D3D_ROOT_SIGNATURE_VERSION_1_1))
        return false;
    const D3D12_ROOT_SIGNATURE_DESC1 *common = &desc->Desc_1_1;
    if (common->NumParameters > ROOT_PARAMETERS_MAX || common->NumStaticSamplers > COUNT_MAX ||
        (common->NumParameters != 0 && common->pParameters == NULL) ||
        (common->NumStaticSamplers != 0 && common->pStaticSamplers == NULL))
        return false;
    for (UINT i = 0; i < common->NumParameters; i++)
        if (desc->Version == D3D_ROOT_SIGNATURE_VERSION_1_0
                ? !is_valid_1_0(&desc->Desc_1_0.pParameters[i])
                : !is_valid_1_1(&desc->Desc_1_1.pParameters[i]))
            return false;
    return true;
}

_Static_assert(offsetof(D3D12_ROOT_SIGNATURE_DESC, Flags) ==
                   offsetof(D3D12_ROOT_SIGNATURE_DESC1, Flags),
               "both descriptions have the same shape");

HRESULT root_signature_write(const D3D12_VERSIONED_ROOT_SIGNATURE_DESC *desc, ID3DBlob **out)
{
    if (!is_valid(desc))
        return E_INVALIDARG;
    struct writer writer = {NULL, 0};
    put_container(&writer, desc);
    ID3DBlob *blob = d3d12_blob_create(writer.size);
    if (blob == NULL)
        return E_OUTOFMEMORY;
    writer = (struct writer){blob->lpVtbl->GetBufferPointer(blob), 0};
    put_container(&writer, desc);
    *out = blob;
    return S_OK;
}
