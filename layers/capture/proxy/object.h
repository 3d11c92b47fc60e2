/*
 * The application's view of the runtime's objects: a wrapper for each interface pointer that it was
 * given, with a method table of ours. Runtimes compare the method tables of objects that they get,
 * so the tables of their own objects are never changed.
 */
#ifndef CAPTURE_OBJECT_H
#define CAPTURE_OBJECT_H

#include "../trace/schema.h"

#include <stdbool.h>
#include <stdint.h>

typedef void (*object_slot)(void);

struct object {
    const object_slot *table; /* first, where COM has it */
    void *real;
    uint64_t number; /* in the trace; never used twice */
    uint64_t call;   /* that created it, 0: unknown */
    uint16_t type;   /* enum schema_type: the interface whose table it has */
    struct identity *identity;
    struct object *sibling;
};

/* The wrapper of a pointer that the runtime returned for the interface `type` (TYPE_NONE: the table
 * has no such interface; then the pointer itself is returned, once with a message). It takes the
 * reference over. `is_new`: the call created it; others may return an object that the program has
 * no reference of any more. Any thread. */
void *object_wrap(void *real, uint16_t type, bool is_new);

/* The wrapper at this address, NULL when the pointer is not one of ours. */
struct object *object_at(void *pointer);

/* What the runtime knows the pointer as. NULL stays NULL, others' stay what they are. */
void *object_real(void *pointer);

/* Its number in the trace; pointers that are not ours get one too, with OBJECT_FOREIGN in it. */
#define OBJECT_FOREIGN (1ull << 63)
uint64_t object_number(void *pointer);
/* The same for a pointer that may lead nowhere. */
uint64_t object_number_of_address(void *pointer);
/* A new object of others' is at this address: its number is not that of the one before it. */
void object_forget_foreign(void *pointer);

/* The wrapper of one of the runtime's objects that the program has, or had; without one the pointer
 * itself. The pointer may lead nowhere. */
void *object_known(void *real);

/* The application's reference counts. The runtime may keep an object that has none, and return it
 * later. */
void object_add_reference(struct object *object);
void object_release_reference(struct object *object);
/* The runtime's object has no reference any more. */
void object_is_gone(struct object *object);
int64_t object_references(const struct object *object);

/* wrap.c: the method table of an interface, NULL for one without; and whether a table is ours. */
const object_slot *object_table(uint16_t type);
bool object_has_table(const object_slot *table);
/* wrap.c: the real object's IUnknown. */
int32_t object_query(void *real, const uint8_t iid[16], void **out);
uint32_t object_release(void *real);

#endif
