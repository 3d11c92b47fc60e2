/* Reads descriptions of shaders from their bytes; include/annot/shader.h has the format of
 * containers. */
#include "base/little.h"
#include "base/sized.h"

#include <annot/shader.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum {
    CONTAINER_MAGIC = 0x43425844, /* "DXBC" */
    CHECKSUM_AT = 4,
    VERSION_AT = 20,
    SIZE_AT = 24,
    COUNT_AT = 28,
    OFFSETS_AT = 32,
    SPIRV_MAGIC = 0x07230203,
    SPIRV_HEADER = 20,
    STAGES = 16
};

/* ---- containers ---- */

bool annot_container_open(const void *data, size_t size, annot_container *out)
{
    const uint8_t *bytes = data;
    if (!bytes || size < OFFSETS_AT || annot__little_u32(bytes) != CONTAINER_MAGIC ||
        annot__little_u32(bytes + VERSION_AT) != 1)
        return false;
    const uint32_t announced = annot__little_u32(bytes + SIZE_AT);
    if (announced > size || announced < OFFSETS_AT)
        return false;
    *out = (annot_container){bytes, announced, annot__little_u32(bytes + COUNT_AT)};
    return true;
}

bool annot_container_part(const annot_container *container, uint32_t index, uint32_t *tag,
                          const uint8_t **content, size_t *content_size)
{
    const size_t size = container->size;
    if (index >= container->part_count || index >= (size - OFFSETS_AT) / 4)
        return false;
    const uint32_t at = annot__little_u32(container->data + OFFSETS_AT + (size_t)index * 4);
    if (at > size || size - at < 8)
        return false;
    const uint32_t length = annot__little_u32(container->data + at + 4);
    if (length > size - at - 8)
        return false;
    *tag = annot__little_u32(container->data + at);
    *content = container->data + at + 8;
    *content_size = length;
    return true;
}

/* ---- shaders ---- */

const char *annot_shader_stage_text(uint32_t stage)
{
    static const char *const texts[STAGES + 1] = {
        "shader",       "ps",     "vs",         "gs",   "hs",       "ds", "cs", "lib", "raygen",
        "intersection", "anyhit", "closesthit", "miss", "callable", "ms", "as", "node"};
    return stage <= STAGES ? texts[stage] : texts[0];
}

/* Reads the first word of code, whose high half is the program's type in both kinds of code. */
static void read_program(annot_shader *shader, annot_shader_form form, const uint8_t *content,
                         size_t size)
{
    if (size < 4 || shader->form != ANNOT_SHADER_FORM_OTHER)
        return;
    const uint32_t type = annot__little_u32(content) >> 16;
    shader->form = (uint32_t)form;
    shader->stage = type < STAGES ? type + 1 : 0;
}

/* Flags, then the hash. */
static void read_hash(annot_shader *shader, const uint8_t *content, size_t size)
{
    if (size < 4 + ANNOT_SHADER_DIGEST_SIZE || (shader->flags & ANNOT_SHADER_HAS_HASH))
        return;
    memcpy(shader->hash, content + 4, ANNOT_SHADER_DIGEST_SIZE);
    shader->flags |= ANNOT_SHADER_HAS_HASH;
    if (annot__little_u32(content) & 1)
        shader->flags |= ANNOT_SHADER_HASH_OF_SOURCE;
}

/* Reads flags and length, 16 bits each, then the name, which may end earlier at a NUL. */
static void read_debug_name(annot_shader *shader, const uint8_t *content, size_t size)
{
    if (size < 4 || shader->debug_name)
        return;
    const size_t length = annot__little_u32(content) >> 16;
    const char *name = (const char *)content + 4;
    if (length > size - 4 || length == 0 || *name == 0)
        return;
    shader->debug_name = name;
    shader->debug_name_size = strnlen(name, length);
}

static void read_part(annot_shader *shader, uint32_t tag, const uint8_t *content, size_t size)
{
    switch (tag) {
    case ANNOT_CONTAINER_TAG('S', 'H', 'D', 'R'):
    case ANNOT_CONTAINER_TAG('S', 'H', 'E', 'X'):
        read_program(shader, ANNOT_SHADER_FORM_DXBC, content, size);
        break;
    case ANNOT_CONTAINER_TAG('D', 'X', 'I', 'L'):
        read_program(shader, ANNOT_SHADER_FORM_DXIL, content, size);
        break;
    case ANNOT_CONTAINER_TAG('H', 'A', 'S', 'H'):
        read_hash(shader, content, size);
        break;
    case ANNOT_CONTAINER_TAG('I', 'L', 'D', 'N'):
        read_debug_name(shader, content, size);
        break;
    default:
        break;
    }
}

static void read_container(annot_shader *shader, const annot_container *container)
{
    static const uint8_t unsigned_digest[ANNOT_SHADER_DIGEST_SIZE];
    const uint8_t *content;
    size_t size;
    uint32_t tag;
    memcpy(shader->digest, container->data + CHECKSUM_AT, ANNOT_SHADER_DIGEST_SIZE);
    for (uint32_t i = 0; annot_container_part(container, i, &tag, &content, &size); i++)
        read_part(shader, tag, content, size);
    if (shader->form != ANNOT_SHADER_FORM_OTHER &&
        memcmp(shader->digest, unsigned_digest, ANNOT_SHADER_DIGEST_SIZE) != 0)
        shader->flags |= ANNOT_SHADER_HAS_DIGEST;
}

static bool is_spirv(const uint8_t *data, size_t size)
{
    return size >= SPIRV_HEADER && size % 4 == 0 && annot__little_u32(data) == SPIRV_MAGIC;
}

bool annot_shader_read_sized(const void *data, size_t size, annot_shader *out, size_t out_size)
{
    annot_shader shader = {0};
    annot_container container;
    const bool is_there = data && size > 0;
    if (is_there)
        shader.xxh3 = XXH3_64bits(data, size);
    if (is_there && is_spirv(data, size))
        shader.form = ANNOT_SHADER_FORM_SPIRV;
    else if (annot_container_open(data, size, &container))
        read_container(&shader, &container);
    annot__give(out, out_size, &shader, sizeof shader);
    return is_there;
}
