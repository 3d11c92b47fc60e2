/* How many elements a pointer has, and the type of untyped bytes in each call. */
#include "codec.h"

#include "codec_bytes.h"

uint64_t codec_count(const struct schema_value *params, const struct schema_value *p,
                     const uint64_t *args)
{
    const struct schema_value *of = p->count_of >= 0 ? &params[p->count_of] : NULL;
    switch (p->count) {
    case COUNT_ONE:
        return 1;
    case COUNT_FIXED:
        return (uint64_t)p->count_of;
    case COUNT_MEMBER:
        return load(&args[p->count_of], of->size) * p->multiplier;
    case COUNT_DEREF:
        return args[p->count_of] ? load((const uint8_t *)pointer(args[p->count_of]) + p->offset,
                                        of->elem == KIND_S ? 4 : of->elem_size) *
                                       p->multiplier
                                 : 0;
    default:
        return 0;
    }
}

uint16_t codec_written_type(const struct schema_method_row *m, uint32_t i, const uint64_t *args)
{
    const struct schema_value *p = &schema_params[m->first + i];
    if (p->type != TYPE_IUnknown || i == 0 || p[-1].elem != KIND_G)
        return p->type;
    return args[i - 1] ? schema_interface_of(pointer(args[i - 1])) : TYPE_NONE;
}

static uint64_t member_at(const struct schema_struct *s, uint32_t member, const void *memory)
{
    const struct schema_value *of = &schema_fields[s->first + member];
    return load((const uint8_t *)memory + of->offset, of->size);
}

static uint64_t claimed_count(const struct schema_struct *s, const struct schema_value *member,
                              const void *memory)
{
    switch (member->count) {
    case COUNT_ONE:
        return 1;
    case COUNT_FIXED:
        return (uint64_t)member->count_of;
    case COUNT_MEMBER:
        return member_at(s, (uint16_t)member->count_of, memory) * member->multiplier;
    case COUNT_PRODUCT: {
        const uint64_t count = member_at(s, (uint16_t)member->count_of, memory),
                       each = member_at(s, member->multiplier, memory);
        return each && count > UINT64_MAX / each ? UINT64_MAX : count * each;
    }
    default:
        return 0;
    }
}

bool codec_member_is_possible(const struct schema_struct *s, const struct schema_value *member,
                              const void *memory)
{
    return claimed_count(s, member, memory) <= BYTES_MAX / member->elem_size;
}

uint64_t codec_member_count(const struct schema_struct *s, const struct schema_value *member,
                            const void *memory)
{
    return codec_member_is_possible(s, member, memory) ? claimed_count(s, member, memory) : 0;
}

bool codec_stream_next(const uint8_t *stream, uint64_t size, uint64_t *at, uint64_t *value,
                       struct schema_subobject *subobject)
{
    *at = (*at + 7) & ~7ull;
    if (*at > size || size - *at < 4 ||
        !schema_pipeline_subobject((uint32_t)load(stream + *at, 4), subobject))
        return false;
    bool is_wide = subobject->kind == KIND_O;
    if (subobject->kind == KIND_S)
        for (uint32_t i = 0; i < schema_structs[subobject->type].count; i++)
            is_wide |= schema_fields[schema_structs[subobject->type].first + i].elem_size == 8;
    *value = *at + (is_wide ? 8 : 4);
    *at = *value + subobject->size;
    return *at <= size;
}

struct schema_value codec_shape_of(const struct schema_method_row *m, uint32_t i,
                                   const uint64_t *args, const uint8_t *data)
{
    struct schema_value p = schema_params[m->first + i];
    const unsigned method = (unsigned)(m - schema_methods);
    uint16_t type =
        i == 1 ? schema_feature(method, (uint32_t)args[0], args[2] & 0xffffffffu) : TYPE_NONE;
    if (data && p.kind == KIND_P && p.type == TYPE_D3D12_UNORDERED_ACCESS_VIEW_DESC &&
        load(data + 4, 4) == 9) /* D3D12_UAV_DIMENSION_BUFFER_BYTE_OFFSET */
        type = TYPE_D3D12_UNORDERED_ACCESS_VIEW_DESC_BYTES;
    if (type != TYPE_NONE) {
        p.elem = KIND_S;
        p.type = type;
        p.elem_size = schema_structs[type].size;
        p.count = COUNT_ONE;
    }
    return p;
}

struct schema_value codec_shape(const struct schema_method_row *m, uint32_t i, const uint64_t *args)
{
    return codec_shape_of(m, i, args,
                          schema_params[m->first + i].kind == KIND_P ? pointer(args[i]) : NULL);
}
