/*
 * The objects of a replay: which interface pointer a number of the trace stands for, what it can be
 * called as, and how many references replay has. Numbers come from a file: one that names nothing,
 * an object that is gone, or another interface than is meant, is told from one that can be used.
 *
 * All interface pointers of one COM object share its references. An object is gone when replay has
 * none: what else keeps it is the runtime's own affair.
 */
#pragma once

#include "../trace/schema.h"

struct objects;
struct objects *objects_create(void); /* NULL: out of memory */
/* Nothing is released. */
void objects_destroy(struct objects *all);

/* The runtime gave a reference to replay. False: out of memory. */
bool objects_take(struct objects *all, void *pointer);
/* The same, of an object that the runtime was known to keep, whether replay had references or not.
 */
bool objects_take_kept(struct objects *all, void *pointer);

/* The number is this pointer from here on, which can be called as `type`, an interface, if its
 * object has been taken. False: out of memory. */
bool objects_name(struct objects *all, uint64_t number, void *pointer, uint16_t type);
/* An object of replay's own, for good, that has IUnknown. */
bool objects_name_foreign(struct objects *all, uint64_t number, void *pointer);

enum objects_answer { OBJECTS_FINE, OBJECTS_UNKNOWN, OBJECTS_GONE, OBJECTS_OTHER };

/* *pointer is what can be called as `type`. OBJECTS_OTHER: it is there, and has another interface.
 * NULL, unless one of both. */
enum objects_answer objects_find(struct objects *all, uint64_t number, uint16_t type,
                                 void **pointer);

/* Tells the object of a number from all others that there have been; 0: it is gone, or unknown. */
uint64_t objects_serial(const struct objects *all, uint64_t number);

/* A call took a reference to the object of `number`, or gave one back. `left`: what Release
 * returned. */
void objects_add_reference(struct objects *all, uint64_t number);
void objects_release(struct objects *all, uint64_t number, uint32_t left);

/* Mapped memory, or a heap's over the program's, which is there as long as the object. */
void objects_map(struct objects *all, uint64_t number, void *memory, uint64_t size);
/* NULL: the object has none, or fewer bytes, or is gone. */
uint8_t *objects_bytes(struct objects *all, uint64_t number, uint64_t offset, uint64_t size);

/* The object that is kept under an identifier: an interface, or NULL. */
bool objects_keep(struct objects *all, uint64_t number, const uint8_t guid[16], void *pointer);
void *objects_kept(const struct objects *all, uint64_t number, const uint8_t guid[16]);

/* Gives all references back, those of the newest objects first. */
void objects_release_all(struct objects *all);
