#include "state_object/dxil.h"

enum { ROOM = 4096, FUNCTION = 11, SUBOBJECT = 6 };

struct part {
    unsigned char bytes[ROOM];
    size_t size;
};

static void put(struct part *part, const void *data, size_t size)
{
    cr_assert(size <= ROOM - part->size);
    memcpy(part->bytes + part->size, data, size);
    part->size += size;
}

static void put_number(struct part *part, size_t number)
{
    const unsigned char bytes[4] = {(unsigned char)number, (unsigned char)(number >> 8),
                                    (unsigned char)(number >> 16), (unsigned char)(number >> 24)};
    put(part, bytes, sizeof bytes);
}

struct writer {
    struct part strings, arrays, raw, functions, subobjects;
};

/* Where the text is; 0, where an empty one is, for none. */
static size_t text(struct writer *writer, const char *string)
{
    const size_t at = writer->strings.size;
    if (!string || !*string)
        return 0;
    put(&writer->strings, string, strlen(string) + 1);
    return at;
}

static void put_function(struct writer *writer, const struct dxil_function *function)
{
    const size_t numbers[FUNCTION] = {text(writer, function->mangled),
                                      text(writer, function->name),
                                      UINT32_MAX,
                                      UINT32_MAX,
                                      function->kind,
                                      function->payload,
                                      function->attributes};
    for (size_t i = 0; i < FUNCTION; i++)
        put_number(&writer->functions, numbers[i]);
}

static size_t exports(struct writer *writer, const char *const names[4])
{
    const size_t at = writer->arrays.size / 4;
    size_t count = 0;
    while (count < 4 && names[count])
        count++;
    put_number(&writer->arrays, count);
    for (size_t i = 0; i < count; i++)
        put_number(&writer->arrays, text(writer, names[i]));
    return at;
}

static void put_subobject(struct writer *writer, const struct dxil_subobject *subobject)
{
    size_t numbers[SUBOBJECT] = {subobject->kind, text(writer, subobject->name),
                                 subobject->numbers[0], subobject->numbers[1]};
    if (subobject->kind == D3D12_STATE_SUBOBJECT_TYPE_HIT_GROUP)
        for (size_t i = 0; i < 3; i++)
            numbers[3 + i] = text(writer, subobject->texts[i]);
    if (subobject->kind == D3D12_STATE_SUBOBJECT_TYPE_SUBOBJECT_TO_EXPORTS_ASSOCIATION) {
        numbers[2] = text(writer, subobject->texts[0]);
        numbers[3] = exports(writer, subobject->exports);
    }
    if (subobject->bytes) {
        numbers[2] = writer->raw.size;
        numbers[3] = subobject->size;
        put(&writer->raw, subobject->bytes, subobject->size);
    }
    for (size_t i = 0; i < SUBOBJECT; i++)
        put_number(&writer->subobjects, numbers[i]);
}

static void put_part(struct part *out, size_t type, const struct part *part, size_t columns)
{
    const size_t padding = (4 - part->size % 4) % 4;
    put_number(out, type);
    put_number(out, part->size + padding + (columns ? 8 : 0));
    if (columns) {
        put_number(out, part->size / 4 / columns);
        put_number(out, columns * 4);
    }
    put(out, part->bytes, part->size);
    put(out, "xxx", padding); /* a text that misses its NUL finds no other */
}

static void put_content(struct part *out, const struct writer *writer)
{
    const struct {
        size_t type, columns;
        const struct part *part;
    } parts[] = {{2, 0, &writer->arrays},
                 {5, 0, &writer->raw},
                 {4, FUNCTION, &writer->functions},
                 {6, SUBOBJECT, &writer->subobjects},
                 {1, 0, &writer->strings}};
    const size_t count = sizeof parts / sizeof parts[0];
    size_t at = 8 + count * 4;
    put_number(out, 0x10);
    put_number(out, count);
    for (size_t i = 0; i < count; i++) {
        put_number(out, at);
        at += (parts[i].columns ? 16u : 8u) + (parts[i].part->size + 3) / 4 * 4;
    }
    for (size_t i = 0; i < count; i++)
        put_part(out, parts[i].type, parts[i].part, parts[i].columns);
}

D3D12_SHADER_BYTECODE dxil_library(const struct dxil_contents *contents)
{
    static const unsigned char unsigned_hash[16];
    AT_END(at_end_free) struct writer *writer = calloc(1, sizeof *writer);
    struct part *content = calloc(1, sizeof *content), *out = calloc(1, sizeof *out);
    cr_assert(writer && content && out);
    put(&writer->strings, "", 1);
    for (size_t i = 0; i < contents->function_count; i++)
        put_function(writer, &contents->functions[i]);
    for (size_t i = 0; i < contents->subobject_count; i++)
        put_subobject(writer, &contents->subobjects[i]);
    put_content(content, writer);
    put(out, "DXBC", 4);
    put(out, unsigned_hash, sizeof unsigned_hash);
    put_number(out, 1);
    put_number(out, 60 + content->size);
    put_number(out, 2);
    put_number(out, 52);
    put_number(out, 40);
    put(out, "EMUK", 4);
    put_number(out, 4);
    put_number(out, contents->kernel);
    put(out, "RDAT", 4);
    put_number(out, content->size);
    put(out, content->bytes, content->size);
    const D3D12_SHADER_BYTECODE library = {malloc(out->size), out->size};
    cr_assert(library.pShaderBytecode);
    memcpy((void *)(uintptr_t)library.pShaderBytecode, out->bytes, out->size);
    free(out);
    free(content);
    return library;
}

void dxil_free(D3D12_SHADER_BYTECODE *library)
{
    free((void *)(uintptr_t)library->pShaderBytecode);
    *library = (D3D12_SHADER_BYTECODE){0};
}
