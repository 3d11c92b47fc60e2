/* Hashes and reads payloads that are not copied [ANN-LIFE-08]. A marker keeps the payload's address
 * and hash. The dump writer reads the payload through the operating system, because the application
 * may have unmapped it, and compares the hash.
 *
 * The hash runs over pieces from the last to the first, and each piece is seeded with the hash so
 * far. So the reader's only buffer finally has the payload's beginning, which a dump keeps of a
 * long payload. */
#include "record/record.h"

#define XXH_INLINE_ALL
#define XXH_NO_STREAM
#include <xxhash.h>

static uint32_t last_piece(uint32_t size)
{
    return (size - 1) / ANNOT__REFERENCE_PIECE * ANNOT__REFERENCE_PIECE;
}

static uint32_t piece_size(const struct annot__reference *reference, uint32_t offset)
{
    uint32_t left = reference->size - offset;
    return left < ANNOT__REFERENCE_PIECE ? left : ANNOT__REFERENCE_PIECE;
}

struct annot__reference annot__reference_make(const void *data, uint32_t size)
{
    struct annot__reference reference = {.data = data, .size = size};
    for (uint32_t offset = last_piece(size);; offset -= ANNOT__REFERENCE_PIECE) {
        reference.hash = XXH3_64bits_withSeed((const char *)data + offset,
                                              piece_size(&reference, offset), reference.hash);
        if (offset == 0)
            return reference;
    }
}

enum annot__reference_state annot__reference_read(const struct annot__reference *reference,
                                                  void *first)
{
    uint64_t hash = 0;
    bool is_whole = true;
    for (uint32_t offset = last_piece(reference->size);; offset -= ANNOT__REFERENCE_PIECE) {
        uint32_t size = piece_size(reference, offset);
        bool is_read = annot__memory_read(first, (const char *)reference->data + offset, size);
        if (!is_read && offset == 0)
            return ANNOT__REFERENCE_UNREADABLE;
        is_whole &= is_read;
        if (is_whole)
            hash = XXH3_64bits_withSeed(first, size, hash);
        if (offset == 0)
            break;
    }
    return is_whole && hash == reference->hash ? ANNOT__REFERENCE_SAME : ANNOT__REFERENCE_CHANGED;
}
