#include "pipeline/bytecode.h"

#include "base/dxbc.h"

#include <annot/shader.h>

enum { ELEMENT = 24, RDEF_BINDING = 32, RDEF_BINDING_5_1 = 40, PSV_BINDING = 16, PSV_LEAST = 24 };

/* Whether all records are there. */
static bool has_records(const struct shader_table *table)
{
    struct bytes all;
    const uint64_t size = (uint64_t)table->count * table->stride;
    return size <= table->content.size &&
           bytes_part(table->content, table->first, (size_t)size, &all);
}

static bool read_signature(struct bytes content, uint32_t head, uint32_t tail,
                           struct shader_table *out)
{
    struct shader_table table = {
        .content = content, .first = 8, .stride = head + ELEMENT + tail, .head = head};
    if (!bytes_u32(content, 0, &table.count) || !has_records(&table))
        return false;
    for (uint32_t i = 0; i < table.count; i++)
        if (!shader_element_at(&table, i).name)
            return false;
    if (out->count == 0) /* the first part of each kind counts */
        *out = table;
    return true;
}

static bool read_definitions(struct bytes content, struct shader_code *code)
{
    struct shader_table table = {.content = content};
    uint32_t first, model;
    if (!bytes_u32(content, 8, &table.count) || !bytes_u32(content, 12, &first) ||
        !bytes_u32(content, 16, &model))
        return false;
    table.first = first;
    table.stride = (model & 0xFFFF) == 0x501 ? RDEF_BINDING_5_1 : RDEF_BINDING;
    code->bindings = table;
    return has_records(&table);
}

static bool read_validation(struct bytes content, struct shader_code *code)
{
    struct shader_table table = {.content = content};
    uint32_t size;
    if (!bytes_u32(content, 0, &size) || size < PSV_LEAST ||
        !bytes_u32(content, 4 + 16, &code->least_lanes) ||
        !bytes_u32(content, 4 + 20, &code->most_lanes) ||
        (code->stage == ANNOT_SHADER_STAGE_GEOMETRY && !bytes_u32(content, 4, &code->primitive)) ||
        !bytes_u32(content, 4 + (size_t)size, &table.count))
        return false;
    table.first = 4 + (size_t)size + 8;
    if (table.count == 0)
        return true;
    if (!bytes_u32(content, 4 + (size_t)size + 4, &table.stride) || table.stride < PSV_BINDING)
        return false;
    code->bindings = table;
    return has_records(&table);
}

/* Reads up to the declaration of the primitive, or to the end of the instructions. */
static void read_instructions(struct bytes content, struct shader_code *code)
{
    enum { CUSTOM_DATA = 53, INPUT_PRIMITIVE = 93 };
    uint32_t word, length;
    for (size_t at = 8; bytes_u32(content, at, &word); at += (size_t)length * 4) {
        length = word >> 24 & 0x7F;
        if ((word & 0x7FF) == INPUT_PRIMITIVE)
            code->primitive = word >> 11 & 0x3F;
        if ((word & 0x7FF) == CUSTOM_DATA && !bytes_u32(content, at + 4, &length))
            return;
        if (length == 0 || code->primitive != 0)
            return;
    }
}

static bool read_part(uint32_t tag, struct bytes content, struct shader_code *code)
{
    switch (tag) {
    case DXBC_TAG('S', 'H', 'E', 'X'):
    case DXBC_TAG('S', 'H', 'D', 'R'):
        if (code->stage == ANNOT_SHADER_STAGE_GEOMETRY)
            read_instructions(content, code);
        return true;
    case DXBC_TAG('I', 'S', 'G', 'N'):
        return read_signature(content, 0, 0, &code->inputs);
    case DXBC_TAG('O', 'S', 'G', 'N'):
        return read_signature(content, 0, 0, &code->outputs);
    case DXBC_TAG('O', 'S', 'G', '5'):
        return read_signature(content, 4, 0, &code->outputs);
    case DXBC_TAG('P', 'C', 'S', 'G'):
        return read_signature(content, 0, 0, &code->patch);
    case DXBC_TAG('I', 'S', 'G', '1'):
        return read_signature(content, 4, 4, &code->inputs);
    case DXBC_TAG('O', 'S', 'G', '1'):
        return read_signature(content, 4, 4, &code->outputs);
    case DXBC_TAG('P', 'S', 'G', '1'):
        return read_signature(content, 4, 4, &code->patch);
    case DXBC_TAG('R', 'D', 'E', 'F'):
        return code->is_dxil || read_definitions(content, code);
    case DXBC_TAG('P', 'S', 'V', '0'):
        return !code->is_dxil || read_validation(content, code);
    default:
        return true;
    }
}

bool shader_code_read(const void *data, size_t size, struct shader_code *out)
{
    annot_shader shader;
    annot_container container;
    uint32_t tag;
    *out = (struct shader_code){0};
    if (!dxbc_is_container((struct bytes){data, size}) ||
        !annot_container_open(data, size, &container) || !annot_shader_read(data, size, &shader) ||
        shader.form == ANNOT_SHADER_FORM_OTHER)
        return false;
    out->stage = shader.stage;
    out->is_dxil = shader.form == ANNOT_SHADER_FORM_DXIL;
    for (uint32_t i = 0; i < container.part_count; i++) {
        struct bytes content;
        if (!annot_container_part(&container, i, &tag, &content.data, &content.size) ||
            !read_part(tag, content, out))
            return false;
    }
    return true;
}

static void read_numbers(const struct shader_table *table, uint32_t index, uint32_t *out,
                         size_t count)
{
    const size_t at = table->first + (size_t)index * table->stride + table->head;
    for (size_t i = 0; i < count; i++)
        if (!bytes_u32(table->content, at + i * 4, &out[i]))
            out[i] = 0;
}

struct shader_element shader_element_at(const struct shader_table *signature, uint32_t index)
{
    uint32_t n[6];
    const struct bytes content = signature->content;
    read_numbers(signature, index, n, 6);
    const bool is_named =
        n[0] < content.size && memchr(content.data + n[0], 0, content.size - n[0]);
    return (struct shader_element){is_named ? (const char *)content.data + n[0] : NULL,
                                   n[1],
                                   n[2],
                                   n[3],
                                   n[4],
                                   (unsigned char)n[5],
                                   (unsigned char)(n[5] >> 8)};
}

struct shader_binding shader_binding_at(const struct shader_code *code, uint32_t index)
{
    enum { T = D3D12_DESCRIPTOR_RANGE_TYPE_SRV, U, B, S };
    /* by the compilers' numbers: D3D_SHADER_INPUT_TYPE, and PSVResourceType */
    static const unsigned char definitions[] = {B, T, T, S, U, T, U, T, U, U, U, U, T, U};
    static const unsigned char validations[] = {T, S, B, T, T, T, U, U, U, U};
    uint32_t n[9];
    if (code->is_dxil) {
        read_numbers(&code->bindings, index, n, 4);
        return (struct shader_binding){
            (D3D12_DESCRIPTOR_RANGE_TYPE)(n[0] < sizeof validations ? validations[n[0]] : T), n[1],
            n[2], n[3]};
    }
    read_numbers(&code->bindings, index, n, code->bindings.stride == RDEF_BINDING_5_1 ? 9 : 8);
    const uint32_t space = code->bindings.stride == RDEF_BINDING_5_1 ? n[8] : 0;
    const bool is_bounded = n[6] != 0 && n[6] - 1 <= UINT32_MAX - n[5];
    return (struct shader_binding){
        (D3D12_DESCRIPTOR_RANGE_TYPE)(n[1] < sizeof definitions ? definitions[n[1]] : T), space,
        n[5], is_bounded ? n[5] + n[6] - 1 : UINT32_MAX};
}
