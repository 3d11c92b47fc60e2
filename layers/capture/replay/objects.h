/* The objects of a replay. A trace names each interface pointer by a number. The table has a row
 * for each number: the pointer, its possible interfaces, and the count of references that replay
 * holds. A file's number is not trusted: is it known, not released, and of the right interface?
 *
 * All interface pointers of one COM object share its references. An object counts as gone when
 * replay has no reference, even if the runtime keeps it. */
#pragma once

#include "../trace/schema.h"

struct objects;
struct objects *objects_create(void); /* NULL: out of memory */
/* Frees the table of objects, without releasing the objects. */
void objects_destroy(struct objects *all);

/* Notes that replay got a reference to `pointer` from the runtime. `is_kept`: the runtime
 * keeps the object even without references. False means out of memory. */
bool objects_take(struct objects *all, void *pointer, bool is_kept);

/* Gives the object at `pointer`, an interface `type`, this number. False means out of memory. */
bool objects_name(struct objects *all, uint64_t number, void *pointer, uint16_t type);
/* Gives a number to an object that replay itself made: only an IUnknown, which never ends. */
bool objects_name_foreign(struct objects *all, uint64_t number, void *pointer);

enum objects_answer { OBJECTS_FINE, OBJECTS_UNKNOWN, OBJECTS_GONE, OBJECTS_OTHER };

/* Finds a pointer that has the interface `type`. OBJECTS_OTHER: the object exists, but has only
 * another interface; *pointer is then set. For other failures *pointer is NULL. */
enum objects_answer objects_find(struct objects *all, uint64_t number, uint16_t type,
                                 void **pointer);

/* Returns a serial, which no earlier object with this number had. Returns 0 if the object is gone
 * or unknown. */
uint64_t objects_serial(const struct objects *all, uint64_t number);

/* objects_add_reference and objects_release note that a call took or gave back a reference to the
 * number's object. `left` is the result of Release. */
void objects_add_reference(struct objects *all, uint64_t number);
void objects_release(struct objects *all, uint64_t number, uint32_t left);

/* Notes the object's mapped memory, or the memory that a heap was opened over. The memory must live
 * as long as the object. */
void objects_map(struct objects *all, uint64_t number, void *memory, uint64_t size);
/* Returns `size` bytes of the object's memory at `offset`. Returns NULL if the object is gone, or
 * lacks some of the bytes. */
uint8_t *objects_bytes(struct objects *all, uint64_t number, uint64_t offset, uint64_t size);

/* Notes that the number's object keeps an interface for this GUID. `pointer` may be NULL. */
bool objects_keep(struct objects *all, uint64_t number, const uint8_t guid[16], void *pointer);
void *objects_kept(const struct objects *all, uint64_t number, const uint8_t guid[16]);

/* Releases all references that replay holds, the newest object first. */
void objects_release_all(struct objects *all);
