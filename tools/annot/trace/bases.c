#include "bases.h"

#include "array.h"

#include <capture/trace/schema.h>

int bases_kind(uint8_t kind)
{
    return kind == KIND_A   ? BASES_ADDRESS
           : kind == KIND_C ? BASES_CPU
           : kind == KIND_H ? BASES_GPU
                            : -1;
}

size_t bases_up_to(const struct bases *bases, uint64_t value)
{
    size_t at;
    ARRAY_COUNT_FIRST(at, bases->count, i, bases->at[i].value <= value);
    return at;
}

bool bases_add(struct bases *bases, uint64_t value, uint64_t object)
{
    const size_t at = bases_up_to(bases, value);
    if (at && bases->at[at - 1].value == value) {
        bases->at[at - 1].object = object;
        return true;
    }
    if (!ARRAY_ROOM(bases->at, bases->count, bases->capacity))
        return false;
    memmove(bases->at + at + 1, bases->at + at, (bases->count - at) * sizeof *bases->at);
    bases->at[at] = (struct base){value, object};
    bases->count++;
    return true;
}
