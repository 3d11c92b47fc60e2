#include "written.h"

#include "object.h"

#include <stdlib.h>
#include <string.h>

static uint8_t *pointer_at(const uint8_t *place)
{
    uint8_t *pointer;
    memcpy(&pointer, place, sizeof pointer);
    return pointer;
}

/* Replaces the structure behind a member's pointer by a copy. NULL: there is none, or out of
 * memory. */
static uint8_t *copy_behind(const struct schema_value *f, uint8_t *place)
{
    const uint8_t *there = pointer_at(place);
    const uint32_t size = schema_structs[f->type].size;
    uint8_t *copy = there ? malloc(size) : NULL;
    if (!copy)
        return NULL;
    memcpy(copy, there, size);
    memcpy(place, &copy, sizeof copy);
    return copy;
}

/* Replaces the objects in the structure, which has no union (tests/intercept checks this). Returns
 * a copy of the list's next structure, of type *type. */
static uint8_t *wrap_one(uint16_t *type, uint8_t *memory)
{
    const struct schema_struct *s = &schema_structs[*type];
    uint8_t *next = NULL;
    for (uint32_t i = 0; i < s->count; i++) {
        const struct schema_value *f = &schema_fields[s->first + i];
        uint8_t *place = memory + f->offset;
        if (f->kind == KIND_O) {
            void *object = object_known(pointer_at(place));
            memcpy(place, &object, sizeof object);
        } else if (f->kind == KIND_S) {
            written_wrap(f->type, place);
        } else if (f->kind == KIND_P && f->elem == KIND_S && schema_structs[f->type].has_objects) {
            written_wrap(f->type, copy_behind(f, place));
        } else if (f->kind == KIND_X && f->elem == KIND_S) {
            next = copy_behind(f, place);
            *type = f->type;
        }
    }
    return next;
}

void written_wrap(uint16_t type, uint8_t *memory)
{
    while (memory)
        memory = wrap_one(&type, memory);
}
