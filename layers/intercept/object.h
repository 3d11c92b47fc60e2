/* The objects as the application sees them: for each interface pointer that it got, a wrapper with
 * the layer's method table. Runtimes compare the method tables of objects, so the layer never
 * changes the tables of the runtime's own objects. */
#pragma once

#include "../capture/trace/schema.h"
#include "resource.h"

#include <stdatomic.h>

typedef void (*object_slot)(void);

/* Selects one of an object's notes. Each client may note one word, which all interfaces of the
 * object share. 0 means no note. */
enum object_notes { OBJECT_NOTE_RECORDER, OBJECT_NOTE_CRASH, OBJECT_NOTES };

/* A wrapper's further data, which exists as long as the wrapper lives, and a while longer
 * (OBJECTS_KEPT). */
struct object_more {
    _Atomic uintptr_t notes[OBJECT_NOTES]; /* the notes about the object (object_note), which its
                                              interfaces share */
    uint64_t number;   /* number of the wrapper; no other wrapper ever has this number */
    uint64_t identity; /* number of the COM object; all its interfaces have the same */
    uint16_t type;     /* the interface's type, an enum schema_type */
};

/* A wrapper. Its memory is small, and is never freed. So if a program uses an object that is gone,
 * the runtime can still answer. A new wrapper gets the memory after OBJECTS_FORGOTTEN other objects
 * were forgotten. */
struct object {
    const object_slot *table; /* method table; first member, as COM requires */
    void *real;
    struct object_more *more;
    struct object *next; /* the object that was forgotten next */
};
enum { OBJECTS_KEPT = 1024, OBJECTS_FORGOTTEN = 65536 };

/* Whether the object has ended, so that only the runtime's pointer is left. Such an object has the
 * type IUnknown and the number 0. It takes no notes, and its calls only go to the runtime. */
static inline bool object_is_forgotten(const struct object *object)
{
    return object->more->number == 0;
}

/* Whether the wrapper's interface is `type` or derived from `type`. */
bool object_is(const struct object *object, uint16_t type);
/* Returns a wrapper with the interface `type`, for the COM object that has the runtime's interface
 * `real`. Returns NULL if no such wrapper exists. */
struct object *object_of_identity(void *real, uint16_t type);

/* Call this function once, before anything else. `tables` are the interfaces' method tables. `gone`
 * is called, without a lock, when an object with notes ends. */
void object_open(const object_slot *const *tables, void (*gone)(const uintptr_t *notes));

/* Returns the wrapper of `real`, which the runtime returned for the interface `type`. The wrapper
 * takes the reference. With TYPE_NONE, the table lacks the interface, and the function returns
 * `real` itself. `is_new`: the call created the object; other calls may return an object that the
 * program had released. Any thread may call this function. */
void *object_wrap(void *real, uint16_t type, bool is_new);

/* The first method in all wrappers' tables. No other table begins with this method. */
extern object_slot object_first_slot;

/* Returns the wrapper at this address, or NULL if the pointer is not a wrapper. */
static inline struct object *object_at(void *pointer)
{
    struct object *object = pointer;
    return object && object->table && object->table[0] == object_first_slot ? object : NULL;
}

/* Returns the object that a call stored at the address in its last argument, or NULL. */
static inline struct object *object_written(uint16_t method, const uint64_t *args)
{
    const uint64_t place = args[schema_methods[method].count - 1];
    void *pointer = NULL;
    if (place)
        memcpy(&pointer, (void *)(uintptr_t)place, sizeof pointer);
    return object_at(pointer);
}

/* Returns the runtime's pointer for a wrapper. NULL and other pointers are returned unchanged. */
static inline void *object_real(void *pointer)
{
    const struct object *object = object_at(pointer);
    return object ? object->real : pointer;
}

/* Returns the number of an object. For a pointer without wrapper, the number has OBJECT_FOREIGN. */
#define OBJECT_FOREIGN (1ull << 63)
uint64_t object_number(void *pointer);
/* Returns what object_number returns, for a pointer that may be invalid. */
uint64_t object_number_of_address(void *pointer);
/* Gives this address a new number, because another foreign object has this address now. */
void object_forget_foreign(void *pointer);

/* Returns the wrapper of the runtime's object, if the program has or had this object. Otherwise
 * returns the pointer itself, which may be invalid. */
void *object_known(void *real);

/* Counts a reference of the application. The runtime may keep an object that has no references, and
 * return the object later. */
void object_add_reference(struct object *object);
/* Call object_release_reference before the runtime's Release and object_released after it; until
 * then the object's data stays. `is_gone`: the runtime's object has no reference any more. */
void object_release_reference(struct object *object);
void object_released(struct object *object, bool is_gone);
/* Notes that the runtime's object has ended, but not by a Release of the program. The program has
 * no reference to it any more. */
void object_ended(void *real);
int64_t object_references(const struct object *object);

/* Returns the client's note about the object. If several threads set the note at the same time, the
 * first note stays. object_set_note returns this note to all of them. */
static inline uintptr_t object_note(const struct object *object, enum object_notes whose)
{
    return atomic_load_explicit(&object->more->notes[whose], memory_order_acquire);
}
uintptr_t object_set_note(const struct object *object, enum object_notes whose, uintptr_t note);
uintptr_t object_take_note(const struct object *object, enum object_notes whose);
