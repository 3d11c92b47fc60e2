/* Compares a call's result and the memory that it wrote with the record of the call. */
#include "state.h"

static bool same_value(uint8_t kind, uint16_t type, uint32_t size, const uint8_t *a,
                       const uint8_t *b, bool has_failed)
{
    if (kind < KIND_SCALARS)
        return memcmp(a, b, size) == 0;
    if (kind != KIND_S)
        return true; /* addresses and handles may differ; objects have numbers */
    const struct schema_struct *s = &schema_structs[type];
    for (uint32_t i = 0; i < s->count; i++) {
        const struct schema_value *f = &schema_fields[s->first + i];
        if (has_failed && f->dir == DIR_WRITE)
            continue; /* a failed call may not have written */
        for (uint32_t k = 0; k < f->array && schema_is_active(s, f, a); k++) {
            const uint32_t at = f->offset + k * f->elem_size;
            if (!same_value(f->kind, f->type, f->elem_size, a + at, b + at, has_failed))
                return false;
        }
    }
    return true;
}

/* Whether a runtime may return another result at any time. */
static bool is_free(const struct replay *r, const struct pending *p)
{
    const int method = p->method;
    const bool counts = method == METHOD_IUnknown_AddRef || method == METHOD_IUnknown_Release;
    const bool is_of_the_past =
        counts || strncmp(schema_methods[method].iface, "ID3D12InfoQueue", 15) == 0;
    if (p->call < r->trimmed_from || (r->trimmed_from && is_of_the_past))
        return true; /* the earlier calls are not all in the trace */
    const bool is_mode =
        method == METHOD_ID3D12DeviceTools2_GetUserDefinedAnnotationMode ||
        method == METHOD_annot_ID3D12DeviceTools2_v006_GetUserDefinedAnnotationMode;
    if ((counts || is_mode) && HASH_COUNT(r->pendings) > 1)
        return true; /* counts, and a mode that one thread sets while another reads it, depend on
                        the order of threads */

    static const uint16_t free_ones[] = {
        METHOD_ID3D12CommandQueue_GetClockCalibration,
        METHOD_ID3D12Device_GetAdapterLuid,
        METHOD_ID3D12InfoQueue_GetStorageFilter, /* pointers into the same bytes */
        METHOD_ID3D12InfoQueue_GetRetrievalFilter,
        METHOD_ID3D12InfoQueue_GetMessage,    /* the text is behind a pointer into the same bytes */
        METHOD_ID3D12Fence_GetCompletedValue, /* at least the recorded value, which was awaited */
    };
    for (size_t i = 0; i < sizeof free_ones / sizeof free_ones[0]; i++)
        if (free_ones[i] == method)
            return true;
    return false;
}

/* Pairs the values that the call wrote here and in the trace, and compares the comparable ones. */
static bool pair_written(struct replay *r, const struct schema_value *v, uint64_t here,
                         uint64_t then, uint64_t count, bool has_failed)
{
    bool same = true;
    const uint8_t *a = (const uint8_t *)(uintptr_t)then, *b = (const uint8_t *)(uintptr_t)here;
    for (uint64_t i = 0; i < count; i++, a += v->elem_size, b += v->elem_size) {
        uint64_t x = 0, y = 0;
        memcpy(&x, a, v->elem_size < 8 ? v->elem_size : 8);
        memcpy(&y, b, v->elem_size < 8 ? v->elem_size : 8);
        if (v->elem == KIND_K)
            r->lacks_memory |= !map_add_value(r->map, KIND_K, x, y);
        else if (!same_value(v->elem, v->type, v->elem_size, a, b, has_failed))
            same = false;
    }
    return same;
}

/* The words of written objects are numbers: they are read from the record, not decoded into
 * pointers. */
static bool pair_objects(struct replay *r, uint64_t here, const uint64_t *numbers, uint64_t count,
                         uint16_t type)
{
    bool same = true;
    for (uint64_t i = 0; i < count; i++) {
        void *object;
        memcpy(&object, (char *)(uintptr_t)here + 8 * i, sizeof object);
        if (numbers[i] && object && type != TYPE_NONE)
            r->lacks_memory |= !objects_name(r->objects, numbers[i], object, type);
        same &= !numbers[i] == !object;
    }
    return same;
}

static bool compare_args(struct replay *r, struct pending *p, const uint64_t *then,
                         const uint64_t *counts)
{
    const struct schema_method_row *m = &schema_methods[p->method];
    const bool has_failed = schema_has_failed(&schema_methods[p->method], p->result.word);
    bool same = true;
    for (uint32_t i = 0; i < m->count; i++) {
        const struct schema_value shape = codec_shape(m, i, p->args), *v = &shape;
        const uint64_t room = p->counts[i] ? p->counts[i] : 1;
        const uint64_t count = counts[i] < room ? counts[i] : room;
        if (v->kind != KIND_P || !(v->dir & DIR_WRITE) || !then[i] || !p->args[i])
            continue;
        if (has_failed && v->dir == DIR_WRITE && v->elem != KIND_O)
            continue; /* the recorded call may have written nothing: the record has old bytes
                         then */
        if (v->elem == KIND_O)
            same &= pair_objects(r, p->args[i], (const uint64_t *)(uintptr_t)then[i], count,
                                 codec_written_type(m, i, p->args));
        else if (p->method != METHOD_ID3D12Object_GetPrivateData || counts[i] != sizeof(void *))
            same &= pair_written(r, v, p->args[i], then[i], count, has_failed); /* else a pointer */
    }
    return same;
}

static bool compare_result(struct replay *r, struct pending *p, const struct trace_item *item,
                           struct codec_in *in)
{
    const struct schema_method_row *m = &schema_methods[p->method];
    const uint64_t then = word_at(item, 1), here = p->result.word;
    const uint64_t mask = m->result.size < 8 ? (1ull << 8 * m->result.size) - 1 : UINT64_MAX;
    switch (m->result.kind) {
    case KIND_C:
    case KIND_H:
        r->lacks_memory |= !map_add_owned(
            r->map, m->result.kind, then, here, call_heap_span(p->self, NULL),
            (struct map_owner){p->self_number, objects_serial(r->objects, p->self_number)});
        return true;
    case KIND_A:
        r->lacks_memory |= !map_add_range(r->map, KIND_A, then, here, call_resource_size(p->self));
        if (then != here && !r->is_repeated && p->call >= r->trimmed_from) {
            r->outcome->moved++;
            replay_say(r, p->call, p->method,
                       "the GPU address differs from the recorded address: addresses inside "
                       "buffers are wrong");
        }
        return true;
    case KIND_S: {
        const uint8_t *structure = codec_take_struct(in, m->result.type);
        if (structure && m->result.type == TYPE_D3D12_PROGRAM_IDENTIFIER) {
            program_note(r, structure, p->result.structure);
            return true;
        }
        return structure &&
               same_value(KIND_S, m->result.type, 0, structure, p->result.structure, false);
    }
    case KIND_X:
        if (then && here && m->result.type == TYPE_D3D12_PROGRAM_IDENTIFIER && in->at < in->end)
            program_note(r, codec_take_struct(in, m->result.type), (const void *)(uintptr_t)here);
        return !then == !here;
    case KIND_P:
    case KIND_W:
    case KIND_Z:
        return !then == !here;
    default:
        return (then & mask) == (here & mask);
    }
}

bool replay_compare(struct replay *r, struct pending *p, const struct trace_item *item,
                    struct codec_in *in, const uint64_t *then)
{
    bool same = compare_result(r, p, item, in) || is_free(r, p);
    if (schema_has_failed(&schema_methods[p->method], p->result.word) ==
        schema_has_failed(&schema_methods[p->method], word_at(item, 1)))
        same &= compare_args(r, p, then, in->counts) || is_free(r, p);
    return same;
}
