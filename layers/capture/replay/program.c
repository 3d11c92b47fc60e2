/* Identifiers of a state object's programs: each process has its own, and lists are set to them. */
#include "state.h"

void program_note(struct replay *r, const struct identifier *then, const struct identifier *here)
{
    struct program *p;
    TABLE_FIND_OR_ADD(r->programs, then, *then, p);
    r->lacks_memory |= !p;
    if (p)
        p->here = *here;
}

void program_put(const struct replay *r, const struct pending *p)
{
    /* whichever member of the union there is, the identifier is in front */
    const struct schema_struct *s = &schema_structs[TYPE_D3D12_SET_PROGRAM_DESC];
    struct program *found = NULL;
    if (p->method != METHOD_ID3D12GraphicsCommandList10_SetProgram || !p->args[0])
        return;
    uint8_t *identifier = (uint8_t *)(uintptr_t)p->args[0] + schema_fields[s->first + 1].offset;
    HASH_FIND(hh, r->programs, identifier, sizeof found->then, found);
    if (found)
        memcpy(identifier, &found->here, sizeof found->here);
}
