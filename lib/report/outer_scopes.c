/* Scopes of earlier lists that are open around an execution. */
#include "report/report.h"

bool annot__around_init(struct annot__around *around, const annot_reader *reader)
{
    *around = (struct annot__around){.reader = reader, .capacity = reader->crossing_count};
    around->crossings =
        annot__report_allocate(reader, around->capacity * sizeof *around->crossings);
    return around->crossings || around->capacity == 0;
}

void annot__around_finish(struct annot__around *around)
{
    annot__report_release(around->reader, around->crossings,
                          around->capacity * sizeof *around->crossings);
}

void annot__around_leave(struct annot__around *around, uint32_t execution)
{
    const struct annot__crossing *crossings = around->reader->crossings;
    while (around->count > 0 && crossings[around->crossings[around->count - 1]].closer <= execution)
        around->depth -= crossings[around->crossings[--around->count]].count;
    while (around->next < around->reader->crossing_count &&
           crossings[around->next].opener <= execution) {
        around->depth += crossings[around->next].count;
        around->crossings[around->count++] = around->next++;
    }
}
