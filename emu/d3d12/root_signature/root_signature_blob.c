#include "root_signature/root_signature_blob.h"

#include "base/blob.h"
#include "base/dxbc.h"

#define TAG_ROOT       DXBC_TAG('R', 'T', 'S', '0')
#define HEADER_SIZE    24u
#define PARAMETER_SIZE 12u

/* The bytes of these structures are the words of the chunk, in the chunk's order. */
enum { RANGE_WORDS = 6, CONSTANTS_WORDS = 3, DESCRIPTOR_WORDS = 3, SAMPLER_WORDS = 13 };
_Static_assert(sizeof(D3D12_DESCRIPTOR_RANGE1) == 4 * RANGE_WORDS &&
                   sizeof(D3D12_ROOT_CONSTANTS) == 4 * CONSTANTS_WORDS &&
                   sizeof(D3D12_ROOT_DESCRIPTOR1) == 4 * DESCRIPTOR_WORDS &&
                   sizeof(D3D12_STATIC_SAMPLER_DESC) == 4 * SAMPLER_WORDS,
               "all members have 32 bits");

/* ---- reading ---- */

struct reader {
    struct bytes content;
    D3D_ROOT_SIGNATURE_VERSION version;
    D3D12_DESCRIPTOR_RANGE1 *ranges; /* the place for the next table's ranges */
};

static size_t range_size(D3D_ROOT_SIGNATURE_VERSION version)
{
    return version == D3D_ROOT_SIGNATURE_VERSION_1_0 ? 20 : 24;
}

/* `count` words from `offset` on. */
static bool read_words(struct bytes content, size_t offset, void *out, size_t count)
{
    uint32_t word;
    for (size_t i = 0; i < count; i++) {
        if (!bytes_u32(content, offset + i * 4, &word))
            return false;
        memcpy((unsigned char *)out + i * 4, &word, sizeof word);
    }
    return true;
}

static void read_range(struct reader *reader, size_t offset, D3D12_DESCRIPTOR_RANGE1 *out)
{
    read_words(reader->content, offset, out, range_size(reader->version) / 4);
    if (reader->version != D3D_ROOT_SIGNATURE_VERSION_1_0)
        return;
    out->OffsetInDescriptorsFromTableStart = (UINT)out->Flags; /* 1.0 has the offset here */
    out->Flags = root_range_flags_1_0(out->RangeType);
}

/* Finds the table's `*count` ranges. False: a range is outside of the blob. */
static bool find_ranges(const struct reader *reader, size_t body, uint32_t *count, size_t *offset)
{
    uint32_t n[2];
    struct bytes all;
    if (!read_words(reader->content, body, n, 2) || n[0] > ROOT_RANGES_MAX ||
        !bytes_part(reader->content, n[1], n[0] * range_size(reader->version), &all))
        return false;
    *count = n[0];
    *offset = n[1];
    return true;
}

static bool read_table(struct reader *reader, size_t body, D3D12_ROOT_DESCRIPTOR_TABLE1 *out)
{
    uint32_t count;
    size_t offset;
    if (!find_ranges(reader, body, &count, &offset))
        return false;
    *out = (D3D12_ROOT_DESCRIPTOR_TABLE1){count, reader->ranges};
    for (uint32_t i = 0; i < count; i++)
        read_range(reader, offset + i * range_size(reader->version), reader->ranges++);
    return true;
}

static bool read_descriptor(const struct reader *reader, size_t body, D3D12_ROOT_DESCRIPTOR1 *out)
{
    const bool is_1_0 = reader->version == D3D_ROOT_SIGNATURE_VERSION_1_0;
    out->Flags = ROOT_DESCRIPTOR_FLAGS_1_0;
    return read_words(reader->content, body, out, is_1_0 ? 2 : DESCRIPTOR_WORDS);
}

static bool read_parameter(struct reader *reader, size_t offset, D3D12_ROOT_PARAMETER1 *out)
{
    uint32_t n[3];
    if (!read_words(reader->content, offset, n, 3))
        return false;
    out->ParameterType = (D3D12_ROOT_PARAMETER_TYPE)n[0];
    out->ShaderVisibility = (D3D12_SHADER_VISIBILITY)n[1];
    switch (n[0]) {
    case D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE:
        return read_table(reader, n[2], &out->DescriptorTable);
    case D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS:
        return read_words(reader->content, n[2], &out->Constants, CONSTANTS_WORDS);
    case D3D12_ROOT_PARAMETER_TYPE_CBV:
    case D3D12_ROOT_PARAMETER_TYPE_SRV:
    case D3D12_ROOT_PARAMETER_TYPE_UAV:
        return read_descriptor(reader, n[2], &out->Descriptor);
    default:
        return false;
    }
}

/* Returns how many ranges the tables have together. False: the blob is damaged. */
static bool count_ranges(const struct reader *reader, const uint32_t *header, size_t *out)
{
    uint32_t n[3], count;
    size_t offset;
    *out = 0;
    for (uint32_t i = 0; i < header[1]; i++) {
        if (!read_words(reader->content, (size_t)header[2] + (size_t)i * PARAMETER_SIZE, n, 3))
            return false;
        if (n[0] != D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE)
            continue;
        if (!find_ranges(reader, n[2], &count, &offset))
            return false;
        *out += count;
    }
    return true;
}

/* Reads all parts into memory that has room for them. */
static bool read_all(struct reader *reader, const uint32_t *header, size_t ranges,
                     struct root_desc *out)
{
    D3D12_ROOT_PARAMETER1 *parameters = out->memory;
    reader->ranges = (D3D12_DESCRIPTOR_RANGE1 *)(void *)(parameters + header[1]);
    D3D12_STATIC_SAMPLER_DESC *samplers =
        (D3D12_STATIC_SAMPLER_DESC *)(void *)(reader->ranges + ranges);
    for (uint32_t i = 0; i < header[1]; i++)
        if (!read_parameter(reader, (size_t)header[2] + (size_t)i * PARAMETER_SIZE, &parameters[i]))
            return false;
    struct root_sampler *newer = (struct root_sampler *)(void *)(samplers + header[3]);
    out->samplers = newer;
    for (uint32_t i = 0; i < header[3]; i++) {
        const size_t words =
            reader->version == ROOT_VERSION_1_2 ? SAMPLER_WORDS + 1 : SAMPLER_WORDS;
        if (!read_words(reader->content, header[4] + i * words * 4, &newer[i], words))
            return false;
        samplers[i] = newer[i].desc;
    }
    out->desc = (D3D12_ROOT_SIGNATURE_DESC1){header[1], header[1] != 0 ? parameters : NULL,
                                             header[3], header[3] != 0 ? samplers : NULL,
                                             (D3D12_ROOT_SIGNATURE_FLAGS)header[5]};
    return true;
}

bool root_signature_is_in(const void *blob, size_t size)
{
    struct bytes content;
    return dxbc_find((struct bytes){blob, size}, TAG_ROOT, &content) == DXBC_OK;
}

static enum root_read read_content(struct bytes content, struct root_desc *out)
{
    struct reader reader = {.content = content};
    uint32_t header[HEADER_SIZE / 4];
    size_t ranges;
    *out = (struct root_desc){0};
    if (!read_words(reader.content, 0, header, HEADER_SIZE / 4) ||
        header[0] < D3D_ROOT_SIGNATURE_VERSION_1_0 || header[0] > ROOT_VERSION_1_2 ||
        header[1] > root_parameters_max((D3D12_ROOT_SIGNATURE_FLAGS)header[5]) ||
        header[3] > ROOT_SAMPLERS_MAX)
        return ROOT_READ_DAMAGED;
    out->version = reader.version = (D3D_ROOT_SIGNATURE_VERSION)header[0];
    if (!count_ranges(&reader, header, &ranges))
        return ROOT_READ_DAMAGED;
    if (!root_desc_allocate(out, header[1], ranges, header[3]))
        return ROOT_READ_NO_MEMORY;
    if (read_all(&reader, header, ranges, out))
        return ROOT_READ_OK;
    root_desc_finish(out);
    return ROOT_READ_DAMAGED;
}

enum root_read root_signature_read(const void *blob, size_t size, struct root_desc *out)
{
    struct bytes content;
    const enum dxbc_result found = dxbc_find((struct bytes){blob, size}, TAG_ROOT, &content);
    *out = (struct root_desc){0};
    if (found != DXBC_OK)
        return found == DXBC_NO_CHUNK ? ROOT_READ_NONE : ROOT_READ_DAMAGED;
    return read_content(content, out);
}

/* ---- writing: a first pass counts the bytes, a second pass fills them ---- */

static void put_table(struct byte_writer *writer, const D3D12_ROOT_DESCRIPTOR_TABLE1 *table,
                      bool is_1_0)
{
    PUT_U32(writer, table->NumDescriptorRanges, (uint32_t)(writer->size + 8 - DXBC_CONTENT_AT));
    for (UINT i = 0; i < table->NumDescriptorRanges; i++) {
        const D3D12_DESCRIPTOR_RANGE1 *range = &table->pDescriptorRanges[i];
        put_words(writer, range, RANGE_WORDS - 2);
        if (!is_1_0)
            put_u32(writer, (uint32_t)range->Flags);
        put_u32(writer, range->OffsetInDescriptorsFromTableStart);
    }
}

static void put_body(struct byte_writer *writer, const D3D12_ROOT_PARAMETER1 *parameter,
                     bool is_1_0)
{
    if (parameter->ParameterType == D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE)
        put_table(writer, &parameter->DescriptorTable, is_1_0);
    else if (parameter->ParameterType == D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS)
        put_words(writer, &parameter->Constants, CONSTANTS_WORDS);
    else
        put_words(writer, &parameter->Descriptor, is_1_0 ? 2 : DESCRIPTOR_WORDS);
}

static void put_parameters(struct byte_writer *writer, const struct root_desc *root)
{
    const size_t first = writer->size;
    const D3D12_ROOT_PARAMETER1 *parameters = root->desc.pParameters;
    for (UINT i = 0; i < root->desc.NumParameters; i++)
        PUT_U32(writer, (uint32_t)parameters[i].ParameterType,
                (uint32_t)parameters[i].ShaderVisibility, 0);
    for (UINT i = 0; i < root->desc.NumParameters; i++) {
        patch_u32(writer, first + (size_t)i * PARAMETER_SIZE + 8, writer->size - DXBC_CONTENT_AT);
        put_body(writer, &parameters[i], root->version == D3D_ROOT_SIGNATURE_VERSION_1_0);
    }
}

static void put_all(struct byte_writer *writer, const struct root_desc *root)
{
    dxbc_begin(writer, TAG_ROOT);
    PUT_U32(writer, (uint32_t)root->version, root->desc.NumParameters, HEADER_SIZE,
            root->desc.NumStaticSamplers, 0, (uint32_t)root->desc.Flags);
    put_parameters(writer, root);
    patch_u32(writer, DXBC_CONTENT_AT + 16, writer->size - DXBC_CONTENT_AT);
    for (UINT i = 0; i < root->desc.NumStaticSamplers; i++) {
        put_words(writer, &root->desc.pStaticSamplers[i], SAMPLER_WORDS);
        if (root->version == ROOT_VERSION_1_2)
            put_u32(writer, root->samplers[i].flags);
    }
    dxbc_end(writer);
}

HRESULT root_signature_write(const struct root_desc *root, ID3DBlob **out)
{
    struct byte_writer writer = {NULL, 0};
    put_all(&writer, root);
    ID3DBlob *blob = d3d12_blob_create(writer.size);
    if (!blob)
        return E_OUTOFMEMORY;
    writer = (struct byte_writer){blob->lpVtbl->GetBufferPointer(blob), 0};
    put_all(&writer, root);
    *out = blob;
    return S_OK;
}
