#include "base/alloc.h"

#include "base/compiler.h"

#include <stddef.h>
#include <stdlib.h>

#ifdef _WIN32
#include <malloc.h>
#endif

static void *default_allocate(void *user, size_t size, size_t alignment)
{
    (void)user;
#ifdef _WIN32
    return _aligned_malloc(size, alignment);
#else
    if (alignment <= ANNOT__MAX_ALIGN)
        return malloc(size);
    void *memory = NULL;
    return posix_memalign(&memory, alignment, size) ? NULL : memory;
#endif
}

static void default_release(void *user, void *memory, size_t size)
{
    (void)user;
    (void)size;
#ifdef _WIN32
    _aligned_free(memory);
#else
    free(memory);
#endif
}

bool annot__allocator_complete(annot_allocator *allocator)
{
    if (!allocator->allocate && !allocator->release) {
        allocator->allocate = default_allocate;
        allocator->release = default_release;
    }
    return allocator->allocate && allocator->release;
}
