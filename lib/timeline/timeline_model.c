/* Makes the lists of a timeline, which grow. */
#include "timeline/timeline_model.h"

#include <string.h>

void *annot__list_add(struct annot_timeline *timeline, struct annot__list *list, size_t size)
{
    if (list->count == list->capacity) {
        const size_t capacity = list->capacity ? list->capacity * 2 : 64;
        void *items = annot__report_allocate(timeline->reader, capacity * size);
        if (!items) {
            timeline->is_out_of_memory = true;
            return NULL;
        }
        if (list->count)
            memcpy(items, list->items, list->count * size);
        annot__report_release(timeline->reader, list->items, list->capacity * size);
        list->items = items;
        list->capacity = capacity;
    }
    return (char *)list->items + list->count++ * size;
}

void annot__list_release(const struct annot_timeline *timeline, const struct annot__list *list,
                         size_t size)
{
    annot__report_release(timeline->reader, list->items, list->capacity * size);
}

size_t annot__slice_add(struct annot_timeline *timeline, const annot_timeline_slice *slice)
{
    if (timeline->slices.count >= ANNOT_REPORT_NODE_LIMIT) {
        timeline->left_out++;
        return SIZE_MAX;
    }
    annot_timeline_slice *added = annot__list_add(timeline, &timeline->slices, sizeof *added);
    if (!added)
        return SIZE_MAX;
    *added = *slice;
    return timeline->slices.count - 1;
}
