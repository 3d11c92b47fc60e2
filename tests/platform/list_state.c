/* What D3D12 leaves bound behind calls that set a pipeline the layer can't name [ANN-OP-01]. */
#include "asserts.h"

#include "d3d12_rules/list_state.h"

enum { PIPELINE = 7, INDICES = 8, VERTICES = 9 };

/* Everything bound, and then SetProgram, whose program is a number in a state object. */
static struct list_state with_program(void)
{
    struct list_state state;
    list_state_begin(&state, PIPELINE, true);
    list_state_set_indices(&state, INDICES);
    list_state_set_vertices(&state, 1, VERTICES);
    list_state_set_pipeline(&state, 0);
    return state;
}

static uint64_t object_of(const struct list_state *state, annot_bound_role role)
{
    struct list_objects used = {.count = 0};
    list_state_use(state, LIST_WORK_DRAW_INDEXED, &used);
    for (uint32_t i = 0; i < used.count; i++)
        if (used.of[i].role == (uint32_t)role)
            return used.of[i].object;
    return 0;
}

Test(list_state, a_program_takes_the_pipeline_s_place_and_no_other)
{
    const struct list_state state = with_program();
    cr_expect_eq(object_of(&state, ANNOT_BOUND_PIPELINE), 0);
    cr_expect_eq(object_of(&state, ANNOT_BOUND_INDICES), INDICES);
    cr_expect_eq(object_of(&state, ANNOT_BOUND_VERTICES), VERTICES);
}

Test(list_state, a_pipeline_takes_the_program_s_place)
{
    struct list_state state = with_program();
    list_state_set_pipeline(&state, PIPELINE);
    cr_expect_eq(object_of(&state, ANNOT_BOUND_PIPELINE), PIPELINE);
}

Test(list_state, a_bundle_leaves_its_program_to_its_caller)
{
    struct list_state state, bundle;
    list_state_begin(&state, PIPELINE, true);
    list_state_begin(&bundle, 0, false);
    list_state_execute_bundle(&state, &bundle);
    cr_expect_eq(object_of(&state, ANNOT_BOUND_PIPELINE), PIPELINE);
    list_state_set_pipeline(&bundle, 0);
    list_state_execute_bundle(&state, &bundle);
    cr_expect_eq(object_of(&state, ANNOT_BOUND_PIPELINE), 0);
}

/* D3D12: the GPU counts an incrementing constant itself, and reads no bytes of it. */
Test(list_state, each_argument_in_front_of_the_work_moves_the_work_by_its_size)
{
    static const uint32_t sizes[] = {0, 0, 0, 16, 16, 12, 8, 8, 8, 0, 0, 0};
    for (uint32_t type = 0; type < 12; type++) {
        struct list_indirect of = {.offset = 4};
        list_indirect_add(&of, type, 2, 3);
        cr_expect_eq(of.offset, 4 + sizes[type], "type %u", type);
    }
}
