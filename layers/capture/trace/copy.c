/* Copies a call's argument within the process and replaces the program's wrappers by the runtime's
 * objects. */
#include "codec.h"

#include "codec_bytes.h"

static void replace(uint64_t (*object)(void *user, void *pointer), void *user, uint8_t *place)
{
    const uint64_t there = load(place, 8);
    if (there)
        store(place, object(user, pointer(there)));
}

static void replace_in(uint64_t (*object)(void *user, void *pointer), void *user,
                       const struct schema_struct *s, uint8_t *memory)
{
    const struct schema_place *place = &schema_places[s->first_place];
    for (const struct schema_place *end = place + s->place_count; place < end; place++) {
        int32_t selected;
        if (place->selector != SCHEMA_ALWAYS) {
            memcpy(&selected, memory + place->selector, sizeof selected);
            if (selected < place->low || selected > place->high)
                continue;
        }
        replace(object, user, memory + place->offset);
    }
}

void codec_copy_into(void *to, const struct schema_value *p, uint64_t count, uint64_t arg,
                     uint64_t (*object)(void *user, void *pointer), void *user)
{
    uint8_t *copy = to;
    memcpy(copy, pointer(arg), count * p->elem_size);
    for (uint64_t i = 0; i < count; i++)
        if (p->elem == KIND_O)
            replace(object, user, copy + i * 8);
        else
            replace_in(object, user, &schema_structs[p->type], copy + i * p->elem_size);
}

uint64_t codec_copy_shallow(struct codec_arena *arena, const struct schema_value *p, uint64_t count,
                            uint64_t arg, uint64_t (*object)(void *user, void *pointer), void *user)
{
    if (count > BYTES_MAX / p->elem_size)
        return 0;
    void *copy = codec_arena_take(arena, count * p->elem_size);
    if (copy)
        codec_copy_into(copy, p, count, arg, object, user);
    return (uint64_t)(uintptr_t)copy;
}

uint64_t codec_copy(struct codec_out *out, struct codec_in *in, const struct schema_method_row *m,
                    uint32_t i, const uint64_t *args)
{
    const struct schema_value *params = &schema_params[m->first], *p = &params[i];
    const uint64_t count = codec_count(params, p, args);
    if (codec_is_shallow(p))
        return codec_copy_shallow(in->arena, p, count, args[i], out->object, out->user);
    if (count > BYTES_MAX / p->elem_size)
        return 0;
    out->bytes.size = 0;
    out->bytes.failed = false;
    codec_add_data(out, m, i, args, false);
    in->is_damaged = false;
    if (out->bytes.failed)
        return p->count == COUNT_ONE
                   ? codec_copy_shallow(in->arena, p, 1, args[i], out->object, out->user)
                   : 0;
    in->at = out->bytes.data;
    in->end = in->at + out->bytes.size;
    return codec_take_data(in, p, false, &in->counts[i]);
}
