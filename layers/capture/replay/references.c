/* Counts the references to the runtime's objects that calls give and take. Replay uses an object
 * only while it has a reference. */
#include "state.h"

/* Each interface pointer that a call writes is a reference. An interface that the table lacks can't
 * be called, so the reference stays. */
static void take_written(struct replay *r, const struct pending *p)
{
    const struct schema_method_row *m = &schema_methods[p->method];
    for (uint32_t i = 0; i < m->count; i++) {
        const struct schema_value *v = &schema_params[m->first + i];
        if (v->kind != KIND_P || v->elem != KIND_O || v->dir != DIR_WRITE || !p->args[i] ||
            codec_written_type(m, i, p->args) == TYPE_NONE)
            continue;
        for (uint64_t k = 0; k < p->counts[i]; k++) {
            void *object;
            memcpy(&object, (char *)(uintptr_t)p->args[i] + 8 * k, sizeof object);
            if (object)
                r->lacks_memory |= !objects_take(r->objects, object, false);
        }
    }
}

/* WKPDID_D3DDebugObjectNameW, under which a name is kept. */
static const uint8_t name_guid[16] = {0xd8, 0x5f, 0xca, 0x4c, 0x1f, 0x92, 0xc8, 0x42,
                                      0x85, 0x66, 0x70, 0xca, 0xf2, 0xa9, 0xb7, 0x41};

/* An interface in private data gives a reference to everybody who reads the data. */
static void follow_private_data(struct replay *r, const struct pending *p)
{
    const uint8_t *guid = (const uint8_t *)(uintptr_t)p->args[0];
    void *kept, *read;
    switch (p->method) {
    case METHOD_ID3D12Object_SetName:
        objects_keep(r->objects, p->self_number, name_guid, NULL);
        break;
    case METHOD_ID3D12Object_SetPrivateData:
        objects_keep(r->objects, p->self_number, guid, NULL);
        break;
    case METHOD_ID3D12Object_SetPrivateDataInterface:
        r->lacks_memory |=
            !objects_keep(r->objects, p->self_number, guid, (void *)(uintptr_t)p->args[1]);
        break;
    case METHOD_ID3D12Object_GetPrivateData:
        kept = objects_kept(r->objects, p->self_number, guid);
        if (!kept || !p->args[2] || p->counts[2] < sizeof kept)
            break;
        memcpy(&read, (void *)(uintptr_t)p->args[2], sizeof read);
        if (read == kept)
            r->lacks_memory |= !objects_take(r->objects, kept, true);
        break;
    default:
        break;
    }
}

void replay_count_references(struct replay *r, struct pending *p)
{
    const bool has_failed = schema_has_failed(&schema_methods[p->method], p->result.word);
    if (p->method == METHOD_IUnknown_AddRef)
        objects_add_reference(r->objects, p->self_number);
    else if (p->method == METHOD_IUnknown_Release)
        objects_release(r->objects, p->self_number, (uint32_t)p->result.word);
    else if (!has_failed && schema_methods[p->method].owner == TYPE_ID3D12Object && p->args[0])
        follow_private_data(r, p);
    take_written(r, p);
}
