/* Identifiers of a state object's programs and shaders: each process has its own identifiers. Lists
 * name programs by identifiers, and shader tables name shaders. */
#include "state.h"

void program_note(struct replay *r, const void *then, const void *here)
{
    struct program *p;
    struct identifier key;
    if (!then)
        return;
    memcpy(&key, then, sizeof key);
    TABLE_FIND_OR_ADD(r->programs, then, key, p);
    r->lacks_memory |= !p;
    if (p)
        memcpy(&p->here, here, sizeof p->here);
}

static void put_at(const struct replay *r, uint8_t *identifier)
{
    struct program *found = NULL;
    HASH_FIND(hh, r->programs, identifier, sizeof found->then, found);
    if (found)
        memcpy(identifier, &found->here, sizeof found->here);
}

void program_put(const struct replay *r, const struct pending *p)
{
    /* the identifier is the first member, whichever member of the union is used */
    const struct schema_struct *s = &schema_structs[TYPE_D3D12_SET_PROGRAM_DESC];
    if (p->method == METHOD_ID3D12GraphicsCommandList10_SetProgram && p->args[0])
        put_at(r, (uint8_t *)(uintptr_t)p->args[0] + schema_fields[s->first + 1].offset);
}

void program_put_tables(const struct replay *r, uint8_t *memory, uint64_t offset, uint64_t size)
{
    enum { STEP = 32 }; /* D3D12_RAYTRACING_SHADER_RECORD_BYTE_ALIGNMENT */
    uint64_t at = (STEP - offset % STEP) % STEP;
    for (; r->programs && at < size && size - at >= sizeof(struct identifier); at += STEP)
        put_at(r, memory + at);
}
