/* A program as C: a row of cases.c. */
#include "judge.h"

#include <inttypes.h>
#include <stdio.h>

static void print_bytes(const char *name, const uint8_t *bytes, unsigned count)
{
    while (count > 0 && bytes[count - 1] == 0)
        count--;
    if (count == 0)
        return;
    printf("        .%s = {", name);
    for (unsigned i = 0; i < count; i++)
        printf(i > 0 ? ", %u" : "%u", bytes[i]);
    printf("},\n");
}

static void print_witnesses(const struct witnesses *w)
{
    static const char *const dreds[] = {"DRED_NONE", "DRED_FULL", "DRED_MARKERS_ONLY",
                                        "DRED_SYSTEM"};
    printf("        .witnesses = {.driver = \"%s\"", w->driver);
    if (w->dred != DRED_NONE)
        printf(", .dred = %s", dreds[w->dred]);
    if (w->has_times)
        printf(", .has_times = true");
    if (w->resets_in_flight)
        printf(", .resets_in_flight = true");
    if (w->kernel != KERNEL_BUILT_IN)
        printf(", .kernel = %s", w->kernel == KERNEL_BARE ? "KERNEL_BARE" : "KERNEL_FALSE");
    if (w->has_callbacks)
        printf(", .has_callbacks = true");
    if (w->has_threads)
        printf(", .has_threads = true");
    if (w->in_flight > 1)
        printf(", .in_flight = %u", w->in_flight);
    if (w->is_late)
        printf(", .is_late = true");
    if (w->budget)
        printf(", .budget = %u", w->budget);
    if (w->hang_place)
        printf(", .hang_place = %u, .hang_kind = %u, .hang_count = %u", w->hang_place, w->hang_kind,
               w->hang_count);
    printf("},\n");
}

void program_print(const struct program *program, const char *kind)
{
    printf("        /* %s */\n        {\"seed %" PRIu64 "\",\n        {.seed = %" PRIu64 ",\n",
           kind, program->seed, program->seed);
    print_witnesses(&program->witnesses);
    print_bytes("queue_types", program->queue_types, QUEUES);
    print_bytes("list_types", program->list_types, LISTS);
    printf("        .count = %u,\n        .ops = {\n", program->count);
    for (uint32_t i = 0; i < program->count; i++) {
        const struct op *op = &program->ops[i];
        printf("            {%s, %u, ", op_name(op->kind), op->a);
        if (op->kind == OP_WORK)
            printf("%s", work_name(op->b));
        else
            printf("%u", op->b);
        printf(op->value < 16 ? ", %" PRIu32 "},\n" : ", 0x%" PRIX32 "},\n", op->value);
    }
    printf("        }}},\n");
}
