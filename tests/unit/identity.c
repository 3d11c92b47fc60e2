/* The name of a hang, in parts [ANN-RPT-01, ANN-GRP-01]: docs/SIGNATURE.md's rules of version 2. */
#include "hang_dump.h"
#include "unit_kit.h"

#include <annot/fleet.h>

TestSuite(identity, .fini = guarded_expect_nothing_left);

enum { DISPATCH = 6, DRAW = 3 };

static annot_identity identity_of(struct hang hang)
{
    struct dump dump;
    annot_identity identity;
    if (hang.error == 0)
        hang.error = ERROR_HUNG;
    hang_dump_build(&dump, &hang);
    annot_reader *reader = dump_open(&dump, ANNOT_OK);
    cr_assert_eq(annot_reader_identity(reader, &identity), ANNOT_OK);
    annot_reader_close(reader);
    dump_free(&dump);
    return identity;
}

static const struct hang shadows = {.scopes = {"Frame 7", "Shadow pass", "Cascade 2"},
                                    .op = DISPATCH};

/* List "A" is done, which may have opened a scope "B" that the next one closes; list "B" is in that
 * state. */
static annot_identity identity_at_second_list(uint32_t state, bool has_scope)
{
    static const uint64_t lists[] = {1, 2};
    struct dump dump = dump_started(ERROR_HUNG, 0);
    annot_identity identity;
    dump_section(&dump, ANNOT__DUMP_SECTION_OBJECTS);
    dump_object(&dump, QUEUE_OBJECT, 0, "Queue");
    dump_object(&dump, LIST_OBJECT, 0, "A");
    dump_object(&dump, LIST_OBJECT + 1, 0, "B");
    dump_recording(&dump, 1, LIST_OBJECT);
    if (has_scope)
        dump_begin(&dump, "B");
    dump_recording(&dump, 2, LIST_OBJECT + 1);
    if (has_scope)
        dump_set(&dump, "still in it");
    if (has_scope)
        dump_end(&dump);
    dump_queue(&dump, QUEUE_OBJECT, 1, 0);
    dump_submit(&dump, 1, 2, lists);
    dump_row(&dump, QUEUE_OBJECT, 1, 0, 0, FINISHED, 0, 0);
    dump_row(&dump, QUEUE_OBJECT, 1, 1, 0, state, 0, 0);
    annot_reader *reader = dump_open(&dump, ANNOT_OK);
    cr_assert_eq(annot_reader_identity(reader, &identity), ANNOT_OK);
    annot_reader_close(reader);
    dump_free(&dump);
    return identity;
}

/* Bits of the parts that differ. */
static unsigned differences(struct hang hang)
{
    const annot_identity a = identity_of(shadows), b = identity_of(hang);
    unsigned parts = 0;
    for (unsigned i = 0; i < ANNOT_IDENTITY_PARTS; i++)
        parts |= (unsigned)(a.parts[i].hash != b.parts[i].hash) << i;
    cr_expect_eq(parts != 0, strcmp(a.id, b.id) != 0, "%s and %s", a.title, b.title);
    return parts;
}

Test(identity, says_each_part)
{
    const annot_identity identity = identity_of(shadows);
    cr_expect_eq(identity.version, 2);
    cr_expect_eq(identity.quality, ANNOT_SIGNATURE_FULL);
    cr_expect_eq(strlen(identity.id), 19);
    cr_expect_eq(strncmp(identity.id, "v2-", 3), 0);
    cr_expect_str_eq(identity.parts[ANNOT_PART_ERROR].text, "hang");
    cr_expect_str_eq(identity.parts[ANNOT_PART_OPERATION].text, "Dispatch");
    cr_expect_str_eq(identity.parts[ANNOT_PART_PLACE].text, "Frame # / Shadow pass / Cascade #");
    cr_expect_eq(identity.parts[ANNOT_PART_SHADER].hash, 0, "nobody noted a pipeline");
    cr_expect_eq(identity.parts[ANNOT_PART_RESOURCE].hash, 0, "a hang is in no resource");
    cr_expect_str_eq(identity.names, "Frame #\nShadow pass\nCascade #\n");
    cr_expect_str_eq(identity.path, "Frame 7 / Shadow pass / Cascade 2");
}

Test(identity, differs_in_the_part_that_differs)
{
    struct hang hang = shadows;
    cr_expect_eq(differences(hang), 0);
    hang.op = DRAW;
    cr_expect_eq(differences(hang), 1u << ANNOT_PART_OPERATION);
    hang = shadows;
    hang.scopes[1] = "Light pass";
    cr_expect_eq(differences(hang), 1u << ANNOT_PART_PLACE);
    hang = shadows;
    hang.error = 0x88000000;
    cr_expect_eq(differences(hang), 1u << ANNOT_PART_ERROR);
    hang = shadows;
    hang.ids = 1000;
    hang.done_before = 3;
    hang.scopes[0] = "Frame 1234567";
    hang.scopes[2] = "Cascade B";
    cr_expect_eq(differences(hang), 0);
}

Test(identity, erases_loops)
{
    static const struct hang once = {.scopes = {"Group 1", "Node 3"}, .op = DISPATCH};
    static const struct hang twice = {.scopes = {"Group 1", "Node 3", "Group 2", "Node 8"},
                                      .op = DISPATCH};
    static const struct hang apart = {.scopes = {"Group 1", "Node 3", "Group 2"}, .op = DISPATCH};
    cr_expect_str_eq(identity_of(once).id, identity_of(twice).id);
    cr_expect_str_neq(identity_of(once).id, identity_of(apart).id, "half a round is another place");
}

Test(identity, is_weak_where_no_operation_is_named)
{
    struct hang hang = shadows;
    hang.op = 0;
    const annot_identity identity = identity_of(hang);
    cr_expect(annot_signature_is_weak(identity.quality));
    cr_expect_eq(identity.parts[ANNOT_PART_OPERATION].hash, 0);
    cr_expect_eq(identity.parts[ANNOT_PART_PLACE].hash,
                 identity_of(shadows).parts[ANNOT_PART_PLACE].hash);
}

Test(identity, names_whose_memory_a_page_fault_was_in)
{
    struct hang hang = shadows;
    hang.error = ANNOT_DEVICE_ERROR_PAGE_FAULT;
    hang.fault = 0x100040;
    hang.fault_name = "Tile 17";
    const annot_identity alive = identity_of(hang);
    hang.range_flags = ANNOT_RANGE_FREED;
    const annot_identity freed = identity_of(hang);
    hang.fault_name = "Tile 3";
    const annot_identity other = identity_of(hang);
    cr_expect_str_eq(alive.parts[ANNOT_PART_RESOURCE].text, "object: Tile #");
    cr_expect_str_eq(freed.parts[ANNOT_PART_RESOURCE].text, "freed: Tile #");
    cr_expect_str_eq(freed.id, other.id);
    cr_expect_str_neq(freed.id, alive.id);
}

/* Also where they have one name: a list, what stands in front of it, and a scope. */
Test(identity, tells_a_list_from_the_gap_before_it_and_from_a_scope)
{
    const annot_identity inside = identity_at_second_list(STARTED, false),
                         before = identity_at_second_list(NOT_STARTED, false),
                         scope = identity_at_second_list(STARTED, true),
                         gap = identity_at_second_list(NOT_STARTED, true);
    const annot_identity *all[] = {&inside, &before, &scope, &gap};
    cr_expect_str_eq(inside.names, "list B\n");
    cr_expect_str_eq(before.names, "before list B\n");
    cr_expect_str_eq(scope.names, "B\n");
    cr_expect_str_eq(gap.names, "between lists in B\n");
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < i; k++) {
            cr_expect_str_neq(all[i]->id, all[k]->id);
            cr_expect_str_neq(all[i]->title, all[k]->title);
        }
}

/* ---- where nothing is known to be in progress ---- */

enum fence_kind { WAITS, UNKNOWN, GUILTY };

static void identify_fences(enum fence_kind kind, annot_identity *identity)
{
    AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
    for (uint64_t queue = 21; queue <= 22; queue++)
        dump_object(&dump, queue, 19, queue == 21 ? "Graphics" : "Async");
    dump_object(&dump, 100, 22, "Sky list");
    dump_recording(&dump, 1, 100);
    dump_set(&dump, "sky");
    for (uint64_t queue = 21; queue <= 22; queue++) {
        dump_queue(&dump, queue, 1, 0);
        dump_submit(&dump, 1, 1, (uint64_t[]){1});
    }
    dump_row(&dump, 21, 1, 0, 0, NOT_STARTED, 0, 0);
    if (kind == WAITS)
        dump_row(&dump, 22, 1, 0, 0, NOT_STARTED, 0, 0);
    dump_section(&dump, ANNOT__DUMP_SECTION_TDR);
    dump_add(&dump, TDR, .queue = kind == GUILTY ? 21 : 0, .type = 6, .reason = 0x141, .ddi = 2);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    cr_assert_eq(annot_reader_identity(reader, identity), ANNOT_OK);
}

/* A queue that waits is no better than nothing: where another is unknown that one may hang. */
Test(identity, prefers_what_may_have_begun_to_what_waits_and_the_guilty_to_both)
{
    annot_identity waits, unknown, guilty;
    identify_fences(WAITS, &waits);
    identify_fences(UNKNOWN, &unknown);
    identify_fences(GUILTY, &guilty);
    cr_expect_not_null(strstr(waits.title, "waiting"), "%s", waits.title);
    cr_expect_not_null(strstr(unknown.title, "Async / unfinished Sky list"), "%s", unknown.title);
    cr_expect_not_null(strstr(guilty.title, "Graphics / waiting Sky list"), "%s", guilty.title);
    cr_expect_str_neq(waits.id, unknown.id);
}
