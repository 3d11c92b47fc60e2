#include "dump_read/dump_model.h"
#include "base/search.h"

static bool is_sorted(const struct annot__index *index)
{
    for (uint32_t i = 1; i < index->count; i++)
        if (index->entries[i - 1].key > index->entries[i].key)
            return false;
    return true;
}

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

static uint32_t digit_of(const struct annot__index_entry *entry, unsigned shift)
{
    return (uint32_t)(entry->key >> shift) & (DIGITS - 1);
}

/* Sorts by one digit of the key. Returns false, and moves nothing, if all keys have the same
 * digit. */
static bool radix_pass(const struct annot__index_entry *from, struct annot__index_entry *to,
                       uint32_t count, unsigned shift)
{
    uint32_t starts[DIGITS] = {0}, sum = 0;
    for (uint32_t i = 0; i < count; i++)
        starts[digit_of(&from[i], shift)]++;
    if (starts[digit_of(&from[0], shift)] == count)
        return false;
    for (uint32_t digit = 0; digit < DIGITS; digit++) {
        uint32_t here = starts[digit];
        starts[digit] = sum;
        sum += here;
    }
    for (uint32_t i = 0; i < count; i++)
        to[starts[digit_of(&from[i], shift)]++] = from[i];
    return true;
}

bool annot__index_sort(annot_reader *reader, struct annot__index *index)
{
    if (is_sorted(index))
        return true;
    struct annot__index_entry *scratch =
        annot__reader_allocate(reader, index->count, sizeof *scratch);
    if (!scratch)
        return false;
    struct annot__index_entry *from = index->entries, *to = scratch;
    for (unsigned shift = 0; shift < 64; shift += DIGIT_BITS) {
        if (!radix_pass(from, to, index->count, shift))
            continue;
        struct annot__index_entry *moved = to;
        to = from;
        from = moved;
    }
    if (from != index->entries)
        memcpy(index->entries, from, index->count * sizeof *from);
    annot__reader_release(reader, scratch, index->count, sizeof *scratch);
    return true;
}

void *annot__index_apply(annot_reader *reader, const struct annot__index *index, void *items,
                         uint32_t capacity, size_t size)
{
    char *sorted = annot__reader_allocate(reader, capacity, size);
    if (!sorted)
        return NULL;
    for (uint32_t i = 0; i < index->count; i++)
        memcpy(sorted + i * size, (char *)items + index->entries[i].value * size, size);
    annot__reader_release(reader, items, capacity, size);
    return sorted;
}

uint32_t annot__index_lower(const struct annot__index *index, uint64_t key)
{
    uint32_t low = 0, high = index->count;
    ANNOT__LOWER_BOUND(low, high, i, index->entries[i].key < key)
    return low;
}

uint32_t annot__index_find(const struct annot__index *index, uint64_t key)
{
    const uint32_t low = annot__index_lower(index, key);
    return low < index->count && index->entries[low].key == key ? index->entries[low].value
                                                                : ANNOT__NONE;
}
