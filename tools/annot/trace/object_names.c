#include "object_names.h"

#include "table.h"

#include <capture/trace/schema.h>

#include <stdlib.h>
#include <string.h>

struct object_name {
    uint64_t object;
    char name[128];
    UT_hash_handle hh;
};

/* The name is behind its length, in UTF-16. Other characters than ASCII are shown as '?'. */
bool object_names_follow(struct object_names *names, const struct trace_item *item)
{
    uint64_t words[3] = {0}; /* object, whether there is a name, the name's length */
    size_t length = 0;
    if (item->record.kind != RECORD_ENTER || item->method != METHOD_ID3D12Object_SetName ||
        item->size < 2 * sizeof *words)
        return true;
    memcpy(words, item->data, item->size < sizeof words ? item->size : sizeof words);
    struct object_name *n;
    TABLE_FIND_OR_ADD(names->all, object, words[0], n);
    if (!n)
        return false;
    for (; words[1] && length < words[2] && length < sizeof n->name - 1 &&
           sizeof words + 2 * length + 2 <= item->size;
         length++) {
        const uint8_t *unit = item->data + sizeof words + 2 * length;
        n->name[length] = unit[1] || unit[0] >= 0x7f || unit[0] < 0x20 ? '?' : (char)unit[0];
    }
    n->name[length] = '\0';
    return true;
}

const char *object_names_of(void *names, uint64_t object)
{
    const struct object_names *of = names;
    const struct object_name *n;
    HASH_FIND(hh, of->all, &object, sizeof object, n);
    return n && n->name[0] ? n->name : NULL;
}

void object_names_free(struct object_names *names)
{
    TABLE_FREE(struct object_name, names->all)
}
