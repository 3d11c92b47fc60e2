/* The smallest failing program that can be reached by leaving out operations and witnesses. */
#include "judge.h"

#include <string.h>

struct search {
    struct program *best;
    const char *folder, *kind;
};

/* Whether the program still fails in the same way; it is the best one then. */
static bool is_enough(struct search *search, const struct program *program)
{
    struct verdict verdict;
    judge_apart(program, search->folder, &verdict);
    if (!verdict_has(&verdict, search->kind))
        return false;
    *search->best = *program;
    return true;
}

static bool leave_out(struct search *search, uint32_t first, uint32_t count)
{
    struct program less = *search->best;
    if (first + count > less.count)
        return false;
    less.count -= count;
    memmove(less.ops + first, less.ops + first + count, (less.count - first) * sizeof *less.ops);
    return is_enough(search, &less);
}

static bool leave_out_operations(struct search *search)
{
    bool is_smaller = false;
    for (uint32_t size = search->best->count / 2; size > 0; size /= 2)
        for (uint32_t first = 0; first + size <= search->best->count;)
            if (leave_out(search, first, size))
                is_smaller = true;
            else
                first += size;
    return is_smaller;
}

/* Operations that say less: less work, fewer lists at once. */
static bool lessen_operations(struct search *search)
{
    bool is_less = false;
    for (uint32_t i = 0; i < search->best->count; i++) {
        struct program less = *search->best;
        struct op *op = &less.ops[i];
        if (op->kind == OP_WORK && op->value > 1) {
            op->value = 1;
            is_less = is_enough(search, &less) || is_less;
        }
        for (uint8_t list = 0; op->kind == OP_EXECUTE && op->b > 1 && list < op->b; list++) {
            const struct op before = *op;
            const uint32_t low = (1u << 4 * list) - 1;
            op->value = (op->value & low) | (op->value >> 4 & ~low);
            op->b--;
            if (is_enough(search, &less))
                is_less = true;
            else
                *op = before;
        }
    }
    return is_less;
}

static bool lessen_witnesses(struct search *search)
{
    bool is_less = false;
    struct program less = *search->best;
    struct witnesses *w = &less.witnesses;
#define WITHOUT(condition, change)                                                                 \
    do {                                                                                           \
        less = *search->best;                                                                      \
        if (condition) {                                                                           \
            change;                                                                                \
            is_less = is_enough(search, &less) || is_less;                                         \
        }                                                                                          \
    } while (0)
    WITHOUT(w->has_times, w->has_times = false);
    WITHOUT(w->resets_in_flight, w->resets_in_flight = false);
    WITHOUT(w->kernel != KERNEL_BUILT_IN, w->kernel = KERNEL_BUILT_IN);
    WITHOUT(w->has_callbacks, w->has_callbacks = false);
    WITHOUT(w->has_threads, w->has_threads = false);
    WITHOUT(w->is_late, w->is_late = false);
    WITHOUT(w->in_flight > 1, w->in_flight = 1);
    WITHOUT(w->budget != 0, w->budget = 0);
    WITHOUT(w->dred != DRED_NONE, w->dred = DRED_NONE);
    WITHOUT(strcmp(w->driver, "reference") != 0, w->driver = "reference");
    WITHOUT(w->hang_place, w->hang_place = w->hang_kind = 0; w->hang_count = 0);
    for (unsigned i = 0; i < QUEUES; i++)
        WITHOUT(less.queue_types[i] != 0, less.queue_types[i] = 0);
    for (unsigned i = 0; i < LISTS; i++)
        WITHOUT(less.list_types[i] != 0, less.list_types[i] = 0);
#undef WITHOUT
    return is_less;
}

void program_shrink(struct program *program, const char *folder, const char *kind)
{
    struct search search = {program, folder, kind};
    bool is_smaller = true;
    while (is_smaller) {
        is_smaller = leave_out_operations(&search);
        is_smaller = lessen_operations(&search) || is_smaller;
        is_smaller = lessen_witnesses(&search) || is_smaller;
    }
}
