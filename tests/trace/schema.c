/* The table of methods, structures and interfaces that arguments are encoded by [ANN-TRACE-02]. */
#include <capture/trace/schema.h>

#include "asserts.h"

#include <string.h>

TestSuite(schema, .init = schema_init);

Test(schema, every_method_is_found_by_its_digest)
{
    for (int m = 0; m < SCHEMA_METHODS; m++)
        cr_assert_eq(schema_find(schema_methods[m].digest), m, "%s::%s", schema_methods[m].iface,
                     schema_methods[m].name);
    cr_assert_eq(schema_find(0x12345678), -1);
}

/* Pointers among them lead to a structure each. */
static bool is_known_element(const struct schema_value *v)
{
    const uint8_t kind = v->elem;
    return kind < KIND_SCALARS || kind == KIND_S || kind == KIND_O || kind == KIND_W ||
           kind == KIND_A || kind == KIND_C || kind == KIND_H || kind == KIND_K ||
           kind == KIND_SIBLING || (kind == KIND_P && v->type < SCHEMA_ENUM_FIRST);
}

/* A call's parameters say what has to be done for it. */
Test(schema, what_a_call_takes_and_leaves_is_known_from_its_parameters)
{
    const struct {
        int method;
        bool flat, is_plain, leaves_record, takes_objects;
    } rows[] = {
        {METHOD_ID3D12GraphicsCommandList_DrawInstanced, true, true, false, false},
        {METHOD_ID3D12GraphicsCommandList_CopyBufferRegion, true, true, false, false},
        {METHOD_ID3D12GraphicsCommandList_ClearState, true, true, false, false},
        {METHOD_ID3D12GraphicsCommandList_EndEvent, true, true, false, false},
        {METHOD_ID3D12GraphicsCommandList_RSSetViewports, false, false, false, false},
        {METHOD_ID3D12GraphicsCommandList_CopyTextureRegion, false, false, false, true},
        {METHOD_ID3D12GraphicsCommandList_SetDescriptorHeaps, false, false, false, true},
        {METHOD_ID3D12CommandQueue_ExecuteCommandLists, false, false, false, true},
        {METHOD_ID3D12CommandQueue_Signal, true, false, true, false},
        {METHOD_ID3D12Object_SetName, false, false, true, false},
        {METHOD_ID3D12Resource_Unmap, false, false, false, false},
        {METHOD_ID3D12Resource_Map, false, false, true, false},
        {METHOD_ID3D12Resource_GetGPUVirtualAddress, true, false, true, false},
        {METHOD_IUnknown_AddRef, true, false, true, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct schema_method_row *m = &schema_methods[rows[i].method];
        cr_expect_eq(m->flat, rows[i].flat, "%s is flat", m->name);
        cr_expect_eq(m->is_plain, rows[i].is_plain, "%s is plain", m->name);
        cr_expect_eq(m->leaves_record, rows[i].leaves_record, "%s leaves a record", m->name);
        cr_expect_eq(m->behind != 0, rows[i].takes_objects, "%s takes objects", m->name);
    }
}

Test(schema, whatever_pointers_lead_to_has_a_size)
{
    for (int m = 0; m < SCHEMA_METHODS; m++)
        for (uint32_t i = 0; i < schema_methods[m].count; i++) {
            const struct schema_value *p = &schema_params[schema_methods[m].first + i];
            cr_expect(p->kind != KIND_P || p->elem_size > 0, "%s::%s: parameter %u",
                      schema_methods[m].iface, schema_methods[m].name, (unsigned)i);
        }
    for (uint32_t type = 0; type < 64; type++) {
        struct schema_subobject sub;
        cr_expect(!schema_state_subobject(type, &sub) || sub.size > 0, "subobject %u",
                  (unsigned)type);
    }
    for (int s = 0; s < (int)SCHEMA_ENUM_FIRST; s++)
        for (uint32_t i = 0; i < schema_structs[s].count; i++) {
            const struct schema_value *f = &schema_fields[schema_structs[s].first + i];
            cr_expect(f->kind != KIND_P || f->elem_size > 0, "structure %d: member %u", s,
                      (unsigned)i);
        }
}

Test(schema, every_interface_is_found_by_its_iid)
{
    const uint8_t none[16] = {1, 2, 3};
    for (uint16_t i = SCHEMA_INTERFACE_FIRST; i < TYPE_NONE; i++)
        cr_assert_eq(schema_interface_of(schema_interfaces[i - SCHEMA_INTERFACE_FIRST].iid), i);
    cr_assert_eq(schema_interface_of(none), TYPE_NONE);
}

/* Encoding and decoding know these arrays. A newer table may want more. */
Test(schema, elements_are_values_structures_objects_wide_texts_or_structures_elsewhere)
{
    for (int m = 0; m < SCHEMA_METHODS; m++)
        for (uint32_t i = 0; i < schema_methods[m].count; i++) {
            const struct schema_value *p = &schema_params[schema_methods[m].first + i];
            cr_assert(p->kind != KIND_P || is_known_element(p), "%s, %s", schema_methods[m].name,
                      p->name);
        }
    for (int s = 0; s < SCHEMA_ENUM_FIRST; s++)
        for (uint32_t i = 0; i < schema_structs[s].count; i++) {
            const struct schema_value *f = &schema_fields[schema_structs[s].first + i];
            cr_assert(f->kind != KIND_P || is_known_element(f), "%s.%s", schema_structs[s].name,
                      f->name);
        }
}

/* Offsets of the interface pointers in a structure, member by member; as bits of 8 bytes. */
static void find_pointers(uint16_t type, const uint8_t *memory, uint32_t at_offset, uint8_t *found)
{
    const struct schema_struct *s = &schema_structs[type];
    for (uint32_t i = 0; i < s->count; i++) {
        const struct schema_value *f = &schema_fields[s->first + i];
        if (!schema_is_active(s, f, memory + at_offset))
            continue;
        for (uint32_t k = 0; k < f->array; k++) {
            const uint32_t offset = at_offset + f->offset + k * f->elem_size;
            if (f->kind == KIND_O)
                found[offset / 8] = 1;
            else if (f->kind == KIND_S && f->type != type)
                find_pointers(f->type, memory, offset, found);
        }
    }
}

Test(schema, the_places_of_interface_pointers_are_those_of_the_members)
{
    static uint8_t memory[8192], found[1024], listed[1024];
    uint32_t total = 0;
    for (uint16_t type = 0; type < SCHEMA_ENUM_FIRST; type++) {
        const struct schema_struct *s = &schema_structs[type];
        cr_assert(s->size <= sizeof memory);
        for (int32_t selected = -1; selected < 8; selected++) {
            for (uint32_t i = 0; i < s->size / 4; i++)
                memcpy(memory + 4 * (size_t)i, &selected, 4);
            memset(found, 0, sizeof found);
            memset(listed, 0, sizeof listed);
            find_pointers(type, memory, 0, found);
            for (uint32_t i = 0; i < s->place_count; i++) {
                const struct schema_place *place = &schema_places[s->first_place + i];
                if (place->selector == SCHEMA_ALWAYS ||
                    (selected >= place->low && selected <= place->high))
                    listed[place->offset / 8] = 1;
            }
            cr_expect_mem_eq(found, listed, sizeof found, "%s, %d", s->name, (int)selected);
        }
        total += s->place_count;
    }
    cr_expect(total > 40, "%u places", (unsigned)total);
}
