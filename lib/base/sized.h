/* Copies public structs with their sizes, because a caller may be older or newer than this
 * library. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Copies the caller's struct of `size` bytes into the library's struct of `known` bytes. Members
 * that the caller lacks don't change. Returns false if the caller is newer, and has set a member
 * that the library lacks. `from` may be NULL. */
static inline bool annot__take(void *to, size_t known, const void *from, size_t size)
{
    if (!from)
        return true;
    for (size_t i = known; i < size; i++)
        if (((const unsigned char *)from)[i] != 0)
            return false;
    memcpy(to, from, size < known ? size : known);
    return true;
}

/* Copies the library's struct into the caller's struct, as far as `size` allows. Members that only
 * the caller knows become 0. `to` may be NULL. Always returns true. */
static inline bool annot__give(void *to, size_t size, const void *from, size_t known)
{
    if (!to)
        return true;
    memcpy(to, from, size < known ? size : known);
    if (size > known)
        memset((char *)to + known, 0, size - known);
    return true;
}

#define ANNOT__TAKE(to, from, size) annot__take(&(to), sizeof(to), (from), (size))
#define ANNOT__GIVE(to, size, from) annot__give((to), (size), &(from), sizeof(from))
/* Makes a struct of this type with these members (`.member = value, ...`), and copies the struct
 * into the caller's struct. */
#define ANNOT__GIVE_NEW(to, size, type, ...)                                                       \
    annot__give((to), (size), &(type){__VA_ARGS__}, sizeof(type))
