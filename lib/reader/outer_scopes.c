/* Finds the scopes of earlier lists that are open during an execution, and submissions of a
 * queue. */
#include "reader/ask.h"
#include "analysis/states.h"

bool annot__outer_scopes_init(struct annot__outer_scopes *outer, const annot_reader *reader)
{
    *outer = (struct annot__outer_scopes){.reader = reader, .capacity = reader->crossing_count};
    outer->crossings = annot__report_allocate(reader, outer->capacity * sizeof *outer->crossings);
    return outer->crossings || outer->capacity == 0;
}

void annot__outer_scopes_finish(struct annot__outer_scopes *outer)
{
    annot__report_release(outer->reader, outer->crossings,
                          outer->capacity * sizeof *outer->crossings);
}

void annot__outer_scopes_leave(struct annot__outer_scopes *outer, uint32_t execution)
{
    const struct annot__crossing *crossings = outer->reader->crossings;
    while (outer->count > 0 && crossings[outer->crossings[outer->count - 1]].closer <= execution)
        outer->depth -= crossings[outer->crossings[--outer->count]].count;
    while (outer->next < outer->reader->crossing_count &&
           crossings[outer->next].opener <= execution) {
        outer->depth += crossings[outer->next].count;
        outer->crossings[outer->count++] = outer->next++;
    }
}

annot_state annot__outer_scope_state(const annot_reader *reader,
                                     const struct annot__crossing *crossing, uint32_t scope)
{
    return annot__crossing_state(reader, crossing, scope);
}

struct annot__range annot__submissions_among(const annot_reader *reader,
                                             const struct annot__stream *queue, uint32_t first,
                                             uint32_t last, struct annot__tally *tally)
{
    *tally = annot__tally_of(reader, queue, first, last);
    return (struct annot__range){annot__submission_lower(reader, queue, first), tally->all};
}
