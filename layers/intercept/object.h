/* The application's view of the runtime's objects: for each interface pointer that the application
 * got, a wrapper with this library's method table. Runtimes compare the method tables of objects,
 * so the tables of the runtime's own objects are never changed. */
#pragma once

#include "../capture/trace/schema.h"
#include "resource.h"

#include <stdatomic.h>

typedef void (*object_slot)(void);

/* Which of an object's notes: each client may note a word, which all interfaces of the object
 * share. 0 means no note. */
enum object_notes { OBJECT_NOTE_RECORDER, OBJECT_NOTE_CRASH, OBJECT_NOTES };

/* More data of a wrapper. Wrappers keep it while they live, and a while after that (OBJECTS_KEPT).
 */
struct object_more {
    _Atomic uintptr_t notes[OBJECT_NOTES]; /* the notes of object_note, which all interfaces of an
                                              object share */
    uint64_t number;                       /* the wrapper's number, which is never used twice */
    uint64_t identity;                     /* a number that all interfaces of one object share */
    uint16_t type; /* type of the wrapper's interface, an enum schema_type */
};

/* A wrapper. Its memory is small and stays for ever. So if a program uses an object that is gone,
 * the runtime can still answer. */
struct object {
    const object_slot *table; /* the first member, as in COM */
    void *real;
    struct object_more *more;
};
enum { OBJECTS_KEPT = 1024 };

/* Whether the object has ended and only the runtime's pointer is left. Its type is IUnknown, its
 * number is 0, it takes no notes, and its calls go only to the runtime. */
static inline bool object_is_forgotten(const struct object *object)
{
    return object->more->number == 0;
}

/* Whether the wrapper's interface is `type`, or derives from it. */
bool object_is(const struct object *object, uint16_t type);
/* Returns a wrapper that can be called as `type`, for the COM object with the runtime's interface
 * `real`; NULL: no such wrapper exists. */
struct object *object_of_identity(void *real, uint16_t type);

/* Call it once, before anything else. `tables` are the method tables of the interfaces. `gone` is
 * called, without a lock, when objects with notes end. */
void object_open(const object_slot *const *tables, void (*gone)(const uintptr_t *notes));

/* Returns the wrapper of a pointer that the runtime returned for the interface `type`. The wrapper
 * takes the reference. TYPE_NONE: the table lacks the interface, and the pointer itself is
 * returned. `is_new`: the call created the object; other calls may return an object that the
 * program had released. Any thread may call it. */
void *object_wrap(void *real, uint16_t type, bool is_new);

/* The first slot of all wrappers' tables, which no other table has. */
extern object_slot object_first_slot;

/* Returns the wrapper at this address; NULL: the pointer is no wrapper. */
static inline struct object *object_at(void *pointer)
{
    struct object *object = pointer;
    return object && object->table && object->table[0] == object_first_slot ? object : NULL;
}

/* Returns the object that a call wrote to the address in its last argument, or NULL. */
static inline struct object *object_written(uint16_t method, const uint64_t *args)
{
    const uint64_t place = args[schema_methods[method].count - 1];
    void *pointer = NULL;
    if (place)
        memcpy(&pointer, (void *)(uintptr_t)place, sizeof pointer);
    return object_at(pointer);
}

/* Returns the runtime's pointer of a wrapper; returns NULL and other pointers unchanged. */
static inline void *object_real(void *pointer)
{
    const struct object *object = object_at(pointer);
    return object ? object->real : pointer;
}

/* Returns the object's number. Pointers that are no wrappers get a number with OBJECT_FOREIGN. */
#define OBJECT_FOREIGN (1ull << 63)
uint64_t object_number(void *pointer);
/* Returns the same number as object_number, for a pointer that may be invalid. */
uint64_t object_number_of_address(void *pointer);
/* Gives this address a new number, because another foreign object now has this address. */
void object_forget_foreign(void *pointer);

/* Returns the wrapper of a runtime's object that the program has or had; otherwise the pointer
 * itself, which may be invalid. */
void *object_known(void *real);

/* Counts a reference of the application. The runtime may keep an object without references, and
 * return it later. */
void object_add_reference(struct object *object);
/* Call these functions before and after the runtime's Release; the object's data stays until then.
 * `is_gone` says that the runtime's object has no reference any more. */
void object_release_reference(struct object *object);
void object_released(struct object *object, bool is_gone);
/* Notes that the runtime's object ended without a Release by the program. All references of the
 * program are gone. */
void object_ended(void *real);
int64_t object_references(const struct object *object);

/* Returns the client's note of the object. If several threads set the note at once, the first note
 * stays, and object_set_note returns the first note to all threads. */
static inline uintptr_t object_note(const struct object *object, enum object_notes whose)
{
    return atomic_load_explicit(&object->more->notes[whose], memory_order_acquire);
}
uintptr_t object_set_note(const struct object *object, enum object_notes whose, uintptr_t note);
uintptr_t object_take_note(const struct object *object, enum object_notes whose);
