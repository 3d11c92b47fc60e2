/*
 * The objects of a replay: which interface pointer a number of the trace stands for, what it can be
 * called as, and how many references replay has. Numbers come from a file, so they are checked:
 * one may name nothing, an object that is gone, or another interface.
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

/* Notes that the runtime gave replay a reference. False means out of memory. */
bool objects_take(struct objects *all, void *pointer);
/* Does the same for an object that the runtime keeps even if replay has no reference. */
bool objects_take_kept(struct objects *all, void *pointer);

/* From now on the number stands for this pointer, which can be called as the interface `type` if
 * its object is known. False means out of memory. */
bool objects_name(struct objects *all, uint64_t number, void *pointer, uint16_t type);
/* Adds an object of replay's own, which has IUnknown and never ends. */
bool objects_name_foreign(struct objects *all, uint64_t number, void *pointer);

enum objects_answer { OBJECTS_FINE, OBJECTS_UNKNOWN, OBJECTS_GONE, OBJECTS_OTHER };

/* *pointer can be called as the interface `type`. OBJECTS_OTHER: the object exists, and has another
 * interface. Otherwise *pointer is NULL. */
enum objects_answer objects_find(struct objects *all, uint64_t number, uint16_t type,
                                 void **pointer);

/* A serial that distinguishes the number's object from all earlier ones; 0: it is gone, or
 * unknown. */
uint64_t objects_serial(const struct objects *all, uint64_t number);

/* Notes that a call took a reference to the object of `number`, or gave one back. `left`: what
 * Release returned. */
void objects_add_reference(struct objects *all, uint64_t number);
void objects_release(struct objects *all, uint64_t number, uint32_t left);

/* Notes mapped memory, or a heap's memory over the program's; it lives as long as the object. */
void objects_map(struct objects *all, uint64_t number, void *memory, uint64_t size);
/* NULL: the object has none, or fewer bytes, or is gone. */
uint8_t *objects_bytes(struct objects *all, uint64_t number, uint64_t offset, uint64_t size);

/* The object that is kept under an identifier: an interface, or NULL. */
bool objects_keep(struct objects *all, uint64_t number, const uint8_t guid[16], void *pointer);
void *objects_kept(const struct objects *all, uint64_t number, const uint8_t guid[16]);

/* Gives all references back, those of the newest objects first. */
void objects_release_all(struct objects *all);
