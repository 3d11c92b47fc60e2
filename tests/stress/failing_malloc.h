/* An allocator whose n-th allocation fails, in the place of the program's. Behind it is libc's, or
 * AddressSanitizer's, which lets itself be replaced and then looks at every allocation as before.
 * UNSUITED is defined under ThreadSanitizer and where there is another libc. */
#pragma once

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#if defined(__has_feature)
#define HAS_FEATURE(name) __has_feature(name)
#else
#define HAS_FEATURE(name) 0
#endif

#if defined(__SANITIZE_THREAD__) || HAS_FEATURE(thread_sanitizer) || !defined(__GLIBC__)
#define UNSUITED 1
#endif

#ifndef UNSUITED

#if defined(__SANITIZE_ADDRESS__) || HAS_FEATURE(address_sanitizer)
extern size_t __sanitizer_get_current_allocated_bytes(void);
#define BEHIND(function) __interceptor_##function
#define IS_SANITIZED     1
#else
#define BEHIND(function) __libc_##function
#define IS_SANITIZED     0
#endif

extern void *BEHIND(malloc)(size_t size);
extern void *BEHIND(calloc)(size_t count, size_t size);
extern void *BEHIND(realloc)(void *memory, size_t size);
extern void *BEHIND(memalign)(size_t alignment, size_t size);
extern void BEHIND(free)(void *memory);

static atomic_long live;          /* allocations not freed */
static atomic_long countdown = 0; /* the allocation that fails: 1 is the next; 0 or less: none */
static atomic_bool keep_failing;

/* Memory that is not freed: allocations, or bytes where the sanitizer's own functions allocate,
 * too. */
static inline long allocated(void)
{
#if IS_SANITIZED
    return (long)__sanitizer_get_current_allocated_bytes();
#else
    return atomic_load(&live);
#endif
}

static bool fails(void)
{
    if (atomic_load(&countdown) <= 0)
        return false;
    if (atomic_load(&countdown) > 1) {
        atomic_fetch_sub(&countdown, 1);
        return false;
    }
    if (!atomic_load(&keep_failing))
        atomic_store(&countdown, 0);
    errno = ENOMEM;
    return true;
}

static void *counted(void *memory)
{
    if (memory)
        atomic_fetch_add(&live, 1);
    return memory;
}

void *malloc(size_t size)
{
    return fails() ? NULL : counted(BEHIND(malloc)(size));
}

void *calloc(size_t count, size_t size)
{
    return fails() ? NULL : counted(BEHIND(calloc)(count, size));
}

void *realloc(void *memory, size_t size)
{
    if (fails())
        return NULL;
    void *moved = BEHIND(realloc)(memory, size);
    return memory ? moved : counted(moved);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : counted(BEHIND(memalign)(alignment, size));
}

void *memalign(size_t alignment, size_t size);
void *memalign(size_t alignment, size_t size)
{
    return aligned_alloc(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    void *memory = aligned_alloc(alignment, size);
    if (!memory)
        return ENOMEM;
    *out = memory;
    return 0;
}

void free(void *memory)
{
    if (memory)
        atomic_fetch_sub(&live, 1);
    BEHIND(free)(memory);
}

#endif
