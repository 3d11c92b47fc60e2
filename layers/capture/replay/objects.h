/* The objects of a replay. Each number in the trace stands for an interface pointer, the pointer's
 * possible interfaces, and the number of references that replay holds. Numbers come from a file, so
 * they are checked: a number may be unknown, or belong to a released object or another interface.
 *
 * All interface pointers of one COM object share its references. An object counts as gone when
 * replay has no reference, even if the runtime keeps it. */
#pragma once

#include "../trace/schema.h"

struct objects;
struct objects *objects_create(void); /* NULL: out of memory */
/* Frees the table of numbers. The objects themselves are not released. */
void objects_destroy(struct objects *all);

/* Notes that the runtime gave replay a reference to `pointer`. False means out of memory. */
bool objects_take(struct objects *all, void *pointer);
/* Does the same as objects_take for an object that the runtime keeps even without references. */
bool objects_take_kept(struct objects *all, void *pointer);

/* Connects the number with `pointer`, which has the interface `type`. False means out of memory. */
bool objects_name(struct objects *all, uint64_t number, void *pointer, uint16_t type);
/* Connects the number with replay's own object, which has IUnknown and never ends. */
bool objects_name_foreign(struct objects *all, uint64_t number, void *pointer);

enum objects_answer { OBJECTS_FINE, OBJECTS_UNKNOWN, OBJECTS_GONE, OBJECTS_OTHER };

/* Finds a pointer that can be called as the interface `type`. OBJECTS_OTHER: the object exists, but
 * only has another interface; then *pointer is set. For other failures *pointer is NULL. */
enum objects_answer objects_find(struct objects *all, uint64_t number, uint16_t type,
                                 void **pointer);

/* Returns a serial that distinguishes the number's object from all earlier objects; 0 means that
 * the object is gone or unknown. */
uint64_t objects_serial(const struct objects *all, uint64_t number);

/* These functions note that a call took a reference to the number's object, or gave a reference
 * back. `left` is the result of Release. */
void objects_add_reference(struct objects *all, uint64_t number);
void objects_release(struct objects *all, uint64_t number, uint32_t left);

/* Notes the object's mapped memory, or the memory that a heap was opened over. The memory lives as
 * long as the object. */
void objects_map(struct objects *all, uint64_t number, void *memory, uint64_t size);
/* Returns `size` bytes of the object's memory at `offset`. NULL: the object is gone, or lacks the
 * bytes. */
uint8_t *objects_bytes(struct objects *all, uint64_t number, uint64_t offset, uint64_t size);

/* Notes that the number's object keeps an interface under a GUID. `pointer` may be NULL. */
bool objects_keep(struct objects *all, uint64_t number, const uint8_t guid[16], void *pointer);
void *objects_kept(const struct objects *all, uint64_t number, const uint8_t guid[16]);

/* Releases all references of replay, beginning with those of the newest object. */
void objects_release_all(struct objects *all);
