/* Copies a call's argument within the process and replaces the program's wrappers by the runtime's
 * objects. */
#include "codec.h"

#include "codec_bytes.h"

static void replace_direct(struct codec_out *out, const struct schema_struct *s, uint8_t *memory)
{
    for (uint32_t i = 0; i < s->count; i++) {
        const struct schema_value *f = &schema_fields[s->first + i];
        for (uint32_t k = 0; k < f->array && schema_is_active(s, f, memory); k++) {
            uint8_t *place = memory + f->offset + k * f->elem_size;
            if (f->kind == KIND_O && load(place, 8))
                store(place, out->object(out->user, pointer(load(place, 8))));
            else if (f->kind == KIND_S)
                replace_direct(out, &schema_structs[f->type], place);
        }
    }
}

static uint64_t copy_shallow(struct codec_out *out, struct codec_in *in,
                             const struct schema_value *p, uint64_t arg)
{
    uint8_t *copy = p->elem == KIND_S && p->count == COUNT_ONE
                        ? codec_arena_take(in->arena, p->elem_size)
                        : NULL;
    in->is_damaged = false;
    if (!copy)
        return 0;
    memcpy(copy, pointer(arg), p->elem_size);
    replace_direct(out, &schema_structs[p->type], copy);
    return (uint64_t)(uintptr_t)copy;
}

uint64_t codec_copy(struct codec_out *out, struct codec_in *in, const struct schema_method_row *m,
                    uint32_t i, const uint64_t *args)
{
    const struct schema_value *params = &schema_params[m->first], *p = &params[i];
    const uint64_t count = codec_count(params, p, args);
    out->bytes.size = 0;
    out->bytes.failed = false;
    if (count > BYTES_MAX / p->elem_size)
        return 0;
    codec_add_data(out, m, i, args, false);
    if (out->bytes.failed)
        return copy_shallow(out, in, p, args[i]);
    in->at = out->bytes.data;
    in->end = in->at + out->bytes.size;
    return codec_take_data(in, p, false, &in->counts[i]);
}
