/* Stand-ins: somebody else's runtime, in front of the emulator, whose path is STAND_IN_REAL. */
#ifndef STAND_IN_H
#define STAND_IN_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

/* Copies the emulator's function `name` into *function; false if there is none. */
static bool find(const char *name, void *function)
{
    const char *path = getenv("STAND_IN_REAL");
    void *library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    void *symbol = library ? dlsym(library, name) : NULL;
    memcpy(function, &symbol, sizeof symbol);
    return symbol;
}

/* Replaces a method in the read-only table of its class. `real` gets the old method, or is NULL. */
static inline void patch(void *slot, const void *function, void *real)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t begin = (uintptr_t)slot / page * page;
    if (mprotect((void *)begin, (uintptr_t)slot + sizeof(void *) - begin, PROT_READ | PROT_WRITE))
        abort();
    if (real)
        memcpy(real, slot, sizeof(void *));
    memcpy(slot, function, sizeof(void *));
}

/* PATCH(&object->lpVtbl->Method, replacement, &real) */
#define PATCH(slot, replacement, real)                                                             \
    do {                                                                                           \
        __typeof__(&(replacement)) function_ = (replacement);                                      \
        patch((void *)(uintptr_t)(slot), &function_, (real));                                      \
    } while (0)

#endif
