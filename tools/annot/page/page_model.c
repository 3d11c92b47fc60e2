/* Texts in the page's form, and the dump's objects by their identity. */
#include "page_model.h"
#include "table.h"

#include <stdlib.h>
#include <string.h>

struct object {
    UT_hash_handle hh;
    uint64_t id;
    uint32_t number; /* the object's index and 1 */
};

uint32_t page_object_of(const struct page *page, uint64_t id)
{
    struct object *object;
    HASH_FIND(hh, page->object_table, &id, sizeof id, object);
    return object ? object->number - 1 : NONE;
}

bool page_index_objects(struct page *page)
{
    annot_reader_object object;
    for (size_t i = 0; annot_reader_object_at(page->reader, i, &object); i++) {
        struct object *entry;
        TABLE_FIND_OR_ADD(page->object_table, id, object.id, entry);
        if (!entry)
            return false;
        if (entry->number == 0)
            entry->number = (uint32_t)i + 1;
    }
    return true;
}

void page_forget_objects(struct page *page)
{
    TABLE_FREE(struct object, page->object_table)
}
